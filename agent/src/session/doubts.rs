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

/// A half-move with the lines that could stand from it, the recorded one first.
type Doubt = (Ply, Vec<Vec<UciMove>>);

/// What the hub was told.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    told: BTreeMap<Ply, Vec<Vec<UciMove>>>,
    look_at: Option<Millis>,
}

impl Doubts {
    /// The record is another one: nothing was told of it.
    pub(super) fn forget(&mut self) {
        *self = Doubts::default();
    }

    /// When a young doubt is old enough to be told.
    pub(super) fn wake(&self) -> Option<Millis> {
        self.look_at
    }

    /// What is news in these doubts about a record of `len` half-moves of which the first `given` are not judged.
    fn news(&mut self, doubts: Vec<Doubt>, given: Ply, len: Ply) -> Vec<Doubt> {
        self.told.retain(|ply, _| *ply <= len);
        let over = |ply: &Ply| *ply > given && doubts.iter().all(|(doubted, _)| doubted != ply);
        let over: Vec<Ply> = self.told.keys().copied().filter(over).collect();
        let over: Vec<Doubt> = over.into_iter().map(|ply| (ply, Vec::new())).collect();
        let new = doubts
            .into_iter()
            .filter(|(ply, lines)| self.told.get(ply).is_none_or(|told| !go_on(told, lines)));
        let news: Vec<Doubt> = over.into_iter().chain(new).collect();
        for (ply, lines) in &news {
            match lines.is_empty() {
                true => self.told.remove(ply),
                false => self.told.insert(*ply, lines.clone()),
            };
        }
        news
    }
}

impl Device {
    /// Tells the hub which half-moves became uncertain, and which no longer are.
    pub(super) fn tell_doubts(&mut self, now: Millis) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        let (doubts, young) = recorder.doubts(now);
        self.doubts.look_at = young;
        let len = Ply::try_from(recorder.line.len()).unwrap_or(Ply::MAX);
        for (ply, lines) in self.doubts.news(doubts, recorder.number(0), len) {
            let choices = lines.iter().map(|line| words(line)).collect();
            self.say(now, Fact::Ambiguous(Uncertain { ply, choices }));
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
    /// The completed half-moves that are not sure, and when the youngest of them should be looked at again.
    fn doubts(&self, now: Millis) -> (Vec<Doubt>, Option<Millis>) {
        let mut doubts = Vec::new();
        let mut young = None;
        for ply in self.record().into_iter().filter(is_doubtful) {
            let due = ply.made + LASTING;
            if due <= now {
                doubts.push((self.number(ply.number), ply.choices));
            } else {
                young = Some(young.map_or(due, |other: Millis| other.min(due)));
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

/// The lines are those told, with what was played since.
fn go_on(told: &[Vec<UciMove>], lines: &[Vec<UciMove>]) -> bool {
    told.len() == lines.len()
        && told
            .iter()
            .all(|known| lines.iter().any(|line| line.starts_with(known)))
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

    #[test]
    fn a_doubt_is_told_once_and_taken_back_once() {
        let mut doubts = Doubts::default();
        let both = "e2e4 e7e5|d2d4 e7e5";
        let rows = [
            (vec![(3, lines(both))], 4, vec![3]),
            (vec![(3, lines("e2e4 e7e5 g1f3|d2d4 e7e5 g1f3"))], 5, vec![]),
            (vec![(3, lines("e2e4|d2d4|c2c4"))], 5, vec![3]),
            (vec![], 6, vec![3]),
            (vec![], 7, vec![]),
            (vec![(2, lines(both)), (6, lines(both))], 7, vec![2, 6]),
            (vec![(2, lines(both))], 5, vec![]),
        ];
        for (at, (found, len, told)) in rows.into_iter().enumerate() {
            let news = doubts.news(found, 1, len);
            let plies: Vec<Ply> = news.iter().map(|(ply, _)| *ply).collect();
            assert_eq!(plies, told, "row {at}");
        }
    }

    #[test]
    fn given_half_moves_keep_their_doubts() {
        let mut doubts = Doubts::default();
        doubts.news(vec![(3, lines("e2e4|d2d4"))], 0, 4);
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
