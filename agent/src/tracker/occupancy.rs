//! Boards that only know whether a square is occupied: which moves presence and absence suggest.

use super::hypothesis::{Candidate, Node, Seen};
use super::observation::Millis;

/// A capture whose square was seen empty a moment before.
const TOUCHED: f32 = -0.7;
/// A capture whose square never changed.
const UNTOUCHED: f32 = 1.5;
/// A move whose arrival was not seen.
const UNSEEN: f32 = 1.0;
/// How long before the capturer was lifted the victim may have been.
const VICTIM_FIRST: Millis = 1500;

/// Whether the readings suggest a move: its arrival was seen or not, and what to add to its price.
pub(super) fn suggests(candidate: &Candidate, node: &Node, seen: &Seen<'_>, unseen: bool) -> Option<(bool, f32)> {
    let (from, to) = (usize::from(candidate.from), usize::from(candidate.to));
    let left = node.run(from);
    let touched = node.mask >> to & 1 == 1;
    let there = !seen.picture.at(to).is_empty();
    let takes = !node.pred[to].is_empty() && !candidate.mv.is_castle();
    match left {
        Some(_) if touched => (!takes || !there).then_some((there, 0.0)),
        Some(run) if takes && there => {
            let lifted = run.since;
            let gap = seen.picture.since(to) + VICTIM_FIRST >= lifted && seen.picture.since(to) > 0;
            Some((gap, if gap { TOUCHED } else { UNTOUCHED }))
        }
        None if touched && there && !takes => Some((true, 0.0)),
        Some(_) if unseen => Some((false, UNSEEN)),
        _ => None,
    }
}
