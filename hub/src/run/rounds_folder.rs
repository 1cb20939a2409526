//! Pairings on their way into a hub: a file each in the folder `rounds`, taken within a second by a hub that runs, or when it starts.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::rounds::RoundSetup;

/// Puts a round where the hub of the data folder takes it, whole or not at all, and returns the file. What is only as in `unsaid` is
/// left out: the hub knows it from its own configuration.
///
/// # Errors
/// The system's, when the folder cannot be written.
pub fn put_round(
    data: &Path,
    round: &RoundSetup,
    unsaid: Option<&RoundSetup>,
) -> io::Result<PathBuf> {
    let folder = data.join("rounds");
    let mut private = fs::DirBuilder::new();
    private.recursive(true).mode(0o700).create(&folder)?;
    let path = folder.join(format!("round-{:03}.json", round.round));
    let beside = path.with_extension("part");
    let mut file = fs::File::create(&beside)?;
    file.write_all(&serde_json::to_vec_pretty(&said(round, unsaid)?)?)?;
    file.sync_all()?;
    fs::rename(&beside, &path)?;
    Ok(path)
}

/// What a round says beside what nobody said. Round and tables are always said, and the kind of play with its time.
fn said(round: &RoundSetup, unsaid: Option<&RoundSetup>) -> serde_json::Result<Value> {
    let mut said = serde_json::to_value(round)?;
    let unsaid = unsaid.map(serde_json::to_value).transpose()?;
    let timed = |all: &Value| all.get("time_control").cloned();
    let keeps_regime = unsaid.as_ref().is_some_and(|u| timed(u) != timed(&said));
    if let (Some(said), Some(unsaid)) = (said.as_object_mut(), unsaid) {
        said.retain(|key, value| {
            let always = matches!(key.as_str(), "round" | "tables");
            always || keeps_regime && key == "regime" || unsaid.get(key) != Some(&*value)
        });
    }
    Ok(said)
}

/// Reads a round; what its file leaves out is as usual.
fn understood(bytes: &[u8], usual: &RoundSetup) -> serde_json::Result<RoundSetup> {
    let mut whole = serde_json::to_value(usual)?;
    match (whole.as_object_mut(), serde_json::from_slice(bytes)?) {
        (Some(whole), Value::Object(said)) => whole.extend(said),
        (_, other) => whole = other,
    }
    serde_json::from_value(whole)
}

/// Rounds that wait, rising, each filled up from the usual one. A file that cannot be read is said and set aside.
pub(super) fn waiting(folder: &Path, usual: &RoundSetup) -> Vec<(PathBuf, RoundSetup)> {
    let paths = paths(folder).into_iter();
    paths.filter_map(|path| read(path, usual)).collect()
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_round = |path: &PathBuf| path.extension().is_some_and(|e| e == "json");
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(is_round)
        .collect();
    paths.sort();
    paths
}

/// The rounds that wait in a data folder, without taking them.
pub fn rounds_waiting(data: &Path, usual: &RoundSetup) -> Vec<RoundSetup> {
    paths(&data.join("rounds"))
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .filter_map(|bytes| understood(&bytes, usual).ok())
        .collect()
}

/// A round is in the journal: its file is kept under another name.
pub(super) fn taken(path: &Path) {
    set_aside(path, "taken");
}

fn read(path: PathBuf, usual: &RoundSetup) -> Option<(PathBuf, RoundSetup)> {
    let round = fs::read(&path)
        .map_err(|e| e.to_string())
        .and_then(|bytes| understood(&bytes, usual).map_err(|e| e.to_string()))
        .and_then(|round| match round.problems().iter().find(|p| p.fatal) {
            Some(problem) => Err(problem.to_string()),
            None => Ok(round),
        });
    match round {
        Ok(round) => Some((path, round)),
        Err(why) => {
            refused(&path, &why);
            None
        }
    }
}

/// Says why pairings are not taken and puts them aside.
pub(super) fn refused(path: &Path, why: &str) {
    tracing::error!(file = %path.display(), "H26 these pairings were not taken: {why}");
    set_aside(path, "refused");
}

fn set_aside(path: &Path, word: &str) {
    if let Err(error) = fs::rename(path, path.with_extension(word)) {
        tracing::warn!(file = %path.display(), "H27 cannot be renamed: {error} · help: allow the hub to write in `rounds`");
    }
}

#[cfg(test)]
mod tests {
    use protocol::{EditionId, TableId};

    use super::*;
    use crate::rounds::TableSetup;

    #[test]
    fn a_round_is_taken_once_and_nonsense_is_set_aside() {
        let data = tempfile::tempdir().expect("folder");
        let folder = data.path().join("rounds");
        let usual = RoundSetup::default();
        assert!(waiting(&folder, &usual).is_empty());
        let mut round = RoundSetup {
            round: 2,
            tables: vec![TableSetup::new(TableId(1), "A", "B")],
            ..RoundSetup::default()
        };
        put_round(data.path(), &round, None).expect("written");
        fs::write(folder.join("x.json"), "{").expect("written");
        let found = waiting(&folder, &usual);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, round);
        taken(&found[0].0);
        assert!(waiting(&folder, &usual).is_empty());
        round.tables.push(TableSetup::new(TableId(1), "C", "D"));
        put_round(data.path(), &round, None).expect("written");
        assert!(waiting(&folder, &usual).is_empty(), "a table stands twice");
        assert!(folder.join("round-002.refused").exists());
    }

    #[test]
    fn what_a_file_does_not_say_is_as_the_hub_has_it() {
        let data = tempfile::tempdir().expect("folder");
        let folder = data.path().join("rounds");
        let unsaid = RoundSetup::default();
        let hubs = RoundSetup {
            event: "Open".to_owned(),
            edition: EditionId::Fide2001,
            time_control: "5400+30".parse().expect("control"),
            default_ms: 900_000,
            ..RoundSetup::default()
        };
        let blitz = RoundSetup {
            time_control: "180+2".parse().expect("control"),
            ..unsaid.clone()
        };
        for (imported, control) in [(unsaid.clone(), "5400+30"), (blitz, "180+2")] {
            let round = RoundSetup {
                round: 3,
                tables: vec![TableSetup::new(TableId(1), "A", "B")],
                ..imported
            };
            put_round(data.path(), &round, Some(&unsaid)).expect("written");
            let (path, got) = waiting(&folder, &hubs).remove(0);
            assert_eq!(
                (got.event.as_str(), got.edition),
                ("Open", EditionId::Fide2001)
            );
            assert_eq!(
                (got.time_control.to_string().as_str(), got.round),
                (control, 3)
            );
            assert_eq!(got.default_ms, 900_000);
            assert_eq!(got.tables, round.tables);
            taken(&path);
        }
    }
}
