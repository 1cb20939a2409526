//! What the tracker's notices mean here: one table from its codes to those of the Laws, and the evidence that is kept.

use protocol::{DeskPly, LogLine, Played, Ply, Side, Timestamp};
use shakmaty::{Color, Square};

use super::decide::array_right;
use super::{Game, GameEvent, Irregularity, Over, Seen};
use crate::laws::Code;
use crate::laws::rapid_blitz::{Stands, illegal_position_stands};

/// What a notice is to the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An irregularity with a code of the Laws.
    Code(Code),
    /// Evidence for the log: never an alert, because sensors cannot know intention.
    Evidence,
    /// A full set in the wrong array, which the fact beside it tells; only its end counts.
    Array,
    /// Pieces that stand elsewhere, or nowhere: an irregularity when no move in progress explains them.
    Displaced,
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
    ("EXTRA_PIECE", Meaning::Displaced),
    ("PIECE_MISSING", Meaning::Displaced),
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
        Meaning::Displaced if over => ended(game, Code::PiecesDisplaced),
        Meaning::Displaced => missing_or_extra(game, seen, code, detail),
        Meaning::Evidence if over => Vec::new(),
        Meaning::Evidence => vec![evidence(seen, code, detail)],
        Meaning::Code(_) if game.is_over() => Vec::new(),
        Meaning::Code(code) if over => ended(game, code),
        Meaning::Code(Code::PressWithoutMove) if game.clock.pressed_at_rest() => {
            vec![evidence(
                seen,
                "the lever was moved while the clock stood",
                "",
            )]
        }
        Meaning::Code(Code::PressWithoutMove) if moved_since(game, seen.at) => {
            vec![evidence(
                seen,
                "the clock was pressed before the move was seen",
                "",
            )]
        }
        Meaning::Code(code) if is_accusation(code) && is_blind(game, seen.at) => {
            vec![evidence(
                seen,
                "not judged: the record is not at what stands on the board",
                detail,
            )]
        }
        Meaning::Code(code) => found(game, seen, code, detail).into_iter().collect(),
    }
}

/// What accuses a player, and rests on knowing what stood on the board.
fn is_accusation(code: Code) -> bool {
    matches!(
        code,
        Code::PressWithoutMove | Code::IllegalMove | Code::TwoMoves | Code::MoveChangedAfterPress
    )
}

/// More squares differ than a move in the making touches, and not just now: the moves that led there were not seen.
fn is_blind(game: &Game, now: Timestamp) -> bool {
    let behind =
        |d: &super::state::Differs| d.squares.len() > TOUCHED && now.since(d.since) > BLIND_AFTER;
    game.differs.as_ref().is_some_and(behind)
}

/// Squares that one move touches at most, castling among them.
const TOUCHED: usize = 4;

/// Longer than a move takes, milliseconds.
const BLIND_AFTER: u64 = 3_000;

/// A press without a move is told no sooner after it than this, milliseconds.
const TOLD_AFTER: u64 = 1_200;

/// A half-move was seen since the press that is told of, and completed by it: the piece was still in the hand, or its square was late.
fn moved_since(game: &Game, told: Timestamp) -> bool {
    let last = game.record.last().filter(|ply| ply.pressed);
    last.is_some_and(|ply| told.since(ply.made_at) < TOLD_AFTER)
}

