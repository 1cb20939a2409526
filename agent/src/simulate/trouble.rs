//! What can be made to go wrong on purpose between the boards of a simulation and their hosts.

use std::collections::VecDeque;
use std::path::Path;

use clap::ValueEnum;
use protocol::Millis;

use super::bad_line::{BadLine, Flaws};
use super::seat::Fault;

/// One kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Trouble {
    /// Some bytes of the boards never arrive.
    LostBytes,
    /// Bytes arrive that nobody sent.
    Noise,
    /// Messages arrive in pieces.
    SplitFrames,
    /// The boards have another speed than their ports, always.
    WrongSpeed,
    /// Boards on a shared line answer when others are asked.
    Collisions,
    /// The boards are switched off for two seconds, twice in a game.
    Restarts,
    /// Nothing is heard for two seconds, twice in a game.
    Silence,
    /// The chessclocks in the boards' sockets say nothing, always.
    SilentClock,
    /// The cables are pulled for two seconds, twice in a game.
    VanishingPort,
}

/// So many of a million bytes are lost, or false, where bytes are.
const OFTEN: u32 = 300;
/// So long whoever is away stays away, milliseconds of the game.
const AWAY: Millis = 2_000;

/// What the line does to bytes.
fn flaws(troubles: &[Trouble]) -> Flaws {
    let often = |trouble| {
        if troubles.contains(&trouble) {
            OFTEN
        } else {
            0
        }
    };
    Flaws {
        lost: often(Trouble::LostBytes),
        noise: often(Trouble::Noise),
        split: troubles.contains(&Trouble::SplitFrames),
    }
}

/// When the kinds of trouble that come and go begin and end in a game that is over at `last`.
fn absences(troubles: &[Trouble], last: Millis) -> Vec<(Millis, Trouble, bool)> {
    let comes = |trouble: &&Trouble| {
        matches!(
            trouble,
            Trouble::Restarts | Trouble::Silence | Trouble::VanishingPort
        )
    };
    let mut absences = Vec::new();
    for trouble in troubles.iter().filter(comes) {
        for at in [last / 3, last * 2 / 3] {
            absences.extend([(at, *trouble, true), (at + AWAY, *trouble, false)]);
        }
    }
    absences.sort_by_key(|(at, ..)| *at);
    absences
}

/// The line between a board and its host.
pub(super) fn line(troubles: &[Trouble], seed: u64) -> BadLine {
    let mut line = BadLine::new(flaws(troubles), seed);
    line.set_wrong_speed(troubles.contains(&Trouble::WrongSpeed));
    line
}

/// What goes wrong by itself at a table whose game is over at `last` and whose device is called `link`.
pub(super) fn faults(troubles: &[Trouble], last: Millis, link: &Path) -> VecDeque<(Millis, Fault)> {
    let fault = |trouble, begins| match (trouble, begins) {
        (Trouble::Restarts, _) => Fault::Power(!begins),
        (Trouble::VanishingPort, true) => Fault::Unplug,
        (Trouble::VanishingPort, false) => Fault::Replug(link.to_owned()),
        _ => Fault::Silent(begins),
    };
    let absences = absences(troubles, last).into_iter();
    absences
        .map(|(at, trouble, begins)| (at, fault(trouble, begins)))
        .collect()
}
