//! What the tracker's notices mean here: one table from its codes to those of the Laws, and the evidence that is kept.

use protocol::{LogLine, Played, Ply, Side};

use super::decide::array_right;
use super::{Game, GameEvent, Irregularity, Over, Seen};
use crate::laws::Code;

/// What a notice is to the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An irregularity with a code of the Laws.
    Code(Code),
    /// Evidence for the log: never an alert, because sensors cannot know intention.
    Evidence,
    /// A full set in the wrong array, which the fact beside it tells; only its end counts.
    Array,
    /// Told by another fact already.
    Known,
}

/// The table, in the order of the tracker's list.
const TABLE: &[(&str, Meaning)] = &[
    ("PENDING", Meaning::Known),
    ("PROMOTION_PENDING", Meaning::Known),
    ("PROMOTION_ASSUMED", Meaning::Evidence),
    ("CASTLING_PENDING", Meaning::Known),
    ("VICTIM_REMAINS", Meaning::Evidence),
    ("CLOCK_NOT_PRESSED", Meaning::Evidence),
    ("PRESS_BEFORE_MOVE", Meaning::Evidence),
    ("PRESS_WITHOUT_MOVE", Meaning::Code(Code::PressWithoutMove)),
    ("ILLEGAL_MOVE", Meaning::Code(Code::IllegalMove)),
    ("ILLEGAL_ON_BOARD", Meaning::Evidence),
    (
        "MOVE_CHANGED_AFTER_PRESS",
        Meaning::Code(Code::MoveChangedAfterPress),
    ),
    ("TOUCH_MOVE", Meaning::Evidence),
    ("TWO_HANDS", Meaning::Evidence),
    ("MOVED_TWICE", Meaning::Code(Code::TwoMoves)),
    ("OUT_OF_TURN", Meaning::Evidence),
    // Told with their squares, as what is unexplained or as a set-up.
    ("BOARD_MISMATCH", Meaning::Known),
    ("EXTRA_PIECE", Meaning::Evidence),
    ("PIECE_MISSING", Meaning::Evidence),
    ("SQUARE_UNRELIABLE", Meaning::Code(Code::SquareFaulty)),
    ("AMBIGUOUS", Meaning::Known),
    ("CATCH_UP", Meaning::Evidence),
    ("REVISED", Meaning::Known),
    ("TAKEN_BACK", Meaning::Evidence),
    ("LINK_LOST", Meaning::Known),
    ("RESYNCED", Meaning::Evidence),
    ("SETUP_WRONG", Meaning::Array),
    ("BOARD_ROTATED", Meaning::Evidence),
    ("CLOCK_SIDE_SWAPPED", Meaning::Code(Code::ClockSideWrong)),
    ("CLOCK_CHANGED", Meaning::Evidence),
    ("CLOCK_STOPPED", Meaning::Known),
    ("NEW_GAME", Meaning::Evidence),
    ("GAME_ENDED", Meaning::Known),
    ("RESULT_SIGNAL", Meaning::Known),
    ("AFTER_GAME", Meaning::Evidence),
    ("BOARDS_DIFFER", Meaning::Code(Code::BoardsDiffer)),
    ("KING_CAPTURED", Meaning::Code(Code::IllegalMove)),
];

/// A notice this version does not know is kept as evidence.
fn meaning(code: &str) -> Meaning {
    TABLE
        .iter()
        .find(|(name, _)| *name == code)
        .map_or(Meaning::Evidence, |(_, meaning)| *meaning)
}

pub(super) fn decide(
    game: &Game,
    seen: Seen<'_>,
    code: &str,
    over: bool,
    detail: &str,
) -> Vec<GameEvent> {
    match meaning(code) {
        Meaning::Known => Vec::new(),
        Meaning::Array if over => array_right(game, seen.at),
        Meaning::Array => Vec::new(),
        Meaning::Evidence if over => Vec::new(),
        Meaning::Evidence => vec![evidence(seen, code, detail)],
        Meaning::Code(_) if game.is_over() => Vec::new(),
        Meaning::Code(code) if over => ended(game, code),
        Meaning::Code(code) => found(game, seen, code, detail).into_iter().collect(),
    }
}

fn evidence(seen: Seen<'_>, code: &str, detail: &str) -> GameEvent {
    let name: String = code.chars().take(40).collect();
    let words = match detail {
        "" => name.to_lowercase().replace('_', " "),
        detail => detail.chars().take(200).collect(),
    };
    GameEvent::Noted(LogLine {
        at: seen.at,
        kind: "evidence".to_owned(),
        words,
        source: String::new(),
    })
}

/// What is past cannot be unseen; only conditions end by themselves.
fn ended(game: &Game, code: Code) -> Vec<GameEvent> {
    let past = matches!(
        code,
        Code::PressWithoutMove | Code::TwoMoves | Code::MoveChangedAfterPress
    );
    game.open_irregularities()
        .filter(|i| i.code == code && !past)
        .map(|i| GameEvent::IrregularityOver {
            code,
            ply: i.ply,
            how: Over::Corrected,
        })
        .collect()
}

fn found(game: &Game, seen: Seen<'_>, code: Code, detail: &str) -> Option<GameEvent> {
    let (ply, by) = place(game, code);
    // A player can press without a move once more after a ruling.
    let once_more = |i: &Irregularity| code == Code::PressWithoutMove && i.over.is_some();
    let again = |i: &&Irregularity| i.code == code && i.ply == ply && !once_more(i);
    let promotion =
        code == Code::IllegalMove && game.irregularity(Code::PromotionNotReplaced, ply).is_some();
    if promotion || game.irregularities.iter().find(again).is_some() {
        return None;
    }
    Some(GameEvent::IrregularityFound(Irregularity {
        code,
        ply,
        by,
        at: seen.at,
        words: detail.chars().take(200).collect(),
        facts: vec![seen.id.clone()],
        over: None,
    }))
}

/// The half-move a notice speaks of and who made it: an irregular one that stands last, or the one that comes next.
fn place(game: &Game, code: Code) -> (Ply, Option<Side>) {
    let last = game.record.len();
    let turn = game.record.position().turn();
    match (code, game.record.last()) {
        (Code::IllegalMove | Code::TwoMoves, Some(ply))
            if matches!(ply.played, Played::Irregular { .. }) =>
        {
            // Who moves twice does so in the place of his opponent's half-move.
            let by = if code == Code::TwoMoves {
                ply.by.other()
            } else {
                ply.by
            };
            (last, Some(by))
        }
        (Code::IllegalMove | Code::PressWithoutMove, _) => (last + 1, Some(turn)),
        (Code::TwoMoves | Code::MoveChangedAfterPress, _) => (last, Some(turn.other())),
        _ => (last, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_tracker_stands_once() {
        for (code, _) in TABLE {
            let times = TABLE.iter().filter(|(name, _)| name == code).count();
            assert_eq!(times, 1, "{code}");
        }
        assert_eq!(meaning("SOMETHING_NEW"), Meaning::Evidence);
    }

    #[test]
    fn art_4_3_a_touched_piece_is_evidence_and_never_an_alert() {
        for code in ["TOUCH_MOVE", "TAKEN_BACK", "TWO_HANDS", "OUT_OF_TURN"] {
            assert_eq!(meaning(code), Meaning::Evidence, "{code}");
        }
    }
}
