//! Growth: the moves that disagreeing squares suggest, and what they would cost.

use shakmaty::{Chess, Position, Role, Square};

use super::board::Picture;
use super::candidate::{Candidate, Change};
use super::hypothesis::{Id, Node, Run, Seen};
use super::observation::{Millis, Reading, Sensing};
use super::prices::{
    ANOTHER_LIFTED, BEFORE_THE_ARRIVAL, BEFORE_THE_LIFT, DEBT, DEBT_TERM, DETOURS, Kind,
    LIFT_GRACE, LIFTED_EARLY, NEVER_LEFT, NEVER_THERE, PRESSED_EARLY, Pace, held, taken_unseen,
};
use super::tree::Tree;

/// Rounds of growth for one change.
const ROUNDS: usize = 5;
/// The last positions of the best line are always asked.
const RECENT: usize = 3;
/// A captured piece is seen elsewhere at most so long before its capturer arrives, in milliseconds.
const LAID_ASIDE: Millis = 1500;
/// A piece that was seen nowhere else and is back within this was never away, in milliseconds.
const BLINK: Millis = 250;
/// A hypothesis that disagrees on more squares than this has no use for one more move.
const HOPELESS: u32 = 14;

/// Grows the tree after a change; `bridge` also tries moves whose arrival was never seen.
pub(super) fn grow(tree: &mut Tree, seen: &Seen<'_>, bridge: bool) {
    let mut todo: Vec<(f64, Id)> = tree
        .nodes()
        .map(|(id, node)| (node.cost(seen.now), id))
        .collect();
    let mut best = todo
        .iter()
        .map(|entry| entry.0)
        .fold(f64::INFINITY, f64::min);
    let recent = recent(tree, &todo, best);
    for round in 0..ROUNDS {
        worth_growing(tree, &mut todo, best, &recent);
        let mut grown = Vec::new();
        for &(_, id) in &todo {
            let again = round == 0 && !bridge;
            expand(tree, id, seen, (bridge, again), best, &mut grown);
            best = grown.iter().map(|entry| entry.0).fold(best, f64::min);
        }
        if grown.is_empty() {
            break;
        }
        todo = grown;
    }
    tree.prune(seen.now);
}

/// The last positions of the best line.
fn recent(tree: &Tree, costs: &[(f64, Id)], best: f64) -> Vec<Id> {
    let Some(&(_, id)) = costs.iter().find(|entry| entry.0 <= best) else {
        return Vec::new();
    };
    tree.ancestry(id).take(RECENT).collect()
}

/// The cheapest hypotheses that disagree with the board.
fn worth_growing(tree: &Tree, todo: &mut Vec<(f64, Id)>, best: f64, recent: &[Id]) {
    todo.retain(|&(cost, id)| {
        let wrong = tree.node(id).mask.count_ones();
        (1..=HOPELESS).contains(&wrong) && (cost < best + tree.reach.grow || recent.contains(&id))
    });
    todo.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    todo.dedup();
    if todo.len() > tree.reach.width {
        tree.set_back_the_alike(todo);
    }
    todo.truncate(tree.reach.width);
}

/// Adds the children one hypothesis suggests; `grown` takes those that are new or cheaper than before. `again`: the
/// hypothesis itself is as it was, and what happened elsewhere suggests no other moves.
fn expand(
    tree: &mut Tree,
    id: Id,
    seen: &Seen<'_>,
    (bridge, again): (bool, bool),
    best: f64,
    grown: &mut Vec<(f64, Id)>,
) {
    let hints = Hints::of(tree.node(id), seen, bridge);
    if !hints.any {
        return;
    }
    let old = again && tree.node(id).asked == Some(hints.unseen);
    tree.node_mut(id).asked = Some(hints.unseen);
    let candidates = tree.node_mut(id).take_candidates(seen.sensing);
    for candidate in &candidates {
        if old && candidate.mask & seen.changed == 0 {
            continue;
        }
        if let Some(idea) = hints.suggests(candidate, tree.node(id), seen) {
            grown.extend(try_child(tree, id, candidate, &idea, seen, best));
        }
    }
    tree.node_mut(id).give_candidates(candidates);
}

/// What the disagreeing squares of a hypothesis say as a whole.
struct Hints {
    any: bool,
    /// Moves may be tried whose arrival was not seen.
    unseen: bool,
}

/// Why a move is tried.
struct Idea {
    /// Its arrival was seen.
    arrived: bool,
    /// Added to the price.
    surcharge: f32,
}

