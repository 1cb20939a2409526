//! How sure a ply is: how much worse the best explanation without it would be.

use shakmaty::{CastlingMode, uci::UciMove};

use super::hypothesis::Id;
use super::observation::Millis;
use super::tree::Tree;

/// Prices are no independent odds: of a margin so much counts. With it a ply called uncertain is wrong once in twenty times, and
/// one called certain hardly ever.
const SHARE: f64 = 0.6;
/// Below this margin a ply counts as uncertain (odds of 7 to 1).
pub(super) const SURE: f64 = 3.3;
/// Lines listed for an uncertain ply.
pub(super) const MOST_CHOICES: usize = 8;

/// A margin as a probability.
pub(super) fn certainty(margin: f64) -> f32 {
    (1.0 / (1.0 + (-SHARE * margin).exp())) as f32
}

/// For every ply of the best line after the root: the price of the best line without that move there.
pub(super) fn margins(tree: &Tree, best: Id, now: Millis) -> Vec<f64> {
    let path = tree.path(best);
    let floor = tree.node(tree.root).depth;
    let cost = tree.node(best).cost(now);
    let mut margins = vec![f64::INFINITY; path.len()];
    for (rival, node) in tree.nodes() {
        let worse = node.cost(now) - cost;
        let mut without = |ply: usize| margins[ply] = margins[ply].min(worse);
        let length = (node.depth - floor) as usize;
        (length..path.len()).for_each(&mut without);
        for step in tree.ancestry(rival) {
            let depth = (tree.node(step).depth - floor) as usize;
            if depth == 0 || path.get(depth - 1) == Some(&step) {
                break;
            }
            if depth <= path.len() && moved(tree, step) != moved(tree, path[depth - 1]) {
                without(depth - 1);
            }
        }
    }
    margins
}

fn moved(tree: &Tree, id: Id) -> Option<shakmaty::Move> {
    tree.node(id).step.map(|step| step.mv)
}

/// The lines that could stand instead of the best one from a ply on (counted from the root, 0 the first), best first: those
/// that are worse by less than `within`.
pub(super) fn choices(
    tree: &Tree,
    best: Id,
    from: usize,
    mode: CastlingMode,
    (now, within): (Millis, f64),
) -> Vec<Vec<UciMove>> {
    let path = tree.path(best);
    let Some(&here) = path.get(from) else {
        return Vec::new();
    };
    let cost = tree.node(best).cost(now);
    let mut lines: Vec<(f64, Vec<UciMove>)> = Vec::new();
    for (rival, node) in tree.nodes() {
        let line = tree.path(rival);
        let worse = node.cost(now) - cost;
        if worse < within
            && line
                .get(from)
                .is_some_and(|&id| moved(tree, id) != moved(tree, here))
        {
            lines.push((
                worse,
                line[from..]
                    .iter()
                    .filter_map(|&id| tree.node(id).uci(mode))
                    .collect(),
            ));
        }
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.len().cmp(&a.1.len())));
    lines.truncate(MOST_CHOICES - 1);
    let own = path[from..]
        .iter()
        .filter_map(|&id| tree.node(id).uci(mode))
        .collect();
    std::iter::once(own)
        .chain(lines.into_iter().map(|(_, line)| line))
        .collect()
}
