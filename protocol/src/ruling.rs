//! Orders of arbiters, the hub's previews and answers.

use serde::{Deserialize, Serialize};

use crate::{BySide, ClientId, GameResult, Ply, ResultHow, Side, TableId, Timestamp};

/// An order, at `desk/order`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Who asks; the answer goes to `desk/answer/<client>`.
    pub client: ClientId,
    /// Number of the order at that client, for the answer.
    pub id: u64,
    /// Initials of the arbiter, journalled.
    pub by: String,
    /// True: say what would follow, change nothing.
    #[serde(default)]
    pub preview: bool,
    /// The revision of the table (or 0 for the whole hall) that the arbiter saw when he decided; another one is refused.
    #[serde(default)]
    pub basis: Option<u64>,
    /// A note for the journal.
    #[serde(default)]
    pub note: String,
    /// What is ordered.
    #[serde(flatten)]
    pub body: OrderBody,
}

/// A penalty (12.9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "penalty", rename_all = "kebab-case")]
pub enum Penalty {
    /// 12.9.1.
    Warning,
    /// 12.9.2: milliseconds more for the opponent.
    OpponentTime {
        /// Milliseconds.
        ms: u64,
    },
    /// 12.9.3: milliseconds less for the offender.
    OffenderTime {
        /// Milliseconds.
        ms: u64,
    },
    /// 12.9.4: half points more for the opponent.
    OpponentPoints {
        /// Half points.
        halves: u8,
    },
    /// 12.9.5: half points less for the offender.
    OffenderPoints {
        /// Half points.
        halves: u8,
    },
    /// 12.9.6: the game is lost.
    Loss,
    /// 12.9.7: a fine.
    Fine {
        /// As announced: "50 CHF".
        amount: String,
    },
    /// 12.9.8: excluded from one or more rounds.
    Exclusion {
        /// Rounds.
        rounds: u8,
    },
    /// 12.9.9: expelled from the event.
    Expulsion,
}

impl Penalty {
    /// Whether more than this round is concerned (12.9.8, 12.9.9).
    pub fn reaches_beyond_the_round(&self) -> bool {
        matches!(self, Penalty::Exclusion { .. } | Penalty::Expulsion)
    }
}

/// Which of several incidents at a table a ruling answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// The code of its alert: `illegal-move`.
    pub code: String,
    /// Its half-move, 0 before the first.
    #[serde(default)]
    pub ply: Ply,
}

/// What an arbiter makes of an illegal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// As the Laws say for the first one.
    First,
    /// As the Laws say for the last one: lost (or drawn).
    Second,
    /// The board misread: no illegal move.
    NoIllegalMove,
    /// The clock had not been pressed: correct it, nothing is counted.
    NotCompleted,
    /// It stands: both agree, or it was noticed too late.
    Stands,
}

/// What a player claims a draw by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawClaim {
    /// The same position for the third time (9.2).
    Threefold,
    /// Fifty moves without capture or pawn move (9.3).
    FiftyMoves,
}

/// What a player short of time asks for in a game without increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuickplayAsk {
    /// An increment of five seconds for both (III.4).
    Increment,
    /// A draw: the opponent cannot win, or makes no effort to (III.5).
    Draw,
}

/// How an arbiter judges what a player claims or asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimJudgement {
    /// It is correct, or granted.
    Grant,
    /// He watches and decides later (III.5 only).
    Postpone,
    /// It is not correct, or rejected.
    Reject,
}

/// Who is missing when an adjourned game is to be resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Nobody.
    #[default]
    Nobody,
    /// The player who must reply to the sealed move.
    Replier,
    /// The player who sealed.
    Sealer,
    /// Both.
    Both,
}

/// What an arbiter sees and no board can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reported {
    /// The players have each other's colours (7.3).
    ColoursReversed,
    /// Pieces were wrongly placed at the start (7.2.1).
    InitialPositionWrong,
    /// The board is wrongly laid (7.2.2).
    BoardTurned,
}

