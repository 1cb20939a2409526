//! x
mod budget;
mod verdict;
mod checker;
mod geometry;
mod dive;
mod phase;
mod material; mod keys; mod table; mod estimate; mod walk; mod goal;
pub use budget::Budget;
pub use verdict::{verdict, Verdict, Certificate, Reason};
pub use phase::{Phase,Man,Kind,Kings};
pub use material::{lemma, Lemma};
pub fn dbg_phase(p: &shakmaty::Chess, w: shakmaty::Color, limit: usize, sharp: bool, b: &mut Budget) -> bool { let mut c = phase::Closed::new(w); phase::Attempt::Proven == if sharp { c.prove_sharply(p, limit, b) } else { c.prove(p, limit, b) } }
