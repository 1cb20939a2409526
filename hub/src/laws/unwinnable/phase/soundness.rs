//! Whatever is played on a board stays inside the phases, and no mate on it is one that the test for mates excludes.

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, fen::Fen};

use super::{
    closure::{close, drop_anchors},
    edges,
    exploration::{Manner, Order},
    graph::{Attempt, Closed},
    mate::may_mate,
    state::Phase,
};
use crate::laws::unwinnable::{
    Budget, Certificate, Rewalk, checker, generator::Generator, lemma, position_from_fen, rewalk,
};

const SEED: u64 = 64;

/// Without pairs of kings, with them, and with men anchored that have at most so many moves.
const KINDS: [Option<Option<usize>>; 5] = [
    None,
    Some(None),
    Some(Some(0)),
    Some(Some(2)),
    Some(Some(5)),
];

const MANNERS: [Manner; 4] = [
    manner(None, Order::Latest),
    manner(None, Order::Earliest),
    manner(Some(2), Order::Earliest),
    manner(Some(4), Order::Latest),
];

const fn manner(anchors: Option<usize>, order: Order) -> Manner {
    Manner { anchors, order }
}

/// Positions that nobody, or one side only, can win, each by another kind of proof; they are edited.
const CLOSED: [&str; 9] = [
    "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/4N3 w - - 0 1",
    "3b4/6k1/1ppp4/2b3p1/1pKp1pP1/1P1P1P2/8/1BbB1B1B b - - 0 1",
    "6B1/b7/2k5/p1p1p1pB/P1P1P1P1/pp6/rp6/1K2b3 b - - 0 1",
    "6b1/8/1k6/3p1p2/3PpP1B/3pKp2/3P1P1n/B7 w - - 0 1",
    "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
    "1k6/1P5p/BP3p2/1P6/8/6K1/5P1P/8 b - - 0 1",
    "3k4/p2p2p1/P2P2P1/8/8/P2P4/P2P2P1/3K4 w - - 0 1",
    "8/8/8/8/8/6pp/6pk/4K2R b K - 0 1",
    "8/8/8/p1p1p1p1/P1P1P1P1/1k6/8/R3K2R w KQ - 0 1",
];

fn fen(pos: &Chess) -> String {
    Fen::from_position(pos, EnPassantMode::Legal).to_string()
}

fn position(fen: &str) -> Chess {
    position_from_fen(fen).expect("a position")
}

fn closed(mut phase: Phase, kind: Option<Option<usize>>) -> Phase {
    if let Some(Some(moves)) = kind {
        drop_anchors(&mut phase, moves);
    }
    close(&mut phase);
    phase
}

/// A game of random moves, and the phases it goes through.
struct Game {
    pos: Chess,
    winner: Color,
    kind: Option<Option<usize>>,
    phase: Phase,
    /// The phase before a double step, from which a capture en passant is one edge.
    earlier: Option<Phase>,
}

impl Game {
    fn new(pos: &Chess, winner: Color, kind: Option<Option<usize>>) -> Self {
        let start = if kind.is_some() {
            Phase::sharp(pos)
        } else {
            Phase::of(pos)
        };
        Self {
            pos: pos.clone(),
            winner,
            kind,
            phase: closed(start, kind),
            earlier: None,
        }
    }

    /// Any move, but a mate if there is one.
    fn choose(&self, generator: &mut Generator) -> Option<Move> {
        let moves = self.pos.legal_moves();
        let mates = moves.iter().find(|m| {
            let mut next = self.pos.clone();
            next.play_unchecked(**m);
            next.is_checkmate() && self.pos.turn() == self.winner
        });
        let any = moves.get(generator.below(moves.len().max(1)));
        mates.or(any).copied()
    }

