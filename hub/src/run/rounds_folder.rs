//! Pairings on their way into a hub: a file each in the folder `rounds`, taken within a second by a hub that runs, or when it starts.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::rounds::RoundSetup;

/// Puts a round where the hub of the data folder takes it, whole or not at all, and returns the file.
///
/// # Errors
/// The system's, when the folder cannot be written.
pub fn put_round(data: &Path, round: &RoundSetup) -> io::Result<PathBuf> {
    let folder = data.join("rounds");
    let mut private = fs::DirBuilder::new();
    private.recursive(true).mode(0o700).create(&folder)?;
    let path = folder.join(format!("round-{:03}.json", round.round));
    let beside = path.with_extension("part");
    let mut file = fs::File::create(&beside)?;
    file.write_all(&serde_json::to_vec_pretty(round)?)?;
    file.sync_all()?;
    fs::rename(&beside, &path)?;
    Ok(path)
}

/// Rounds that wait, rising. A file that cannot be read is said and set aside.
pub(super) fn waiting(folder: &Path) -> Vec<(PathBuf, RoundSetup)> {
    paths(folder).into_iter().filter_map(read).collect()
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
pub fn rounds_waiting(data: &Path) -> Vec<RoundSetup> {
    paths(&data.join("rounds"))
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .filter_map(|bytes| serde_json::from_slice(&bytes).ok())
        .collect()
}

/// A round is in the journal: its file is kept under another name.
pub(super) fn taken(path: &Path) {
    set_aside(path, "taken");
}

fn read(path: PathBuf) -> Option<(PathBuf, RoundSetup)> {
    let round = fs::read(&path)
        .map_err(|e| e.to_string())
        .and_then(|bytes| serde_json::from_slice::<RoundSetup>(&bytes).map_err(|e| e.to_string()))
        .and_then(|round| match round.problems().iter().find(|p| p.fatal) {
            Some(problem) => Err(problem.to_string()),
            None => Ok(round),
        });
    match round {
        Ok(round) => Some((path, round)),
        Err(why) => {
            tracing::error!(file = %path.display(), "H26 these pairings were not taken: {why}");
            set_aside(&path, "refused");
            None
        }
    }
}

fn set_aside(path: &Path, word: &str) {
    if let Err(error) = fs::rename(path, path.with_extension(word)) {
        tracing::warn!(file = %path.display(), "H27 cannot be renamed: {error} · help: allow the hub to write in `rounds`");
    }
}

#[cfg(test)]
mod tests {
    use protocol::TableId;

    use super::*;
    use crate::rounds::TableSetup;

    #[test]
    fn a_round_is_taken_once_and_nonsense_is_set_aside() {
        let data = tempfile::tempdir().expect("folder");
        let folder = data.path().join("rounds");
        assert!(waiting(&folder).is_empty());
        let mut round = RoundSetup {
            round: 2,
            tables: vec![TableSetup::new(TableId(1), "A", "B")],
            ..RoundSetup::default()
        };
        put_round(data.path(), &round).expect("written");
        fs::write(folder.join("x.json"), "{").expect("written");
        let found = waiting(&folder);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, round);
        taken(&found[0].0);
        assert!(waiting(&folder).is_empty());
        round.tables.push(TableSetup::new(TableId(1), "C", "D"));
        put_round(data.path(), &round).expect("written");
        assert!(waiting(&folder).is_empty(), "a table stands twice");
        assert!(folder.join("round-002.refused").exists());
    }
}
