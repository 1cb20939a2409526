//! Lines of letters: what families have in common that speak in them.

use super::whole::{Heard, Probe};

/// No line is longer.
const LONGEST: usize = 200;

/// A shorter word is never found behind damaged bytes: an N at the end of something else begins no new game.
const SHORTEST: usize = 4;

/// Finds a line that ends with a line feed; `fits` says whether it, without its end, is one of the family's. A line that is not
/// is found as a whole too, for [`Damaged`](Heard::Damaged), unless a good one begins in it.
pub(super) fn probe(held: &[u8], fits: impl Fn(&str) -> bool) -> Probe {
    if matches!(held, [b'\r' | b'\n' | 0, ..]) {
        return Probe::Frame(1);
    }
    let there = &held[..held.len().min(LONGEST + 1)];
    let end = there.iter().position(|byte| *byte == b'\n');
    let line = &there[..end.unwrap_or(there.len())];
    if line.len() > LONGEST {
        return Probe::Noise(line.len() - 1, "without an end");
    }
    let good = |line: &[u8]| is_readable(line) && fits(text(line).as_str());
    let Some(end) = end else {
        return Probe::More;
    };
    if good(line) {
        return Probe::Frame(end + 1);
    }
    let mut starts = 1..(line.len() + 1).saturating_sub(SHORTEST);
    match starts.find(|start| good(&line[*start..])) {
        Some(start) => Probe::Noise(start, "before a line"),
        None => Probe::Frame(end + 1),
    }
}

/// Letters and ends of lines only.
pub(super) fn is_readable(line: &[u8]) -> bool {
    line.iter()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | 0))
}

/// A line that means nothing.
pub(super) fn damaged() -> Heard {
    Heard::Damaged {
        why: "not a line of this family",
    }
}

/// The line without its end.
pub(super) fn text(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    line.trim_end_matches([' ', '\r', '\n', '\0']).to_owned()
}
