//! Which mates with minor pieces to look for: pictures of the final position, the nearest first.
//!
//! The losing king stands on some square, a knight or bishop gives check, and every flight square is guarded by pawns, the winning king
//! or a second minor piece, or held by men of the king's own side. What many pictures have in common is tried once, with the men that
//! have the shortest way.

use std::rc::Rc;

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::{
    geometry::steps,
    goal::{Goal, nearest},
    ways::{UNREACHABLE, Way, Ways},
};

const MINOR: [Role; 2] = [Role::Knight, Role::Bishop];
const FILLERS: [Role; 5] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Pawn,
    Role::Queen,
];
/// Pictures kept for one square of the losing king, so that the others get a chance.
const PER_SQUARE: usize = 4;
/// Squares tried that come to the same: not all of them go with every man that fills a flight square.
const EACH: usize = 3;
/// Flight squares that pawns do not deal with already; more are too many but in a corner.
const MOST_OPEN: usize = 4;
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
/// Flight squares that can be dealt with by men that have to come first.
const MOST_FLIGHTS: usize = 5;

/// The nearest pictures of mates by `winner`, at most `most`, nearest first.
pub(super) fn pictures(board: &Board, winner: Color, most: usize) -> Vec<Goal> {
    gallery(board, winner, most).map_or_else(Vec::new, Gallery::into_goals)
}

fn gallery(board: &Board, winner: Color, most: usize) -> Option<Gallery<'_>> {
    let (prey, king) = (board.king_of(!winner)?, board.king_of(winner)?);
    let mut ways = Ways::new(board);
    let prey_way = ways.of(Role::King.of(!winner), prey);
    let king_way = ways.of(Role::King.of(winner), king);
    let mut gallery = Gallery {
        board,
        winner,
        ways,
        king_way,
        hung: Vec::new(),
        most,
    };
    let held = board.pawns() & board.by_color(!winner);
    let mut squares: Vec<(i32, Square)> = (!held)
        .into_iter()
        .map(|square| (i32::from(prey_way[usize::from(square)]), square))
        .filter(|(cost, _)| *cost < UNREACHABLE)
        .collect();
    squares.sort_by_key(|s| s.0);
    for (cost, prey) in squares {
        gallery.around(prey, cost);
    }
    Some(gallery)
}

/// A picture that may still lack men on its flight squares.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    cost: i32,
    pub prey: Square,
    pub king: Option<Square>,
    pub men: Vec<(Piece, Square)>,
    /// Men that have no errand yet.
    free: Bitboard,
    /// Pawns that stay where they are.
    pub pawns: Bitboard,
}

impl Sketch {
    fn with(&self, piece: Piece, to: Square, (cost, from): (i32, Option<Square>)) -> Self {
        let mut more = self.clone();
        more.cost += cost;
        more.men.push((piece, to));
        if let Some(from) = from {
            more.free.discard(from);
        }
        more
    }
}

struct Gallery<'b> {
    board: &'b Board,
    winner: Color,
    ways: Ways,
    king_way: Rc<Way>,
    hung: Vec<Sketch>,
    most: usize,
}

