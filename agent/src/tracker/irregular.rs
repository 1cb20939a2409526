//! Moves that break the Laws: illegal ones, moves out of turn, completed moves that are changed, kings that are taken.
//! The game goes on from what stands on the board, in case nobody notices.

use shakmaty::{Color, EnPassantMode, Position, PositionError, Square, fen::Fen};

use super::board::squares;
use super::inference::{Code, Fact, Inference, Irregular, PlyNumber};
use super::machine::Tracker;
use super::observation::{Millis, Reading, Sensing};
use super::publish::dirty;
use super::setup::Setup;

/// One side moved twice is told after this long without a press of the other, in milliseconds.
const TWICE_AFTER: Millis = 1500;

/// What an irregular move costs before any evidence, in the prices of the hypotheses.
const IRREGULAR: f64 = 12.0;
/// What a ply that nobody saw arrive has to be better by, to be believed rather than that.
const UNSEEN: f64 = 6.0;

/// How much later than the clock a board tells what happened at the same moment, in milliseconds.
const TELLS_LATER: Millis = 300;

/// Pieces of one side that stand elsewhere than the game has them, and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Oddity {
    by: Color,
    from: Vec<Square>,
    to: Vec<Square>,
    king_taken: bool,
}

impl Tracker {
    /// Looks for an irregular move on a board at peace.
    pub(super) fn watch_irregular(&mut self) {
        let now = self.core.now;
        let rested = self.core.picture.steady + self.core.pace.rest;
        let unexplained = dirty(&self.core, self.core.best()) && self.centred.is_none();
        if unexplained && now < rested {
            self.alarms.wake(rested);
            return;
        }
        self.odd = if unexplained { self.oddity() } else { None };
        match self.odd.clone() {
            Some(odd) => self.judge(&odd, rested),
            None => self.nothing_odd(unexplained),
        }
    }

    fn judge(&mut self, odd: &Oddity, rested: Millis) {
        let turn = self.core.node(self.shown_node()).turn();
        let last = self.shown.last().map(|shown| {
            // The board tells later than the clock: a piece that still moved at the press is no change after it.
            let moved = self.core.picture.steady;
            let after = shown.pressed.map(|at| moved > at + TELLS_LATER);
            (shown.mv.to(), after)
        });
        if self.is_undone(odd) {
            return;
        }
        let squares: Vec<Square> = odd.from.iter().chain(&odd.to).copied().collect();
        if odd.king_taken {
            self.alarms
                .raise(Code::KingCaptured, squares, "a king was captured");
            self.stand(odd, odd.by, "a king was captured");
        } else if odd.by == turn {
            self.judge_illegal(odd, squares);
        } else if let Some((_, Some(after))) = last.filter(|(to, _)| odd.from.contains(to)) {
            if after {
                self.alarms.raise(
                    Code::MoveChangedAfterPress,
                    squares,
                    "a completed move was changed",
                );
                self.judge_pressed_by_the_other(odd, rested + TWICE_AFTER - self.core.pace.rest);
            }
        } else {
            self.judge_out_of_turn(odd, squares, rested);
        }
    }

    /// The last move, not completed yet, is taken back.
    fn is_undone(&self, odd: &Oddity) -> bool {
        let last = self.shown.last().filter(|last| last.pressed.is_none());
        last.is_some_and(|last| {
            odd.to == [last.mv.from().unwrap_or(last.mv.to())] && odd.from == [last.mv.to()]
        })
    }

    fn judge_illegal(&mut self, odd: &Oddity, squares: Vec<Square>) {
        // A press that was owed before the piece left its square completes another move than this one (6.2.1).
        let left = odd
            .from
            .iter()
            .map(|from| self.core.picture.emptied(from.to_usize()));
        let lifted = left.min().unwrap_or_default();
        let pressed = self
            .core
            .node(self.shown_node())
            .debt
            .is_some_and(|debt| debt.by == odd.by && debt.at + TELLS_LATER >= lifted);
        let pressed = pressed || self.pressed_since(odd.by, self.core.picture.steady);
        if pressed {
            self.alarms
                .raise(Code::IllegalMove, squares, "an illegal move was completed");
            self.stand(odd, odd.by, "an illegal move");
        } else {
            self.alarms.raise(
                Code::IllegalOnBoard,
                squares,
                "an illegal move stands on the board",
            );
        }
    }

