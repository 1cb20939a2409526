//! Can a player mate by any series of legal moves? The search of `unwinnable`, with as much work as a table may cost the hub.

use protocol::Side;
use shakmaty::{Chess, Color};

use super::MateVerdict;
use super::unwinnable::{Budget, Verdict, verdict, words};

/// Work for one question: a few tens of milliseconds at most.
const NODES: u64 = 20_000;

/// The verdict by search; what it cannot decide in its work is said to be undecided.
pub fn by_search(position: &Chess, winner: Side) -> MateVerdict {
    let color = Color::from(winner);
    let mut never = || false;
    let found = verdict(position, color, &mut Budget::new(NODES, &mut never));
    let why = words::reason(position, color, &found);
    match found {
        Verdict::Winnable { .. } => MateVerdict::Can(why),
        Verdict::Unwinnable { .. } => MateVerdict::Cannot(why),
        Verdict::Undecided { .. } => MateVerdict::Undecided(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    #[test]
    fn art_6_9_a_closed_position_is_seen_where_material_alone_is_blind() {
        let rows = [
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Side::White, true),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Side::Black, false),
            (
                "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
                Side::White,
                false,
            ),
        ];
        for (fen, winner, can) in rows {
            let position: Chess = fen
                .parse::<Fen>()
                .expect("fen")
                .into_position(CastlingMode::Standard)
                .expect("legal");
            let got = by_search(&position, winner);
            assert_eq!(matches!(got, MateVerdict::Can(_)), can, "{fen} {got:?}");
            assert_eq!(matches!(got, MateVerdict::Cannot(_)), !can, "{fen} {got:?}");
        }
    }
}
