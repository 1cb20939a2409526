//! Before and at the start: default time, absent players, the initial array, the board's direction, colours reversed (6.6, 6.7, 7.2, 7.3).

use protocol::{BySide, Regime, Side, Urgency};
use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

use super::chessclock::hms;
use super::concordance::{Matter, article_of};
use super::{Code, Laws, ReversedColours};

/// What follows when nobody of these has moved by the default time.
pub fn default_proposal(laws: &Laws, absent: BySide<bool>) -> Vec<String> {
    let article = laws.articles.default_time;
    match (absent.white, absent.black) {
        (true, true) => vec![format!(
            "No move by either: both lose unless you decide otherwise ({article})."
        )],
        (true, false) | (false, true) => {
            let side = if absent.white {
                Side::White
            } else {
                Side::Black
            };
            vec![format!(
                "No move by {}: he loses unless you decide otherwise ({article}); look whether he is there.",
                side.word()
            )]
        }
        (false, false) => Vec::new(),
    }
}

/// What the edition itself says of the default time, for an event that announced another or none.
pub fn own_default(laws: &Laws) -> String {
    match laws.default_ms {
        Some(ms) => format!(
            "The edition's own default time is {}, where the event announces none.",
            hms(i64::try_from(ms).unwrap_or(i64::MAX))
        ),
        None => "The edition knows no default time: the absent player's clock runs.".to_owned(),
    }
}

/// Who loses the time while both are absent: White, where the default time is not zero (6.7.2).
pub fn loses_time_while_both_absent(default_ms: u64) -> Option<Side> {
    (default_ms > 0).then_some(Side::White)
}

/// How a full set stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Array {
    /// As it should.
    Right,
    /// Half a turn: only the mapping of the board is wrong.
    HalfTurn,
    /// A quarter of a turn: the board lies wrong (7.2.2).
    QuarterTurn,
    /// Pieces stand on wrong squares; what is wrong in words.
    Wrong(Vec<String>),
    /// Not a full set: nobody has finished setting up.
    Incomplete,
}

/// Compares a board with the initial array of the game.
pub fn array(board: &Board, due: &Board) -> Array {
    if board == due {
        return Array::Right;
    }
    if !same_men(board, due) {
        return Array::Incomplete;
    }
    let half = mapped(board, |s| {
        Square::from_coords(
            File::new(7 - u32::from(s.file())),
            Rank::new(7 - u32::from(s.rank())),
        )
    });
    if half == *due {
        return Array::HalfTurn;
    }
    let quarter = |turns: bool| {
        mapped(board, |s| {
            let (f, r) = (u32::from(s.file()), u32::from(s.rank()));
            let (f, r) = if turns { (r, 7 - f) } else { (7 - r, f) };
            Square::from_coords(File::new(f), Rank::new(r))
        })
    };
    if quarter(true) == *due || quarter(false) == *due {
        return Array::QuarterTurn;
    }
    Array::Wrong(differences(board, due))
}

fn same_men(board: &Board, due: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let men = |b: &Board, role| (b.by_color(color) & b.by_role(role)).count();
        Role::ALL
            .into_iter()
            .all(|role| men(board, role) == men(due, role))
    })
}

fn mapped(board: &Board, to: impl Fn(Square) -> Square) -> Board {
    let mut turned = Board::empty();
    for (square, piece) in board {
        turned.set_piece_at(to(square), piece);
    }
    turned
}

/// What stands wrong on a board, in words, square by square.
pub fn differences(board: &Board, due: &Board) -> Vec<String> {
    let wrong: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|s| board.piece_at(*s) != due.piece_at(*s))
        .collect();
    let mut words: Vec<String> = Side::BOTH
        .into_iter()
        .filter_map(|side| king_and_queen(board, due, side, &wrong))
        .collect();
    let named = |s: &Square| words.iter().any(|w| w.contains(&s.to_string()));
    let rest: Vec<String> = wrong
        .iter()
        .filter(|s| !named(s))
        .map(|s| square(board, *s))
        .collect();
    if !rest.is_empty() {
        words.push(rest.join(", "));
    }
    words
}

