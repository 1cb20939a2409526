//! Touched pieces: lifted and put back while another one is played, and moves that seem to take two hands.

use shakmaty::{Color, Move, Position, Square};

use super::hypothesis::Id;
use super::inference::Code;
use super::machine::Tracker;
use super::observation::{Millis, Reading};

/// A shorter absence is a flicker, in milliseconds.
const SHORTEST: Millis = 300;
/// After an absence like this a touch counts whatever comes later.
const LONG: Millis = 1500;
/// After a shorter one it counts when the other piece is taken within this.
const AT_ONCE: Millis = 1000;
/// Two pieces lifted, and put down, this close together were in two hands.
const TOGETHER: Millis = 150;
/// Touches remembered.
const MOST: usize = 16;

/// A piece lifted and put back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    square: Square,
    piece: Reading,
    lifted: Millis,
    returned: Millis,
}

impl Tracker {
    /// Notes a piece that comes back to its square.
    pub(super) fn note_touch(&mut self, square: Square, reading: Reading) {
        let index = square.to_usize();
        let picture = &self.core.picture;
        let back =
            picture.at(index).is_empty() && !reading.is_empty() && picture.before(index) == reading;
        let (lifted, returned) = (picture.since(index), self.core.now);
        let reliable = picture.flaps(index, returned) < 2.0;
        if !back || !reliable || returned.saturating_sub(lifted) < SHORTEST {
            return;
        }
        if self.touches.len() == MOST {
            self.touches.remove(0);
        }
        self.touches.push(Touch {
            square,
            piece: reading,
            lifted,
            returned,
        });
    }

    /// Judges the touches when a ply is shown.
    pub(super) fn judge_touches(&mut self, id: Id, previous: Millis) {
        let node = self.core.node(id);
        let (Some(step), Some(parent)) = (node.step, node.parent) else {
            return;
        };
        let before = self.core.node(parent).position.clone();
        let from = Square::new(u32::from(step.from));
        let lift = self.core.picture.emptied(from.to_usize());
        let touches = std::mem::take(&mut self.touches);
        let touched = touches.iter().find(|touch| {
            touch.lifted >= previous
                && touch.returned <= lift
                && (touch.returned - touch.lifted >= LONG || lift - touch.returned <= AT_ONCE)
                && obliges(touch, &before, step.mv)
        });
        if let Some(touch) = touched {
            let squares = vec![touch.square];
            self.alarms.tell(
                Code::TouchMove,
                squares,
                "a piece was touched and another one played",
            );
        }
        if let Move::Castle { king, rook } = step.mv {
            self.judge_castling(king, rook, &before);
        }
    }

    fn judge_castling(&mut self, king: Square, rook: Square, before: &shakmaty::Chess) {
        let turn = before.turn();
        let side = if rook > king {
            shakmaty::CastlingSide::KingSide
        } else {
            shakmaty::CastlingSide::QueenSide
        };
        let picture = &self.core.picture;
        let lifted = [king, rook].map(|square| picture.emptied(square.to_usize()));
        let placed =
            [side.king_to(turn), side.rook_to(turn)].map(|square| picture.since(square.to_usize()));
        if placed[1] < lifted[0] {
            self.alarms
                .tell(Code::TouchMove, vec![rook], "castling began with the rook");
        }
        let together =
            lifted[0].abs_diff(lifted[1]) <= TOGETHER && placed[0].abs_diff(placed[1]) <= TOGETHER;
        if together && lifted[1] < placed[0] && lifted[0] < placed[1] {
            self.alarms.tell(
                Code::TwoHands,
                vec![king, rook],
                "king and rook moved at the same time",
            );
        }
    }
}

/// Whether touching the piece obliged the player to something else than he played.
fn obliges(touch: &Touch, before: &shakmaty::Chess, played: Move) -> bool {
    let color: Option<Color> = touch
        .piece
        .color()
        .or_else(|| before.board().color_at(touch.square));
    let own = color == Some(before.turn());
    let moves = before.legal_moves();
    if own {
        played.from() != Some(touch.square)
            && moves.iter().any(|mv| mv.from() == Some(touch.square))
    } else {
        let takes = |mv: &Move| mv.is_capture() && !mv.is_en_passant() && mv.to() == touch.square;
        !takes(&played) && moves.iter().any(takes)
    }
}
