//! A board says by a gesture which table it stands on: its white king in the hand for three seconds, or both kings on the two
//! squares that name the table.
//!
//! **Only a board without a table is moved by a gesture**, and only while every other man of its array stands on the four outer rows.

use protocol::{DeviceId, Placement, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Color, Role, Square};

use super::Venue;
use super::event::EventBody;
use super::state::{Device, State};

/// So long a gesture lasts before it counts, milliseconds.
const LASTS: u64 = 3_000;

/// So long a table waits for a king to be lifted, milliseconds.
pub(super) const WAITS: u64 = 120_000;

/// What is done on a board to name its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gesture {
    /// The white king is in the hand.
    KingLifted,
    /// The kings stand on the squares of a table.
    Kings(TableId),
}

/// A gesture with its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gesturing {
    /// Which.
    pub gesture: Gesture,
    /// Since when, hub's time.
    pub since: Timestamp,
    /// When the hub heard of it.
    pub heard: Timestamp,
}

/// A table that waits for the board whose white king is lifted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaiting {
    /// The table.
    pub table: TableId,
    /// Until when, hub's time.
    pub until: Timestamp,
}

/// The squares of the white and the black king that name a table: empty ones of the middle rows, never those four whose kings
/// propose a result. Tables beyond 756 have none.
pub fn squares_of(table: TableId) -> Option<(Square, Square)> {
    let free = free_squares();
    let number = usize::from(table.0).checked_sub(1)?;
    let (white, black) = (number / (free.len() - 1), number % (free.len() - 1));
    let others = |square: &&Square| free.get(white) != Some(*square);
    let black = *free.iter().filter(others).nth(black)?;
    Some((*free.get(white)?, black))
}

/// The gesture that stands on a board.
pub(super) fn seen_on(board: &Placement) -> Option<Gesture> {
    let board = &board.0;
    let king = |color| board.by_color(color) & board.by_role(Role::King);
    let (white, black) = (king(Color::White), king(Color::Black));
    let others = board.occupied() & !board.by_role(Role::King);
    let army = |color| (board.by_color(color) & others).count() == 15;
    let at_home = (others & !outer_rows()).is_empty();
    if !(army(Color::White) && army(Color::Black) && at_home) {
        return None;
    }
    if white.is_empty() && (black & outer_rows()).count() == 1 {
        return Some(Gesture::KingLifted);
    }
    named(white.single_square()?, black.single_square()?).map(Gesture::Kings)
}

/// Takes in what stands on a board.
pub(super) fn note(device: &mut Device, since: Timestamp, heard: Timestamp) {
    let gesture = device.board.as_ref().and_then(seen_on);
    let before = device.gesture.map(|g| g.gesture);
    if before != gesture {
        device.gesture = gesture.map(|gesture| Gesturing {
            gesture,
            since,
            heard,
        });
    }
}

fn named(white: Square, black: Square) -> Option<TableId> {
    let free = free_squares();
    let white_at = free.iter().position(|square| *square == white)?;
    let others = free.iter().filter(|square| **square != white);
    let black_at = others.clone().position(|square| *square == black)?;
    u16::try_from(white_at * (free.len() - 1) + black_at + 1)
        .ok()
        .map(TableId)
}

fn outer_rows() -> Bitboard {
    Bitboard(0xFFFF_0000_0000_FFFF)
}

/// a3, b3 … h6 without d4, e4, d5, e5.
fn free_squares() -> Vec<Square> {
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    let middle = Square::ALL
        .into_iter()
        .filter(|square| !outer_rows().contains(*square));
    middle.filter(|square| !centre.contains(square)).collect()
}

impl Venue {
    /// A gesture that lasted long enough puts its board on a table.
    pub(super) fn follow_gestures(&mut self, now: Timestamp) {
        let lasted: Vec<(DeviceId, Gesture)> = self
            .state
            .devices
            .iter()
            .filter(|(_, device)| device.table.is_none())
            .filter_map(|(id, device)| Some((id.clone(), device.gesture?)))
            .filter(|(_, made)| now >= made.heard && now.since(made.heard) >= LASTS)
            .map(|(id, made)| (id, made.gesture))
            .collect();
        for (device, gesture) in lasted {
            self.follow_gesture(now, device, gesture);
        }
    }

