//! Can a player mate by any series of legal moves? The search of `unwinnable`, with as much work as a table may cost the hub.

use protocol::Side;
use shakmaty::{Chess, Color, Position};

use super::MateVerdict;
use super::unwinnable::{self, Budget, Certificate, Verdict, verdict, words};

/// Work for one question that nobody has answered in the background yet, as the venue waits for it: measured, under a millisecond in 999 of
/// 1000 positions of games, some in hard studies. What stays open is answered from the background soon after.
const NODES: u64 = 1_000;

/// Half-moves of a line that is written out in full.
const TOLD: usize = 16;

/// Half-moves without capture or pawn move from which the count is worth a word: the Laws do not say that it ends the series.
const COUNT_IS_HIGH: u32 = 140;

/// The verdict by search; what it cannot decide in its work is said to be undecided.
pub fn by_search(position: &Chess, winner: Side) -> MateVerdict {
    let color = Color::from(winner);
    let mut never = || false;
    let found = verdict(position, color, &mut Budget::new(NODES, &mut never));
    spoken(position, color, &words::concise(position, &found))
}

/// Why `winner` cannot mate with the men that are on the board, whatever happens; nothing where that does not show it.
pub fn by_lemma(position: &Chess, winner: Side) -> Option<String> {
    let color = Color::from(winner);
    let lemma = unwinnable::lemma(position.board(), color)?;
    let certificate = Certificate::Material(lemma);
    Some(words::reason(
        position,
        color,
        &Verdict::Unwinnable { certificate },
    ))
}

/// A verdict in words, with the moves where they are few.
pub(super) fn spoken(position: &Chess, color: Color, found: &Verdict) -> MateVerdict {
    let mut why = words::reason(position, color, found);
    if let Verdict::Winnable { line } = found
        && (1..=TOLD).contains(&line.len())
    {
        let moves = words::numbered(position, line).join(" ");
        why = format!("{why}: {moves}");
    }
    if position.halfmoves() >= COUNT_IS_HIGH {
        let count = position.halfmoves();
        why = format!("{why} (without regard to the {count} half-moves counted)");
    }
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
            ("4k3/8/8/8/8/8/8/4K2N w - - 0 1", Side::White, false),
            ("4k3/7p/8/8/8/8/8/4K2N w - - 0 1", Side::White, true),
            ("4kb2/8/8/8/8/8/8/4K2B w - - 0 1", Side::White, true),
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
