//! How the program speaks: errors with a code and a way out, lines of JSON or words, progress only on a terminal.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::config::{ConfigError, HubError};
use crate::daemon::StartError;
use crate::outbox::OutboxError;
use crate::ports::RecordingError;

/// What went wrong, its stable code, and what to do.
#[derive(Debug)]
pub struct Problem {
    code: String,
    what: String,
    help: String,
    exit: u8,
}

impl Problem {
    /// A problem that ends the command with exit code 1.
    pub(super) fn new(code: &str, what: impl Display, help: &str) -> Problem {
        Problem {
            code: code.to_owned(),
            what: what.to_string(),
            help: help.to_owned(),
            exit: 1,
        }
    }

    /// A problem of wrong usage: exit code 2.
    pub(super) fn usage(code: &str, what: impl Display, help: &str) -> Problem {
        Problem {
            exit: 2,
            ..Problem::new(code, what, help)
        }
    }

    /// Prints the problem on standard error and returns the exit code.
    pub(super) fn tell(self) -> ExitCode {
        if self.exit == 0 {
            return ExitCode::SUCCESS;
        }
        let text = format!("error: {} {}\nhelp: {}\n", self.code, self.what, self.help);
        let _closed = std::io::stderr().lock().write_all(text.as_bytes());
        ExitCode::from(self.exit)
    }

    /// An error that carries its code and its help in its text: `A12 what · help: do this`.
    fn of_text(text: &str, exit: u8) -> Problem {
        let (what, help) = text.split_once(" · help: ").unwrap_or((text, "see --help"));
        let (code, what) = match what.split_once(' ') {
            Some((code, rest)) if is_code(code) => (code, rest),
            _ => ("A00", what),
        };
        Problem {
            exit,
            ..Problem::new(code, what, help)
        }
    }
}

fn is_code(word: &str) -> bool {
    word.len() == 3
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word[1..].bytes().all(|b| b.is_ascii_digit())
}

impl From<ConfigError> for Problem {
    fn from(error: ConfigError) -> Problem {
        Problem::of_text(&error.to_string(), 2)
    }
}

impl From<HubError> for Problem {
    fn from(error: HubError) -> Problem {
        Problem::of_text(&error.to_string(), 2)
    }
}

impl From<RecordingError> for Problem {
    fn from(error: RecordingError) -> Problem {
        Problem::of_text(&error.to_string(), 2)
    }
}

impl From<OutboxError> for Problem {
    fn from(error: OutboxError) -> Problem {
        Problem::of_text(&error.to_string(), 1)
    }
}

impl From<StartError> for Problem {
    fn from(error: StartError) -> Problem {
        let exit = match error {
            StartError::Config(_) => 2,
            StartError::Outbox(_) | StartError::Livechess { .. } => 1,
        };
        Problem::of_text(&error.to_string(), exit)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Problem {
                exit: 0,
                ..Problem::new("A24", "nobody reads the answer", "-")
            };
        }
        Problem::new("A25", error, "see what the system says")
    }
}

/// One JSON object on a line of its own.
pub(super) fn json_line(out: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Shows how far a long work is, on a terminal only.
pub(super) fn progress(text: &str) {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _closed = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
    }
}

/// The runtime of a command: one thread is enough for all its boards.
pub(super) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// Ctrl-C or a polite request to end.
pub(super) async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// What the log says goes to standard error; `RUST_LOG` chooses, warnings without it.
pub(super) fn log_to_stderr(default: &str) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(default));
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let logging = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colours);
    let _already_set_by_a_test = logging.try_init();
}