    fn play(&mut self, m: Move) {
        let before = fen(&self.pos);
        self.pos.play_unchecked(m);
        let double = self.pos.maybe_ep_square().is_some();
        let held = !m.is_en_passant() && checker::holds(&self.phase, &self.pos);
        if !held {
            let from = if m.is_en_passant() {
                self.earlier.take().expect("a double step came before")
            } else {
                self.phase.clone()
            };
            let mut next = None;
            edges::each_edge(&from, self.winner, &mut |found| {
                if checker::holds(&found, &self.pos) {
                    next = Some(found);
                }
                next.is_none()
            });
            let next = next.unwrap_or_else(|| {
                panic!(
                    "no edge for {m} in {before}, {} {:?}",
                    self.winner, self.kind
                )
            });
            self.phase = closed(next, self.kind);
            self.earlier = double.then_some(from);
        }
        let mated = self.pos.is_checkmate() && self.pos.turn() != self.winner;
        assert!(
            !mated || may_mate(&self.phase, self.winner),
            "mate by {m} in {before} was excluded: {} {:?}",
            self.winner,
            self.kind
        );
    }
}

/// Plays on while there are moves; how many, and whether it ended in mate by `winner`.
fn play_out(
    pos: &Chess,
    winner: Color,
    kind: Option<Option<usize>>,
    generator: &mut Generator,
) -> (usize, bool) {
    let mut game = Game::new(pos, winner, kind);
    let mut plies = 0;
    while plies < 40
        && let Some(m) = game.choose(generator)
    {
        game.play(m);
        plies += 1;
    }
    let mated = game.pos.is_checkmate() && game.pos.turn() != winner;
    (plies, mated)
}

/// One in three is made, the others are edits of closed ones.
fn some_position(generator: &mut Generator, nth: usize) -> Chess {
    if nth.is_multiple_of(3) {
        return generator.position().1;
    }
    let start = position(CLOSED[generator.below(CLOSED.len())]);
    generator.edited(&start)
}

/// Positions, moves played and mates met, from `seed`.
fn play_many(seed: u64, positions: usize) -> (usize, usize) {
    let mut generator = Generator::new(seed);
    let (mut plies, mut mates) = (0, 0);
    for nth in 0..positions {
        let pos = some_position(&mut generator, nth);
        if pos.ep_square(EnPassantMode::Legal).is_some() {
            continue;
        }
        for winner in [Color::White, Color::Black] {
            for kind in KINDS {
                let (played, mated) = play_out(&pos, winner, kind, &mut generator);
                plies += played;
                mates += usize::from(mated);
            }
        }
    }
    (plies, mates)
}

/// Hundreds of positions here; tens of thousands when the room is worked on.
#[test]
fn games_stay_inside_the_phases_and_their_mates_are_foreseen() {
    let (plies, mates) = play_many(SEED, 120);
    assert!(plies > 10_000 && mates > 20, "{plies} moves, {mates} mates");
}

fn proof(pos: &Chess, winner: Color, manner: Manner) -> Option<Vec<Phase>> {
    let mut never = || false;
    let mut budget = Budget::new(u64::MAX, &mut never);
    let mut closed = Closed::new(winner);
    let end = closed.prove_sharply(pos, manner, 60, &mut budget);
    (end == Attempt::Proven).then(|| closed.into_phases())
}

fn is_accepted(pos: &Chess, winner: Color, phases: Vec<Phase>) -> bool {
    let mut never = || false;
    let mut budget = Budget::new(u64::MAX, &mut never);
    let certificate = Certificate::Closed { phases };
    checker::accepts(pos, winner, &certificate, &mut budget) == Some(true)
}

