//! Where bytes come from: serial ports of this machine, and recordings.

mod find;
mod recording;
mod selector;
mod serial;

pub use find::{Access, PortInfo, Usb, access, matching, missing, scan};
pub use recording::{RecordingError, read_recording};
pub use selector::{Selector, SelectorError};
pub use serial::{SerialPort, open};
