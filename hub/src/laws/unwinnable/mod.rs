//! x
mod verdict;
mod dead;
mod outlook;
mod position;
mod budget;
mod material;
mod dive;
mod goal;
mod walk;
mod estimate;
mod keys;
mod table;
mod phase;
mod geometry;
mod checker;
pub mod words;
pub mod picture;

pub use budget::Budget;
pub use checker::{Rewalk, rewalk};
pub use dead::{Dead, dead};
pub use material::{Lemma, lemma};
pub use outlook::{Chances, Outlook};
pub use phase::{Kind, Kings, Man, Phase};
pub use position::{Unusable, position_from_fen};
pub use verdict::{Certificate, Reason, Verdict, verdict};