impl Gallery<'_> {
    fn into_goals(mut self) -> Vec<Goal> {
        let (winner, ways) = (self.winner, &mut self.ways);
        one_of_each_in_turn(&self.hung)
            .into_iter()
            .map(|s| Goal::new(ways, winner, s))
            .collect()
    }

    /// Whether a picture that costs so much would be thrown out again.
    fn is_too_far(&self, cost: i32) -> bool {
        let full = self.hung.len() >= self.most;
        full && self.hung.last().is_some_and(|last| cost >= last.cost)
    }

    fn is_near(&self, cost: i32, way: i32) -> bool {
        way < UNREACHABLE && !self.is_too_far(cost + way)
    }

    fn hang(&mut self, sketch: Sketch) {
        let here = self.hung.iter().filter(|s| s.prey == sketch.prey).count();
        if here >= PER_SQUARE {
            let worst = self.hung.iter().rposition(|s| s.prey == sketch.prey);
            let Some(worst) = worst.filter(|&at| self.hung[at].cost > sketch.cost) else {
                return;
            };
            self.hung.remove(worst);
        }
        let at = self.hung.partition_point(|s| s.cost <= sketch.cost);
        self.hung.insert(at, sketch);
        self.hung.truncate(self.most);
    }

    fn way(&mut self, piece: Piece, to: Square, sketch: &Sketch) -> (i32, Option<Square>) {
        let way = self.ways.of(piece, to);
        nearest(self.board, sketch.free, piece, &way)
    }

    /// All pictures with the losing king on `prey`.
    fn around(&mut self, prey: Square, cost: i32) {
        if self.is_too_far(cost) {
            return;
        }
        let around = attacks::king_attacks(prey);
        let held = self.board.pawns() & self.board.by_color(!self.winner);
        let flights = around & !(held | self.ways.guarded(!self.winner));
        if flights.count() > MOST_OPEN && !CORNERS.contains(prey) {
            return;
        }
        let pawns = self.kept(prey);
        for (king, way) in self.kings(prey, flights) {
            let sketch = Sketch {
                cost: cost + way,
                prey,
                king,
                men: Vec::new(),
                free: self.board.occupied() & !pawns,
                pawns,
            };
            if !self.is_too_far(sketch.cost) {
                self.checks(&sketch, flights);
            }
        }
    }

    /// Pawns that hold squares around the king, or guard them.
    fn kept(&self, prey: Square) -> Bitboard {
        let around = attacks::king_attacks(prey);
        let guards = around
            .into_iter()
            .map(|flight| attacks::pawn_attacks(!self.winner, flight));
        let guards = guards.fold(Bitboard::EMPTY, |all, guard| all | guard);
        let ours = self.board.by_color(self.winner);
        self.board.pawns() & (ours & guards | !ours & around)
    }

    /// The king stays away, or guards some of the flight squares: for each set of them from the squares that are nearest.
    fn kings(&self, prey: Square, flights: Bitboard) -> Vec<(Option<Square>, i32)> {
        let mut sets = vec![Bitboard::EMPTY; EACH];
        let mut found = vec![(None, 0)];
        let mut squares: Vec<(u8, Square)> = (!self.board.pawns())
            .into_iter()
            .filter(|&at| (2..=3).contains(&steps(prey, at)))
            .map(|at| (self.king_way[usize::from(at)], at))
            .collect();
        squares.sort_by_key(|s| s.0);
        for (cost, at) in squares {
            let guards = attacks::king_attacks(at) & flights;
            if sets.iter().filter(|set| **set == guards).count() < EACH {
                sets.push(guards);
                found.push((Some(at), i32::from(cost)));
            }
        }
        found
    }

    /// A minor piece gives check from somewhere.
    fn checks(&mut self, sketch: &Sketch, flights: Bitboard) {
        let king = sketch.king.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let guarded = sketch.king.map_or(Bitboard::EMPTY, attacks::king_attacks);
        let standing = self.board.pawns() | king;
        for role in MINOR {
            let checker = role.of(self.winner);
            if self.board.by_piece(checker).is_empty() {
                continue;
            }
            let mut sets = Vec::new();
            let taken = standing | self.ways.guarded(self.winner);
            for at in attacks::attacks(sketch.prey, checker, standing) & !taken {
                let sees = attacks::attacks(at, checker, standing.without(sketch.prey));
                let left = flights & !(guarded | sees);
                let way = self.way(checker, at, sketch);
                if left.count() <= MOST_FLIGHTS && self.is_near(sketch.cost, way.0) {
                    keep_nearest(&mut sets, (left, way, at));
                }
            }
            for (left, way, at) in sets {
                let with = sketch.with(checker, at, way);
                self.fill(with.clone(), left);
                if left.any() {
                    self.second_guards(&with, left);
                }
            }
        }
    }

    /// A second minor piece guards some of the flight squares.
    fn second_guards(&mut self, sketch: &Sketch, flights: Bitboard) {
        let king = sketch.king.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let (first, at) = sketch.men[0];
        let standing = (self.board.pawns() | king).with(at);
        let line = attacks::between(at, sketch.prey).with(sketch.prey);
        for role in MINOR {
            let second = role.of(self.winner);
            let have = self.board.by_piece(second).count();
            if have < 1 + usize::from(role == first.role) {
                continue;
            }
            let mut seen_from = Bitboard::EMPTY;
            for flight in flights {
                seen_from |= attacks::attacks(flight, second, standing);
            }
            let mut sets = Vec::new();
            for square in seen_from & !standing & !line & !flights {
                let left = flights & !attacks::attacks(square, second, standing);
                let way = self.way(second, square, sketch);
                if self.is_near(sketch.cost, way.0) {
                    keep_nearest(&mut sets, (left, way, square));
                }
            }
            for (left, way, square) in sets {
                self.fill(sketch.with(second, square, way), left);
            }
        }
    }

    /// Every flight square left gets the man of the losing side that has the shortest way there and could not parry the check.
    fn fill(&mut self, mut sketch: Sketch, flights: Bitboard) {
        let (_, at) = sketch.men[0];
        if flights.contains(at) || flights.count() > 3 {
            return;
        }
        let loser = !self.winner;
        let king = sketch.king.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let occupied = flights.with(at).with(sketch.prey) | king | self.board.pawns();
        let parries = attacks::between(at, sketch.prey).with(at);
        for flight in flights {
            let mut best = ((UNREACHABLE, None), Role::Pawn);
            for role in FILLERS {
                let piece = role.of(loser);
                let no_pawn = role == Role::Pawn && Bitboard::BACKRANKS.contains(flight);
                let sees = attacks::attacks(flight, piece, occupied);
                if no_pawn || (sees & (parries | king)).any() {
                    continue;
                }
                let way = self.way(piece, flight, &sketch);
                if way.0 < best.0.0 {
                    best = (way, role);
                }
            }
            if !self.is_near(sketch.cost, best.0.0) {
                return;
            }
            sketch = sketch.with(best.1.of(loser), flight, best.0);
        }
        self.hang(sketch);
    }
}

