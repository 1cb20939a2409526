//! The words on the wire between agents, hub and arbiters: one file per noun, small, versioned.
//!
//! Agents say what the boards and clocks did ([`Fact`], carried in an [`Envelope`]); the hub writes it down, applies
//! the Laws and shows a [`DeskTable`] to arbiters and a [`HallBoard`] to everybody; arbiters answer with an [`Order`].
//! Payloads are JSON with a version number `v`; fields a reader does not know are ignored, a version it does not know is
//! a clear error ([`CodecError`]).
//!
//! ```
//! use protocol::{Control, TableId, decode, encode};
//! let control = Control { table: Some(TableId(12)), ..Control::default() };
//! assert_eq!(decode::<Control>(&encode(&control)).expect("own words"), control);
//! ```
//!
//! Pure: no sockets, files or clocks; time is a [`Timestamp`] somebody else read.

mod alert;
mod board;
mod clock;
mod codec;
mod control;
mod credentials;
mod desk;
mod device;
mod edition;
mod envelope;
mod hall;
mod ids;
pub mod livechess;
mod moves;
mod position;
mod round;
mod ruling;
mod side;
mod time;
mod time_control;
mod topic;

pub use alert::{Alert, AlertLife, Evidence, Snooze, Urgency};
pub use board::{Placement, PlacementError, SquareName};
pub use clock::{ChessclockView, ClockReading, Flag};
pub use codec::{CodecError, VERSION, decode, encode};
pub use control::{Adopt, Command, Control};
pub use credentials::{Credentials, CredentialsError, HubUrl, Role};
pub use desk::{
    AlertGroup, DeskPly, DeskRound, DeskTable, FeedHealth, FeedState, JournalLine, LogLine,
    RulingLine, TableState,
};
pub use device::{AgentPresence, Battery, DeviceInfo, Health, HubPresence, Vitals};
pub use edition::{EditionId, Regime, Speed};
pub use envelope::{Ack, Envelope, FactId, TimeAnswer, TimeQuestion};
pub use hall::{HallBoard, HallPly, HallState};
pub use ids::{AgentId, Boot, ClientId, DeviceId, GameId, IdError, Ply, Seq, TableId, VenueId};
pub use moves::{Fact, Played, Uncertain};
pub use position::lenient_position;
pub use round::{GameResult, Player, ResultHow, ResultState, Standing, TableResult};
pub use ruling::{
    Answer, ClaimJudgement, DrawClaim, Incident, Judgement, Missing, Order, OrderBody, Penalty,
    Preview, PromotionPiece, QuickplayAsk, Reported,
};
pub use side::{BySide, Side};
pub use time::{Millis, Timestamp};
pub use time_control::{Bonus, Period, SideControl, TimeControl, TimeControlError};
pub use topic::{Topic, Topics};
