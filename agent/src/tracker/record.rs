//! The record: every ply shown so far, with its three instants and how sure it is.

use shakmaty::{Move, uci::UciMove};

use super::inference::{Irregular, PlyNumber};
use super::observation::Millis;

/// What a ply of the record is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Played {
    /// A legal move.
    Legal(UciMove),
    /// Something else that stands on the board.
    Irregular(Irregular),
}

/// One ply of the record.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// Counting from 1 after the history.
    pub number: PlyNumber,
    /// What was played.
    pub played: Played,
    /// When it was first seen complete on the board.
    pub made: Millis,
    /// When its press, or the reply that completes it, was seen.
    pub completed: Option<Millis>,
    /// When no other explanation was left.
    pub settled: Option<Millis>,
    /// White's and Black's seconds shown after the press.
    pub clock: Option<(u32, u32)>,
    /// 0 to 1.
    pub certainty: f32,
    /// What stands on the board after it is certain; what else is listed leads there as well.
    pub decided: bool,
    /// The lines that could stand from here, the recorded one first; empty where the ply is sure.
    pub choices: Vec<Vec<UciMove>>,
    /// There are more such lines than are listed.
    pub more: bool,
}

/// A ply as shown, with what the tracker needs to compare it.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) mv: Move,
    pub(super) ply: Ply,
    /// The press itself was seen.
    pub(super) pressed: Option<Millis>,
}

/// A ply of the line before the root of the tree.
#[derive(Clone, Debug)]
pub(super) struct Past {
    pub(super) mv: Move,
    /// How much worse the best line without it was when the root moved past it.
    pub(super) margin: f64,
    pub(super) choices: Vec<Vec<UciMove>>,
}

/// How things stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Every ply shown is settled and the board agrees.
    Settled,
    /// The last ply may still change.
    Provisional,
    /// A move is under way.
    Pending,
    /// The board makes no sense at the moment.
    Disturbed,
}

impl Status {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Settled => "settled",
            Status::Provisional => "provisional",
            Status::Pending => "pending",
            Status::Disturbed => "disturbed",
        }
    }
}