#[test]
fn what_is_proven_in_any_manner_is_accepted_and_no_walk_finds_a_mate() {
    let mut generator = Generator::new(SEED + 1);
    let mut proven = 0;
    for nth in 0..600 {
        let pos = some_position(&mut generator, nth);
        let over = pos.legal_moves().is_empty();
        for winner in [Color::White, Color::Black] {
            for manner in MANNERS {
                let settled = over || lemma(pos.board(), winner).is_some();
                let found = proof(&pos, winner, manner).filter(|_| !settled);
                let Some(phases) = found else {
                    continue;
                };
                proven += 1;
                assert!(
                    is_accepted(&pos, winner, phases),
                    "{} {winner} {manner:?}",
                    fen(&pos)
                );
                let walked = rewalk(&pos, winner, &[], 300);
                assert_ne!(walked, Rewalk::Refuted, "{} {winner} {manner:?}", fen(&pos));
            }
        }
    }
    assert!(proven > 100, "only {proven} proofs");
}

/// Each position needs one sharpening; beside it stands a neighbour that is won, where it must not help.
#[test]
fn each_sharpening_proves_what_it_is_for() {
    let sharp = manner(None, Order::Latest);
    let anchored = manner(Some(2), Order::Latest);
    let rows = [
        // Every pawn move of Black mates, so its bishop on c5 never gets away.
        (
            "3b4/6k1/1ppp4/2b3p1/1pKp1pP1/1P1P1P2/8/1BbB1B1B b - - 0 1",
            sharp,
            true,
        ),
        (
            "3b4/6k1/1pp5/2b3p1/1pKp1pP1/1P1P1P2/8/1BbB1B1B b - - 0 1",
            sharp,
            false,
        ),
        // The rook has one move, and that is mate.
        (
            "6B1/b7/2k5/p1p1p1pB/P1P1P1P1/pp6/rp6/1K2b3 b - - 0 1",
            anchored,
            true,
        ),
        (
            "6B1/b7/2k5/p1p1p1pB/P1P1P1P1/1p6/rp6/1K2b3 b - - 0 1",
            anchored,
            false,
        ),
        // The knight has two.
        (
            "6b1/8/1k6/3p1p2/3PpP1B/3pKp2/3P1P1n/B7 w - - 0 1",
            anchored,
            true,
        ),
        (
            "6b1/8/1k6/3p4/3PpP1B/3pKp2/3P1P1n/B7 w - - 0 1",
            anchored,
            false,
        ),
        // Wherever the queen gives check, somebody can take her and nothing else helps.
        (
            "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
            anchored,
            true,
        ),
        (
            "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/2K5 b - - 0 1",
            anchored,
            false,
        ),
        // Check: the rook must be taken, castling or not.
        ("8/8/8/8/8/6pp/6pk/4K2R b K - 0 1", sharp, true),
        ("8/8/8/8/8/7p/6pk/4K2R b K - 0 1", sharp, false),
    ];
    for (fen, manner, expected) in rows {
        let pos = position(fen);
        let found = proof(&pos, Color::White, manner);
        assert_eq!(found.is_some(), expected, "{fen}");
        if let Some(phases) = found {
            assert!(is_accepted(&pos, Color::White, phases), "{fen}");
        }
    }
}

#[test]
fn a_right_to_castle_that_a_proof_does_not_list_is_noticed() {
    let with_right = position("8/8/8/8/8/6pp/6pk/4K2R b K - 0 1");
    let without = position("8/8/8/8/8/6pp/6pk/4K2R b - - 0 1");
    let phases = proof(&without, Color::White, MANNERS[0]).expect("the rook is taken");
    assert!(is_accepted(&without, Color::White, phases.clone()));
    assert!(!is_accepted(&with_right, Color::White, phases));
}

#[test]
fn an_anchor_on_a_man_that_may_stand_elsewhere_is_refused() {
    let pos = position("6B1/b7/2k5/p1p1p1pB/P1P1P1P1/pp6/rp6/1K2b3 b - - 0 1");
    let phases = proof(&pos, Color::White, MANNERS[2]).expect("the rook's move is mate");
    for man in 0..phases[0].men.len() {
        let mut tampered = phases.clone();
        let soft = phases[0].men[man].squares.count() != 1;
        tampered[0].men[man].anchored = true;
        if soft {
            assert!(!is_accepted(&pos, Color::White, tampered), "man {man}");
        }
    }
}
