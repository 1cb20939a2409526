//! Article 9: what may be claimed and what ends the game unclaimed, and the verdict on a claim with the plies that prove it.

use protocol::{Regime, Side};
use shakmaty::{CastlingSide, Chess, Color, Move, Position, san::San};

use super::arithmetic::claim_cost;
use super::chessclock::hms;
use super::concordance::{Matter, article_of};
use super::repetition::History;
use super::{Laws, Repetition};

/// What a player claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// The same position three times (9.2).
    Threefold,
    /// Fifty moves (9.3).
    Fifty,
}

/// A claim as it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// On what.
    pub kind: ClaimKind,
    /// By whom.
    pub by: Side,
    /// The move he wrote down and has not made; none: he claims the position on the board.
    pub written: Option<Move>,
    /// His time, milliseconds.
    pub left_ms: u64,
}

/// The verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimVerdict {
    /// Whether the claim is correct; none where it could not be made at all.
    pub correct: Option<bool>,
    /// The same in words.
    pub word: &'static str,
    /// What is known, with the plies.
    pub because: Vec<String>,
    /// What follows.
    pub proposal: Vec<String>,
    /// The article.
    pub article: &'static str,
}

const CORRECT: &str = "Correct by this record.";

/// Checks a claim against the moves played.
pub fn claim(history: &History, claim: &Claim, laws: &Laws, regime: Regime) -> ClaimVerdict {
    let matter = match claim.kind {
        ClaimKind::Threefold => Matter::Threefold,
        ClaimKind::Fifty => Matter::Fifty,
    };
    let article = article_of(matter, laws.id);
    if let Some(why) = not_to_be_made(history, claim) {
        return ClaimVerdict {
            correct: None,
            word: "It cannot be made now.",
            because: vec![why],
            proposal: vec!["No claim of 9.2 or 9.3 can be made now; the clock goes on.".to_owned()],
            article,
        };
    }
    let (correct, because) = match claim.kind {
        ClaimKind::Threefold => threefold(history, claim, laws),
        ClaimKind::Fifty => fifty(history, claim),
    };
    let proposal = if correct {
        vec!["The game is drawn at once (9.5.2).".to_owned()]
    } else {
        wrong(history, claim, laws, regime)
    };
    ClaimVerdict {
        correct: Some(correct),
        word: if correct {
            CORRECT
        } else {
            "Not correct by this record."
        },
        because,
        proposal,
        article,
    }
}

fn not_to_be_made(history: &History, claim: &Claim) -> Option<String> {
    let turn = Side::from(history.current().turn());
    if turn != claim.by {
        return Some(format!(
            "{} has the move: only the player on move may claim.",
            turn.word()
        ));
    }
    match claim.written {
        Some(m) if !history.current().is_legal(m) => {
            Some("The move written down is not legal in this position.".to_owned())
        }
        _ => None,
    }
}

fn threefold(history: &History, claim: &Claim, laws: &Laws) -> (bool, Vec<String>) {
    let ply = history.ply();
    let (plies, about_to) = match claim.written {
        None => (
            same(history, ply, history.current(), laws.repetition),
            false,
        ),
        Some(m) => {
            let mut next = history.current().clone();
            next.play_unchecked(m);
            (same(history, ply, &next, laws.repetition), true)
        }
    };
    let times = plies.len() + usize::from(about_to);
    let what = match claim.written {
        Some(m) => format!("After {} the position stands", san(history.current(), m)),
        None => "The position on the board stands".to_owned(),
    };
    let because = format!("{what} for time {times}: {}.", at_plies(&plies, about_to));
    (times >= 3, vec![because])
}

fn fifty(history: &History, claim: &Claim) -> (bool, Vec<String>) {
    let count = history.current().halfmoves();
    let (correct, count) = match claim.written {
        None => (history.fifty_stands(history.ply()), count),
        Some(m) if m.is_zeroing() => (false, 0),
        Some(m) => (history.fifty_moves(history.ply()).contains(&m), count + 1),
    };
    let last = (history.ply() + usize::from(claim.written.is_some())).checked_sub(count as usize);
    let since = last.map_or("before this record".to_owned(), |ply| {
        format!("half-move {ply}")
    });
    let because = format!(
        "{} moves and {} half-moves without capture or pawn move, since {since}; 50 are needed.",
        count / 2,
        count % 2
    );
    (correct, vec![because])
}

/// The plies, up to one, at which a position has stood, by the rule of the edition.
pub fn same(history: &History, ply: usize, position: &Chess, rule: Repetition) -> Vec<usize> {
    let wanted = key(position, rule);
    let all = history.positions().iter().take(ply + 1).enumerate();
    all.filter(|(_, p)| p.board() == position.board() && key(p, rule) == wanted)
        .map(|(ply, _)| ply)
        .collect()
}

