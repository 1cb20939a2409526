//! Mates with minor pieces in a corner of an open board: pictures of the final position, and how far the men are from it, pawns ignored.
//!
//! A knight or a bishop mates only in a corner, with the help of the other king's own men or of a second minor piece. So the pictures
//! are listed (king in a corner, winning king near, checking man, every flight square guarded or filled) and sorted by the moves the
//! men need to get there. A picture is only a direction for the search: a line counts when it ends in mate.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::{
    geometry::{leaps, steps},
    ways::UNREACHABLE,
};

/// Men and the squares they should reach.
#[derive(Clone, Debug)]
pub(super) struct Corner {
    winner: Color,
    prey: Square,
    /// Where the winning king helps; nowhere in a smothered mate.
    king: Option<Square>,
    men: Vec<(Piece, Square)>,
}

/// Pictures kept for one corner, so that the others get a chance.
const PER_CORNER: usize = 6;
const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];
const FILLERS: [Role; 5] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Pawn,
    Role::Queen,
];

impl Corner {
    /// The nearest pictures for `winner`, nearest first.
    pub(super) fn nearest(board: &Board, winner: Color, most: usize) -> Vec<Self> {
        let mut ranked: Vec<(i32, Self)> = Vec::new();
        for prey in CORNERS {
            pictures(board, winner, prey, None, &mut ranked);
            for king in Bitboard::FULL {
                if (2..=3).contains(&steps(prey, king)) {
                    pictures(board, winner, prey, Some(king), &mut ranked);
                }
            }
        }
        ranked.sort_by_key(|(cost, _)| *cost);
        let mut in_corner = [0; 4];
        let varied = ranked.into_iter().filter(|(_, goal)| {
            let corner = CORNERS.iter().position(|&c| c == goal.prey).unwrap_or(0);
            in_corner[corner] += 1;
            in_corner[corner] <= PER_CORNER
        });
        varied.map(|(_, goal)| goal).take(most).collect()
    }

    fn king_square(&self) -> Bitboard {
        self.king.map_or(Bitboard::EMPTY, Bitboard::from_square)
    }

    /// Moves still needed, roughly.
    pub(super) fn distance(&self, board: &Board) -> i32 {
        let (Some(prey), Some(king)) = (board.king_of(!self.winner), board.king_of(self.winner))
        else {
            return UNREACHABLE;
        };
        let mut free = board.occupied();
        let men = self.men.iter().map(|&(piece, to)| {
            let (cost, from) = nearest_man(board, free, piece, to);
            if let Some(from) = from {
                free.discard(from);
            }
            cost
        });
        men.sum::<i32>() + steps(prey, self.prey) + self.king.map_or(0, |to| steps(king, to))
    }
}

fn pictures(
    board: &Board,
    winner: Color,
    prey: Square,
    king: Option<Square>,
    ranked: &mut Vec<(i32, Corner)>,
) {
    let around = attacks::king_attacks(prey);
    let guarded = king.map_or(Bitboard::EMPTY, attacks::king_attacks);
    let taken = king.map_or(Bitboard::EMPTY, Bitboard::from_square);
    let ours = board.by_color(winner);
    for role in [Role::Knight, Role::Bishop] {
        if (board.by_role(role) & ours).is_empty() {
            continue;
        }
        let checker = role.of(winner);
        for at in attacks::attacks(prey, checker, Bitboard::EMPTY) & !taken {
            let covered = guarded | attacks::attacks(at, checker, Bitboard::from_square(prey));
            let flights = around & !covered;
            if (attacks::between(at, prey) & taken).any() {
                continue;
            }
            let goal = Corner {
                winner,
                prey,
                king,
                men: vec![(checker, at)],
            };
            if flights.is_empty() || flights.count() > 3 {
                continue;
            }
            filled(board, &goal, flights, ranked);
            if flights.contains(at) || flights.count() < 3 {
                guarded_by_second(board, &goal, flights, ranked);
            }
        }
    }
}

