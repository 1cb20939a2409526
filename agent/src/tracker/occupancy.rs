//! Boards that only know whether a square is occupied: which moves presence and absence suggest.

use shakmaty::Role;

use super::candidate::Candidate;
use super::hypothesis::{Node, Seen};
use super::observation::Millis;

/// A capture whose square was seen empty a moment before.
const TOUCHED: f32 = -0.7;
/// A capture whose square never changed.
const UNTOUCHED: f32 = 1.5;
/// Taking back where the opponent has just taken.
const TAKING_BACK: f32 = 0.8;
/// A move whose arrival was not seen.
const UNSEEN: f32 = 1.0;
/// How long before the capturer was lifted the victim may have been.
const VICTIM_FIRST: Millis = 1500;

/// What speaks for a capture before any evidence: the value of the victim, and taking back at once.
fn likely(candidate: &Candidate, node: &Node) -> f32 {
    let victim = node.pred[usize::from(candidate.to)]
        .piece()
        .map_or(Role::Pawn, |piece| piece.role);
    let value = match victim {
        Role::Pawn | Role::King => 0.0,
        Role::Knight | Role::Bishop => 0.3,
        Role::Rook => 0.5,
        Role::Queen => 0.8,
    };
    let recapture = node.step.is_some_and(|step| step.to == candidate.to) && !node.taken.is_empty();
    value + if recapture { TAKING_BACK } else { 0.0 }
}

/// Whether the readings suggest a move: its arrival was seen or not, and what to add to its price.
pub(super) fn suggests(
    candidate: &Candidate,
    node: &Node,
    seen: &Seen<'_>,
    unseen: bool,
) -> Option<(bool, f32)> {
    let (from, to) = (usize::from(candidate.from), usize::from(candidate.to));
    if from == to {
        return castles_around_the_king(candidate, seen).then_some((true, 0.0));
    }
    let left = node.run(from);
    let touched = node.mask >> to & 1 == 1;
    let there = !seen.picture.at(to).is_empty();
    let takes = !node.pred[to].is_empty() && !candidate.mv.is_castle();
    match left {
        Some(_) if touched => (!takes || !there).then_some((there, 0.0)),
        Some(run) if takes && there => {
            let lifted = run.since;
            let likely = likely(candidate, node);
            let gap = seen.picture.since(to) + VICTIM_FIRST >= lifted && seen.picture.since(to) > 0;
            Some((gap, if gap { TOUCHED } else { UNTOUCHED } - likely))
        }
        None if touched && there && !takes => Some((true, 0.0)),
        Some(_) if unseen => Some((false, UNSEEN)),
        _ => None,
    }
}

/// Chess960: the king stays where he is, and the rook has gone to his other side.
fn castles_around_the_king(candidate: &Candidate, seen: &Seen<'_>) -> bool {
    let changes = candidate.changes().iter();
    let mut presence = changes.map(|&(square, reading)| (usize::from(square), reading.is_empty()));
    presence.all(|(square, empty)| seen.picture.at(square).is_empty() == empty)
}
