//! Remembers how much later each audience outside saw everything: a longer delay in the configuration takes nothing away that was shown.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use protocol::Timestamp;

use crate::feeds::write_whole;
use crate::views::Audience;

/// The file in the data folder that holds them as they were at the last start.
const LAST: &str = "last-audiences.json";

/// These audiences, each with what it has seen by its delay of before.
pub(super) fn with_what_they_saw(
    audiences: Vec<Audience>,
    data: &Path,
    now: Timestamp,
) -> Vec<Audience> {
    let bytes = fs::read(data.join(LAST)).unwrap_or_default();
    let last: BTreeMap<String, Audience> = serde_json::from_slice(&bytes).unwrap_or_default();
    let remembered = |audience: Audience| match last.get(&audience.name) {
        Some(last) => audience.after(last, now),
        None => audience,
    };
    audiences.into_iter().map(remembered).collect()
}

/// Keeps them for the next start.
pub(super) fn keep(audiences: &[Audience], data: &Path) {
    let named = audiences.iter().map(|audience| (&audience.name, audience));
    let named: BTreeMap<_, _> = named.collect();
    let written = serde_json::to_vec_pretty(&named)
        .map_err(std::io::Error::from)
        .and_then(|bytes| write_whole(&data.join(LAST), &bytes));
    if let Err(error) = written {
        tracing::warn!("H27 {LAST} cannot be written: {error} · help: see that the disk has room");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_delay_is_told_from_one_start_to_the_next() {
        let data = tempfile::tempdir().expect("a folder");
        let at = |seconds: i64| Timestamp(1_800_000_000_000 + 1000 * seconds);
        let start = |delay: u64, now| {
            let web = vec![Audience::world("web", delay * 1000)];
            let web = with_what_they_saw(web, data.path(), now);
            keep(&web, data.path());
            web[0].sees_until(now)
        };
        assert_eq!(start(40, at(0)), at(-40));
        assert_eq!(start(100, at(10)), at(-30), "what was seen stays");
        assert_eq!(start(100, at(20)), at(-30), "and another start is none");
        assert_eq!(start(200, at(90)), at(-10));
        assert_eq!(
            start(20, at(91)),
            at(71),
            "a shorter one shows more at once"
        );
        assert_eq!(start(20, at(100)), at(80));
    }
}