    fn judge_out_of_turn(&mut self, odd: &Oddity, squares: Vec<Square>, rested: Millis) {
        self.alarms.raise(
            Code::OutOfTurn,
            squares.clone(),
            "a piece of the side not to move was moved",
        );
        let due = rested + TWICE_AFTER - self.core.pace.rest;
        if self.judge_pressed_by_the_other(odd, due) || self.shown.is_empty() {
            return;
        }
        if self.core.now < due {
            self.alarms.wake(due);
        } else {
            self.alarms
                .raise(Code::MovedTwice, squares, "one side moved twice in a row");
            self.stand(odd, odd.by, "one side moved twice in a row");
        }
    }

    /// Who presses has made the move, whosever piece it was; the press without a move of his own is told by itself.
    fn judge_pressed_by_the_other(&mut self, odd: &Oddity, due: Millis) -> bool {
        let pressed = self.pressed_since(odd.by.other(), self.core.picture.steady);
        if pressed && self.core.now < due {
            self.alarms.wake(due);
        } else if pressed {
            self.stand(odd, odd.by.other(), "a piece of the opponent was moved");
        }
        pressed
    }

    fn nothing_odd(&mut self, unexplained: bool) {
        for code in [Code::IllegalOnBoard, Code::OutOfTurn, Code::MovedTwice] {
            self.alarms.clear(code);
        }
        if !self.changed_after_press {
            self.alarms.clear(Code::MoveChangedAfterPress);
        }
        if unexplained || self.irregular.is_some() {
            return;
        }
        self.alarms.clear(Code::IllegalMove);
        self.alarms.clear(Code::KingCaptured);
    }

    pub(super) fn pressed_since(&self, by: Color, since: Millis) -> bool {
        self.clock
            .last
            .is_some_and(|(who, at)| who == by && at >= since)
    }

    /// The board shows something odd that has its own alert.
    pub(super) fn explained_otherwise(&self) -> bool {
        self.odd.is_some() || self.centred.is_some() || self.alarms.is_up(Code::TakenBack)
    }

    /// The shown line against the board: did pieces of one side alone move?
    fn oddity(&self) -> Option<Oddity> {
        if self.core.sensing == Sensing::Occupancy {
            return None;
        }
        let node = self.core.node(self.shown_node());
        let mut landed: Vec<(Square, Reading)> = Vec::new();
        let mut gone: Vec<(Square, Reading)> = Vec::new();
        for square in squares(node.mask) {
            let index = square.to_usize();
            let (seen, truth) = (
                self.core.picture.at(index),
                self.core.sensing.see(node.pred[index]),
            );
            if !seen.is_empty() {
                landed.push((square, seen));
            }
            if !truth.is_empty() {
                gone.push((square, truth));
            }
        }
        let by = landed.first()?.1.color()?;
        let mut from = Vec::new();
        for &(_, piece) in &landed {
            let left = gone.iter().position(|&(_, truth)| truth == piece)?;
            from.push(gone.remove(left).0);
        }
        let victims = gone
            .iter()
            .filter(|(_, truth)| truth.color() == Some(by.other()))
            .count();
        let one_sided = landed.iter().all(|(_, piece)| piece.color() == Some(by));
        let castling = landed.len() == 2
            && landed
                .iter()
                .any(|(_, piece)| *piece == Reading::of(by.king()));
        let king = Reading::of(by.other().king());
        let king_taken = gone
            .iter()
            .any(|&(square, truth)| truth == king && landed.iter().any(|l| l.0 == square));
        (one_sided && victims == gone.len() && victims <= 1 && (landed.len() == 1 || castling))
            .then(|| Oddity {
                by,
                from,
                to: landed.iter().map(|landed| landed.0).collect(),
                king_taken,
            })
    }

