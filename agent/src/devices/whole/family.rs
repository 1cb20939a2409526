//! A family of boards that report whole positions, as the list of drivers knows it.

use super::line::WholeLine;
use super::speech::{self, Speech};
use crate::devices::{Chunk, Driver, Family, Frame, Line, LineOptions};

/// A family with everything that tells it from the others.
pub(in crate::devices) struct WholeFamily {
    pub(in crate::devices) family: &'static str,
    pub(in crate::devices) about: Family,
    pub(in crate::devices) speech: fn() -> Box<dyn Speech>,
}

impl Driver for WholeFamily {
    fn family(&self) -> &'static str {
        self.family
    }

    fn about(&self) -> Family {
        self.about
    }

    fn open(&self, how: LineOptions) -> Box<dyn Line> {
        Box::new(WholeLine::new(self.family, (self.speech)(), &how))
    }

    fn transcript(&self, bytes: &[u8]) -> Vec<Frame> {
        speech::transcript((self.speech)(), bytes)
    }

    fn has_lamps(&self) -> bool {
        (self.speech)().manner().lamps.is_some()
    }

    fn with_times(&self, bytes: &[u8]) -> Vec<Chunk> {
        speech::with_times((self.speech)(), bytes)
    }
}
