//! Decisions: one shape, one file per kind.

mod adjourn;
mod bind;
mod claim;
mod conduct;
mod dialog;
mod draw;
mod fitting;
mod form;
mod illegal_move;
mod position;
mod result;
mod round;
mod small;
mod time;

pub use bind::{Binding, open_bind};
pub use dialog::{About, Asked, Dialog, GUARD_MS, Opening, Said, result as result_words};
pub use draw::draw;
pub use fitting::{fitting, open};
pub use form::NOTE;
pub use result::{HOWS, choose as choose_result, no_such_end, state_words};
pub use round::{open_add_time, open_close_round, open_start_round};
pub use small::{about_nothing, open_counter, open_dismiss, open_snooze};
pub use time::choose_article;
