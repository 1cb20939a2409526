//! One shared line: calls everybody, then asks one board after the other and hands every answer to its board.
//!
//! **One question at a time, and an answer that does not fit the question is dropped.** A change that was read and lost on
//! the way is asked for once more; after that only the whole board helps.

use std::collections::VecDeque;

use super::answer::{Answer, Says, probe, read};
use super::command::{Address, Question};
use super::rounds::{QUIET_ROUNDS, Rounds};
use crate::devices::Millis;
use crate::devices::whole::{Cutter, Stretch};

/// The shared line of many boards. Bytes in with their time, answers for each board and bytes out.
pub struct Bus {
    cutter: Cutter,
    stage: Stage,
    rounds: Rounds,
    asked: Option<Asked>,
    leaving: Option<Vec<u8>>,
    answers: VecDeque<(Address, Vec<u8>)>,
    /// Boards that were here when the line was last open and were not greeted yet.
    expected: VecDeque<Address>,
    /// When everybody is called again.
    call_at: Millis,
    /// When everybody was called between rounds, and how much was damaged before.
    called: Option<(Millis, u64)>,
    /// How many rounds of those in which everybody who is known is told to keep quiet are over; none between calls.
    quieting: Option<usize>,
    round_began: Millis,
    /// How long the last round took.
    round_took: Millis,
    damaged: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Closed,
    Settling(Millis),
    /// Boards that were here before are asked one by one.
    Greeting,
    /// Everybody was called and answers at a random moment; so many calls brought nothing new.
    Calling {
        until: Millis,
        nothing_new: u8,
    },
    /// Boards that are known are told to keep quiet at the next call.
    Quieting {
        nothing_new: u8,
    },
    Rounds,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    question: Question,
    until: Millis,
    /// Bytes of an answer have begun to arrive.
    begun: bool,
}

const SETTLE: Millis = 500;
const GREETING: Millis = 60;
const CALL: Millis = 1_500;
/// Two calls that bring nothing new end the search.
const CALLS: u8 = 2;
/// To the first byte of an answer, the latency of adapters included.
const FIRST_BYTE: Millis = 110;
/// Between bytes that arrive.
const NEXT_BYTE: Millis = 40;
/// Boards that are plugged in later are looked for this often.
const LOOK_AGAIN: Millis = 60_000;
/// So soon they are looked for where the boards of the last time answered.
const LOOK_SOON: Millis = 5_000;
/// A round is not begun sooner after the one before.
const SHORTEST_ROUND: Millis = 200;

impl Default for Bus {
    fn default() -> Bus {
        Bus {
            cutter: Cutter::default(),
            stage: Stage::Closed,
            rounds: Rounds::default(),
            asked: None,
            leaving: None,
            answers: VecDeque::new(),
            expected: VecDeque::new(),
            call_at: 0,
            called: None,
            quieting: None,
            round_began: 0,
            round_took: 0,
            damaged: 0,
        }
    }
}

impl Bus {
    /// The port was opened. Those who were on the line before are asked at once and one by one; the call to everybody
    /// comes after the first rounds then.
    pub fn opened(&mut self, now: Millis, expected: &[u16]) {
        let settle = if expected.is_empty() {
            SETTLE
        } else {
            GREETING
        };
        *self = Bus {
            stage: Stage::Settling(now + settle),
            expected: expected.iter().map(|number| Address::of(*number)).collect(),
            ..Bus::default()
        };
    }

    /// Bytes arrived.
    pub fn receive(&mut self, now: Millis, bytes: &[u8]) {
        if matches!(self.stage, Stage::Closed | Stage::Settling(_)) {
            return;
        }
        if let Some(asked) = self.asked.as_mut().filter(|_| !bytes.is_empty()) {
            asked.begun = true;
            asked.until = asked.until.max(now + NEXT_BYTE);
        }
        for stretch in self.cutter.cut(bytes, probe) {
            match stretch {
                Stretch::Frame(frame) => self.take(now, frame),
                Stretch::Noise(..) => self.damaged += 1,
            }
        }
        self.proceed(now);
    }

    /// Time passed.
    pub fn tick(&mut self, now: Millis) {
        self.proceed(now);
    }

