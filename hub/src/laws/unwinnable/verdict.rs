//! The question and its answer: can this side still mate by any series of legal moves?
//!
//! **No answer without its proof.** Cheap methods come first, dear ones get larger and larger shares of the budget in turn, and what is
//! left when the budget ends is [`Verdict::Undecided`].

use std::ops::Range;

use shakmaty::{Chess, Color, Move, Position};

use super::{
    budget::Budget,
    checker,
    dive::dive,
    estimate::Guide,
    gallery,
    goal::Goal,
    material::{Lemma, lemma},
    phase::{Attempt, Closed, Manner, Order, Phase},
    walk::{Walk, Walked},
};

/// The answer, with its proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// A line of legal moves that ends in mate; empty when the mate stands on the board.
    Winnable {
        /// The moves, both sides.
        line: Vec<Move>,
    },
    /// No series of legal moves ends in mate by the side asked about.
    Unwinnable {
        /// Why not.
        certificate: Certificate,
    },
    /// Neither was shown in the work allowed.
    Undecided {
        /// Nodes spent.
        work: u64,
        /// Why the work ended.
        reason: Reason,
    },
}

/// What shows that a position is unwinnable.
#[derive(Clone, Debug, PartialEq)]
pub enum Certificate {
    /// The game is over: the side asked about has been mated.
    Mated,
    /// The game is over by stalemate.
    Stalemate,
    /// A lemma about the material on the board.
    Material(Lemma),
    /// Phases that contain everything that can arise, none of which can hold a mate.
    Closed {
        /// The phases; the position lies in one of them.
        phases: Vec<Phase>,
    },
    /// Every position that can arise was visited, but for those inside the phases and those to which a lemma applies.
    Exhausted {
        /// How many were visited.
        positions: u64,
        /// Phases at which the search turned back; often none.
        phases: Vec<Phase>,
    },
}

/// Why a question stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The nodes ran out.
    Nodes,
    /// The caller stopped the work.
    Stopped,
    /// The memory allowed was full.
    Memory,
    /// Both kings cannot be found, or the side not to move is in check: no game can come here.
    IllegalPosition,
    /// The checker did not accept the proof; this is an error of the program and should be reported.
    Rejected,
}

impl Reason {
    /// In words, for a report.
    pub fn words(self) -> &'static str {
        match self {
            Self::Nodes => "the work allowed was used up",
            Self::Stopped => "the time allowed was used up",
            Self::Memory => "the memory allowed was used up",
            Self::IllegalPosition => "not a legal position",
            Self::Rejected => "the proof did not pass its check",
        }
    }
}

/// Whether `winner` can still mate from `pos` (FIDE 6.9, 7.5.5, 5.1.2), move counters ignored. The proof has passed the checker.
pub fn verdict(pos: &Chess, winner: Color, budget: &mut Budget<'_>) -> Verdict {
    let found = search(pos, winner, budget);
    let sound = match &found {
        Verdict::Winnable { line } => Some(checker::accepts_line(pos, winner, line)),
        Verdict::Unwinnable { certificate } => checker::accepts(pos, winner, certificate, budget),
        Verdict::Undecided { .. } => Some(true),
    };
    match sound {
        Some(true) => found,
        Some(false) => undecided(budget, Reason::Rejected),
        None if budget.was_stopped() => undecided(budget, Reason::Stopped),
        None => undecided(budget, Reason::Nodes),
    }
}

fn undecided(budget: &Budget<'_>, reason: Reason) -> Verdict {
    Verdict::Undecided {
        work: budget.spent(),
        reason,
    }
}

fn unwinnable(certificate: Certificate) -> Verdict {
    Verdict::Unwinnable { certificate }
}

fn search(pos: &Chess, winner: Color, budget: &mut Budget<'_>) -> Verdict {
    if let Some(over) = over(pos, winner) {
        return over;
    }
    if let Some(lemma) = lemma(pos.board(), winner) {
        return unwinnable(Certificate::Material(lemma));
    }
    if let Some(line) = dive(pos, winner, 0..2, budget) {
        return Verdict::Winnable { line };
    }
    Portfolio::new(pos, winner).run(budget)
}

fn over(pos: &Chess, winner: Color) -> Option<Verdict> {
    if !pos.legal_moves().is_empty() {
        return None;
    }
    Some(match pos.is_check() {
        true if pos.turn() == winner => unwinnable(Certificate::Mated),
        true => Verdict::Winnable { line: Vec::new() },
        false => unwinnable(Certificate::Stalemate),
    })
}

/// One method, and how much of it to do now.
#[derive(Clone, Copy)]
enum Share {
    Dives(usize, usize),
    Pictures(usize, usize, u64),
    Walk(u64),
    Phases(Order, usize),
    Sharp(Manner, usize),
}

/// What is tried in turn: up to the long walks this takes some milliseconds, all of it about a second. Measured, not argued: each method
/// alone on positions of games and of studies, then the order and the shares that leave the least undecided and the shortest slow end.
const PLAN: [Share; 23] = [
    Share::Phases(Order::Latest, 8),
    Share::Dives(2, 6),
    Share::Pictures(0, 6, 400),
    Share::Walk(250),
    Share::Dives(6, 20),
    Share::Walk(500),
    Share::Sharp(anchored(2), 50),
    Share::Sharp(LATEST, 60),
    Share::Phases(Order::Latest, 400),
    Share::Sharp(EARLIEST, 700),
    Share::Walk(3_000),
    Share::Pictures(6, 18, 400),
    Share::Pictures(0, 18, 1_600),
    Share::Walk(12_000),
    Share::Phases(Order::Latest, 1_000),
    Share::Sharp(anchored(4), 1_500),
    Share::Walk(12_000),
    Share::Pictures(0, 18, 4_500),
    Share::Phases(Order::Earliest, 15_000),
    Share::Sharp(EARLIEST, 4_000),
    Share::Walk(20_000),
    Share::Sharp(EARLIEST, 12_000),
    Share::Walk(u64::MAX),
];

