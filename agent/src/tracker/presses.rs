//! Which press belongs to which ply: a line with more moves than presses has passed over some.
//!
//! A press serves one ply only; every line reckons for itself, so that one that is too long cannot borrow.

use std::collections::VecDeque;

use shakmaty::Color;
use smallvec::SmallVec;

use super::observation::Millis;
use super::prices::DEBT_TERM;

/// A press is seen within this after its move, in milliseconds; later, it rather belongs to the next one.
pub(super) const PRESSED_WITHIN: Millis = 2000;
/// A press is told so long before the arrival of its piece, at most, in milliseconds.
const AHEAD_OF_SWEEP: Millis = 500;
/// So many presses are remembered.
const MOST: usize = 64;

/// When a player's plies after the root were made.
pub(super) type Plies = SmallVec<[Millis; 16]>;

/// The presses since the root of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Presses {
    seen: [VecDeque<Millis>; 2],
    /// When each player's last ply up to the root was made.
    left: [Option<Millis>; 2],
}

impl Presses {
    pub(super) fn note(&mut self, by: Color, at: Millis) {
        let seen = &mut self.seen[by as usize];
        if seen.len() == MOST {
            seen.pop_front();
        }
        seen.push_back(at);
    }

    /// The root moves past a ply: the presses before it serve no other.
    pub(super) fn leave(&mut self, by: Color, at: Millis) {
        self.left[by as usize] = Some(at);
        let seen = &mut self.seen[by as usize];
        while seen.front().is_some_and(|&press| press < at) {
            seen.pop_front();
        }
    }

    /// How many plies of a line were not pressed, though later ones of the same player were; `made`: when White's and
    /// Black's plies after the root were made, by the colour's index.
    pub(super) fn passed_over(&self, made: &[Plies; 2]) -> u32 {
        (0..2)
            .map(|player| {
                let before = self.left[player];
                let plies = before.into_iter().chain(made[player].iter().copied());
                let plies: Plies = plies.collect();
                let counted = usize::from(before.is_some());
                passed_over(&plies, &self.seen[player], counted)
            })
            .sum()
    }

    /// What it keeps on the heap, in bytes.
    pub(super) fn heap(&self) -> usize {
        self.seen
            .iter()
            .map(|seen| seen.capacity() * size_of::<Millis>())
            .sum()
    }
}

/// The plies of one player from `counted` on that no press belongs to, up to the last that has one.
fn passed_over(plies: &[Millis], presses: &VecDeque<Millis>, counted: usize) -> u32 {
    let mut presses = presses.iter().copied().peekable();
    let (mut open, mut passed) = (0, 0);
    for (place, &made) in plies.iter().enumerate() {
        while presses.next_if(|press| press + DEBT_TERM < made).is_some() {}
        let next = plies.get(place + 1).copied();
        if presses
            .next_if(|&press| serves(press, made, next))
            .is_some()
        {
            passed += std::mem::take(&mut open);
        } else if place >= counted {
            open += 1;
        }
    }
    passed
}

/// The press belongs to the ply made then, not to the player's next one.
fn serves(press: Millis, made: Millis, next: Option<Millis>) -> bool {
    press <= made + PRESSED_WITHIN || next.is_none_or(|next| press + AHEAD_OF_SWEEP < next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_serves_one_ply() {
        // plies made, presses seen, plies passed over
        let rows: [(&[Millis], &[Millis], u32); 7] = [
            (&[1000, 4000], &[1800, 4700], 0),
            (&[1000, 4000], &[4700], 1),
            (&[1000, 1600], &[1900, 2500], 0),
            (&[1000, 1600, 5000], &[1900, 5600], 1),
            (&[1000, 4000], &[1800, 3950], 0),
            (&[1000, 4000], &[1800], 0),
            (&[1000, 4000], &[], 0),
        ];
        for (plies, presses, passed) in rows {
            let presses: VecDeque<Millis> = presses.iter().copied().collect();
            assert_eq!(
                passed_over(plies, &presses, 0),
                passed,
                "{plies:?} {presses:?}"
            );
        }
    }

    #[test]
    fn presses_of_plies_before_the_root_serve_no_other() {
        let mut presses = Presses::default();
        presses.note(Color::White, 900);
        presses.note(Color::White, 1800);
        presses.leave(Color::White, 1000);
        presses.note(Color::White, 6600);
        let made = |white: &[Millis]| {
            let mut made = [Plies::new(), Plies::new()];
            made[Color::White as usize] = white.into();
            made
        };
        assert_eq!(presses.passed_over(&made(&[6000])), 0);
        assert_eq!(presses.passed_over(&made(&[2200, 6000])), 1);
    }
}
