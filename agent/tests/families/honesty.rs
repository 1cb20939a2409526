//! Whether a record is right, or says itself where it may not be.

use std::collections::BTreeMap;
use std::ops::Range;

use agent::scoresheet::Scoresheet;
use protocol::{Fact, Uncertain};

/// More half-moves than these are not looked over to find where record and game meet again.
const REACH: usize = 24;

/// What a hub knows of a game: the record, and where it is uncertain.
#[derive(Default)]
pub(crate) struct Heard {
    sheet: Scoresheet,
    doubts: BTreeMap<usize, Uncertain>,
    unexplained: bool,
}

impl Heard {
    pub(crate) fn take(&mut self, fact: &Fact) {
        let before = self.moves();
        self.sheet.take(fact);
        match fact {
            Fact::Unexplained { .. } => self.unexplained = true,
            Fact::Explained => self.unexplained = false,
            _ => {}
        }
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
        let mut rest = Reader {
            line: self.moves(),
            doubts: self.doubts.clone(),
        };
        while rest.line != truth {
            let alike = rest.line.iter().zip(truth);
            let same = alike.take_while(|(a, b)| a == b).count();
            if same == rest.line.len() {
                return Err(format!("recorded {same} of {} half-moves", truth.len()));
            }
            if !(rest.choose(truth, same) || rest.skip(truth, same)) {
                let open = (same..rest.line.len()).all(|at| rest.doubts.contains_key(&at));
                let said = open && rest.doubts[&same].more;
                let wrong = format!("half-move {} is wrong and sure", same + 1);
                return if said { Ok(()) } else { Err(wrong) };
            }
        }
        Ok(())
    }

    /// The arbiter was told that the board is not as the record says.
    pub(crate) fn asks_for_help(&self) -> bool {
        self.unexplained
    }
}

/// One who reads a record beside the truth, and takes what is doubtful for what it was.
struct Reader {
    line: Vec<String>,
    doubts: BTreeMap<usize, Uncertain>,
}

impl Reader {
    /// Takes a choice of some doubt that is the truth further than the record is.
    fn choose(&mut self, truth: &[String], same: usize) -> bool {
        let line = &self.line;
        let found = self.doubts.range(..=same).rev().find_map(|(&at, doubt)| {
            let own = doubt.choices.first()?;
            let others = doubt.choices.iter().skip(1);
            let mut true_ones =
                others.filter(|choice| at + choice.len() > same && truth[at..].starts_with(choice));
            let choice = true_ones.next().filter(|_| line[at..].starts_with(own))?;
            Some((at..at + own.len(), choice.clone()))
        });
        found.is_some_and(|(own, choice)| self.replace(own, &choice))
    }

    /// Takes the truth where more was possible than is listed, up to where both go on alike.
    fn skip(&mut self, truth: &[String], same: usize) -> bool {
        let line = &self.line;
        let open = self.doubts.get(&same).is_some_and(|doubt| doubt.more);
        let ways = (0..REACH).flat_map(|total| (0..=total).map(move |own| (own, total - own)));
        let mut meet = ways.filter(|&(own, played)| {
            let here = line.get(same + own..).zip(truth.get(same + played..));
            here.is_some_and(|(line, truth)| alike(line, truth)) && own + played > 0
        });
        let Some((own, played)) = meet.next().filter(|_| open) else {
            return false;
        };
        let sure = |place: &usize| {
            !self.doubts.contains_key(place) && line.get(*place) != truth.get(*place)
        };
        let all = (same..same + own).all(|place| !sure(&place));
        all && self.replace(same..same + own, &truth[same..same + played])
    }

    /// What stood there is something else; the doubts about what comes after it go with it.
    fn replace(&mut self, own: Range<usize>, instead: &[String]) -> bool {
        let after = self.doubts.split_off(&own.end);
        let moved = after
            .into_iter()
            .map(|(at, doubt)| (at - own.len() + instead.len(), doubt));
        self.doubts.extend(moved.collect::<Vec<_>>());
        self.line.splice(own, instead.iter().cloned());
        true
    }
}

fn alike(line: &[String], truth: &[String]) -> bool {
    let next = line.len().min(truth.len()).min(3);
    line[..next] == truth[..next] && (next == 3 || line.len() == truth.len())
}