impl Hints {
    fn of(node: &Node, seen: &Seen<'_>, bridge: bool) -> Hints {
        let turn = node.turn();
        // Two moves that nobody saw, thought of in one breath, explain anything.
        let just_bridged = node.bridged && node.grown == seen.now;
        let (mut own_gone, mut other, mut anything) = (false, false, false);
        for run in &node.runs {
            let truth = node.pred[usize::from(run.square)];
            own_gone |= truth.color() == Some(turn);
            other |=
                truth.color() == Some(turn.other()) || run.reading.color() == Some(turn.other());
            anything |= !seen.picture.at(usize::from(run.square)).is_empty();
        }
        Hints {
            any: own_gone || anything,
            unseen: (bridge || (own_gone && other)) && !just_bridged,
        }
    }

    /// Whether the readings suggest a move.
    fn suggests(&self, candidate: &Candidate, node: &Node, seen: &Seen<'_>) -> Option<Idea> {
        if candidate.mask & node.mask == 0 {
            return None;
        }
        match seen.sensing {
            Sensing::Occupancy => self.suggests_by_presence(candidate, node, seen),
            _ => self.suggests_by_piece(candidate, node, seen),
        }
    }

    fn suggests_by_piece(
        &self,
        candidate: &Candidate,
        node: &Node,
        seen: &Seen<'_>,
    ) -> Option<Idea> {
        let left = node.mask >> candidate.from & 1 == 1;
        let touched = node.mask >> candidate.to & 1 == 1;
        let reads =
            seen.picture.at(usize::from(candidate.to)) == seen.sensing.see(candidate.arrival());
        let stays_put = candidate.from == candidate.to;
        let suggested = (left && (touched || reads)) || (touched && reads) || stays_put;
        if suggested {
            return Some(Idea {
                arrived: touched && reads,
                surcharge: 0.0,
            });
        }
        (left && self.unseen).then_some(Idea {
            arrived: false,
            surcharge: 0.0,
        })
    }

    fn suggests_by_presence(
        &self,
        candidate: &Candidate,
        node: &Node,
        seen: &Seen<'_>,
    ) -> Option<Idea> {
        super::occupancy::suggests(candidate, node, seen, self.unseen)
            .map(|(arrived, surcharge)| Idea { arrived, surcharge })
    }
}

fn try_child(
    tree: &mut Tree,
    id: Id,
    candidate: &Candidate,
    idea: &Idea,
    seen: &Seen<'_>,
    best: f64,
) -> Option<(f64, Id)> {
    let parent = tree.node(id);
    if parent.at_least(candidate, seen.now) > best + tree.reach.prune {
        return None;
    }
    let mut child = with_move(parent, id, candidate, idea, seen);
    pay_for_lifts(&mut child, parent, tree);
    pay_for_detours(&mut child, parent, tree, seen.pace);
    pay_for_returns(&mut child, parent, tree, seen);
    let known = tree.child(id, candidate.mv);
    if let Some(known) = known {
        child.pay_for_presses_as(tree.node(known));
    }
    let cost = child.cost(seen.now);
    if cost > best + tree.reach.prune {
        return None;
    }
    if let Some(known) = known {
        if tree.node(known).cost(seen.now) <= cost + 1e-9 {
            return None;
        }
        let later = tree.is_before_its_children(known, child.at.saturating_sub(seen.pace.sweep));
        replace(tree.node_mut(known), child, later);
        return Some((cost, known));
    }
    Some((cost, tree.insert(child)))
}

/// The same move, explained more cheaply; when it was seen stays as it was where that would be after a reply.
fn replace(known: &mut Node, cheaper: Node, later: bool) {
    known.reprice();
    known.base = cheaper.base;
    known.runs = cheaper.runs;
    known.mask = cheaper.mask;
    if later {
        known.at = cheaper.at;
        known.bridged = cheaper.bridged;
    }
    known.pressed = known.pressed.or(cheaper.pressed);
    known.debt = cheaper.debt;
    // The press that has completed this move is owed by nobody, though the line thought of again came too late for it.
    if known
        .debt
        .is_some_and(|debt| Some(debt.at) == known.pressed)
    {
        known.forgive_debt();
    }
}

