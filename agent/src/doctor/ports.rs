//! The ports that may be opened, and who answers on each.

use std::io;
use std::time::Duration;

use super::heard::{self, Heard};
use super::line::{self, Shared};
use super::{Check, State, check, findings, holder};
use crate::config::Config;
use crate::devices::{Driver, PortKind, driver};
use crate::ports::{self, AUTO, Access, PortInfo, PortPlace};

/// The longest a board takes to say who it is and is listened to.
const PATIENCE: Duration = Duration::from_secs(14);
/// The longest a line of boards takes.
const PATIENCE_WITH_A_LINE: Duration = Duration::from_secs(28);
/// Families that are looked for where the configured one does not answer; listening comes first.
const OTHERS: [&str; 4] = ["certabo", "dgtbus", "dgt", "millennium"];

/// Who answers on a port.
enum Answer {
    Nobody,
    Board(Heard),
    Line(Shared),
}

/// `running`: an agent works with the same state folder just now, and reads its ports alone.
pub(super) async fn look_at(config: &Config, running: bool) -> Vec<Check> {
    if config.ports.is_empty() && running {
        let text = "the running agent has its ports from its own command line or file";
        return vec![check(State::Ok, "A11", text, "")];
    }
    if config.ports.is_empty() {
        return vec![check(
            State::Warn,
            "A11",
            "no port may be opened",
            "`zeitnot-agent list` shows what is plugged in; give --port /dev/ttyACM0, or list ports in agent.toml",
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
    if ports::access(port, &config.ports, &config.deny) == Access::NoPermission {
        let text = format!("cannot open {}: permission denied", port.path);
        let help = "install 70-eboards.rules (zeitnot-agent doctor --install), then replug";
        return vec![check(State::Fail, "A12", text, help), skipped()];
    }
    let mut heard = 0;
    match ask(config, port, &mut heard).await {
        Ok(Answer::Nobody) => {
            let instead = another_family(config, port).await;
            let nobody = instead.unwrap_or_else(|| findings::nobody(heard));
            vec![opened(port), nobody]
        }
        Ok(Answer::Board(board)) => met(port, &board),
        Ok(Answer::Line(line)) => met_on_a_line(port, &line),
        Err(_) if running => {
            let text = format!("{} is being read by the running agent", port.path);
            let skipped = "the board speaks to the running agent; its alerts say if not";
            vec![
                check(State::Ok, "A12", text, ""),
                check(State::Skipped, "A20", skipped, ""),
            ]
        }
        Err(why) => vec![in_use(port, &why), skipped()],
    }
}

fn skipped() -> Check {
    let text = "board speaks: skipped, needs A12";
    check(State::Skipped, "A20", text, "")
}

fn opened(port: &PortInfo) -> Check {
    check(State::Ok, "A12", format!("{} can be opened", port.path), "")
}

fn met(port: &PortInfo, Heard { who, events }: &Heard) -> Vec<Check> {
    let serial = who.serial.as_deref().unwrap_or("unknown");
    let text = format!("found {}, serial {serial}, at {}", who.family, port.path);
    let mut checks = vec![
        check(State::Ok, "A10", text, ""),
        check(State::Ok, "A20", "the board speaks", ""),
    ];
    checks.extend(findings::findings(events));
    checks
}

fn met_on_a_line(port: &PortInfo, line: &Shared) -> Vec<Check> {
    let names: Vec<String> = line.boards.keys().map(ToString::to_string).collect();
    let (count, names) = (names.len(), names.join(", "));
    let text = format!("found {count} boards on the line at {}: {names}", port.path);
    let speaks = format!("they answer in turn, a round takes {} ms", line.round_ms);
    let mut checks = vec![
        check(State::Ok, "A10", text, ""),
        check(State::Ok, "A20", speaks, ""),
    ];
    checks.extend(findings::damage(line.damaged));
    for (board, events) in &line.boards {
        let of_board = findings::findings(events).into_iter().map(|found| Check {
            text: format!("{board}: {}", found.text),
            ..found
        });
        checks.extend(of_board);
    }
    checks
}

fn in_use(port: &PortInfo, why: &io::Error) -> Check {
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

/// Asks as an agent would, family by family.
async fn ask(config: &Config, port: &PortInfo, heard: &mut usize) -> io::Result<Answer> {
    let candidates = ports::candidates(port, config.family_of(port));
    let probing = candidates.len() > 1;
    for driver in candidates {
        let answer = ask_as(driver, probing, port, heard).await?;
        if !matches!(answer, Answer::Nobody) {
            return Ok(answer);
        }
    }
    Ok(Answer::Nobody)
}

async fn ask_as(
    driver: &dyn Driver,
    probing: bool,
    port: &PortInfo,
    heard: &mut usize,
) -> io::Result<Answer> {
    if driver.about().port == PortKind::Bus {
        let search = line::search(driver, port, heard);
        let line = tokio::time::timeout(PATIENCE_WITH_A_LINE, search).await;
        let wanted = if probing { 2 } else { 1 };
        let met = line.unwrap_or_else(|_| Ok(Shared::default()))?;
        return Ok(if met.boards.len() < wanted {
            Answer::Nobody
        } else {
            Answer::Line(met)
        });
    }
    let asked = heard::ask(driver, probing, port, heard);
    let asked = tokio::time::timeout(PATIENCE, asked).await;
    let board = asked.unwrap_or(Ok(None))?;
    Ok(board.map_or(Answer::Nobody, Answer::Board))
}

/// Somebody else than the configured family answers: the port, or the board, is in the wrong mode.
async fn another_family(config: &Config, port: &PortInfo) -> Option<Check> {
    let configured = config.family_of(port);
    if configured == AUTO || port.place != PortPlace::Terminal {
        return None;
    }
    let mut heard = 0;
    for family in OTHERS.into_iter().filter(|family| *family != configured) {
        let answer = ask_as(driver(family)?, true, port, &mut heard).await.ok()?;
        let who = match answer {
            Answer::Nobody => continue,
            Answer::Board(board) => format!("a board of the family {}", board.who.family),
            Answer::Line(line) => {
                format!("{} boards that share a line (dgtbus)", line.boards.len())
            }
        };
        return Some(findings::wrong_mode(configured, &who));
    }
    None
}
