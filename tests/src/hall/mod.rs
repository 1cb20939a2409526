//! A playing hall in one process on simulated time: virtual boards, the agents' sessions, the hub's venue; no sockets, so that
//! an afternoon passes in a moment.

mod hub_part;
mod rooms;
mod seat;

pub use hub_part::{HubPart, Said};
pub use rooms::{Hall, NOON};
pub use seat::{Seat, Told};
