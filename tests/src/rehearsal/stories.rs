//! The situations, as data: how the hall plays, what goes wrong and when, and by which alerts it shows.

use std::path::Path;

use agent::simulate::hands::{Control, Ending, Tempo};
use agent::simulate::script::{ScriptError, read_accident};

use crate::VenueOptions;

/// Something that is done to the hall from outside, not by the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    /// The battery of a table's chessclock runs low.
    ClockLow(usize),
    /// A table's chessclock goes dark.
    ClockDies(usize),
    /// The laptop that serves these tables is gone; agents are counted from 0.
    LaptopDies(usize),
    /// It is back.
    LaptopBack(usize),
}

/// An alert by which the situation shows.
#[derive(Debug, Clone, Copy)]
pub struct Sign {
    /// Its code.
    pub code: &'static str,
    /// It, in words.
    pub shown: &'static str,
    /// Where, counted from 1; none: at any table.
    pub table: Option<u16>,
    /// What a good arbiter does.
    pub advice: &'static str,
}

/// One situation.
#[derive(Debug, Clone, Copy)]
pub struct Rehearsal {
    /// Its name on the command line.
    pub name: &'static str,
    /// In one line.
    pub title: &'static str,
    /// Read before it begins.
    pub situation: &'static str,
    tables: usize,
    agents: usize,
    noise: u8,
    control: Control,
    tempo: Tempo,
    ending: Ending,
    /// Table, counted from 1, and what happens there: a line of the simulator's script.
    accidents: &'static [(usize, &'static str)],
    /// Seconds after the start of the round, and what happens.
    pub(super) mishaps: &'static [(u64, Mishap)],
    /// How it shows.
    pub signs: &'static [Sign],
}

/// All rehearsals, sorted by name.
pub const REHEARSALS: &[Rehearsal] = &[
    Rehearsal {
        name: "dying-clock",
        title: "a chessclock warns, then goes dark in mid-game",
        situation: "Six tables, standard play. One chessclock is about to fail. Find a clock, set it, and say which times it shall show.",
        tables: 6,
        agents: 1,
        noise: 1,
        control: Control::CLASSICAL,
        tempo: Tempo::Lasting(150_000),
        ending: Ending::Kings,
        accidents: &[],
        mishaps: &[(15, Mishap::ClockLow(3)), (35, Mishap::ClockDies(3))],
        signs: &[
            Sign {
                code: "clock-battery-low",
                shown: "a clock battery that runs low",
                table: Some(3),
                advice: "bring a spare clock before it is needed",
            },
            Sign {
                code: "clock-lost",
                shown: "a clock that is heard no more",
                table: Some(3),
                advice: "stop play, set the spare clock by the last times and the time since",
            },
        ],
    },
    Rehearsal {
        name: "network-split",
        title: "half of the hall falls silent: a laptop, a switch or a cable",
        situation: "Eight tables on two laptops; one of them will be cut off for half a minute. Which tables can you trust, and what was lost?",
        tables: 8,
        agents: 2,
        noise: 1,
        control: Control::CLASSICAL,
        tempo: Tempo::Lasting(120_000),
        ending: Ending::Kings,
        accidents: &[],
        mishaps: &[(20, Mishap::LaptopDies(1)), (50, Mishap::LaptopBack(1))],
        signs: &[
            Sign {
                code: "agent-silent",
                shown: "a laptop that does not answer",
                table: None,
                advice: "watch those tables with your own eyes; nothing they do is lost, but you do not see it",
            },
            Sign {
                code: "reading-ambiguous",
                shown: "a move that the board could not tell for certain",
                table: None,
                advice: "ask for the scoresheets where moves went by unseen",
            },
        ],
    },
    Rehearsal {
        name: "round-ends",
        title: "many games end within a few seconds",
        situation: "Twelve short games end nearly together. Results are proposed by kings in the centre and by mates: confirm what is right, and no more.",
        tables: 12,
        agents: 1,
        noise: 1,
        control: Control::RAPID,
        tempo: Tempo::Lasting(45_000),
        ending: Ending::Kings,
        accidents: &[],
        mishaps: &[],
        signs: &[
            Sign {
                code: "result-proposed",
                shown: "a result to be confirmed",
                table: None,
                advice: "compare the sign with both players, then confirm",
            },
            Sign {
                code: "clocks-stopped",
                shown: "clocks that the players stopped",
                table: None,
                advice: "both clocks stand: a result, a claim or a question",
            },
        ],
    },
    Rehearsal {
        name: "second-illegal-move",
        title: "a player completes two illegal moves",
        situation: "Six tables, standard play. At one of them a player will press the clock after an illegal move, and later do it again.",
        tables: 6,
        agents: 1,
        noise: 0,
        control: Control::CLASSICAL,
        tempo: Tempo::Lasting(150_000),
        ending: Ending::Kings,
        accidents: &[
            (4, "7 illegal wrong-square after-press 15000"),
            (4, "15 illegal wrong-square after-press 20000"),
        ],
        mishaps: &[],
        signs: &[Sign {
            code: "illegal-move",
            shown: "an illegal move",
            table: Some(4),
            advice: "the first: two minutes to the opponent (7.5.5); the second: the game is lost, unless the opponent cannot mate",
        }],
    },
    Rehearsal {
        name: "time-scramble",
        title: "flags are about to fall at every table",
        situation: "Eight tables of blitz without increment, hands faster than the sensors like it. Whose flag fell, at which table, and can the opponent mate at all?",
        tables: 8,
        agents: 1,
        noise: 2,
        control: Control::seconds(25, 0),
        tempo: Tempo::Thinking(900),
        ending: Ending::Flag,
        accidents: &[],
        mishaps: &[],
        signs: &[
            Sign {
                code: "flag-fallen",
                shown: "a fallen flag",
                table: None,
                advice: "the flag counts when it is claimed or seen; look at the first of the two",
            },
            Sign {
                code: "checkmate",
                shown: "a mate with a clock still running",
                table: None,
                advice: "the mate came first: stop the clock that runs, a flag after it counts no more",
            },
        ],
    },
];

/// A rehearsal by its name.
pub fn rehearsal(name: &str) -> Option<&'static Rehearsal> {
    REHEARSALS.iter().find(|story| story.name == name)
}

impl Rehearsal {
    /// The venue it is played in.
    ///
    /// # Errors
    /// A line of the script that the simulator does not know.
    pub fn venue(&self, executable: &Path, dir: &Path) -> Result<VenueOptions, ScriptError> {
        let accidents = self.accidents.iter().map(|(table, line)| {
            let accident = read_accident(line)?;
            Ok((table - 1, accident))
        });
        Ok(VenueOptions {
            tables: self.tables,
            agents: self.agents,
            noise: self.noise,
            control: Some(self.control),
            tempo: self.tempo,
            ending: self.ending,
            accidents: accidents.collect::<Result<_, _>>()?,
            ..VenueOptions::new(executable, dir)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rehearsal_can_be_put_up_and_shows_by_codes_the_hub_knows() {
        let known: Vec<&str> = hub::laws::Code::ALL
            .iter()
            .map(|code| code.name())
            .collect();
        for story in REHEARSALS {
            let venue = story.venue(Path::new("x"), Path::new("y"));
            assert!(venue.is_ok(), "{}: {:?}", story.name, venue.err());
            for sign in story.signs {
                assert!(known.contains(&sign.code), "{}: {}", story.name, sign.code);
            }
        }
        assert!(REHEARSALS.is_sorted_by_key(|story| story.name));
    }
}
