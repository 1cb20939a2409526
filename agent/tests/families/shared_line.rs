//! Many boards on one line: met, asked in turn, and none of their games loses a ply.

use std::collections::{BTreeMap, VecDeque};

use agent::devices::dgt::{Address, Bus, BusMember};
use agent::devices::{LineOptions, Orientation, Placement, driver};
use agent::session::{Input, Session};
use agent::simulate::dgt::VirtualBus;
use agent::simulate::games::classics;
use agent::simulate::hands::Act;
use agent::simulate::whole::virtual_board;
use agent::simulate::{BadLine, FarEnd, Flaws, at_the_board};

use crate::played::{array, performance, truth};
use crate::table::{SOUND, Table};

#[test]
fn boards_that_were_on_the_line_before_are_met_in_less_than_two_seconds() {
    let mut far = VirtualBus::new(3);
    let addresses: Vec<u16> = (0..20).map(|number| 1001 + 13 * number).collect();
    for address in &addresses {
        far.add(*address, Orientation::Normal, &Placement::start());
    }
    far.add(9_999, Orientation::Normal, &Placement::start());
    let mut bus = Bus::default();
    bus.opened(0, &addresses);
    let mut met = 0;
    for now in (0..40_000).step_by(5) {
        let bytes = far.take_output(now);
        if !bytes.is_empty() {
            bus.receive(now, &bytes);
        }
        bus.tick(now);
        while let Some(bytes) = bus.next_write() {
            far.host_bytes(now, &bytes);
        }
        if bus.boards() == 20 && met == 0 {
            met = now;
        }
    }
    println!("twenty boards are met after {met} ms");
    assert!((1..2_000).contains(&met));
    // A board that was plugged in meanwhile is found by a call that follows; its first answer may meet another's.
    assert_eq!(bus.boards(), 21);
    assert_eq!(far.harmful_commands(), 0);
}

/// A line of many boards with a session for each, in simulated time.
struct Line {
    far: VirtualBus,
    wire: BadLine,
    bus: Bus,
    members: BTreeMap<Address, Table>,
    rounds: Vec<u64>,
    /// When each clock was last read, and the longest it was not.
    clocks: BTreeMap<Address, (u64, u64)>,
    now: u64,
}

/// A clock's answer on a shared line.
const CLOCK: u8 = 0x84;

impl Line {
    fn run_to(&mut self, until: u64) {
        while self.now + 5 <= until {
            self.now += 5;
            let bytes = self.wire.to_host(self.far.take_output(self.now));
            if bytes.is_empty() {
                self.bus.tick(self.now);
            } else {
                self.bus.receive(self.now, &bytes);
            }
            while let Some((address, answer)) = self.bus.next_answer() {
                let member = self.members.entry(address).or_insert_with(|| {
                    let board =
                        virtual_board("zmartfun", "", Orientation::Normal, Placement::EMPTY, 0);
                    let mut member =
                        Table::new(board.expect("any"), driver("dgt").expect("known"), SOUND);
                    let line = BusMember::new(Some(address), &LineOptions::default());
                    member.session = Session::new(Box::new(line), "line-1");
                    member.now = self.now;
                    member.give(Input::Opened);
                    member
                });
                member.now = self.now;
                member.give(Input::Bytes(&answer));
                if self.bus.is_searched() && answer.first() == Some(&CLOCK) {
                    let (last, longest) = self.clocks.entry(address).or_insert((self.now, 0));
                    *longest = (*longest).max(self.now - *last);
                    *last = self.now;
                }
            }
            for member in self.members.values_mut() {
                member.now = self.now;
                if member.session.wake().is_some_and(|at| at <= self.now) {
                    member.give(Input::Tick);
                }
                member
                    .written
                    .drain(..)
                    .for_each(|bytes| self.bus.want(&bytes));
            }
            while let Some(bytes) = self.bus.next_write() {
                self.far.host_bytes(self.now, &self.wire.to_board(&bytes));
            }
            if self.rounds.last() != Some(&self.bus.round_took()) {
                self.rounds.push(self.bus.round_took());
            }
        }
    }
}

/// What hands do, at which board and when.
type Acts = Vec<(u64, usize, Act)>;

