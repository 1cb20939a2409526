//! Whole agents on virtual boards, over pseudo-terminals and in real time, with a test in the place of the hub.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent::config::Config;
use agent::outbox::Outgoing;
use agent::scoresheet::Scoresheet;
use agent::simulate::hands::{Ending, Tempo};
use agent::simulate::{Tables, TablesOptions};
use agent::{Agent, start};
use protocol::{Ack, DeviceId, Envelope, Fact};

/// The longest any of these may take; far more than they need.
const LIMIT: Duration = Duration::from_secs(240);

/// Reads what an agent would publish and acknowledges it, as a hub does.
#[derive(Default)]
struct Sink {
    envelopes: Vec<(DeviceId, Envelope)>,
}

impl Sink {
    async fn drain(&mut self, agent: &Agent) {
        for Outgoing {
            device, payload, ..
        } in agent.outbox.next(64).await
        {
            let envelope: Envelope = protocol::decode(&payload).expect("own words");
            let ack = Ack {
                agent: envelope.agent.clone(),
                boot: envelope.boot.clone(),
                seq: envelope.seq,
            };
            agent.outbox.ack(&device, ack);
            let again = self
                .envelopes
                .iter()
                .any(|(id, known)| *id == device && known.id(id) == envelope.id(id));
            if !again {
                self.envelopes.push((device, envelope));
            }
        }
    }

    fn facts<'a>(&'a self, device: &'a DeviceId) -> impl Iterator<Item = &'a Fact> {
        let own = self.envelopes.iter().filter(move |(id, _)| id == device);
        own.map(|(_, envelope)| &envelope.fact)
    }

    fn moves(&self, device: &DeviceId) -> Vec<String> {
        let mut sheet = Scoresheet::default();
        self.facts(device).for_each(|fact| sheet.take(fact));
        sheet.moves()
    }

    /// The record is the game; what nobody saw may stand in another order where it is said to be in doubt, with the truth among the choices.
    fn holds(&self, device: &DeviceId, truth: &[String]) -> bool {
        let doubts: BTreeMap<_, _> = self
            .facts(device)
            .filter_map(|fact| match fact {
                Fact::Ambiguous(doubt) => Some((doubt.ply as usize, &doubt.choices)),
                _ => None,
            })
            .collect();
        let offered = |at: usize| {
            doubts.iter().any(|(ply, choices)| {
                choices.iter().any(|line| {
                    let there = ply - 1..ply - 1 + line.len();
                    there.contains(&at) && truth.get(there) == Some(&line[..])
                })
            })
        };
        let moves = self.moves(device);
        let right = |at: usize| moves[at] == truth[at] || offered(at);
        moves.len() == truth.len() && (0..moves.len()).all(right)
    }

    /// Drains until something is so.
    async fn until(&mut self, agent: &Agent, what: &str, mut so: impl FnMut(&Sink) -> bool) {
        let wait = async {
            while !so(self) {
                self.drain(agent).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let done = tokio::time::timeout(LIMIT, wait).await;
        let last = self
            .envelopes
            .iter()
            .rev()
            .take(60)
            .map(|(id, e)| format!("{id} {} {:?}\n", e.at.0, e.fact));
        assert!(
            done.is_ok(),
            "waited in vain until {what}; the last facts were\n{}",
            last.collect::<String>()
        );
    }
}

fn config(dir: &Path) -> Config {
    Config {
        state: dir.join("state"),
        name: Some("agent".parse().expect("good")),
        ports: vec![format!("{}/boards/*", dir.display()).parse().expect("good")],
        ..Config::default()
    }
}

fn options(dir: &Path, tables: usize) -> TablesOptions {
    let mut options = TablesOptions::new(&dir.join("boards"), tables);
    options.tempo = Tempo::Lasting(15_000);
    options.ending = Ending::Nothing;
    options.lead = 3_000;
    options.games.sort_by_key(|game| game.moves.len());
    options
}

fn played(tables: &Tables, table: usize) -> Vec<String> {
    tables
        .truth(table)
        .plies
        .into_iter()
        .map(|ply| ply.uci)
        .collect()
}

/// Every table's record is the game played there.
async fn until_equal(sink: &mut Sink, agent: &Agent, tables: &Tables) {
    sink.until(agent, "all games are over", |_| tables.finished())
        .await;
    for table in 0..tables.len() {
        let device = tables.device(table).clone();
        let truth = played(tables, table);
        sink.until(
            agent,
            &format!("table {table} is recorded: {truth:?}"),
            |sink| sink.holds(&device, &truth),
        )
        .await;
    }
}

fn in_a_runtime(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(test);
}

#[test]
fn four_games_one_of_them_on_a_turned_board_are_recorded_as_played() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let tables = Tables::start(&options(dir.path(), 4)).expect("boards");
        let agent = start(config(dir.path())).await.expect("an agent");
        let mut sink = Sink::default();
        until_equal(&mut sink, &agent, &tables).await;
        for table in 0..tables.len() {
            let device = tables.device(table);
            let pressed = sink.facts(device).filter(|fact| {
                matches!(
                    fact,
                    Fact::Completed {
                        pressed: true,
                        clock: Some(_),
                        ..
                    }
                )
            });
            assert!(pressed.count() > 10, "presses carry the clock");
            let numbers: Vec<u64> = sink
                .envelopes
                .iter()
                .filter(|(id, _)| id == device)
                .map(|(_, e)| e.seq)
                .collect();
            assert_eq!(
                numbers,
                (1..=numbers.len() as u64).collect::<Vec<_>>(),
                "no gap, nothing twice"
            );
        }
        agent.stop().await;
    });
}

