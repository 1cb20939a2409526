//! The last minute of what a port said, kept in the state folder to be replayed when something was wrong.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use protocol::Millis;

use super::Shared;
use crate::devices::dgt::Address;
use crate::devices::{Capture, Chunk};
use crate::ports::PortInfo;
use crate::time::Clock;

/// How far back the tape reaches.
const MINUTE: Millis = 60_000;
/// How often it is written down.
const KEEP_EVERY: Millis = MINUTE;
/// No more bytes than this, however much a port talks.
const LONGEST: usize = 512 * 1024;

/// A minute of one port.
pub(super) struct Tape {
    clock: Clock,
    file: PathBuf,
    family: &'static str,
    chunks: VecDeque<Chunk>,
    bytes: usize,
    kept: Millis,
    fresh: bool,
}

impl Tape {
    /// All that is said on a port.
    pub(super) fn new(shared: &Shared, port: &PortInfo, family: &'static str) -> Tape {
        Tape::called(&port.path, shared, family)
    }

    /// What one board of a shared line says.
    pub(super) fn of_board(
        shared: &Shared,
        port: &PortInfo,
        board: Address,
        family: &'static str,
    ) -> Tape {
        Tape::called(&format!("{}-{board}", port.path), shared, family)
    }

    fn called(name: &str, shared: &Shared, family: &'static str) -> Tape {
        let name: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let file = shared
            .config
            .state
            .join("traffic")
            .join(format!("{}.cap", name.trim_matches('-')));
        Tape {
            clock: shared.clock,
            file,
            family,
            chunks: VecDeque::new(),
            bytes: 0,
            kept: 0,
            fresh: false,
        }
    }

    /// Bytes arrived.
    pub(super) fn heard(&mut self, bytes: &[u8]) {
        let at = self.clock.now();
        self.bytes += bytes.len();
        self.chunks.push_back(Chunk {
            at,
            bytes: bytes.to_vec(),
        });
        let too_old = |chunk: &Chunk, bytes: usize| chunk.at + MINUTE < at || bytes > LONGEST;
        while self
            .chunks
            .front()
            .is_some_and(|chunk| too_old(chunk, self.bytes))
        {
            let gone = self.chunks.pop_front().map_or(0, |chunk| chunk.bytes.len());
            self.bytes -= gone;
        }
        self.fresh = true;
    }

    /// Writes the tape down now and then.
    pub(super) fn keep(&mut self) {
        let now = self.clock.now();
        if self.fresh && now >= self.kept + KEEP_EVERY {
            self.write(now);
        }
    }

    fn write(&mut self, now: Millis) {
        self.kept = now;
        self.fresh = false;
        let begin = self.chunks.front().map_or(0, |chunk| chunk.at);
        let capture = Capture {
            family: Some(self.family.to_owned()),
            chunks: self
                .chunks
                .iter()
                .map(|chunk| Chunk {
                    at: chunk.at - begin,
                    bytes: chunk.bytes.clone(),
                })
                .collect(),
        };
        let folder = self.file.parent().map_or(Ok(()), fs::create_dir_all);
        if let Err(why) = folder.and_then(|()| fs::write(&self.file, capture.to_text())) {
            tracing::debug!(file = %self.file.display(), %why, "the last minute cannot be kept");
        }
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        if self.fresh {
            self.write(self.clock.now());
        }
    }
}
