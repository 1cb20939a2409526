//! Recordings as ports: `.cap` with times, `.hex` and `.bin` without, `.txt` as a list of examples or as the bytes themselves.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::devices::{Capture, Driver, Frame, driver, parse_examples, parse_hex};

/// More noise than so many times the words there are is no board of the family on a bad line.
const CHANCE: usize = 20;

/// A recording of more bytes is none.
const LARGEST: u64 = 64 << 20;

/// Why a recording cannot be read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error(
        "A21 cannot read {path}: {why} · help: give a file made by `zeitnot-agent record`, or raw bytes (.bin, .hex)"
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// The file is no recording.
    #[error(
        "A22 {path}: {why} · help: a .cap file holds `milliseconds hexadecimal…` lines, a .hex file hexadecimal"
    )]
    Shape {
        /// The file.
        path: PathBuf,
        /// Where and what.
        why: String,
    },
    /// The file holds no bytes of a board.
    #[error(
        "A61 there is nothing in {path} · help: was the board switched on and its port the right one when it was recorded?"
    )]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// More than anybody records.
    #[error(
        "A64 {path} is larger than 64 MB · help: a board says less in a day; give the part you need, a .cap file can be cut between lines"
    )]
    Large {
        /// The file.
        path: PathBuf,
    },
    /// Bytes, but no board's words.
    #[error(
        "A62 none or hardly any of the {bytes} bytes of {path} are words of the family {family} · help: give the board's family with --family; `zeitnot-agent list --supported` shows them"
    )]
    Strange {
        /// The file.
        path: PathBuf,
        /// How many bytes.
        bytes: usize,
        /// The family they were read as.
        family: &'static str,
    },
    /// A family nobody knows.
    #[error(
        "A04 no driver for the family {0:?} · help: `zeitnot-agent list --supported` shows the families"
    )]
    Family(String),
}

/// Reads a recording by its file name's end; `family` is for recordings that do not say it.
///
/// # Errors
/// [`RecordingError`]
pub fn read_recording(
    path: &Path,
    family: Option<&str>,
) -> Result<(Capture, &'static dyn Driver), RecordingError> {
    let cannot = |why| RecordingError::Read {
        path: path.to_owned(),
        why,
    };
    if std::fs::metadata(path).map_err(cannot)?.len() > LARGEST {
        let path = path.to_owned();
        return Err(RecordingError::Large { path });
    }
    let bytes = std::fs::read(path).map_err(cannot)?;
    let shape = |why: String| RecordingError::Shape {
        path: path.to_owned(),
        why,
    };
    let find = |name: &str| driver(name).ok_or_else(|| RecordingError::Family(name.to_owned()));
    let text = || String::from_utf8_lossy(&bytes).into_owned();
    let (capture, driver) = match path.extension().and_then(|end| end.to_str()) {
        Some("cap") => {
            let (capture, left_out) = Capture::read(&text());
            if let Some(first) = left_out.first() {
                // More nonsense than bytes is no torn recording.
                if left_out.len() >= capture.chunks.len() {
                    return Err(shape(first.to_string()));
                }
                let (path, count) = (path.display(), left_out.len());
                tracing::warn!("A63 {path}: {first}; {count} such lines are left out");
            }
            let name = family
                .or(capture.family.as_deref())
                .unwrap_or("dgt")
                .to_owned();
            (capture, find(&name)?)
        }
        Some("hex") => {
            let bytes = parse_hex(&text()).map_err(|why| shape(why.to_string()))?;
            let driver = find(family.unwrap_or("dgt"))?;
            (Capture::of_bytes(driver, &bytes), driver)
        }
        end => {
            let driver = find(family.unwrap_or("dgt"))?;
            let list = end.filter(|end| *end == "txt");
            let listed = list.and_then(|_| parse_examples(&text()));
            let bytes = listed.as_deref().unwrap_or(&bytes);
            (Capture::of_bytes(driver, bytes), driver)
        }
    };
    if capture.chunks.iter().all(|chunk| chunk.bytes.is_empty()) {
        let path = path.to_owned();
        return Err(RecordingError::Empty { path });
    }
    Ok((capture, driver))
}

/// Whether a board of the family said anything in these frames: a few words among noise are chance.
///
/// # Errors
/// [`RecordingError::Strange`] when all of them are noise, or nearly all.
pub fn any_words(path: &Path, driver: &dyn Driver, frames: &[Frame]) -> Result<(), RecordingError> {
    let (mut words, mut noise, mut bytes) = (0, 0, 0);
    for frame in frames {
        let length = frame.bytes.split_whitespace().count();
        bytes += length;
        match frame.meaning["kind"].as_str() {
            Some("garbage" | "filler" | "not_read") => noise += length,
            Some("nothing") => {}
            _ => words += length,
        }
    }
    if words * CHANCE > noise {
        return Ok(());
    }
    Err(RecordingError::Strange {
        path: path.to_owned(),
        bytes,
        family: driver.family(),
    })
}