/// The nearest picture of every square of the losing king, then the second nearest of each: those of one square fail together.
fn one_of_each_in_turn(hung: &[Sketch]) -> Vec<&Sketch> {
    let mut met = [0; 64];
    let mut turns: Vec<(usize, &Sketch)> = Vec::with_capacity(hung.len());
    for sketch in hung {
        let nth = &mut met[usize::from(sketch.prey)];
        turns.push((*nth, sketch));
        *nth += 1;
    }
    turns.sort_by_key(|turn| turn.0);
    turns.into_iter().map(|turn| turn.1).collect()
}

/// Flight squares left, the way of a man, and where to.
type Post = (Bitboard, (i32, Option<Square>), Square);

/// Keeps, for each set of flight squares left, the few nearest squares.
fn keep_nearest(posts: &mut Vec<Post>, new: Post) {
    let alike = posts.iter().filter(|post| post.0 == new.0).count();
    if alike < EACH {
        return posts.push(new);
    }
    let same = posts.iter_mut().filter(|post| post.0 == new.0);
    let worst = same.max_by_key(|post| post.1.0);
    if let Some(worst) = worst.filter(|worst| worst.1.0 > new.1.0) {
        *worst = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::position_from_fen;
    use shakmaty::Position;

    #[test]
    fn a_picture_uses_no_man_twice_and_no_pawn_on_a_last_rank() {
        let rows = [
            ("8/8/8/4KP2/8/2k5/8/b7 w - - 0 1", Color::Black),
            ("8/2k5/6p1/8/6KB/8/8/8 w - - 0 1", Color::White),
            ("8/8/5n2/2p4p/1kP4P/8/3K4/8 w - - 0 1", Color::Black),
        ];
        for (fen, winner) in rows {
            let pos = position_from_fen(fen).expect("a position");
            let board = pos.board();
            let hung = gallery(board, winner, 18).expect("two kings").hung;
            assert!(!hung.is_empty(), "{fen}");
            for sketch in hung {
                let pawn_at_the_end = sketch.men.iter().any(|(piece, to)| {
                    piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(*to)
                });
                assert!(!pawn_at_the_end, "{fen}: {sketch:?}");
                assert!((sketch.free & sketch.pawns).is_empty(), "{fen}: {sketch:?}");
                let used = board.occupied() & !sketch.free & !sketch.pawns;
                assert_eq!(used.count(), sketch.men.len(), "{fen}: {sketch:?}");
            }
        }
    }

    #[test]
    fn the_nearest_picture_of_every_square_comes_first() {
        let pos = position_from_fen("8/8/8/4KP2/8/2k5/8/b7 w - - 0 1").expect("a position");
        let hung = gallery(pos.board(), Color::Black, 18)
            .expect("two kings")
            .hung;
        let squares: std::collections::BTreeSet<Square> = hung.iter().map(|s| s.prey).collect();
        let first = one_of_each_in_turn(&hung);
        let of_the_first: std::collections::BTreeSet<Square> =
            first.iter().take(squares.len()).map(|s| s.prey).collect();
        assert_eq!(of_the_first, squares);
        assert_eq!(first.len(), hung.len());
    }
}
