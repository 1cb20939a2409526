//! Illegal moves as they are played at a table: corrected, taken back, or left to stand.

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::accident::{Irregularity, Kind, Remedy};
use super::act::{Act, Done, Reads};
use super::game::fen;
use super::sitting::{Sitting, used};
use super::timeline::Whose;
use super::wrong::{Wrong, goes_on, king_taken, still_playable, wrong_moves};

impl Sitting<'_> {
    /// An illegal move before the next ply, or in place of it; false if the position offers none.
    pub(super) fn illegal(&mut self, what: Irregularity, remedy: Remedy) -> bool {
        let Some(&m) = self.moves.get(self.ply) else {
            return false;
        };
        if what == Irregularity::MovesTwice {
            return self.ply > 0 && self.moves_twice();
        }
        if what == Irregularity::KingTaken {
            return self.position.is_check() && self.king_taken(m, remedy);
        }
        let candidates = wrong_moves(&self.position, m, what);
        match remedy {
            Remedy::Stands => self.stands(candidates),
            _ => self
                .dice
                .pick(&(0..candidates.len()).collect::<Vec<_>>())
                .is_some_and(|i| self.corrected(&candidates[i].board, remedy)),
        }
    }

    /// The player to move plays it, and it is put right before or after the press.
    fn corrected(&mut self, wrong: &Board, remedy: Remedy) -> bool {
        let (by, at, right) = (
            self.mover(),
            self.stillness(),
            self.position.board().clone(),
        );
        let made = self.rearrange(Whose::Player(by), at, &right, wrong);
        let Remedy::AfterPress(wait) = remedy else {
            let end = self.rearrange(
                Whose::Player(by),
                made + self.dice.clone().between(700.0, 1800.0),
                wrong,
                &right,
            );
            self.use_hand(by, end);
            self.ready = end + 300.0;
            return true;
        };
        self.push_rocker(made + 450.0, by);
        self.restore(made + 450.0 + wait as f64, wrong, by);
        true
    }

    /// The clock is stopped, the position put up again, and the player to move has his time running once more.
    fn restore(&mut self, at: f64, wrong: &Board, running: Color) {
        let right = self.position.board().clone();
        self.stop_clock(at);
        let end = self.rearrange(Whose::Other, at + 4000.0, wrong, &right);
        self.start_clock(end + 3000.0, running);
        self.ready = end + 3500.0;
    }

    /// The player who has just moved makes another move in the opponent's time, and takes it back.
    fn moves_twice(&mut self) -> bool {
        let Some(&m) = self.moves.get(self.ply) else {
            return false;
        };
        let candidates = wrong_moves(&self.position, m, Irregularity::MovesTwice);
        let (by, at, right) = (
            self.mover().other(),
            self.stillness(),
            self.position.board().clone(),
        );
        let numbers: Vec<usize> = (0..candidates.len()).collect();
        let Some(wrong) = self
            .dice
            .pick(&numbers)
            .map(|i| candidates[i].board.clone())
        else {
            return false;
        };
        let made = self.rearrange(Whose::Player(by), at, &right, &wrong);
        let end = self.rearrange(Whose::Player(by), made + 3500.0, &wrong, &right);
        self.use_hand(by, end);
        self.ready = end + 300.0;
        true
    }

    /// A player in check overlooks it; the opponent takes the king.
    fn king_taken(&mut self, m: Move, remedy: Remedy) -> bool {
        let (by, at, right) = (
            self.mover(),
            self.stillness(),
            self.position.board().clone(),
        );
        let candidates = wrong_moves(&self.position, m, Irregularity::KingTaken);
        let numbers: Vec<usize> = (0..candidates.len()).collect();
        let Some(wrong) = self
            .dice
            .pick(&numbers)
            .map(|i| candidates[i].board.clone())
        else {
            return false;
        };
        let Some(taken) = king_taken(&wrong, by) else {
            return false;
        };
        let made = self.rearrange(Whose::Player(by), at, &right, &wrong);
        self.push_rocker(made + 450.0, by);
        let made = self.rearrange(Whose::Player(by.other()), made + 1500.0, &wrong, &taken);
        self.push_rocker(made + 450.0, by.other());
        let wait = if let Remedy::AfterPress(wait) = remedy {
            wait as f64
        } else {
            2000.0
        };
        self.restore(made + 450.0 + wait, &taken, by);
        true
    }

    /// The illegal move that leaves most of the game playable takes the place of the next move.
    fn stands(&mut self, candidates: Vec<Wrong>) -> bool {
        let ahead = self.moves.get(self.ply + 1..).unwrap_or_default();
        let castling = self.game.castling;
        let lines = candidates.into_iter().filter_map(|wrong| {
            let position = goes_on(&self.position, &wrong.board, castling)?;
            let line = still_playable(&position, ahead, castling);
            Some((wrong, position, line))
        });
        let Some((wrong, position, line)) = lines.max_by_key(|(_, _, line)| line.len()) else {
            return false;
        };
        self.let_stand(wrong, position, line);
        true
    }

    fn let_stand(&mut self, wrong: Wrong, position: Chess, line: Vec<Move>) {
        let (by, lifted, before) = (
            self.mover(),
            self.stillness(),
            self.position.board().clone(),
        );
        let made = self.rearrange(Whose::Player(by), lifted, &before, &wrong.board);
        let pressed = self.push_rocker(made + 450.0, by);
        self.use_hand(by, pressed.unwrap_or(made));
        let done = Done::Irregular {
            from_fen: fen(&self.position),
            to_fen: fen(&position),
            words: wrong.words,
        };
        self.record(done, (lifted, made), pressed, vec!["illegal move stands"]);
        if line.len() < self.moves.len() - self.ply - 1 {
            self.result = shakmaty::Outcome::Unknown;
        }
        self.ply += 1;
        self.moves.truncate(self.ply);
        self.moves.extend(line);
        self.position = position;
        self.ready = made + 300.0;
    }

    /// Trouble with the board around the move that is just being made.
    pub(super) fn hardware(&mut self, kind: Kind, m: Move, lift: f64, made: f64) -> bool {
        let idle = self.quiet();
        let board = self.position.board().clone();
        let to = m
            .castling_side()
            .map_or(m.to(), |side| side.king_to(self.mover()));
        let before = lift - 200.0;
        match kind {
            Kind::DropOut(wait) => {
                let Some((square, _)) = self.some_piece(&board, idle) else {
                    return false;
                };
                self.line
                    .flaw(square, before, before + wait as f64, Reads::Nothing, true);
            }
            Kind::DropOutOfMover(wait) => {
                let Some(from) = m.from() else { return false };
                self.line
                    .flaw(from, lift - wait as f64, lift, Reads::Nothing, true);
            }
            Kind::DeadSquare(wait) => {
                self.line
                    .flaw(to, made - 100.0, made + wait as f64, Reads::Nothing, false)
            }
            Kind::Ghost(wait) => return self.ghost(before, before + wait as f64),
            Kind::Misread(wait) => {
                let Some((square, piece)) = self.some_piece(&board, idle) else {
                    return false;
                };
                let other = if piece.role == shakmaty::Role::Knight {
                    piece.color.bishop()
                } else {
                    piece.color.knight()
                };
                self.line.flaw(
                    square,
                    before,
                    before + wait as f64,
                    Reads::Instead(other),
                    true,
                );
            }
            Kind::LostArrival => {
                self.line
                    .flaw(to, made - 400.0, made + 500.0, Reads::Unreported, false)
            }
            Kind::LostDeparture => return self.lost_departure(m, lift),
            Kind::LinkGap(wait) => self.gap(before, wait as f64, |on| Act::Cable { connected: on }),
            Kind::PowerCut(wait) => self.gap(before, wait as f64, |on| Act::Power { on }),
            _ => return false,
        }
        true
    }

    fn ghost(&mut self, from: f64, until: f64) -> bool {
        let empty: Vec<Square> = (!self.position.board().occupied() & self.quiet())
            .into_iter()
            .collect();
        let Some(square) = self.dice.pick(&empty) else {
            return false;
        };
        self.line.flaw(
            square,
            from,
            until,
            Reads::Ghost(self.mover().pawn()),
            false,
        );
        true
    }

    fn lost_departure(&mut self, m: Move, lift: f64) -> bool {
        let Some(from) = m.from().filter(|_| !m.is_castle() && used(m).count() == 2) else {
            return false;
        };
        self.line
            .flaw(from, lift - 50.0, lift + 500.0, Reads::Unreported, false);
        true
    }

    fn gap(&mut self, at: f64, lasting: f64, act: impl Fn(bool) -> Act) {
        self.line.push(Whose::Other, at, act(false));
        self.line.push(Whose::Other, at + lasting, act(true));
    }
}
