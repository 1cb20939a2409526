//! Recordings as ports: `.cap` with times, `.hex` and `.bin` without.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::devices::{Capture, Driver, driver, parse_hex};

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
    let bytes = std::fs::read(path).map_err(|why| RecordingError::Read {
        path: path.to_owned(),
        why,
    })?;
    let shape = |why: String| RecordingError::Shape {
        path: path.to_owned(),
        why,
    };
    let find = |name: &str| driver(name).ok_or_else(|| RecordingError::Family(name.to_owned()));
    let text = || String::from_utf8_lossy(&bytes).into_owned();
    match path.extension().and_then(|end| end.to_str()) {
        Some("cap") => {
            let capture = Capture::parse(&text()).map_err(|why| shape(why.to_string()))?;
            let name = family
                .or(capture.family.as_deref())
                .unwrap_or("dgt")
                .to_owned();
            Ok((capture, find(&name)?))
        }
        Some("hex") => {
            let bytes = parse_hex(&text()).map_err(|why| shape(why.to_string()))?;
            let driver = find(family.unwrap_or("dgt"))?;
            Ok((Capture::of_bytes(driver, &bytes), driver))
        }
        _ => {
            let driver = find(family.unwrap_or("dgt"))?;
            Ok((Capture::of_bytes(driver, &bytes), driver))
        }
    }
}
