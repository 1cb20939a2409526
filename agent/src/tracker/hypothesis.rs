//! One hypothesis: a legal continuation, the board it predicts, and what it has paid for every disagreement.

use std::cell::Cell;

use shakmaty::{CastlingMode, Chess, Color, Move, Position, Square};
use smallvec::SmallVec;

use super::board::{Picture, readings_of};
use super::candidate::Candidate;
use super::observation::{Millis, Reading, Readings, Sensing};
use super::prices::{
    DEBT, Kind, OUT_OF_ORDER, PRESSED_ELSEWHERE, Pace, Passing, REPEATED, REPEATED_AFTER_ARRIVAL,
    UNPRESSED, taken_unseen,
};

/// A place in the tree.
pub(super) type Id = usize;

/// An odd number without a pattern: multiplied by it, like boards give hashes far apart.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// One square that disagrees with a hypothesis, from the moment it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) square: u8,
    pub(super) kind: Kind,
    pub(super) reading: Reading,
    pub(super) since: Millis,
    /// What flickering had been seen on the square before.
    flaps: f32,
    /// Added to the price: carried over from an earlier stage, or already paid elsewhere.
    carry: f32,
}

impl Run {
    #[inline]
    pub(super) fn price(&self, now: Millis) -> f32 {
        (self.kind.price(now.saturating_sub(self.since), self.flaps) + self.carry).max(0.0)
    }

    /// What the piece of the mover pays for having stood here.
    pub(super) fn went_on(&self, now: Millis, pace: &Pace) -> f32 {
        let passing = Passing {
            lasted: now.saturating_sub(self.since),
            paid: self.price(now),
            in_hand: true,
        };
        passing.went_on(pace)
    }

    /// What plies may still pay for having arrived after it: a square that is stuck, or whose message was lost, does not cost
    /// every later ply anew.
    pub(super) fn left_to_sink(&self) -> f32 {
        (OUT_OF_ORDER + self.carry).clamp(0.0, OUT_OF_ORDER)
    }

    /// Everything up to now is paid.
    pub(super) fn leaves(&mut self, now: Millis) {
        self.since = now;
        self.carry = 0.0;
    }
}

/// A press that a line cannot explain yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Debt {
    pub(super) by: Color,
    pub(super) at: Millis,
}

/// A hypothesis.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Option<Id>,
    pub(super) depth: u32,
    /// The move that leads here.
    pub(super) step: Option<Candidate>,
    pub(super) position: Chess,
    /// The pieces this position has, as they are.
    pub(super) pred: Readings,
    /// What is paid for good.
    pub(super) base: f64,
    pub(super) runs: SmallVec<[Run; 6]>,
    /// The squares of `runs`.
    pub(super) mask: u64,
    /// When the move was seen.
    pub(super) at: Millis,
    /// When the piece was lifted, as far as that was seen.
    pub(super) lift: Millis,
    /// When it was first thought of.
    pub(super) grown: Millis,
    /// The piece this move took.
    pub(super) taken: Reading,
    /// When the press of this ply was seen.
    pub(super) pressed: Option<Millis>,
    pub(super) debt: Option<Debt>,
    /// Plies of this line that were never pressed, as far as they are paid.
    passed_over: u32,
    /// Grown without the arrival having been seen.
    pub(super) bridged: bool,
    candidates: Option<Box<[Candidate]>>,
    /// Its moves have been tried, and whether those that nobody saw arrive were among them.
    pub(super) asked: Option<bool>,
    /// Places in the tree that continue this line, or did so once.
    pub(super) children: SmallVec<[Id; 4]>,
    /// The price last worked out, and for when.
    priced: Cell<Option<(Millis, f64)>>,
}

