//! Whether a position lies in one of the listed phases.

use shakmaty::{CastlingMode, Chess, Color, Position, Role, Square};

use crate::laws::unwinnable::phase::{Kind, Phase};

/// The position, and what follows from an en passant capture that is possible at once, lie in listed phases.
///
/// Castling needs no rule of its own: in the normal game king and rook pass only over empty squares, the king over none that is attacked,
/// so each of them could as well walk there. Pairs of kings know whose turn it is: there castling is a move of its own, and a right must
/// be listed. In Chess960, where men may be jumped over, phases cover nothing while a right is left.
pub(super) fn covers(phases: &[Phase], pos: &Chess) -> bool {
    let castles = pos.castles();
    if castles.any() && castles.mode() == CastlingMode::Chess960 {
        return false;
    }
    let after_en_passant = pos.en_passant_moves().iter().all(|&m| {
        let mut next = pos.clone();
        next.play_unchecked(m);
        phases.iter().any(|phase| holds(phase, &next))
    });
    after_en_passant && phases.iter().any(|phase| holds(phase, pos))
}

/// Whether each man of the position can be one of the phase's men, and every man that is certain is there.
pub(super) fn holds(phase: &Phase, pos: &Chess) -> bool {
    let board = pos.board();
    let same_pawns = phase.white_pawns == board.pawns() & board.white()
        && phase.black_pawns == board.pawns() & board.black();
    same_pawns && pair_fits(phase, pos) && men_fit(phase, pos)
}

fn pair_fits(phase: &Phase, pos: &Chess) -> bool {
    let Some(kings) = phase.kings.as_deref() else {
        return true;
    };
    if !pos.castles().castling_rights().is_subset(kings.castling) {
        return false;
    }
    let board = pos.board();
    let rows = pos
        .turn()
        .fold_wb(&kings.white_to_move, &kings.black_to_move);
    match (board.king_of(Color::White), board.king_of(Color::Black)) {
        (Some(white), Some(black)) => rows[usize::from(white)].contains(black),
        _ => false,
    }
}

fn men_fit(phase: &Phase, pos: &Chess) -> bool {
    let men: Vec<(Square, Color, Role)> = pos
        .board()
        .iter()
        .filter(|(_, piece)| piece.role != Role::Pawn)
        .map(|(square, piece)| (square, piece.color, piece.role))
        .collect();
    let mut holder: Vec<Option<usize>> = vec![None; phase.men.len()];
    let everyone_placed = men.iter().enumerate().all(|(i, _)| {
        let mut tried = vec![false; phase.men.len()];
        place(i, &men, phase, &mut holder, &mut tried)
    });
    everyone_placed
        && (0..phase.men.len())
            .all(|slot| holder[slot].is_some() || !must_be_filled(slot, &men, phase, &mut holder))
}

/// Tries to give a certain man that is still missing to somebody; true if nobody can be it.
fn must_be_filled(
    slot: usize,
    men: &[(Square, Color, Role)],
    phase: &Phase,
    holder: &mut [Option<usize>],
) -> bool {
    if !phase.men[slot].certain {
        return false;
    }
    for other in 0..holder.len() {
        if let Some(i) = holder[other]
            && !phase.men[other].certain
            && fits(men[i], phase, slot)
        {
            holder[other] = None;
            holder[slot] = Some(i);
            return false;
        }
    }
    true
}

fn place(
    i: usize,
    men: &[(Square, Color, Role)],
    phase: &Phase,
    holder: &mut Vec<Option<usize>>,
    tried: &mut Vec<bool>,
) -> bool {
    for slot in 0..phase.men.len() {
        if tried[slot] || !fits(men[i], phase, slot) {
            continue;
        }
        tried[slot] = true;
        let free = match holder[slot] {
            None => true,
            Some(other) => place(other, men, phase, holder, tried),
        };
        if free {
            holder[slot] = Some(i);
            return true;
        }
    }
    false
}

fn fits((square, color, role): (Square, Color, Role), phase: &Phase, slot: usize) -> bool {
    let man = &phase.men[slot];
    let kind = match role {
        Role::King => man.kind == Kind::King,
        Role::Queen => matches!(man.kind, Kind::Queen | Kind::Promoted),
        Role::Rook => matches!(man.kind, Kind::Rook | Kind::Promoted),
        Role::Bishop => matches!(man.kind, Kind::Bishop | Kind::Promoted),
        Role::Knight => matches!(man.kind, Kind::Knight | Kind::Promoted),
        Role::Pawn => false,
    };
    kind && man.color == color && man.squares.contains(square)
}