#[derive(PartialEq)]
struct Key {
    turn: Color,
    rights: u64,
    now: [bool; 4],
    en_passant: Option<shakmaty::Square>,
}

/// What must be equal beside the men on their squares.
fn key(position: &Chess, rule: Repetition) -> Key {
    let lasting = || Key {
        rights: position.castles().castling_rights().into(),
        en_passant: position.legal_ep_square(),
        ..plain_of(position)
    };
    match rule {
        Repetition::SamePlayer => plain_of(position),
        Repetition::LegalMoves => lasting(),
        Repetition::RightsOfTheMoment => Key {
            now: castles_now(position),
            ..lasting()
        },
    }
}

fn plain_of(position: &Chess) -> Key {
    Key {
        turn: position.turn(),
        rights: 0,
        now: [false; 4],
        en_passant: None,
    }
}

/// Which castlings the player on move could make at once.
fn castles_now(position: &Chess) -> [bool; 4] {
    let can = |side: CastlingSide| {
        let is = |m: &Move| m.castling_side() == Some(side);
        position.legal_moves().iter().any(is)
    };
    let white = position.turn().is_white();
    let (king, queen) = (can(CastlingSide::KingSide), can(CastlingSide::QueenSide));
    [
        white && king,
        white && queen,
        !white && king,
        !white && queen,
    ]
}

fn wrong(history: &History, claim: &Claim, laws: &Laws, regime: Regime) -> Vec<String> {
    let cost = claim_cost(laws, regime, claim.left_ms);
    let article = article_of(Matter::WrongClaim, laws.id);
    let (by, other) = (claim.by.word(), claim.by.other().word());
    let mut lines = Vec::new();
    if cost.opponent_ms > 0 {
        lines.push(format!(
            "{other} + {} ({article}).",
            clock(cost.opponent_ms)
        ));
    }
    if cost.claimant_ms > 0 {
        lines.push(format!(
            "{by} {} - {} = {} ({article}).",
            clock(claim.left_ms),
            clock(cost.claimant_ms),
            clock(claim.left_ms - cost.claimant_ms)
        ));
    }
    if let Some(m) = claim.written.filter(|_| laws.announced_move_binds) {
        lines.push(format!("{} must be played.", san(history.current(), m)));
    }
    if lines.is_empty() {
        lines.push("No penalty in this edition; the game goes on.".to_owned());
    }
    lines
}

fn at_plies(plies: &[usize], about_to: bool) -> String {
    let mut words: Vec<String> = plies.iter().map(|p| after(*p)).collect();
    if about_to {
        words.push("now".to_owned());
    }
    words.join(", ")
}

/// "after 41…" for half-move 82, "at the start" for 0; counted from the first half-move of the record.
fn after(ply: usize) -> String {
    match ply {
        0 => "at the start".to_owned(),
        ply => format!("after half-move {ply}"),
    }
}

fn san(position: &Chess, m: Move) -> String {
    San::from_move(position, m).to_string()
}

fn clock(ms: u64) -> String {
    hms(i64::try_from(ms).unwrap_or(i64::MAX))
}

