//! A player's hands: what happens at a table while a game is played, and what a sensing board would report of it.
//!
//! Two stages, kept apart. [`play`] turns a [`Game`] into the acts of two players, exact to the millisecond, and into the
//! truth to compare with. [`coils`] adds the trouble single squares have and still speaks in acts, for a virtual board
//! that sends real bytes; [`sense`] goes on to what a host would be told, for measuring the tracker alone.
//!
//! **The same game, the same [`Play`]: the same performance, every time.**

// The game and what is to be made of it.
mod act;
mod control;
mod game;
mod pgn;
mod words;

mod accident;
mod habits;
mod how;

// One move under one hand.
mod manner;

mod gesture;

mod capture;
mod special;

// A whole game at a table.
mod sitting;

mod chessclock;
mod dice;
mod thinking;
mod timeline;

mod breach;
mod disorder;
mod finale;
mod interlude;
mod two_boards;
mod wrong;

// What a board makes of it.
mod sensor;

#[cfg(test)]
mod tests;

pub use accident::{
    Accident, Carriage, Castling, EnPassant, Irregularity, Kind, Promoting, Remedy, Taking,
};
pub use act::{Act, Done, Ended, Flaw, Millis, Performance, Ply, Reads};
pub use control::Control;
pub use game::Game;
pub use habits::Habits;
pub use how::{Ending, Noise, Play, Profile, Sensing, Tempo};
pub use pgn::{GameError, read_games};
pub use sensor::{Hardware, Reading, Sensed, coils, json_line, sense};
pub use sitting::play;
