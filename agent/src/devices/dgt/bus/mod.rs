//! Many DGT boards on one line: who is there, whose turn it is, and what each of them said.

mod answer;
mod command;
mod driver;
mod member;
mod party;
mod rounds;
mod scheduler;

#[cfg(test)]
mod tests;

pub use command::Address;
pub use driver::DgtBus;
pub use member::BusMember;
pub use party::BusParty;
pub use scheduler::Bus;
