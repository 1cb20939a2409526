//! Says what the tracker concludes: moves made, completed, settled and revised, and what an arbiter should look at.

use shakmaty::{Color, Square, uci::UciMove};

use super::observation::Millis;

/// One conclusion, with the time it was drawn, how sure it is and what it rests on.
#[derive(Clone, PartialEq, Debug)]
pub struct Inference {
    /// When it was concluded, in milliseconds of the caller's clock.
    pub at: Millis,
    /// What was concluded.
    pub fact: Fact,
    /// 0 to 1; 0.5 where another explanation is as good.
    pub certainty: f32,
    /// What it rests on.
    pub evidence: Evidence,
}

/// The squares and the span of time a conclusion rests on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// Squares whose readings matter, ascending.
    pub squares: Vec<Square>,
    /// When the first of them changed.
    pub since: Millis,
}

/// Plies count from 1 after the history the tracker was given.
pub type PlyNumber = u32;

/// A conclusion without its circumstances.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// The pieces of a move stand where they belong (4.7).
    Made {
        /// Which ply.
        ply: PlyNumber,
        /// The move.
        uci: UciMove,
    },
    /// The clock was pressed after a made move, or the opponent answered (6.2.1).
    Completed {
        /// Which ply.
        ply: PlyNumber,
        /// The move.
        uci: UciMove,
        /// Remaining whole seconds as shown after the press, White's and Black's.
        clock: Option<(u32, u32)>,
    },
    /// No other explanation is left that could take the move away.
    Settled {
        /// Which ply.
        ply: PlyNumber,
        /// The move.
        uci: UciMove,
    },
    /// The line from a ply on is another one: everything shown from there is replaced.
    Revised {
        /// The first ply that changes.
        from_ply: PlyNumber,
        /// The new line from there, never empty.
        line: Vec<UciMove>,
    },
    /// The plies from here on did not happen.
    Retracted {
        /// The first ply withdrawn.
        from_ply: PlyNumber,
    },
    /// A move that breaks the Laws stands on the board.
    Irregular {
        /// Which ply it would be.
        ply: PlyNumber,
        /// What happened.
        irregular: Irregular,
    },
    /// The board shows what no legal line explains; empty when it makes sense again.
    Unexplained {
        /// The squares that differ.
        squares: Vec<Square>,
    },
    /// Several lines explain the board.
    Ambiguous {
        /// The first ply in doubt.
        ply: PlyNumber,
        /// The lines from there, the preferred one first.
        choices: Vec<Vec<UciMove>>,
    },
    /// Both kings stand on centre squares: the players signal a result.
    KingsCentred {
        /// The winner, or `None` for a draw.
        winner: Option<Color>,
    },
    /// The position the game starts from stands on the board.
    SetUp {
        /// The board is used from the other side, and readings are turned.
        rotated: bool,
    },
    /// Something somebody may want to know.
    Alert {
        /// What kind.
        code: Code,
        /// The squares concerned.
        squares: Vec<Square>,
        /// A sentence for people.
        detail: String,
    },
    /// An alert is over.
    Clear {
        /// What kind.
        code: Code,
    },
}

/// A ply that is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Irregular {
    /// The position before it.
    pub from_fen: String,
    /// The board after it, the other side to move.
    pub to_fen: String,
    /// Who moved.
    pub by: Color,
    /// What happened, in words.
    pub words: String,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $weight:ident;)*) => {
        /// The kinds of alerts the tracker knows.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// All of them.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable upper-case name.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// How much attention it asks for.
            pub fn weight(self) -> Weight {
                match self { $(Code::$name => Weight::$weight,)* }
            }
        }
    };
}

/// How much attention an alert asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// Nothing to do.
    Info,
    /// Worth a glance.
    Watch,
    /// Tell the arbiter.
    Arbiter,
}

codes! {
    /// A pawn stands on the last rank; the new piece is not there yet.
    PromotionPending = "PROMOTION_PENDING", Info;
    /// The promotion piece was not seen, or is an unusual one.
    PromotionAssumed = "PROMOTION_ASSUMED", Watch;
    /// The king moved two squares; the rook is not there yet.
    CastlingPending = "CASTLING_PENDING", Info;
    /// A captured piece is still on the board.
    VictimRemains = "VICTIM_REMAINS", Watch;
    /// The opponent answered a move whose maker did not press.
    ClockNotPressed = "CLOCK_NOT_PRESSED", Info;
    /// The clock was pressed before the move was complete on the board.
    PressBeforeMove = "PRESS_BEFORE_MOVE", Watch;
    /// The clock was pressed and no move is on the board.
    PressWithoutMove = "PRESS_WITHOUT_MOVE", Arbiter;
    /// An illegal move was completed by pressing.
    IllegalMove = "ILLEGAL_MOVE", Arbiter;
    /// An illegal move stands on the board, not yet completed.
    IllegalOnBoard = "ILLEGAL_ON_BOARD", Watch;
    /// A completed move was changed.
    MoveChangedAfterPress = "MOVE_CHANGED_AFTER_PRESS", Arbiter;
    /// A piece was touched and another one played.
    TouchMove = "TOUCH_MOVE", Watch;
    /// Both hands made one move.
    TwoHands = "TWO_HANDS", Watch;
    /// One side moved twice in a row.
    MovedTwice = "MOVED_TWICE", Arbiter;
    /// A piece of the side not to move was moved.
    OutOfTurn = "OUT_OF_TURN", Watch;
    /// The board differs from the game and stays so.
    BoardMismatch = "BOARD_MISMATCH", Arbiter;
    /// A piece stands where the game has none.
    ExtraPiece = "EXTRA_PIECE", Watch;
    /// A piece of the game has not been seen for long.
    PieceMissing = "PIECE_MISSING", Watch;
    /// A square keeps losing its piece.
    SquareUnreliable = "SQUARE_UNRELIABLE", Watch;
    /// Several continuations explain the board equally well.
    Ambiguous = "AMBIGUOUS", Arbiter;
    /// Several plies were accepted at once.
    CatchUp = "CATCH_UP", Info;
    /// A move shown before was replaced.
    Revised = "REVISED", Info;
    /// The board went back to an earlier position.
    TakenBack = "TAKEN_BACK", Watch;
    /// No data from the board.
    LinkLost = "LINK_LOST", Watch;
    /// The position was established again after a gap.
    Resynced = "RESYNCED", Info;
    /// The initial position is wrong.
    SetupWrong = "SETUP_WRONG", Watch;
    /// The board is used from the other side.
    BoardRotated = "BOARD_ROTATED", Info;
    /// Presses fit only with the sides of the clock exchanged.
    ClockSideSwapped = "CLOCK_SIDE_SWAPPED", Watch;
    /// The times were changed by hand.
    ClockChanged = "CLOCK_CHANGED", Info;
    /// Both sides of the clock stand still.
    ClockStopped = "CLOCK_STOPPED", Info;
    /// The initial position stands on the board after a game.
    NewGame = "NEW_GAME", Info;
    /// The position on the board ends the game.
    GameEnded = "GAME_ENDED", Info;
    /// Kings in the centre: a result is signalled.
    ResultSignal = "RESULT_SIGNAL", Info;
    /// Pieces were moved after the end.
    AfterGame = "AFTER_GAME", Info;
    /// Two boards of one game show different positions.
    BoardsDiffer = "BOARDS_DIFFER", Watch;
    /// A king was captured.
    KingCaptured = "KING_CAPTURED", Arbiter;
}
