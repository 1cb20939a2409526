//! The dashboard without terminal and network: messages in, effects out.

mod act;
mod commands;
mod dialogs;
mod joined;
mod lists;
mod may;
mod orders;
mod palette;
mod state;
mod update;

pub use commands::{Command, parse};
pub use joined::Joined;
pub use lists::{Lists, Pane, Sorting};
pub(crate) use lists::{section, trouble};
pub use orders::Orders;
pub use palette::{Offer, Palette};
pub use state::{App, Me, Notice, Overlay, Place, Subject};