/// A possible mate is met soon.
const LATEST: Manner = Manner {
    anchors: None,
    order: Order::Latest,
};
/// As few phases as can be.
const EARLIEST: Manner = Manner {
    anchors: None,
    order: Order::Earliest,
};

/// Men with at most so many moves keep their squares.
const fn anchored(moves: usize) -> Manner {
    Manner {
        anchors: Some(moves),
        order: Order::Latest,
    }
}

struct Portfolio<'p> {
    pos: &'p Chess,
    winner: Color,
    walk: Option<Walk>,
    full: bool,
    /// Listed when they are first asked for.
    pictures: Option<Vec<Goal>>,
    phases_hopeless: bool,
    /// Kinds of sharp proofs that met a phase which may hold a mate.
    hopeless: Vec<Option<usize>>,
}

impl<'p> Portfolio<'p> {
    fn new(pos: &'p Chess, winner: Color) -> Self {
        Self {
            pos,
            winner,
            walk: None,
            full: false,
            pictures: None,
            phases_hopeless: false,
            hopeless: Vec::new(),
        }
    }

    fn run(mut self, budget: &mut Budget<'_>) -> Verdict {
        for share in PLAN {
            let found = match share {
                Share::Dives(from, to) => dive(self.pos, self.winner, from..to, budget)
                    .map(|line| Verdict::Winnable { line }),
                Share::Pictures(from, to, nodes) => self.hunt(from..to, nodes, budget),
                Share::Walk(nodes) => self.walk(nodes, budget),
                Share::Phases(order, limit) => self.phases(order, limit, budget),
                Share::Sharp(manner, limit) => self.sharp(manner, limit, budget),
            };
            if let Some(verdict) = found {
                return verdict;
            }
            if budget.left() == 0 {
                break;
            }
        }
        let reason = match (budget.was_stopped(), budget.left()) {
            (true, _) => Reason::Stopped,
            (false, 0) => Reason::Nodes,
            _ => Reason::Memory,
        };
        undecided(budget, reason)
    }

    /// Hunts for mates with minor pieces: each of these pictures, the nearest first, for so many nodes.
    fn hunt(&mut self, nth: Range<usize>, nodes: u64, budget: &mut Budget<'_>) -> Option<Verdict> {
        if !minor_pieces_only(self.pos, self.winner) {
            return None;
        }
        let pictures = self.pictures.get_or_insert_with(|| {
            budget.spend(LISTING);
            gallery::pictures(self.pos.board(), self.winner, PICTURES)
        });
        let chosen = pictures.iter().take(nth.end).skip(nth.start);
        for picture in chosen {
            let mut walk = Walk::new(self.pos, self.winner, Guide::Picture(picture.clone()));
            if let Walked::Mate(line) = walk.run(nodes, budget) {
                return Some(Verdict::Winnable { line });
            }
        }
        None
    }

    fn walk(&mut self, nodes: u64, budget: &mut Budget<'_>) -> Option<Verdict> {
        if self.full {
            return None;
        }
        let mut walk = self
            .walk
            .take()
            .unwrap_or_else(|| Walk::new(self.pos, self.winner, Guide::General));
        match walk.run(nodes, budget) {
            Walked::Mate(line) => Some(Verdict::Winnable { line }),
            Walked::Exhausted(positions) => {
                let phases = walk.into_closed().into_phases();
                Some(unwinnable(Certificate::Exhausted { positions, phases }))
            }
            Walked::Full => {
                self.full = true;
                None
            }
            Walked::Unfinished => {
                self.walk = Some(walk);
                None
            }
        }
    }

    fn phases(&mut self, order: Order, limit: usize, budget: &mut Budget<'_>) -> Option<Verdict> {
        if self.phases_hopeless {
            return None;
        }
        let mut closed = Closed::new(self.winner);
        let end = closed.prove(self.pos, order, limit, budget);
        self.phases_hopeless = end == Attempt::MayMate;
        (end == Attempt::Proven).then(|| {
            unwinnable(Certificate::Closed {
                phases: closed.into_phases(),
            })
        })
    }

    fn sharp(&mut self, manner: Manner, limit: usize, budget: &mut Budget<'_>) -> Option<Verdict> {
        if self.hopeless.contains(&manner.anchors) {
            return None;
        }
        let mut closed = Closed::new(self.winner);
        let end = closed.prove_sharply(self.pos, manner, limit, budget);
        if end == Attempt::MayMate {
            self.hopeless.push(manner.anchors);
        }
        (end == Attempt::Proven).then(|| {
            unwinnable(Certificate::Closed {
                phases: closed.into_phases(),
            })
        })
    }
}

/// Pictures kept.
const PICTURES: usize = 18;
/// What it costs to list them, in nodes.
const LISTING: u64 = 100;

/// The winner has a minor piece and neither a queen nor a rook.
fn minor_pieces_only(pos: &Chess, winner: Color) -> bool {
    let board = pos.board();
    let ours = board.by_color(winner);
    (ours & (board.knights() | board.bishops())).any()
        && (ours & board.rooks_and_queens()).is_empty()
}
