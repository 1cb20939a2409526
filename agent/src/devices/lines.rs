//! Lines of letters: what families have in common that speak in them.

use super::whole::Probe;

/// No line is longer.
const LONGEST: usize = 200;

/// Finds a line that ends with a line feed. `fits` says whether its beginning, without the end, may be one of the family's.
pub(super) fn probe(held: &[u8], fits: impl Fn(&str) -> bool) -> Probe {
    let end = held.iter().position(|byte| *byte == b'\n');
    let line = &held[..end.unwrap_or(held.len())];
    if matches!(held, [b'\r' | b'\n' | 0, ..]) {
        return Probe::Frame(1);
    }
    let readable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\r');
    if !line.iter().all(readable) {
        return Probe::No("not a letter");
    }
    if line.len() > LONGEST {
        return Probe::No("without an end");
    }
    match end {
        None => Probe::More,
        Some(end) if fits(text(line).as_str()) => Probe::Frame(end + 1),
        Some(_) => Probe::No("not a line of this family"),
    }
}

/// The line without its end.
pub(super) fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end().to_owned()
}