/// A line on which so many blitz games are played.
fn blitz(boards: usize) -> (Line, Acts, Vec<Vec<String>>) {
    let games = classics();
    let mut far = VirtualBus::new(3);
    let (mut acts, mut truths) = (Vec::new(), Vec::new());
    for number in 0..boards {
        let game = &games[number % games.len()];
        let (performance, own) = performance(game, 1, number as u64, 180);
        let start = array(&performance);
        let lies = if number % 4 == 3 {
            Orientation::Rotated
        } else {
            Orientation::Normal
        };
        let board = far.add(1001 + 13 * number as u16, lies, &start);
        if number % 3 == 1 {
            far.make_newer(board);
        }
        acts.extend(own.into_iter().map(|(at, act)| (at, number, act)));
        truths.push(truth(&performance));
    }
    acts.sort_by_key(|(at, number, _)| (*at, *number));
    let line = Line {
        wire: BadLine::new(Flaws::default(), 5),
        far,
        bus: Bus::default(),
        members: BTreeMap::new(),
        rounds: Vec::new(),
        clocks: BTreeMap::new(),
        now: 0,
    };
    (line, acts, truths)
}

#[test]
fn twenty_blitz_games_on_one_line_lose_no_ply() {
    let (mut line, acts, truths) = blitz(20);
    line.bus.opened(0, &[]);
    let lead = 25_000;
    for (at, board, act) in acts {
        line.run_to(lead + at);
        at_the_board(&mut line.far, board, line.now, act);
    }
    let end = line.now + 40_000;
    line.run_to(end);
    assert_eq!(
        line.far.harmful_commands(),
        0,
        "the line heard what no host may say"
    );
    assert_eq!(line.members.len(), 20);
    let (longest, count) = (
        line.rounds.iter().max().copied().unwrap_or(0),
        line.rounds.len().max(1) as u64,
    );
    println!(
        "{count} rounds of different length, {} ms on average, {longest} ms at most",
        line.rounds.iter().sum::<u64>() / count
    );
    for (member, truth) in line.members.values().zip(&truths) {
        assert_eq!(member.moves(), *truth);
    }
    // The time from the last reading to the end counts as well: a clock that is read no more is not read in time.
    let unread = |(last, longest): &(u64, u64)| (*longest).max(line.now - *last);
    let unread = line.clocks.values().map(unread).max();
    let unread = unread.expect("clocks were read");
    println!("every clock was read within {unread} ms");
    assert_eq!(line.clocks.len(), 20);
    assert!(longest <= 1_500, "a round takes {longest} ms");
    assert!(unread <= 3_000, "a clock was not read for {unread} ms");
}

/// What goes wrong on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Bytes(Flaws),
    Collisions,
    SpeedAtFirst,
    Silence,
    Power,
}

const SOUND_LINE: Flaws = Flaws {
    lost: 0,
    noise: 0,
    split: false,
};
const WRONG: [Wrong; 7] = [
    Wrong::Bytes(Flaws {
        lost: 300,
        ..SOUND_LINE
    }),
    Wrong::Bytes(Flaws {
        noise: 300,
        ..SOUND_LINE
    }),
    Wrong::Bytes(Flaws {
        split: true,
        ..SOUND_LINE
    }),
    Wrong::Collisions,
    Wrong::SpeedAtFirst,
    Wrong::Silence,
    Wrong::Power,
];

impl Line {
    /// The boards are away, or back.
    fn away(&mut self, wrong: Wrong, away: bool) {
        match wrong {
            Wrong::Silence => self.wire.fall_silent(away),
            Wrong::Power => (0..4).for_each(|board| self.far.power(board, self.now, !away)),
            _ => {}
        }
    }
}

#[test]
fn every_fault_of_a_line_leaves_its_games_whole() {
    for wrong in WRONG {
        let (mut line, acts, truths) = blitz(4);
        match wrong {
            Wrong::Bytes(flaws) => line.wire = BadLine::new(flaws, 5),
            Wrong::Collisions => line.far.collide(20),
            Wrong::SpeedAtFirst => line.wire.set_wrong_speed(true),
            Wrong::Silence | Wrong::Power => {}
        }
        line.bus.opened(0, &[]);
        line.run_to(3_000);
        line.wire.set_wrong_speed(false);
        line.run_to(12_000);
        if line.bus.boards() == 0 {
            // Nobody answered: an agent opens the port anew.
            line.bus.opened(line.now, &[]);
        }
        let (lead, last) = (40_000, acts.last().expect("acts").0);
        let mut absences: VecDeque<(u64, bool)> = [last / 3, last * 2 / 3]
            .into_iter()
            .flat_map(|at| [(at, true), (at + 2_000, false)])
            .collect();
        for (at, board, act) in acts {
            while let Some((from, away)) = absences.pop_front_if(|(from, _)| *from <= at) {
                line.run_to(lead + from);
                line.away(wrong, away);
            }
            line.run_to(lead + at);
            at_the_board(&mut line.far, board, line.now, act);
        }
        let end = line.now + 40_000;
        line.run_to(end);
        assert_eq!(line.members.len(), 4, "{wrong:?}");
        for (member, truth) in line.members.values().zip(&truths) {
            assert_eq!(member.moves(), *truth, "{wrong:?}");
        }
    }
}
