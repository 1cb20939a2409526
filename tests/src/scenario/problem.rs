//! What is wrong at a line of a story: unreadable, or not as it was told.

use std::fmt;

/// A line and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl Problem {
    /// A problem of a line.
    pub fn new(line: usize, what: impl Into<String>) -> Problem {
        Problem {
            line,
            what: what.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}
