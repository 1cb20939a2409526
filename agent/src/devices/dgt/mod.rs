//! DGT boards, each alone on its line: serial boards with a cable or Bluetooth, and the chessclock in their socket.

mod bus;
mod family;
mod line;

mod command;
mod detection;
mod pacing;
mod watch;

mod belief;
mod board;
mod dial;

mod clock;
mod clock_frame;
mod codes;
mod frame;
mod log;
mod message;

#[cfg(test)]
mod tests;

pub use bus::{Address, Bus, BusMember, BusParty, DgtBus};
pub use codes::{piece_code, piece_of_code, square_number, square_of_number};
pub use command::HostCommand;
pub(crate) use family::by_messages;
pub use family::{Dgt, Pegasus};
