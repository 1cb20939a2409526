//! Looks over an agent's surroundings before the round: configuration, disk, hub, ports, boards.

mod findings;
mod holder;

use std::time::{Duration, Instant};

use protocol::Boot;

use crate::config::{Config, Hub};
use crate::devices::{DeviceEvent, Driver, Identity, LineOptions};
use crate::link;
use crate::outbox::Outbox;
use crate::ports::{self, Access, PortInfo};
use crate::time::Clock;

/// The longest a board takes to say who it is and is listened to, and a hub to answer.
const PATIENCE: Duration = Duration::from_secs(14);

/// A board that is found is listened to for so long.
const LISTEN: Duration = Duration::from_secs(3);
/// More than this no board says meanwhile.
const EVENTS: usize = 10_000;

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
    checks.extend(look_at_ports(config, running).await);
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
        Ok(Ok(offset)) if offset.abs() > 60_000 => check(
            State::Warn,
            "A05",
            format!("clock offset to the hub {offset:+} ms"),
            "set this machine's clock",
        ),
        Ok(Ok(offset)) => check(
            State::Ok,
            "A05",
            format!("clock offset to the hub {offset:+} ms"),
            "",
        ),
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

/// `running`: an agent works with the same state folder just now, and reads its ports alone.
async fn look_at_ports(config: &Config, running: bool) -> Vec<Check> {
    if config.ports.is_empty() && running {
        let text = "the running agent has its ports from its own command line or file";
        return vec![check(State::Ok, "A11", text, "")];
    }
    if config.ports.is_empty() {
        return vec![check(
            State::Warn,
            "A11",
            "no port may be opened",
            "list ports in agent.toml or give --port SELECTOR",
        )];
    }
    let found = ports::matching(ports::scan(&config.ports), &config.ports, &config.deny);
    let state = if found.is_empty() {
        State::Fail
    } else {
        State::Warn
    };
    let cure = "is the board plugged in? `zeitnot-agent list`";
    let missing = ports::missing(&found, &config.ports);
    let mut checks: Vec<Check> = missing
        .into_iter()
        .map(|words| check(state, "A10", words, cure))
        .collect();
    for port in &found {
        checks.extend(look_at_port(config, port, running).await);
    }
    checks
}

async fn look_at_port(config: &Config, port: &PortInfo, running: bool) -> Vec<Check> {
    let skipped = check(
        State::Skipped,
        "A20",
        "board speaks: skipped, needs A12",
        "",
    );
    if ports::access(port, &config.ports, &config.deny) == Access::NoPermission {
        let text = format!("cannot open {}: permission denied", port.path);
        let help = "install 70-eboards.rules (zeitnot-agent doctor --install), then replug";
        return vec![check(State::Fail, "A12", text, help), skipped];
    }
    let mut heard = 0;
    let asked = tokio::time::timeout(PATIENCE, ask(config, port, &mut heard)).await;
    match asked {
        Err(_) | Ok(Ok(None)) => vec![opened(port), findings::nobody(heard)],
        Ok(Err(_)) if running => {
            let text = format!("{} is being read by the running agent", port.path);
            let skipped = "the board speaks to the running agent; its alerts say if not";
            vec![
                check(State::Ok, "A12", text, ""),
                check(State::Skipped, "A20", skipped, ""),
            ]
        }
        Ok(Err(why)) => vec![in_use(port, &why), skipped],
        Ok(Ok(Some(Met { who, events }))) => {
            let serial = who.serial.as_deref().unwrap_or("unknown");
            let text = format!("found {}, serial {serial}, at {}", who.family, port.path);
            let mut checks = vec![
                check(State::Ok, "A10", text, ""),
                check(State::Ok, "A20", "the board speaks", ""),
            ];
            checks.extend(findings::findings(&events));
            checks
        }
    }
}

fn opened(port: &PortInfo) -> Check {
    check(State::Ok, "A12", format!("{} can be opened", port.path), "")
}

fn in_use(port: &PortInfo, why: &std::io::Error) -> Check {
    let (text, help) = match holder::holder(&port.path) {
        Some(who) => (
            format!("{} is held by {who}", port.path),
            "end that program, or give it another port",
        ),
        None => (
            format!("cannot open {}: {why}", port.path),
            "is an agent or another program reading it already?",
        ),
    };
    check(State::Warn, "A12", text, help)
}

/// A board on a port, and what it said in the first seconds.
struct Met {
    who: Identity,
    events: Vec<DeviceEvent>,
}

/// Talks to a board as an agent would until it says who it is, family by family; counts the bytes that come.
async fn ask(config: &Config, port: &PortInfo, heard: &mut usize) -> std::io::Result<Option<Met>> {
    let candidates = ports::candidates(port, config.family_of(port));
    let probing = candidates.len() > 1;
    for driver in candidates {
        let met = ask_as(driver, probing, port, heard).await?;
        if met.is_some() {
            return Ok(met);
        }
    }
    Ok(None)
}

/// A board is listened to for some seconds after it said who it is.
async fn ask_as(
    driver: &dyn Driver,
    probing: bool,
    port: &PortInfo,
    heard: &mut usize,
) -> std::io::Result<Option<Met>> {
    let mut serial = ports::open(port, driver)?;
    let mut line = driver.open(LineOptions {
        probing,
        ..LineOptions::default()
    });
    let clock = Clock::start();
    let mut buffer = [0; 1024];
    line.opened(clock.now());
    let (mut who, mut events) = (None, Vec::new());
    let mut until = None;
    loop {
        while let Some(event) = line.next_event() {
            match event {
                DeviceEvent::NotThisFamily => return Ok(None),
                DeviceEvent::Identified(identity) => {
                    until = until.or(Some(Instant::now() + LISTEN));
                    who = Some(identity);
                }
                event if events.len() < EVENTS => events.push(event),
                _ => {}
            }
        }
        if let Some(who) = who.take_if(|_| until.is_some_and(|at| Instant::now() >= at)) {
            return Ok(Some(Met { who, events }));
        }
        while let Some(bytes) = line.next_write() {
            serial.write(&bytes).await?;
        }
        let Some(wake) = line.wake().or(until.map(|_| clock.now() + 100)) else {
            return Ok(None);
        };
        tokio::select! {
            read = serial.read(&mut buffer) => {
                let count = read?;
                *heard += count;
                line.receive(clock.now(), &buffer[..count]);
            }
            () = tokio::time::sleep(clock.until(wake).min(LISTEN / 10)) => line.tick(clock.now()),
        }
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