    /// A board's line wants this asked: the bytes of a question.
    pub fn want(&mut self, bytes: &[u8]) {
        let &[id, high, low, _] = bytes else { return };
        let address = Address(u16::from(high) << 7 | u16::from(low));
        match id {
            0x81 => self.rounds.want(Question::Clock(address)),
            0x82 => self.rounds.want(Question::Dump(address)),
            0x8B => self.rounds.want(Question::Version(address)),
            0x91 => self.rounds.want(Question::Serial(address)),
            0x98 => self.rounds.want(Question::Battery(address)),
            _ => {}
        }
    }

    /// The next answer to a question, whole, and whose it is. Boards are met by their first.
    pub fn next_answer(&mut self) -> Option<(Address, Vec<u8>)> {
        self.answers.pop_front()
    }

    /// The next bytes to write.
    pub fn next_write(&mut self) -> Option<Vec<u8>> {
        self.leaving.take()
    }

    /// When [`tick`](Self::tick) should be called at the latest.
    pub fn wake(&self) -> Option<Millis> {
        match self.stage {
            Stage::Closed => None,
            Stage::Settling(at) => Some(at),
            Stage::Calling { until, .. } => Some(until),
            _ => self
                .asked
                .map(|asked| asked.until)
                .or(Some(self.round_began + SHORTEST_ROUND)),
        }
    }

    /// How many boards were found.
    pub fn boards(&self) -> usize {
        self.rounds.confirmed()
    }

    /// Whether the search is over.
    pub fn is_searched(&self) -> bool {
        self.call_at > 0
    }

    /// How long the last round over all boards took.
    pub fn round_took(&self) -> Millis {
        self.round_took
    }

