//! A story as it was read: the round that is set up, and the steps that follow one another.

use agent::simulate::dgt::VirtualOptions;
use hub::rounds::RoundSetup;
use protocol::{Fact, Millis, OrderBody, ResultHow, Role, Side, TableId, Urgency};
use shakmaty::{Board, Piece, Square};

/// A board for each table that has one: table, serial number, and how it stands there.
pub type Boards = Vec<(TableId, String, VirtualOptions)>;

/// One story.
#[derive(Debug, Clone)]
pub struct Story {
    /// Its name; that of the file where a file tells only one.
    pub name: String,
    /// The line at which it begins.
    pub line: usize,
    /// The round.
    pub round: RoundSetup,
    /// The round is opened by pairings of the story, if at all: until then every board has a table of its own.
    pub unpaired: bool,
    /// The boards.
    pub boards: Boards,
    /// What happens.
    pub steps: Vec<Line>,
}

/// A step and where it stands.
#[derive(Debug, Clone)]
pub struct Line {
    /// Number of the line, from 1.
    pub number: usize,
    /// The step.
    pub step: Step,
}

/// What a line says.
#[derive(Debug, Clone)]
pub enum Step {
    /// Moves made and completed at a table, each after its thinking time.
    Play(TableId, Vec<(Millis, String)>),
    /// A player has so many completed illegal moves.
    Given(TableId, Side, u32),
    /// What hands do at a table.
    Acts(TableId, Vec<Act>),
    /// An arbiter looks at a table: his next order rests on what he saw.
    Looks(String, TableId),
    /// An order.
    Order(Box<Ordered>),
    /// The agent states something that virtual boards cannot bring about.
    Fact(TableId, Fact),
    /// Something breaks or is mended.
    Fault(Fault),
    /// Something is expected.
    Expect(Expectation),
    /// Pairings come, or corrected ones.
    Pairings(Box<RoundSetup>),
    /// Alerts of these codes may be raised without being expected.
    MayRaise(Vec<String>),
}

/// What a hand does.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Makes a move, legal or not: squares or notation.
    Hand(String),
    /// Presses the clock.
    Press(Side),
    /// Takes a piece off.
    Lift(Square),
    /// Puts a piece down.
    Put(Piece, Square),
    /// Rearranges the whole board.
    Arrange(Board),
    /// Puts White's and Black's king on these squares: the players' sign for a result.
    Kings(Square, Square),
    /// Sets the pieces back to the position of the game.
    Restore,
    /// Sets the clock to these times, which stops it.
    Set(Millis, Millis),
    /// Programmes the clock; setting it uses the new programme.
    Programme(Programme),
    /// Starts the clock with a player's time running.
    Start(Side),
    /// The clock goes fast by so many thousandths, slow where negative.
    Drift(i16),
    /// Stops the clock.
    Stop,
    /// A player's time is up.
    FlagFalls(Side),
    /// The clock is plugged in or not.
    Plugged(bool),
    /// The clock asks for a battery, or does not.
    Battery(bool),
    /// Nothing, for so long.
    Wait(Millis),
}

/// What a chessclock is programmed to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programme {
    /// Added with a press.
    pub increment: Millis,
    /// Given back with a press as far as used.
    pub delay: Millis,
    /// What later periods bring.
    pub periods: Vec<Millis>,
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordered {
    /// Initials.
    pub by: String,
    /// His role.
    pub role: Role,
    /// The table, where one is concerned.
    pub table: TableId,
    /// Only what would follow.
    pub preview: bool,
    /// The order rests on what he saw when he looked last.
    pub seen: bool,
    /// The note.
    pub note: String,
    /// What is ordered.
    pub what: What,
}

/// What is ordered.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// As it goes over the wire.
    Body(OrderBody),
    /// On an illegal move; the offender, if not named, is whom the open alert names.
    IllegalMove(Option<Side>, protocol::Judgement, bool),
    /// About the alert of a code: `take`, `give-back`, `dismiss`.
    Alert(AlertOrder, String),
    /// The last ruling is undone.
    CounterLast,
}

