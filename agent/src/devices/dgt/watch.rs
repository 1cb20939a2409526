//! Is the board still there, and do we still know what stands on it? Every timer of a line that is in use.

use super::command::HostCommand;
use super::pacing::Pacing;
use crate::devices::Millis;

/// The timers of a line in use.
#[derive(Debug)]
pub(super) struct Watch {
    bluetooth: bool,
    was_deaf: bool,
    last_heard: Millis,
    asked_alive: Millis,
    last_change: Millis,
    dump_wanted: bool,
    asked_dump: Option<Millis>,
    last_clock: Millis,
    asked_clock: Millis,
    clock_runs: bool,
    clock_misses: u8,
    asked_battery: Millis,
}

/// What a timer found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alarm {
    /// The board fell silent.
    Lost,
    /// The chessclock fell silent.
    ClockSilent,
}

const ALIVE: Millis = 1_000;
const ALIVE_BLUETOOTH: Millis = 3_000;
const PAUSE: Millis = 2_000;
const LOST: Millis = 5_000;
const QUIET: Millis = 15_000;
const DUMP_AGAIN: Millis = 1_000;
const CLOCK: Millis = 5_000;
/// A running chessclock is told of once a second; after two missed beats the board may have forgotten to tell.
const BEATS: Millis = 2_500;
const CLOCK_MISSES: u8 = 3;
const BATTERY: Millis = 60_000;

impl Watch {
    /// Begins to watch a board that has just answered, and asks for everything there is to know.
    pub(super) fn begin(now: Millis, bluetooth: bool, pacing: &mut Pacing) -> Watch {
        let watch = Watch {
            bluetooth,
            was_deaf: false,
            last_heard: now,
            asked_alive: now,
            last_change: now,
            dump_wanted: true,
            asked_dump: Some(now),
            last_clock: now,
            asked_clock: now,
            clock_runs: false,
            clock_misses: 0,
            asked_battery: now,
        };
        watch.ask_everything(pacing);
        pacing.send(HostCommand::Hardware);
        if bluetooth {
            pacing.send(HostCommand::Battery);
        }
        watch
    }

    /// A whole message arrived. After a pause the board may have been switched off and on, and then it has
    /// forgotten that we want to be told.
    pub(super) fn heard(&mut self, now: Millis, pacing: &mut Pacing) {
        if now >= self.last_heard + self.longer(PAUSE, ALIVE_BLUETOOTH * 2) && !self.was_deaf {
            self.want_dump();
            self.asked_dump = Some(now);
            self.ask_everything(pacing);
        }
        self.last_heard = now;
    }

    /// A square changed.
    pub(super) fn square_changed(&mut self, now: Millis) {
        self.last_change = now;
    }

    /// The whole board arrived.
    pub(super) fn dumped(&mut self, now: Millis) {
        self.last_change = now;
        self.dump_wanted = false;
        self.asked_dump = None;
    }

    /// The chessclock said something.
    pub(super) fn clock_heard(&mut self, now: Millis) {
        self.last_clock = now;
        self.clock_misses = 0;
    }

    /// Whether the chessclock runs, and so has something new to say every second.
    pub(super) fn clock_runs(&mut self, runs: bool) {
        self.clock_runs = runs;
    }

    /// Something may have been missed.
    pub(super) fn want_dump(&mut self) {
        self.dump_wanted = true;
    }

    /// What the board said must be heard twice.
    pub(super) fn want_dump_at_once(&mut self) {
        self.dump_wanted = true;
        self.asked_dump = None;
    }

    /// Asks what is due.
    pub(super) fn tick(&mut self, now: Millis, pacing: &mut Pacing) -> Option<Alarm> {
        if self.stands_still(now, pacing) {
            return None;
        }
        if now >= self.lost_at() {
            return Some(Alarm::Lost);
        }
        self.ask_alive(now, pacing);
        self.ask_board(now, pacing);
        self.ask_battery(now, pacing);
        self.ask_clock(now, pacing)
    }

    /// When to call [`tick`](Self::tick).
    pub(super) fn wake(&self) -> Millis {
        let battery = if self.bluetooth {
            self.asked_battery + BATTERY
        } else {
            Millis::MAX
        };
        [
            self.lost_at(),
            self.alive_at(),
            self.dump_at(),
            self.clock_at(),
            battery,
        ]
        .into_iter()
        .min()
        .unwrap_or(Millis::MAX)
    }

    /// A board that sends its memory can neither answer nor be lost.
    fn stands_still(&mut self, now: Millis, pacing: &Pacing) -> bool {
        let deaf = pacing.is_deaf(now);
        if deaf || self.was_deaf {
            self.last_heard = now;
        }
        self.was_deaf = deaf;
        deaf
    }

