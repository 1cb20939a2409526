//! `zeitnot doctor`: numbered checks before the round, each with a code and a cure.

use std::time::Duration;

use protocol::Role;
use serde::Serialize;
use tokio::sync::mpsc::channel;
use tokio::time::{Instant, timeout_at};

use crate::language::Language;
use crate::link;
use crate::message::{Heard, Link, Message};
use crate::run::{Clock, Options};
use crate::surroundings::{is_utf8, locale, no_colour};

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Well.
    Ok,
    /// Works, but not as it might.
    Warn,
    /// Does not work.
    Fail,
}

/// One check.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// A stable code.
    pub code: &'static str,
    /// What was looked at.
    pub what: &'static str,
    /// How it went.
    pub verdict: Verdict,
    /// What was found.
    pub found: String,
    /// What to do; empty when all is well.
    pub help: String,
}

impl Check {
    pub(crate) fn new(
        code: &'static str,
        what: &'static str,
        verdict: Verdict,
        found: impl Into<String>,
        help: &str,
    ) -> Check {
        let help = if verdict == Verdict::Ok { "" } else { help };
        Check {
            code,
            what,
            verdict,
            found: found.into(),
            help: help.to_owned(),
        }
    }

    /// The check as a line for people.
    pub fn line(&self) -> String {
        let verdict = match self.verdict {
            Verdict::Ok => "ok  ",
            Verdict::Warn => "warn",
            Verdict::Fail => "fail",
        };
        let help = match self.help.as_str() {
            "" => String::new(),
            help => format!(" · help: {help}"),
        };
        format!(
            "{verdict} {} {:12} {}{help}",
            self.code, self.what, self.found
        )
    }
}

/// Checks of the terminal and the locale.
pub fn surroundings() -> Vec<Check> {
    vec![terminal(), letters(), colours()]
}

fn terminal() -> Check {
    let size = crossterm::terminal::size();
    let (verdict, found) = match size {
        Ok((w, h)) if w >= 80 && h >= 24 => (Verdict::Ok, format!("{w}x{h}")),
        Ok((w, h)) => (Verdict::Warn, format!("{w}x{h}: one column")),
        Err(_) => (Verdict::Warn, "none; --plain works".to_owned()),
    };
    Check::new(
        "Z01",
        "terminal",
        verdict,
        found,
        "make the window 80x24 or larger",
    )
}

fn letters() -> Check {
    let locale = locale();
    let words = locale.clone().unwrap_or_else(|| "not set".to_owned());
    let help = "set LANG to a UTF-8 locale, or leave it: the ASCII set is used";
    let verdict = if is_utf8(locale.as_deref()) {
        Verdict::Ok
    } else {
        Verdict::Warn
    };
    Check::new("Z02", "locale", verdict, words, help)
}

fn colours() -> Check {
    let found = if no_colour() {
        "off (NO_COLOR or TERM)"
    } else {
        "on"
    };
    Check::new("Z03", "colour", Verdict::Ok, found, "")
}

/// Checks of the hub: reached, login accepted, heard, and whose clock differs.
pub async fn hub(options: Options) -> Vec<Check> {
    let clock = Clock::start();
    let (sender, mut inbox) = channel(4096);
    let client = "tui-doctor".parse().expect("a good name");
    let _hand = link::open(
        options.target.clone(),
        &client,
        &Language::default(),
        sender,
    );
    let until = Instant::now() + Duration::from_secs(4);
    let mut line = None;
    let mut beat = None;
    let mut tables = 0;
    while let Ok(Some(message)) = timeout_at(until, inbox.recv()).await {
        match message {
            Message::Link(link) => line = Some(link),
            Message::Heard(Heard::Presence {
                presence,
                live: true,
            }) => {
                beat = Some((presence, clock.now()));
            }
            Message::Heard(Heard::Table(_)) => tables += 1,
            _ => {}
        }
        if matches!(line, Some(Link::Down(_))) || (beat.is_some() && tables > 0) {
            break;
        }
    }
    let mut checks = vec![reached(&options, line.as_ref())];
    if line == Some(Link::Up) {
        let beat = beat.map(|(p, at)| (p.version, p.now.0 - at.0));
        checks.push(heard(beat.as_ref()));
        checks.push(role(options.role));
    }
    checks
}

fn reached(options: &Options, line: Option<&Link>) -> Check {
    let help =
        "is zeitnot-hub running there? are name and token those of `zeitnot-hub credentials add`?";
    let (verdict, found) = match line {
        Some(Link::Up) => (Verdict::Ok, format!("{:?}", options.target)),
        Some(Link::Down(why)) => (Verdict::Fail, why.clone()),
        _ => (
            Verdict::Fail,
            format!("{:?} does not answer", options.target),
        ),
    };
    Check::new("Z06", "hub", verdict, found, help)
}

fn heard(beat: Option<&(String, i64)>) -> Check {
    match beat {
        None => Check::new(
            "Z07",
            "beat",
            Verdict::Fail,
            "the broker answers, the hub does not",
            "is the venue's name right? is the hub itself running?",
        ),
        Some((version, offset)) => {
            let verdict = if offset.abs() < 2000 {
                Verdict::Ok
            } else {
                Verdict::Warn
            };
            let found = format!("hub {version}, its clock is {offset:+} ms from ours");
            let help =
                "the dashboard shows the hub's time; set this machine's clock if that confuses";
            Check::new("Z07", "beat", verdict, found, help)
        }
    }
}

fn role(role: Role) -> Check {
    let (verdict, found) = match role {
        Role::Arbiter | Role::Chief | Role::Technician => (Verdict::Ok, role.word()),
        Role::Viewer => (Verdict::Warn, "viewer: this dashboard only reads"),
        _ => (Verdict::Fail, role.word()),
    };
    let help = "ask for arbiter's credentials: zeitnot-hub credentials add NAME --role arbiter";
    Check::new("Z08", "role", verdict, found, help)
}
