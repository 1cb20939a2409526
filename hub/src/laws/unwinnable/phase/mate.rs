//! Could any position of a closed phase be mate?
//!
//! Sound because every condition is one a mate must meet: the king stands on a square of its set, a man of the winner attacks it, and
//! each neighbour square is held by the king's own side, or guarded by a pawn, the other king or a man from one square of its set. Men
//! of the winner are placed one square each, all combinations considered; blocking men fill one neighbour each.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::{
    answers,
    closure::{after_a_check, sight},
    flood, kings,
    state::{Man, Phase},
};

/// Which of up to eight neighbours of the king (bits 0-7) are dealt with, and whether the king is in check in a way that no capture by
/// another man answers for certain (bit 8), or by one man that can be taken (bit 9).
const CHECK: usize = 256;
const WEAK_CHECK: usize = 512;

/// Whether the men of `winner` may mate on some square. False is a proof; true only means that this test cannot exclude it.
pub(super) fn may_mate(phase: &Phase, winner: Color) -> bool {
    let Some(prey) = phase.men.iter().find(|m| m.is_king() && m.color != winner) else {
        return true;
    };
    let mut test = Test::new(phase, winner);
    let Some(pairs) = &phase.kings else {
        return prey
            .squares
            .into_iter()
            .any(|king| test.plausible(king) && test.exact(king));
    };
    let checked = after_a_check(phase, pairs, winner);
    prey.squares.into_iter().any(|king| {
        test.helper = kings::helpers_for(&checked, winner, king);
        test.helper.any() && test.plausible(king) && test.exact(king)
    })
}

struct Test<'p> {
    phase: &'p Phase,
    winner: Color,
    /// Pawns and hard men, without the king that is to be mated.
    blockers: Bitboard,
    /// Attacked by pawns of the winner.
    by_pawns: Bitboard,
    /// Seen by men of the winner from any of their squares, the king left out.
    by_men: Bitboard,
    /// Where pawns and men of the losing side may stand, the king left out.
    own: Bitboard,
    /// Where the winner's king may stand.
    helper: Bitboard,
}

impl<'p> Test<'p> {
    fn new(phase: &'p Phase, winner: Color) -> Self {
        let prey = phase.men.iter().find(|m| m.is_king() && m.color != winner);
        let stands = prey
            .filter(|m| m.is_hard())
            .map_or(Bitboard::EMPTY, |m| m.squares);
        let hard = phase.hard(winner) | phase.hard(!winner);
        let blockers = (phase.all_pawns() | hard) & !stands;
        let mut test = Self {
            phase,
            winner,
            blockers,
            by_pawns: flood::pawn_attacks(phase.pawns(winner), winner.is_white()),
            by_men: Bitboard::EMPTY,
            own: phase.pawns(!winner),
            helper: Bitboard::EMPTY,
        };
        for man in &phase.men {
            match (man.color == winner, man.is_king()) {
                (true, true) => test.helper = man.squares,
                (true, false) => test.by_men |= sight(man, blockers),
                (false, false) => test.own |= man.squares,
                (false, true) => {}
            }
        }
        test
    }

    /// The quick test: every man counted as if it stood on all its squares at once.
    fn plausible(&self, king: Square) -> bool {
        let around = flood::around(king);
        let helper = flood::steps(self.helper & !around.with(king));
        let dealt_with = self.by_pawns | self.by_men | self.own | helper;
        (self.by_pawns | self.by_men).contains(king) && around.is_subset(dealt_with)
    }

    fn exact(&self, king: Square) -> bool {
        let around = flood::around(king);
        let outside = 0xff & !compress(around, king);
        let held = self.by_pawns | self.phase.pawns(!self.winner);
        let mut given = outside | compress(held & around, king);
        let takeable = answers::takeable(self.phase, self.winner, king);
        let checking = flood::pawn_attacks(king.into(), self.winner.is_black());
        given |= check_from(checking & self.phase.pawns(self.winner), takeable);
        let mut reached = Masks::only(given);
        for man in self.phase.men.iter().filter(|m| m.color == self.winner) {
            reached.combine(&self.placements(man, king, around, takeable));
        }
        let fillable = self.fillable(king, around);
        reached.any_with_check(|mask| fillable.has(!mask & 0xff))
    }

