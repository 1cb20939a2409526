//! How the hub's commands speak: errors with a code and a way out on standard error.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Says an error: what went wrong, its code, what to do.
pub(super) fn error(error: &anyhow::Error) {
    let text = in_lines(&whole(error));
    if writeln!(std::io::stderr(), "{text}").is_err() {
        tracing::debug!("nobody reads standard error");
    }
}

/// The error with its causes, each said once: most errors name their cause themselves.
fn whole(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// `H01 what · help: cure` as two lines.
fn in_lines(text: &str) -> String {
    let (what, help) = text.split_once(" · help: ").unwrap_or((text, ""));
    let (code, what) = match what.split_once(' ') {
        Some((code, rest)) if is_code(code) => (format!("[{code}]"), rest),
        _ => (String::new(), what),
    };
    let help = if help.is_empty() {
        String::new()
    } else {
        format!("\n  help: {help}")
    };
    format!("error{code}: {what}{help}")
}

fn is_code(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && word.len() == 3
        && letters.all(|c| c.is_ascii_digit())
}

/// Says what clap says, with its exit code: 0 for help and version, 2 for wrong usage.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    if error.print().is_err() {
        tracing::debug!("nobody reads this");
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Says something beside the answer: on standard error, so that a program that reads the answer is not disturbed.
pub(super) fn aside(text: impl std::fmt::Display) {
    if writeln!(std::io::stderr(), "{text}").is_err() {
        tracing::debug!("nobody reads standard error");
    }
}

/// Prints a line of the answer; a reader that went away (`| head`) is no error, an answer that finds no room ends the program.
pub(super) fn line(text: impl std::fmt::Display) {
    let Err(why) = writeln!(std::io::stdout(), "{text}") else {
        return;
    };
    if why.kind() == std::io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    error(&anyhow::anyhow!(
        "H82 the answer cannot be written: {why} · help: free some space, or write it to another place"
    ));
    std::process::exit(1);
}

/// Prints a line about a program that runs on, whether anybody reads it or not.
pub(super) fn note(text: impl std::fmt::Display) {
    if writeln!(std::io::stdout(), "{text}").is_err() {
        tracing::debug!("nobody reads standard output");
    }
}

/// Starts logging to standard error: `ZEITNOT_LOG`, else what a technician needs.
pub(super) fn start_log() {
    let filter = std::env::var("ZEITNOT_LOG")
        .unwrap_or_else(|_| "info,mqtt5=error,rumqttc=warn,sled=warn".to_owned());
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour)
        .try_init();
    if started.is_err() {
        tracing::debug!("logging was started by somebody else");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let bare = || anyhow::anyhow!("no such file");
        let rows = [
            (
                bare().context("H74 cannot read x"),
                "H74 cannot read x: no such file",
            ),
            (
                bare().context("H01 cannot read x: no such file · help: look"),
                "H01 cannot read x: no such file · help: look",
            ),
        ];
        for (error, want) in rows {
            assert_eq!(whole(&error), want);
        }
    }

    #[test]
    fn an_error_shows_code_and_help() {
        let rows = [
            (
                "H01 cannot read x · help: look",
                "error[H01]: cannot read x\n  help: look",
            ),
            ("H01 only this", "error[H01]: only this"),
            ("Hmm what", "error: Hmm what"),
        ];
        for (text, want) in rows {
            assert_eq!(in_lines(text), want);
        }
    }
}
