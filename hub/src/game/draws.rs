//! Counted repetitions and quiet moves of a record: when the game came to an end that nobody needs to claim (9.2, 9.3, 9.6).

use protocol::Ply;
use serde::{Deserialize, Serialize};

use super::Scoresheet;

/// Half-moves without capture or pawn move.
const FIFTY: u32 = 100;
const SEVENTY_FIVE: u32 = 150;

/// What the count of a record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DrawWatch {
    /// How often the position on the board has stood.
    pub stood: u32,
    /// Half-moves without capture or pawn move.
    pub quiet: u32,
    /// The half-move after which a position stood for the fifth time.
    pub fivefold: Option<Ply>,
    /// The half-move after which seventy-five moves by each were quiet.
    pub seventy_five: Option<Ply>,
}

impl DrawWatch {
    /// Counts anew after the record changed from a half-move on.
    pub fn changed(&mut self, record: &Scoresheet, from: Ply) {
        let before = |ply: &Ply| *ply < from;
        self.fivefold = self.fivefold.filter(before);
        self.seventy_five = self.seventy_five.filter(before);
        self.stood = record.repetitions();
        let legal = record.position().legal();
        self.quiet = legal.map_or(0, shakmaty::Position::halfmoves);
        let mate = legal.is_some_and(shakmaty::Position::is_checkmate);
        let now = record.len();
        if self.stood >= 5 {
            self.fivefold = self.fivefold.or(Some(now));
        }
        if self.quiet >= SEVENTY_FIVE && !mate {
            self.seventy_five = self.seventy_five.or(Some(now));
        }
    }

    /// The player on move might claim a threefold repetition.
    pub fn threefold(&self) -> bool {
        self.stood >= 3
    }

    /// He might claim fifty moves.
    pub fn fifty(&self) -> bool {
        self.quiet >= FIFTY
    }
}