    /// What one man of the winner can do for a mate on `king`, for each of its squares, without doubles.
    fn placements(
        &self,
        man: &Man,
        king: Square,
        around: Bitboard,
        takeable: Bitboard,
    ) -> Vec<u16> {
        let mut found: Vec<u16> = Vec::new();
        let mut met = Masks::default();
        let squares = if man.is_king() {
            self.helper & !around
        } else {
            man.squares
        };
        for at in squares.without(king) {
            let seen = self.seen_from(man, at, king);
            let mut mask = compress(seen & around, king);
            if seen.contains(king) && !man.is_king() {
                mask |= check_from(at.into(), takeable);
            }
            if mask != 0 && met.put(mask) {
                found.push(mask as u16);
            }
        }
        found
    }

    fn seen_from(&self, man: &Man, at: Square, king: Square) -> Bitboard {
        let blockers = self.blockers.without(king);
        let mut seen = Bitboard::EMPTY;
        if man.kind.is_straight() {
            seen |= attacks::rook_attacks(at, blockers);
        }
        if man.kind.is_diagonal() {
            seen |= attacks::bishop_attacks(at, blockers);
        }
        if man.kind.is_leaper() {
            seen |= attacks::knight_attacks(at);
        }
        if man.is_king() {
            seen |= attacks::king_attacks(at);
        }
        seen
    }

    /// Which sets of neighbours distinct men of the losing side can stand on.
    fn fillable(&self, king: Square, around: Bitboard) -> Masks {
        let mut sets = Masks::only(0);
        for man in self
            .phase
            .men
            .iter()
            .filter(|m| m.color != self.winner && !m.is_king())
        {
            let mine = compress(man.squares & around, king);
            let one_each: Vec<u16> = (0..8)
                .map(|bit| 1 << bit)
                .filter(|bit| mine & usize::from(*bit) != 0)
                .collect();
            sets.combine(&one_each);
        }
        sets
    }
}

/// The check given by pieces on `squares`, of which there may be none.
fn check_from(squares: Bitboard, takeable: Bitboard) -> usize {
    match (squares.is_empty(), squares.is_subset(takeable)) {
        (true, _) => 0,
        (false, true) => WEAK_CHECK,
        (false, false) => CHECK,
    }
}

/// What two masks do together: who is checked twice cannot take both.
fn together(one: usize, other: usize) -> usize {
    let twice = one & other & WEAK_CHECK;
    one | other | if twice == 0 { 0 } else { CHECK }
}

/// Squares beside `king` as eight bits: three below it, one on each side, three above.
fn compress(beside: Bitboard, king: Square) -> usize {
    let at = u32::from(king);
    let nearby = if at < 9 {
        beside.0 << (9 - at)
    } else {
        beside.0 >> (at - 9)
    };
    (nearby & 7 | nearby >> 5 & 8 | nearby >> 6 & 16 | nearby >> 11 & 0xe0) as usize
}

/// A set of masks of ten bits.
#[derive(Default)]
struct Masks([u64; 16]);

impl Masks {
    fn only(mask: usize) -> Self {
        let mut set = Self::default();
        set.put(mask);
        set
    }

    fn has(&self, mask: usize) -> bool {
        self.0[mask / 64] >> (mask % 64) & 1 == 1
    }

    /// Whether some mask that includes a check is `wanted`.
    fn any_with_check(&self, wanted: impl Fn(usize) -> bool) -> bool {
        let words = (0..self.0.len()).filter(|word| (word * 64) & CHECK != 0);
        let with_check = words.map(|word| (word, Bitboard(self.0[word])));
        with_check
            .flat_map(|(word, bits)| {
                bits.into_iter()
                    .map(move |bit| word * 64 + usize::from(bit))
            })
            .any(wanted)
    }

    /// True if the mask is new.
    fn put(&mut self, mask: usize) -> bool {
        let (word, bit) = (&mut self.0[mask / 64], 1 << (mask % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Adds to every mask, or not, one of `choices`.
    fn combine(&mut self, choices: &[u16]) {
        let before = self.0;
        for (word, mut bits) in before.into_iter().enumerate() {
            while bits != 0 {
                let mask = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                for &choice in choices {
                    self.put(together(mask, usize::from(choice)));
                }
            }
        }
    }
}
