//! A venue: one hub, some agents, many virtual tables, and somebody who watches.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agent::simulate::games::classics;
use agent::simulate::hands::{Accident, Control, Ending, Game, Tempo};
use agent::simulate::{Tables, TablesOptions};
use anyhow::{Context, bail, ensure};
use protocol::{Credentials, DeviceId, Role, TableId, Timestamp};

use crate::compare::{Comparison, compare};
use crate::mosquitto::Mosquitto;
use crate::names::player;
use crate::observer::{Observer, Seen, now};
use crate::parts::Part;
use crate::summary::{Latencies, Latency, Summary};

/// What kind of venue.
#[derive(Debug, Clone)]
pub struct VenueOptions {
    /// The executable that can be every part (see [`crate::part_main`]).
    pub executable: PathBuf,
    /// Folder for everything.
    pub dir: PathBuf,
    /// How many tables.
    pub tables: usize,
    /// How many agents share them.
    pub agents: usize,
    /// 0 careful players on sound boards … 3 faulty boards.
    pub noise: u8,
    /// Time between the starts of two agents, and so of their boards' games.
    pub agents_apart: Duration,
    /// All chance follows from it.
    pub seed: u64,
    /// How long the players think.
    pub tempo: Tempo,
    /// The games, dealt out in turn.
    pub games: Vec<Game>,
    /// Makes of the boards, dealt out in turn.
    pub families: Vec<String>,
    /// DGT boards that share one line in place of a port for each.
    pub one_line: bool,
    /// The time control; without one the clocks show 90 minutes and 30 seconds a move.
    pub control: Option<Control>,
    /// What the players do after the last move.
    pub ending: Ending,
    /// What goes wrong on purpose, and at which table, counted from 0.
    pub accidents: Vec<(usize, Accident)>,
    /// Address of the wall page's port, 0: any free one.
    pub http: u16,
    /// Mosquitto as the broker in place of the hub's own.
    pub mosquitto: bool,
    /// Further sections of the hub's configuration.
    pub sections: String,
}

impl VenueOptions {
    /// Four tables in `dir`, careful players, games of half a minute.
    pub fn new(executable: &Path, dir: &Path) -> VenueOptions {
        VenueOptions {
            executable: executable.to_owned(),
            dir: dir.to_owned(),
            tables: 4,
            agents: 1,
            noise: 0,
            agents_apart: Duration::ZERO,
            seed: 1,
            tempo: Tempo::Lasting(30_000),
            games: classics(),
            families: vec!["dgt".to_owned()],
            one_line: false,
            control: None,
            ending: Ending::Kings,
            accidents: Vec::new(),
            http: 0,
            mosquitto: false,
            sections: String::new(),
        }
    }
}

/// A running venue; everything ends when it is dropped.
pub struct Venue {
    options: VenueOptions,
    http: u16,
    hub: Part,
    agents: Vec<Part>,
    mosquitto: Option<Mosquitto>,
    /// The tables, for faults and for the truth.
    pub tables: Tables,
    /// What an onlooker with all rights has seen.
    pub observer: Observer,
    began: Timestamp,
}

/// A port of this machine that nobody listens on just now.
///
/// # Errors
/// What the system says when there is none.
pub fn free_port() -> std::io::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?
        .local_addr()?
        .port())
}

