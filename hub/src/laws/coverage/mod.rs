//! What the hub makes of every article and every situation: code and test, or a sentence why not.

mod articles;
mod codes;
mod competition;
mod row;
mod situations;

mod print;

pub use articles::ARTICLES;
pub use codes::RAISED;
pub use competition::COMPETITION;
pub use print::coverage;
pub use row::{How, Row};
pub use situations::{GUIDE, MEMO, RULE_OF_1929};
