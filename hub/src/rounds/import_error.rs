//! What was wrong with a file of pairings: every bad row by its line, with a cure.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Line of the file, counted from 1; none: the whole file.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub cure: String,
    /// Whether the file cannot be taken because of it.
    pub fatal: bool,
}

impl Problem {
    /// Something wrong in a line.
    pub fn at(line: u64, what: impl Into<String>, cure: impl Into<String>) -> Problem {
        Problem {
            line: Some(line),
            what: what.into(),
            cure: cure.into(),
            fatal: true,
        }
    }

    /// Something wrong with the whole.
    pub fn whole(what: impl Into<String>, cure: impl Into<String>) -> Problem {
        Problem {
            line: None,
            what: what.into(),
            cure: cure.into(),
            fatal: true,
        }
    }

    /// Something to look at that does not forbid the round.
    pub fn warning(what: impl Into<String>, cure: impl Into<String>) -> Problem {
        Problem {
            fatal: false,
            ..Problem::whole(what, cure)
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{} · help: {}", self.what, self.cure)
    }
}

/// Problems that are told one by one.
const MOST_TOLD: usize = 20;

/// Nothing was imported, and why.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("H20 nothing was imported: {}", list(.0))]
pub struct ImportError(pub Vec<Problem>);

fn list(problems: &[Problem]) -> String {
    let told = problems.iter().take(MOST_TOLD).map(Problem::to_string);
    let mut lines: Vec<String> = told.collect();
    let untold = problems.len().saturating_sub(MOST_TOLD);
    if untold > 0 {
        lines.push(format!("and {untold} more"));
    }
    lines.join("\n")
}

/// The table of the n-th game of a file that names none; 0, which is no table, where the numbers end.
pub(super) fn by_order(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(0)
}

/// The round, or everything that forbids it.
pub(super) fn whole<T>(value: T, problems: Vec<Problem>) -> Result<T, ImportError> {
    let fatal: Vec<Problem> = problems.into_iter().filter(|p| p.fatal).collect();
    if fatal.is_empty() {
        Ok(value)
    } else {
        Err(ImportError(fatal))
    }
}
