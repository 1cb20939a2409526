//! The last known picture of a board: new pictures become the events that tell what changed, in true squares.

use serde::Serialize;
use shakmaty::{Bitboard, Square};

use super::{DeviceEvent, Orientation, OrientationChoice, Placement};

/// What one report shows of the whole board, in the board's own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picture {
    /// Which piece stands where.
    Pieces(Placement),
    /// Where something stands; the board cannot say what.
    Occupied(Bitboard),
}

/// The board as it was told, and how it lies.
#[derive(Debug)]
pub(super) struct Shadow {
    choice: OrientationChoice,
    orientation: Option<Orientation>,
    told: Option<Picture>,
    /// An initial array of a board that only knows occupied squares stands, and nobody knows how the board lies.
    undecided: bool,
}

/// Both armies on their rows.
const ARRAY: Bitboard = Bitboard(0xFFFF_0000_0000_FFFF);
const NEAR: Bitboard = Bitboard(0x0000_0000_0000_FFFF);
const NEAR_MIDDLE: Bitboard = Bitboard(0x0000_0000_FFFF_0000);

impl Shadow {
    pub(super) fn new(choice: OrientationChoice) -> Shadow {
        Shadow {
            choice,
            orientation: choice.known(),
            told: None,
            undecided: false,
        }
    }

    /// How the board lies, or is taken to lie.
    pub(super) fn lies(&self) -> Orientation {
        self.orientation.unwrap_or(Orientation::Normal)
    }

    /// Takes the orientation from somewhere else. The board is told anew when that turns it round.
    pub(super) fn choose(&mut self, choice: OrientationChoice) -> Vec<DeviceEvent> {
        self.choice = choice;
        let Some(lies) = choice
            .known()
            .filter(|&known| self.orientation != Some(known))
        else {
            return Vec::new();
        };
        self.undecided = false;
        self.turn(lies)
    }

    /// Anything may have happened: the next picture is told as a whole.
    pub(super) fn forget(&mut self) {
        self.told = None;
    }

    /// The whole board, told as a whole.
    pub(super) fn whole(&mut self, picture: Picture) -> Vec<DeviceEvent> {
        let mut events = self.decide(&picture);
        self.told = Some(picture);
        if !events
            .iter()
            .any(|event| matches!(event, DeviceEvent::Dump(_) | DeviceEvent::Occupancy(_)))
        {
            events.push(self.dump(&picture));
        }
        events
    }

    /// The whole board, told by what changed: squares that were left first.
    pub(super) fn changes(&mut self, picture: Picture) -> Vec<DeviceEvent> {
        let Some(told) = self.told else {
            return self.whole(picture);
        };
        if told == picture {
            return Vec::new();
        }
        let mut events = self.decide(&picture);
        if self.undecided && is_one_move(&picture) {
            return events;
        }
        self.undecided = false;
        let told = self.told.replace(picture).unwrap_or(told);
        let (left, filled): (Vec<Square>, Vec<Square>) = Square::ALL
            .into_iter()
            .filter(|&square| differs(&told, &picture, square))
            .partition(|&square| is_empty(&picture, square));
        let squares = left.into_iter().chain(filled);
        events.extend(squares.map(|square| self.square(&picture, square)));
        events
    }

    /// Looks for an initial array, and at the first move after one.
    fn decide(&mut self, picture: &Picture) -> Vec<DeviceEvent> {
        let seen = match picture {
            Picture::Pieces(raw) => Orientation::of_initial_array(raw),
            Picture::Occupied(ARRAY) => {
                self.undecided = self.choice == OrientationChoice::Auto;
                None
            }
            Picture::Occupied(now) if self.undecided => first_mover(*now),
            Picture::Occupied(_) => None,
        };
        let news = seen.filter(|&seen| self.choice.may_change() && self.orientation != Some(seen));
        let decided = seen.is_some();
        if let (Some(_), Picture::Pieces(_)) = (news, picture) {
            self.told = Some(*picture);
        }
        let events = news.map_or_else(Vec::new, |lies| self.turn(lies));
        self.undecided &= !decided;
        events
    }

    fn turn(&mut self, lies: Orientation) -> Vec<DeviceEvent> {
        self.orientation = Some(lies);
        let told = self.told.map(|told| self.dump(&told));
        std::iter::once(DeviceEvent::Orientation(lies))
            .chain(told)
            .collect()
    }

    fn dump(&self, picture: &Picture) -> DeviceEvent {
        match picture {
            Picture::Pieces(raw) => DeviceEvent::Dump(self.lies().apply(raw)),
            Picture::Occupied(raw) => DeviceEvent::Occupancy(match self.lies() {
                Orientation::Normal => *raw,
                Orientation::Rotated => raw.rotate_180(),
            }),
        }
    }

