//! x
mod budget;
mod geometry;
pub mod dive;
pub mod phase;
mod material; mod keys; mod table; mod estimate; mod walk; mod goal;
pub use budget::Budget;
pub use material::{lemma, Lemma};
use shakmaty::*;
pub enum Out { Win(Vec<Move>), No(&'static str, u64), Und }
pub fn quick(p: &Chess, w: Color, b: &mut Budget, phases: usize) -> (Out, &'static str) {
    if p.is_checkmate() { return if p.turn() != w { (Out::Win(vec![]), "mate") } else { (Out::No("mate",0), "mate") } }
    if p.legal_moves().is_empty() { return (Out::No("stalemate",0), "stalemate") }
    if lemma(p.board(), w).is_some() { return (Out::No("lemma",0), "lemma") }
    if let Some(l) = dive::dive(p, w, 4, b) { return (Out::Win(l), "dive") }
    if let Some(c) = phase::prove(p, w, phases, b) { return (Out::No("phases", c.len() as u64), "phases") }
    let ours = p.board().by_color(w);
    if (ours & (p.board().rooks_and_queens())).is_empty() && (ours & (p.board().knights() | p.board().bishops())).any() {
        for g in goal::Goal::nearest(p.board(), w, 6) {
            let mut walk = walk::Walk::new(p, w, estimate::Guide::Picture(g));
            let mut st = || false;
            let mut sub = Budget::new(400, &mut st);
            match walk.run(&mut sub) { walk::Walked::Mate(l) => return (Out::Win(l), "goal"), walk::Walked::Exhausted(n) => return (Out::No("exhausted", n), "walk"), walk::Walked::Unfinished => () }
            if !b.spend(sub.spent()) { break }
        }
    }
    let mut walk = walk::Walk::new(p, w, estimate::Guide::General);
    match walk.run(b) { walk::Walked::Mate(l) => (Out::Win(l), "walk"), walk::Walked::Exhausted(n) => (Out::No("exhausted", n), "walk"), walk::Walked::Unfinished => (Out::Und, "walk") }
}
