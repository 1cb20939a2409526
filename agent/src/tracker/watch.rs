//! What has stood on the board, or been away from it, for too long: pieces missing, pieces too many, moves half made.

use shakmaty::{Role, Square};

use super::board::squares;
use super::hypothesis::{Node, Run};
use super::inference::{Code, Fact};
use super::machine::Tracker;
use super::observation::Millis;
use super::prices::Kind;
use super::publish::dirty;

/// Half-made moves are told after this long, in milliseconds.
const HALF_MADE: Millis = 150;
/// A piece too many; a captured one is given longer.
const EXTRA: Millis = 3000;
const CAPTURED: Millis = 4000;
/// A piece not seen.
const MISSING: Millis = 10_000;
/// A board that differs in more than one piece.
const MISMATCH: Millis = 2500;
/// A pawn left on the last rank after the press.
const PAWN_LEFT: Millis = 3000;
/// Recent flickers that make a square unreliable.
const UNRELIABLE: f32 = 2.8;

impl Tracker {
    /// Looks at every disagreement of the best line.
    pub(super) fn watch_squares(&mut self) {
        let now = self.core.now;
        let best = self.core.best();
        let node = self.core.node(best);
        let mut late = pick(node, |kind| kind == Kind::Late);
        let pawn = pick(node, |kind| kind == Kind::Pawn);
        let castles = node.step.is_some_and(|step| step.mv.is_castle());
        let rook = castles
            && node.runs.iter().any(|run| {
                matches!(run.kind, Kind::Late | Kind::Unseen)
                    && node.step.is_some_and(|s| s.mask >> run.square & 1 == 1)
            });
        late.retain(|square| {
            let reading = self.core.picture.at(square.to_usize());
            !reading.is_empty()
                && !castles
                && reading.piece().is_none_or(|piece| piece.role != Role::Rook)
        });
        let missing = if dirty(&self.core, best) {
            Default::default()
        } else {
            long_missing(node, now)
        };
        self.watch_pawn(&pawn);
        let (extra, captured) = self.strangers();
        let mismatch = self.mismatch();
        let alarms = &mut self.alarms;
        alarms.watch(
            Code::PromotionPending,
            now,
            HALF_MADE,
            told(pawn, "the pawn stands on the last rank"),
        );
        alarms.watch(
            Code::VictimRemains,
            now,
            HALF_MADE,
            told(late, "the captured piece is still there"),
        );
        let castling = rook.then(|| (Vec::new(), "the rook is not there yet"));
        alarms.watch(Code::CastlingPending, now, HALF_MADE / 2, castling);
        let wait = if captured { CAPTURED } else { EXTRA };
        alarms.watch(
            Code::ExtraPiece,
            now,
            wait,
            told(extra, "a piece stands where the game has none"),
        );
        alarms.watch(
            Code::PieceMissing,
            now,
            0,
            told(missing.0, "a piece has not been seen for long"),
        );
        missing.1.into_iter().for_each(|due| alarms.wake(due));
        let before = alarms.is_up(Code::BoardMismatch);
        alarms.watch(
            Code::BoardMismatch,
            now,
            0,
            told(mismatch.clone(), "the board differs from the game"),
        );
        if before != self.alarms.is_up(Code::BoardMismatch) {
            self.say(Fact::Unexplained { squares: mismatch });
        }
    }

    /// A pawn left on the last rank after the press: it counts as a queen, and the move as illegal (7.5.2).
    fn watch_pawn(&mut self, pawn: &[Square]) {
        let of_the_pawn = self.shown.iter().rev().take(2);
        let left = of_the_pawn
            .filter(|shown| pawn.contains(&shown.mv.to()) && shown.mv.is_promotion())
            .find_map(|shown| shown.pressed);
        let Some(pressed) = left else { return };
        if self.core.now < pressed + PAWN_LEFT {
            self.alarms.wake(pressed + PAWN_LEFT);
            return;
        }
        self.alarms
            .raise(Code::PromotionAssumed, pawn.to_vec(), "assumed a queen");
        self.alarms.raise(
            Code::IllegalMove,
            pawn.to_vec(),
            "a pawn was left on the last rank",
        );
    }

    /// Pieces too many while nothing else is amiss; whether all of them were just captured.
    fn strangers(&self) -> (Vec<Square>, bool) {
        let best = self.core.best();
        let node = self.core.node(best);
        let extra = pick(node, |kind| matches!(kind, Kind::Extra | Kind::Lying));
        let moved = node.runs.iter().any(|run| {
            let truth = node.pred[usize::from(run.square)];
            run.kind == Kind::Differ
                || (matches!(run.kind, Kind::Missing | Kind::Unseen)
                    && extra.iter().any(|s| {
                        self.core.picture.at(s.to_usize()) == self.core.sensing.see(truth)
                    }))
        });
        if moved || extra.len() > 2 {
            return (Vec::new(), false);
        }
        (extra, !dirty(&self.core, best))
    }

    /// The squares that differ, once the board has been at peace with them for long.
    fn mismatch(&mut self) -> Vec<Square> {
        let now = self.core.now;
        let node = self.core.node(self.core.best());
        let wrong = pick(node, |kind| matches!(kind, Kind::Extra | Kind::Differ));
        let all: Vec<Square> = squares(node.mask).collect();
        let quiet_at = self.core.picture.steady + MISMATCH;
        if !matches!(self.phase, super::lifecycle::Phase::Playing) {
            return if self.alarms.is_up(Code::BoardMismatch) {
                all
            } else {
                Vec::new()
            };
        }
        let few = all.len() < 2 && !self.core.picture.is_impossible();
        if wrong.is_empty() || few || self.explained_otherwise() {
            return Vec::new();
        }
        if now < quiet_at {
            self.alarms.wake(quiet_at);
            return if self.alarms.is_up(Code::BoardMismatch) {
                all
            } else {
                Vec::new()
            };
        }
        all
    }

    /// Squares that keep losing their piece.
    pub(super) fn watch_flicker(&mut self, square: Square) {
        let flaps = self.core.picture.flaps(square.to_usize(), self.core.now);
        if flaps >= UNRELIABLE && !self.unreliable.contains(&square) {
            self.unreliable.push(square);
            self.alarms.tell(
                Code::SquareUnreliable,
                vec![square],
                "the square keeps losing its piece",
            );
        }
    }
}

fn told(squares: Vec<Square>, detail: &str) -> Option<(Vec<Square>, &str)> {
    if squares.is_empty() {
        None
    } else {
        Some((squares, detail))
    }
}

fn pick(node: &Node, which: impl Fn(Kind) -> bool) -> Vec<Square> {
    let mask = node
        .runs
        .iter()
        .filter(|run| which(run.kind))
        .fold(0, |mask, run| mask | 1 << run.square);
    squares(mask).collect()
}

/// The squares whose pieces have been away long enough, and when the others will have been.
fn long_missing(node: &Node, now: Millis) -> (Vec<Square>, Vec<Millis>) {
    let away = node
        .runs
        .iter()
        .filter(|run| matches!(run.kind, Kind::Missing | Kind::Unseen));
    let (long, short): (Vec<&Run>, Vec<&Run>) = away.partition(|run| now >= run.since + MISSING);
    let mask = long.iter().fold(0, |mask, run| mask | 1 << run.square);
    (
        squares(mask).collect(),
        short.iter().map(|run| run.since + MISSING).collect(),
    )
}