/// What can be ordered about an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlertOrder {
    /// I am on my way.
    Take,
    /// I am not.
    GiveBack,
    /// Put aside for so long.
    Snooze(Millis),
    /// No alert.
    Dismiss,
}

/// What breaks or is mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The cable of a board.
    Cable(TableId, bool),
    /// The power of a board.
    Power(TableId, bool),
    /// The next facts of a board never arrive.
    Lose(TableId, u32),
    /// The agent is killed or started.
    Agent(bool),
    /// The network between agent and hub.
    Link(bool),
    /// The hub is killed or started.
    Hub(bool),
    /// A board that no table names is plugged in.
    Stranger(u32),
    /// The agent's disk has room, or none, as it says with this board.
    Disk(TableId, bool),
    /// Another agent reads this board too, or no more.
    Reader(TableId, bool),
}

/// What is expected, and for how long it may take to come or has to last.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// What.
    pub what: Expected,
    /// How long it may take.
    pub within: Millis,
}

/// What can be expected.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// An open alert like this.
    Alert(Pattern),
    /// No open alert like this, for so long.
    NoAlert(Pattern, Millis),
    /// An alert like this is closed, perhaps for this reason.
    Cleared(Pattern, Option<String>),
    /// So many alerts of this kind so far, lives counted.
    Raised(Pattern, usize),
    /// The hall sees what it saw before the last thing that was done.
    HallUnchanged(TableId),
    /// Something the hall sees, or does not.
    Hall(TableId, Seen, bool),
    /// Something the desk sees, or does not.
    Desk(TableId, Seen, bool),
    /// The result, perhaps with its state and how it came; none: there is none.
    Result(TableId, Option<ResultPattern>),
    /// The answer to the last order.
    Answer(AnswerPattern),
}

/// Which alerts are meant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pattern {
    /// At this table; none: anywhere.
    pub table: Option<TableId>,
    /// Of this code.
    pub code: Option<String>,
    /// Of this urgency.
    pub urgency: Option<Urgency>,
    /// Of this article, or with a proposal that names it.
    pub article: Option<String>,
    /// About this player.
    pub side: Option<Side>,
    /// Taken by these initials.
    pub taken: Option<String>,
    /// With these words somewhere.
    pub saying: Vec<String>,
    /// Resting on stored facts.
    pub evidence: bool,
}

/// What desk and hall can see.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    /// The whole record, in notation.
    Moves(Vec<String>),
    /// So many half-moves.
    Plies(usize),
    /// The last half-move.
    Last(String),
    /// The state of the table, by its word.
    State(String),
    /// A result, or none.
    Result(Option<String>),
    /// A player's time, in whole seconds, give or take two.
    Clock(Side, Millis),
    /// A sign that a flag has fallen.
    Flag(Side),
    /// Completed illegal moves of a player.
    IllegalMoves(Side, u32),
    /// Whose turn it is.
    Turn(Side),
    /// Words in the log, the silence or the uncertain places.
    Saying(String),
}

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultPattern {
    /// The result.
    pub result: protocol::GameResult,
    /// Its state.
    pub state: Option<protocol::ResultState>,
    /// How it came.
    pub how: Option<ResultHow>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerPattern {
    /// `done`, `preview`, or a refusal with its code.
    pub kind: AnswerKind,
    /// Words in it.
    pub saying: Vec<String>,
}

/// The kinds of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerKind {
    /// Done and written down.
    Done,
    /// What would follow.
    Preview,
    /// Refused, perhaps with this code.
    Refused(Option<String>),
}

impl Step {
    /// The code of the alert that this line speaks of.
    pub fn code(&self) -> Option<&str> {
        let Step::Expect(expectation) = self else {
            return None;
        };
        match &expectation.what {
            Expected::Alert(p) | Expected::Cleared(p, _) | Expected::Raised(p, 1..) => {
                p.code.as_deref()
            }
            _ => None,
        }
    }
}
