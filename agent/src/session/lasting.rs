//! Doubts about half-moves that outlive the tracker that found them: an agent that starts again, or a gap in what was heard.
//!
//! **Who was not there lifts no doubt**: only the board's own log, when it tells everything, or the hub's own record does.

use protocol::{Ply, Uncertain};
use shakmaty::uci::UciMove;

use super::device::Device;

/// Lines of one half-move that are listed.
const MOST_LINES: usize = 16;

/// A half-move with the lines that could stand from it, the recorded one first, and whether there are more than these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) ply: Ply,
    pub(super) lines: Vec<Vec<UciMove>>,
    pub(super) more: bool,
}

impl Doubt {
    /// The half-move is certain again.
    pub(super) fn over(ply: Ply) -> Doubt {
        Doubt {
            ply,
            lines: Vec::new(),
            more: false,
        }
    }

    /// The lines are those told, with what was played since.
    pub(super) fn goes_on(&self, told: &Doubt) -> bool {
        told.more == self.more
            && told.lines.len() == self.lines.len()
            && told
                .lines
                .iter()
                .all(|known| self.lines.iter().any(|line| line.starts_with(known)))
    }

    pub(super) fn to_wire(&self) -> Uncertain {
        let words = |line: &Vec<UciMove>| line.iter().map(UciMove::to_string).collect();
        Uncertain {
            ply: self.ply,
            choices: self.lines.iter().map(words).collect(),
            more: self.more,
        }
    }

    pub(super) fn from_wire(kept: &Uncertain) -> Doubt {
        let line = |words: &Vec<String>| words.iter().map_while(|uci| uci.parse().ok()).collect();
        Doubt {
            ply: kept.ply,
            lines: kept.choices.iter().map(line).collect(),
            more: kept.more,
        }
    }

    /// The doubt as it is about a record that may have become another since; none while the record does not go so far.
    fn in_record(&self, record: &[Option<UciMove>]) -> Option<Doubt> {
        let own = self.lines.first()?;
        let here = record.get(index(self.ply)..)?;
        let now: Vec<UciMove> = here
            .iter()
            .take(own.len())
            .copied()
            .map_while(|uci| uci)
            .collect();
        if now == *own {
            return Some(self.clone());
        }
        let others = self.lines.iter().filter(|line| **line != now).cloned();
        (!now.is_empty()).then(|| Doubt {
            ply: self.ply,
            lines: std::iter::once(now.clone()).chain(others).collect(),
            more: true,
        })
    }

    /// Both doubts at once; both are about the same half-move of the same record.
    fn join(&mut self, other: &Doubt) {
        let own = |doubt: &Doubt| doubt.lines.first().cloned().unwrap_or_default();
        let (mine, theirs) = (own(self), own(other));
        let longer = if mine.len() < theirs.len() {
            &theirs
        } else {
            &mine
        };
        let mut lines: Vec<Vec<UciMove>> = Vec::new();
        for (doubt, own) in [(&*self, mine.len()), (other, theirs.len())] {
            for line in &doubt.lines {
                let whole = [line, &longer[own..]].concat();
                if !lines.contains(&whole) {
                    lines.push(whole);
                }
            }
        }
        self.more |= other.more || lines.len() > MOST_LINES;
        lines.truncate(MOST_LINES);
        self.lines = lines;
    }
}

impl Device {
    /// What the tracker doubts, together with what was doubted before it was there, and what nobody saw.
    pub(super) fn with_lasting(&self, doubts: Vec<Doubt>) -> Vec<Doubt> {
        let unseen = self.unseen();
        if self.doubts.lasting.is_empty() && unseen.is_empty() {
            return doubts;
        }
        let record = self.moves();
        let mut all: std::collections::BTreeMap<Ply, Doubt> =
            doubts.into_iter().map(|doubt| (doubt.ply, doubt)).collect();
        let mut add = |doubt: Doubt| {
            let place = all.entry(doubt.ply);
            place
                .and_modify(|known| known.join(&doubt))
                .or_insert(doubt);
        };
        let lasting = self.doubts.lasting.iter();
        lasting
            .filter_map(|doubt| doubt.in_record(&record))
            .for_each(&mut add);
        for ply in unseen {
            let own = record.get(index(ply)).copied().flatten();
            own.into_iter().for_each(|own| {
                add(Doubt {
                    ply,
                    lines: vec![vec![own]],
                    more: true,
                });
            });
        }
        all.into_values().collect()
    }

    /// The legal moves of the record, each at its place.
    fn moves(&self) -> Vec<Option<UciMove>> {
        let legal = |played: &protocol::Played| match played {
            protocol::Played::Legal(uci) => uci.parse().ok(),
            protocol::Played::Irregular { .. } => None,
        };
        self.memory.played().map(legal).collect()
    }
}

fn index(ply: Ply) -> usize {
    usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::session) fn lines(text: &str) -> Vec<Vec<UciMove>> {
        let line = |text: &str| {
            text.split_whitespace()
                .map(|uci| uci.parse().expect("a move"))
                .collect()
        };
        text.split('|').map(line).collect()
    }

    /// `ply`, and lines apart by `|`; the last one `…` where there are more.
    pub(in crate::session) fn doubt(ply: Ply, text: &str) -> Doubt {
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
    fn a_lasting_doubt_follows_the_record() {
        let both = "d2d4 e7e5|e2e4 e7e5";
        let rows = [
            ("d2d4 e7e5 g1f3", Some(both)),
            ("d2d4 d7d5 g1f3", Some("d2d4 d7d5|d2d4 e7e5|e2e4 e7e5|…")),
            ("c2c4", Some("c2c4|d2d4 e7e5|e2e4 e7e5|…")),
            ("", None),
        ];
        for (record, found) in rows {
            let record: Vec<Option<UciMove>> = lines(record)[0].iter().copied().map(Some).collect();
            let here = doubt(1, both).in_record(&record);
            assert_eq!(here, found.map(|text| doubt(1, text)), "{record:?}");
        }
    }

    #[test]
    fn two_doubts_about_one_half_move_list_the_lines_of_both() {
        let mut one = doubt(1, "d2d4 e7e5|e2e4 e7e5");
        one.join(&doubt(1, "d2d4|c2c4|…"));
        assert_eq!(one, doubt(1, "d2d4 e7e5|e2e4 e7e5|c2c4 e7e5|…"));
    }
}
