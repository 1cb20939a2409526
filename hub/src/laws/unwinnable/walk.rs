//! Visits positions once each, promising ones and one of every kind by turns, until a mate is found or none is left.
//!
//! **A position is expanded at most once and nothing is forgotten, so an empty queue is a proof.**

use shakmaty::{Chess, Color, Move, Position};

use super::{
    budget::Budget,
    estimate::{FARTHEST, Guide},
    keys::{self, Shapes},
    material::lemma,
    phase::{Attempt, Closed, Order},
    queues::{Entry, Queues},
    table::{NO_PARENT, Table},
};

/// How a walk ended.
pub(super) enum Walked {
    /// A line from the start to mate.
    Mate(Vec<Move>),
    /// Every position that can arise was visited; so many.
    Exhausted(u64),
    /// The nodes or the budget ended; the walk can go on.
    Unfinished,
    /// There is no room for more positions, or some could not be kept.
    Full,
}

/// Room for positions: 24 bytes each and 8 in the index.
const POSITIONS: usize = 1_000_000;
/// Phases tried for one position on the way.
const PHASES: usize = 32;
/// Moves that cost as much as a node to play, and to rank.
const MOVES_PER_NODE: u64 = 12;
const RANKED_PER_NODE: u64 = 6;

pub(super) struct Walk {
    winner: Color,
    guide: Guide,
    shapes: Shapes,
    facts: Vec<Facts>,
    table: Table,
    queues: Queues,
    closed: Closed,
    spent_on_failures: u64,
    whole: bool,
}

struct Facts {
    dead: bool,
    failures: u8,
    twin: Option<u32>,
    seen: [u64; 10],
}

impl Walk {
    pub(super) fn new(start: &Chess, winner: Color, guide: Guide) -> Self {
        let mut walk = Self {
            winner,
            queues: if guide.is_picture() {
                Queues::narrow(FARTHEST)
            } else {
                Queues::wide(FARTHEST)
            },
            guide,
            shapes: Shapes::new(start.castles().mode()),
            facts: Vec::new(),
            table: Table::new(),
            closed: Closed::new(winner),
            spent_on_failures: 0,
            whole: true,
        };
        match walk.shape(start) {
            Some(shape) => {
                walk.enter(start, shape, NO_PARENT);
            }
            None => walk.whole = false,
        }
        walk
    }

    /// The phases at which the walk turned back.
    pub(super) fn into_closed(self) -> Closed {
        self.closed
    }

    /// Goes on for at most `nodes` nodes; may be called again.
    pub(super) fn run(&mut self, nodes: u64, budget: &mut Budget<'_>) -> Walked {
        let before = budget.spent();
        while let Some(number) = self.queues.pop() {
            if budget.spent() - before >= nodes || !budget.spend(1) {
                self.queues.put_back(number);
                return Walked::Unfinished;
            }
            if !self.table.finish(number) {
                continue;
            }
            if let Some((parent, m)) = self.expand(number, budget) {
                return Walked::Mate(self.line(parent, m));
            }
            if self.table.len() > POSITIONS {
                return Walked::Full;
            }
        }
        if self.whole {
            Walked::Exhausted(self.table.len() as u64)
        } else {
            Walked::Full
        }
    }

    fn expand(&mut self, number: u32, budget: &mut Budget<'_>) -> Option<(u32, Move)> {
        let key = self.table.key(number);
        let Some(pos) = self.shapes.position(key) else {
            self.whole = false;
            return None;
        };
        let here = key.shape;
        if self.guide.is_picture() {
            return self.expand_best(number, here, &pos, budget);
        }
        let moves = pos.legal_moves();
        budget.spend(moves.len() as u64 / MOVES_PER_NODE);
        for &m in &moves {
            let mut next = pos.clone();
            next.play_unchecked(m);
            if next.turn() != self.winner && next.is_check() && next.is_checkmate() {
                return Some((number, m));
            }
            let Some(shape) = self.shape_after(here, &pos, &next, m) else {
                self.whole = false;
                continue;
            };
            if self.facts[shape as usize].dead
                || m.is_zeroing() && self.is_closed(&next, shape, budget)
            {
                continue;
            }
            self.enter(&next, shape, number);
        }
        None
    }

