//! One game: what happened is decided from facts and orders as events, and events alone change it.

mod draws;
mod event;
mod position;
mod scoresheet;

mod chessclock;
mod state;

mod decide;
mod law_watch;
mod notices;
mod record_facts;

mod evolve;
mod log;

pub use chessclock::{Chessclock, FlagSeen, TimeDue};
pub use decide::{Seen, decide};
pub use draws::DrawWatch;
pub use event::{GameEvent, Irregularity, Over, Source};
pub use evolve::{Evolved, evolve};
pub(crate) use log::clock_words;
pub use log::log_line;
pub use position::{GamePosition, NotPlayable};
pub use scoresheet::{Entry, MAX_PLIES, Scoresheet};
pub use state::{Differs, Game, GameSetup, Gap, LoggedLine, RulingMemo, Stray};
