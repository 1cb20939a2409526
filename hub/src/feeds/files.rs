//! Keeps the files of a feed equal to what should be there: what has changed is written whole, what is gone is removed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;

use super::Delivery;
use super::deliver::write_whole;

/// So long after the start every board is there, and what else lies in the folders is of tables that are gone.
const SETTLED: Duration = Duration::from_secs(10);

/// So often it is looked whether the files still lie where they were written.
const LOOK: Duration = Duration::from_secs(10);

/// The files that a feed has written.
#[derive(Default)]
pub(super) struct Written {
    /// What each holds, and how long it is.
    known: BTreeMap<String, (u64, u64)>,
    looked: Option<Instant>,
    /// How many were written since somebody asked.
    count: u64,
    /// A file was written, or removed, since those that are joined of several were.
    unjoined: bool,
    /// When what an earlier run has left is to be looked for; none: not any more.
    sweep: Option<Instant>,
}

impl Written {
    /// How many files were written since the last time.
    pub(super) fn news(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }

    /// Whether it is time to look if somebody has removed or cut one.
    pub(super) fn are_due(&self) -> bool {
        !self.known.is_empty() && self.looked.is_none_or(|at| at.elapsed() >= LOOK)
    }

    /// Nothing so far, in folders in which an earlier run may have left something.
    pub(super) fn begun() -> Written {
        Written {
            sweep: Some(Instant::now() + SETTLED),
            ..Written::default()
        }
    }
}

/// Makes the files equal to these.
///
/// # Errors
/// The system's, such as a full disk; what was not written is tried again with the next call.
pub(super) async fn write_changed(
    files: Vec<Delivery>,
    folder: &Path,
    written: &mut Written,
) -> io::Result<()> {
    remove_gone(&files, folder, written).await?;
    if written.are_due() {
        look(&files, folder, written).await?;
    }
    for delivery in files {
        match delivery {
            Delivery::File { path, content } => {
                let mark = (hash(&content), content.len() as u64);
                if written.known.get(&path) != Some(&mark) {
                    write(folder.join(&path), content.into_bytes()).await?;
                    written.known.insert(path, mark);
                    written.unjoined = true;
                    written.count += 1;
                }
            }
            Delivery::Joined {
                path,
                before,
                after,
            } if written.unjoined => {
                let whole = joined(folder.to_owned(), before, after).await?;
                write(folder.join(&path), whole).await?;
                written.count += 1;
            }
            Delivery::Joined { .. } | Delivery::Post(_) => {}
        }
    }
    written.unjoined = false;
    Ok(())
}

/// Forgets what no longer lies there as it was written, so that it is written again.
async fn look(files: &[Delivery], folder: &Path, written: &mut Written) -> io::Result<()> {
    let (folder, known) = (folder.to_owned(), written.known.clone());
    let joined = files.iter().filter_map(|delivery| match delivery {
        Delivery::Joined { path, .. } => Some(path.clone()),
        Delivery::File { .. } | Delivery::Post(_) => None,
    });
    let joined: Vec<String> = joined.collect();
    let search = move || {
        let length = |path: &String| std::fs::metadata(folder.join(path)).map(|m| m.len()).ok();
        let other = known
            .iter()
            .filter(|(path, (_, long))| length(path) != Some(*long));
        let other: Vec<String> = other.map(|(path, _)| path.clone()).collect();
        (other, joined.iter().any(|path| length(path).is_none()))
    };
    let found = tokio::task::spawn_blocking(search);
    let (other, unjoined) = found.await.map_err(io::Error::other)?;
    written.known.retain(|path, _| !other.contains(path));
    written.unjoined |= unjoined;
    written.looked = Some(Instant::now());
    Ok(())
}

async fn write(path: PathBuf, content: Vec<u8>) -> io::Result<()> {
    let name = path.clone();
    tokio::task::spawn_blocking(move || write_whole(&path, &content))
        .await
        .map_err(io::Error::other)?
        .map_err(|error| of_file(&name, &error))
}

