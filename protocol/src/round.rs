//! Rounds: who plays whom, and results with their states.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{BySide, GameId, TableId, TimeControl};

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Player {
    /// `Last, First`.
    pub name: String,
    /// Rating, if the event publishes it.
    #[serde(default)]
    pub rating: Option<u16>,
    /// Title: `GM`, `WFM` …
    #[serde(default)]
    pub title: Option<String>,
    /// FIDE identity number.
    #[serde(default)]
    pub fide_id: Option<u32>,
    /// Federation, three letters.
    #[serde(default)]
    pub federation: Option<String>,
    /// Team, in team matches.
    #[serde(default)]
    pub team: Option<String>,
}

/// A result of a game, in JSON as PGN writes it, with `+--`, `--+` and `---` for games that were not played and `0-0` for both lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both lost (11.7).
    #[serde(rename = "0-0")]
    BothLose,
    /// Black did not appear.
    #[serde(rename = "+--")]
    WhiteByDefault,
    /// White did not appear.
    #[serde(rename = "--+")]
    BlackByDefault,
    /// Neither appeared.
    #[serde(rename = "---")]
    NobodyAppeared,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 7] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::BothLose,
        GameResult::WhiteByDefault,
        GameResult::BlackByDefault,
        GameResult::NobodyAppeared,
    ];

    /// Its text on the wire and on screens.
    pub fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::WhiteByDefault => "+--",
            GameResult::BlackByDefault => "--+",
            GameResult::NobodyAppeared => "---",
        }
    }

    /// The PGN termination marker: forfeits become the score, what PGN cannot say becomes `*`.
    pub fn pgn(self) -> &'static str {
        match self {
            GameResult::WhiteWins | GameResult::WhiteByDefault => "1-0",
            GameResult::BlackWins | GameResult::BlackByDefault => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose | GameResult::NobodyAppeared => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl FromStr for GameResult {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        GameResult::ALL
            .into_iter()
            .find(|r| r.text() == text)
            .ok_or_else(|| format!("{text:?} is no result: 1-0, 0-1, 1/2-1/2, 0-0, +--, --+, ---"))
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultHow {
    /// 5.1.1.
    Checkmate,
    /// 5.1.2.
    Resigned,
    /// 5.2.1.
    Stalemate,
    /// 5.2.2.
    DeadPosition,
    /// 5.2.3.
    Agreed,
    /// 6.9.
    Flag,
    /// 9.2.
    Threefold,
    /// 9.3.
    FiftyMoves,
    /// 9.6.1.
    Fivefold,
    /// 9.6.2.
    SeventyFiveMoves,
    /// 6.7.
    Default,
    /// 7.5.5.
    IllegalMoves,
    /// The players' sign: kings on the centre squares.
    KingsSign,
    /// An arbiter's decision.
    Arbiter,
}

impl ResultHow {
    /// Whether a game with this result can have ended so: some ways are those of draws, and mate wins (5.1.1). A resignation or a flag
    /// may draw, where the opponent cannot mate (5.1.2, 6.9).
    pub fn fits(self, result: GameResult) -> bool {
        match self {
            ResultHow::Agreed
            | ResultHow::Stalemate
            | ResultHow::DeadPosition
            | ResultHow::Threefold
            | ResultHow::FiftyMoves
            | ResultHow::Fivefold
            | ResultHow::SeventyFiveMoves => result == GameResult::Draw,
            ResultHow::Checkmate => {
                matches!(result, GameResult::WhiteWins | GameResult::BlackWins)
            }
            _ => true,
        }
    }

    /// In words for screens: "checkmate", "flag" …
    pub fn words(self) -> &'static str {
        match self {
            ResultHow::Checkmate => "checkmate",
            ResultHow::Resigned => "resigned",
            ResultHow::Stalemate => "stalemate",
            ResultHow::DeadPosition => "dead position",
            ResultHow::Agreed => "agreed",
            ResultHow::Flag => "flag",
            ResultHow::Threefold => "threefold",
            ResultHow::FiftyMoves => "50 moves",
            ResultHow::Fivefold => "fivefold",
            ResultHow::SeventyFiveMoves => "75 moves",
            ResultHow::Default => "default",
            ResultHow::IllegalMoves => "illegal moves",
            ResultHow::KingsSign => "kings",
            ResultHow::Arbiter => "arbiter",
        }
    }
}

/// How far a result has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultState {
    /// The hub or a sign on the board says so; nobody has confirmed it.
    Proposed,
    /// An arbiter has confirmed it.
    Confirmed,
    /// Both players have signed (8.7).
    Signed,
    /// It has left the house.
    Published,
    /// It was changed after being published.
    Corrected,
}

/// A result as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Standing {
    /// The result.
    pub result: GameResult,
    /// How the game ended.
    pub how: ResultHow,
    /// How far it has come.
    pub state: ResultState,
}

/// One line of a round: a table and what is known of its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableResult {
    /// The table.
    pub table: TableId,
    /// Its game.
    pub game: GameId,
    /// The players.
    pub players: BySide<Player>,
    /// Their time control.
    pub time_control: TimeControl,
    /// The result so far.
    #[serde(default)]
    pub standing: Option<Standing>,
    /// Whose signature is on the scoresheet.
    #[serde(default)]
    pub signed: BySide<bool>,
    /// Completed illegal moves (7.5).
    #[serde(default)]
    pub illegal_moves: BySide<u32>,
    /// The last ruling that a counter-ruling would undo.
    #[serde(default)]
    pub ruling: Option<crate::RulingLine>,
}