/// The hypothesis after one more move.
fn with_move(parent: &Node, id: Id, candidate: &Candidate, idea: &Idea, seen: &Seen<'_>) -> Node {
    let at = when(candidate, idea, seen);
    let mut child = parent.without_candidates();
    child.parent = Some(id);
    child.depth += 1;
    child.step = Some(*candidate);
    child.base += f64::from(candidate.price + idea.surcharge);
    child.at = at;
    child.lift = lifted(candidate, parent, seen).min(at);
    child.grown = seen.now;
    child.taken = taken(parent, candidate);
    child.pressed = None;
    child.bridged = !idea.arrived;
    child.position.play_unchecked(candidate.mv);
    if idea.arrived {
        lay_aside(&mut child, parent, seen);
    }
    pay_for_order(&mut child, candidate, seen, at);
    pay_for_another(&mut child, parent, candidate, seen);
    if !idea.arrived {
        pay_for_old_absence(&mut child, parent, candidate, seen);
    }
    for &change in candidate.changes() {
        apply(&mut child, parent, change, seen, at);
    }
    if idea.arrived {
        pass_over(&mut child, candidate, seen);
        pay_for_hovering(&mut child, parent, candidate, seen);
    }
    collect_debt(&mut child, parent, seen.now);
    child
}

/// The captured piece may have been seen beside its square before the capturer was seen on it.
fn lay_aside(child: &mut Node, parent: &Node, seen: &Seen<'_>) {
    let taken = seen.sensing.see(child.taken);
    let to = child.step.map(|step| step.to);
    let came_from = parent
        .step
        .filter(|step| Some(step.to) == to)
        .map(|step| step.from);
    let recent = |since: Millis| since + LAID_ASIDE >= child.at;
    if child.taken.is_empty() {
        return;
    }
    for run in &mut child.runs {
        let elsewhere = Some(run.square) != came_from;
        if run.kind == Kind::Extra && run.reading == taken && elsewhere && recent(run.since) {
            run.kind = Kind::Lying;
        }
    }
}

/// A square still reads the piece that has just gone on from it: the message that it left is late, or lost. Off its way it
/// was held there.
fn pass_over(child: &mut Node, candidate: &Candidate, seen: &Seen<'_>) {
    let way = way_of(candidate);
    let piece = seen.sensing.see(candidate.arrival());
    let mut held_there = 0.0;
    for run in &mut child.runs {
        if run.kind != Kind::Extra || run.reading != piece {
            continue;
        }
        if way >> run.square & 1 == 0 {
            let in_hand = (child.lift..=child.at).contains(&run.since);
            if seen.sensing != Sensing::Identity || !in_hand {
                continue;
            }
            held_there += run.went_on(seen.now, seen.pace)
                + held(seen.now.saturating_sub(run.since), seen.pace);
            run.leaves(seen.now);
        }
        run.kind = Kind::Stale;
    }
    child.base += f64::from(held_there);
}

/// A piece that is dragged passes over the squares on its way, no others: where else it was seen, it was held.
fn pay_for_hovering(child: &mut Node, parent: &Node, candidate: &Candidate, seen: &Seen<'_>) {
    if seen.sensing != Sensing::Identity || candidate.mv.is_castle() {
        return;
    }
    let way = way_of(candidate);
    let lift = child.lift;
    let (from, piece) = (lift.saturating_sub(seen.pace.sweep), candidate.arrival());
    let elsewhere = seen
        .picture
        .visited(piece, from, lift)
        .filter(|&(square, _)| way >> square & 1 == 0 && parent.pred[square].is_empty());
    let price: f32 = elsewhere.map(|(_, lasted)| held(lasted, seen.pace)).sum();
    child.base += f64::from(price);
}

/// The squares a piece may pass over, its origin and its destination among them; a knight goes by any of those between.
fn way_of(candidate: &Candidate) -> u64 {
    let (from, to) = (
        Square::new(u32::from(candidate.from)),
        Square::new(u32::from(candidate.to)),
    );
    let ends = candidate.mask | 1 << candidate.to;
    if candidate.mv.role() != Role::Knight {
        return ends | shakmaty::attacks::between(from, to).0;
    }
    let near = |square: &Square| square.distance(from) <= 1 && square.distance(to) <= 1;
    let between = Square::ALL.into_iter().filter(near);
    between.fold(ends, |way, square| way | 1 << square.to_usize())
}

/// When the move was seen: its arrival, or else the lift. What stood there long before the lift did not arrive then.
fn when(candidate: &Candidate, idea: &Idea, seen: &Seen<'_>) -> Millis {
    let (from, to) = (usize::from(candidate.from), usize::from(candidate.to));
    let arrival = seen.picture.since(to);
    let lift = seen.picture.emptied(from);
    let lifted = seen.picture.at(from).is_empty();
    if idea.arrived && !(lifted && arrival + seen.pace.sweep < lift) {
        arrival
    } else if lifted {
        lift
    } else {
        seen.now
    }
}

