//! accidents