/// The piece of a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromotionPiece {
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
}

/// The kinds of orders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum OrderBody {
    /// Take an alert: I am on my way.
    Take {
        /// Its id.
        alert: String,
        /// Also when somebody else has taken it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        over: bool,
    },
    /// Give it back.
    GiveBack {
        /// Its id.
        alert: String,
    },
    /// Put it aside until a moment, hub's time.
    Snooze {
        /// Its id.
        alert: String,
        /// Until when.
        until: Timestamp,
    },
    /// Close it without a ruling.
    Dismiss {
        /// Its id.
        alert: String,
    },
    /// Rule on an illegal move (7.5).
    IllegalMove {
        /// The table.
        table: TableId,
        /// Who made it.
        offender: Side,
        /// The judgement.
        judgement: Judgement,
        /// What is ruled upon, as its alert says; none: the offender's latest one that waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incident: Option<Incident>,
        /// Take back the increment the press earned.
        #[serde(default)]
        take_increment: bool,
    },
    /// Change the times; the clock is set by hand.
    AdjustTime {
        /// The table.
        table: TableId,
        /// Milliseconds to add, negative to take away.
        change_ms: BySide<i64>,
        /// Under which article.
        article: String,
    },
    /// After a disturbance: the same time more for both players of several tables (12.5), a ruling at each.
    AddTime {
        /// The tables; none: every table where a game is in play.
        #[serde(default)]
        tables: Vec<TableId>,
        /// Milliseconds.
        ms: u64,
    },
    /// A result.
    Result {
        /// The table.
        table: TableId,
        /// The result.
        result: GameResult,
        /// How the game ended.
        how: ResultHow,
        /// Confirm it at once.
        #[serde(default)]
        confirm: bool,
        /// Signatures on the scoresheet.
        #[serde(default)]
        signed: BySide<bool>,
    },
    /// Confirm the proposed result.
    Confirm {
        /// The table.
        table: TableId,
    },
    /// The record ends before this half-move: strike what follows.
    Strike {
        /// The table.
        table: TableId,
        /// The first half-move to go.
        from_ply: u32,
    },
    /// Put moves into the record in place of everything from a half-move on.
    Insert {
        /// The table.
        table: TableId,
        /// The first half-move replaced.
        from_ply: u32,
        /// The moves, UCI or SAN.
        moves: Vec<String>,
    },
    /// Take the position on the board for the position of the game.
    AdoptBoard {
        /// The table.
        table: TableId,
        /// Who has the move.
        turn: Side,
    },
    /// Conduct (12.9).
    Conduct {
        /// The table.
        table: TableId,
        /// The offender.
        offender: Side,
        /// The penalty.
        penalty: Penalty,
    },
    /// A note in the journal of a table.
    Note {
        /// The table.
        table: TableId,
    },
    /// Undo a ruling by a new one.
    Counter {
        /// Number of the ruling in the journal.
        ruling: u64,
    },
    /// Bind a table to a board.
    Bind {
        /// The table.
        table: TableId,
        /// The device, none to unbind.
        device: Option<crate::DeviceId>,
    },
    /// Bind a table to the next free board whose white king is lifted for three seconds.
    BindByGesture {
        /// The table.
        table: TableId,
    },
    /// Ask a board for its position.
    Resync {
        /// The table.
        table: TableId,
    },
    /// Read what stands on the board and write it down.
    ReadBoard {
        /// The table.
        table: TableId,
    },
    /// Let the lamps of a board blink, between games only.
    Blink {
        /// The table.
        table: TableId,
    },
    /// Keep a game back from everybody outside the hall while it is under review, or let it go again.
    Hold {
        /// The table.
        table: TableId,
        /// Whether it is kept back.
        hold: bool,
    },
    /// Start the round: clocks may run from this moment (6.6).
    StartRound {
        /// The round.
        round: u16,
    },
    /// A player claims a draw (9.2, 9.3); its verdict follows, a ruling ends it.
    ClaimDraw {
        /// The table.
        table: TableId,
        /// Who claims.
        claimant: Side,
        /// On what.
        claim: DrawClaim,
        /// The move he wrote down and has not made, UCI or SAN; none: he claims the position on the board.
        #[serde(default)]
        written: Option<String>,
    },
    /// A player short of time asks for an increment or claims a draw (III.4, III.5; 10.2 in 2001).
    ClaimQuickplay {
        /// The table.
        table: TableId,
        /// Who asks.
        claimant: Side,
        /// For what.
        asks: QuickplayAsk,
    },
    /// Rule on the claim of a table.
    RuleClaim {
        /// The table.
        table: TableId,
        /// How.
        judgement: ClaimJudgement,
        /// With a postponed claim: the opponent gets his two minutes.
        #[serde(default)]
        bonus: bool,
    },
    /// Adjourn a game: the hub keeps what goes on the envelope (I.1, I.2).
    Adjourn {
        /// The table.
        table: TableId,
        /// Who sealed: the player who had the move.
        sealed_by: Side,
        /// Times to note where the clock is not read, milliseconds.
        #[serde(default)]
        time_ms: Option<BySide<u64>>,
        /// Who offered a draw before.
        #[serde(default)]
        draw_offer: Option<Side>,
        /// When the session ends, hub's time: who seals before it is charged with the time until then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_ends: Option<Timestamp>,
        /// When it is resumed, hub's time.
        #[serde(default)]
        resumes: Option<Timestamp>,
        /// Where it is resumed.
        #[serde(default)]
        place: String,
    },
    /// Resume an adjourned game (I.7 to I.11).
    Resume {
        /// The table.
        table: TableId,
        /// Who is missing.
        #[serde(default)]
        missing: Missing,
        /// What stands in the envelope; none: it stays closed.
        #[serde(default)]
        sealed: Option<String>,
        /// The envelope is lost: the player who sealed plays his move on the board.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lost: bool,
    },
    /// The clock has a defect and is replaced (6.10.1): times by the last good reading, or by the formula.
    ReplaceClock {
        /// The table.
        table: TableId,
    },
    /// The piece of a promotion is another one.
    Promotion {
        /// The table.
        table: TableId,
        /// The half-move.
        ply: u32,
        /// The piece.
        piece: PromotionPiece,
    },
    /// Say what was seen at the table.
    Report {
        /// The table.
        table: TableId,
        /// What.
        what: Reported,
    },
    /// The game is annulled and a new one begins (7.2.1, 7.3).
    Restart {
        /// The table.
        table: TableId,
    },
    /// Close the round: results that are missing are asked for; with none missing they are published.
    CloseRound {
        /// The round.
        round: u16,
    },
}

