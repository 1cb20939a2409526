//! Presses beside moves: the clock's own count of moves, and the side on which it stands (6.5, 6.10.2).

use protocol::{BySide, Side, SideControl};
use serde::{Deserialize, Serialize};

/// Who pressed after whose move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hands {
    /// Presses by the player who had moved.
    pub agree: u32,
    /// Presses by the other one.
    pub against: u32,
}

impl Hands {
    /// A press came while this player's move waited for it.
    pub fn pressed(&mut self, by: Side, mover: Side) {
        if by == mover {
            self.agree = self.agree.saturating_add(1);
        } else {
            self.against = self.against.saturating_add(1);
        }
    }

    /// The clock stands on the other side than thought: three presses say so and none speaks against it.
    pub fn exchanged(&self) -> bool {
        self.against >= 3 && self.agree == 0
    }
}

/// How far presses and completed moves of a player differ: above zero, the clock counts more moves than were made.
pub fn surplus(presses: BySide<u32>, completed: BySide<u32>) -> BySide<i64> {
    BySide::new_with(|side| i64::from(*presses.get(side)) - i64::from(*completed.get(side)))
}

/// Whether a wrong count matters: the control counts moves, so a clock may add its period one move too early or late.
pub fn counts_moves(control: &SideControl) -> bool {
    control.periods().iter().any(|p| p.moves.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn art_6_5_three_presses_from_the_wrong_side() {
        let mut hands = Hands::default();
        for n in 1..=3 {
            hands.pressed(Side::Black, Side::White);
            assert_eq!(hands.exchanged(), n == 3);
        }
        hands.pressed(Side::White, Side::White);
        assert!(!hands.exchanged(), "one right press and nothing is proven");
    }

    #[test]
    fn art_6_10_2_presses_and_moves() {
        let got = surplus(
            BySide {
                white: 41,
                black: 39,
            },
            BySide {
                white: 40,
                black: 40,
            },
        );
        assert_eq!(
            got,
            BySide {
                white: 1,
                black: -1
            }
        );
        let control = |text: &str| text.parse::<protocol::TimeControl>().expect("control");
        assert!(counts_moves(&control("40/5400:1800").sides.white));
        assert!(!counts_moves(&control("5400+30").sides.white));
    }
}