impl Venue {
    /// Starts everything and waits until the hub is there.
    ///
    /// # Errors
    /// When a part does not start; the message says where its log is.
    pub async fn start(options: VenueOptions) -> anyhow::Result<Venue> {
        let http = if options.http == 0 {
            free_port()?
        } else {
            options.http
        };
        let port = free_port()?;
        write_config(&options, http, &format!("listen = \"127.0.0.1:{port}\""))?;
        import_pairings(&options)?;
        let mut logins = Vec::new();
        if options.mosquitto {
            let hub = credentials(&options, "hub", Role::Hub)?;
            let url = format!("mqtt://hub:{}@127.0.0.1:{port}", hub.token);
            write_config(&options, http, &format!("external = \"{url}\""))?;
            logins.push(hub);
        }
        let watcher = credentials(&options, "watcher", Role::Hub)?;
        logins.push(watcher.clone());
        for agent in 0..options.agents {
            logins.push(credentials(&options, &agent_name(agent), Role::Agent)?);
        }
        let mosquitto = options
            .mosquitto
            .then(|| start_mosquitto(&options, port, &logins))
            .transpose()?;
        let hub = start_hub(&options)?;
        let observer = Observer::start(
            &watcher,
            "watcher",
            &["desk/#", "hall/#", "hub/presence", "device/+/facts"],
        );
        if !observer
            .wait(Duration::from_secs(30), |seen| {
                seen.hub.as_ref().is_some_and(|h| h.online)
            })
            .await
        {
            bail!(
                "the hub does not answer; see {}",
                options.dir.join("hub.log").display()
            );
        }
        let boards = boards(&options);
        let tables = if options.one_line {
            Tables::on_one_line(&boards)?
        } else {
            Tables::start(&boards)?
        };
        let mut venue = Venue {
            http,
            hub,
            agents: Vec::new(),
            mosquitto,
            tables,
            observer,
            began: now(),
            options,
        };
        for agent in 0..venue.options.agents {
            if agent > 0 {
                tokio::time::sleep(venue.options.agents_apart).await;
            }
            let part = venue.agent(agent)?;
            venue.agents.push(part);
        }
        Ok(venue)
    }

    /// When the venue was ready.
    pub fn began(&self) -> Timestamp {
        self.began
    }

    /// Address of the wall page.
    pub fn wall(&self) -> String {
        format!("http://127.0.0.1:{}", self.http)
    }

    /// What the chief arbiter's dashboard needs to reach this hub.
    ///
    /// # Errors
    /// When the hub has not written it.
    pub fn chief(&self) -> anyhow::Result<Credentials> {
        read_credentials(&data(&self.options).join("credentials/local-chief.toml"))
    }

    /// Credentials of a new name and role.
    ///
    /// # Errors
    /// When the hub does not make them.
    pub fn login(&self, name: &str, role: Role) -> anyhow::Result<Credentials> {
        credentials(&self.options, name, role)
    }

    /// The boards that the pairings name, in the order of the tables, as soon as so many tables have theirs.
    ///
    /// # Errors
    /// They did not have them within twenty seconds.
    pub async fn boards(&self, tables: usize) -> anyhow::Result<Vec<DeviceId>> {
        let boards = |seen: &Seen| -> Vec<DeviceId> {
            let tables = seen.tables.values();
            tables.filter_map(|table| table.device.clone()).collect()
        };
        let named = |seen: &Seen| seen.tables.len() == tables && boards(seen).len() == tables;
        let there = self.observer.wait(Duration::from_secs(20), named).await;
        ensure!(there, "{tables} tables do not have their boards");
        Ok(boards(&self.observer.seen()))
    }

    /// The games out of the hub's journal, in a form that `export` knows.
    ///
    /// # Errors
    /// When the hub does not export them.
    pub fn export(&self, format: &str) -> anyhow::Result<String> {
        hub_command(&self.options, &["export", "--format", format])
    }

    /// The hub's data folder.
    pub fn data(&self) -> PathBuf {
        data(&self.options)
    }

    /// `kill -9` of the hub.
    pub fn kill_hub(&mut self) {
        self.hub.kill();
    }

    /// Starts the hub again on the same data.
    ///
    /// # Errors
    /// What the system says.
    pub fn start_hub(&mut self) -> anyhow::Result<()> {
        self.hub = start_hub(&self.options)?;
        Ok(())
    }

    /// `kill -9` of an agent, counted from 0.
    pub fn kill_agent(&mut self, agent: usize) {
        self.agents[agent].kill();
    }

    /// Starts the agent again on the same state.
    ///
    /// # Errors
    /// What the system says.
    pub fn start_agent(&mut self, agent: usize) -> anyhow::Result<()> {
        self.agents[agent] = self.agent(agent)?;
        Ok(())
    }

    /// `kill -9` of the external broker, and a new one that remembers nothing.
    ///
    /// # Errors
    /// When the venue has none, or what the system says.
    pub fn restart_broker(&mut self) -> anyhow::Result<()> {
        let broker = self.mosquitto.as_mut();
        broker.context("the hub is the broker")?.restart()
    }

    /// Resident memory of the hub and of all agents together, KiB.
    pub fn memory_kib(&self) -> (u64, u64) {
        (
            self.hub.memory_kib().unwrap_or(0),
            self.agents.iter().filter_map(Part::memory_kib).sum(),
        )
    }