fn taken(parent: &Node, candidate: &Candidate) -> Reading {
    match candidate.mv {
        shakmaty::Move::Castle { .. } => Reading::EMPTY,
        shakmaty::Move::EnPassant { .. } => Reading::of(parent.turn().other().pawn()),
        _ => parent.pred[usize::from(candidate.to)],
    }
}

/// Pieces are lifted in the order of the moves, give or take a sweep; a player has one hand for them.
fn pay_for_lifts(child: &mut Node, parent: &Node, tree: &Tree) {
    let Some(own) = parent.parent.map(|own| tree.node(own)) else {
        return;
    };
    let early = |after: Millis| after.saturating_sub(child.lift + LIFT_GRACE) as f32 / 1000.0;
    let opponent = (3.0 * early(parent.lift)).min(LIFTED_EARLY);
    let one_hand = if own.parent.is_some() {
        (8.0 * early(own.lift)).min(LIFTED_EARLY)
    } else {
        0.0
    };
    child.base += f64::from(opponent.max(one_hand));
}

/// Both players went on with the piece they had just moved, after no longer than a pause: rather both paused on the way,
/// and the line is two plies too long.
fn pay_for_detours(child: &mut Node, parent: &Node, tree: &Tree, pace: &Pace) {
    let up = |node: &Node| node.parent.map(|id| tree.node(id));
    let Some(theirs) = up(parent) else { return };
    let Some(ours) = up(theirs) else { return };
    let Some(before) = up(ours) else { return };
    let paused = went_on(theirs, child, pace) && went_on(ours, parent, pace);
    if paused && may_go_at_once(&before.position, [(ours, parent), (theirs, child)]) {
        child.base += f64::from(DETOURS / pace.slower());
    }
}

/// A piece goes back with the player's next move: it was seen to leave, and to stand elsewhere, or what moved was none.
fn pay_for_returns(child: &mut Node, parent: &Node, tree: &Tree, seen: &Seen<'_>) {
    let own = parent.parent.map(|own| tree.node(own));
    let (Some(own), Some(back)) = (own, child.step) else {
        return;
    };
    let returns = own
        .step
        .is_some_and(|out| (out.from, out.to) == (back.to, back.from));
    let never_left = || seen.picture.since(usize::from(back.to)) < own.lift;
    let blinked = || own.bridged && child.at < own.lift + BLINK;
    if returns && seen.sensing != Sensing::Occupancy && (blinked() || never_left()) {
        child.base += f64::from(NEVER_LEFT);
    }
}

/// A piece stood only for a moment where the first of two plies brought it.
fn went_on(first: &Node, second: &Node, pace: &Pace) -> bool {
    let Some((arrived, left)) = first.step.zip(second.step) else {
        return false;
    };
    let plain = !arrived.mv.is_capture() && !arrived.mv.is_castle() && !left.mv.is_castle();
    plain
        && arrived.to == left.from
        && arrived.from != left.to
        && second.lift < first.at + pace.pause
}

/// The pieces could have gone straight to where they went on to.
fn may_go_at_once(before: &Chess, ways: [(&Node, &Node); 2]) -> bool {
    let mut position = before.clone();
    ways.into_iter().all(|(first, second)| {
        let Some((arrived, left)) = first.step.zip(second.step) else {
            return false;
        };
        let straight = position.legal_moves().into_iter().find(|mv| {
            mv.from() == arrived.mv.from() && mv.to() == left.mv.to() && !mv.is_castle()
        });
        straight.is_some_and(|mv| {
            position.play_unchecked(mv);
            true
        })
    })
}

/// The piece still stands where the move begins, and another one like it is in the mover's hand.
fn pay_for_another(child: &mut Node, parent: &Node, candidate: &Candidate, seen: &Seen<'_>) {
    let from = usize::from(candidate.from);
    if seen.sensing != Sensing::Identity || parent.mask >> from & 1 == 1 {
        return;
    }
    let like = parent.pred[from];
    let in_hand =
        |run: &Run| run.kind == Kind::Missing && parent.pred[usize::from(run.square)] == like;
    if !candidate.mv.is_castle() && parent.runs.iter().any(in_hand) {
        child.base += f64::from(ANOTHER_LIFTED);
    }
}

