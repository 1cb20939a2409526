//! One line of a Novag board: a move in its words, a row of the game it remembers, a new game, a clock.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square};

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Which half-move of the game this is, where it is said, and the move as it is written.
    Moved(Option<usize>, String),
    /// A new game begins.
    NewGame,
    /// The last move was taken back.
    TakenBack,
    /// The game so far follows, row by row.
    Game,
    /// The number of a row, counted from 1, and its one or two moves.
    Row(usize, Vec<String>),
    /// Seconds shown for White and Black.
    Clock(u64, u64),
    /// An answer that tells nothing of the game.
    Answer,
}

/// Reads a line of a Citrine: `M 1 e2-e4`, `M 1, e7-e5`, `T 1, e7-e5`, `Clock 00:06:27 00:00:01`, `Game 2`, `. 1 e2-e4 c7-c5`.
pub(super) fn citrine(line: &str) -> Option<Said> {
    let line = line.trim_end_matches(['|', ' ']);
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words[..] {
        ["M", number, said] => Some(Said::Moved(Some(place(number)?), said.to_owned())),
        ["T", number, _] => place(number).map(|_| Said::TakenBack),
        ["Clock", white, black] => Some(Said::Clock(time(white)?, time(black)?)),
        ["N"] | ["New", "Game"] => Some(Said::NewGame),
        ["T"] | ["Takeback"] => Some(Said::TakenBack),
        ["Game", number] => place(number).map(|_| Said::Game),
        [".", "white", "black"] | ["Xmit", ..] | ["ID.", ..] => Some(Said::Answer),
        [".", number, ref moves @ ..] if (1..=2).contains(&moves.len()) => {
            let moves = moves.iter().map(|&said| said.to_owned()).collect();
            Some(Said::Row(number.parse().ok()?, moves))
        }
        _ => None,
    }
}

/// Reads a line of a Universal board: `Me2e4`, `Me7e8/Q`, `N`, `T`.
pub(super) fn universal(line: &str) -> Option<Said> {
    match line {
        "N" => Some(Said::NewGame),
        "T" => Some(Said::TakenBack),
        _ => {
            let said = line.strip_prefix('M')?;
            is_move(said).then(|| Said::Moved(None, said.to_owned()))
        }
    }
}

/// The legal move that is meant: `e2-e4`, `e2e4`, `Ng1-f3`, `e4xd5`, `e5xd6ep`, `e7-e8/Q`, `O-O`.
pub(super) fn meant(position: &Chess, said: &str) -> Option<Move> {
    let side = match said {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if let Some(side) = side {
        let castles = |played: &Move| played.castling_side() == Some(side);
        return position.legal_moves().into_iter().find(castles);
    }
    let said = said.trim_start_matches(['K', 'Q', 'R', 'B', 'N']);
    let (squares, promotion) = said.split_once('/').unwrap_or((said, ""));
    let squares: String = squares
        .trim_end_matches("ep")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .filter(|c| *c != 'x')
        .collect();
    let (from, to) = squares.split_at_checked(2)?;
    let promotion = match promotion {
        "" => None,
        letter => Some(Role::from_char(
            letter.chars().next()?.to_ascii_lowercase(),
        )?),
    };
    let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
    let uci = UciMove::Normal {
        from,
        to,
        promotion,
    };
    uci.to_move(position).ok()
}

/// Two squares, perhaps with a piece to promote to, or castling: `e2e4`, `e7e8/Q`, `O-O`.
fn is_move(said: &str) -> bool {
    let squares = said.split_once('/').map_or(said, |(squares, _)| squares);
    let squares = squares.replace('-', "");
    let square = |at: usize| {
        squares
            .get(at..at + 2)
            .is_some_and(|name| name.parse::<Square>().is_ok())
    };
    let two = squares.len() == 4 && square(0) && square(2);
    two || ["OO", "OOO"].contains(&squares.as_str())
}

/// The half-move that a number names, counted from 1; a comma behind it means Black.
fn place(number: &str) -> Option<usize> {
    let digits = number.trim_end_matches(',');
    let by_black = usize::from(digits.len() < number.len());
    let pairs = digits.parse::<u16>().ok()?.max(1);
    Some(usize::from(pairs) * 2 - 1 + by_black)
}

fn time(text: &str) -> Option<u64> {
    let parts: Vec<u64> = text
        .split(':')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    match parts[..] {
        [hours @ 0..=9, minutes @ 0..=59, seconds @ 0..=59] => {
            Some(hours * 3600 + minutes * 60 + seconds)
        }
        _ => None,
    }
}