    fn ask_everything(&self, pacing: &mut Pacing) {
        pacing.send(HostCommand::UpdateNice);
        pacing.send(HostCommand::Dump);
        pacing.send(HostCommand::Clock);
    }

    fn ask_alive(&mut self, now: Millis, pacing: &mut Pacing) {
        if now >= self.alive_at() {
            self.asked_alive = now;
            pacing.send(HostCommand::Serial);
        }
    }

    fn ask_board(&mut self, now: Millis, pacing: &mut Pacing) {
        if now < self.dump_at() {
            return;
        }
        if !self.dump_wanted {
            pacing.send(HostCommand::UpdateNice);
        }
        self.dump_wanted = true;
        self.asked_dump = Some(now);
        pacing.send(HostCommand::Dump);
    }

    fn ask_clock(&mut self, now: Millis, pacing: &mut Pacing) -> Option<Alarm> {
        if now < self.clock_at() {
            return None;
        }
        self.asked_clock = now;
        if self.clock_runs {
            self.want_dump();
            self.asked_dump = Some(now);
            self.ask_everything(pacing);
        } else {
            pacing.send(HostCommand::Clock);
        }
        self.clock_misses = self.clock_misses.saturating_add(1);
        (self.clock_misses == CLOCK_MISSES + 1).then_some(Alarm::ClockSilent)
    }

    fn ask_battery(&mut self, now: Millis, pacing: &mut Pacing) {
        if self.bluetooth && now >= self.asked_battery + BATTERY {
            self.asked_battery = now;
            pacing.send(HostCommand::Battery);
        }
    }

    fn alive_at(&self) -> Millis {
        self.asked_alive + self.longer(ALIVE, ALIVE_BLUETOOTH)
    }

    fn lost_at(&self) -> Millis {
        self.last_heard + self.longer(LOST, LOST * 2)
    }

    fn dump_at(&self) -> Millis {
        match (self.dump_wanted, self.asked_dump) {
            (true, Some(asked)) => asked + DUMP_AGAIN,
            (true, None) => 0,
            (false, _) => self.last_change + QUIET,
        }
    }

    fn clock_at(&self) -> Millis {
        let patience = if self.clock_runs {
            self.longer(BEATS, BEATS * 2)
        } else {
            CLOCK
        };
        self.last_clock.max(self.asked_clock) + patience
    }

    fn longer(&self, wired: Millis, bluetooth: Millis) -> Millis {
        if self.bluetooth { bluetooth } else { wired }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks a watched line every 100 ms; what the board says comes from `speak`.
    fn watched(
        bluetooth: bool,
        until: Millis,
        speak: impl Fn(Millis, &mut Watch, &mut Pacing),
    ) -> Vec<(Millis, Alarm)> {
        let mut pacing = Pacing::default();
        let mut watch = Watch::begin(0, bluetooth, &mut pacing);
        let mut alarms = Vec::new();
        for now in (100..=until).step_by(100) {
            speak(now, &mut watch, &mut pacing);
            alarms.extend(watch.tick(now, &mut pacing).map(|alarm| (now, alarm)));
            pacing.tick(now);
            pacing.next();
        }
        alarms
    }

    #[test]
    fn a_silent_board_is_lost_after_five_seconds_with_a_cable_and_ten_without() {
        for (bluetooth, lost_at) in [(false, 5_000), (true, 10_000)] {
            let alarms = watched(bluetooth, lost_at, |_, _, _| {});
            assert_eq!(alarms, [(lost_at, Alarm::Lost)]);
        }
    }

    #[test]
    fn a_chessclock_that_does_not_answer_three_times_is_missed_once() {
        let alarms = watched(false, 120_000, |now, watch, pacing| {
            watch.heard(now, pacing)
        });
        assert_eq!(alarms, [(20_000, Alarm::ClockSilent)]);
        let answering = watched(false, 120_000, |now, watch, pacing| {
            watch.heard(now, pacing);
            if now % 6_000 == 0 {
                watch.clock_heard(now);
            }
        });
        assert_eq!(answering, []);
    }

    #[test]
    fn a_board_that_forgot_to_tell_of_a_running_chessclock_is_asked_for_everything() {
        for (runs, asked) in [(true, true), (false, false)] {
            let mut pacing = Pacing::default();
            let mut watch = Watch::begin(0, false, &mut pacing);
            watch.clock_heard(1_000);
            watch.clock_runs(runs);
            watch.dumped(1_000);
            for now in (1_100..=3_600).step_by(100) {
                watch.heard(now, &mut pacing);
                watch.tick(now, &mut pacing);
            }
            assert_eq!(watch.dump_wanted, asked, "running: {runs}");
        }
    }
}
