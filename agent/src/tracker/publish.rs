//! The policy of showing: when a hypothesis is clear enough to be called a move, and when a move is settled.

use shakmaty::{Chess, File, Move, Position, Rank, Role, Square};

use super::core::Core;
use super::hypothesis::{Id, Node, Run};
use super::observation::{Millis, Reading, Sensing};
use super::prices::Kind;

/// Another line this close keeps a move from being shown.
const RIVAL: f64 = 0.5;
/// But not for longer than this, in milliseconds: then it is shown as uncertain.
const RIVAL_FOR: Millis = 2000;
/// A rook that may be castling is held back for this long.
const CASTLING_HOLD: Millis = 1000;
/// A line that contains a move nobody saw arrive is held back for this long: what was seen may be a captured piece on its way.
const UNSEEN_HOLD: Millis = 600;
/// When something held back is looked at again.
pub(super) const HOLDS: [Millis; 2] = [UNSEEN_HOLD, CASTLING_HOLD];
/// A dragged piece reaches the next square at once, and every further one after this, in milliseconds; it may be late by
/// so much for each of them.
const DRAG_START: f32 = 25.0;
const DRAG_PER_SQUARE: f32 = 85.0;
const DRAG_LATE: f32 = 45.0;
/// One in a hundred lifts and arrivals are told further apart than they were by more than this part of a sweep.
const SWEEP_LATE: f32 = 0.85;
/// How much better another line must be to replace what was shown.
pub(super) const REPLACE: f64 = 0.6;
/// So much more where the first ply that changes was completed by its press.
pub(super) const PRESSED: f64 = 4.5;
/// The same where it only withdraws.
pub(super) const WITHDRAW: f64 = 1.5;
/// A captured piece that lies where it was put for so long was put there, in milliseconds.
const LAID_DOWN: Millis = 600;
/// A square that still reads its piece after this long has lost its message, in milliseconds.
const STALE_FOR: Millis = 1500;

/// How much of the best line may be shown, in plies.
pub(super) fn showable(core: &Core, best: Id, common: usize, hold: Millis) -> usize {
    let whole = core.past.len() + core.tree.path(best).len();
    if whole <= common {
        return whole;
    }
    if dirty(core, best) {
        return common;
    }
    let node = core.node(best);
    let must = node.pressed.is_some() && core.sensing == Sensing::Occupancy;
    let rivals = !must && core.now.saturating_sub(node.at) < RIVAL_FOR && has_rival(core, best);
    if !rivals && finished(core, best, hold) {
        return whole;
    }
    if rivals || taken_unseen(core, best) {
        common
    } else {
        common.max(whole - 1)
    }
}

/// Whether another line would show other moves at nearly the same price.
fn has_rival(core: &Core, best: Id) -> bool {
    let limit = core.cost(best) + RIVAL;
    let here = core.node(best);
    core.tree.nodes().any(|(id, node)| {
        node.depth >= here.depth
            && node.cost(core.now) < limit
            && (node.depth > here.depth || node.pred != here.pred)
            && !core.tree.ancestry(id).any(|step| step == best)
    })
}

/// Whether the last ply of the best line needs no more waiting.
fn finished(core: &Core, best: Id, hold: Millis) -> bool {
    let node = core.node(best);
    if node.pressed.is_some() {
        return true;
    }
    if node
        .runs
        .iter()
        .any(|run| waits_for_more(run, node, core.now))
    {
        return false;
    }
    let age = core.now.saturating_sub(node.at);
    let unquiet = node.runs.iter().any(|run| run.kind != Kind::Late);
    let held = age < hold && (unquiet || (extendable(core, best) && !carried(core, node)));
    let may_castle = age < CASTLING_HOLD && may_castle(core, best);
    let fresh = core.now.saturating_sub(node.grown) < UNSEEN_HOLD;
    let unseen = (fresh || !node.runs.is_empty()) && taken_unseen(core, best);
    !(held || may_castle || unseen)
}

/// The piece was in the air for longer than one that is dragged takes to reach this square, whatever the sweep and the
/// hand add; they hardly do their worst together.
fn carried(core: &Core, node: &Node) -> bool {
    let Some(step) = node.step else { return false };
    let squares = Square::new(u32::from(step.from)).distance(Square::new(u32::from(step.to)));
    let further = squares.saturating_sub(1) as f32;
    let late = (SWEEP_LATE * core.pace.sweep as f32).hypot(DRAG_LATE * further);
    let dragged = DRAG_START + DRAG_PER_SQUARE * further + late;
    node.at.saturating_sub(node.lift) as f32 > dragged
}

/// The last ply but one was never seen to arrive.
fn taken_unseen(core: &Core, best: Id) -> bool {
    core.node(best).bridged
        || core
            .node(best)
            .parent
            .is_some_and(|parent| core.node(parent).bridged)
}

