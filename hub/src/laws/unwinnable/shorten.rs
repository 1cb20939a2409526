//! A helpmate found by search wanders; this takes out what it does not need.

use shakmaty::{Chess, Move, Position};

/// The same line with every detour left out that a single move avoids: from each position the move that leads furthest along the line.
/// Every move is legal and the last position is the same.
pub(super) fn shortened(start: &Chess, line: &[Move]) -> Vec<Move> {
    let mut stations = vec![start.clone()];
    for &m in line {
        let mut next = stations[stations.len() - 1].clone();
        next.play_unchecked(m);
        stations.push(next);
    }
    let mut short = Vec::new();
    let mut at = 0;
    while at + 1 < stations.len() {
        let (m, next) = furthest(&stations, at).unwrap_or((line[at], at + 1));
        short.push(m);
        at = next;
    }
    short
}

fn furthest(stations: &[Chess], at: usize) -> Option<(Move, usize)> {
    let here = &stations[at];
    let ways = here.legal_moves().into_iter().filter_map(|m| {
        let mut next = here.clone();
        next.play_unchecked(m);
        let station = stations.iter().rposition(|s| *s == next)?;
        Some((m, station))
    });
    ways.max_by_key(|(_, station)| *station)
        .filter(|(_, station)| *station > at)
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