/// A piece in the hand is a move in progress, and so is one with the piece it takes; two of one colour are not.
fn missing_or_extra(game: &Game, seen: Seen<'_>, code: &str, detail: &str) -> Vec<GameEvent> {
    let words = detail.split(|c: char| !c.is_ascii_alphanumeric());
    let squares: Vec<Square> = words.filter_map(|word| word.parse().ok()).collect();
    let board = game.record.position().placement().0;
    let of = |color| {
        squares
            .iter()
            .filter(|s| board.color_at(**s) == Some(color))
            .count()
    };
    let odd = match code {
        "EXTRA_PIECE" => !squares.is_empty(),
        _ => Color::ALL.into_iter().any(|color| of(color) >= 2),
    };
    let idle = game.is_over() || game.begun.is_none() || game.differs.is_some();
    if odd && !idle {
        return found(game, seen, Code::PiecesDisplaced, detail)
            .into_iter()
            .collect();
    }
    vec![evidence(seen, code, detail)]
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
        Code::PressWithoutMove | Code::TwoMoves | Code::MoveChangedAfterPress | Code::IllegalMove
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
    let (code, ply, by) = match pawn_left(game, code, detail) {
        Some(found) => found,
        None => {
            let (ply, by) = place(game, code);
            (code, ply, by)
        }
    };
    // A player can press without a move once more after a ruling.
    let once_more = |i: &Irregularity| code == Code::PressWithoutMove && i.over.is_some();
    let again = |i: &&Irregularity| i.code == code && i.ply == ply && !once_more(i);
    let of_the_pawn = |i: &&Irregularity| {
        i.code == Code::PromotionNotReplaced && (i.ply == ply || i.words == detail)
    };
    let promotion =
        code == Code::IllegalMove && game.irregularities.iter().any(|i| of_the_pawn(&i));
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

/// The tracker reads a pawn on the last rank as a queen and says that it was left there: its player pressed (7.5.2); and when the
/// opponent has completed another move meanwhile, the illegal position stands (A.5.4).
fn pawn_left(game: &Game, code: Code, detail: &str) -> Option<(Code, Ply, Option<Side>)> {
    let last = game.record.len();
    let ply = game.record.last().filter(|_| code == Code::IllegalMove)?;
    let opponent_runs = game.clock.view.is_none_or(|v| v.running != Some(ply.by));
    if ply.pressed && opponent_runs && is_promotion(&ply.played) {
        return Some((Code::PromotionNotReplaced, last, Some(ply.by)));
    }
    let before = last.checked_sub(1)?;
    let rule = illegal_position_stands(game.laws(), game.setup.regime, true);
    let known = game.irregularity(Code::PromotionNotReplaced, before);
    let stands = ply.completed_at.is_some() && rule == Stands::Drawn;
    if known.is_some_and(|left| left.words == detail) && stands {
        return Some((Code::IllegalPositionStands, last, None));
    }
    // The reply was quicker than the notice.
    let left = game.record.get(before)?;
    let told = left.pressed && is_promotion(&left.played) && names_the_pawn(left, detail);
    told.then_some(match stands {
        true => (Code::IllegalPositionStands, last, None),
        false => (Code::PromotionNotReplaced, before, Some(left.by)),
    })
}

/// A notice of a pawn left on the last rank names its square alone.
fn names_the_pawn(left: &DeskPly, detail: &str) -> bool {
    let Played::Legal(uci) = &left.played else {
        return false;
    };
    let to = uci.get(2..4).unwrap_or_default();
    !to.is_empty() && detail.ends_with(to)
}

fn is_promotion(played: &Played) -> bool {
    matches!(played, Played::Legal(uci) if uci.len() == 5)
}

/// The half-move a notice speaks of and who made it: an irregular one that stands last, or the one that comes next.
fn place(game: &Game, code: Code) -> (Ply, Option<Side>) {
    let last = game.record.len();
    let turn = game.record.position().turn();
    match (code, game.record.last()) {
        (Code::IllegalMove | Code::TwoMoves, Some(ply))
            if matches!(ply.played, Played::Irregular { .. }) =>
        {
            (last, Some(ply.by))
        }
        (Code::IllegalMove | Code::PressWithoutMove, _) => (last + 1, Some(turn)),
        // Who moves twice does so in the place of his opponent's half-move.
        (Code::TwoMoves, _) => (last + 1, Some(turn.other())),
        (Code::MoveChangedAfterPress, _) => (last, Some(turn.other())),
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
