//! What is known about one game while it goes on: can White, can Black still mate?
//!
//! A side that cannot mate never can again. A side that can keeps the line that shows it; the next move is often the first of that line,
//! or a few moves lead back to it, so that the answer is nearly always there before a flag falls. Each ply has its own outlook: when an
//! illegal move is taken back, the older position brings its own along.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasherDefault;

use shakmaty::{ByColor, Chess, Color, Move, Position};

use super::{
    budget::Budget,
    keys::Mixer,
    shorten::shortened,
    verdict::{Certificate, Reason, Verdict, verdict},
};

/// What is known about one side.
#[derive(Clone, Debug, PartialEq)]
pub enum Chances {
    /// It can mate, by this line.
    Can(Vec<Move>),
    /// It cannot, for this reason, which was found at this ply or before.
    Cannot(Certificate),
    /// Not known yet.
    Unknown,
}

impl Chances {
    /// The same as a verdict.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Can(line) => Verdict::Winnable { line: line.clone() },
            Self::Cannot(certificate) => Verdict::Unwinnable {
                certificate: certificate.clone(),
            },
            Self::Unknown => Verdict::Undecided {
                work: 0,
                reason: Reason::Nodes,
            },
        }
    }
}

/// What is known about both sides in one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    sides: ByColor<Chances>,
}

impl Default for Outlook {
    fn default() -> Self {
        Self {
            sides: ByColor {
                white: Chances::Unknown,
                black: Chances::Unknown,
            },
        }
    }
}

/// Positions looked at to find the way back to a known line: more of them take longer than a new verdict mostly does.
const DETOUR: usize = 150;

impl Outlook {
    /// What is known about `color`.
    pub fn of(&self, color: Color) -> &Chances {
        self.sides.get(color)
    }

    /// Neither side can mate: the game is over (5.2.2).
    pub fn is_dead(&self) -> bool {
        self.sides
            .iter()
            .all(|side| matches!(side, Chances::Cannot(_)))
    }

    /// Something is left to find out.
    pub fn is_open(&self) -> bool {
        self.sides.iter().any(|side| *side == Chances::Unknown)
    }

    /// The outlook after `m` has been made in `before`: certainty is inherited, lines are shortened or joined again.
    #[must_use]
    pub fn after(&self, before: &Chess, m: Move) -> Self {
        let next = |side: &Chances| match side {
            Chances::Cannot(why) => Chances::Cannot(why.clone()),
            Chances::Can(line) => {
                line_after(line, before, m).map_or(Chances::Unknown, Chances::Can)
            }
            Chances::Unknown => Chances::Unknown,
        };
        Self {
            sides: ByColor {
                white: next(&self.sides.white),
                black: next(&self.sides.black),
            },
        }
    }

    /// Finds out what is not known yet, as far as the budget goes. Call again with more to go on. Gives the sides about which the checker
    /// refused a proof: an error of the program, to be reported.
    pub fn find_out(&mut self, pos: &Chess, budget: &mut Budget<'_>) -> Vec<Color> {
        let mut refused = Vec::new();
        for color in [Color::White, Color::Black] {
            let side = self.sides.get_mut(color);
            if *side == Chances::Unknown {
                *side = match verdict(pos, color, budget) {
                    Verdict::Winnable { line } => Chances::Can(shortened(pos, &line)),
                    Verdict::Unwinnable { certificate } => Chances::Cannot(certificate),
                    Verdict::Undecided { reason, .. } => {
                        refused.extend((reason == Reason::Rejected).then_some(color));
                        Chances::Unknown
                    }
                };
            }
        }
        refused
    }
}

/// A line that still ends in the same mate after `m`: the rest of it, or a way back to it.
fn line_after(line: &[Move], before: &Chess, m: Move) -> Option<Vec<Move>> {
    if line.first() == Some(&m) {
        return Some(line[1..].to_vec());
    }
    let mut now = before.clone();
    now.play_unchecked(m);
    let stations = stations(before, line);
    detour(&now, &stations).map(|(mut way, station)| {
        way.extend_from_slice(&line[station..]);
        way
    })
}

/// The positions of a line and how many of its moves lead to each.
type Stations = HashMap<Chess, usize, BuildHasherDefault<Mixer>>;

/// The positions of a line, the first one being where it starts.
fn stations(start: &Chess, line: &[Move]) -> Stations {
    let mut at = start.clone();
    let mut stations = Stations::default();
    stations.insert(at.clone(), 0);
    for (before, &m) in line.iter().enumerate() {
        at.play_unchecked(m);
        stations.insert(at.clone(), before + 1);
    }
    stations
}

/// The shortest way from `now` to a position of the line, and which one.
fn detour(now: &Chess, stations: &Stations) -> Option<(Vec<Move>, usize)> {
    let mut seen = HashSet::<Chess, BuildHasherDefault<Mixer>>::default();
    seen.insert(now.clone());
    let mut open: VecDeque<(Chess, Vec<Move>)> = VecDeque::from([(now.clone(), Vec::new())]);
    while let Some((pos, way)) = open.pop_front() {
        if let Some(&station) = stations.get(&pos) {
            return Some((way, station));
        }
        for m in pos.legal_moves() {
            if seen.len() >= DETOUR {
                break;
            }
            let mut next = pos.clone();
            next.play_unchecked(m);
            if seen.insert(next.clone()) {
                open.push_back((next, [&way[..], &[m]].concat()));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::position_from_fen;

    fn find(fen: &str) -> (Chess, Outlook) {
        let pos = position_from_fen(fen).expect("a position");
        let mut outlook = Outlook::default();
        let mut never = || false;
        let refused = outlook.find_out(&pos, &mut Budget::new(50_000, &mut never));
        assert!(refused.is_empty(), "{refused:?}");
        (pos, outlook)
    }

    fn ends_in_mate(pos: &Chess, line: &[Move]) -> bool {
        let mut at = pos.clone();
        for &m in line {
            at = at.play(m).expect("legal");
        }
        at.is_checkmate()
    }

    #[test]
    fn a_line_survives_every_first_move() {
        let (pos, outlook) = find("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1");
        let mut kept = 0;
        for m in pos.legal_moves() {
            let mut next = pos.clone();
            next.play_unchecked(m);
            if let Chances::Can(line) = outlook.after(&pos, m).of(Color::White) {
                assert!(ends_in_mate(&next, line), "{m}");
                kept += 1;
            }
        }
        assert!(kept > 0);
    }

    #[test]
    fn art_5_2_2_what_cannot_be_won_stays_so() {
        let (pos, outlook) = find("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
        assert!(outlook.is_dead());
        let m = pos.legal_moves()[0];
        assert!(outlook.after(&pos, m).is_dead());
    }
}