impl Node {
    pub(super) fn root(position: Chess, picture: &Picture, sensing: Sensing, at: Millis) -> Node {
        let pred = readings_of(position.board());
        let mut node = Node {
            parent: None,
            depth: 0,
            step: None,
            position,
            pred,
            base: 0.0,
            runs: SmallVec::new(),
            mask: 0,
            at,
            lift: at,
            grown: at,
            taken: Reading::EMPTY,
            pressed: None,
            debt: None,
            passed_over: 0,
            bridged: false,
            candidates: None,
            asked: None,
            children: SmallVec::new(),
            priced: Cell::new(None),
        };
        for square in 0..64 {
            node.compare(square, picture, sensing, at);
        }
        node
    }

    /// The whole price at a moment.
    #[inline]
    pub(super) fn cost(&self, now: Millis) -> f64 {
        if let Some((_, cost)) = self.priced.get().filter(|priced| priced.0 == now) {
            return cost;
        }
        let cost = self.add_up(now);
        self.priced.set(Some((now, cost)));
        cost
    }

    /// Something was paid, opened or closed: the price must be added up again.
    #[inline]
    pub(super) fn reprice(&mut self) {
        self.priced.set(None);
    }

    fn add_up(&self, now: Millis) -> f64 {
        self.base
            + self
                .runs
                .iter()
                .map(|run| f64::from(run.price(now)))
                .sum::<f64>()
    }

    /// What this line costs at least with one more move: what is wrong elsewhere stays wrong; only a piece too many may turn
    /// out to be on its way.
    pub(super) fn at_least(&self, candidate: &Candidate, now: Millis) -> f64 {
        let elsewhere = self
            .runs
            .iter()
            .filter(|run| run.kind != Kind::Extra && candidate.mask >> run.square & 1 == 0);
        let wrong: f32 = elsewhere.map(|run| run.price(now)).sum();
        let refund = if self.debt.is_some() { DEBT } else { 0.0 };
        self.base + f64::from(candidate.price + wrong - refund)
    }

    /// Who moves next.
    #[inline]
    pub(super) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The move that leads here, as written.
    pub(super) fn uci(&self, mode: CastlingMode) -> Option<shakmaty::uci::UciMove> {
        self.step.map(|step| step.mv.to_uci(mode))
    }

    /// The legal moves, worked out once.
    pub(super) fn take_candidates(&mut self, sensing: Sensing) -> Box<[Candidate]> {
        if let Some(known) = self.candidates.take() {
            return known;
        }
        let turn = self.turn();
        let legal = self.position.legal_moves();
        legal
            .iter()
            .map(|&mv| Candidate::new(mv, &self.pred, turn, sensing))
            .collect()
    }

    /// A copy that has its legal moves still to find.
    pub(super) fn without_candidates(&self) -> Node {
        Node {
            candidates: None,
            asked: None,
            children: SmallVec::new(),
            priced: Cell::new(None),
            position: self.position.clone(),
            runs: self.runs.clone(),
            ..*self
        }
    }

    /// What it keeps on the heap, in bytes.
    pub(super) fn heap(&self) -> usize {
        let candidates = self.candidates.as_ref().map_or(0, |all| all.len());
        let runs = self.runs.spilled().then(|| self.runs.capacity());
        let children = self.children.spilled().then(|| self.children.capacity());
        runs.unwrap_or(0) * size_of::<Run>()
            + candidates * size_of::<Candidate>()
            + children.unwrap_or(0) * size_of::<Id>()
    }

    pub(super) fn give_candidates(&mut self, candidates: Box<[Candidate]>) {
        self.candidates = Some(candidates);
    }

    /// What it has in common with lines that differ only in where a piece is that nobody saw arrive.
    pub(super) fn likeness(&self) -> Option<u64> {
        let unseen = self.runs.iter().filter(|run| run.kind == Kind::Unseen);
        let unseen = unseen.fold(0_u64, |mask, run| mask | 1 << run.square);
        if unseen == 0 {
            return None;
        }
        let pieces = self.pred.iter().enumerate();
        let pieces = pieces.filter(|(square, _)| unseen >> square & 1 == 0);
        let mix = |hash: u64, more: u64| (hash.rotate_left(5) ^ more).wrapping_mul(MIX);
        let depth = u64::from(self.depth);
        Some(pieces.fold(depth, |hash, (_, piece)| mix(hash, piece.code())))
    }

