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
fn part<'b>(walk: &mut walk::Walk, n: u64, b: &mut Budget) -> Option<(Out, &'static str)> {
    let mut sub_stop = || false; let left = b.left().min(n);
    let mut sub = Budget::new(left, &mut sub_stop);
    let r = walk.run(&mut sub); let spent = sub.spent(); b.spend(spent);
    match r { walk::Walked::Mate(l) => Some((Out::Win(l), "walk")), walk::Walked::Exhausted(n) => Some((Out::No("exhausted", n), "walk")), walk::Walked::Unfinished => None }
}
pub fn quick(p: &Chess, w: Color, b: &mut Budget, phases: usize) -> (Out, &'static str) {
    if p.is_checkmate() { return if p.turn() != w { (Out::Win(vec![]), "mate") } else { (Out::No("mate",0), "mate") } }
    if p.legal_moves().is_empty() { return (Out::No("stalemate",0), "stalemate") }
    if lemma(p.board(), w).is_some() { return (Out::No("lemma",0), "lemma") }
    if let Some(l) = dive::dive(p, w, 4, b) { return (Out::Win(l), "dive") }
    if phase::Closed::new(w).prove(p, 16, b) { return (Out::No("phases", 1), "phases16") }
    let ours = p.board().by_color(w);
    let goals = if (ours & (p.board().rooks_and_queens())).is_empty() && (ours & (p.board().knights() | p.board().bishops())).any() { goal::Goal::nearest(p.board(), w, 6) } else { vec![] };
    for cap in [150, 600] {
        for g in &goals {
            let mut walk = walk::Walk::new(p, w, estimate::Guide::Picture(g.clone()));
            if let Some((r, _)) = part(&mut walk, cap, b) { return (r, "goal") }
        }
        if cap == 150 {
            let mut walk = walk::Walk::new(p, w, estimate::Guide::General);
            if let Some((r, _)) = part(&mut walk, 300, b) { return (r, "walk300") }
        }
    }
    if phase::Closed::new(w).prove(p, phases, b) { return (Out::No("phases", 1), "phases") }
    let mut walk = walk::Walk::new(p, w, estimate::Guide::General);
    let r = match walk.run(b) { walk::Walked::Mate(l) => (Out::Win(l), "walk"), walk::Walked::Exhausted(n) => (Out::No("exhausted", n), "walk"), walk::Walked::Unfinished => (Out::Und, "walk") };
    if std::env::var("STATS").is_ok() { println!("STATS {:?} spent {}", walk.stats(), b.spent()); }
    r
}
pub fn dbg_goals(p: &Chess, w: Color) {
    let run = |g| { let mut walk = walk::Walk::new(p, w, g); let mut st = || false; let mut sub = Budget::new(20000, &mut st); let t0 = std::time::Instant::now();
            let r = match walk.run(&mut sub) { walk::Walked::Mate(l) => format!("mate {}", l.len()), walk::Walked::Exhausted(n) => format!("exh {n}"), walk::Walked::Unfinished => "unf".to_string() }; format!("{r} nodes {} {}ns/node", sub.spent(), t0.elapsed().as_nanos() as u64/sub.spent()) };
    println!("   general: {}", run(estimate::Guide::General));
        for g in goal::Goal::nearest(p.board(), w, 6) { println!("   {} {}: {}", g.distance(p.board()), g.text(), run(estimate::Guide::Picture(g))); }
}
pub fn dbg_phase(p: &Chess, w: Color, limit: usize, sharp: bool, b: &mut Budget) -> bool { let mut c = phase::Closed::new(w); if sharp { c.prove_sharply(p, limit, b) } else { c.prove(p, limit, b) } }
