//! One game: what happened is decided from facts and orders as events, and events alone change it.

mod draws;
mod event;
mod position;
mod scoresheet;

mod adjournment;
mod chessclock;
mod claims;
mod replacement;
mod ruled_times;
mod state;

mod decide;
mod law_watch;
mod notices;
mod record_facts;

mod evolve;
mod log;

pub use adjournment::{Adjournment, Awaited, late, read_envelope};
pub(crate) use chessclock::can_be_shown;
pub use chessclock::{Chessclock, FlagSeen, Pressed};
pub use claims::{Claimed, OpenClaim, draw_verdict, may_ask_now};
pub use decide::{Seen, decide, pressed_beside};
pub use draws::DrawWatch;
pub use event::{GameEvent, Irregularity, Over, Source};
pub use evolve::{Evolved, evolve};
pub use law_watch::dead_position;
pub(crate) use log::clock_words;
pub use log::log_line;
pub use position::{GamePosition, NotPlayable};
pub use replacement::{increment_ms, replacement};
pub use ruled_times::TimeDue;
pub use scoresheet::{Entry, MAX_PLIES, Scoresheet};
pub use state::{
    Differs, Game, GameSetup, Gap, LoggedLine, RulingMemo, Stray, Witness, WrongArray,
};
