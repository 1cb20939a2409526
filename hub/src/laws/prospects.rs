//! What has been found out about mates in a game, and who is asked where nothing has: so that the answer is there when a flag falls.

use std::collections::VecDeque;

use protocol::{BySide, Side};
use shakmaty::{Chess, Color, Position};

use super::mate_search::spoken;
use super::unwinnable::{Chances, Outlook};
use super::{MateTest, MateVerdict};

/// Positions whose answers are kept: an illegal move that is taken back brings an earlier one back.
const KEPT: usize = 12;

/// Answers found in the background, by position, the latest last.
#[derive(Debug, Clone)]
pub struct Prospects {
    test: MateTest,
    known: VecDeque<(Chess, BySide<MateVerdict>)>,
}

impl Prospects {
    /// Nothing is known yet; `test` answers at once what nobody has found out.
    pub fn new(test: MateTest) -> Prospects {
        Prospects {
            test,
            known: VecDeque::new(),
        }
    }

    /// Takes in what was found out about both sides in a position.
    pub fn learn(&mut self, position: Chess, mates: BySide<MateVerdict>) {
        self.known.retain(|(known, _)| *known != position);
        if self.known.len() == KEPT {
            self.known.pop_front();
        }
        self.known.push_back((position, mates));
    }

    /// What was found out about a position, if anything was.
    pub fn known(&self, position: &Chess) -> Option<&BySide<MateVerdict>> {
        let found = self.known.iter().rev().find(|(known, _)| known == position);
        found.map(|(_, mates)| mates)
    }

    /// Whether `winner` can mate from `position` by any series of legal moves.
    pub fn can_mate(&self, position: &Chess, winner: Side) -> MateVerdict {
        match self.known(position) {
            Some(mates) => mates.get(winner).clone(),
            None => (self.test)(position, winner),
        }
    }

    /// Why neither side can mate in a position that is not over by itself, where that was found out.
    pub fn dead(&self, position: &Chess) -> Option<String> {
        let mates = self.known(position)?;
        match (&mates.white, &mates.black) {
            (MateVerdict::Cannot(white), MateVerdict::Cannot(black))
                if !position.legal_moves().is_empty() =>
            {
                Some(format!("{white}; {black}"))
            }
            _ => None,
        }
    }
}

/// An outlook in words, for both sides.
pub fn verdicts(position: &Chess, outlook: &Outlook) -> BySide<MateVerdict> {
    BySide::new_with(|side| {
        let color = Color::from(side);
        match outlook.of(color) {
            Chances::Unknown => {
                MateVerdict::Undecided(format!("not decided yet whether {} can mate", side.word()))
            }
            known => spoken(position, color, &known.verdict()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::by_search;
    use crate::laws::unwinnable::{Budget, position_from_fen};

    fn find(fen: &str) -> (Chess, Outlook) {
        let position = position_from_fen(fen).expect("a position");
        let mut outlook = Outlook::default();
        let mut never = || false;
        let refused = outlook.find_out(&position, &mut Budget::new(20_000, &mut never));
        assert!(refused.is_empty(), "{refused:?}");
        (position, outlook)
    }

    #[test]
    fn art_5_2_2_a_closed_wall_is_dead_once_it_was_looked_into() {
        let (wall, outlook) = find("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1");
        let mut prospects = Prospects::new(by_search);
        assert_eq!(prospects.dead(&wall), None);
        prospects.learn(wall.clone(), verdicts(&wall, &outlook));
        let why = prospects.dead(&wall).expect("dead");
        assert!(why.starts_with("closed position"), "{why}");
    }

    #[test]
    fn what_was_found_is_not_asked_again_and_old_positions_are_forgotten() {
        let (queen, _) = find("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1");
        let nobody = |_: &Chess, _| MateVerdict::Undecided("asked".to_owned());
        let mut prospects = Prospects::new(nobody);
        let found = BySide::new_with(|_| MateVerdict::Can("found".to_owned()));
        prospects.learn(queen.clone(), found);
        assert_eq!(prospects.can_mate(&queen, Side::White).words(), "found");
        let mut at = Chess::default();
        for n in 0..KEPT {
            let m = at.legal_moves()[n % 3];
            at.play_unchecked(m);
            prospects.learn(
                at.clone(),
                BySide::new_with(|_| MateVerdict::Can(String::new())),
            );
        }
        assert_eq!(prospects.can_mate(&queen, Side::White).words(), "asked");
    }

    #[test]
    fn art_6_9_the_line_is_told_and_so_is_a_count_that_comes_near_its_end() {
        let (position, outlook) = find("k7/7R/1K6/8/8/8/8/8 w - - 141 100");
        let words = verdicts(&position, &outlook).white.words().to_owned();
        assert!(words.contains("100.Rh8#"), "{words}");
        assert!(words.contains("141 half-moves"), "{words}");
    }
}
