//! What the hub knows of one game.

use std::collections::VecDeque;

use protocol::{
    BySide, EditionId, FactId, GameId, LogLine, Placement, Player, Regime, ResultState, SquareName,
    Standing, TimeControl, Timestamp, Uncertain,
};
use serde::{Deserialize, Serialize};

use super::{
    Adjournment, Awaited, Chessclock, DrawWatch, GameEvent, GamePosition, Irregularity,
    NotPlayable, OpenClaim, Scoresheet,
};
use crate::laws::{Code, Laws, Regulations};

/// Lines of the log that are kept with a game; all of them are in the journal.
const LOG_LINES: usize = 30;

/// What is agreed before a game starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameSetup {
    /// The game.
    pub id: GameId,
    /// The round.
    pub round: u16,
    /// The players.
    pub players: BySide<Player>,
    /// The edition of the Laws.
    pub edition: EditionId,
    /// Standard, rapid or blitz.
    pub regime: Regime,
    /// The time control.
    pub time_control: TimeControl,
    /// The initial position, full FEN; none: the usual array.
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// What the event announced beside the edition.
    #[serde(default)]
    pub regulations: Regulations,
}

impl GameSetup {
    /// The Laws it is played by.
    pub fn laws(&self) -> &'static Laws {
        Laws::of(self.edition)
    }
}

/// The board stands at no position of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differs {
    /// Since when, hub's time.
    pub since: Timestamp,
    /// Squares that differ.
    pub squares: Vec<SquareName>,
    /// What stands there.
    pub board: Placement,
    /// The fact that said so.
    #[serde(default)]
    pub fact: Option<FactId>,
}

/// A full set that stands in another array than the initial one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongArray {
    /// Squares that differ.
    pub squares: Vec<SquareName>,
    /// Since when, hub's time.
    pub since: Timestamp,
    /// The board lies turned by a quarter.
    pub turned: bool,
    /// What is wrong, in words.
    pub words: Vec<String>,
    /// The fact that said so.
    pub fact: Option<FactId>,
}

/// What the board itself said of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The result.
    pub standing: Standing,
    /// When, hub's time.
    pub at: Timestamp,
    /// The fact that said so.
    pub fact: Option<FactId>,
}

/// A fact that could not be put into the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stray {
    /// Since when, hub's time.
    pub since: Timestamp,
    /// Why.
    pub why: String,
    /// How many there were since the record was followed last.
    pub count: u32,
}

/// Facts that never came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The first missing number.
    pub from: u64,
    /// The last missing number.
    pub to: u64,
    /// When it was noted, hub's time.
    pub at: Timestamp,
}

/// A ruling as far as it can be countered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RulingMemo {
    /// Its number in the journal.
    pub number: u64,
    /// When, hub's time.
    #[serde(default)]
    pub at: Timestamp,
    /// Initials.
    pub by: String,
    /// What was ruled.
    pub words: String,
    /// The article.
    pub article: String,
    /// What undoes it.
    pub undo: Vec<GameEvent>,
    /// Whether it concerned the moves, and the version of the record after it.
    pub record_version: u64,
    /// Already countered.
    pub countered: bool,
}

