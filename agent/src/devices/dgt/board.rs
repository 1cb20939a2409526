//! What the board has said about its squares, turned into true squares.

use shakmaty::{Bitboard, Color};

use super::codes::{Field, is_nonsense, piece_of_code, result_of_code, square_of_number};
use super::log::RawEntry;
use super::message::Codes;
use crate::devices::shadow::{Picture, Shadow};
use crate::devices::{DeviceEvent, Millis, Orientation, OrientationChoice, Placement};

/// The shadow of the board in its own numbering, and how it lies.
#[derive(Debug)]
pub(super) struct Board {
    shadow: Codes,
    /// Whether the shadow rests on a dump since the line was opened.
    known: bool,
    /// A dump that contradicts the shadow, waiting for a second one that says the same.
    contradiction: Option<Codes>,
    choice: OrientationChoice,
    orientation: Option<Orientation>,
    /// The last initial array, in true squares, until a first press was looked at.
    array: Option<Placement>,
    flicker: [Flicker; 64],
    /// There when the board only knows occupied squares; then it tells them.
    occupied: Option<Shadow>,
}

/// How often one square changed with the same piece.
#[derive(Clone, Copy, Debug, Default)]
struct Flicker {
    since: Millis,
    code: u8,
    changes: u16,
}

const FLICKER_WINDOW: Millis = 60_000;
const FLICKERS: u16 = 20;

impl Board {
    pub(super) fn new(choice: OrientationChoice) -> Board {
        Board {
            shadow: Codes([0; 64]),
            known: false,
            contradiction: None,
            choice,
            orientation: choice.known(),
            array: None,
            flicker: [Flicker::default(); 64],
            occupied: None,
        }
    }

    /// A board whose codes only say that something stands there.
    pub(super) fn of_occupied_squares(choice: OrientationChoice) -> Board {
        Board {
            occupied: Some(Shadow::new(choice)),
            ..Board::new(choice)
        }
    }

    /// Takes the orientation from somewhere else. The board is told anew when that turns it round.
    pub(super) fn choose(&mut self, choice: OrientationChoice) -> Vec<DeviceEvent> {
        self.choice = choice;
        if let Some(occupied) = &mut self.occupied {
            return occupied.choose(choice);
        }
        let Some(orientation) = choice
            .known()
            .filter(|&known| self.orientation != Some(known))
        else {
            return Vec::new();
        };
        self.orientation = Some(orientation);
        let dump = self.known.then(|| DeviceEvent::Dump(self.placement()));
        std::iter::once(DeviceEvent::Orientation(orientation))
            .chain(dump)
            .collect()
    }

    /// The line was opened again: anything may have happened on the board.
    pub(super) fn reopened(&mut self) {
        self.known = false;
        self.contradiction = None;
        self.occupied.iter_mut().for_each(Shadow::forget);
    }

    /// The whole board. Messages carry no checksum, and a dump that lost a byte may take one of the next message:
    /// `None` for a dump that contradicts the shadow, until a second one confirms it.
    pub(super) fn dump(&mut self, codes: Codes) -> Option<Vec<DeviceEvent>> {
        let believed = !self.known || codes == self.shadow || self.contradiction == Some(codes);
        self.contradiction = (!believed).then_some(codes);
        believed.then(|| self.believe(codes))
    }

    /// The whole board from a recording, where nobody can be asked again.
    pub(super) fn believe(&mut self, codes: Codes) -> Vec<DeviceEvent> {
        self.known = true;
        let before = std::mem::replace(&mut self.shadow, codes);
        if let Some(occupied) = &mut self.occupied {
            return occupied.whole(Picture::Occupied(squares(&codes)));
        }
        let mut events = Vec::from_iter(self.look_for_array());
        events.push(DeviceEvent::Dump(self.placement()));
        let signs = (0..)
            .zip(codes.0)
            .filter(|&(number, code)| before.0[usize::from(number)] != code);
        events.extend(signs.filter_map(|(number, code)| self.sign(number, code)));
        events
    }

