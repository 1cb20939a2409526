//! The Laws of Chess as the hub applies them: editions are data, findings carry their article, only a person rules.

mod edition;
mod editions;
mod finding;
mod irregularities;

mod completion;
mod end_of_game;
mod mate_search;
mod prospects;
mod regulations;
mod silence;

pub mod adjourned;
pub mod arithmetic;
pub mod blind;
pub mod chessclock;
pub mod concordance;
pub mod coverage;
pub mod drawn_game;
pub mod guidelines;
pub mod odds;
pub mod penalties;
pub mod rapid_blitz;
pub mod scramble;
pub mod start;

pub mod repetition;
pub mod unwinnable;

pub use completion::{Fault, FaultKind, fault, moved_by};
pub use edition::{
    AfterPromotion, Articles, BothFlags, Cells, ClaimantPays, FlagCall, IllegalMoves, InitialArray,
    Lapse, Laws, PressAlone, Quickplay, Repetition, ReversedColours, SpeedLimits, WrongClaim,
};
pub use end_of_game::{
    EndByMove, FlagVerdict, MateTest, MateVerdict, article_of_end, end_by_move, flag_verdict,
};
pub use finding::{Code, Finding};
pub use irregularities::{LossVerdict, finding, illegal_proposal, loss_or_draw};
pub use mate_search::{by_lemma, by_search};
pub use prospects::{Prospects, verdicts};
pub use regulations::{BY_REGULATIONS, Regulations};
pub use silence::{Silence, silence};
