//! Certabo boards, whose pieces carry numbers, and Tabutronic boards of both kinds.

mod family;
mod frame;
mod pieces;
mod reading;

#[cfg(test)]
mod tests;

pub(super) use family::CERTABO;
