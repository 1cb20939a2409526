//! A memory that was written before the last facts were: what they say is added to it.
//!
//! Facts are on the disk, and on their way to the hub, a moment before the memory they belong to. An agent killed in between would
//! begin behind what the hub knows already.

use protocol::{Boot, Envelope, Fact, Played, Ply, Seq};

use super::doubts::CERTAIN;
use super::memory::{KeptPly, Memory};
use super::way::trail_after;

impl Memory {
    /// Adds what the facts say that were stated after the last one this memory rests on. Takes them in the order in which
    /// they were stated; earlier ones are passed over.
    pub fn catch_up(&mut self, facts: &[Envelope]) {
        let said = self.said.clone();
        let known = |fact: &Envelope| {
            Some((&fact.boot, fact.seq)) == said.as_ref().map(|(boot, seq)| (boot, *seq))
        };
        let first = facts.iter().position(known).map_or(0, |at| at + 1);
        let after = |fact: &&Envelope| {
            let rests = said.as_ref().filter(|(boot, _)| *boot == fact.boot);
            rests.is_none_or(|(_, seq)| fact.seq > *seq)
        };
        let mut dumped = None;
        for fact in facts[first..].iter().filter(after) {
            self.add(fact, &mut dumped);
            self.said = Some((fact.boot.clone(), fact.seq));
        }
    }

    fn add<'a>(&mut self, envelope: &'a Envelope, dumped: &mut Option<&'a Boot>) {
        let told = (envelope.boot.clone(), envelope.seq);
        match &envelope.fact {
            Fact::Made {
                ply,
                played,
                certainty,
                ..
            } => self.put(*ply, std::slice::from_ref(played), *certainty, &told),
            Fact::Revised {
                from_ply,
                line,
                certainty,
            } => self.put(*from_ply, line, *certainty, &told),
            Fact::Retracted { from_ply } => self.put(*from_ply, &[], 1.0, &told),
            Fact::Completed { ply, .. } => {
                self.completed = self.completed.max(count(*ply)).min(self.line.len());
            }
            Fact::Settled { ply } => {
                self.settle(count(*ply));
            }
            Fact::Ambiguous(doubt) => {
                self.doubts.retain(|known| known.ply != doubt.ply);
                if !doubt.choices.is_empty() {
                    self.doubts.push(doubt.clone());
                }
            }
            Fact::Squares { changes } => {
                let changes = changes
                    .iter()
                    .map(|(square, piece)| (square.0, piece.and_then(shakmaty::Piece::from_char)));
                self.heard += changes.len() as u64;
                self.trail = trail_after(&self.trail, changes);
            }
            // In which order they changed nobody knows.
            Fact::Dump { .. } if dumped.replace(&envelope.boot) == Some(&envelope.boot) => {
                self.trail.clear();
            }
            Fact::Logged { .. } => {
                self.gap = None;
                self.trail.clear();
            }
            Fact::SetUp { correct: true, .. } => self.begin(),
            _ => {}
        }
    }

    fn put(&mut self, from: Ply, line: &[Played], certainty: f32, told: &(Boot, Seq)) {
        let at = count(from).saturating_sub(1);
        if at > self.line.len() {
            return;
        }
        let (open, heard) = (certainty < CERTAIN, self.heard);
        let same = line
            .iter()
            .zip(&self.line[at..])
            .take_while(|(now, then)| **now == then.played);
        let same = same.count();
        self.line.truncate(at + same);
        self.line.extend(line[same..].iter().map(|played| KeptPly {
            played: played.clone(),
            told: Some(told.clone()),
            open,
            heard,
        }));
        self.completed = self.completed.min(self.line.len());
        self.doubts.retain(|doubt| count(doubt.ply) <= at + same);
    }

    /// The position the game starts from stands on the board; a board without a hub begins another game.
    fn begin(&mut self) {
        self.set_up = true;
        (self.trail, self.heard) = (String::new(), 0);
        if self.control.is_none() {
            self.line.clear();
            self.doubts.clear();
            (self.completed, self.gap, self.unseen) = (0, None, None);
        }
    }
}

fn count(ply: Ply) -> usize {
    usize::try_from(ply).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Side, Timestamp, Uncertain};

    fn fact(seq: Seq, fact: Fact) -> Envelope {
        Envelope {
            agent: "a1".parse().expect("good"),
            boot: "b1".parse().expect("good"),
            seq,
            at: Timestamp(0),
            offset: None,
            fact,
        }
    }

    fn made(seq: Seq, ply: Ply, uci: &str) -> Envelope {
        let made = Fact::Made {
            ply,
            played: Played::Legal(uci.to_owned()),
            by: Side::White,
            certainty: 0.5,
            squares: Vec::new(),
            after_ms: 0,
        };
        fact(seq, made)
    }

    #[test]
    fn what_was_told_after_a_memory_was_written_is_added_once() {
        let doubt = Uncertain {
            ply: 2,
            choices: vec![vec!["e7e5".to_owned()]],
            more: true,
        };
        let facts = [
            made(1, 1, "d2d4"),
            made(2, 1, "e2e4"),
            made(3, 2, "e7e5"),
            fact(4, Fact::Ambiguous(doubt.clone())),
            fact(5, Fact::Settled { ply: 1 }),
            made(6, 9, "a2a3"),
        ];
        for known in 0..facts.len() {
            let mut memory = Memory::fresh("dgt-1".parse().expect("good"));
            memory.catch_up(&facts[..known]);
            memory.catch_up(&facts);
            let line: Vec<&Played> = memory.played().collect();
            let moves = ["e2e4", "e7e5"].map(|uci| Played::Legal(uci.to_owned()));
            assert_eq!(line, moves.iter().collect::<Vec<_>>(), "known {known}");
            assert_eq!((memory.given(), &memory.doubts), (1, &vec![doubt.clone()]));
            assert_eq!(memory.said.clone().map(|(_, seq)| seq), Some(6));
        }
    }
}