fn king_and_queen(board: &Board, due: &Board, side: Side, wrong: &[Square]) -> Option<String> {
    let of = |role: Role| Piece {
        color: side.into(),
        role,
    };
    let king = due.by_piece(of(Role::King)).first()?;
    let queen = due.by_piece(of(Role::Queen)).first()?;
    let changed = board.piece_at(king) == Some(of(Role::Queen))
        && board.piece_at(queen) == Some(of(Role::King));
    (changed && wrong.contains(&king)).then(|| {
        format!(
            "{}'s king and queen are interchanged ({king}, {queen})",
            side.word()
        )
    })
}

fn square(board: &Board, square: Square) -> String {
    match board.piece_at(square) {
        Some(piece) => format!("{} on {square}", role(piece)),
        None => format!("nothing on {square}"),
    }
}

fn role(piece: Piece) -> String {
    let side = if piece.color.is_white() {
        "white"
    } else {
        "black"
    };
    let name = match piece.role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    format!("{side} {name}")
}

/// What the Laws want when the array is found wrong after so many moves by each.
pub fn array_proposal(laws: &Laws, regime: Regime, moves_by_each: u32) -> Vec<String> {
    let rule = laws.initial_array.of(regime);
    let article = article_of(Matter::InitialPosition, laws.id);
    match rule.no_claim_after {
        Some(limit) if moves_by_each >= limit => vec![
            format!("{limit} moves were completed by each: no claim any more; the game goes on."),
            "A king or rook that stood wrong cannot castle for the rest of the game.".to_owned(),
        ],
        _ if moves_by_each == 0 => vec![format!(
            "Set the pieces right before the start ({article})."
        )],
        _ if rule.annulled => vec![format!(
            "The game is annulled; a new one is played ({article})."
        )],
        _ => vec!["The edition has no rule: your judgement.".to_owned()],
    }
}

/// What the Laws want when colours are found reversed after so many moves by each (7.3).
pub fn colours_proposal(laws: &Laws, moves: BySide<u32>) -> Vec<String> {
    let article = article_of(Matter::ReversedColours, laws.id);
    let counts = format!("{} moves by White, {} by Black.", moves.white, moves.black);
    let rule = match laws.reversed_colours {
        ReversedColours::RestartBelow(limit) if both_reached(moves, limit) => {
            format!("{limit} moves or more by each: the game goes on ({article}).")
        }
        ReversedColours::RestartBelow(limit) => {
            format!(
                "Fewer than {limit} moves by each: stop, start again with the right colours ({article})."
            )
        }
        ReversedColours::ArbiterDecides => {
            format!("The game goes on unless you rule otherwise ({article}).")
        }
    };
    vec![counts, rule]
}

fn both_reached(moves: BySide<u32>, limit: u32) -> bool {
    moves.white >= limit && moves.black >= limit
}

