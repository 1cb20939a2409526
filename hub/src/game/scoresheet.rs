//! The record of a game: every half-move with its times, and the position after the last one.

use protocol::{BySide, DeskPly, FactId, Played, Ply};
use serde::{Deserialize, Serialize};

use super::{GamePosition, NotPlayable};

/// More half-moves than any game has had; a record never grows beyond.
pub const MAX_PLIES: usize = 2048;

/// Starts of agents that are remembered with a record.
const TELLERS: usize = 32;

/// One half-move of the record with the key of the position after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What the desk knows of it.
    pub ply: DeskPly,
    /// Key of the position after it.
    pub key: u64,
    /// The fact that told it: which agent's start, and the number.
    #[serde(default)]
    told: Option<(u16, u64)>,
}

impl Entry {
    /// A number that is another one whenever anything in the half-move is.
    pub(crate) fn mark(&self) -> u64 {
        let ply = &self.ply;
        let time = |at: Option<protocol::Timestamp>| at.map_or(0, |at| at.0.cast_unsigned());
        let words = match &ply.played {
            Played::Legal(_) => 0,
            Played::Irregular { words, .. } => fold(words.bytes().map(u64::from)),
        };
        fold([
            self.key,
            time(Some(ply.made_at)),
            time(ply.completed_at),
            u64::from(ply.pressed) | u64::from(ply.settled) << 1 | (ply.by as u64) << 2,
            u64::from(ply.certainty.to_bits()),
            ply.clock_ms.map_or(u64::MAX, |ms| ms),
            ply.spent_ms.map_or(u64::MAX, |ms| ms),
            words,
        ])
    }
}

/// One number of many (FNV-1a over whole words).
fn fold(words: impl IntoIterator<Item = u64>) -> u64 {
    words
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |mark: u64, word| {
            (mark ^ word).wrapping_mul(0x100_0000_01b3).rotate_left(29)
        })
}

/// The record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scoresheet {
    start: GamePosition,
    entries: Vec<Entry>,
    position: GamePosition,
    settled: Ply,
    version: u64,
    /// A fact of each board and start of an agent that told half-moves.
    #[serde(default)]
    tellers: Vec<FactId>,
}

impl Scoresheet {
    /// An empty record from an initial position.
    pub fn new(start: GamePosition) -> Scoresheet {
        Scoresheet {
            position: start.clone(),
            start,
            entries: Vec::new(),
            settled: 0,
            version: 0,
            tellers: Vec::new(),
        }
    }

    /// Half-moves in the record.
    pub fn len(&self) -> Ply {
        Ply::try_from(self.entries.len()).unwrap_or(Ply::MAX)
    }