    /// The irregular move goes into the record; what follows is tracked from the board as it stands.
    fn stand(&mut self, odd: &Oddity, by: Color, words: &str) {
        if self.irregular.is_some() || self.core.sensing != Sensing::Identity {
            return;
        }
        let before = self.core.node(self.shown_node()).position.clone();
        let list = |squares: &[Square]| {
            squares
                .iter()
                .map(Square::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let irregular = Irregular {
            from_fen: Fen::from_position(&before, EnPassantMode::Legal).to_string(),
            to_fen: fen_of(self.physical(by.other())),
            by,
            words: format!("{words}: {} to {}", list(&odd.from), list(&odd.to)),
        };
        let ply = self.shown.len() as PlyNumber + 1;
        self.stood = self.core.node(self.shown_node()).base;
        self.irregular = Some((self.core.now, irregular.clone()));
        self.say(Fact::Irregular { ply, irregular });
    }

    /// Is the irregular move still the better story? While a piece is in the air anything seems possible.
    pub(super) fn reconsider_irregular(&mut self) {
        if self.irregular.is_none() {
            return;
        }
        let rested = self.core.picture.steady + self.core.pace.rest;
        if self.core.now < rested {
            self.alarms.wake(rested);
            return;
        }
        let best = self.core.best();
        let restored = best == self.shown_node() && self.clean();
        let shadow = self.shadow.as_ref();
        let as_played = shadow.map_or(0.0, |shadow| shadow.core.cost(shadow.core.best()));
        let path = self.core.tree.path(best);
        let new = (self.core.past.len() + path.len()).saturating_sub(self.shown.len());
        let unseen = path
            .iter()
            .rev()
            .take(new)
            .map(|&id| self.core.node(id).bridged);
        let unseen = unseen.filter(|bridged| *bridged).count();
        let legal = self.core.cost(best) - self.stood + UNSEEN * unseen as f64;
        if restored || (!dirty(&self.core, best) && legal <= as_played + IRREGULAR) {
            self.fall();
        }
    }

    /// The board makes sense again: the irregular move was taken back.
    fn fall(&mut self) {
        if self.irregular.take().is_some() {
            self.shadow = None;
            self.say(Fact::Retracted {
                from_ply: self.shown.len() as PlyNumber + 1,
            });
        }
    }

    /// The pieces as they stand, with a side to move and whatever castling rights the game had.
    fn physical(&self, turn: Color) -> shakmaty::Setup {
        let before = self
            .core
            .node(self.shown_node())
            .position
            .to_setup(EnPassantMode::Legal);
        let mut board = shakmaty::Board::empty();
        for (index, reading) in self.core.picture.readings().iter().enumerate() {
            if let Some(piece) = reading.piece() {
                board.set_piece_at(Square::new(index as u32), piece);
            }
        }
        let stays = |square: Square| board.piece_at(square) == before.board.piece_at(square);
        let king_stays = |rook: Square| {
            let color = before.board.color_at(rook);
            color
                .and_then(|color| before.board.king_of(color))
                .is_some_and(stays)
        };
        let rights = before.castling_rights.into_iter();
        let rights = rights
            .filter(|&rook| stays(rook) && king_stays(rook))
            .collect();
        shakmaty::Setup {
            turn,
            ep_square: None,
            castling_rights: rights,
            board,
            ..before
        }
    }

    /// Begins the shadow game as soon as the board at peace is a possible position.
    pub(super) fn begin_shadow(&mut self) {
        let Some((_, irregular)) = &self.irregular else {
            return;
        };
        let rested = self.core.now >= self.core.picture.steady + self.core.pace.rest;
        if self.shadow.is_some() || !rested {
            return;
        }
        let answered = self.odd.is_none();
        let turn = if answered {
            irregular.by
        } else {
            irregular.by.other()
        };
        let physical = self.physical(turn);
        let fen = fen_of(physical.clone());
        let position = physical
            .position(self.core.mode)
            .or_else(PositionError::ignore_invalid_castling_rights);
        if let Ok(position) = position {
            let mut setup = Setup::from_position(position);
            setup.mode = self.core.mode;
            setup.hold = self.hold;
            self.shadow = Some(Box::new(Tracker::shadow_of(self, setup)));
            if answered {
                self.answer_irregular(fen);
            }
        }
    }

    /// What is played after an irregular move is told like any other, with the numbers it has in the record.
    pub(super) fn tell_of_shadow(&mut self, found: Vec<Inference>) {
        let before = self.shown.len() as PlyNumber + 1;
        for mut inference in found {
            match &mut inference.fact {
                Fact::Made { ply, .. }
                | Fact::Completed { ply, .. }
                | Fact::Settled { ply, .. } => *ply += before,
                Fact::Revised { from_ply, .. } | Fact::Retracted { from_ply } => {
                    *from_ply += before
                }
                _ => continue,
            }
            self.out.push(inference);
        }
    }

    /// The reply came while the board was no possible position: it belongs to the irregular ply.
    fn answer_irregular(&mut self, fen: String) {
        let Some((_, irregular)) = &mut self.irregular else {
            return;
        };
        irregular.to_fen = fen;
        irregular.words.push_str(", and the answer to it");
        let irregular = irregular.clone();
        self.say(Fact::Irregular {
            ply: self.shown.len() as PlyNumber + 1,
            irregular,
        });
    }
}

/// A position as text, legal or not; empty where the counters do not allow it.
fn fen_of(setup: shakmaty::Setup) -> String {
    Fen::try_from_setup(setup)
        .map(|fen| fen.to_string())
        .unwrap_or_default()
}