/// Urgency of what loses its importance with the moves played (7.3, A.5.1); others keep theirs.
pub fn urgency_after(
    code: Code,
    laws: &Laws,
    regime: Regime,
    completed: BySide<u32>,
    urgency: Urgency,
) -> Urgency {
    let past = match code {
        Code::ColoursReversed => match laws.reversed_colours {
            ReversedColours::RestartBelow(limit) => both_reached(completed, limit),
            ReversedColours::ArbiterDecides => false,
        },
        Code::InitialPositionWrong
        | Code::BoardTurned
        | Code::TimeControlWrong
        | Code::IncrementWrong => {
            let limit = laws.initial_array.of(regime).no_claim_after;
            limit.is_some_and(|limit| both_reached(completed, limit))
        }
        _ => false,
    };
    if past { Urgency::Silent } else { urgency }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{EditionId, Speed};

    const DUE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).expect("board")
    }

    #[test]
    fn art_7_2_1_the_initial_array_and_what_is_wrong_with_it() {
        let rows = [
            (DUE, "right"),
            ("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr", "half"),
            ("RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr", "quarter"),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
                "White's king and queen are interchanged (e1, d1)",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR",
                "white bishop on b1, white knight on c1",
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R", "incomplete"),
        ];
        for (fen, want) in rows {
            let got = match array(&board(fen), &board(DUE)) {
                Array::Right => "right".to_owned(),
                Array::HalfTurn => "half".to_owned(),
                Array::QuarterTurn => "quarter".to_owned(),
                Array::Incomplete => "incomplete".to_owned(),
                Array::Wrong(words) => words.join("; "),
            };
            assert_eq!(got, want, "{fen}");
        }
    }

    #[test]
    fn art_6_7_1_default_time_by_edition() {
        use EditionId::*;
        let rows = [
            (Fide2023, "own default time is 0:00:00"),
            (Fide2001, "own default time is 1:00:00"),
            (Fide1929, "knows no default time"),
        ];
        for (edition, words) in rows {
            let told = own_default(Laws::of(edition));
            assert!(told.contains(words), "{edition}: {told}");
        }
        let laws = Laws::of(Fide2023);
        let absent = |white, black| default_proposal(laws, BySide { white, black }).join("");
        assert!(absent(true, false).contains("No move by White"));
        assert!(absent(true, true).contains("either"));
        assert!(absent(false, false).is_empty());
    }

    #[test]
    fn art_6_7_2_white_loses_the_time_unless_the_default_time_is_zero() {
        assert_eq!(loses_time_while_both_absent(0), None);
        assert_eq!(loses_time_while_both_absent(1), Some(Side::White));
    }

    #[test]
    fn art_7_3_colours_reversed_before_and_after_the_tenth_move() {
        use EditionId::*;
        let rows = [
            (Fide2023, 9, 9, "start again", Urgency::Call),
            (Fide2023, 10, 9, "start again", Urgency::Call),
            (Fide2023, 10, 10, "goes on", Urgency::Silent),
            (Fide2001, 3, 3, "unless you rule", Urgency::Call),
        ];
        for (edition, white, black, words, urgency) in rows {
            let laws = Laws::of(edition);
            let moves = BySide { white, black };
            let lines = colours_proposal(laws, moves);
            assert!(lines[1].contains(words), "{edition} {lines:?}");
            let got = urgency_after(
                Code::ColoursReversed,
                laws,
                Regime::default(),
                moves,
                Urgency::Call,
            );
            assert_eq!(got, urgency, "{edition} {white} {black}");
        }
    }

    #[test]
    fn art_a_5_1_no_call_after_ten_moves_in_unsupervised_rapid_and_blitz() {
        let regime = |speed, supervised| Regime { speed, supervised };
        let rows = [
            (
                EditionId::Fide2023,
                regime(Speed::Blitz, false),
                9,
                Urgency::Call,
            ),
            (
                EditionId::Fide2023,
                regime(Speed::Blitz, false),
                10,
                Urgency::Silent,
            ),
            (
                EditionId::Fide2023,
                regime(Speed::Blitz, true),
                10,
                Urgency::Call,
            ),
            (EditionId::Fide2023, Regime::default(), 30, Urgency::Call),
            (
                EditionId::Fide2001,
                regime(Speed::Rapid, false),
                3,
                Urgency::Silent,
            ),
        ];
        for (edition, at, n, want) in rows {
            let laws = Laws::of(edition);
            let moves = BySide { white: n, black: n };
            let got = urgency_after(Code::IncrementWrong, laws, at, moves, Urgency::Call);
            assert_eq!(got, want, "{edition} {at:?} {n}");
            let lines = array_proposal(laws, at, n);
            assert_eq!(lines.len() == 2, want == Urgency::Silent, "{lines:?}");
        }
    }
}