/// Every flight square gets the man of the losing side that has the shortest way there and could not take the checking man.
fn filled(board: &Board, goal: &Corner, flights: Bitboard, ranked: &mut Vec<(i32, Corner)>) {
    let (_, at) = goal.men[0];
    let loser = !goal.winner;
    if flights.contains(at) {
        return;
    }
    let mut goal = goal.clone();
    let mut free = board.by_color(loser);
    let occupied = flights.with(at).with(goal.prey) | goal.king_square();
    let parries = attacks::between(at, goal.prey).with(at);
    for flight in flights {
        let best = FILLERS
            .iter()
            .filter(|&&role| {
                (attacks::attacks(flight, role.of(loser), occupied) & parries).is_empty()
            })
            .map(|&role| (nearest_man(board, free, role.of(loser), flight), role))
            .min_by_key(|((cost, _), _)| *cost);
        let Some(((_, from), role)) = best.filter(|((cost, _), _)| *cost < UNREACHABLE) else {
            return;
        };
        if let Some(from) = from {
            free.discard(from);
        }
        goal.men.push((role.of(loser), flight));
    }
    ranked.push((goal.distance(board), goal));
}

/// A second minor piece of the winner guards what is left.
fn guarded_by_second(
    board: &Board,
    goal: &Corner,
    flights: Bitboard,
    ranked: &mut Vec<(i32, Corner)>,
) {
    let (first, at) = goal.men[0];
    let ours = board.by_color(goal.winner);
    for role in [Role::Knight, Role::Bishop] {
        let have = (board.by_role(role) & ours).count();
        if have < 1 + usize::from(role == first.role) {
            continue;
        }
        let second = role.of(goal.winner);
        let occupied = goal.king_square().with(at);
        for square in attacks::attacks(flights.first().unwrap_or(at), second, occupied) {
            let sees = attacks::attacks(square, second, occupied);
            let taken = goal.king_square().with(goal.prey).with(at);
            let clear = !(taken | attacks::between(at, goal.prey)).contains(square);
            if clear && flights.is_subset(sees) && !flights.contains(square) {
                let mut goal = goal.clone();
                goal.men.push((second, square));
                ranked.push((goal.distance(board), goal));
            }
        }
    }
}

/// Moves until some man of this kind, promotion included, stands on `to`, and which man of `free` that is.
fn nearest_man(board: &Board, free: Bitboard, piece: Piece, to: Square) -> (i32, Option<Square>) {
    let side = board.by_color(piece.color) & free;
    let direct = (side & board.by_role(piece.role))
        .into_iter()
        .map(|from| (way(piece, from, to), Some(from)));
    let best = direct.min_by_key(|w| w.0).unwrap_or((UNREACHABLE, None));
    if best.0 < UNREACHABLE || piece.role == Role::Pawn {
        return best;
    }
    let promoting = (side & board.pawns()).into_iter().map(|from| {
        let last = piece
            .color
            .fold_wb(7 - from.rank() as i32, from.rank() as i32);
        let rank = piece.color.fold_wb(7, 0);
        let born = Square::new(rank * 8 + from.file() as u32);
        (2 + last + way(piece, born, to), Some(from))
    });
    promoting.min_by_key(|w| w.0).unwrap_or((UNREACHABLE, None))
}

fn way(piece: Piece, from: Square, to: Square) -> i32 {
    if from == to {
        return 0;
    }
    let straight = from.file() == to.file() || from.rank() == to.rank();
    let diagonal = from.file().distance(to.file()) == from.rank().distance(to.rank());
    match piece.role {
        Role::King => steps(from, to),
        Role::Knight => leaps(from, to),
        Role::Bishop if from.is_light() != to.is_light() => UNREACHABLE,
        Role::Bishop => 2 - i32::from(diagonal),
        Role::Rook => 2 - i32::from(straight),
        Role::Queen => 2 - i32::from(straight || diagonal),
        Role::Pawn => pawn_way(piece.color, from, to),
    }
}

fn pawn_way(color: Color, from: Square, to: Square) -> i32 {
    let forward = (to.rank() as i32 - from.rank() as i32) * color.fold_wb(1, -1);
    if from.file() == to.file() && forward > 0 {
        forward
    } else {
        UNREACHABLE
    }
}
