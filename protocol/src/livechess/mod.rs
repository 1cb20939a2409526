//! The local API of LiveChess 2 (port 1982) in the words that its clients know: boards, clocks, calls and their answers.
//!
//! Text in, texts out: whoever listens on a socket holds a [`Session`] for each WebSocket client and shows it a [`House`].

mod board;
mod origin;
mod printed;
mod session;

pub use board::{Clock, EBoard, House, Watched};
pub use origin::{ORIGINS, allowed, is_origin};
pub use printed::printed;
pub use session::Session;
