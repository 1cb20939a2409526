//! What a session keeps on disk about its device, so that an agent killed in mid-game goes on from there.

use protocol::{Boot, Control, DeviceId, Played, Seq, Uncertain};
use serde::{Deserialize, Serialize};

use super::blind::Unseen;
use super::gap::KeptGap;
use crate::devices::{ClockSide, Orientation};

/// Older half-moves are never judged again.
const LOOK_BACK: usize = 6;

/// The state of one device that outlives the agent: JSON in the state folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The device.
    pub device: DeviceId,
    /// The last control of the hub that was applied; none: the board records a game by itself.
    #[serde(default)]
    pub control: Option<Control>,
    /// Where a game of the board's own began, full FEN, when that was not the usual array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_start: Option<String>,
    /// The record so far.
    #[serde(default)]
    pub line: Vec<KeptPly>,
    /// How many plies of it were completed.
    #[serde(default)]
    pub completed: usize,
    /// How the board lay when it was last known.
    #[serde(default)]
    pub orientation: Option<Orientation>,
    /// Whether an arbiter or the configuration fixed that.
    #[serde(default)]
    pub orientation_fixed: bool,
    /// White's side of the chessclock, when an arbiter or the configuration fixed it.
    #[serde(default)]
    pub white_at: Option<ClockSide>,
    /// White's side of the chessclock, as the first press of the game showed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_pressed_at: Option<ClockSide>,
    /// The position the game starts from stood on the board.
    #[serde(default)]
    pub set_up: bool,
    /// The squares that changed last, `e2` emptied and `e4P` filled, oldest first: where in its own log the board was then.
    #[serde(default)]
    pub trail: String,
    /// How many squares changed since the record began.
    #[serde(default)]
    pub heard: u64,
    /// A time without the board whose half-moves are not known for certain yet.
    #[serde(default)]
    pub gap: Option<KeptGap>,
    /// Half-moves that nobody saw and no log told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unseen>,
    /// The newest half-moves that could as well be others, told to the hub or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Uncertain>,
    /// The last fact that this rests on.
    #[serde(default)]
    pub said: Option<(Boot, Seq)>,
    /// What the line asked to keep: which number belongs to which piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// A half-move of the record and the fact that told the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPly {
    /// The half-move.
    pub played: Played,
    /// Start and number of the fact; none when the hub gave the half-move.
    #[serde(default)]
    pub told: Option<(Boot, Seq)>,
    /// It was told while another move was nearly as likely, and nothing has settled it since.
    #[serde(default)]
    pub open: bool,
    /// So many squares had changed when it was told.
    #[serde(default)]
    pub heard: u64,
}

impl Memory {
    /// Of a device seen for the first time.
    pub fn fresh(device: DeviceId) -> Memory {
        Memory {
            device,
            control: None,
            own_start: None,
            line: Vec::new(),
            completed: 0,
            orientation: None,
            orientation_fixed: false,
            white_at: None,
            white_pressed_at: None,
            set_up: false,
            trail: String::new(),
            gap: None,
            heard: 0,
            unseen: None,
            doubts: Vec::new(),
            said: None,
            kept: None,
        }
    }

    /// What was kept; damaged memory is as good as none, because the hub knows the game too.
    pub fn read(device: &DeviceId, kept: Option<&[u8]>) -> Memory {
        kept.and_then(|bytes| serde_json::from_slice(bytes).ok())
            .filter(|memory: &Memory| memory.device == *device)
            .unwrap_or_else(|| Memory::fresh(device.clone()))
    }

    /// Half-moves up to this one, counted from 1, are open no longer; says whether that is news.
    pub fn settle(&mut self, ply: usize) -> bool {
        let last = ply.min(self.line.len());
        let open = self.line[..last].iter_mut().filter(|ply| ply.open);
        open.map(|ply| ply.open = false).count() > 0
    }

    /// The form in which it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The number of the last control that was applied.
    pub fn generation(&self) -> u64 {
        self.control
            .as_ref()
            .map_or(0, |control| control.generation)
    }

    /// Whether a game is being recorded: the hub's, or one of the board's own while no hub has spoken.
    pub fn records(&self) -> bool {
        self.control
            .as_ref()
            .is_none_or(|control| control.game.is_some() && !control.over)
    }

    /// How many half-moves can be taken for given by one who was not there: all before the first that is open, and
    /// before a gap.
    pub fn given(&self) -> usize {
        let from = self.line.len().saturating_sub(LOOK_BACK);
        let open = self.line[from..].iter().position(|ply| ply.open);
        let sure = open.map_or(self.line.len(), |at| from + at);
        self.gap.as_ref().map_or(sure, |gap| gap.given.min(sure))
    }

    /// The squares that changed last before the end of the part that is given; none where they are no longer known.
    pub fn trail_given(&self) -> Option<String> {
        let given = self.given();
        let last = given.checked_sub(1).and_then(|last| self.line.get(last));
        let since = match last {
            _ if given == self.line.len() => 0,
            last => self.heard.checked_sub(last.map_or(0, |ply| ply.heard))?,
        };
        let words: Vec<&str> = self.trail.split_whitespace().collect();
        let before = words.len().checked_sub(usize::try_from(since).ok()?)?;
        Some(words[..before].join(" "))
    }

    /// The half-moves alone.
    pub fn played(&self) -> impl Iterator<Item = &Played> {
        self.line.iter().map(|ply| &ply.played)
    }
}
