//! Counted repetitions and quiet moves of a record: when the game came to an end that nobody needs to claim (9.2, 9.3, 9.6).

use protocol::Ply;
use serde::{Deserialize, Serialize};

use super::{Scoresheet, claims};
use crate::laws::drawn_game::same;
use crate::laws::{Laws, Repetition};

/// Half-moves without capture or pawn move.
const FIFTY: u32 = 100;
const SEVENTY_FIVE: u32 = 150;

/// Half-moves after which a position can stand once more, and in which it does on consecutive alternate moves.
const ROUND: u32 = 4;

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
    /// Counts anew after the record changed from a half-move on, by the edition's rule for what the same position is.
    pub fn changed(&mut self, record: &Scoresheet, from: Ply, laws: &Laws) {
        let before = |ply: &Ply| *ply < from;
        self.fivefold = self.fivefold.filter(before);
        self.seventy_five = self.seventy_five.filter(before);
        let legal = record.position().legal();
        self.quiet = legal.map_or(0, shakmaty::Position::halfmoves);
        self.stood = stood(record, laws.repetition, self.quiet);
        let over = |p: &shakmaty::Chess| shakmaty::Position::legal_moves(p).is_empty();
        let now = record.len();
        if self.stood >= 5 && (!laws.fivefold_in_a_row || in_a_row(record)) {
            self.fivefold = self.fivefold.or(Some(now));
        }
        if self.quiet >= SEVENTY_FIVE && !legal.is_some_and(over) {
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

fn stood(record: &Scoresheet, rule: Repetition, quiet: u32) -> u32 {
    if rule == Repetition::LegalMoves || quiet < ROUND {
        return record.repetitions();
    }
    let times = claims::history(record).map(|history| {
        let last = history.ply();
        same(&history, last, history.current(), rule).len()
    });
    times.map_or_else(
        || record.repetitions(),
        |n| u32::try_from(n).unwrap_or(u32::MAX),
    )
}

/// The position has stood after each alternate move of both, five times (2014, 9.6a).
fn in_a_row(record: &Scoresheet) -> bool {
    let now = record.len();
    let key = record.key_after(now);
    (1..5).all(|round| {
        now.checked_sub(round * ROUND)
            .is_some_and(|ply| record.key_after(ply) == key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GamePosition;
    use protocol::{DeskPly, EditionId, Played, Timestamp};

    fn watched(edition: EditionId, fen: Option<&str>, moves: &str) -> DrawWatch {
        let mut record = Scoresheet::new(GamePosition::new(fen, false).expect("a position"));
        let mut watch = DrawWatch::default();
        for (uci, number) in moves.split_whitespace().zip(1..) {
            let line = [Played::Legal(uci.to_owned())];
            let (played, san) = record.checked_line(number, &line).expect("legal").remove(0);
            let ply = DeskPly {
                played,
                san,
                by: record.position().turn(),
                made_at: Timestamp(0),
                completed_at: None,
                pressed: false,
                settled: false,
                certainty: 1.0,
                clock_ms: None,
                spent_ms: None,
            };
            record.replace(number, vec![ply], None);
            watch.changed(&record, number, Laws::of(edition));
        }
        watch
    }

    #[test]
    fn art_9_2_3_the_same_position_by_edition() {
        use EditionId::{Fide1929, Fide2001, Fide2023};
        let kings = Some("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1");
        let lost = "e1f1 e8d8 f1e1 d8e8 e1f1 e8d8 f1e1 d8e8";
        let rows = [
            (
                Fide2023,
                kings,
                lost,
                2,
                "the right is lost by the king's first move",
            ),
            (
                Fide2001,
                kings,
                lost,
                2,
                "the right is lost by the king's first move",
            ),
            (
                Fide1929,
                kings,
                lost,
                3,
                "the same player to move is enough",
            ),
        ];
        for (edition, fen, moves, times, why) in rows {
            assert_eq!(
                watched(edition, fen, moves).stood,
                times,
                "{edition}: {why}"
            );
        }
    }

    #[test]
    fn art_9_6_1_fivefold_by_edition() {
        use EditionId::{Fide2014, Fide2018, Fide2023};
        let round = "g1f3 g8f6 f3g1 f6g8 ";
        let in_a_row = round.repeat(4);
        let with_a_detour = format!("{}b1c3 b8c6 c3b1 c6b8 ", round.repeat(3));
        let longer = format!("{}g1h3 g8h6 h3g5 h6g4 g5h3 g4h6 h3g1 h6g8", round.repeat(3));
        let rows = [
            (Fide2014, &in_a_row, true),
            (Fide2014, &with_a_detour, true),
            (Fide2014, &longer, false),
            (Fide2018, &longer, true),
            (Fide2023, &in_a_row, true),
        ];
        for (edition, moves, five) in rows {
            assert_eq!(
                watched(edition, None, moves).fivefold.is_some(),
                five,
                "{edition} {moves}"
            );
        }
    }
}