/// The error with the name of the file it is about.
fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The files of a folder whose names are `<before>N<after>`, by rising N, one behind the other.
async fn joined(folder: PathBuf, before: &'static str, after: &'static str) -> io::Result<Vec<u8>> {
    let join = move || {
        let mut parts = BTreeMap::new();
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|n| {
                n.strip_prefix(before)?
                    .strip_suffix(after)?
                    .parse::<u32>()
                    .ok()
            });
            if let Some(number) = number {
                parts.insert(number, entry.path());
            }
        }
        let parts: io::Result<Vec<Vec<u8>>> = parts.values().map(std::fs::read).collect();
        parts.map(|parts| parts.concat())
    };
    tokio::task::spawn_blocking(join)
        .await
        .map_err(io::Error::other)?
}

/// Removes the files of tables that are gone: those that were written and are not to be there now, and once those of an earlier run.
async fn remove_gone(files: &[Delivery], folder: &Path, written: &mut Written) -> io::Result<()> {
    let paths = files.iter().filter_map(|delivery| match delivery {
        Delivery::File { path, .. } => Some(path.clone()),
        Delivery::Joined { .. } | Delivery::Post(_) => None,
    });
    let wanted: BTreeSet<String> = paths.collect();
    let known = written.known.keys();
    let mut gone: Vec<String> = known.filter(|k| !wanted.contains(*k)).cloned().collect();
    if !wanted.is_empty() && written.sweep.is_some_and(|at| at <= Instant::now()) {
        let folder = folder.to_owned();
        let look = tokio::task::spawn_blocking(move || left_over(&folder, &wanted));
        gone.extend(look.await.map_err(io::Error::other)?);
        written.sweep = None;
    }
    for path in gone {
        match tokio::fs::remove_file(folder.join(&path)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(of_file(&folder.join(&path), &error));
            }
            Ok(()) | Err(_) => written.unjoined = true,
        }
        written.known.remove(&path);
    }
    Ok(())
}

/// Files in the folders of rounds that are named like those that should be there, but for their number, and should not.
fn left_over(folder: &Path, wanted: &BTreeSet<String>) -> Vec<String> {
    let kinds: BTreeSet<(&str, &str, &str)> = wanted.iter().filter_map(|path| kind(path)).collect();
    let mut strange = Vec::new();
    for (below, before, after) in kinds {
        let entries = std::fs::read_dir(folder.join(below));
        for entry in entries.into_iter().flatten().flatten() {
            let name = entry.file_name();
            let path = format!("{below}/{}", name.to_string_lossy());
            if kind(&path) == Some((below, before, after)) && !wanted.contains(&path) {
                strange.push(path);
            }
        }
    }
    strange
}

/// `round-5`, `board-` and `.pgn` of `round-5/board-12.pgn`; none for what does not lie in the folder of a round or has no number.
fn kind(path: &str) -> Option<(&str, &str, &str)> {
    let (below, name) = path.rsplit_once('/')?;
    let folder = below.rsplit('/').next()?;
    let at = name.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = name.split_at(at);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    folder
        .starts_with("round-")
        .then_some((below, before, after))
}

fn hash(content: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_earlier_run_has_left_is_found_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let round = folder.path().join("round-5");
        std::fs::create_dir_all(&round).expect("made");
        let names = [
            "board-1.pgn",
            "board-12.pgn",
            "board-12.txt",
            "notes.pgn",
            "board-.pgn",
        ];
        for name in names {
            std::fs::write(round.join(name), "").expect("written");
        }
        std::fs::write(folder.path().join("round-4.pgn"), "").expect("written");
        let wanted = ["round-5/board-1.pgn", "round-5.pgn"].map(str::to_owned);
        let wanted = BTreeSet::from(wanted);
        assert_eq!(left_over(folder.path(), &wanted), ["round-5/board-12.pgn"]);
    }
}
