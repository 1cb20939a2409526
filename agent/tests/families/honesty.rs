//! Whether a record is right, or says itself where it may not be.

use std::collections::BTreeMap;

use agent::scoresheet::Scoresheet;
use protocol::{Fact, Uncertain};

/// More half-moves than these are not looked over to find where record and game meet again.
const REACH: usize = 24;

/// What a hub knows of a game: the record, and where it is uncertain.
#[derive(Default)]
pub(crate) struct Heard {
    sheet: Scoresheet,
    doubts: BTreeMap<usize, Uncertain>,
}

impl Heard {
    pub(crate) fn take(&mut self, fact: &Fact) {
        let before = self.moves();
        self.sheet.take(fact);
        if let Fact::Ambiguous(doubt) = fact {
            self.doubts.insert(doubt.ply as usize - 1, doubt.clone());
            self.doubts.retain(|_, doubt| !doubt.choices.is_empty());
        } else {
            let now = self.moves();
            let same = before.iter().zip(&now).take_while(|(a, b)| a == b);
            let same = same.count();
            self.doubts
                .retain(|&place, _| place < same || same == before.len());
        }
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        self.sheet.moves()
    }

    /// The record is the truth, or says where it may differ: the truth is among the choices there, or more are possible than
    /// are listed. Everything else is what is wrong.
    pub(crate) fn is_honest(&self, truth: &[String]) -> Result<(), String> {
        let mut line = self.moves();
        while line != truth {
            let same = line.iter().zip(truth).take_while(|(a, b)| a == b).count();
            if same == line.len() {
                return Err(format!("recorded {same} of {} half-moves", truth.len()));
            }
            line = self
                .chosen(&line, truth, same)
                .or_else(|| self.skipped(&line, truth, same))
                .ok_or_else(|| format!("half-move {} is wrong and sure", same + 1))?;
        }
        Ok(())
    }

    /// The line with a choice of some doubt that is the truth further than the record is.
    fn chosen(&self, line: &[String], truth: &[String], same: usize) -> Option<Vec<String>> {
        self.doubts.range(..=same).rev().find_map(|(&at, doubt)| {
            let own = doubt.choices.first()?;
            let others = doubt.choices.iter().skip(1);
            let mut true_ones =
                others.filter(|choice| at + choice.len() > same && truth[at..].starts_with(choice));
            let choice = true_ones.next().filter(|_| line[at..].starts_with(own))?;
            Some([&line[..at], choice, &line[at + own.len()..]].concat())
        })
    }

    /// The line with the truth where more was possible than is listed, up to where both go on alike.
    fn skipped(&self, line: &[String], truth: &[String], same: usize) -> Option<Vec<String>> {
        let open = self.doubts.get(&same).is_some_and(|doubt| doubt.more);
        let ways = (0..REACH).flat_map(|total| (0..=total).map(move |own| (own, total - own)));
        let mut meet = ways.filter(|&(own, played)| {
            let here = line.get(same + own..).zip(truth.get(same + played..));
            here.is_some_and(|(line, truth)| alike(line, truth)) && own + played > 0
        });
        let (own, played) = meet.next().filter(|_| open)?;
        let sure = |place: &usize| {
            !self.doubts.contains_key(place) && line.get(*place) != truth.get(*place)
        };
        (same..same + own)
            .all(|place| !sure(&place))
            .then(|| [&truth[..same + played], &line[same + own..]].concat())
    }
}

fn alike(line: &[String], truth: &[String]) -> bool {
    let next = line.len().min(truth.len()).min(3);
    line[..next] == truth[..next] && (next == 3 || line.len() == truth.len())
}
