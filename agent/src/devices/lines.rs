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
    let end = held.iter().position(|byte| *byte == b'\n');
    let line = &held[..end.unwrap_or(held.len())];
    if line.len() > LONGEST {
        return Probe::No("without an end");
    }
    let good = |line: &[u8]| is_readable(line) && fits(text(line).as_str());
    let begins_later = || {
        let starts = 1..(line.len() + 1).saturating_sub(SHORTEST);
        starts.into_iter().any(|start| good(&line[start..]))
    };
    match end {
        None => Probe::More,
        Some(_) if !good(line) && begins_later() => Probe::No("before a line"),
        Some(end) => Probe::Frame(end + 1),
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
    String::from_utf8_lossy(line).trim_end().to_owned()
}
