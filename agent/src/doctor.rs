//! Looks over an agent's surroundings before the round: configuration, disk, hub, ports, boards.

mod findings;
mod heard;
mod holder;
mod line;
mod ports;

use std::time::{Duration, Instant};

use protocol::Boot;

use crate::config::{Config, Hub};
use crate::link;
use crate::outbox::Outbox;

/// The longest a hub takes to answer.
const PATIENCE: Duration = Duration::from_secs(14);

/// Milliseconds. Facts are dated with the offset taken off; a clock that is further away was never set.
const FAR_OFF: u64 = 60_000;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Ok,
    /// It will work, but somebody should know.
    Warn,
    /// It will not work.
    Fail,
    /// Something before it failed.
    Skipped,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// How it ended.
    pub state: State,
    /// Its stable code.
    pub code: &'static str,
    /// What was found.
    pub text: String,
    /// What to do; empty when nothing.
    pub help: &'static str,
}

impl State {
    /// The word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Fail => "fail",
            State::Skipped => "-",
        }
    }
}

fn check(state: State, code: &'static str, text: impl Into<String>, help: &'static str) -> Check {
    Check {
        state,
        code,
        text: text.into(),
        help,
    }
}

/// All checks in their order.
pub async fn examine(config: &Config) -> Vec<Check> {
    let mut checks = vec![check(
        State::Ok,
        "A01",
        "the configuration is understood",
        "",
    )];
    let state = look_at_state(config);
    let running = state.code == "A32";
    checks.push(state);
    checks.extend(look_at_hubs(config).await);
    checks.extend(ports::look_at(config, running).await);
    checks
}

fn look_at_state(config: &Config) -> Check {
    let boot: Boot = "doctor".parse().expect("a good name");
    match Outbox::open(config.state.clone(), boot, config.outbox_bytes) {
        Ok((outbox, thread)) => {
            let waiting: u64 = outbox
                .devices()
                .iter()
                .map(|(_, backlog)| backlog.waiting)
                .sum();
            outbox.stop();
            thread.join();
            let text = format!(
                "facts are kept in {}; {waiting} wait for the hub",
                config.state.display()
            );
            check(State::Ok, "A31", text, "")
        }
        Err(crate::outbox::OutboxError::InUse(folder)) => check(
            State::Ok,
            "A32",
            format!("an agent is running and uses {}", folder.display()),
            "",
        ),
        Err(error) => check(
            State::Fail,
            "A31",
            plain(&error.to_string()),
            "give the agent a state folder that it may write (`state`)",
        ),
    }
}

async fn look_at_hubs(config: &Config) -> Vec<Check> {
    let hubs = match config.brokers() {
        Ok(hubs) => hubs,
        Err(error) => {
            return vec![check(
                State::Fail,
                "A07",
                plain(&error.to_string()),
                "give good credentials of the hub",
            )];
        }
    };
    if hubs.is_empty() {
        return vec![check(
            State::Warn,
            "A09",
            "no hub is known; facts would be kept and wait",
            "give --credentials FILE or --data DIR",
        )];
    }
    let mut checks = Vec::new();
    for hub in &hubs {
        checks.extend(look_at_hub(hub).await);
    }
    checks
}

async fn look_at_hub(hub: &Hub) -> Vec<Check> {
    let place = format!("{}:{}", hub.host, hub.port);
    let asked = Instant::now();
    let connected = tokio::time::timeout(
        PATIENCE / 2,
        tokio::net::TcpStream::connect((hub.host.as_str(), hub.port)),
    )
    .await;
    let why = match connected {
        Ok(Ok(_)) => None,
        Ok(Err(why)) => Some(why.to_string()),
        Err(_) => Some("no answer".to_owned()),
    };
    if let Some(why) = why {
        return vec![
            check(
                State::Fail,
                "A03",
                format!("broker {place} does not answer: {why}"),
                "is the hub running, and is this its address?",
            ),
            check(
                State::Skipped,
                "A05",
                "clock offset to the hub: skipped, needs A03",
                "",
            ),
        ];
    }
    let text = format!(
        "broker {place} answers in {} ms",
        asked.elapsed().as_millis()
    );
    let offset = match tokio::time::timeout(PATIENCE, link::measure_offset(hub)).await {
        Ok(Ok(offset)) => differs(offset),
        Ok(Err(why)) => check(
            State::Fail,
            "A41",
            format!("the broker does not let us in: {why}"),
            link::REFUSED,
        ),
        Err(_) => check(
            State::Fail,
            "A05",
            "the hub does not say what time it is",
            "is the hub itself running behind its broker?",
        ),
    };
    vec![check(State::Ok, "A03", text, ""), offset]
}

/// How far this machine's clock is from the hub's, milliseconds.
fn differs(offset: i64) -> Check {
    let text = format!("clock offset to the hub {offset:+} ms");
    if offset.unsigned_abs() > FAR_OFF {
        check(State::Warn, "A05", text, "set this machine's clock")
    } else {
        check(State::Ok, "A05", text, "")
    }
}

fn plain(error: &str) -> String {
    let what = error.split(" · help: ").next().unwrap_or(error);
    what.split_once(' ')
        .map_or(
            what,
            |(code, rest)| if code.starts_with('A') { rest } else { what },
        )
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_never_set_is_told_with_a_cure() {
        let rows = [
            (0, State::Ok),
            (-59_999, State::Ok),
            (60_001, State::Warn),
            (-3_600_000, State::Warn),
            (i64::MIN, State::Warn),
        ];
        for (offset, state) in rows {
            let told = differs(offset);
            assert_eq!((told.code, told.state), ("A05", state), "{offset}");
            assert_eq!(told.help.is_empty(), state == State::Ok, "{offset}");
        }
    }
}
