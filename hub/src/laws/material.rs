//! Can a player mate with the pieces on the board? By material alone; blocked positions are not looked into.

use protocol::Side;
use shakmaty::{Chess, Color, Position};

use super::MateVerdict;

/// The verdict by material alone, and it says so.
pub fn by_material(position: &Chess, winner: Side) -> MateVerdict {
    let color = Color::from(winner);
    if position.has_insufficient_material(color) {
        MateVerdict::Cannot(format!(
            "{} has {} against {}: no mate exists (by material)",
            winner.word(),
            pieces(position, color),
            pieces(position, !color)
        ))
    } else {
        MateVerdict::Can(format!(
            "{} has material to mate (by material alone: a blocked position is not examined)",
            winner.word()
        ))
    }
}

fn pieces(position: &Chess, color: Color) -> String {
    let side = position.board().by_color(color);
    let letters: String = shakmaty::Role::ALL
        .iter()
        .rev()
        .flat_map(|role| {
            let count = (position.board().by_role(*role) & side).count();
            std::iter::repeat_n(role.upper_char(), count)
        })
        .collect();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    #[test]
    fn art_6_9_material_that_cannot_mate() {
        let rows = [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Side::White, false),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Side::White, true),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Side::Black, false),
            ("4k3/8/8/8/8/8/8/4K2N w - - 0 1", Side::White, false),
            ("4k3/7p/8/8/8/8/8/4K2N w - - 0 1", Side::White, true),
            ("4kb2/8/8/8/8/8/8/4K2B w - - 0 1", Side::White, true),
        ];
        for (fen, winner, can) in rows {
            let Ok(position) = fen
                .parse::<Fen>()
                .expect("fen")
                .into_position::<Chess>(CastlingMode::Standard)
            else {
                continue;
            };
            let got = matches!(by_material(&position, winner), MateVerdict::Can(_));
            assert_eq!(got, can, "{fen} {winner:?}");
        }
    }
}
