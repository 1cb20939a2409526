//! An open port of either kind, as whoever carries the bytes of a line sees it.

use std::io;

use super::find::{PortInfo, PortPlace};
use super::hid::{self, HidPort};
use super::serial::{self, SerialPort};
use crate::devices::{Driver, PortKind};

/// The speed a pipe is told whose board has none, because a terminal must have one.
const PIPE: u32 = 115_200;

/// An open port.
pub enum Port {
    /// A serial port.
    Serial(SerialPort),
    /// Reports of a USB device.
    Hid(HidPort),
}

/// Opens a port the way boards of a family want it.
///
/// # Errors
/// What the system says: not there, not permitted, in use.
pub fn open(port: &PortInfo, driver: &dyn Driver) -> io::Result<Port> {
    let about = driver.about();
    match (about.port, port.place) {
        (PortKind::Hid, PortPlace::Reports) => hid::open(&port.path).map(Port::Hid),
        // The wireless link of such a board is a pipe for the same bytes; it has no speed of its own.
        (PortKind::Hid, PortPlace::Terminal) | (PortKind::Serial | PortKind::Bus, _) => {
            serial::open(&port.path, about.baud.unwrap_or(PIPE)).map(Port::Serial)
        }
    }
}

impl Port {
    /// Bytes that arrived, at least one.
    ///
    /// # Errors
    /// `UnexpectedEof` when the device was pulled out, or what else the system says.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Port::Serial(port) => port.read(buffer).await,
            Port::Hid(port) => port.read(buffer).await,
        }
    }

    /// Writes all bytes.
    ///
    /// # Errors
    /// What the system says.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Port::Serial(port) => port.write(bytes).await,
            Port::Hid(port) => port.write(bytes).await,
        }
    }
}
