//! How a device is: what a technician wants to know, said when it changes.

use protocol::{Health, Millis};

use crate::devices::{Battery, ClockType, Identity};

/// Counters alone are said this often at most, milliseconds.
const COUNTERS: Millis = 60_000;

/// Identity, port and state of a device.
#[derive(Debug, Clone, Default)]
pub(super) struct Condition {
    pub(super) identity: Identity,
    pub(super) port: String,
    pub(super) clock_kind: Option<String>,
    pub(super) health: Health,
    pieces_unknown: bool,
    said: Option<(Millis, Health)>,
}

impl Condition {
    /// The device answers; true when it had been away.
    pub(super) fn found(&mut self, identity: &Identity, port: &str) -> bool {
        let was_away = self.health.drops > 0 && !self.health.board;
        self.identity = identity.clone();
        self.port = port.to_owned();
        self.health.board = true;
        self.pieces_unknown = false;
        self.set_state("ok");
        was_away
    }

    pub(super) fn learned(&mut self, identity: &Identity) {
        self.identity = identity.clone();
    }

    pub(super) fn lost(&mut self, state: &'static str) {
        self.health.board = false;
        self.health.clock = false;
        self.health.drops += 1;
        self.set_state(state);
    }

    pub(super) fn clock(&mut self, there: bool) {
        self.health.clock = there;
        if !there {
            self.clock_kind = None;
        } else if self.clock_kind.is_none() {
            self.clock_kind = Some("clock".to_owned());
        }
    }

    pub(super) fn clock_type(&mut self, kind: ClockType) {
        self.clock_kind = Some(match kind.main {
            1 => "dgt-xl".to_owned(),
            2 => "dgt3000".to_owned(),
            _ => format!("clock-{}.{}", kind.main, kind.sub),
        });
    }

    pub(super) fn battery(&mut self, battery: &Battery) {
        self.health.battery = Some(protocol::Battery {
            percent: battery.percent,
            charging: battery.charging,
        });
    }

    /// The numbers of the pieces are not known, or are known now.
    pub(super) fn pieces_unknown(&mut self, unknown: bool) {
        self.pieces_unknown = unknown;
        self.set_state(self.sound());
    }

    /// The state of a board that answers.
    fn sound(&self) -> &'static str {
        if self.pieces_unknown {
            "pieces-unknown"
        } else {
            "ok"
        }
    }

    pub(super) fn damaged(&mut self) {
        self.health.damaged += 1;
    }

    /// How many facts wait, and whether the outbox is in trouble.
    pub(super) fn outbox(&mut self, waiting: u64, in_memory: u64, lost: u64) {
        self.health.queued = waiting;
        if self.health.board {
            self.set_state(match (in_memory, lost) {
                (0, _) => self.sound(),
                _ => "disk-full",
            });
        }
        if lost > 0 {
            self.health.cause =
                format!("{lost} facts were lost: neither disk nor memory of the agent had room");
        }
    }

    /// The health, when something changed that is worth a fact.
    pub(super) fn news(&mut self, now: Millis) -> Option<Health> {
        let worth = match &self.said {
            None => true,
            Some((at, said)) => {
                self.state_differs(said) || (now >= at + COUNTERS && self.counters_differ(said))
            }
        };
        if !worth {
            return None;
        }
        self.said = Some((now, self.health.clone()));
        Some(self.health.clone())
    }

    /// Whether [`news`](Self::news) would have some.
    pub(super) fn report_due(&self, now: Millis) -> bool {
        match &self.said {
            None => false,
            Some((at, said)) => {
                self.state_differs(said) || (now >= at + COUNTERS && self.counters_differ(said))
            }
        }
    }

    pub(super) fn wake(&self) -> Option<Millis> {
        let (at, said) = self.said.as_ref()?;
        if self.state_differs(said) {
            return Some(*at);
        }
        self.counters_differ(said).then_some(at + COUNTERS)
    }

    fn state_differs(&self, said: &Health) -> bool {
        let state = |h: &Health| (h.board, h.clock, h.state.clone(), h.cause.clone(), h.drops);
        state(said) != state(&self.health)
    }

    fn counters_differ(&self, said: &Health) -> bool {
        (said.damaged, said.battery) != (self.health.damaged, self.health.battery)
    }

    fn set_state(&mut self, state: &'static str) {
        self.health.state = state.to_owned();
        self.health.cause = match state {
            "unplugged" => "the board's cable was pulled, or its adapter: plug it in again",
            "silent" => {
                "the board does not answer: look whether it is switched on and its cable sits"
            }
            "other-board" => "another board was plugged into this cable",
            "pieces-unknown" => {
                "the numbers in these pieces are not known: set up the initial array once for five seconds, or put back the set of this board"
            }
            "disk-full" => {
                "the agent cannot write to its disk: make room; facts are kept in memory meanwhile"
            }
            _ => "",
        }
        .to_owned();
    }
}
