//! The command line: `zeitnot`, `zeitnot keys`, `zeitnot doctor`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use protocol::Role;

use crate::access::{Access, AccessError, find};
use crate::answer::say;
use crate::app::App;
use crate::doctor::{self, Check, Verdict};
use crate::example;
use crate::keymap::Keymap;
use crate::picture;
use crate::run::{self, Options, RunError, on_own_thread};
use crate::settings::Settings;
use crate::speak;

/// The arbiters' dashboard: which table needs me now, and may I speak?
#[derive(Debug, Parser)]
#[command(name = "zeitnot", version)]
struct Line {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    access: Access,
    /// Order nothing; for a second screen
    #[arg(long, global = true)]
    read_only: bool,
    /// Sentences instead of screens, orders from standard input
    #[arg(long)]
    plain: bool,
    /// Draw one screen into a file; without --hub, --credentials or --data that of an example hall (`list` names the screens)
    #[arg(long, value_name = "SCREEN")]
    screenshot: Option<String>,
    /// Where the screenshot goes: FILE.svg or FILE.txt
    #[arg(short = 'o', long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Columns and rows of the screenshot
    #[arg(long, value_name = "WxH", default_value = "80x24")]
    size: String,
    /// Your initials, written into the journal with every order
    #[arg(long, value_name = "XX", global = true)]
    initials: Option<String>,
    /// Settings file (default: tui.toml in the configuration folder, ~/.config/zeitnot on Linux; `doctor` says where)
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Print every setting with its usual value
    #[arg(long)]
    print_config: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Every key and what it does
    Keys {
        /// As a Markdown table
        #[arg(long)]
        markdown: bool,
    },
    /// Check terminal, settings, credentials and hub
    Doctor {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
}

/// Does what the arguments ask (the first is the program's name).
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let line = match Line::try_parse_from(args) {
        Ok(line) => line,
        Err(error) => {
            // Help and version are no errors and go to standard output.
            let _printed = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match line.act() {
        Ok(code) => code,
        Err(error) => {
            let (text, code) = complaint(&error.to_string());
            eprintln!("{text}");
            ExitCode::from(code)
        }
    }
}

/// Codes of wrong usage: addresses, names, sizes and files that were typed wrong.
const USAGE: &[&str] = &["C01", "C02", "Z22", "Z30", "Z31", "Z32"];

/// `Z30 what · help: cure` as two lines, and the exit code: 2 for wrong usage, else 1.
fn complaint(text: &str) -> (String, u8) {
    let usage = USAGE.iter().any(|code| text.starts_with(code));
    let lines = text.replacen(" · help: ", "\nhelp: ", 1);
    (format!("error: {lines}"), if usage { 2 } else { 1 })
}

impl Line {
    fn act(self) -> anyhow::Result<ExitCode> {
        if self.print_config {
            say(Settings::page())?;
            return Ok(ExitCode::SUCCESS);
        }
        match &self.command {
            Some(Command::Keys { markdown }) => {
                let settings = self.settings()?;
                let language = settings.language().map_err(RunError::Settings)?;
                let keymap = Keymap::new(&settings.keys).map_err(RunError::Settings)?;
                say(&if *markdown {
                    keymap.markdown(&language)
                } else {
                    keymap.plain(&language)
                })?;
                Ok(ExitCode::SUCCESS)
            }
            Some(Command::Doctor { json }) => self.doctor(*json),
            None if self.screenshot.is_some() => self.screenshot(),
            None if self.plain => {
                speak::run(self.options()?)?;
                Ok(ExitCode::SUCCESS)
            }
            None => {
                run::run(self.options()?)?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    fn settings(&self) -> Result<Settings, RunError> {
        let path = self.config.clone();
        let path = path.or(own_settings().filter(|path| path.exists()));
        let mut settings = match path {
            None => Settings::default(),
            Some(path) => {
                let fail = |why: String| RunError::Settings(format!("{}: {why}", path.display()));
                let text = std::fs::read_to_string(&path).map_err(|e| fail(e.to_string()))?;
                Settings::read(&text).map_err(fail)?
            }
        };
        if let Some(initials) = &self.initials {
            settings.arbiter.clone_from(initials);
        }
        Ok(settings)
    }

    fn options(&self) -> anyhow::Result<Options> {
        let settings = self.settings()?;
        let (target, role) = find(&self.access, &settings, self.read_only)?;
        Ok(Options {
            target,
            role,
            read_only: self.read_only || role == Role::Viewer,
            settings,
            welcome: None,
        })
    }

    fn screenshot(&self) -> anyhow::Result<ExitCode> {
        let name = self.screenshot.as_deref().unwrap_or_default();
        if name == "list" {
            let names = example::SCENES.iter().map(|(name, _)| format!("{name}\n"));
            say(&names.collect::<String>())?;
            return Ok(ExitCode::SUCCESS);
        }
        let size = picture::size(&self.size)?;
        let Access {
            hub,
            credentials,
            data,
            ..
        } = &self.access;
        let live = hub.is_some() || credentials.is_some() || data.is_some();
        let picture = match live {
            true => {
                let (options, name) = (self.options()?, name.to_owned());
                on_own_thread(move || picture::of_hub(options, name, size))??
            }
            false => picture::of_example(&self.settings()?, name, size)?,
        };
        picture::write(&picture, self.output.as_deref())?;
        Ok(ExitCode::SUCCESS)
    }

    fn doctor(&self, json: bool) -> anyhow::Result<ExitCode> {
        let mut checks = doctor::surroundings();
        checks.extend(self.settings_checks());
        if let Ok(options) = self.options() {
            checks.extend(on_own_thread(move || doctor::hub(options))?);
        }
        for check in &checks {
            match json {
                true => say(&format!("{}\n", serde_json::to_string(check)?))?,
                false => say(&format!("{}\n", check.line()))?,
            }
        }
        let failed = checks.iter().any(|c| c.verdict == Verdict::Fail);
        Ok(ExitCode::from(u8::from(failed)))
    }

    /// Which file the settings are read from, or where one would be.
    fn settings_file(&self) -> String {
        match (&self.config, own_settings()) {
            (Some(path), _) => format!("read from {}", path.display()),
            (None, Some(path)) if path.exists() => format!("read from {}", path.display()),
            (None, Some(path)) => format!("the usual ones; yours would be {}", path.display()),
            (None, None) => "the usual ones; --config FILE names yours".to_owned(),
        }
    }

    fn settings_checks(&self) -> Vec<Check> {
        let settings = self.settings();
        let found = match &settings {
            Ok(_) => Check::new("Z04", "settings", Verdict::Ok, self.settings_file(), ""),
            Err(why) => Check::new(
                "Z04",
                "settings",
                Verdict::Fail,
                why.to_string(),
                "mend the file",
            ),
        };
        let settings = settings.unwrap_or_default();
        let access = match find(&self.access, &settings, self.read_only) {
            Ok((target, role)) => Check::new(
                "Z05",
                "credentials",
                Verdict::Ok,
                format!("{target:?} as {role}"),
                "",
            ),
            Err(why) => {
                let (why, help) = AccessError::parts(&why);
                Check::new("Z05", "credentials", Verdict::Fail, why, &help)
            }
        };
        vec![found, access]
    }
}

/// Where the arbiter's own settings lie on this machine.
fn own_settings() -> Option<PathBuf> {
    let own = directories::ProjectDirs::from("", "", "zeitnot");
    own.map(|dirs| dirs.config_dir().join("tui.toml"))
}

/// A dashboard of the example, for pictures.
pub(crate) fn example_app(settings: &Settings) -> App {
    let mut app = example::app(settings);
    crate::surroundings::adapt(&mut app, settings);
    app
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_a_named_hub_is_never_that_of_the_example_hall() {
        let empty = tempfile::tempdir().expect("a place");
        let (data, file) = (empty.path().join("venue"), empty.path().join("x.txt"));
        let [data, output] = [&data, &file].map(|path| path.to_str().expect("plain"));
        let words = [
            "zeitnot",
            "--data",
            data,
            "--screenshot",
            "devices",
            "-o",
            output,
        ];
        let line = Line::try_parse_from(words).expect("understood");
        assert!(line.act().is_err(), "there is no hub in that folder");
        assert!(!file.exists());
    }

    #[test]
    fn a_complaint_has_its_help_on_a_line_of_its_own_and_wrong_usage_is_2() {
        let rows = [
            (
                "Z30 \"abc\" is no size · help: --size 120x40",
                "error: Z30 \"abc\" is no size\nhelp: --size 120x40",
                2,
            ),
            (
                "Z33 cannot write x · help: choose another folder",
                "error: Z33 cannot write x\nhelp: choose another folder",
                1,
            ),
            ("bare", "error: bare", 1),
        ];
        for (text, want, code) in rows {
            assert_eq!(complaint(text), (want.to_owned(), code));
        }
    }
}
