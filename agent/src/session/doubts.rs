//! Which half-moves of the record could as well be others, and what the hub was told of them.

use std::collections::BTreeMap;

use protocol::{Fact, Millis, Ply, Uncertain};
use shakmaty::uci::UciMove;

use super::device::Device;
use super::recorder::Recorder;
use crate::tracker;

/// Half-moves with less certainty are listed with their choices.
pub(super) const CERTAIN: f32 = 0.88;
/// What comes next mostly decides; a doubt is told when it has lasted this long, milliseconds.
const LASTING: Millis = 1_500;

/// What the peace of a board decides it has decided after this long, milliseconds.
const PEACE: Millis = 12_000;

/// A half-move with the lines that could stand from it, the recorded one first, and whether there are more than these.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Doubt {
    ply: Ply,
    lines: Vec<Vec<UciMove>>,
    more: bool,
}

/// What the hub was told.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    told: BTreeMap<Ply, Doubt>,
    look_at: Option<Millis>,
    /// Of an agent that ended before it told them; nothing is known any more that could decide them.
    inherited: Vec<Uncertain>,
}

impl Doubts {
    /// The record is another one: nothing was told of it.
    pub(super) fn forget(&mut self) {
        *self = Doubts::default();
    }

    /// What an agent before this one did not tell about half-moves that are not judged again.
    pub(super) fn inherit(&mut self, untold: &[Uncertain], given: usize) {
        let is_given =
            |doubt: &&Uncertain| usize::try_from(doubt.ply).is_ok_and(|ply| ply <= given);
        self.inherited = untold.iter().filter(is_given).cloned().collect();
    }

    /// When a young doubt is old enough to be told.
    pub(super) fn wake(&self) -> Option<Millis> {
        self.look_at
    }

    /// What is news in these doubts about a record of `len` half-moves of which the first `given` are not judged.
    fn news(&mut self, doubts: Vec<Doubt>, given: Ply, len: Ply) -> Vec<Doubt> {
        self.told.retain(|ply, _| *ply <= len);
        let over = |ply: &Ply| *ply > given && doubts.iter().all(|doubt| doubt.ply != *ply);
        let over: Vec<Ply> = self.told.keys().copied().filter(over).collect();
        let over: Vec<Doubt> = over.into_iter().map(Doubt::over).collect();
        let new = doubts.into_iter().filter(|doubt| {
            !self
                .told
                .get(&doubt.ply)
                .is_some_and(|told| doubt.goes_on(told))
        });
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
    /// Tells the hub what an agent before this one found doubtful.
    pub(super) fn tell_inherited_doubts(&mut self, now: Millis) {
        for doubt in std::mem::take(&mut self.doubts.inherited) {
            self.memory.untold.retain(|untold| *untold != doubt);
            self.dirty = true;
            self.say(now, Fact::Ambiguous(doubt));
        }
    }

    /// Tells the hub which half-moves became uncertain, and which no longer are.
    pub(super) fn tell_doubts(&mut self, now: Millis) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        let (doubts, young) = recorder.doubts(now);
        self.doubts.look_at = young.iter().map(|(due, _)| *due).min();
        let len = Ply::try_from(recorder.line.len()).unwrap_or(Ply::MAX);
        for doubt in self.doubts.news(doubts, recorder.number(0), len) {
            self.say(now, Fact::Ambiguous(doubt.to_wire()));
        }
        if !self.doubts.told.is_empty() && now < self.last_change + PEACE {
            let again = now + LASTING;
            self.doubts.look_at = Some(self.doubts.look_at.map_or(again, |at| at.min(again)));
        }
        self.keep_untold(young.iter().map(|(_, doubt)| doubt.to_wire()).collect());
    }

    fn keep_untold(&mut self, untold: Vec<Uncertain>) {
        self.dirty |= untold != self.memory.untold;
        self.memory.untold = untold;
    }
}

impl Doubt {
    /// The half-move is certain again.
    fn over(ply: Ply) -> Doubt {
        Doubt {
            ply,
            lines: Vec::new(),
            more: false,
        }
    }

    /// The lines are those told, with what was played since.
    fn goes_on(&self, told: &Doubt) -> bool {
        told.more == self.more
            && told.lines.len() == self.lines.len()
            && told
                .lines
                .iter()
                .all(|known| self.lines.iter().any(|line| line.starts_with(known)))
    }

    fn to_wire(&self) -> Uncertain {
        Uncertain {
            ply: self.ply,
            choices: self.lines.iter().map(|line| words(line)).collect(),
            more: self.more,
        }
    }
}

impl Device {
    /// No half-move up to this one has another that is nearly as likely.
    pub(super) fn is_sure_up_to(&self, last: Ply) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| {
            let record = recorder.record();
            let mut seen = record
                .iter()
                .filter(|ply| recorder.number(ply.number) <= last);
            !seen.any(is_doubtful)
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

fn words(line: &[UciMove]) -> Vec<String> {
    line.iter().map(UciMove::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Vec<UciMove>> {
        let line = |text: &str| {
            text.split_whitespace()
                .map(|uci| uci.parse().expect("a move"))
                .collect()
        };
        text.split('|').map(line).collect()
    }

    fn doubt(ply: Ply, text: &str) -> Doubt {
        let (text, more) = text
            .strip_suffix("|…")
            .map_or((text, false), |text| (text, true));
        Doubt {
            ply,
            lines: lines(text),
            more,
        }
    }

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
            let news = doubts.news(found, 1, len);
            let plies: Vec<Ply> = news.iter().map(|doubt| doubt.ply).collect();
            assert_eq!(plies, told, "row {at}");
        }
    }

    #[test]
    fn given_half_moves_keep_their_doubts() {
        let mut doubts = Doubts::default();
        doubts.news(vec![doubt(3, "e2e4|d2d4")], 0, 4);
        assert!(doubts.news(Vec::new(), 3, 4).is_empty());
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
