//! Which clock readings are believed: what hands and springs cannot have done is heard twice first.

use super::clock::RawReading;
use crate::devices::{ClockFace, ClockSide, Disbelief, Flag};

/// The last believed reading, and the one that waits for a second witness.
#[derive(Debug, Default)]
pub(super) struct Belief {
    last: Option<RawReading>,
    doubted: Option<(RawReading, u8)>,
    reconnected: bool,
}

const HOUR: u32 = 3_600;
const AGREES_WITHIN: u32 = 15;
const SUDDEN: u32 = 5;

impl Belief {
    /// The chessclock went away: its first reading afterwards means nothing.
    pub(super) fn disconnected(&mut self) {
        *self = Belief {
            reconnected: true,
            ..Belief::default()
        };
    }

    /// The last reading that was believed.
    pub(super) fn last(&self) -> Option<RawReading> {
        self.last
    }

    /// The reading before, when this one is believed.
    pub(super) fn judge(&mut self, reading: RawReading) -> Result<Option<RawReading>, Disbelief> {
        if std::mem::take(&mut self.reconnected) {
            return Err(Disbelief::FirstAfterConnection);
        }
        if let Some(doubt) = self.doubt(&reading) {
            self.second_witness(reading, doubt)?;
        }
        self.doubted = None;
        Ok(self.last.replace(reading))
    }

    fn doubt(&self, reading: &RawReading) -> Option<Disbelief> {
        let Some(last) = self.last else {
            return all_zero(reading).then_some(Disbelief::SuddenZero);
        };
        if !(last.running && reading.running) {
            return None;
        }
        let sides = [ClockSide::Left, ClockSide::Right];
        let by_side = |doubts: fn(ClockFace, ClockFace) -> bool| {
            sides
                .into_iter()
                .any(|side| doubts(last.face(side), reading.face(side)))
        };
        let pressed = last.high != reading.high;
        let risen = |side: ClockSide| {
            !(pressed && side == last.high) && rises(last.face(side), reading.face(side))
        };
        if by_side(jumps) {
            Some(Disbelief::Jump)
        } else if by_side(drops_to_zero) {
            Some(Disbelief::SuddenZero)
        } else {
            sides.into_iter().any(risen).then_some(Disbelief::Rise)
        }
    }

    fn second_witness(&mut self, reading: RawReading, doubt: Disbelief) -> Result<(), Disbelief> {
        let before = match self.doubted {
            Some((doubted, times)) if agree(&doubted, &reading) => times,
            _ => 0,
        };
        self.doubted = Some((reading, before + 1));
        if before + 1 >= witnesses(doubt) {
            Ok(())
        } else {
            Err(doubt)
        }
    }
}

fn witnesses(doubt: Disbelief) -> u8 {
    if doubt == Disbelief::Jump { 3 } else { 2 }
}

fn next_period(before: ClockFace, after: ClockFace) -> bool {
    before.flag == Flag::Up && after.flag == Flag::Shown
}

fn jumps(before: ClockFace, after: ClockFace) -> bool {
    before.seconds.abs_diff(after.seconds) > HOUR && !next_period(before, after)
}

fn rises(before: ClockFace, after: ClockFace) -> bool {
    after.seconds > before.seconds && !next_period(before, after)
}

fn drops_to_zero(before: ClockFace, after: ClockFace) -> bool {
    after.seconds == 0 && before.seconds > SUDDEN && after.flag == Flag::Up
}

fn all_zero(reading: &RawReading) -> bool {
    let zero = |face: ClockFace| face.seconds == 0 && face.flag == Flag::Up;
    zero(reading.left) && zero(reading.right)
}

fn agree(a: &RawReading, b: &RawReading) -> bool {
    [ClockSide::Left, ClockSide::Right]
        .into_iter()
        .all(|side| a.face(side).seconds.abs_diff(b.face(side).seconds) <= AGREES_WITHIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reading in words: `left right`, each with `!` blocked or `*` shown, then `<` or `>` for the running
    /// side, or `.<` `.>` when stopped.
    fn reading(words: &str) -> RawReading {
        let words: Vec<&str> = words.split(' ').collect();
        RawReading {
            left: face(words[0]),
            right: face(words[1]),
            running: !words[2].starts_with('.'),
            high: if words[2].ends_with('<') {
                ClockSide::Left
            } else {
                ClockSide::Right
            },
            low_battery: false,
        }
    }

    fn face(word: &str) -> ClockFace {
        let flag = match word.chars().last() {
            Some('!') => Flag::Blocked,
            Some('*') => Flag::Shown,
            _ => Flag::Up,
        };
        let seconds = word
            .trim_end_matches(['!', '*'])
            .parse()
            .expect("rows hold seconds");
        ClockFace {
            seconds,
            flag,
            per_move: false,
        }
    }

    #[test]
    fn impossible_readings_need_a_second_witness() {
        use Disbelief::{Jump, Rise, SuddenZero};
        let rows: [(&[&str], &[Option<Disbelief>]); 10] = [
            (
                &[
                    "182 182 <",
                    "181 182 <",
                    "183 182 >",
                    "183 181 >",
                    "183 184 <",
                ],
                &[None; 5],
            ),
            (
                &["100 100 <", "99 101 <", "98 101 <"],
                &[None, Some(Rise), None],
            ),
            (
                &["100 100 <", "0 100 <", "99 100 <"],
                &[None, Some(SuddenZero), None],
            ),
            (&["2 100 <", "0! 100 .<"], &[None, None]),
            (&["100 100 .<", "5400 5400 .<"], &[None, None]),
            (
                &["7000 100 <", "100 100 <", "100 99 >"],
                &[None, Some(Jump), Some(Jump)],
            ),
            (
                &["7000 100 <", "100 100 <", "99 100 <", "98 100 <"],
                &[None, Some(Jump), Some(Jump), None],
            ),
            (&["1 100 <", "3630* 100 <"], &[None, None]),
            (&["0 0 .<", "300 300 .<"], &[Some(SuddenZero), None]),
            (&["0 0 .<", "0 0 .<"], &[Some(SuddenZero), None]),
        ];
        for (readings, expect) in rows {
            let mut belief = Belief::default();
            let judged: Vec<_> = readings
                .iter()
                .map(|words| belief.judge(reading(words)).err())
                .collect();
            assert_eq!(judged, expect, "{readings:?}");
        }
    }

    #[test]
    fn the_first_reading_after_a_connection_means_nothing() {
        let mut belief = Belief::default();
        belief.disconnected();
        assert_eq!(
            belief.judge(reading("0 0 .<")),
            Err(Disbelief::FirstAfterConnection)
        );
        assert_eq!(belief.judge(reading("300 300 .<")), Ok(None));
    }
}