    /// Waits until every game is over and recorded, or until the time is up; says whether all records are the games.
    pub async fn finish(&self, limit: Duration) -> bool {
        let whole =
            |table: usize| self.tables.truth(table).finished && self.comparison(table).is_equal();
        let all = || (0..self.tables.len()).all(whole);
        let end = tokio::time::Instant::now() + limit;
        while !all() {
            if tokio::time::Instant::now() >= end {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        true
    }

    /// The hands stop after their next press, and what is still on its way arrives, `limit` at most; says whether all records are the games
    /// as far as they were played.
    pub async fn stop_hands(&mut self, limit: Duration) -> bool {
        let playing = |venue: &Venue, table| !venue.tables.truth(table).finished;
        for table in 0..self.tables.len() {
            if playing(self, table) {
                self.tables.hold(table);
            }
        }
        let rests = |table: usize| {
            let still = self.tables.is_held(table) || !playing(self, table);
            still && self.comparison(table).is_equal()
        };
        let end = tokio::time::Instant::now() + limit;
        while !(0..self.tables.len()).all(rests) {
            if tokio::time::Instant::now() >= end {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        true
    }

    /// The record of a table (counted from 0) against the truth.
    pub fn comparison(&self, table: usize) -> Comparison {
        let number = TableId(u16::try_from(table + 1).unwrap_or(u16::MAX));
        compare(
            &self.tables.truth(table),
            self.observer.seen().tables.get(&number),
        )
    }

    /// What it all came to.
    pub fn summary(&self) -> Summary {
        let each: Vec<Comparison> = (0..self.tables.len())
            .map(|table| self.comparison(table))
            .collect();
        let seen = self.observer.seen();
        let mut alerts = std::collections::BTreeMap::new();
        for alert in seen.alerts.values() {
            *alerts.entry(alert.code.clone()).or_insert(0) += 1;
        }
        let differences = each.iter().enumerate().filter(|(_, c)| !c.is_equal());
        Summary {
            tables: each.len(),
            plies_played: each.iter().map(|c| c.played).sum(),
            plies_recorded: each.iter().map(|c| c.recorded).sum(),
            plies_wrong: each.iter().map(|c| c.wrong).sum(),
            lost: each
                .iter()
                .map(|c| c.played.saturating_sub(c.recorded))
                .sum(),
            equal: each.iter().all(Comparison::is_equal),
            latency_ms: Latencies {
                made_to_hall: Latency::of(seen.made_to_hall.clone()),
                square_to_made: Latency::of(seen.square_to_made.clone()),
            },
            alerts,
            differences: differences.map(|(table, c)| difference(table, c)).collect(),
        }
    }

    fn agent(&self, agent: usize) -> anyhow::Result<Part> {
        let options = &self.options;
        let name = agent_name(agent);
        let login = options.dir.join(format!("{name}.toml"));
        let state = options.dir.join(&name);
        let config = options.dir.join(format!("{name}.families.toml"));
        std::fs::write(&config, families(options))?;
        let mut arguments = vec![
            "run".to_owned(),
            "--config".into(),
            text(&config),
            "--credentials".into(),
            text(&login),
            "--state".into(),
            text(&state),
        ];
        for device in ports(options, agent) {
            // The second form is the name after a cable was pulled and put back.
            arguments.extend([
                "--port".to_owned(),
                text(&device),
                "--port".into(),
                format!("{}-*", text(&device)),
            ]);
        }
        let log = options.dir.join(format!("{name}.log"));
        Part::start(&options.executable, "agent", &arguments, &log).context("starting an agent")
    }
}

/// The ports of an agent's boards.
fn ports(options: &VenueOptions, agent: usize) -> Vec<PathBuf> {
    let boards = options.dir.join("boards");
    if options.one_line {
        return vec![boards.join("line-1")];
    }
    let tables = (agent..options.tables).step_by(options.agents.max(1));
    tables
        .map(|table| boards.join(format!("table-{}", table + 1)))
        .collect()
}

fn agent_name(agent: usize) -> String {
    format!("agent-{}", agent + 1)
}

fn difference(table: usize, comparison: &Comparison) -> String {
    let first = comparison.first.as_deref().unwrap_or(
        "the rest had not arrived when the time was over (a busy machine may need a longer --for)",
    );
    format!(
        "table {}: {} of {} plies, {first}",
        table + 1,
        comparison.recorded,
        comparison.played
    )
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn data(options: &VenueOptions) -> PathBuf {
    options.dir.join("hub")
}

fn boards(options: &VenueOptions) -> TablesOptions {
    TablesOptions {
        noise: options.noise,
        seed: options.seed,
        tempo: options.tempo,
        games: options.games.clone(),
        families: options.families.clone(),
        control: options.control,
        ending: options.ending,
        accidents: options.accidents.clone(),
        agents: (0..options.agents).map(agent_name).collect(),
        ..TablesOptions::new(&options.dir.join("boards"), options.tables)
    }
}

/// Which family stands at which port, where it is another than usual.
fn families(options: &VenueOptions) -> String {
    let (boards, mut words) = (boards(options), "[families]\n".to_owned());
    if options.one_line {
        let line = text(&boards.dir.join("line-1"));
        return format!("{words}{line:?} = \"dgtbus\"\n");
    }
    for table in (0..options.tables).filter(|table| boards.make(*table) != "dgt") {
        let device = boards.dir.join(format!("table-{}", table + 1));
        words += &format!("{:?} = {:?}\n", text(&device), boards.family(table));
    }
    words
}

fn write_config(options: &VenueOptions, http: u16, broker: &str) -> anyhow::Result<()> {
    let control = options.control.unwrap_or(Control::CLASSICAL);
    let text = format!(
        "venue = \"demo\"\n[broker]\n{broker}\n[[http]]\nlisten = \"127.0.0.1:{http}\"\n\
         [play]\nevent = \"Demonstration\"\nsite = \"Simulated hall\"\ntime_control = \"{}+{}\"\n{}",
        control.base / 1000,
        control.increment / 1000,
        options.sections
    );
    std::fs::create_dir_all(&options.dir)?;
    Ok(std::fs::write(options.dir.join("config.toml"), text)?)
}

fn hub_arguments(options: &VenueOptions, words: &[&str]) -> Vec<String> {
    let place = [
        "--config".to_owned(),
        text(&options.dir.join("config.toml")),
        "--data".into(),
        text(&data(options)),
    ];
    words.iter().map(|w| (*w).to_owned()).chain(place).collect()
}

fn start_hub(options: &VenueOptions) -> anyhow::Result<Part> {
    let log = options.dir.join("hub.log");
    Part::start(
        &options.executable,
        "hub",
        &hub_arguments(options, &["run"]),
        &log,
    )
    .context("starting the hub")
}

fn hub_command(options: &VenueOptions, words: &[&str]) -> anyhow::Result<String> {
    let (well, said) = Part::run(&options.executable, "hub", &hub_arguments(options, words))?;
    ensure!(well, "zeitnot-hub {}: {said}", words.join(" "));
    Ok(said)
}

fn start_mosquitto(
    options: &VenueOptions,
    port: u16,
    logins: &[Credentials],
) -> anyhow::Result<Mosquitto> {
    let acl = hub_command(options, &["credentials", "acl"])?;
    Mosquitto::start(&options.dir, port, logins, &acl)
}

fn import_pairings(options: &VenueOptions) -> anyhow::Result<()> {
    let games = boards(options);
    let mut csv = "table,white,black,device\n".to_owned();
    for table in 0..options.tables {
        let (white, black) = (player(2 * table), player(2 * table + 1));
        let device = games.device(table);
        csv += &format!("{},\"{white}\",\"{black}\",{device}\n", table + 1);
    }
    let file = options.dir.join("pairings.csv");
    std::fs::write(&file, csv)?;
    hub_command(options, &["import", &text(&file)])?;
    Ok(())
}

fn credentials(options: &VenueOptions, name: &str, role: Role) -> anyhow::Result<Credentials> {
    let file = options.dir.join(format!("{name}.toml"));
    hub_command(
        options,
        &[
            "credentials",
            "add",
            name,
            "--role",
            role.word(),
            "-o",
            &text(&file),
        ],
    )?;
    read_credentials(&file)
}

fn read_credentials(file: &Path) -> anyhow::Result<Credentials> {
    let written = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    toml::from_str(&written).with_context(|| format!("{}", file.display()))
}
