//! Positions as boards and arbiters give them: what the rules of chess could not reach counts too.

use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, PositionErrorKinds, Setup};

/// The position of a set-up; too many pieces, an impossible check, castling rights or an en passant square that cannot be are
/// no reason to refuse it.
///
/// # Errors
/// What remains: kings that are missing or both in check, pawns on the last ranks.
pub fn lenient_position(setup: Setup, mode: CastlingMode) -> Result<Chess, PositionErrorKinds> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| error.kinds())
}
