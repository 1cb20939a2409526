//! A time in which nobody saw what was played, and no log tells it: from which half-move on the record may be wrong.
//!
//! **What was played unseen is doubted until the board was seen again as the record has it, and two half-moves beyond**: players
//! may have repeated moves meanwhile, and such a board looks as if nothing had happened.

use protocol::{Fact, Millis, Played, Ply};
use serde::{Deserialize, Serialize};
use shakmaty::Square;

use super::device::Device;
use super::position::Start;
use super::recorder::{names, wire_placement};
use crate::tracker::Sensing;

/// In less time nobody repeats moves, milliseconds.
pub(super) const NOTICEABLE: Millis = 3_000;
/// With so many half-moves a repetition ends, or differs from what is recorded.
const BEYOND: usize = 2;

/// Half-moves that nobody saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    /// The first that may be wrong, counted from 1.
    pub from: Ply,
    /// So many half-moves long was the record when the board was seen to agree with it again.
    #[serde(default)]
    pub met: Option<usize>,
}

impl Device {
    /// Nobody heard the board for a while; so many half-moves are certain all the same.
    pub(super) fn lose_sight(&mut self, certain: usize) {
        let begun = self.memory.set_up || !self.memory.line.is_empty();
        if self.recorder.is_none() || !begun {
            return;
        }
        let from = Ply::try_from(certain + 1).unwrap_or(Ply::MAX);
        let before = self.memory.unseen.take().map(|unseen| unseen.from);
        let from = before.map_or(from, |before| before.min(from));
        self.memory.unseen = Some(Unseen { from, met: None });
        self.dirty = true;
    }

    /// The board says a move that cannot follow the record: others were made that it will not say again.
    pub(super) fn hear_stray(&mut self, now: Millis, said: &str) {
        let Some(board) = self
            .board
            .or(self.recorder.is_some().then(|| self.recorded_board()))
        else {
            return;
        };
        self.lose_sight(self.memory.given());
        let squares = [said.get(..2), said.get(2..4)].into_iter().flatten();
        let squares: Vec<Square> = squares.filter_map(|name| name.parse().ok()).collect();
        self.say(
            now,
            Fact::Unexplained {
                squares: names(&squares),
                board: wire_placement(&board),
            },
        );
        self.tell_doubts(now);
    }

    /// The moves of the record for a line that cannot see the board, and goes on from there.
    pub(super) fn way_here(&self) -> Option<String> {
        let from_array = self.start() == Start::default();
        let moves = self.memory.played().map_while(|played| match played {
            Played::Legal(uci) => Some(uci.as_str()),
            Played::Irregular { .. } => None,
        });
        (from_array && !self.sees_board).then(|| moves.collect::<Vec<_>>().join(" "))
    }

    /// Everything after so many half-moves was told by the board's own log.
    pub(super) fn regain_sight(&mut self, certain: usize) {
        let told = |ply: Ply| usize::try_from(ply).is_ok_and(|ply| ply > certain);
        if self
            .memory
            .unseen
            .take_if(|unseen| told(unseen.from))
            .is_some()
        {
            self.dirty = true;
        }
        self.doubts.lasting.retain(|doubt| !told(doubt.ply));
    }

    /// Half-moves of the record that are doubted because nobody saw them; while a log may tell of them, none.
    pub(super) fn unseen(&self) -> Vec<Ply> {
        let Some(unseen) = self.memory.unseen.as_ref().filter(|_| self.gap.is_none()) else {
            return Vec::new();
        };
        let len = self.memory.line.len();
        let last = unseen.met.map_or(len, |met| len.min(met + BEYOND));
        (unseen.from..=Ply::try_from(last).unwrap_or(Ply::MAX)).collect()
    }

    /// Ends such a time when the board agrees with the record for long enough.
    pub(super) fn look_whether_all_is_seen(&mut self) {
        let heard = self.dump_heard && self.gap.is_none();
        let Some(recorder) = self.recorder.as_ref().filter(|_| heard && self.sees_board) else {
            return;
        };
        let agrees = recorder.explains_board();
        let len = self.memory.line.len();
        let Some(unseen) = self.memory.unseen.as_mut() else {
            return;
        };
        let met = agrees.then(|| unseen.met.unwrap_or(len));
        self.dirty |= met != unseen.met;
        unseen.met = met;
        // Where pieces are not told apart, another one may stand where the record has this one.
        let unmoved = met.is_some_and(|met| met < usize::try_from(unseen.from).unwrap_or(0));
        let which = self.sensing == Sensing::Identity || unmoved;
        if which && met.is_some_and(|met| len >= met + BEYOND) {
            self.doubts.lasting = self.doubts_now();
            self.memory.unseen = None;
        }
    }
}
