//! What may have been played while nothing was told: a dump after a silence shows a position, not how many moves led there.

use shakmaty::{Chess, Move, Position};

use super::board::readings_of;
use super::core::Core;
use super::doubt::{Doubt, Other};
use super::hypothesis::Id;
use super::observation::{Millis, Readings};
use super::recover::{Breadth, lines};

/// A board that told nothing for so long, and then more than one move, has lost more than a message.
const SILENCE: Millis = 1500;
/// Positions looked at for longer lines, at most.
const BUDGET: u32 = 3_000;
/// A player who moved a piece twice moved it by another way: two plies more.
const LONGER: usize = 2;
/// A line with more plies than this has too many longer ones to look for; that there are some goes without saying.
pub(super) const COUNTABLE: usize = 3;
/// Longer lines listed.
const MOST_LINES: usize = 12;
/// How sure plies are of which only the end is known.
const CERTAINTY: f32 = 0.75;
/// The same as a margin.
const MARGIN: f64 = 1.1;

impl Core {
    /// A dump brought more than one move after the board had told nothing for so long.
    pub(super) fn note_silence(&mut self, silent: Millis) {
        if silent >= SILENCE {
            self.silence = Some(self.now);
        }
    }

    /// Finds the plies that only the dump after a silence told, and what else may have been played there.
    pub(super) fn note_hidden(&mut self, best: Id) {
        let Some(told) = self.silence else { return };
        let path = self.tree.path(best);
        let by_dump = |id: &&Id| self.node(**id).at == told;
        let stretch: Vec<Id> = path
            .iter()
            .skip_while(|id| !by_dump(id))
            .take_while(by_dump)
            .copied()
            .collect();
        let (Some(&first), Some(&last)) = (stretch.first(), stretch.last()) else {
            return;
        };
        let line: Vec<Move> = stretch
            .iter()
            .filter_map(|&id| self.node(id).step.map(|step| step.mv))
            .collect();
        let from = self.past.len() + path.iter().take_while(|&&id| id != first).count();
        let known = |doubt: &Doubt| doubt.from == from && doubt.line == line;
        if line.len() < 2 || self.doubts.iter().any(known) {
            return;
        }
        let (others, more) = self.other_lines(first, last, &line);
        if more || !others.is_empty() {
            self.doubt(Doubt {
                from,
                line,
                others,
                most: CERTAINTY,
                more,
            });
        }
    }

    /// Lines from before the first of these plies to the position after the last, as many plies or more; and whether there
    /// may be others.
    fn other_lines(&self, first: Id, last: Id, line: &[Move]) -> (Vec<Other>, bool) {
        let Some(before) = self.node(first).parent else {
            return (Vec::new(), true);
        };
        let (before, last) = (&self.node(before).position, self.node(last));
        let target = last.pred.map(|piece| self.sensing.see(piece));
        let mut budget = BUDGET;
        let (mut others, mut more) = (Vec::new(), line.len() > COUNTABLE);
        for plies in [line.len(), line.len() + LONGER] {
            let how = (plies as u32, Breadth::All);
            let found = lines(before, &target, self.sensing, how, &mut budget);
            more |= !found.all;
            let found = found.lines.into_iter().map(|(_, line)| line);
            others
                .extend(found.filter(|other| other != line && leads_to(before, other, &last.pred)));
        }
        let others = others.into_iter().take(MOST_LINES);
        let worse = |line| Other {
            line,
            worse: MARGIN,
        };
        (others.map(worse).collect(), more)
    }
}

/// These pieces stand on the board after the line.
fn leads_to(before: &Chess, line: &[Move], pieces: &Readings) -> bool {
    let mut position = before.clone();
    line.iter().for_each(|&mv| position.play_unchecked(mv));
    readings_of(position.board()) == *pieces
}

#[cfg(test)]
mod tests {
    use super::super::{Observation, Readings, Setup, Tracker};
    use shakmaty::{Chess, fen::Fen};

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(shakmaty::CastlingMode::Standard)
            .expect("a position")
    }

    fn board(fen: &str) -> Box<Readings> {
        Box::new(*Tracker::new(Setup::from_position(position(fen))).readings())
    }

    /// Kings went a square each while the link was down: or by a detour.
    #[test]
    fn after_a_silence_the_number_of_moves_is_not_known() {
        let (start, end) = (
            "8/p7/8/8/8/6k1/P7/4K3 w - - 0 1",
            "8/p7/8/8/8/5k2/P7/3K4 w - - 2 2",
        );
        for (silent, settled, longest) in [(6000, false, 4), (300, true, 3)] {
            let mut tracker = Tracker::new(Setup::from_position(position(start)));
            tracker.observe(0, Observation::Dump(board(start)));
            tracker.observe(silent, Observation::Dump(board(end)));
            tracker.tick(silent + 12_000);
            let record = tracker.record();
            assert_eq!(record.len(), 2, "the shortest line is recorded");
            assert_eq!(
                record[1].settled.is_some(),
                settled,
                "silent for {silent} ms"
            );
            let lines = record[0].choices.iter();
            assert_eq!(lines.map(Vec::len).max(), Some(longest));
        }
    }
}
