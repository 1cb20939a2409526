//! What the Laws, or the health of the devices, say about something seen: a code, an article and what the arbiter may do.

use std::fmt;

use protocol::Urgency;
use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// Every irregularity the hub has a name for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All of them, in the order of the specification.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The code as it stands in alerts: `illegal-move`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// A full set stands, but not in the initial array (7.2.1).
    InitialPositionWrong = "initial-position-wrong";
    /// The board is turned by a quarter (7.2.2).
    BoardTurned = "board-turned";
    /// Colours reversed (7.3).
    ColoursReversed = "colours-reversed";
    /// White's clock stands after the start (6.6).
    ClockNotStarted = "clock-not-started";
    /// No move by a player at the default time (6.7.1).
    DefaultTimeReached = "default-time-reached";
    /// The times before the game, or a period added, are not the event's (6.10.2).
    TimeControlWrong = "time-control-wrong";
    /// The increment or delay is not the event's (6.10.2).
    IncrementWrong = "increment-wrong";
    /// Presses come from the wrong side of the clock (6.5).
    ClockSideWrong = "clock-side-wrong";
    /// A completed illegal move (7.5.1).
    IllegalMove = "illegal-move";
    /// A pawn left on the last rank at the press (7.5.2).
    PromotionNotReplaced = "promotion-not-replaced";
    /// A press without a move (7.5.3).
    PressWithoutMove = "press-without-move";
    /// The same side moved twice (7.5).
    TwoMoves = "two-moves";
    /// A move made, its player's clock still running (6.2.1).
    MoveWithoutPress = "move-without-press";
    /// The clock of the player who has not the move runs (6.2, 12.6).
    WrongClockRunning = "wrong-clock-running";
    /// Pieces stand where the game has none (7.4).
    PiecesDisplaced = "pieces-displaced";
    /// Board and record differ without an explanation.
    PositionMismatch = "position-mismatch";
    /// Facts are missing (8.5.3).
    RecordGap = "record-gap";
    /// A flag has fallen (6.8).
    FlagFallen = "flag-fallen";
    /// Both flags have fallen (III.3.1).
    BothFlagsFallen = "both-flags-fallen";
    /// Both clocks stopped in play (6.11.2).
    ClocksStopped = "clocks-stopped";
    /// Time passed is not what both clocks have used (6.10).
    ClockSumWrong = "clock-sum-wrong";
    /// Times changed without a press, a period or a ruling (6.10).
    ClockJumped = "clock-jumped";
    /// The board reports no clock, or no reading came (6.10.1).
    ClockLost = "clock-lost";
    /// Presses and moves disagree (6.10.2).
    MoveCounterWrong = "move-counter-wrong";
    /// Below five minutes without 30 seconds a move (8.4, 8.5).
    Scramble = "scramble";
    /// The same position for the third time (9.2).
    ThreefoldClaimable = "threefold-claimable";
    /// Fifty moves without capture or pawn move (9.3).
    FiftyClaimable = "fifty-claimable";
    /// The same position for the fifth time (9.6.1).
    Fivefold = "fivefold";
    /// Seventy-five moves without capture or pawn move (9.6.2).
    SeventyFive = "seventy-five";
    /// Nobody can mate any more (5.2.2).
    DeadPosition = "dead-position";
    /// Checkmate stands and play goes on (5.1.1).
    Checkmate = "checkmate";
    /// Stalemate stands and play goes on (5.2.1).
    Stalemate = "stalemate";
    /// Both kings in check or a pawn on the last rank after another move (A.5.4).
    IllegalPositionStands = "illegal-position-stands";
    /// A player claims a draw (9.2, 9.3).
    DrawClaimed = "draw-claimed";
    /// A player asks for an increment or claims that he cannot be beaten (III.4, III.5).
    QuickplayClaim = "quickplay-claim";
    /// Several lines explain the board.
    ReadingAmbiguous = "reading-ambiguous";
    /// A completed move was changed (4.7).
    MoveChangedAfterPress = "move-changed-after-press";
    /// Drawn before it was allowed (9.1.1, 5.2.3).
    EarlyDraw = "early-draw";
    /// The players' sign for a result (8.7).
    ResultProposed = "result-proposed";
    /// Witnesses of the result differ (8.7).
    ResultConflict = "result-conflict";
    /// The board is set up again, or the round closes, with no result (8.7).
    ResultMissing = "result-missing";
    /// The two boards of one game disagree (D.2.9).
    BoardsDiffer = "boards-differ";
    /// A player is late for the resumption of an adjourned game.
    LateForResumption = "late-for-resumption";
    /// A sealed move is ambiguous, false or illegal.
    SealedMoveVoid = "sealed-move-void";
    /// A board does not answer.
    BoardSilent = "board-silent";
    /// An agent does not answer.
    AgentSilent = "agent-silent";
    /// An agent cannot write its facts down.
    AgentDiskFull = "agent-disk-full";
    /// A square cannot be trusted.
    SquareFaulty = "square-faulty";
    /// A board's battery is low.
    BoardBatteryLow = "board-battery-low";
    /// A clock's battery is low.
    ClockBatteryLow = "clock-battery-low";
    /// A board that no table has.
    DeviceUnknown = "device-unknown";
    /// Two tables name one board.
    TableClaimedTwice = "table-claimed-twice";
    /// Two agents read one board.
    DeviceClaimedTwice = "device-claimed-twice";
    /// Two tables' boards appear exchanged.
    BoardsExchanged = "boards-exchanged";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the Laws say about a code in an edition and a regime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What was found.
    pub code: Code,
    /// What the arbiter may do about it.
    pub urgency: Urgency,
    /// Where it stands, empty where the Laws do not speak.
    pub article: &'static str,
}