/// When the piece of a move was lifted.
fn lifted(candidate: &Candidate, parent: &Node, seen: &Seen<'_>) -> Millis {
    match parent.run(usize::from(candidate.from)) {
        Some(run) if run.kind == Kind::Missing => run.since,
        _ => seen.now,
    }
}

/// What stood there before this move arrived is hardly a reply to it.
fn pay_for_order(child: &mut Node, candidate: &Candidate, seen: &Seen<'_>, arrival: Millis) {
    let changed = candidate.mask;
    let lift = child.lift;
    let price = |since: Millis| {
        let most = if since + seen.pace.sweep < lift {
            BEFORE_THE_LIFT
        } else {
            BEFORE_THE_ARRIVAL
        };
        (0.25 + 4.0 * seen.pace.sweeps(arrival - since)).min(most)
    };
    let older: Vec<(usize, f32)> = child
        .runs
        .iter()
        .filter(|run| changed >> run.square & 1 == 0 && run.since < arrival)
        .filter(|run| matches!(run.kind, Kind::Extra | Kind::Differ | Kind::Pawn))
        .map(|run| {
            (
                usize::from(run.square),
                price(run.since).min(run.left_to_sink()),
            )
        })
        .collect();
    for (square, late) in older {
        child.sink(square, late);
    }
}

/// A piece away since before the ply before this one has not been lifted for a move that nobody saw arrive.
fn pay_for_old_absence(child: &mut Node, parent: &Node, candidate: &Candidate, seen: &Seen<'_>) {
    let from = usize::from(candidate.from);
    if let Some(run) = parent
        .run(from)
        .filter(|run| run.since + seen.pace.sweep < parent.at)
    {
        child.base += f64::from(run.price(seen.now));
    }
}

/// One square of the move: a natural stage of it costs nothing more, anything else stays paid.
fn apply(child: &mut Node, parent: &Node, (square, reading): Change, seen: &Seen<'_>, at: Millis) {
    let square = usize::from(square);
    let agrees = seen.picture.at(square) == seen.sensing.see(reading);
    if let Some(run) = child.drop_run(square) {
        child.base += f64::from(stays_paid(&run, reading, agrees, seen.now));
    }
    child.pred[square] = reading;
    if let Some(kind) = child.disagreement(square, seen.picture.at(square), seen.sensing) {
        let kind = match kind {
            Kind::Extra if stale(parent, square, seen.picture, seen.sensing) => Kind::Stale,
            Kind::Missing if rook_of(child, square) => Kind::Late,
            Kind::Missing => Kind::Unseen,
            Kind::Differ if unread(parent, square) => Kind::Unseen,
            kind => kind,
        };
        child.open(square, kind, seen.picture, at);
    }
}

/// The square still reads the piece that was taken on it.
fn unread(parent: &Node, square: usize) -> bool {
    parent.mask >> square & 1 == 0 && !parent.pred[square].is_empty()
}

/// The square waits for the rook of a castling move.
fn rook_of(child: &Node, square: usize) -> bool {
    let castles = child.step.is_some_and(|step| step.mv.is_castle());
    castles
        && child.pred[square]
            .piece()
            .is_some_and(|piece| piece.role == Role::Rook)
}

/// What a disagreement leaves to pay when a move changes its square to `reading`.
fn stays_paid(run: &Run, reading: Reading, agrees: bool, now: Millis) -> f32 {
    match run.kind {
        Kind::Unseen if reading.is_empty() => run.price(now) + NEVER_THERE,
        Kind::Unseen => run
            .price(now)
            .min(taken_unseen(now.saturating_sub(run.since))),
        Kind::Missing | Kind::Pawn => 0.0,
        Kind::Stale => run.price(now),
        _ if agrees => 0.0,
        _ => run.price(now),
    }
}

/// The square still reads the piece that has just left it.
fn stale(parent: &Node, square: usize, picture: &Picture, sensing: Sensing) -> bool {
    parent.mask >> square & 1 == 0 && picture.at(square) == sensing.see(parent.pred[square])
}

fn collect_debt(child: &mut Node, parent: &Node, now: Millis) {
    let Some(debt) = parent.debt else { return };
    if debt.by == parent.turn() && now.saturating_sub(debt.at) < DEBT_TERM {
        child.base -= f64::from(DEBT) - f64::from(PRESSED_EARLY);
        child.pressed = Some(debt.at);
        child.debt = None;
    }
}
