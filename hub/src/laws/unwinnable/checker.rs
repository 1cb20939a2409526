//! placeholder
use shakmaty::*;
use super::verdict::Certificate;
pub(super) fn accepts_line(pos: &Chess, winner: Color, line: &[Move]) -> bool {
    let mut at = pos.clone();
    for &m in line { match at.clone().play(m) { Ok(n) => at = n, Err(_) => return false } }
    at.is_checkmate() && at.turn() != winner
}
pub(super) fn accepts(_: &Chess, _: Color, _: &Certificate) -> bool { true }
