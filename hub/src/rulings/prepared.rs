//! A ruling that is ready to be given, and the answer when it cannot be.

use protocol::{BySide, Ply, Preview};

use crate::game::GameEvent;
use crate::laws::Code;

/// Everything a ruling would do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prepared {
    /// What is known and what the Laws say.
    pub lines: Vec<String>,
    /// The article.
    pub article: String,
    /// What will follow.
    pub then: Vec<String>,
    /// It ends the game.
    pub ends_game: bool,
    /// Times to set by hand, milliseconds.
    pub set_clock: Option<BySide<u64>>,
    /// What happens to the game.
    pub events: Vec<GameEvent>,
    /// What would undo it.
    pub undo: Vec<GameEvent>,
    /// What was ruled, in one line for the journal.
    pub words: String,
    /// Alerts of these codes are closed as ruled.
    pub closes: Vec<Code>,
    /// Of those only the one of this code about this half-move: another incident of the table waits for its own ruling.
    pub closes_only: Option<(Code, Ply)>,
    /// The board has to start again from the record.
    pub adopt: bool,
}

impl Prepared {
    /// What the arbiter is shown before he decides.
    pub fn preview(&self) -> Preview {
        Preview {
            lines: self.lines.clone(),
            article: self.article.clone(),
            then: self.then.clone(),
            ends_game: self.ends_game,
            set_clock: self.set_clock,
        }
    }

    /// Whether it changes the moves.
    pub fn concerns_record(&self) -> bool {
        let moves = |e: &GameEvent| matches!(e, GameEvent::LineRevised { .. });
        self.events.iter().any(moves)
    }
}

/// Why an order is not carried out; nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A stable code.
    pub code: &'static str,
    /// Why.
    pub why: String,
    /// What changed since the arbiter looked.
    pub difference: Vec<String>,
}

impl Refusal {
    fn new(code: &'static str, why: impl Into<String>) -> Refusal {
        Refusal {
            code,
            why: why.into(),
            difference: Vec::new(),
        }
    }

    /// The table has changed since the arbiter looked.
    pub fn stale(difference: Vec<String>) -> Refusal {
        Refusal {
            difference,
            ..Refusal::new(
                "H30",
                "the table has changed since you looked: somebody ruled first, or play went on",
            )
        }
    }

    /// The role may not order this, and who may.
    pub fn role(role: protocol::Role, why: &str) -> Refusal {
        let who = role.with_article();
        Refusal::new("H31", format!("{who} may not order this: {why}"))
    }

    /// There is no such table.
    pub fn no_table(table: protocol::TableId) -> Refusal {
        Refusal::new("H32", format!("there is no table {table}"))
    }

    /// There is no such alert, or it is closed.
    pub fn no_alert(id: &str) -> Refusal {
        let id: String = id.chars().take(80).collect();
        Refusal::new("H33", format!("there is no open alert {id:?}"))
    }

    /// A CALL cannot be put aside.
    pub fn call() -> Refusal {
        Refusal::new("H34", "a CALL cannot be put aside")
    }

    /// Moves that cannot follow.
    pub fn moves(why: impl Into<String>) -> Refusal {
        Refusal::new("H35", why)
    }

    /// Nothing is there that could be confirmed, countered, restored.
    pub fn nothing(why: impl Into<String>) -> Refusal {
        Refusal::new("H36", why)
    }

    /// Not in this state of the game.
    pub fn state(why: impl Into<String>) -> Refusal {
        Refusal::new("H37", why)
    }

    /// A value out of range.
    pub fn value(why: impl Into<String>) -> Refusal {
        Refusal::new("H39", why)
    }
}
