//! A helpmate found by search wanders; this takes out what it does not need.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use shakmaty::{Chess, Move, Position};

use super::keys::Mixer;

/// Where a line passes: the last station of each position, and the squares of the side that moved there.
#[derive(Default)]
struct Stations {
    last_met: HashMap<Chess, usize, BuildHasherDefault<Mixer>>,
    moved_to: HashSet<u64, BuildHasherDefault<Mixer>>,
}

impl Stations {
    fn note(&mut self, at: &Chess, station: usize) {
        self.moved_to.insert(at.them().0);
        self.last_met.insert(at.clone(), station);
    }

    /// Whether the mover's men stand as at a station when the move is made; most moves lead nowhere near the line.
    fn may_meet(&self, here: &Chess, m: &Move) -> bool {
        let Some(from) = m.from().filter(|_| !m.is_castle()) else {
            return true;
        };
        self.moved_to
            .contains(&here.us().without(from).with(m.to()).0)
    }
}

/// The same line with every detour left out that a single move avoids: from each position the move that leads furthest along the line.
/// Every move is legal and the last position is the same.
pub(super) fn shortened(start: &Chess, line: &[Move]) -> Vec<Move> {
    let mut at = start.clone();
    let mut stations = Stations::default();
    for (station, &m) in line.iter().enumerate() {
        stations.note(&at, station);
        at.play_unchecked(m);
    }
    stations.note(&at, line.len());
    let mut short = Vec::new();
    let (mut here, mut now) = (start.clone(), 0);
    while now < line.len() {
        let (m, station) = furthest(&here, &stations, (line[now], now + 1));
        here.play_unchecked(m);
        short.push(m);
        now = station;
    }
    short
}

/// The move of the line, or another that leads further along it.
fn furthest(here: &Chess, stations: &Stations, next: (Move, usize)) -> (Move, usize) {
    let moves = here.legal_moves().into_iter();
    let ways = moves
        .filter(|m| stations.may_meet(here, m))
        .filter_map(|m| {
            let mut after = here.clone();
            after.play_unchecked(m);
            let &station = stations.last_met.get(&after)?;
            Some((m, station))
        });
    ways.max_by_key(|way| way.1)
        .filter(|way| way.1 > next.1)
        .unwrap_or(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::position_from_fen;
    use shakmaty::uci::UciMove;

    #[test]
    fn a_detour_is_left_out_and_the_mate_is_the_same() {
        let start = position_from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").expect("a position");
        let mut at = start.clone();
        let mut line = Vec::new();
        for word in ["a1b1", "h8g8", "b1a1", "g8h8", "a1c1", "h8g8", "c1c8"] {
            let uci: UciMove = word.parse().expect("a move");
            let m = uci.to_move(&at).expect("legal");
            at.play_unchecked(m);
            line.push(m);
        }
        assert!(at.is_checkmate());
        let short = shortened(&start, &line);
        assert_eq!(short.len(), 3, "{short:?}");
        let mut end = start;
        for m in short {
            end = end.play(m).expect("legal");
        }
        assert_eq!(end, at);
    }
}