    /// Whether phases prove a position that an irreversible move has brought about. Proofs that fail are paid for by the walk: they may
    /// cost no more than half of what it costs itself.
    fn is_closed(&mut self, pos: &Chess, shape: u32, budget: &mut Budget<'_>) -> bool {
        if self.closed.contains(pos) {
            return true;
        }
        let facts = &mut self.facts[shape as usize];
        if facts.failures >= 1 || self.spent_on_failures > 200 + budget.spent() / 16 {
            return false;
        }
        let before = budget.spent();
        let proven = self.closed.prove(pos, Order::Latest, PHASES, budget) == Attempt::Proven;
        if !proven {
            facts.failures += 1;
            self.spent_on_failures += budget.spent() - before;
        }
        proven
    }

    /// Takes in only the few best followers: a hunt for one picture proves nothing when it fails, so it need not be complete.
    fn expand_best(
        &mut self,
        number: u32,
        here: u32,
        pos: &Chess,
        budget: &mut Budget<'_>,
    ) -> Option<(u32, Move)> {
        const BEST: usize = 6;
        self.whole = false;
        let mut ranked: Vec<(usize, Move, Chess)> = Vec::with_capacity(48);
        let moves = pos.legal_moves();
        budget.spend(moves.len() as u64 / RANKED_PER_NODE);
        for &m in &moves {
            let mut next = pos.clone();
            next.play_unchecked(m);
            if next.turn() != self.winner && next.is_check() && next.is_checkmate() {
                return Some((number, m));
            }
            let far = self.guide.distance(next.board(), self.winner);
            ranked.push((far, m, next));
        }
        ranked.sort_by_key(|r| r.0);
        let mut kept = 0;
        for (_, m, next) in &ranked {
            let Some(shape) = self.shape_after(here, pos, next, *m) else {
                continue;
            };
            if !self.facts[shape as usize].dead && self.enter(next, shape, number) {
                kept += 1;
            }
            if kept == BEST {
                break;
            }
        }
        None
    }

    fn shape_after(&mut self, here: u32, before: &Chess, after: &Chess, m: Move) -> Option<u32> {
        let reversible = !m.is_zeroing()
            && before.maybe_ep_square().is_none()
            && before.castles().castling_rights() == after.castles().castling_rights();
        if !reversible {
            return self.shape(after);
        }
        if let Some(twin) = self.facts[here as usize].twin {
            return Some(twin);
        }
        let twin = self.shape(after)?;
        self.facts[here as usize].twin = Some(twin);
        Some(twin)
    }

    fn shape(&mut self, pos: &Chess) -> Option<u32> {
        let (number, new) = self.shapes.number(pos)?;
        if new {
            let dead = lemma(pos.board(), self.winner).is_some();
            self.facts.push(Facts {
                dead,
                failures: 0,
                twin: None,
                seen: [0; 10],
            });
        }
        Some(number)
    }

    fn enter(&mut self, pos: &Chess, shape: u32, parent: u32) -> bool {
        let key = keys::key(shape, pos.board());
        let Some(number) = self.table.insert(key, parent) else {
            return false;
        };
        self.queues.push(&Entry {
            number,
            near: self.guide.distance(pos.board(), self.winner),
            depth: self.table.depth(number) as usize,
            shape: shape as usize,
            shows_something_new: self.facts[shape as usize].shows_something_new(pos),
        });
        true
    }

    fn line(&self, mut number: u32, last: Move) -> Vec<Move> {
        let mut numbers = vec![number];
        while self.table.parent(number) != NO_PARENT {
            number = self.table.parent(number);
            numbers.push(number);
        }
        numbers.reverse();
        let positions: Vec<Chess> = numbers
            .iter()
            .filter_map(|&n| self.shapes.position(self.table.key(n)))
            .collect();
        let mut line: Vec<Move> = positions
            .windows(2)
            .filter_map(|pair| step_between(&pair[0], &pair[1]))
            .collect();
        line.push(last);
        line
    }
}

fn step_between(before: &Chess, after: &Chess) -> Option<Move> {
    let moves = before.legal_moves();
    moves.iter().copied().find(|&m| {
        let mut next = before.clone();
        next.play_unchecked(m);
        next == *after
    })
}

impl Facts {
    fn shows_something_new(&mut self, pos: &Chess) -> bool {
        use shakmaty::Role::{Bishop, King, Knight, Queen, Rook};
        let board = pos.board();
        let mut new = false;
        let mut at = 0;
        for side in [board.white(), board.black()] {
            for role in [King, Queen, Rook, Bishop, Knight] {
                let squares = (board.by_role(role) & side).0;
                new |= squares & !self.seen[at] != 0;
                self.seen[at] |= squares;
                at += 1;
            }
        }
        new
    }
}
