//! Mates in one, found by looking at checks only.

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use crate::laws::unwinnable::geometry::in_front;

/// A move of the side to move that mates by attacking the king directly.
pub(super) fn mate_by_direct_check(pos: &Chess) -> Option<Move> {
    let board = pos.board();
    let us = pos.us();
    let (prey, king) = (board.king_of(!pos.turn())?, board.king_of(pos.turn())?);
    let occupied = board.occupied();
    let by_rook = attacks::rook_attacks(prey, occupied);
    let by_bishop = attacks::bishop_attacks(prey, occupied);
    let by_knight = attacks::knight_attacks(prey);
    let pieces = us & !board.pawns() & !board.kings();
    for from in pieces {
        let role = board.role_at(from)?;
        let goals = match role {
            Role::Knight => by_knight,
            Role::Bishop => by_bishop,
            Role::Rook => by_rook,
            _ => by_rook | by_bishop,
        };
        let reach = attacks::attacks(from, role.of(pos.turn()), occupied);
        for to in reach & goals & !us {
            let m = Move::Normal {
                role,
                from,
                capture: board.role_at(to),
                to,
                promotion: None,
            };
            if mates(pos, m, king) {
                return Some(m);
            }
        }
    }
    pawn_mate(pos, prey, king)
}

fn pawn_mate(pos: &Chess, prey: Square, king: Square) -> Option<Move> {
    let board = pos.board();
    let (us, turn) = (pos.us(), pos.turn());
    let occupied = board.occupied();
    let near = attacks::pawn_attacks(!turn, prey);
    for from in us & board.pawns() {
        let single = in_front(from, turn)?;
        let mut goals = attacks::pawn_attacks(turn, from) & pos.them();
        if !occupied.contains(single) {
            goals.add(single);
        }
        let last = Bitboard::BACKRANKS.contains(single);
        for to in goals {
            let promotions: &[Option<Role>] = if last {
                &[Some(Role::Queen), Some(Role::Knight)]
            } else if near.contains(to) {
                &[None]
            } else {
                &[]
            };
            for &promotion in promotions {
                let m = Move::Normal {
                    role: Role::Pawn,
                    from,
                    capture: board.role_at(to),
                    to,
                    promotion,
                };
                let seen = promotion.map_or(Bitboard::FULL, |role| {
                    attacks::attacks(to, role.of(turn), occupied.without(from))
                });
                if seen.contains(prey) && mates(pos, m, king) {
                    return Some(m);
                }
            }
        }
    }
    None
}

fn mates(pos: &Chess, m: Move, king: Square) -> bool {
    if m.capture() == Some(Role::King) {
        return false;
    }
    let mut next = pos.clone();
    next.play_unchecked(m);
    let board = next.board();
    board
        .attacks_to(king, next.turn(), board.occupied())
        .is_empty()
        && is_mate(&next)
}

pub(super) fn is_mate(pos: &Chess) -> bool {
    let board = pos.board();
    let Some(king) = board.king_of(pos.turn()) else {
        return false;
    };
    let without_king = board.occupied().without(king);
    for to in attacks::king_attacks(king) & !pos.us() {
        if board.attacks_to(to, !pos.turn(), without_king).is_empty() {
            return false;
        }
    }
    pos.is_checkmate()
}

/// Men of the side to move that uncover a line to `prey` when they leave it.
pub(super) fn discoverers(pos: &Chess, prey: Square) -> Bitboard {
    let board = pos.board();
    let ours = board.by_color(pos.turn());
    let snipers = ours
        & ((attacks::rook_attacks(prey, Bitboard::EMPTY) & board.rooks_and_queens())
            | (attacks::bishop_attacks(prey, Bitboard::EMPTY) & board.bishops_and_queens()));
    let mut found = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(sniper, prey) & board.occupied();
        if between.single_square().is_some() {
            found |= between & ours;
        }
    }
    found
}