/// What an order would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// What is known and what the Laws say, line by line, arithmetic included.
    pub lines: Vec<String>,
    /// The article.
    #[serde(default)]
    pub article: String,
    /// What will follow.
    #[serde(default)]
    pub then: Vec<String>,
    /// Whether the table number is to be typed for it.
    #[serde(default)]
    pub ends_game: bool,
    /// Clock times to set by hand, milliseconds.
    #[serde(default)]
    pub set_clock: Option<BySide<u64>>,
}

/// The answer to an order, at `desk/answer/<client>`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// What would follow.
    Preview {
        /// Copied from the order.
        id: u64,
        /// The revision of the table the preview was made for.
        basis: u64,
        /// What would follow.
        preview: Preview,
    },
    /// Done and written down.
    Done {
        /// Copied from the order.
        id: u64,
        /// Number of the ruling in the journal, for `Counter`.
        #[serde(default)]
        ruling: Option<u64>,
        /// What followed, in words.
        words: String,
    },
    /// Not done; nothing has changed.
    Refused {
        /// Copied from the order.
        id: u64,
        /// A stable code: `H30`.
        code: String,
        /// Why, in words.
        why: String,
        /// What changed since the arbiter looked, line by line, when that is why.
        #[serde(default)]
        difference: Vec<String>,
    },
}