/// 1929: mate within fifty moves was demanded at a half-move; they are counted from there, anew from captures and pawn moves.
pub fn fifty_demanded(history: &History, demanded_at: usize) -> ClaimVerdict {
    let quiet = history.current().halfmoves() as usize;
    let count = quiet.min(history.ply().saturating_sub(demanded_at));
    let over = count >= 100 && !history.current().is_checkmate();
    let because = format!(
        "Mate was demanded {}; {} moves and {} half-moves without capture or pawn move since; 50 are needed.",
        after(demanded_at),
        count / 2,
        count % 2
    );
    ClaimVerdict {
        correct: over.then_some(true),
        word: if over {
            CORRECT
        } else {
            "The moves are being counted."
        },
        because: vec![because],
        proposal: vec![if over {
            "The game is drawn.".to_owned()
        } else {
            "The game goes on; the demand stays.".to_owned()
        }],
        article: article_of(Matter::Fifty, protocol::EditionId::Fide1929),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{EditionId, Speed};
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ROUND: &str = "g1f3 g8f6 f3g1 f6g8 ";

    fn game(fen: &str, moves: &str) -> History {
        let fen: Fen = fen.parse().expect("fen");
        let position = fen.into_position(CastlingMode::Standard).expect("legal");
        let mut history = History::new(position);
        for word in moves.split_whitespace() {
            let m = uci(&history, word);
            history.play(m);
        }
        history
    }

    fn uci(history: &History, word: &str) -> Move {
        let uci: UciMove = word.parse().expect("uci");
        uci.to_move(history.current()).expect("legal")
    }

    fn threefold(by: Side, written: Option<Move>) -> Claim {
        Claim {
            kind: ClaimKind::Threefold,
            by,
            written,
            left_ms: 240_000,
        }
    }

    #[test]
    fn art_9_2_claims_with_and_without_the_written_move() {
        let twice = &ROUND[..ROUND.len() - 5];
        let rows = [
            (
                ROUND.repeat(2),
                Side::White,
                None,
                Some(true),
                "at the start, after half-move 4",
            ),
            (
                ROUND.to_owned(),
                Side::White,
                None,
                Some(false),
                "for time 2",
            ),
            (
                format!("{ROUND}{twice}"),
                Side::Black,
                Some("f6g8"),
                Some(true),
                "After Ng8",
            ),
            (
                format!("{ROUND}{twice}"),
                Side::Black,
                Some("e7e5"),
                Some(false),
                "for time 1",
            ),
            (
                ROUND.repeat(2),
                Side::Black,
                None,
                None,
                "only the player on move",
            ),
        ];
        for (moves, by, written, correct, words) in rows {
            let history = game(START, &moves);
            let written = written.map(|w| uci(&history, w));
            let laws = Laws::of(EditionId::Fide2023);
            let got = claim(&history, &threefold(by, written), laws, Regime::default());
            assert_eq!(got.correct, correct, "{moves} {got:?}");
            assert!(got.because[0].contains(words), "{got:?}");
            assert_eq!(got.article, "9.2");
        }
    }

    #[test]
    fn art_9_5_3_a_wrong_claim_by_edition() {
        let blitz = Regime {
            speed: Speed::Blitz,
            supervised: false,
        };
        let rows = [
            (
                EditionId::Fide2023,
                Regime::default(),
                "Black + 0:02:00 (9.5.3)",
                2,
            ),
            (EditionId::Fide2023, blitz, "Black + 0:01:00 (9.5.3)", 2),
            (
                EditionId::Fide2001,
                Regime::default(),
                "Black + 0:03:00 (9.5b)",
                3,
            ),
            (EditionId::Fide1929, Regime::default(), "No penalty", 1),
        ];
        for (edition, regime, words, lines) in rows {
            let history = game(START, "");
            let written = Some(uci(&history, "e2e4"));
            let got = claim(
                &history,
                &threefold(Side::White, written),
                Laws::of(edition),
                regime,
            );
            assert_eq!(got.correct, Some(false));
            assert!(
                got.proposal[0].contains(words),
                "{edition} {:?}",
                got.proposal
            );
            assert_eq!(got.proposal.len(), lines, "{edition} {:?}", got.proposal);
        }
    }

    #[test]
    fn art_9_3_fifty_moves_with_and_without_the_written_move() {
        let rows = [
            ("8/4p3/4k3/8/8/4K3/8/R7 w - - 100 120", None, Some(true)),
            ("8/4p3/4k3/8/8/4K3/8/R7 w - - 99 120", None, Some(false)),
            (
                "8/4p3/4k3/8/8/4K3/8/R7 w - - 99 120",
                Some("a1a2"),
                Some(true),
            ),
            (
                "8/4p3/4k3/8/8/4K3/8/R7 w - - 98 120",
                Some("a1a2"),
                Some(false),
            ),
            (
                "8/8/4k3/8/8/3K4/4P3/R7 w - - 99 120",
                Some("e2e4"),
                Some(false),
            ),
        ];
        for (fen, written, correct) in rows {
            let history = game(fen, "");
            let claimed = Claim {
                kind: ClaimKind::Fifty,
                by: Side::White,
                written: written.map(|w| uci(&history, w)),
                left_ms: 0,
            };
            let laws = Laws::of(EditionId::Fide2023);
            let got = claim(&history, &claimed, laws, Regime::default());
            assert_eq!(got.correct, correct, "{fen} {written:?} {got:?}");
        }
    }

    #[test]
    fn rule_of_1929_fifty_moves_count_from_the_demand() {
        let moves = "a1a2 e6d6 a2a1 d6e6 ".repeat(25);
        let history = game("8/4p3/4k3/8/8/4K3/8/R7 w - - 90 120", &moves);
        assert_eq!(fifty_demanded(&history, 0).correct, Some(true));
        let early = fifty_demanded(&history, 4);
        assert_eq!(early.correct, None, "ninety-six half-moves since");
        assert!(early.because[0].contains("48 moves"), "{early:?}");
    }
}
