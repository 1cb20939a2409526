//! The answer in words for the arbiter: one sentence with its evidence and its article.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, san::SanPlus};

use super::{
    dead::Dead,
    material::{Lemma, lemma},
    phase::{Kind, Man, Phase},
    shorten::shortened,
    verdict::{Certificate, Verdict},
};

/// What the answer is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A flag has fallen.
    FlagFall,
    /// A second illegal move has been completed.
    SecondIllegalMove,
    /// A player has resigned.
    Resignation,
    /// Is the game over?
    DeadPosition,
}

impl Occasion {
    /// The article that asks the question.
    pub fn article(self) -> &'static str {
        match self {
            Self::FlagFall => "6.9",
            Self::SecondIllegalMove => "7.5.5",
            Self::Resignation => "5.1.2",
            Self::DeadPosition => "5.2.2",
        }
    }
}

/// What an arbiter is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The article that asks the question.
    pub article: &'static str,
    /// One sentence.
    pub sentence: String,
    /// The moves of a helpmate, or of a forced line, numbered.
    pub line: Vec<String>,
    /// The same moves; none where there is no line.
    pub moves: Vec<Move>,
    /// Squares to mark on the board: where the winner's men can still go in a closed position.
    pub marked: Bitboard,
}

/// Explains a verdict about `winner`.
pub fn explain(pos: &Chess, winner: Color, verdict: &Verdict, occasion: Occasion) -> Explanation {
    let verdict = &concise(pos, verdict);
    let (moves, marked) = match verdict {
        Verdict::Winnable { line } => (line.clone(), Bitboard::EMPTY),
        Verdict::Unwinnable { certificate } => (
            forced_line(pos, winner, certificate),
            marked(pos, winner, certificate),
        ),
        Verdict::Undecided { .. } => (Vec::new(), Bitboard::EMPTY),
    };
    Explanation {
        article: occasion.article(),
        sentence: reason(pos, winner, verdict),
        line: numbered(pos, &moves),
        moves,
        marked,
    }
}

/// The verdict with the detours of its line left out.
pub fn concise(pos: &Chess, verdict: &Verdict) -> Verdict {
    match verdict {
        Verdict::Winnable { line } => Verdict::Winnable {
            line: shortened(pos, line),
        },
        other => other.clone(),
    }
}

/// The sentence alone.
pub fn reason(pos: &Chess, winner: Color, verdict: &Verdict) -> String {
    let side = side(winner);
    match verdict {
        Verdict::Winnable { line } if line.is_empty() => format!("{side} has mated"),
        Verdict::Winnable { line } => {
            format!(
                "{side} can mate, for example after {} half-moves, both sides helping",
                line.len()
            )
        }
        Verdict::Unwinnable { certificate } => why_not(pos, winner, certificate),
        Verdict::Undecided { work, reason } => {
            format!("not decided after {work} steps: {}", reason.words())
        }
    }
}

/// Why a position is dead or not.
pub fn dead_reason(pos: &Chess, dead: &Dead) -> String {
    match dead {
        Dead::Dead { white, black } => {
            let white = why_not(pos, Color::White, white);
            let black = why_not(pos, Color::Black, black);
            format!("{white}; {black}")
        }
        Dead::Alive { winner, line } => {
            reason(pos, *winner, &Verdict::Winnable { line: line.clone() })
        }
        Dead::Undecided { work, reason } => {
            format!("not decided after {work} steps: {}", reason.words())
        }
    }
}

/// A line of moves in the notation of the scoresheet, with move numbers.
pub fn numbered(pos: &Chess, line: &[Move]) -> Vec<String> {
    let mut at = pos.clone();
    let moves = line.iter().enumerate().map(|(i, &m)| {
        let number = at.fullmoves();
        let dots = match (at.turn(), i) {
            (Color::White, _) => format!("{number}."),
            (Color::Black, 0) => format!("{number}..."),
            (Color::Black, _) => String::new(),
        };
        format!(
            "{dots}{}",
            SanPlus::from_move_and_play_unchecked(&mut at, m)
        )
    });
    moves.collect()
}

fn why_not(pos: &Chess, winner: Color, certificate: &Certificate) -> String {
    let side = side(winner);
    match certificate {
        Certificate::Mated => format!("{side} has been mated"),
        Certificate::Stalemate => "the game is over by stalemate".to_owned(),
        Certificate::Material(lemma) => material(pos.board(), winner, *lemma),
        Certificate::Closed { phases } => closed(pos, winner, phases),
        Certificate::Exhausted { positions, .. } => match forced(pos, winner) {
            Some((line, end, lemma)) => {
                let moves = numbered(pos, &line).join(" ");
                format!(
                    "forced: after {moves} {}",
                    material(end.board(), winner, lemma)
                )
            }
            None if *positions == 1 => {
                format!("the only position that can still arise was examined; {side} cannot mate")
            }
            None => format!(
                "all {positions} positions that can still arise were examined; in none has {side} mated"
            ),
        },
    }
}

