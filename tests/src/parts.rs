//! Hub and agent as processes of their own, so that one can be killed while the other goes on. The executable that runs
//! the venue is every part itself: `demo part hub run …`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

/// The first argument that makes the executable a part of the venue.
const PART: &str = "part";

/// Runs as a part when the arguments say so.
pub fn part_main() -> Option<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1)?.to_str()? != PART {
        return None;
    }
    let rest = || arguments.iter().skip(2).cloned();
    Some(match arguments.get(2)?.to_str()? {
        "hub" => hub::cli::main(rest()),
        "agent" => agent::cli::main(rest()),
        "desk" => tui::cli::main(rest()),
        _ => ExitCode::from(2),
    })
}

/// A running part.
pub struct Part {
    child: Child,
}

impl Part {
    /// Starts `<executable> part <name> <arguments>`; what it says goes to `<log>`.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(
        executable: &Path,
        name: &str,
        arguments: &[String],
        log: &PathBuf,
    ) -> std::io::Result<Part> {
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(log)?;
        let child = Command::new(executable)
            .args([PART, name])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        Ok(Part { child })
    }

    /// Runs a part to its end and gives its exit code and what it printed.
    ///
    /// # Errors
    /// What the system says.
    pub fn run(
        executable: &Path,
        name: &str,
        arguments: &[String],
    ) -> std::io::Result<(bool, String)> {
        let output = Command::new(executable)
            .args([PART, name])
            .args(arguments)
            .stdin(Stdio::null())
            .output()?;
        let said = [output.stdout, output.stderr].concat();
        Ok((
            output.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        ))
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        // A part that has ended by itself cannot be killed again.
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }

    /// Resident memory, KiB.
    pub fn memory_kib(&self) -> Option<u64> {
        resident_kib(self.child.id())
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Resident memory of a process, KiB; none where it has ended, or the system does not say.
pub fn resident_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
