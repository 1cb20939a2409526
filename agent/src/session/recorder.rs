//! The record of one game as a tracker sees it, in the plies and words of the hub.

use protocol::{Fact, GameResult, Played, Ply, Side, SquareName};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};

use super::memory::KeptPly;
use super::position::{Reached, Start};
use crate::devices::Placement;
use crate::tracker::{
    self, Code, Inference, Millis, Observation, Profile, Sensing, Setup, Tracker,
};

/// A tracker and the plies before it.
#[derive(Debug, Clone)]
pub(super) struct Recorder {
    tracker: Tracker,
    /// Plies of the game that the tracker takes for given.
    base: usize,
    first_to_move: Color,
    /// What the hub was told so far.
    pub(super) line: Vec<Played>,
    /// What the hub was told beyond that, of which the board has to say whether it was so.
    told_beyond: Vec<Played>,
}

impl Recorder {
    /// Goes on after `line`; what stands on the board now is compared with the position at once.
    pub(super) fn new(
        start: &Start,
        line: Vec<Played>,
        reached: Reached,
        sensing: Sensing,
        profile: Profile,
    ) -> Recorder {
        let first_to_move = start.position().turn();
        let mut setup = Setup::from_position(reached.from.clone());
        setup.mode = start.mode();
        setup.sensing = sensing;
        setup.profile = profile;
        let setup = match setup.clone().with_history(&reached.moves) {
            Ok(with_history) => with_history,
            Err(_) => Setup {
                position: reached.now,
                ..setup
            },
        };
        Recorder {
            tracker: Tracker::new(setup),
            base: line.len(),
            first_to_move,
            line,
            told_beyond: Vec::new(),
        }
    }

    /// The hub was told more than what is taken for given.
    pub(super) fn told_beyond(mut self, told: Vec<Played>) -> Recorder {
        let moves = told.iter().map_while(|played| match played {
            Played::Legal(uci) => uci.parse().ok(),
            Played::Irregular { .. } => None,
        });
        let moves: Vec<UciMove> = moves.collect();
        self.tracker.expect(&moves);
        self.told_beyond = told;
        self
    }

    pub(super) fn observe(&mut self, now: Millis, observation: Observation) -> Vec<Inference> {
        self.tracker.observe(now, observation)
    }

    pub(super) fn tick(&mut self, now: Millis) -> Vec<Inference> {
        self.tracker.tick(now)
    }

    pub(super) fn wake(&self) -> Option<Millis> {
        self.tracker.wake()
    }

    /// The board is as the record says.
    pub(super) fn explains_board(&self) -> bool {
        self.tracker.explains_board()
    }

    /// Every ply since the tracker started, with its certainty.
    pub(super) fn record(&self) -> Vec<tracker::Ply> {
        self.tracker.record()
    }

    /// Who plays a ply of the game.
    pub(super) fn side(&self, ply: Ply) -> Side {
        let first = Side::from(self.first_to_move);
        if ply % 2 == 1 { first } else { first.other() }
    }

    /// The number in the game of a ply of the tracker.
    pub(super) fn number(&self, ply: tracker::PlyNumber) -> Ply {
        ply + Ply::try_from(self.base).unwrap_or(0)
    }

    /// The line is another one from a ply on.
    pub(super) fn replace(&mut self, from_ply: Ply, line: impl IntoIterator<Item = Played>) {
        self.line.truncate(index(from_ply));
        self.line.extend(line);
    }

