//! What happens at a table, and the truth about it.

use shakmaty::uci::UciMove;
use shakmaty::{Board, ByColor, Color, Outcome, Piece, Square};

use super::accident::Accident;
use super::how::Ending;

/// Milliseconds of game time since the recording began.
pub type Millis = u64;

/// One thing that happens at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A square holds this piece now, or nothing.
    Square {
        /// The true square, or the board's own in a performance that was [turned](Performance::turned).
        square: Square,
        /// What stands there.
        piece: Option<Piece>,
    },
    /// Two pieces share a square: one was put down before the other was taken away.
    Crowd {
        /// The true square.
        square: Square,
        /// The piece that is still there.
        under: Piece,
        /// The piece that stays.
        over: Piece,
    },
    /// A player moves the rocker of the chessclock to the other side.
    Press {
        /// Who pressed.
        by: Color,
    },
    /// The chessclock is set, which stops it.
    ClockSet {
        /// Time left for each, in milliseconds.
        time: ByColor<Millis>,
        /// Added after every press, in milliseconds.
        increment: Millis,
    },
    /// The chessclock starts.
    ClockStart {
        /// Whose time runs.
        running: Color,
    },
    /// The chessclock stops.
    ClockStop,
    /// A player's time has run out.
    FlagFall {
        /// Whose time.
        of: Color,
    },
    /// The board's cable is pulled or put back.
    Cable {
        /// Whether it is connected now.
        connected: bool,
    },
    /// The board is switched off or on.
    Power {
        /// Whether it is on now.
        on: bool,
    },
}

/// What a ply was: a legal move, or something else that the players let stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A legal move; castling as the game's castling mode writes it.
    Legal(UciMove),
    /// An illegal move that stands.
    Irregular {
        /// The position before it.
        from_fen: String,
        /// The position the game goes on from.
        to_fen: String,
        /// What was done, for people.
        words: String,
    },
}

/// The truth about one ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// What was played.
    pub done: Done,
    /// Who played it.
    pub by: Color,
    /// The first touch that belongs to the move.
    pub lifted_at: Millis,
    /// The last touch that belongs to the move (rook, victim and new queen included).
    pub made_at: Millis,
    /// When the chessclock was pressed, unless it was not.
    pub pressed_at: Option<Millis>,
    /// Exact time left when the ply was over: right after the press, or when it was made if nobody pressed. A display shows
    /// whole seconds, rounded down.
    pub clock_after: ByColor<Millis>,
    /// What was unusual about it.
    pub signs: Vec<&'static str>,
}

impl Ply {
    /// The move, when it was a legal one.
    pub fn uci(&self) -> Option<UciMove> {
        match self.done {
            Done::Legal(uci) => Some(uci),
            Done::Irregular { .. } => None,
        }
    }
}

/// What a faulty square reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing, whatever stands there.
    Nothing,
    /// This piece in place of the one that stands there.
    Instead(Piece),
    /// This piece although the square is empty.
    Ghost(Piece),
    /// The truth, but changes are not reported to the host.
    Unreported,
}

/// Trouble of one square for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Which square.
    pub square: Square,
    /// From when.
    pub from: Millis,
    /// Until when.
    pub until: Millis,
    /// What it reads.
    pub reads: Reads,
    /// Whether the trouble lies with the piece: it is over when the piece is touched.
    pub with_piece: bool,
}

/// How and when it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// When the last ply was over.
    pub at: Millis,
    /// When nothing more happens.
    pub quiet_at: Millis,
    /// What was done afterwards.
    pub how: Ending,
    /// Whose flag fell first, if one did.
    pub flag: Option<Color>,
    /// The result of the game played; unknown when an illegal move cut the game short.
    pub result: Outcome,
}

/// A game as it was played: acts and truth.
#[derive(Clone, Debug)]
pub struct Performance {
    /// What stands on the board at time 0.
    pub initial: Board,
    /// What happens, in order of time.
    pub acts: Vec<(Millis, Act)>,
    /// Trouble of single squares that belongs to the story (a piece put down between squares, a scripted drop-out).
    pub flaws: Vec<Flaw>,
    /// The plies, one after the other.
    pub truth: Vec<Ply>,
    /// Accidents that happened, and when.
    pub staged: Vec<(Millis, Accident)>,
    /// Accidents that found no occasion.
    pub unstaged: Vec<Accident>,
    /// The end.
    pub ended: Ended,
}

impl Performance {
    /// The legal moves of the truth, up to the first ply that is none.
    pub fn moves(&self) -> Vec<UciMove> {
        self.truth.iter().map_while(Ply::uci).collect()
    }

    /// The same performance on a board that was turned round: every square seen from the other side.
    pub fn turned(mut self) -> Performance {
        self.initial.rotate_180();
        for (_, act) in &mut self.acts {
            if let Act::Square { square, .. } | Act::Crowd { square, .. } = act {
                *square = square.rotate_180();
            }
        }
        for flaw in &mut self.flaws {
            flaw.square = flaw.square.rotate_180();
        }
        self
    }

    /// Plays `next` on the same board `pause` after this one is over: its pieces are put up (or moved) between the two.
    ///
    /// The truth, stages and end are those of `next`, in times of the whole.
    pub fn then(mut self, next: Performance, pause: Millis) -> Performance {
        let shift = self.ended.quiet_at + pause;
        let standing = self.last_board();
        let mut at = self.ended.quiet_at;
        for square in Square::ALL {
            let (old, new) = (standing.piece_at(square), next.initial.piece_at(square));
            if old != new {
                at = (at + 150).min(shift);
                if old.is_some() {
                    self.acts.push((
                        at,
                        Act::Square {
                            square,
                            piece: None,
                        },
                    ));
                }
                if new.is_some() {
                    self.acts.push((at, Act::Square { square, piece: new }));
                }
            }
        }
        self.append(next, shift);
        self
    }

    /// What stands on the board when everything is over.
    pub fn last_board(&self) -> Board {
        let mut board = self.initial.clone();
        for (_, act) in &self.acts {
            match *act {
                Act::Square {
                    square,
                    piece: Some(piece),
                }
                | Act::Crowd {
                    square,
                    over: piece,
                    ..
                } => board.set_piece_at(square, piece),
                Act::Square {
                    square,
                    piece: None,
                } => board.discard_piece_at(square),
                _ => {}
            }
        }
        board
    }

    fn append(&mut self, next: Performance, shift: Millis) {
        self.acts
            .extend(next.acts.into_iter().map(|(at, act)| (at + shift, act)));
        self.flaws.extend(next.flaws.into_iter().map(|flaw| Flaw {
            from: flaw.from + shift,
            until: flaw.until + shift,
            ..flaw
        }));
        self.truth = next.truth.into_iter().map(|ply| ply.later(shift)).collect();
        self.staged = next
            .staged
            .into_iter()
            .map(|(at, accident)| (at + shift, accident))
            .collect();
        self.unstaged = next.unstaged;
        self.ended = Ended {
            at: next.ended.at + shift,
            quiet_at: next.ended.quiet_at + shift,
            ..next.ended
        };
    }
}

impl Ply {
    fn later(mut self, shift: Millis) -> Ply {
        self.lifted_at += shift;
        self.made_at += shift;
        self.pressed_at = self.pressed_at.map(|at| at + shift);
        self
    }
}
