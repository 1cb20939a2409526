//! A helpmate found by search wanders; this takes out what it does not need.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

/// The same line with every detour left out that a single move avoids: from each position the move that leads furthest along the line.
/// Every move is legal and the last position is the same.
pub(super) fn shortened(start: &Chess, line: &[Move]) -> Vec<Move> {
    let mut at = start.clone();
    let mut last_met = HashMap::with_capacity(line.len() + 1);
    for (station, &m) in line.iter().enumerate() {
        last_met.insert(at.clone(), station);
        at.play_unchecked(m);
    }
    last_met.insert(at, line.len());
    let mut short = Vec::new();
    let (mut here, mut now) = (start.clone(), 0);
    while now < line.len() {
        let (m, station) = furthest(&here, &last_met, (line[now], now + 1));
        here.play_unchecked(m);
        short.push(m);
        now = station;
    }
    short
}

/// The move of the line, or another that leads further along it.
fn furthest(here: &Chess, last_met: &HashMap<Chess, usize>, next: (Move, usize)) -> (Move, usize) {
    let ways = here.legal_moves().into_iter().filter_map(|m| {
        let mut after = here.clone();
        after.play_unchecked(m);
        let &station = last_met.get(&after)?;
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