    /// What the hub is told of conclusions that need nothing but the record.
    pub(super) fn fact(
        &mut self,
        inference: &Inference,
        board: &Placement,
        last_change: Millis,
    ) -> Option<Fact> {
        use tracker::Fact as T;
        let certainty = inference.certainty;
        Some(match &inference.fact {
            T::Made { ply, uci } => self.made(*ply, legal(uci), inference, last_change),
            T::Irregular { ply, irregular } => {
                let played = Played::Irregular {
                    from_fen: irregular.from_fen.clone(),
                    to_fen: irregular.to_fen.clone(),
                    words: irregular.words.clone(),
                };
                self.made(*ply, played, inference, last_change)
            }
            T::Settled { ply, .. } => Fact::Settled {
                ply: self.number(*ply),
            },
            T::Revised { from_ply, line } => {
                let from_ply = self.number(*from_ply);
                let line: Vec<Played> = line.iter().map(legal).collect();
                self.replace(from_ply, line.clone());
                Fact::Revised {
                    from_ply,
                    line,
                    certainty,
                }
            }
            T::Retracted { from_ply } => {
                let from_ply = self.number(*from_ply);
                self.replace(from_ply, []);
                Fact::Retracted { from_ply }
            }
            T::Unexplained { squares } if squares.is_empty() => Fact::Explained,
            T::Unexplained { squares } => Fact::Unexplained {
                squares: names(squares),
                board: wire_placement(board),
            },
            T::KingsCentred { winner } => Fact::KingsCentred {
                result: match winner {
                    Some(Color::White) => GameResult::WhiteWins,
                    Some(Color::Black) => GameResult::BlackWins,
                    None => GameResult::Draw,
                },
            },
            T::Alert {
                code,
                detail,
                squares,
            } => notice(*code, false, &at_squares(detail, squares)),
            T::Clear { code } => notice(*code, true, ""),
            // What could as well be another move is told ply by ply, see `doubts`.
            T::SetUp { .. } | T::Completed { .. } | T::Ambiguous { .. } => return None,
        })
    }

    fn made(
        &mut self,
        ply: tracker::PlyNumber,
        played: Played,
        inference: &Inference,
        last_change: Millis,
    ) -> Fact {
        let ply = self.number(ply);
        self.replace(ply, [played.clone()]);
        if self.told_otherwise(ply, &played) {
            return Fact::Revised {
                from_ply: ply,
                line: vec![played],
                certainty: inference.certainty,
            };
        }
        Fact::Made {
            ply,
            played,
            by: self.side(ply),
            certainty: inference.certainty,
            squares: names(&inference.evidence.squares),
            after_ms: inference.at.saturating_sub(last_change),
        }
    }
}

impl Recorder {
    /// Before it was here, the agent had told another half-move at this place.
    fn told_otherwise(&mut self, ply: Ply, played: &Played) -> bool {
        let told = index(ply)
            .checked_sub(self.base)
            .and_then(|at| self.told_beyond.get(at));
        let otherwise = told.is_some_and(|told| told != played);
        if otherwise {
            self.told_beyond.clear();
        }
        otherwise
    }
}

/// Pairs the record with the facts that told it: plies that did not change keep theirs.
pub(super) fn kept(
    line: &[Played],
    before: &[KeptPly],
    told: Option<&(protocol::Boot, protocol::Seq)>,
    (open, heard): (bool, u64),
) -> Vec<KeptPly> {
    let same = line
        .iter()
        .zip(before)
        .take_while(|(now, then)| **now == then.played)
        .count();
    let fresh = line[same..].iter().map(|played| KeptPly {
        played: played.clone(),
        told: told.cloned(),
        open,
        heard,
    });
    before[..same].iter().cloned().chain(fresh).collect()
}

/// The board of a position as a device would see it.
pub(super) fn placement_of(position: &Chess) -> Placement {
    let mut placement = Placement::EMPTY;
    for (square, piece) in position.board().clone() {
        placement.set(square, Some(piece));
    }
    placement
}

/// All squares in the words of the wire.
pub(super) fn wire_placement(placement: &Placement) -> protocol::Placement {
    placement.to_string().parse().unwrap_or_default()
}

/// Squares in the words of the wire.
pub(super) fn names(squares: &[shakmaty::Square]) -> Vec<SquareName> {
    squares.iter().copied().map(SquareName).collect()
}

fn index(ply: Ply) -> usize {
    usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX)
}

fn legal(uci: &UciMove) -> Played {
    Played::Legal(uci.to_string())
}

/// The words of a notice with the squares they speak of, as many as help.
fn at_squares(detail: &str, squares: &[shakmaty::Square]) -> String {
    let names: Vec<String> = squares.iter().take(8).map(ToString::to_string).collect();
    match names.as_slice() {
        [] => detail.to_owned(),
        names => format!("{detail}: {}", names.join(" ")),
    }
}

fn notice(code: Code, over: bool, detail: &str) -> Fact {
    Fact::Notice {
        code: code.as_str().to_owned(),
        over,
        detail: detail.to_owned(),
    }
}
