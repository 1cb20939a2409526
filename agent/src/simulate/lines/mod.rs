//! Virtual devices that speak in lines of letters, byte for byte: boards that say moves, boards clubs build, clocks.
//!
//! Pure. [`Talker`] is what they have in common: a line to the host and an ear for it; a [`Tongue`] is what tells one
//! from the other.

mod club;
mod diyclock;
mod novag;
mod talker;

use crate::devices::{Orientation, Placement};
use crate::simulate::VirtualBoard;

/// A virtual device by its family. The serial number counts where a family has one.
pub(super) fn virtual_device(
    family: &str,
    serial: &str,
    orientation: Orientation,
    placement: Placement,
) -> Option<Box<dyn VirtualBoard>> {
    let tongue: Box<dyn talker::Tongue> = match family {
        "citrine" => Box::new(novag::Novag::citrine(placement)),
        "ucb" => Box::new(novag::Novag::universal(placement)),
        "club" => Box::new(club::Club::new(serial, orientation, placement)),
        "diyclock" => Box::<diyclock::DiyClock>::default(),
        _ => return None,
    };
    Some(Box::new(talker::Talker::new(tongue)))
}
