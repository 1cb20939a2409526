//! The chessclock as an arbiter checks it (Article 6): what it is set to, what it should show, what its flag means.

mod span;
mod turn;

mod model;
mod step;

mod initial;
mod judge;
mod setting;

mod counter;
mod flag;
mod neighbours;
mod words;

#[cfg(test)]
mod incidents;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod set_wrong;
#[cfg(test)]
mod simulate;
#[cfg(test)]
mod unheard;

pub use counter::{Hands, counts_moves, surplus};
pub use flag::{
    FlagMeaning, TwoFlags, first_fallen, flag_meaning, required, two_flags, two_flags_words,
};
pub use initial::{Start, is_start_right, start_display};
pub use judge::Wrong;
pub use model::{ClockModel, Jump, Shown};
pub use neighbours::{Neighbour, Odd, odd_ones_out};
pub use setting::{Candidates, Setting};
pub use span::Span;
pub use words::{
    ClockWords, counter_words, hms, jump_words, odd_words, period_words, setting_words,
    start_words, sum_words,
};