/// Whether a disagreement says that the move is not complete.
fn waits_for_more(run: &Run, node: &Node, now: Millis) -> bool {
    match run.kind {
        Kind::Pawn => true,
        Kind::Stale => now.saturating_sub(run.since) < STALE_FOR,
        Kind::Late => node.step.is_some_and(|step| step.mv.is_castle()),
        Kind::Missing | Kind::Unseen => node
            .step
            .is_some_and(|step| step.mask >> run.square & 1 == 1),
        _ => false,
    }
}

/// Pieces on the board that the line does not explain, other than captured ones lying about.
pub(super) fn dirty(core: &Core, best: Id) -> bool {
    let runs = &core.node(best).runs;
    runs.iter()
        .any(|run| matches!(run.kind, Kind::Extra | Kind::Differ))
        || undone(core, best)
        || not_captured(core, best)
}

/// What passes for a captured piece that lies about is missing from its own square: it was moved.
fn not_captured(core: &Core, best: Id) -> bool {
    let node = core.node(best);
    let lies = |run: &&Run| run.kind == Kind::Lying && core.now >= run.since + LAID_DOWN;
    let missing = |piece: Reading| {
        node.runs.iter().any(|run| {
            matches!(run.kind, Kind::Missing | Kind::Unseen)
                && core.sensing.see(node.pred[usize::from(run.square)]) == piece
        })
    };
    core.sensing != Sensing::Occupancy
        && node
            .runs
            .iter()
            .filter(lies)
            .any(|run| missing(run.reading))
}

/// A piece of the line stands where it always stood, and not where it was seen for a moment: nothing was moved.
fn undone(core: &Core, best: Id) -> bool {
    let node = core.node(best);
    let is = |square: u8, kind: Kind| {
        node.run(usize::from(square))
            .is_some_and(|run| run.kind == kind)
    };
    let stale = node.runs.iter().any(|run| run.kind == Kind::Stale);
    let steps = core.tree.ancestry(best).filter_map(|id| core.node(id).step);
    stale
        && steps
            .into_iter()
            .any(|step| is(step.from, Kind::Stale) && is(step.to, Kind::Missing))
}

/// Could the piece that has just arrived still be travelling on?
pub(super) fn extendable(core: &Core, id: Id) -> bool {
    let node = core.node(id);
    let (Some(parent), Some(step)) = (node.parent, node.step) else {
        return false;
    };
    let before = &core.node(parent).position;
    let Some(from) = step.mv.from() else {
        return false;
    };
    match step.mv {
        Move::Castle { .. } => false,
        _ if step.mv.role() == Role::Knight => false,
        mv => goes_on(before, mv, from),
    }
}

fn goes_on(before: &Chess, mv: Move, from: Square) -> bool {
    let here = direction(from, mv.to());
    before.legal_moves().iter().any(|other| {
        other.from() == Some(from)
            && !other.is_castle()
            && direction(from, other.to()) == here
            && from.distance(other.to()) > from.distance(mv.to())
    }) || king_walks_to_castle(before, mv, from)
}

/// A king's step towards a castling square.
fn king_walks_to_castle(before: &Chess, mv: Move, from: Square) -> bool {
    mv.role() == Role::King
        && before.legal_moves().iter().any(|other| match other {
            Move::Castle { rook, .. } => direction(from, *rook) == direction(from, mv.to()),
            _ => false,
        })
}

/// The rook has gone where castling would bring it, and castling is possible: the king may follow.
fn may_castle(core: &Core, id: Id) -> bool {
    let node = core.node(id);
    let (Some(parent), Some(step)) = (node.parent, node.step) else {
        return false;
    };
    let before = &core.node(parent).position;
    let (mv, from) = (step.mv, Square::new(u32::from(step.from)));
    let lands = |side: shakmaty::CastlingSide| side.rook_to(before.turn()) == mv.to();
    mv.role() == Role::Rook
        && before.legal_moves().iter().any(|other| match other {
            Move::Castle { rook, .. } => *rook == from && other.castling_side().is_some_and(lands),
            _ => false,
        })
}

fn direction(from: Square, to: Square) -> (i32, i32) {
    let (file, rank) = (
        gap(from.file(), to.file()),
        rank_gap(from.rank(), to.rank()),
    );
    let longest = file.abs().max(rank.abs()).max(1);
    if file % longest == 0 && rank % longest == 0 {
        (file / longest, rank / longest)
    } else {
        (file * 8, rank * 8)
    }
}

fn gap(from: File, to: File) -> i32 {
    to as i32 - from as i32
}

fn rank_gap(from: Rank, to: Rank) -> i32 {
    to as i32 - from as i32
}