    /// Stretches of bytes that were no answer: collisions, noise.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    fn take(&mut self, now: Millis, frame: Vec<u8>) {
        let Some(answer) = read(&frame) else { return };
        let stranger = answer.says == Says::Here && !self.rounds.knows(answer.from);
        if stranger || matches!(self.stage, Stage::Calling { .. }) {
            if answer.says == Says::Here {
                let asked = self.asked.and_then(|asked| asked.question.address());
                self.asked = self.asked.filter(|_| asked != Some(answer.from));
                self.meet(now, answer.from);
                // Who was here before and is asked for alone has said enough.
                if asked == Some(answer.from) {
                    self.rounds.answered(answer.from, true);
                    self.answers.push_back((answer.from, frame));
                }
            }
            return;
        }
        let fits = self
            .asked
            .is_some_and(|asked| fits(asked.question, &answer));
        if fits {
            self.asked = None;
            self.rounds.answered(answer.from, true);
            self.answers.push_back((answer.from, frame));
        } else {
            self.damaged += 1;
        }
    }

    /// Somebody answered a call. Nobody is told before he has answered a question of his own; address 0 is everybody's.
    fn meet(&mut self, now: Millis, address: Address) {
        if address.number() != 0
            && self.rounds.found(now, address)
            && let Stage::Calling { nothing_new, .. } = &mut self.stage
        {
            *nothing_new = 0;
        }
    }

    fn proceed(&mut self, now: Millis) {
        self.give_up_question(now);
        match self.stage {
            Stage::Settling(at) if now >= at => self.greet(now),
            Stage::Greeting if self.asked.is_none() => self.greet(now),
            Stage::Calling { until, nothing_new } if now >= until => self.called(now, nothing_new),
            Stage::Quieting { nothing_new } if self.asked.is_none() => match self.rounds.next() {
                Some(question) => self.ask(now, question),
                None => self.call(now, nothing_new),
            },
            Stage::Rounds if self.asked.is_none() => self.go_round(now),
            _ => {}
        }
    }

    /// The next one who was here before; after the last the rounds begin, or the search when nobody answered.
    fn greet(&mut self, now: Millis) {
        self.stage = Stage::Greeting;
        match self.expected.pop_front() {
            Some(address) => self.ask(now, Question::BeQuiet(address)),
            None if self.boards() == 0 => self.call(now, 0),
            None => self.begin_rounds(now, LOOK_SOON),
        }
    }

    fn call(&mut self, now: Millis, nothing_new: u8) {
        self.flush();
        self.leaving = Some(Question::Everybody.bytes());
        // Whoever answers anew sets the count back to nothing.
        self.stage = Stage::Calling {
            until: now + CALL,
            nothing_new: nothing_new + 1,
        };
    }

    fn called(&mut self, now: Millis, nothing_new: u8) {
        self.flush();
        if nothing_new >= CALLS {
            return self.begin_rounds(now, LOOK_AGAIN);
        }
        self.keep_quiet(now, nothing_new);
    }

    fn begin_rounds(&mut self, now: Millis, next_call: Millis) {
        self.call_at = now + next_call;
        self.stage = Stage::Rounds;
        self.round_began = now.saturating_sub(SHORTEST_ROUND);
        self.go_round(now);
    }

    fn keep_quiet(&mut self, now: Millis, nothing_new: u8) {
        self.stage = Stage::Quieting { nothing_new };
        for address in self.rounds.addresses() {
            self.rounds.ask_first(Question::BeQuiet(address));
        }
        match self.rounds.next() {
            Some(question) => self.ask(now, question),
            None => self.call(now, nothing_new),
        }
    }

    fn go_round(&mut self, now: Millis) {
        if let Some(question) = self.rounds.next() {
            return self.ask(now, question);
        }
        if now < self.round_began + SHORTEST_ROUND {
            return;
        }
        self.round_took = now - self.round_began;
        self.round_began = now;
        self.look_soon_if_spoiled(now);
        self.quieting = match self.quieting {
            None if now >= self.call_at => Some(0),
            before => before.map(|rounds| rounds + 1),
        };
        if self.quieting.is_some_and(|rounds| rounds >= QUIET_ROUNDS) {
            // Strangers answer while the rounds go on; what they spoil is asked for again.
            self.quieting = None;
            self.call_at = now + LOOK_AGAIN;
            self.called = Some((now, self.damaged));
            return self.ask(now, Question::Everybody);
        }
        self.rounds.begin(now, self.quieting);
        if let Some(question) = self.rounds.next() {
            self.ask(now, question);
        }
    }

    /// What was damaged after a call may have been a stranger's answer, whom nobody hears for a minute otherwise.
    fn look_soon_if_spoiled(&mut self, now: Millis) {
        let over = |(at, _): &mut (Millis, u64)| now >= *at + CALL;
        if let Some((_, before)) = self.called.take_if(over)
            && self.damaged > before
        {
            self.call_at = self.call_at.min(now + LOOK_SOON);
        }
    }

    fn ask(&mut self, now: Millis, question: Question) {
        self.flush();
        self.leaving = Some(question.bytes());
        self.asked = Some(Asked {
            question,
            until: now
                + if question == Question::Everybody {
                    NEXT_BYTE
                } else {
                    FIRST_BYTE
                },
            begun: false,
        });
    }

    /// No answer, or a damaged one.
    fn give_up_question(&mut self, now: Millis) {
        let Some(asked) = self.asked.filter(|asked| now >= asked.until) else {
            return;
        };
        self.asked = None;
        if asked.question == Question::Everybody {
            return;
        }
        self.damaged += u64::from(asked.begun);
        match asked.question {
            Question::Changes(address) => self.ask(now, Question::Repeat(address)),
            Question::Repeat(address) => {
                self.rounds.answered(address, false);
                self.rounds.want(Question::Dump(address));
            }
            // Older firmware has no word for it, and is as well as any other.
            Question::Serial(_) | Question::Battery(_) => {}
            other => {
                if let Some(address) = other.address() {
                    self.rounds.answered(address, false);
                }
                if matches!(
                    other,
                    Question::Dump(_) | Question::Version(_) | Question::Clock(_)
                ) {
                    self.rounds.want(other);
                }
            }
        }
    }

    fn flush(&mut self) {
        let late = !self.cutter.give_up().is_empty();
        self.damaged += u64::from(late);
    }
}

fn fits(question: Question, answer: &Answer) -> bool {
    let kind = match question {
        Question::Everybody | Question::BeQuiet(_) => matches!(answer.says, Says::Here),
        Question::Version(_) => matches!(answer.says, Says::Version { .. }),
        Question::Clock(_) => matches!(answer.says, Says::Clock(_)),
        Question::Dump(_) => matches!(answer.says, Says::Dump(_)),
        Question::Changes(_) | Question::Repeat(_) => matches!(answer.says, Says::Changes { .. }),
        Question::Serial(_) => matches!(answer.says, Says::Serial { .. }),
        Question::Battery(_) => matches!(answer.says, Says::Battery(_)),
    };
    kind && question
        .address()
        .is_none_or(|address| address == answer.from)
}