    /// One square.
    pub(super) fn field(&mut self, now: Millis, field: Field) -> Vec<DeviceEvent> {
        let Field { number, code } = field;
        let Some(square) = square_of_number(number) else {
            return Vec::new();
        };
        self.shadow.0[usize::from(number)] = code;
        if let Some(contradiction) = &mut self.contradiction {
            contradiction.0[usize::from(number)] = code;
        }
        if let Some(occupied) = &mut self.occupied {
            return occupied.changes(Picture::Occupied(squares(&self.shadow)));
        }
        let square = self.lies().square(square);
        let mut events = vec![DeviceEvent::Square {
            square,
            piece: piece_of_code(code),
        }];
        events.extend(self.sign(number, code));
        if self.flicker[usize::from(number)].changed(now, code) {
            events.push(DeviceEvent::Flickers { square });
        }
        if let Some(orientation) = self.look_for_array() {
            events.extend([orientation, DeviceEvent::Dump(self.placement())]);
        }
        events
    }

    /// The last initial array the board's memory speaks of tells how the board lies, if nothing else has.
    pub(super) fn learn_from_log(&mut self, entries: &[RawEntry]) -> Vec<DeviceEvent> {
        let told = entries.iter().rev().find_map(|entry| match entry {
            RawEntry::Start(orientation) => Some(*orientation),
            _ => None,
        });
        match (self.orientation, told) {
            (None, Some(orientation)) => self.choose(OrientationChoice::Kept(orientation)),
            _ => Vec::new(),
        }
    }

    /// Whether this press is the first since the initial array and only White has moved.
    pub(super) fn is_first_press_of_white(&mut self) -> bool {
        let now = self.placement();
        match self.array {
            Some(array) if array != now => {
                self.array = None;
                only_white_moved(&array, &now)
            }
            _ => false,
        }
    }

    /// How the board lies, or is taken to lie.
    pub(super) fn lies(&self) -> Orientation {
        self.orientation.unwrap_or(Orientation::Normal)
    }

    /// The board in true squares.
    fn placement(&self) -> Placement {
        self.lies().apply(&self.shadow.placement())
    }

    fn look_for_array(&mut self) -> Option<DeviceEvent> {
        let raw = self.shadow.placement();
        let seen = Orientation::of_initial_array(&raw)?;
        if self.choice.may_change() && self.orientation != Some(seen) {
            self.orientation = Some(seen);
            self.array = Some(self.placement());
            return Some(DeviceEvent::Orientation(seen));
        }
        self.array = Some(self.placement());
        None
    }

    fn sign(&self, number: u8, code: u8) -> Option<DeviceEvent> {
        let square = self.lies().square(square_of_number(number)?);
        result_of_code(code).map(|sign| DeviceEvent::ResultPiece { square, sign })
    }
}

impl Flicker {
    /// Counts a change; true once in a while when there are too many.
    fn changed(&mut self, now: Millis, code: u8) -> bool {
        let other_piece = code != 0 && code != self.code;
        if other_piece || is_nonsense(code) || now > self.since + FLICKER_WINDOW {
            *self = Flicker {
                since: now,
                code: if code == 0 { self.code } else { code },
                changes: 0,
            };
        }
        self.changes = self.changes.saturating_add(1);
        self.changes == FLICKERS + 1
    }
}

fn squares(codes: &Codes) -> Bitboard {
    let occupied = (0u8..).zip(codes.0).filter(|(_, code)| *code != 0);
    occupied
        .filter_map(|(number, _)| square_of_number(number))
        .collect()
}

fn only_white_moved(array: &Placement, now: &Placement) -> bool {
    let black_stood = |square| {
        array
            .at(square)
            .is_some_and(|piece| piece.color == Color::Black)
    };
    now.count() == array.count()
        && array
            .differences(now)
            .into_iter()
            .all(|square| !black_stood(square))
}
