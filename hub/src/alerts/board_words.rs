//! Sentences for what stands on the board: wrong arrays, colours, displaced pieces, boards exchanged, lines that explain it.

use protocol::TableId;

use super::words::{Text, facts, noticed, plain};
use super::{Condition, Devices};
use crate::game::Game;
use crate::laws::Code;
use crate::laws::start::{array_proposal, colours_proposal, differences};

/// Squares that are named one by one.
const NAMED: usize = 6;

/// A wrong array, or a board that lies turned (7.2), seen before the game or after its beginning.
pub(super) fn array(game: &Game, condition: &Condition) -> Text {
    let turned = condition.code == Code::BoardTurned;
    let seen = match &game.wrong_array {
        Some(wrong) if wrong.words.is_empty() => squares(wrong.squares.iter()),
        Some(wrong) => wrong.words.join("; "),
        None => noticed(game, condition).because.join(" "),
    };
    let completed = game.record.completed_moves();
    let by_each = completed.white.min(completed.black);
    let (headline, because, proposal) = if turned {
        let go_on = "Turn the board and put the position on it as it stands; the game goes on.";
        (
            "board turned by a quarter",
            "A dark corner lies at the players' right.".to_owned(),
            vec![go_on.to_owned()],
        )
    } else {
        let proposal = array_proposal(game.laws(), game.setup.regime, by_each);
        ("initial position wrong", sentence(&seen), proposal)
    };
    Text {
        proposal,
        evidence: noticed(game, condition).evidence,
        ..plain(headline, &because)
    }
}

fn squares<'a>(names: impl Iterator<Item = &'a protocol::SquareName>) -> String {
    let names: Vec<String> = names.map(|s| s.0.to_string()).collect();
    format!("Other pieces stand on {}", names.join(" "))
}

fn sentence(words: &str) -> String {
    let mut letters = words.trim_end_matches('.').chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.map_or(String::new(), |first| {
        format!("{first}{}.", letters.as_str())
    })
}

/// The players have each other's colours, with both move counts (7.3).
pub(super) fn colours(game: &Game, condition: &Condition) -> Text {
    let seen = noticed(game, condition);
    Text {
        headline: "colours reversed".to_owned(),
        because: seen.because,
        proposal: colours_proposal(game.laws(), game.record.completed_moves()),
        evidence: seen.evidence,
    }
}

/// Pieces stand where the game has none, few enough to be put back (7.4).
pub(super) fn displaced(game: &Game) -> Text {
    let told = game
        .open_irregularities()
        .find(|i| i.code == Code::PiecesDisplaced)
        .filter(|_| game.differs.is_none());
    let (words, evidence) = match told {
        Some(told) => (
            sentence(&told.words),
            facts(&told.facts, told.at, &told.words),
        ),
        None => (differing(game), Vec::new()),
    };
    Text {
        evidence,
        proposal: vec![
            "The player who displaced them sets them right in his own time; his opponent may stop \
             the clocks and call you."
                .to_owned(),
        ],
        ..plain("pieces displaced", &words)
    }
}

/// Board and record disagree and nothing explains it.
pub(super) fn mismatch(game: &Game, condition: &Condition) -> Text {
    if stands_turned(game) {
        return Text {
            proposal: vec![
                "Turn the board round, or put the pieces as the record has them; then it goes on."
                    .to_owned(),
            ],
            ..plain(
                "board turned round",
                "The position of the record stands on it, seen from the other end.",
            )
        };
    }
    let words = match (condition.cause, &game.stray) {
        (0, _) => differing(game),
        (1, Some(stray)) => format!("Facts do not follow the record: {}.", stray.why),
        _ => "The board has not taken over the record.".to_owned(),
    };
    plain("position and record disagree", &words)
}

/// The whole position stands on the board as if White sat at Black's side.
fn stands_turned(game: &Game) -> bool {
    game.differs.as_ref().is_some_and(|differs| {
        let mut turned = differs.board.0.clone();
        turned.rotate_180();
        turned == game.record.position().placement().0
    })
}

fn differing(game: &Game) -> String {
    let Some(differs) = &game.differs else {
        return String::new();
    };
    let names: Vec<String> = differs.squares.iter().map(|s| s.0.to_string()).collect();
    let stands = differences(&differs.board.0, &game.record.position().placement().0);
    let what = if (1..=NAMED).contains(&stands.len()) && names.len() <= NAMED {
        format!(": {}", stands.join("; "))
    } else {
        String::new()
    };
    format!("Board and record differ at {}{what}.", names.join(" "))
}

/// The board shows the position of another table.
pub(super) fn exchanged(own: Option<TableId>, devices: &Devices) -> Text {
    let (Some(own), Some(other)) = (own, devices.exchanged) else {
        return plain("boards exchanged", "");
    };
    Text {
        proposal: vec![format!(
            "Look at the serial numbers; bind each board to the table it stands on ({own} and {other})."
        )],
        ..plain(
            &format!("boards of tables {own} and {other} appear exchanged"),
            &format!("The board of table {own} shows the position of table {other}."),
        )
    }
}

/// A pawn stands on the last rank, or has left the board before it, while both clocks stand: a piece is wanted (2001 6.13b).
pub(super) fn piece_needed(game: &Game) -> Option<String> {
    use shakmaty::{Color, Rank};
    let board = &game.differs.as_ref()?.board.0;
    let before = game.record.position();
    let turn = shakmaty::Color::from(before.turn());
    let (last, seventh) = match turn {
        Color::White => (Rank::Eighth, Rank::Seventh),
        Color::Black => (Rank::First, Rank::Second),
    };
    let own = |b: &shakmaty::Board| b.pawns() & b.by_color(turn);
    let at_last = own(board).into_iter().any(|s| s.rank() == last);
    let gone = own(&before.placement().0)
        .into_iter()
        .any(|s| s.rank() == seventh && board.piece_at(s).is_none());
    (at_last || gone).then(|| {
        format!(
            "{} needs a piece for a promotion: bring one.",
            before.turn().word()
        )
    })
}
