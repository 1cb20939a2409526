//! Whose turn it is: changes of every board in each round, clocks in turn, now and then the whole board.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::command::{Address, Question};
use crate::devices::Millis;

/// A clock that was asked for within this is not asked again by itself.
const CLOCK_FRESH: Millis = 900;
/// So many rounds share the clocks of all boards.
const CLOCK_ROUNDS: usize = 2;
/// So many rounds share the boards that are told to keep quiet before a call.
pub(super) const QUIET_ROUNDS: usize = 4;
/// A board is read as a whole this often, one at a time.
const WHOLE: Millis = 15_000;
/// So many questions in a row without an answer, and a board is asked once a round no more, but now and then.
const PATIENCE: u8 = 5;
/// So many questions in a row without an answer, and a board that never answered one was none: noise has a checksum too.
const GHOST: u8 = 2;
/// So many questions beyond the usual ones fit into a round.
const WANTED: usize = 6;
/// A board that does not answer is asked again in one round of so many.
const NOW_AND_THEN: usize = 8;

/// The boards of a line and what each is to be asked.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    boards: BTreeMap<Address, Seat>,
    queue: VecDeque<Question>,
    round: usize,
}

#[derive(Debug, Default)]
struct Seat {
    whole_at: Millis,
    clock_asked: Millis,
    misses: u8,
    /// It answered a question that was put to it alone.
    confirmed: bool,
    wanted: Vec<Question>,
}

impl Rounds {
    /// A board was found; says whether that is news.
    pub(super) fn found(&mut self, now: Millis, address: Address) -> bool {
        let place = self.boards.len() as Millis;
        match self.boards.get_mut(&address) {
            Some(seat) => {
                seat.misses = 0;
                false
            }
            None => {
                let seat = Seat {
                    whole_at: now + WHOLE + place * 700,
                    ..Seat::default()
                };
                self.boards.insert(address, seat);
                true
            }
        }
    }

    /// Whether a board was found before.
    pub(super) fn knows(&self, address: Address) -> bool {
        self.boards.contains_key(&address)
    }

    /// Everybody who was found.
    pub(super) fn addresses(&self) -> BTreeSet<Address> {
        self.boards.keys().copied().collect()
    }

    /// A board answered, or did not.
    pub(super) fn answered(&mut self, address: Address, answered: bool) {
        let Some(seat) = self.boards.get_mut(&address) else {
            return;
        };
        seat.confirmed |= answered;
        seat.misses = if answered {
            0
        } else {
            seat.misses.saturating_add(1)
        };
        if !seat.confirmed && seat.misses >= GHOST {
            self.boards.remove(&address);
        }
    }

    /// How many boards answered a question that was put to them alone.
    pub(super) fn confirmed(&self) -> usize {
        self.boards.values().filter(|seat| seat.confirmed).count()
    }

    /// A board is to be asked this as soon as it is its turn.
    pub(super) fn want(&mut self, question: Question) {
        let seat = question
            .address()
            .and_then(|address| self.boards.get_mut(&address));
        if let Some(seat) = seat.filter(|seat| !seat.wanted.contains(&question)) {
            seat.wanted.push(question);
        }
    }

    /// Before anything else this is asked.
    pub(super) fn ask_first(&mut self, question: Question) {
        self.queue.push_back(question);
    }

    /// The next question; `None` at the end of a round.
    pub(super) fn next(&mut self) -> Option<Question> {
        self.queue.pop_front()
    }

    /// Begins a round. In the rounds before a call to everybody those who are known are told to keep quiet, a part of
    /// them in each: `quiet` counts these rounds.
    pub(super) fn begin(&mut self, now: Millis, quiet: Option<usize>) {
        self.round += 1;
        let mut room = WANTED;
        let clocks = self.clocks_due(now);
        for (place, (&address, seat)) in self.boards.iter_mut().enumerate() {
            let silent = seat.misses >= PATIENCE;
            if silent && !(self.round + place).is_multiple_of(NOW_AND_THEN) {
                continue;
            }
            self.queue.push_back(Question::Changes(address));
            if silent {
                continue;
            }
            let asked = seat.wanted.len().min(room);
            room -= asked;
            let clock = Question::Clock(address);
            if clocks.contains(&address) && !seat.wanted[..asked].contains(&clock) {
                self.queue.push_back(clock);
            }
            self.queue.extend(seat.wanted.drain(..asked));
            if self.queue.contains(&clock) {
                seat.clock_asked = now;
            }
            if quiet.is_some_and(|part| place % QUIET_ROUNDS == part) {
                self.queue.push_back(Question::BeQuiet(address));
            } else if now >= seat.whole_at {
                seat.whole_at = now + WHOLE;
                self.queue.push_back(Question::Dump(address));
            }
        }
    }

    /// The boards whose clocks were not asked for longest.
    fn clocks_due(&self, now: Millis) -> BTreeSet<Address> {
        let answers = |(_, seat): &(&Address, &Seat)| seat.misses < PATIENCE;
        let mut due: Vec<(Millis, Address)> = self
            .boards
            .iter()
            .filter(answers)
            .map(|(address, seat)| (seat.clock_asked, *address))
            .filter(|(asked, _)| now >= asked + CLOCK_FRESH)
            .collect();
        due.sort_unstable();
        let share = self.boards.len().div_ceil(CLOCK_ROUNDS);
        due.into_iter()
            .take(share)
            .map(|(_, address)| address)
            .collect()
    }
}
