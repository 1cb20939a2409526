//! One per venue: broker, Laws, record, wall page, feeds.
