//! What a board is asked again and again while it is in use: squares, chessclock, battery.

use super::speech::Manner;
use crate::devices::Millis;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Board,
    Clock,
    Battery,
}

/// The questions of a family, each with its own pace.
#[derive(Debug)]
pub(super) struct Polls {
    polls: Vec<Poll>,
}

#[derive(Debug)]
struct Poll {
    about: About,
    ask: &'static [u8],
    every: Millis,
    asked: Millis,
}

/// A battery is asked for once a minute.
const BATTERY: Millis = 60_000;

impl Polls {
    pub(super) fn of(manner: &Manner) -> Polls {
        let battery = manner.battery.map(|ask| (ask, BATTERY));
        let polls = [
            (About::Board, manner.board),
            (About::Clock, manner.clock),
            (About::Battery, battery),
        ];
        let polls = polls.into_iter().filter_map(|(about, poll)| {
            let (ask, every) = poll?;
            Some(Poll {
                about,
                ask,
                every,
                asked: 0,
            })
        });
        Polls {
            polls: polls.collect(),
        }
    }

    /// Everything is asked now.
    pub(super) fn begin(&mut self, now: Millis) -> Vec<&'static [u8]> {
        self.polls.iter_mut().for_each(|poll| poll.asked = now);
        self.polls.iter().map(|poll| poll.ask).collect()
    }

    /// The questions whose time has come; they count as asked.
    pub(super) fn due(&mut self, now: Millis) -> Vec<&'static [u8]> {
        let due = self.polls.iter_mut().filter(|poll| now >= poll.at());
        due.map(|poll| {
            poll.asked = now;
            poll.ask
        })
        .collect()
    }

    /// When the next question is due.
    pub(super) fn wake(&self) -> Option<Millis> {
        self.polls.iter().map(Poll::at).min()
    }

    /// The question about something, in a family that answers it.
    pub(super) fn question(&self, about: About) -> Option<&'static [u8]> {
        let found = self.polls.iter().find(|poll| poll.about == about);
        found.map(|poll| poll.ask)
    }

    /// Whether something is asked at least this often.
    pub(super) fn are_within(&self, time: Millis) -> bool {
        self.polls.iter().any(|poll| poll.every <= time)
    }
}

impl Poll {
    fn at(&self) -> Millis {
        self.asked + self.every
    }
}
