//! The arbiters' dashboard.
