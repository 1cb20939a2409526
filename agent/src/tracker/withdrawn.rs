//! What was shown and is withdrawn may have been played all the same: where it leads to a position of the new line, or where
//! both players' pieces have come back to where they were, that stays a doubt.

use shakmaty::{Chess, Color, Move, Position, Square};

use super::core::Core;
use super::machine::Tracker;
use super::observation::Millis;
use super::orders::{Ends, after, ends, lines_through};

/// A piece that is away for less was adjusted or not seen for a moment, in milliseconds.
const AWAY: Millis = 400;
/// Lines listed for one stretch: a queen goes to at most so many squares.
const MOST_LINES: usize = 27;

/// The only ply withdrawn last, and its place, counted from 0.
#[derive(Clone, Debug)]
pub(super) struct Withdrawn {
    place: usize,
    gone: Move,
    back: Back,
}

/// How both players may have come back to where they were.
#[derive(Clone, Debug)]
enum Back {
    /// The piece was away from the first moment until the second.
    Until((Millis, Millis)),
    /// By these lines.
    Known(Vec<Vec<Move>>),
}

impl Tracker {
    /// The line shown from a ply on (counted from 0) is about to be replaced.
    pub(super) fn note_withdrawn(&mut self, common: usize, line: &[Move]) {
        let old: Vec<Move> = self.shown[common..].iter().map(|shown| shown.mv).collect();
        let (before, new) = (after(&self.start(), &line[..common]), &line[common..]);
        if let &[gone] = &*old {
            let span = self.core.absence(gone);
            self.withdrawn = span.map(|span| Withdrawn {
                place: common,
                gone,
                back: Back::Until(span),
            });
        }
        self.note_return(common, before.clone(), new);
        let settled = self.shown[common..]
            .iter()
            .any(|shown| shown.ply.settled.is_some());
        let meeting = meeting(&positions(&before, new), &positions(&before, &old));
        if let Some((here, there)) = meeting.filter(|_| settled) {
            let end = here.max(1).min(new.len());
            let other = [&old[..there], &new[here..end]].concat();
            self.core
                .doubt_lines(common, new[..end].to_vec(), vec![other], MOST_LINES);
        }
    }

    /// What stands where a ply was withdrawn: before it both players may have moved there and back.
    pub(super) fn note_return(&mut self, common: usize, before: Chess, new: &[Move]) {
        let Some(withdrawn) = self.withdrawn.take_if(|_| !new.is_empty()) else {
            return;
        };
        if withdrawn.place != common {
            return;
        }
        let lines = match withdrawn.back {
            Back::Until(away) => self.core.there_and_back(&before, (withdrawn.gone, away)),
            Back::Known(lines) => lines,
        };
        let next = new[0];
        if next == withdrawn.gone {
            // Played again, it says nothing; what follows it may follow both.
            let here = after(&before, &[next]);
            let lines = lines.into_iter().map(|line| [&line[1..], &[next]].concat());
            let back = Back::Known(lines.collect());
            self.withdrawn = Some(Withdrawn {
                place: common + 1,
                gone: next,
                back,
            });
            self.note_return(common + 1, here, &new[1..]);
        } else {
            let others = lines
                .into_iter()
                .filter_map(|line| followed(&before, line, next));
            self.core
                .doubt_lines(common, vec![next], others.collect(), MOST_LINES);
        }
    }
}

impl Core {
    /// How long the piece of a move was away that is back now.
    fn absence(&self, gone: Move) -> Option<(Millis, Millis)> {
        let from = gone
            .from()
            .filter(|_| !gone.is_capture() && !gone.is_castle())?;
        self.picture.absence(from.to_usize())
    }

    /// The piece of a move is back, and one of the other side was away at the same time: both may have moved there and back.
    fn there_and_back(
        &self,
        before: &Chess,
        (gone, away): (Move, (Millis, Millis)),
    ) -> Vec<Vec<Move>> {
        let Some(from) = gone.from() else {
            return Vec::new();
        };
        let back = (Some(gone.to()), from, None);
        let theirs = self.were_away(before, before.turn().other(), away);
        theirs
            .flat_map(|square| {
                let stops = before.board().attacks_from(square).into_iter();
                stops.filter_map(move |stop| {
                    let reply = [(Some(square), stop, None), back, (Some(stop), square, None)];
                    let wanted: Vec<Ends> = [ends(gone)].into_iter().chain(reply).collect();
                    lines_through(before, &wanted)
                })
            })
            .collect()
    }

    /// The squares of a side whose piece was away at some moment of a span, and is back.
    fn were_away(
        &self,
        before: &Chess,
        side: Color,
        span: (Millis, Millis),
    ) -> impl Iterator<Item = Square> {
        let own = before.board().by_color(side).into_iter();
        own.filter(move |square| {
            let absence = self.picture.absence(square.to_usize());
            absence.is_some_and(|(from, until)| {
                from < span.1 && until > span.0 && until >= from + AWAY
            })
        })
    }
}

/// The line with one more move, where that is legal there.
fn followed(before: &Chess, mut line: Vec<Move>, next: Move) -> Option<Vec<Move>> {
    let follows = after(before, &line).is_legal(next);
    line.push(next);
    follows.then_some(line)
}

/// The positions of a line, the one before it first.
fn positions(before: &Chess, line: &[Move]) -> Vec<Chess> {
    let mut position = before.clone();
    let after = line.iter().map(|&mv| {
        position.play_unchecked(mv);
        position.clone()
    });
    std::iter::once(before.clone()).chain(after).collect()
}

/// Where two lines that part come together again, after so many plies of each: as late in the second as they do.
fn meeting(one: &[Chess], other: &[Chess]) -> Option<(usize, usize)> {
    let same = |a: &Chess, b: &Chess| a.board() == b.board() && a.turn() == b.turn();
    let mut places = other.iter().enumerate().skip(1).rev();
    places.find_map(|(there, position)| {
        Some((one.iter().position(|met| same(met, position))?, there))
    })
}