    /// What is just being done on a board.
    pub(super) fn gesture_of(&self, device: &DeviceId) -> Option<Gesturing> {
        self.state.devices.get(device).and_then(|d| d.gesture)
    }

    /// The same for a board whose gesture ended with what it said at `at`.
    pub(super) fn gesture_ended(
        &mut self,
        now: Timestamp,
        device: &DeviceId,
        made: Option<Gesturing>,
        at: Timestamp,
    ) {
        let Some(made) = made else { return };
        let ended = self
            .state
            .devices
            .get(device)
            .is_some_and(|d| d.table.is_none() && d.gesture != Some(made));
        if ended && at >= made.since && at.since(made.since) >= LASTS {
            self.follow_gesture(now, device.clone(), made.gesture);
        }
    }

    fn follow_gesture(&mut self, now: Timestamp, device: DeviceId, gesture: Gesture) {
        let table = match gesture {
            Gesture::Kings(table) => Some(table),
            Gesture::KingLifted => awaited(&self.state, now),
        };
        let seat = table.and_then(|table| Some((table, self.state.tables.get(&table)?)));
        match seat {
            Some((table, seat)) if self.state.is_read(seat) => self.claimed(now, table, device),
            Some((table, _)) => self.bind(now, table, Some(device), "gesture"),
            None => {}
        }
    }

    /// Another board answers at that table: an arbiter decides which one it is.
    fn claimed(&mut self, now: Timestamp, table: TableId, device: DeviceId) {
        let known = self.state.devices.get(&device);
        if known.is_some_and(|d| d.also_claimed.contains(&table)) {
            return;
        }
        self.record(
            now,
            EventBody::ClaimedTwice {
                device: device.clone(),
                table,
            },
        );
        self.alerts_of(now, &device);
    }
}

/// The table that waits, if it still does.
fn awaited(state: &State, now: Timestamp) -> Option<TableId> {
    let awaiting = state.awaiting.as_ref().filter(|a| now <= a.until)?;
    Some(awaiting.table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(fen: &str) -> Placement {
        fen.parse().expect("a placement")
    }

    #[test]
    fn two_squares_name_one_table() {
        let mut seen = std::collections::BTreeSet::new();
        for n in 1..=756 {
            let (white, black) = squares_of(TableId(n)).expect("it has two");
            assert!(white != black && seen.insert((white, black)), "table {n}");
            assert_eq!(named(white, black), Some(TableId(n)));
        }
        for n in [0, 757, u16::MAX] {
            assert_eq!(squares_of(TableId(n)), None, "table {n}");
        }
        assert_eq!(squares_of(TableId(1)), Some((Square::A3, Square::B3)));
    }

    #[test]
    fn gestures_are_what_nobody_does_by_chance() {
        let rows = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR",
                Some(Gesture::KingLifted),
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", None),
            ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", None),
            ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR", None),
            ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQ1BNR", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQ1BNR", None),
            (
                "bbrkrqnn/pppppppp/8/8/8/8/PPPPPPPP/BBR1RQNN",
                Some(Gesture::KingLifted),
            ),
            (
                "rnbq1bnr/pppppppp/8/8/8/Kk6/PPPPPPPP/RNBQ1BNR",
                Some(Gesture::Kings(TableId(1))),
            ),
            (
                "rnbq1bnr/pppppppp/8/8/8/kK6/PPPPPPPP/RNBQ1BNR",
                Some(Gesture::Kings(TableId(28))),
            ),
            ("rnbq1bnr/pppppppp/8/8/3Kk3/8/PPPPPPPP/RNBQ1BNR", None),
            ("rnbqkbnr/pppppppp/8/8/8/K7/PPPPPPPP/RNBQ1BNR", None),
            ("8/8/8/8/8/Kk6/8/8", None),
        ];
        for (fen, expect) in rows {
            assert_eq!(seen_on(&placement(fen)), expect, "{fen}");
        }
    }
}
