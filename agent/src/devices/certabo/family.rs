//! The Certabo family as the list of drivers knows it. These boards talk without being asked and are never written to.

use std::borrow::Cow;

use super::frame::{Tag, as_said, probe, read};
use super::pieces::{Pieces, is_nothing};
use super::reading::Readings;
use crate::devices::shadow::Picture;
use crate::devices::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use crate::devices::{Family, OrientationChoice, Pace, PortKind};

/// The family.
pub(in crate::devices) static CERTABO: WholeFamily = WholeFamily {
    family: "certabo",
    about: Family {
        names: "Certabo; Tabutronic Cerno, Spectrum, Sentio, Tactum",
        connection: "USB or Bluetooth serial",
        baud: Some(38_400),
        pace: Pace::Frames,
        port: PortKind::Serial,
        usb: &[(0x10C4, Some(0xEA60))],
        checked_against: "recorded frames of a real board at the initial array, published vectors; never yet on a board itself",
    },
    speech: || Box::<Certabo>::default(),
};

const MANNER: Manner = Manner {
    settle: 0,
    listens_at_once: true,
    hello: &[],
    answer: 1_200,
    tries: 2,
    spacing: 1_000,
    board: None,
    clock: None,
    battery: None,
    lamps: None,
    silent: Some(5_000),
    tells_serial: false,
    patience: 500,
};

/// Numbers that become pieces once the board has been seen in its initial array.
#[derive(Debug, Default)]
struct Certabo {
    pieces: Pieces,
    readings: Readings,
    last: Option<Vec<Tag>>,
    /// So many frames in a row showed pieces, and none of them was known.
    strange: u32,
}

/// So many frames without a known piece are no accident: about three seconds.
const STRANGE: u32 = 12;
/// A board on which fewer pieces are read may be standing in the cupboard.
const PIECES: usize = 8;

impl Speech for Certabo {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        probe(held)
    }

    fn as_said<'a>(&self, recorded: &'a [u8]) -> Cow<'a, [u8]> {
        as_said(recorded)
    }

    fn read(&self, frame: &[u8]) -> Heard {
        read(frame)
    }

    fn understand(&mut self, heard: Heard) -> Vec<Heard> {
        let Heard::Tags { tags } = heard else {
            return vec![heard];
        };
        self.last = Some(tags.clone());
        let mut meanings = Vec::from_iter(self.strangers(&tags));
        if let Some(learned) = self.pieces.look(&tags) {
            meanings.extend(self.begin_with(learned));
        }
        if self.pieces.are_known()
            && let Some(placement) = self.readings.add(&tags, &self.pieces)
        {
            match self.pieces.first_move(&placement) {
                Some(turned) => meanings.extend(self.begin_with(turned)),
                None => meanings.push(board(placement)),
            }
        }
        if meanings.is_empty() {
            meanings.push(Heard::Nothing {
                what: "pieces that are not known yet",
            });
        }
        meanings
    }

    /// What was read last is believed when it is read twice more.
    fn goes_on(&mut self) -> Vec<Heard> {
        let again = self
            .last
            .take()
            .into_iter()
            .flat_map(|tags| [tags.clone(), tags]);
        let again: Vec<Heard> = again.map(|tags| Heard::Tags { tags }).collect();
        again
            .into_iter()
            .flat_map(|heard| self.understand(heard))
            .collect()
    }

    fn remember(&mut self, kept: &str) {
        self.pieces.remember(kept);
    }

    fn lies(&mut self, choice: OrientationChoice) {
        self.pieces.lies(choice);
    }
}

impl Certabo {
    /// Says once that the set is not known, and once that it is.
    fn strangers(&mut self, tags: &[Tag]) -> Option<Heard> {
        let there = tags.iter().filter(|tag| !is_nothing(tag));
        let known = there.clone().any(|tag| self.pieces.piece(tag).is_some());
        if known {
            let were = std::mem::take(&mut self.strange) >= STRANGE;
            return were.then_some(Heard::PiecesUnknown { unknown: false });
        }
        self.strange = self
            .strange
            .saturating_add(u32::from(there.count() >= PIECES));
        (self.strange == STRANGE).then_some(Heard::PiecesUnknown { unknown: true })
    }

    /// Everything read so far was called by other names.
    fn begin_with(&mut self, names: String) -> impl Iterator<Item = Heard> {
        self.readings = Readings::default();
        let array = self.pieces.array().map(board);
        std::iter::once(Heard::Keep { what: names }).chain(array)
    }
}

fn board(placement: crate::devices::Placement) -> Heard {
    Heard::Board {
        board: Picture::Pieces(placement),
    }
}
