//! Where bytes come from: serial ports and USB devices of this machine, and recordings.

mod candidates;
mod find;
mod hid;
mod open;
mod recording;
mod selector;
mod serial;

pub use candidates::{AUTO, candidates};
pub use find::{Access, PortInfo, PortPlace, Usb, access, matching, missing, scan};
pub use hid::{HidPort, Reports};
pub use open::{Port, open};
pub use recording::{RecordingError, any_words, read_recording};
pub use selector::{Selector, SelectorError};
pub use serial::{SerialPort, open as open_serial};