    pub(super) fn run(&self, square: usize) -> Option<&Run> {
        if self.mask >> square & 1 == 0 {
            return None;
        }
        self.runs
            .iter()
            .find(|run| usize::from(run.square) == square)
    }

    /// How the square disagrees, if it does.
    #[inline]
    pub(super) fn disagreement(
        &self,
        square: usize,
        seen: Reading,
        sensing: Sensing,
    ) -> Option<Kind> {
        let truth = self.pred[square];
        if sensing.see(truth) == seen {
            return None;
        }
        Some(if seen.is_empty() {
            Kind::Missing
        } else if truth.is_empty() {
            self.leftover(square, seen, sensing)
        } else if self.pawn_waits(square, seen) {
            Kind::Pawn
        } else {
            Kind::Differ
        })
    }

    fn leftover(&self, square: usize, seen: Reading, sensing: Sensing) -> Kind {
        let Some(step) = &self.step else {
            return Kind::Extra;
        };
        let late = match step.mv {
            Move::EnPassant { from, to } => {
                let victim = Square::from_coords(to.file(), from.rank());
                victim.to_usize() == square && sensing.see(Reading::of(self.turn().pawn())) == seen
            }
            Move::Castle { rook, .. } => {
                rook.to_usize() == square
                    && sensing.see(Reading::of(self.turn().other().rook())) == seen
            }
            _ => false,
        };
        if late { Kind::Late } else { Kind::Extra }
    }

    fn pawn_waits(&self, square: usize, seen: Reading) -> bool {
        let Some(pawn) = seen.piece() else {
            return false;
        };
        let last = square / 8 == 0 || square / 8 == 7;
        last && pawn.role == shakmaty::Role::Pawn && self.pred[square].color() == Some(pawn.color)
    }

    /// Opens a disagreement on a square where there is none on record.
    pub(super) fn compare(
        &mut self,
        square: usize,
        picture: &Picture,
        sensing: Sensing,
        now: Millis,
    ) {
        if let Some(kind) = self.disagreement(square, picture.at(square), sensing) {
            self.open(square, kind, picture, now);
        }
    }

    pub(super) fn open(&mut self, square: usize, kind: Kind, picture: &Picture, since: Millis) {
        self.mask |= 1 << square;
        self.runs.push(Run {
            square: square as u8,
            kind,
            reading: picture.at(square),
            since,
            flaps: picture.flaps(square, since),
            carry: 0.0,
        });
    }

    fn close(&mut self, square: usize) -> Option<Run> {
        let index = self
            .runs
            .iter()
            .position(|run| usize::from(run.square) == square)?;
        self.mask &= !(1 << square);
        Some(self.runs.swap_remove(index))
    }

    /// The picture changed on one square. `captured`: what this line took in its last plies.
    pub(super) fn see(&mut self, square: usize, ctx: &Seen<'_>, captured: &[Taken]) {
        let now = ctx.now;
        self.reprice();
        let kind = self.disagreement(square, ctx.picture.at(square), ctx.sensing);
        let before = if self.mask >> square & 1 == 1 {
            self.close(square)
        } else {
            None
        };
        match (kind, before) {
            (None, Some(run)) => self.base += f64::from(self.kept(&run, ctx)),
            (None, None) => {}
            (Some(Kind::Extra), None) if was_captured(square, ctx, captured) => {
                self.open(square, Kind::Lying, ctx.picture, now);
            }
            (Some(kind), None) => self.open(square, kind, ctx.picture, now),
            (Some(kind), Some(run)) => self.change_stage(square, kind, run, ctx),
        }
    }