    /// Whether nothing has been played.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether no half-move can be added.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= MAX_PLIES
    }

    /// The initial position.
    pub fn start(&self) -> &GamePosition {
        &self.start
    }

    /// The position after the last half-move.
    pub fn position(&self) -> &GamePosition {
        &self.position
    }

    /// All half-moves.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// A half-move by its number, counted from 1.
    pub fn get(&self, ply: Ply) -> Option<&DeskPly> {
        let index = usize::try_from(ply).ok()?.checked_sub(1)?;
        self.entries.get(index).map(|e| &e.ply)
    }

    /// The fact that told a half-move; none for what was ruled.
    pub fn fact_of(&self, ply: Ply) -> Option<FactId> {
        let index = usize::try_from(ply).ok()?.checked_sub(1)?;
        let (teller, seq) = self.entries.get(index)?.told?;
        let teller = self.tellers.get(usize::from(teller))?;
        Some(FactId {
            seq,
            ..teller.clone()
        })
    }

    /// The half-moves after which the position of the last one has stood, 0 for the start.
    pub fn stood_at(&self) -> Vec<Ply> {
        let key = self.position.key();
        let start = (self.start.key() == key).then_some(0);
        let after = self.entries.iter().zip(1..);
        let same = after.filter(|(e, _)| e.key == key).map(|(_, ply)| ply);
        start.into_iter().chain(same).collect()
    }

    /// The last half-move.
    pub fn last(&self) -> Option<&DeskPly> {
        self.entries.last().map(|e| &e.ply)
    }

    /// The record as the wire has it.
    pub fn line(&self) -> Vec<Played> {
        self.entries.iter().map(|e| e.ply.played.clone()).collect()
    }

    /// The key of the position after a half-move, 0 for the start; none where there is no such half-move.
    pub fn key_after(&self, ply: Ply) -> Option<u64> {
        match ply.checked_sub(1) {
            None => Some(self.start.key()),
            Some(before) => self
                .entries
                .get(usize::try_from(before).ok()?)
                .map(|e| e.key),
        }
    }

    /// The position before a half-move.
    pub fn position_before(&self, ply: Ply) -> GamePosition {
        let keep = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
        if keep >= self.entries.len() {
            return self.position.clone();
        }
        let mut position = self.start.clone();
        for entry in &self.entries[..keep] {
            position
                .play(&entry.ply.played)
                .expect("the record was played before");
        }
        position
    }

    /// The last half-move that is settled: what was played before it is settled too, or listed as uncertain.
    pub fn settled_ply(&self) -> Ply {
        self.settled
    }

    /// The last half-move that is completed, counted from the start without a hole.
    pub fn completed_ply(&self) -> Ply {
        let open = |e: &Entry| e.ply.completed_at.is_none();
        let tail = self.entries.iter().rev().take_while(|e| open(e)).count();
        self.len() - Ply::try_from(tail).unwrap_or(0)
    }

    /// Moves completed by each player.
    pub fn completed_moves(&self) -> BySide<u32> {
        let mut count = BySide::default();
        for entry in &self.entries {
            *count.get_mut(entry.ply.by) += u32::from(entry.ply.completed_at.is_some());
        }
        count
    }

    /// How often the position after the last half-move has stood, with the same player to move.
    pub fn repetitions(&self) -> u32 {
        let key = self.position.key();
        let before = self.entries.iter().filter(|e| e.key == key).count();
        let start = usize::from(self.start.key() == key);
        u32::try_from(before + start).unwrap_or(u32::MAX)
    }

    /// Counts every change of the moves, for rulings that rest on them.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The half-moves that need playing when `line` replaces everything from `from`; those that stay the same are left out.
    ///
    /// # Errors
    /// [`NotPlayable`] when the line cannot follow, or would make the record too long.
    pub fn checked_line(
        &self,
        from: Ply,
        line: &[Played],
    ) -> Result<Vec<(Played, String)>, NotPlayable> {
        if from == 0 || from > self.len() + 1 {
            return Err(NotPlayable(format!(
                "half-move {from} with {} in the record",
                self.len()
            )));
        }
        let total = usize::try_from(from)
            .unwrap_or(usize::MAX)
            .saturating_add(line.len());
        if total > MAX_PLIES {
            return Err(NotPlayable("the record is full".to_owned()));
        }
        let mut position = self.position_before(from);
        line.iter().map(|played| position.play(played)).collect()
    }

    /// Puts half-moves in place of everything from `from` on; `fact` told them.
    pub(super) fn replace(&mut self, from: Ply, line: Vec<DeskPly>, fact: Option<&FactId>) {
        let told = fact.and_then(|fact| Some((self.teller(fact)?, fact.seq)));
        self.position = self.position_before(from);
        self.entries
            .truncate(usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX));
        self.settled = self.settled.min(self.len());
        self.version += 1;
        for ply in line {
            self.push(ply, told);
        }
    }

    fn push(&mut self, ply: DeskPly, told: Option<(u16, u64)>) {
        if self.entries.len() < MAX_PLIES && self.position.play(&ply.played).is_ok() {
            let key = self.position.key();
            self.entries.push(Entry { ply, key, told });
        }
    }

    /// Which of the tellers stated a fact; none when there were more starts than anybody needs.
    fn teller(&mut self, fact: &FactId) -> Option<u16> {
        let same =
            |t: &FactId| t.boot == fact.boot && t.agent == fact.agent && t.device == fact.device;
        let known = self.tellers.iter().rposition(same);
        if known.is_none() && self.tellers.len() < TELLERS {
            self.tellers.push(fact.clone());
        }
        let index = known.unwrap_or(self.tellers.len().saturating_sub(1));
        self.tellers.get(index).filter(|t| same(t))?;
        u16::try_from(index).ok()
    }

    /// Completes a half-move.
    pub(super) fn complete(&mut self, number: Ply, change: impl FnOnce(&mut DeskPly)) {
        let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
        if let Some(entry) = self.entries.get_mut(index) {
            change(&mut entry.ply);
        }
    }

    /// Settles everything up to a half-move but what is in doubt.
    pub(super) fn settle(&mut self, ply: Ply, in_doubt: impl Fn(Ply) -> bool) {
        self.settled = self.settled.max(ply.min(self.len()));
        let last = usize::try_from(self.settled).unwrap_or(0);
        for (entry, number) in self.entries[..last].iter_mut().zip(1..) {
            entry.ply.settled |= !in_doubt(number);
        }
    }

    /// A half-move is no longer settled.
    pub(super) fn unsettle(&mut self, ply: Ply) {
        self.complete(ply, |ply| ply.settled = false);
    }
}
