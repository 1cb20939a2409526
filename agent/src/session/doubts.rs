//! Which half-moves of the record could as well be others, and what the hub was told of them.

use std::collections::BTreeMap;

use protocol::{Fact, Millis, Ply, Uncertain};
use shakmaty::uci::UciMove;

use super::device::Device;
use super::lasting::Doubt;
use super::recorder::Recorder;
use crate::tracker;

/// Half-moves with less certainty are listed with their choices.
pub(super) const CERTAIN: f32 = 0.88;
/// What comes next mostly decides; a doubt is told when it has lasted this long, milliseconds.
const LASTING: Millis = 1_500;

/// What the peace of a board decides it has decided after this long, milliseconds.
const PEACE: Millis = 12_000;

/// So many are kept on disk, the newest.
const KEPT: usize = 64;

/// What the hub was told.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    told: BTreeMap<Ply, Doubt>,
    look_at: Option<Millis>,
    /// What nothing that is seen from now on can lift.
    pub(super) lasting: Vec<Doubt>,
}

impl Doubts {
    /// Those of an agent before this one, or of a tracker before this one: who was not there cannot lift them.
    pub(super) fn of_earlier(kept: &[Uncertain]) -> Doubts {
        Doubts {
            lasting: kept.iter().map(Doubt::from_wire).collect(),
            ..Doubts::default()
        }
    }

    /// The hub heard the record anew: the doubts are to be told once more.
    pub(super) fn tell_again(&mut self) {
        self.told.clear();
    }

    /// When a young doubt is old enough to be told.
    pub(super) fn wake(&self) -> Option<Millis> {
        self.look_at
    }

    /// What is news in these doubts about a record of `len` half-moves.
    fn news(&mut self, doubts: &[Doubt], len: Ply) -> Vec<Doubt> {
        self.told.retain(|ply, _| *ply <= len);
        let over = |ply: &Ply| doubts.iter().all(|doubt| doubt.ply != *ply);
        let over: Vec<Ply> = self.told.keys().copied().filter(over).collect();
        let over: Vec<Doubt> = over.into_iter().map(Doubt::over).collect();
        let is_told = |doubt: &Doubt| {
            let told = self.told.get(&doubt.ply);
            told.is_some_and(|told| doubt.goes_on(told))
        };
        let new = doubts.iter().filter(|doubt| !is_told(doubt)).cloned();
        let news: Vec<Doubt> = over.into_iter().chain(new).collect();
        for doubt in &news {
            match doubt.lines.is_empty() {
                true => self.told.remove(&doubt.ply),
                false => self.told.insert(doubt.ply, doubt.clone()),
            };
        }
        news
    }
}

impl Device {
    /// Tells the hub which half-moves became uncertain, and which no longer are.
    pub(super) fn tell_doubts(&mut self, now: Millis) {
        self.look_whether_all_is_seen();
        let Some(recorder) = &self.recorder else {
            return;
        };
        let (doubts, young) = recorder.doubts(now);
        let len = Ply::try_from(self.memory.line.len()).unwrap_or(Ply::MAX);
        self.doubts.look_at = young.iter().map(|(due, _)| *due).min();
        let doubts = self.with_lasting(doubts);
        for doubt in self.doubts.news(&doubts, len) {
            self.say(now, Fact::Ambiguous(doubt.to_wire()));
        }
        if !self.doubts.told.is_empty() && now < self.last_change + PEACE {
            let again = now + LASTING;
            self.doubts.look_at = Some(self.doubts.look_at.map_or(again, |at| at.min(again)));
        }
        let young = young.into_iter().map(|(_, doubt)| doubt);
        self.keep_doubts(doubts.into_iter().chain(young));
    }

    /// The doubts there are now, young or not.
    pub(super) fn doubts_now(&self) -> Vec<Doubt> {
        let found = self.recorder.as_ref().map(|recorder| {
            let (doubts, young) = recorder.doubts(Millis::MAX);
            doubts
                .into_iter()
                .chain(young.into_iter().map(|young| young.1))
                .collect()
        });
        self.with_lasting(found.unwrap_or_default())
    }

    fn keep_doubts(&mut self, doubts: impl Iterator<Item = Doubt>) {
        let mut kept: Vec<Uncertain> = doubts.map(|doubt| doubt.to_wire()).collect();
        kept.drain(..kept.len().saturating_sub(KEPT));
        self.dirty |= kept != self.memory.doubts;
        self.memory.doubts = kept;
    }

    /// The board after this half-move is certain.
    pub(super) fn is_decided(&self, last: Ply) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| {
            let record = recorder.record();
            let mut of_it = record
                .iter()
                .filter(|ply| recorder.number(ply.number) == last);
            of_it.next().is_some_and(|ply| ply.decided)
        })
    }
}

impl Recorder {
    /// The completed half-moves that are not sure, and those whose doubt is young, with when that should be told.
    fn doubts(&self, now: Millis) -> (Vec<Doubt>, Vec<(Millis, Doubt)>) {
        let (mut doubts, mut young) = (Vec::new(), Vec::new());
        for ply in self.record().into_iter().filter(is_doubtful) {
            let due = ply.made + LASTING;
            let doubt = Doubt {
                ply: self.number(ply.number),
                lines: ply.choices,
                more: ply.more,
            };
            if due <= now {
                doubts.push(doubt);
            } else {
                young.push((due, doubt));
            }
        }
        (doubts, young)
    }
}

fn is_doubtful(ply: &tracker::Ply) -> bool {
    ply.certainty < CERTAIN
        && ply.completed.is_some()
        && !ply.choices.is_empty()
        && !only_promotions_differ(&ply.choices)
}

/// What a pawn became is asked for elsewhere.
fn only_promotions_differ(lines: &[Vec<UciMove>]) -> bool {
    let squares =
        |line: &Vec<UciMove>| -> Vec<_> { line.iter().map(|uci| (uci.from(), uci.to())).collect() };
    lines.len() > 1 && lines.iter().all(|line| squares(line) == squares(&lines[0]))
}

#[cfg(test)]
mod tests {
    use super::super::lasting::tests::{doubt, lines};
    use super::*;

    #[test]
    fn a_doubt_is_told_once_and_taken_back_once() {
        let mut doubts = Doubts::default();
        let both = "e2e4 e7e5|d2d4 e7e5";
        let rows = [
            (vec![doubt(3, both)], 4, vec![3]),
            (vec![doubt(3, "e2e4 e7e5 g1f3|d2d4 e7e5 g1f3")], 5, vec![]),
            (vec![doubt(3, "e2e4|d2d4|c2c4")], 5, vec![3]),
            (vec![doubt(3, "e2e4|d2d4|c2c4|…")], 5, vec![3]),
            (vec![], 6, vec![3]),
            (vec![], 7, vec![]),
            (vec![doubt(2, both), doubt(6, both)], 7, vec![2, 6]),
            (vec![doubt(2, both)], 5, vec![]),
        ];
        for (at, (found, len, told)) in rows.into_iter().enumerate() {
            let news = doubts.news(&found, len);
            let plies: Vec<Ply> = news.iter().map(|doubt| doubt.ply).collect();
            assert_eq!(plies, told, "row {at}");
        }
    }

    #[test]
    fn what_a_pawn_became_is_no_doubt_about_the_move() {
        for (text, only) in [
            ("e7e8q|e7e8n", true),
            ("e7e8q a2a3|e7d8q a2a3", false),
            ("e2e4", false),
            ("e2e4 e7e5|e2e4", false),
        ] {
            assert_eq!(only_promotions_differ(&lines(text)), only, "{text}");
        }
    }
}
