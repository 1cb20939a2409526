//! `decode`: the frames of a recording, one JSON object a line.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::say::{Problem, json_line, log_to_stderr};
use crate::ports::{any_words, read_recording};

/// What `decode` is asked.
#[derive(Debug, Args)]
pub(super) struct Decode {
    /// The recording: .cap, .hex, a list of hexadecimal examples (.txt), or raw bytes.
    file: PathBuf,
    /// The family of the board.
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
}

impl Decode {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        log_to_stderr("warn");
        let (capture, driver) = read_recording(&self.file, self.family.as_deref())?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        let frames = driver.transcript(&capture.bytes());
        for frame in &frames {
            json_line(&mut out, frame)?;
        }
        out.flush()?;
        any_words(&self.file, driver, &frames)?;
        Ok(ExitCode::SUCCESS)
    }
}