fn material(board: &Board, winner: Color, lemma: Lemma) -> String {
    let side = side(winner);
    let bare = (board.by_color(!winner) & !board.kings()).is_empty();
    match lemma {
        Lemma::BareKing => format!("{side} has a bare king"),
        Lemma::KnightAgainstQueens if bare => {
            format!("{side} has one knight, against a bare king it never mates")
        }
        Lemma::KnightAgainstQueens => {
            format!("{side} has one knight, against nothing but queens it never mates")
        }
        Lemma::OneColouredBishops => {
            format!(
                "{side} has only bishops of one square colour, and no pawn, knight or other bishop can ever block a flight square"
            )
        }
    }
}

fn closed(pos: &Chess, winner: Color, phases: &[Phase]) -> String {
    let side = side(winner);
    let board = pos.board();
    let lone = (board.by_color(winner) & !(board.kings() | board.pawns())).is_empty();
    let men = if lone { "king reaches" } else { "men reach" };
    match phases.len() {
        1 => format!(
            "closed position: no pawn can ever move or be taken; {side}'s {men} only the marked squares, and the other king never comes under a mating attack there"
        ),
        n => format!(
            "closed position: {n} arrangements of pawns can still arise; in none do {side}'s men reach squares from which they could mate"
        ),
    }
}

/// Forced moves that lead to a position in which a lemma holds.
fn forced(pos: &Chess, winner: Color) -> Option<(Vec<Move>, Chess, Lemma)> {
    const LONGEST: usize = 40;
    let mut at = pos.clone();
    let mut line = Vec::new();
    while line.len() < LONGEST {
        let moves = at.legal_moves();
        let &[only] = moves.as_slice() else {
            return None;
        };
        line.push(only);
        at.play_unchecked(only);
        if let Some(found) = lemma(at.board(), winner) {
            return Some((line, at, found));
        }
    }
    None
}

fn forced_line(pos: &Chess, winner: Color, certificate: &Certificate) -> Vec<Move> {
    let exhausted = matches!(certificate, Certificate::Exhausted { .. });
    let found = exhausted.then(|| forced(pos, winner)).flatten();
    found.map_or_else(Vec::new, |(line, ..)| line)
}

/// The squares that the winner's men other than the king reach while the pawns stand as they do now; of a king alone, its own.
fn marked(pos: &Chess, winner: Color, certificate: &Certificate) -> Bitboard {
    let Certificate::Closed { phases } = certificate else {
        return Bitboard::EMPTY;
    };
    let board = pos.board();
    let now = |phase: &&Phase| {
        phase.white_pawns == board.pawns() & board.white()
            && phase.black_pawns == board.pawns() & board.black()
    };
    let men = phases.iter().filter(now).flat_map(|phase| &phase.men);
    let (kings, others): (Vec<&Man>, Vec<&Man>) = men
        .filter(|man| man.color == winner)
        .partition(|man| man.kind == Kind::King);
    let shown = if others.is_empty() { kings } else { others };
    shown
        .iter()
        .fold(Bitboard::EMPTY, |all, man| all | man.squares)
}

fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::{Budget, position_from_fen, verdict};

    fn ask(fen: &str, winner: Color) -> Explanation {
        let pos = position_from_fen(fen).expect("a position");
        let mut never = || false;
        let found = verdict(&pos, winner, &mut Budget::new(50_000, &mut never));
        explain(&pos, winner, &found, Occasion::FlagFall)
    }

    #[test]
    fn art_6_9_the_five_sentences() {
        let rows = [
            (
                "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1",
                Color::Black,
                "Black has a bare king",
            ),
            (
                "4kq2/8/8/8/8/8/8/4KN2 w - - 0 1",
                Color::White,
                "White has one knight",
            ),
            (
                "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
                Color::White,
                "White has one knight, against a bare king",
            ),
            (
                "k7/8/K7/8/8/8/8/r7 w - - 0 1",
                Color::White,
                "White has a bare king",
            ),
            ("8/8/8/8/8/1k6/1p6/KB6 w - - 0 1", Color::White, ""),
            (
                "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1",
                Color::Black,
                "closed position",
            ),
            (
                "7k/6Q1/8/8/8/8/8/K7 b - - 0 1",
                Color::White,
                "forced: after 1...Kxg7 White has a bare king",
            ),
        ];
        for (fen, winner, expected) in rows {
            let sentence = ask(fen, winner).sentence;
            assert!(sentence.starts_with(expected), "{fen}: {sentence}");
        }
    }

    #[test]
    fn a_line_is_numbered_and_ends_in_mate() {
        let line = ask("4k3/8/8/8/8/8/8/4KQ2 b - - 3 41", Color::White).line;
        assert!(line[0].starts_with("41..."), "{line:?}");
        assert!(line[1].starts_with("42."), "{line:?}");
        assert!(line.last().is_some_and(|m| m.ends_with('#')), "{line:?}");
    }

    #[test]
    fn a_sentence_that_speaks_of_marked_squares_comes_with_some() {
        for fen in [
            "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1",
            "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
        ] {
            let told = ask(fen, Color::White);
            assert!(
                told.sentence.contains("marked squares"),
                "{}",
                told.sentence
            );
            assert!(told.marked.any(), "{fen}");
        }
    }

    #[test]
    fn a_closed_position_shows_where_the_bishop_can_go() {
        let wall = "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1";
        let marked = ask(wall, Color::White).marked;
        assert!(marked.contains(shakmaty::Square::C1));
        assert_eq!(marked & Bitboard::LIGHT_SQUARES, Bitboard::EMPTY);
    }
}