    /// The square reported the same reading twice: in between it read something else that was never told. What was
    /// expected to have left has left, and something is there again.
    pub(super) fn repeat(&mut self, square: usize, now: Millis) {
        self.reprice();
        let explained = self.runs.iter_mut().find(|run| {
            usize::from(run.square) == square
                && matches!(run.kind, Kind::Missing | Kind::Unseen | Kind::Stale)
        });
        match explained {
            Some(run) => {
                let again = match run.kind {
                    Kind::Stale => Kind::Extra,
                    _ => Kind::Missing,
                };
                *run = Run {
                    kind: again,
                    since: now,
                    carry: 0.0,
                    ..*run
                };
                self.base += f64::from(REPEATED_AFTER_ARRIVAL);
            }
            None => self.base += f64::from(REPEATED),
        }
    }

    /// One more ply of a line that was missed; only the board at its end counts.
    pub(super) fn caught_up(&self, id: Id, mv: Move, base: f64, seen: &Seen<'_>) -> Node {
        let mut node = self.without_candidates();
        let step = Candidate::new(mv, &self.pred, self.turn(), seen.sensing);
        node.parent = Some(id);
        node.depth += 1;
        node.taken = mv.capture().map_or(Reading::EMPTY, |role| {
            Reading::of(role.of(self.turn().other()))
        });
        node.step = Some(step);
        node.position.play_unchecked(mv);
        node.pred = readings_of(node.position.board());
        node.base = base;
        node.at = seen.now;
        node.lift = seen.now;
        node.grown = seen.now;
        node.pressed = None;
        node.bridged = false;
        node.runs.clear();
        node.mask = 0;
        (0..64).for_each(|square| node.compare(square, seen.picture, seen.sensing, seen.now));
        node
    }

    /// Another reading, still not the expected one. Only an absence is a natural stage of what comes after it.
    fn change_stage(&mut self, square: usize, kind: Kind, run: Run, ctx: &Seen<'_>) {
        let paid = run.price(ctx.now);
        self.open(square, kind, ctx.picture, ctx.now);
        let (sunk, carry) = match run.kind {
            Kind::Missing => (0.0, paid - Kind::Missing.price(0, run.flaps)),
            Kind::Unseen => {
                let sunk = paid.min(taken_unseen(ctx.now.saturating_sub(run.since)));
                (sunk, paid - sunk - Kind::Missing.price(0, run.flaps))
            }
            _ => (paid, -0.5 * kind.price(0, 0.0)),
        };
        self.base += f64::from(sunk);
        self.runs.last_mut().expect("just opened").carry = carry;
    }

    /// What stays paid when a disagreement ends without a move.
    fn kept(&self, run: &Run, ctx: &Seen<'_>) -> f32 {
        let passing = Passing {
            lasted: ctx.now.saturating_sub(run.since),
            paid: run.price(ctx.now),
            in_hand: self.in_hand(run, ctx.sensing),
        };
        match run.kind {
            Kind::Missing => passing.came_back(),
            Kind::Unseen if ctx.polled => passing.told_at_last(),
            Kind::Unseen => passing.arrived_late(),
            Kind::Extra => {
                let known = ctx.known.max(run.since);
                let passing = Passing {
                    lasted: known - run.since,
                    paid: run.price(known),
                    ..passing
                };
                passing.went_on(ctx.pace)
            }
            Kind::Lying => passing.was_lying(ctx.pace),
            Kind::Differ => passing.read_right_again(),
            Kind::Pawn => 0.0,
            Kind::Stale if ctx.polled => passing.told_at_last(),
            Kind::Stale => passing.left_late(),
            Kind::Late => passing.paid.min(0.3),
        }
    }