/// One line of the log and the revision of the game when it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedLine {
    /// The revision after the event.
    pub revision: u64,
    /// The line.
    pub line: LogLine,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// What was agreed.
    pub setup: GameSetup,
    /// The record.
    pub record: Scoresheet,
    /// The clock.
    pub clock: Chessclock,
    /// Repetitions and quiet moves.
    #[serde(default)]
    pub draws: DrawWatch,
    /// When it began, hub's time.
    pub begun: Option<Timestamp>,
    /// The result so far.
    pub standing: Option<Standing>,
    /// Since when that result, hub's time.
    pub standing_since: Option<Timestamp>,
    /// What the sign or the position said.
    pub standing_words: String,
    /// Signatures.
    pub signed: BySide<bool>,
    /// Completed illegal moves as ruled.
    pub illegal_moves: BySide<u32>,
    /// Irregularities, the open ones and the last ones that are over.
    pub irregularities: Vec<Irregularity>,
    /// The board stands elsewhere.
    pub differs: Option<Differs>,
    /// Half-moves that could as well be others, by number, and since when that is known.
    pub uncertain: Vec<(Uncertain, Timestamp)>,
    /// Facts that did not fit.
    pub stray: Option<Stray>,
    /// Facts that never came.
    pub gap: Option<Gap>,
    /// A full set in the wrong array.
    pub wrong_array: Option<WrongArray>,
    /// It began anew with the pieces of the annulled game on the board: nothing is a move before the array stands.
    #[serde(default)]
    pub array_awaited: bool,
    /// What the board said of the result.
    #[serde(default)]
    pub witness: Option<Witness>,
    /// A claim that waits for its ruling, or was postponed.
    #[serde(default)]
    pub claim: Option<OpenClaim>,
    /// The game is adjourned.
    #[serde(default)]
    pub adjourned: Option<Box<Adjournment>>,
    /// A player is missing after the resumption.
    #[serde(default)]
    pub awaited: Option<Awaited>,
    /// The record waits for the board to take over this generation.
    pub held: Option<(u64, Timestamp)>,
    /// Half-moves up to here were ruled and facts may not change them.
    pub ruled_ply: u32,
    /// Rulings, the last ones.
    pub rulings: Vec<RulingMemo>,
    /// The last lines of the log.
    pub log: VecDeque<LoggedLine>,
    /// Counts every change that a ruling could rest on.
    pub revision: u64,
}

impl Game {
    /// A game that has not begun.
    ///
    /// # Errors
    /// [`NotPlayable`] when the initial position is no FEN.
    pub fn new(setup: GameSetup) -> Result<Game, NotPlayable> {
        let start = GamePosition::new(setup.start_fen.as_deref(), setup.chess960)?;
        Ok(Game {
            setup,
            record: Scoresheet::new(start),
            clock: Chessclock::default(),
            draws: DrawWatch::default(),
            begun: None,
            standing: None,
            standing_since: None,
            standing_words: String::new(),
            signed: BySide::default(),
            illegal_moves: BySide::default(),
            irregularities: Vec::new(),
            differs: None,
            uncertain: Vec::new(),
            stray: None,
            gap: None,
            wrong_array: None,
            array_awaited: false,
            witness: None,
            claim: None,
            adjourned: None,
            awaited: None,
            held: None,
            ruled_ply: 0,
            rulings: Vec::new(),
            log: VecDeque::new(),
            revision: 0,
        })
    }

    /// The Laws it is played by.
    pub fn laws(&self) -> &'static Laws {
        self.setup.laws()
    }

    /// Whether an arbiter has confirmed a result.
    pub fn is_over(&self) -> bool {
        self.standing
            .is_some_and(|s| s.state >= ResultState::Confirmed)
    }

    /// The result that closing the round publishes: an arbiter has confirmed it and it is not published yet.
    pub fn unpublished(&self) -> Option<Standing> {
        let inside = |s: &Standing| matches!(s.state, ResultState::Confirmed | ResultState::Signed);
        self.standing.filter(inside)
    }

    /// Whether it is being played: begun, without any result, not adjourned.
    pub fn in_play(&self) -> bool {
        self.begun.is_some() && self.standing.is_none() && self.adjourned.is_none()
    }

    /// Irregularities that wait for a ruling.
    pub fn open_irregularities(&self) -> impl Iterator<Item = &Irregularity> {
        self.irregularities.iter().filter(|i| i.over.is_none())
    }

    /// The latest irregularity of a code at a half-move.
    pub fn irregularity(&self, code: Code, ply: u32) -> Option<&Irregularity> {
        self.irregularities
            .iter()
            .rev()
            .find(|i| i.code == code && i.ply == ply)
    }

    /// Puts a line at the end of the log; the oldest one makes room.
    pub(crate) fn remember(&mut self, line: LogLine) {
        if self.log.len() == LOG_LINES {
            self.log.pop_front();
        }
        let revision = self.revision;
        self.log.push_back(LoggedLine { revision, line });
    }
}