    fn square(&self, picture: &Picture, raw: Square) -> DeviceEvent {
        let square = self.lies().square(raw);
        match picture {
            Picture::Pieces(placement) => DeviceEvent::Square {
                square,
                piece: placement.at(raw),
            },
            Picture::Occupied(occupied) => DeviceEvent::Occupied {
                square,
                occupied: occupied.contains(raw),
            },
        }
    }
}

impl Serialize for Picture {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Picture::Pieces(placement) => serializer.collect_str(placement),
            Picture::Occupied(occupied) => serializer.collect_str(&Rows(*occupied)),
        }
    }
}

/// Occupied squares as in a FEN, `?` for something.
struct Rows(Bitboard);

impl std::fmt::Display for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let row = |rank: usize| {
            let letters = (0..8).map(move |file| {
                let square = Square::ALL[rank * 8 + file];
                if self.0.contains(square) { '?' } else { '.' }
            });
            letters.collect::<String>()
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        f.write_str(&rows.join("/"))
    }
}

fn is_empty(picture: &Picture, square: Square) -> bool {
    match picture {
        Picture::Pieces(placement) => placement.at(square).is_none(),
        Picture::Occupied(occupied) => !occupied.contains(square),
    }
}

fn differs(a: &Picture, b: &Picture, square: Square) -> bool {
    match (a, b) {
        (Picture::Pieces(a), Picture::Pieces(b)) => a.at(square) != b.at(square),
        (Picture::Occupied(a), Picture::Occupied(b)) => a.contains(square) != b.contains(square),
        _ => true,
    }
}

/// At most one man is away from its place and at most one stands on another: it may still be the first move.
fn is_one_move(picture: &Picture) -> bool {
    match picture {
        Picture::Occupied(now) => (ARRAY & !*now).count() <= 1 && (*now & !ARRAY).count() <= 1,
        Picture::Pieces(_) => false,
    }
}

/// White moves first: from which side did the first man come?
fn first_mover(now: Bitboard) -> Option<Orientation> {
    let (gone, come) = (ARRAY & !now, now & !ARRAY);
    let (Some(from), Some(to)) = (gone.single_square(), come.single_square()) else {
        return None;
    };
    match (NEAR.contains(from), NEAR_MIDDLE.contains(to)) {
        (true, true) => Some(Orientation::Normal),
        (false, false) => Some(Orientation::Rotated),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Occupied squares after changes to the array: `-e2 +e4`.
    fn occupied(changes: &str) -> Picture {
        let mut occupied = ARRAY;
        for word in changes.split_whitespace() {
            let square: Square = word[1..].parse().expect("rows hold squares");
            occupied.set(square, word.starts_with('+'));
        }
        Picture::Occupied(occupied)
    }

    #[test]
    fn a_board_that_sees_no_pieces_lies_as_the_first_move_says() {
        let rows: [(&[&str], &[&str]); 5] = [
            (
                &["-e2", "-e2 +e4"],
                &["orientation normal", "occupied e2 -", "occupied e4 +"],
            ),
            (
                &["-d7", "-d7 +d5"],
                &["orientation rotated", "occupied e2 -", "occupied e4 +"],
            ),
            (
                &["-g8", "", "-b8", "-b8 +c6"],
                &["orientation rotated", "occupied g1 -", "occupied f3 +"],
            ),
            (&["-e2 -d2"], &["occupied d2 -", "occupied e2 -"]),
            (&["-e2", "-e2 +e5"], &[]),
        ];
        for (pictures, expect) in rows {
            let mut shadow = Shadow::new(OrientationChoice::Auto);
            assert_eq!(shadow.whole(occupied("")).len(), 1);
            let events = pictures
                .iter()
                .flat_map(|changes| shadow.changes(occupied(changes)));
            let words: Vec<String> = events
                .filter(|event| !matches!(event, DeviceEvent::Occupancy(_)))
                .map(|event| event.to_string())
                .collect();
            assert_eq!(words, expect, "{pictures:?}");
        }
    }

    #[test]
    fn a_board_that_sees_pieces_lies_as_its_array_says() {
        let mut shadow = Shadow::new(OrientationChoice::Auto);
        let mut raw = Placement::start().rotated();
        let told = shadow.changes(Picture::Pieces(raw));
        assert_eq!(
            told,
            [
                DeviceEvent::Orientation(Orientation::Rotated),
                DeviceEvent::Dump(Placement::start())
            ]
        );
        raw.set(Square::D5, raw.at(Square::D7));
        raw.set(Square::D7, None);
        let words: Vec<String> = shadow
            .changes(Picture::Pieces(raw))
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(words, ["square e2 -", "square e4 P"]);
        assert!(shadow.changes(Picture::Pieces(raw)).is_empty());
        let given = shadow.choose(OrientationChoice::Given(Orientation::Normal));
        assert_eq!(given.len(), 2);
    }
}
