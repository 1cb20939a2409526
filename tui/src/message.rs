//! Everything that can happen to the dashboard, and everything it can ask of the world.

use protocol::{
    AgentPresence, Alert, Answer, DeskRound, DeskTable, HubPresence, JournalLine, Order, TableId,
    Timestamp,
};

use crate::key::Key;

/// Something happened.
#[derive(Debug, Clone)]
pub enum Message {
    /// Time has passed.
    Tick(Timestamp),
    /// A key was pressed.
    Key(Key),
    /// The mouse was clicked at a column and row.
    Click(u16, u16),
    /// The wheel was turned, lines down.
    Wheel(isize),
    /// The terminal has another size: columns and rows.
    Resize(u16, u16),
    /// Seconds east of Greenwich, from now on.
    Zone(i32),
    /// The line to the hub.
    Link(Link),
    /// The hub said something.
    Heard(Heard),
}

/// How the line to the hub is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// Being opened.
    Connecting,
    /// Open and subscribed.
    Up,
    /// Lost or refused, and why.
    Down(String),
}

/// What the hub said.
#[derive(Debug, Clone)]
pub enum Heard {
    /// A beat; `live` is false for one that the broker had kept.
    Presence {
        /// The beat.
        presence: HubPresence,
        /// Whether it was said just now.
        live: bool,
    },
    /// A table as it is now.
    Table(Box<DeskTable>),
    /// A table is gone.
    NoTable(TableId),
    /// An alert as it is now.
    Alert(Box<Alert>),
    /// An alert is gone, by id.
    NoAlert(String),
    /// An agent, there or gone.
    Agent(Box<AgentPresence>),
    /// The round.
    Round(Box<DeskRound>),
    /// An earlier round.
    PastRound(Box<DeskRound>),
    /// One event of the journal.
    Journal(Box<JournalLine>),
    /// An answer to one of our orders.
    Answer(Box<Answer>),
    /// The broker lets us order nothing.
    NotAllowed,
    /// A message that could not be read: its topic and why.
    Unreadable(String, String),
}

/// Something is asked of the world.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Send an order.
    Send(Box<Order>),
    /// Write a text into a file of this name in the current folder, to be printed.
    Write(String, String),
    /// Sound the terminal's bell; only where the settings ask for it.
    Bell,
    /// End the program.
    Quit,
}