    /// The piece seen there is missing from its square: it is in a hand. Where all pieces look alike, in the mover's.
    fn in_hand(&self, seen: &Run, sensing: Sensing) -> bool {
        let turn = self.turn();
        self.runs.iter().any(|run| {
            let truth = self.pred[usize::from(run.square)];
            let may = sensing == Sensing::Identity || truth.color() == Some(turn);
            may && matches!(run.kind, Kind::Missing | Kind::Unseen)
                && sensing.see(truth) == seen.reading
        })
    }

    /// The press of `by` fits no unpressed ply of this line.
    pub(super) fn owe(&mut self, by: Color, at: Millis) {
        self.reprice();
        self.debt = Some(Debt { by, at });
        self.base += f64::from(DEBT);
    }

    /// The last ply is pressed: what is completed stands on the board, and its piece stands elsewhere.
    pub(super) fn pay_for_press_elsewhere(&mut self) {
        let Some(step) = self.step else { return };
        let arrived = usize::from(step.to);
        let gone = self
            .run(arrived)
            .is_some_and(|run| run.kind == Kind::Missing);
        let piece = self.pred[arrived];
        let elsewhere = |run: &Run| run.kind == Kind::Extra && run.reading == piece;
        if gone && self.runs.iter().any(elsewhere) {
            self.reprice();
            self.base += f64::from(PRESSED_ELSEWHERE);
        }
    }

    /// So many plies of this line were never pressed, though later ones were.
    pub(super) fn pass_over(&mut self, plies: u32) {
        if plies != self.passed_over {
            self.reprice();
            self.base += f64::from(UNPRESSED) * (f64::from(plies) - f64::from(self.passed_over));
            self.passed_over = plies;
        }
    }

    /// The same line thought of again has passed over as many, and owes what it owed.
    pub(super) fn pay_for_presses_as(&mut self, known: &Node) {
        self.pass_over(known.passed_over);
        let open = known.debt.filter(|debt| self.pressed != Some(debt.at));
        if let (Some(debt), None) = (open, self.debt) {
            self.owe(debt.by, debt.at);
        }
    }

    /// The press was none.
    pub(super) fn forgive_debt(&mut self) {
        self.reprice();
        if self.debt.take().is_some() {
            self.base -= f64::from(DEBT);
        }
    }

    /// Pays `late` for good and takes it off the running price of a run.
    pub(super) fn sink(&mut self, square: usize, late: f32) {
        self.base += f64::from(late);
        if let Some(run) = self
            .runs
            .iter_mut()
            .find(|run| usize::from(run.square) == square)
        {
            run.carry -= late;
        }
    }

    pub(super) fn drop_run(&mut self, square: usize) -> Option<Run> {
        self.close(square)
    }
}

/// A piece of this kind was taken by one of the last plies, so short a time ago that it may still be about.
fn was_captured(square: usize, ctx: &Seen<'_>, captured: &[Taken]) -> bool {
    let seen = ctx.picture.at(square);
    captured.iter().any(|taken| {
        let near = ctx.sensing != Sensing::Occupancy
            || Square::new(square as u32).distance(Square::new(u32::from(taken.on))) <= 2;
        !taken.piece.is_empty()
            && taken.from != Some(square as u8)
            && ctx.sensing.see(taken.piece) == seen
            && near
            && ctx.now.saturating_sub(taken.at) < 2500
    })
}

/// A piece that a ply took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) piece: Reading,
    pub(super) on: u8,
    /// Where it came from by the ply before: on that square it would rather never have left.
    pub(super) from: Option<u8>,
    pub(super) at: Millis,
}

/// What every hypothesis is shown.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) picture: &'a Picture,
    pub(super) sensing: Sensing,
    pub(super) pace: &'a Pace,
    pub(super) now: Millis,
    /// A dump told it, which also tells what had been lost before.
    pub(super) polled: bool,
    /// Until when it is known what the board showed before: after a silence, not until now.
    pub(super) known: Millis,
    /// The squares that changed since the last look.
    pub(super) changed: u64,
}
