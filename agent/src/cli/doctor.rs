//! `doctor`: numbered checks, each ok, warn or fail, with code and cure.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::Where;
use super::install::install;
use super::say::{Problem, json_line, runtime};
use crate::doctor::{self, Check, State};

/// What `doctor` is asked.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    #[command(flatten)]
    place: Where,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Shows the udev rules and the service unit; with --yes writes them.
    #[arg(long)]
    install: bool,
    /// With --install: write the files.
    #[arg(long, requires = "install")]
    yes: bool,
    /// With --install: below this folder instead of /.
    #[arg(long, requires = "install", default_value = "/", hide = true)]
    root: PathBuf,
}

#[derive(Serialize)]
struct Line<'a> {
    state: &'static str,
    code: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'a str,
}

impl Doctor {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        if self.install {
            return install(Path::new(&self.root), self.yes);
        }
        let config = self.place.config();
        let checks = match config {
            Ok(config) => runtime()?.block_on(doctor::examine(&config)),
            Err(problem) => return Err(problem),
        };
        let mut out = std::io::stdout().lock();
        for check in &checks {
            self.print(&mut out, check)?;
        }
        let failed = checks.iter().any(|check| check.state == State::Fail);
        Ok(ExitCode::from(u8::from(failed)))
    }

    fn print(&self, out: &mut impl Write, check: &Check) -> std::io::Result<()> {
        let Check {
            code, text, help, ..
        } = check;
        let state = check.state.word();
        if self.json {
            return json_line(
                out,
                &Line {
                    state,
                    code,
                    text,
                    help,
                },
            );
        }
        writeln!(out, "  {state:<5} {code}  {text}")?;
        if help.is_empty() {
            Ok(())
        } else {
            writeln!(out, "             help: {help}")
        }
    }
}