#[test]
fn cable_pulled_board_under_another_name_and_power_lost_need_no_hand() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let mut options = options(dir.path(), 2);
        options.tempo = Tempo::Lasting(40_000);
        let mut tables = Tables::start(&options).expect("boards");
        let agent = start(config(dir.path())).await.expect("an agent");
        let mut sink = Sink::default();
        sink.until(&agent, "some moves are played", |_| {
            (0..2).all(|t| played(&tables, t).len() >= 4)
        })
        .await;
        tables.unplug(0);
        tables.power(1, false);
        let silent = |state: &'static str| move |fact: &Fact| matches!(fact, Fact::Health(health) if health.state == state);
        let devices = [tables.device(0).clone(), tables.device(1).clone()];
        sink.until(&agent, "the pulled cable is told", |sink| {
            sink.facts(&devices[0]).any(silent("unplugged"))
        })
        .await;
        tables.replug(0, "another-name");
        tokio::time::sleep(Duration::from_millis(1500)).await;
        tables.power(1, true);
        until_equal(&mut sink, &agent, &tables).await;
        let back = sink
            .facts(&devices[0])
            .filter(|fact| matches!(fact, Fact::Health(health) if health.board));
        assert!(
            back.count() >= 2,
            "the board was found again under its new name"
        );
        agent.stop().await;
    });
}

#[test]
fn an_agent_that_dies_in_mid_game_is_followed_by_one_that_goes_on() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let mut options = options(dir.path(), 2);
        options.tempo = Tempo::Lasting(40_000);
        let tables = Tables::start(&options).expect("boards");
        let mut sink = Sink::default();
        let first = start(config(dir.path())).await.expect("an agent");
        sink.until(&first, "some moves are recorded", |sink| {
            (0..2).all(|t| sink.moves(tables.device(t)).len() >= 5)
        })
        .await;
        first.stop().await;
        let second = start(config(dir.path())).await.expect("an agent");
        until_equal(&mut sink, &second, &tables).await;
        second.stop().await;
    });
}

/// Milliseconds from the start of an agent to the first whole board it tells of.
async fn reads_after(config: Config, sink: &mut Sink, device: &DeviceId) -> u128 {
    let began = tokio::time::Instant::now();
    let agent = start(config).await.expect("an agent");
    let before = sink.facts(device).count();
    let read = |sink: &Sink| {
        sink.facts(device)
            .skip(before)
            .any(|fact| matches!(fact, Fact::Health(health) if health.board))
    };
    sink.until(&agent, "the board is read", read).await;
    let took = began.elapsed().as_millis();
    agent.stop().await;
    took
}

#[test]
fn an_agent_that_starts_again_asks_first_who_answered_last() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let mut options = options(dir.path(), 1);
        options.lead = 60_000;
        let tables = Tables::start(&options).expect("boards");
        let device = tables.device(0).clone();
        let mut sink = Sink::default();
        let first = reads_after(config(dir.path()), &mut sink, &device).await;
        let second = reads_after(config(dir.path()), &mut sink, &device).await;
        assert!(second < first, "{second} ms, at first {first} ms");
        let kept = std::fs::read_to_string(dir.path().join("state/ports.json")).expect("kept");
        assert!(kept.contains("\"dgt\""), "{kept}");
    });
}

#[test]
fn a_port_that_is_not_listed_is_never_opened() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let tables = Tables::start(&options(dir.path(), 1)).expect("boards");
        let denied = Config {
            deny: vec![
                format!("{}/boards/table-1", dir.path().display())
                    .parse()
                    .expect("good"),
            ],
            ..config(dir.path())
        };
        let agent = start(denied).await.expect("an agent");
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert!(agent.exchange.ids().is_empty());
        assert!(
            !tables.truth(0).finished && tables.truth(0).plies.is_empty(),
            "nobody spoke to the board"
        );
        agent.stop().await;
    });
}

#[test]
fn two_agents_do_not_share_a_state_folder() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let first = start(config(dir.path())).await.expect("an agent");
        let second = start(config(dir.path())).await.map(|_| PathBuf::new());
        assert!(second.is_err_and(|error| error.to_string().contains("A32")));
        first.stop().await;
    });
}

#[test]
fn boards_of_four_makes_are_found_by_themselves_and_recorded_as_played() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let mut options = options(dir.path(), 4);
        options.families = ["certabo", "dgt", "millennium", "sentio"]
            .map(str::to_owned)
            .to_vec();
        options.tempo = Tempo::Lasting(60_000);
        options.noise = 0;
        options.lead = 9_000;
        options.rotated_every = 0;
        let tables = Tables::start(&options).expect("boards");
        let agent = start(config(dir.path())).await.expect("an agent");
        let mut sink = Sink::default();
        until_equal(&mut sink, &agent, &tables).await;
        agent.stop().await;
        let tape = dir.path().join("state/traffic");
        let kept = std::fs::read_dir(tape)
            .expect("the last minute is kept")
            .count();
        assert_eq!(kept, 4);
    });
}

#[test]
fn six_boards_on_one_line_are_recorded_as_played() {
    in_a_runtime(async {
        let dir = tempfile::tempdir().expect("a place");
        let mut options = options(dir.path(), 6);
        options.tempo = Tempo::Lasting(40_000);
        options.lead = 14_000;
        let mut tables = Tables::on_one_line(&options).expect("a line");
        let config = Config {
            family: "dgtbus".to_owned(),
            ..config(dir.path())
        };
        let agent = start(config).await.expect("an agent");
        let mut sink = Sink::default();
        sink.until(&agent, "some moves are played", |_| {
            played(&tables, 0).len() >= 3
        })
        .await;
        tables.power(1, false);
        tokio::time::sleep(Duration::from_millis(1500)).await;
        tables.power(1, true);
        until_equal(&mut sink, &agent, &tables).await;
        agent.stop().await;
    });
}
