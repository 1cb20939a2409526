//! A whole hub in this process: facts in, acknowledgements and boards out, whatever happens in between.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use hub::config::{Config, FeedsConfig};
use hub::rounds::{RoundSetup, TableSetup};
use hub::run::{Hub, put_round, start};
use protocol::{
    Ack, AgentPresence, Answer, BySide, DeskRound, DeviceId, DeviceInfo, Envelope, Fact,
    GameResult, HallBoard, Health, HubPresence, Order, OrderBody, Played, ResultHow, Side, TableId,
    Timestamp, decode, encode,
};
use rumqttc::v5::mqttbytes::v5::Publish;
use serde::de::DeserializeOwned;

use crate::client::{Client, Way};
use crate::ground::{self, Ground, of_hub};

const AGENT: &str = "local-agent";
const MOVES: [&str; 6] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];

pub(crate) fn local(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

pub(crate) fn config(data: &Path) -> Config {
    let mut config = Config {
        venue: "lyon".parse().expect("id"),
        data: Some(data.to_owned()),
        ..Config::default()
    };
    config.broker.listen = local(0);
    config.http[0].listen = local(0);
    config
}

pub(crate) async fn hub(data: &Path) -> (Hub, Ground) {
    let hub = start(config(data)).await.expect("starts");
    let ground = of_hub(&hub);
    (hub, ground)
}

fn board() -> DeviceId {
    DeviceId::of("dgt", "01025")
}

pub(crate) fn envelope(seq: u64, fact: Fact) -> Vec<u8> {
    encode(&Envelope {
        agent: AGENT.parse().expect("id"),
        boot: "b1".parse().expect("id"),
        seq,
        at: Timestamp(1_800_000_000_000),
        offset: Some(0),
        fact,
    })
}

fn made(ply: u32) -> Fact {
    Fact::Made {
        ply,
        played: Played::Legal(MOVES[ply as usize - 1].to_owned()),
        by: if ply % 2 == 1 {
            Side::White
        } else {
            Side::Black
        },
        certainty: 1.0,
        squares: Vec::new(),
        after_ms: 0,
    }
}

/// Facts of the first moves: made and completed, numbered from 1.
fn fact(seq: u64) -> Fact {
    let ply = u32::try_from(seq.div_ceil(2)).expect("small");
    if seq % 2 == 1 {
        return made(ply);
    }
    Fact::Completed {
        ply,
        pressed: true,
        clock: None,
    }
}

pub(crate) fn read<T: DeserializeOwned>(publish: &Publish) -> T {
    decode(&publish.payload).expect("our own words")
}

/// An announced agent whose first facts are in the journal.
pub(crate) async fn agent_at_work(ground: &Ground, facts: u64) -> Client {
    let mut board = agent(ground).await;
    for seq in 1..=facts {
        board
            .say("device/dgt-01025/facts", false, envelope(seq, fact(seq)))
            .await;
    }
    acknowledged(&mut board, facts).await;
    board
}

/// An agent that has announced itself and its board.
pub(crate) async fn agent(ground: &Ground) -> Client {
    let mut agent = Client::connect(ground, Way::of(AGENT)).await;
    assert!(agent.subscribe("device/dgt-01025/ack").await);
    let presence = AgentPresence {
        agent: AGENT.parse().expect("id"),
        boot: "b1".parse().expect("id"),
        online: true,
        version: String::new(),
        host: String::new(),
        devices: vec![board()],
    };
    agent
        .say(&format!("agent/{AGENT}/presence"), true, encode(&presence))
        .await;
    let info = DeviceInfo {
        device: board(),
        agent: AGENT.parse().expect("id"),
        boot: "b1".parse().expect("id"),
        family: "dgt".to_owned(),
        serial: "01025".to_owned(),
        long_serial: None,
        firmware: None,
        clock: None,
        port: String::new(),
        lamps: false,
        health: Health {
            board: true,
            clock: true,
            state: "ok".to_owned(),
            ..Health::default()
        },
    };
    agent
        .say("device/dgt-01025/info", true, encode(&info))
        .await;
    agent.acks(2).await;
    agent
}

/// Waits for the acknowledgement of a number.
pub(crate) async fn acknowledged(agent: &mut Client, seq: u64) {
    loop {
        let ack: Ack = read(&agent.hear(1).await[0]);
        assert!(ack.seq <= seq, "nothing is acknowledged that was not sent");
        if ack.seq == seq {
            return;
        }
    }
}

/// Waits until the hub listens at this broker: it says so after it has subscribed, and a fact sent before would only be heard when
/// an agent sends it again.
async fn is_there(ground: &Ground) {
    let mut onlooker = Client::connect(ground, Way::of("viewer")).await;
    assert!(onlooker.subscribe("hub/presence").await);
    loop {
        let presence: HubPresence = read(&onlooker.hear(1).await[0]);
        if presence.online {
            return;
        }
    }
}

/// Waits until the hall shows so many half-moves on table 1.
async fn shown(sign: &mut Client, plies: usize) -> HallBoard {
    loop {
        let publish = sign.hear(1).await.remove(0);
        if publish.topic.ends_with(b"hall/board/1") && !publish.payload.is_empty() {
            let board: HallBoard = read(&publish);
            if board.moves.len() == plies {
                return board;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_survives_a_crash_and_a_stop_of_the_hub() {
    let data = tempfile::tempdir().expect("folder");
    let (first, ground) = hub(data.path()).await;
    let one = agent_at_work(&ground, 4).await;
    let mut sign = Client::connect(&ground, Way::of("local-display")).await;
    assert!(sign.subscribe("hall/#").await);
    shown(&mut sign, 2).await;
    drop(first);
    one.cut().await;

    let (second, ground) = hub(data.path()).await;
    let mut sign = Client::connect(&ground, Way::of("local-display")).await;
    assert!(sign.subscribe("hall/#").await);
    let board = shown(&mut sign, 2).await;
    assert_eq!(board.moves[1].san, "e5", "there before any agent came back");
    let mut two = agent(&ground).await;
    for seq in 3..=8 {
        two.say("device/dgt-01025/facts", false, envelope(seq, fact(seq)))
            .await;
    }
    acknowledged(&mut two, 8).await;
    shown(&mut sign, 4).await;
    second.stop().await;

    let (third, ground) = hub(data.path()).await;
    assert_eq!(
        third.said,
        [] as [String; 0],
        "a clean stop leaves nothing to repair"
    );
    let mut sign = Client::connect(&ground, Way::of("local-display")).await;
    assert!(sign.subscribe("hall/#").await);
    let board = shown(&mut sign, 4).await;
    let line: Vec<&str> = board.moves.iter().map(|m| m.uci.as_str()).collect();
    assert_eq!(line, MOVES[..4]);
    third.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pairings_are_taken_by_a_running_hub() {
    let data = tempfile::tempdir().expect("folder");
    let (hub, ground) = hub(data.path()).await;
    let mut viewer = Client::connect(&ground, Way::of("local-viewer")).await;
    assert!(viewer.subscribe("desk/round").await);
    let round = RoundSetup {
        event: "Lyon Open".to_owned(),
        round: 5,
        tables: vec![TableSetup::new(TableId(3), "Okafor, T", "Kuznetsova, A")],
        ..RoundSetup::default()
    };
    put_round(data.path(), &round, None).expect("written");
    loop {
        let desk: DeskRound = read(&viewer.hear(1).await[0]);
        if desk.round == 5 {
            assert_eq!(desk.tables[0].players.white.name, "Okafor, T");
            break;
        }
    }
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_knows_whether_the_hub_is_there() {
    let data = tempfile::tempdir().expect("folder");
    let (hub, ground) = hub(data.path()).await;
    let mut sign = Client::connect(&ground, Way::of("local-display")).await;
    assert!(sign.subscribe("hub/presence").await);
    let presence: HubPresence = read(&sign.hear(1).await[0]);
    assert!(presence.online);
    let stopping = tokio::spawn(hub.stop());
    loop {
        let presence: HubPresence = read(&sign.hear(1).await[0]);
        if !presence.online {
            break;
        }
    }
    stopping.await.expect("stops");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_answered_even_when_it_cannot_be_read() {
    let data = tempfile::tempdir().expect("folder");
    let (hub, ground) = hub(data.path()).await;
    let mut arbiter = Client::connect(&ground, Way::of("local-arbiter")).await;
    assert!(arbiter.subscribe("desk/answer/c1").await);
    let rows = [
        (
            r#"{"v":1,"client":"c1","id":1,"by":"MK","order":"fly"}"#,
            "H38",
        ),
        (
            r#"{"v":9,"client":"c1","id":2,"by":"MK","order":"note","table":1}"#,
            "H38",
        ),
    ];
    for (order, want) in rows {
        arbiter.say("desk/order", false, order).await;
        let answer: Answer = read(&arbiter.hear(1).await[0]);
        assert!(
            matches!(answer, Answer::Refused { code, .. } if code == want),
            "{order}"
        );
    }
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_data_folder_or_a_port_in_use_is_a_clear_error() {
    let data = tempfile::tempdir().expect("folder");
    let (hub, _) = hub(data.path()).await;
    let same_data = start(config(data.path()))
        .await
        .err()
        .expect("refused")
        .to_string();
    assert!(
        same_data.starts_with("H11") && same_data.contains("help:"),
        "{same_data}"
    );
    let elsewhere = tempfile::tempdir().expect("folder");
    let mut same_port = config(elsewhere.path());
    same_port.broker.listen = hub.addresses.mqtt.expect("embedded");
    let same_port = start(same_port).await.err().expect("refused").to_string();
    assert!(
        same_port.starts_with("H40") && same_port.contains("help:"),
        "{same_port}"
    );
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_with_an_external_broker_and_a_new_hub() {
    let Some(ground) = ground::mosquitto().await else {
        println!("skipped: mosquitto is not installed (Debian: apt install mosquitto)");
        return;
    };
    let data = tempfile::tempdir().expect("folder");
    let mut config = config(data.path());
    let (port, token) = (ground.address.port(), &ground.tokens["hub"]);
    config.broker.external = Some(format!("mqtt://hub:{token}@127.0.0.1:{port}"));
    config.feeds = FeedsConfig {
        enabled: false,
        ..FeedsConfig::default()
    };
    let stale = Client::connect(
        &ground,
        Way {
            id: "earlier".to_owned(),
            ..Way::of("hub")
        },
    )
    .await;
    stale
        .say("desk/alert/9-old-1", true, "from an earlier life")
        .await;
    let hub = start(config.clone()).await.expect("starts");
    is_there(&ground).await;
    let mut agent = agent_called("a1", &ground).await;
    for seq in 1..=4 {
        agent
            .say("device/dgt-01025/facts", false, named("a1", seq))
            .await;
    }
    acknowledged(&mut agent, 4).await;
    let mut sign = Client::connect(&ground, Way::of("sign")).await;
    assert!(sign.subscribe("hall/#").await);
    shown(&mut sign, 2).await;
    drop(hub);
    tokio::time::sleep(Duration::from_millis(200)).await;
    for seq in 5..=8 {
        agent
            .say("device/dgt-01025/facts", false, named("a1", seq))
            .await;
    }
    let hub = start(config).await.expect("starts again");
    acknowledged(&mut agent, 8).await;
    shown(&mut sign, 4).await;
    let mut viewer = Client::connect(&ground, Way::of("viewer")).await;
    assert!(viewer.subscribe("desk/alert/9-old-1").await);
    assert!(viewer.subscribe("desk/journal").await);
    let first = viewer.hear(1).await.remove(0);
    assert!(
        first.topic.ends_with(b"desk/journal"),
        "what an earlier life left is gone"
    );
    hub.stop().await;
}

fn named(agent: &str, seq: u64) -> Vec<u8> {
    encode(&Envelope {
        agent: agent.parse().expect("id"),
        boot: "b1".parse().expect("id"),
        seq,
        at: Timestamp(1_800_000_000_000),
        offset: Some(0),
        fact: fact(seq),
    })
}

async fn agent_called(name: &'static str, ground: &Ground) -> Client {
    let mut agent = Client::connect(ground, Way::of(name)).await;
    assert!(agent.subscribe("device/dgt-01025/ack").await);
    agent
}

/// An arbiter at a dashboard of his own, who listens to his answers.
pub(crate) async fn arbiter(ground: &Ground, id: &str) -> Client {
    let way = Way {
        id: id.to_owned(),
        ..Way::of("local-arbiter")
    };
    let mut arbiter = Client::connect(ground, way).await;
    assert!(arbiter.subscribe(&format!("desk/answer/{id}")).await);
    arbiter
}

pub(crate) fn order(
    client: &str,
    id: u64,
    by: &str,
    basis: Option<u64>,
    body: OrderBody,
) -> Vec<u8> {
    encode(&Order {
        client: client.parse().expect("id"),
        id,
        by: by.to_owned(),
        preview: basis.is_none(),
        basis,
        note: String::new(),
        body,
    })
}

pub(crate) fn result(result: GameResult) -> OrderBody {
    OrderBody::Result {
        table: TableId(1),
        result,
        how: ResultHow::Arbiter,
        confirm: true,
        signed: BySide::default(),
    }
}

/// What the wall page of a hub answers.
async fn wall(hub: &Hub, path: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(hub.addresses.http[0].0)
        .await
        .expect("the wall listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_earlier_round_is_on_the_wall_before_and_after_a_restart() {
    let data = tempfile::tempdir().expect("folder");
    let paired = |round, device| RoundSetup {
        round,
        tables: vec![TableSetup {
            device,
            ..TableSetup::new(TableId(1), "Okafor, T", "Kuznetsova, A")
        }],
        ..RoundSetup::default()
    };
    put_round(data.path(), &paired(1, Some(board())), None).expect("written");
    let (first, ground) = hub(data.path()).await;
    let _board = agent_at_work(&ground, 4).await;
    let mut viewer = Client::connect(&ground, Way::of("local-viewer")).await;
    assert!(viewer.subscribe("desk/round").await);
    let next = paired(2, None);
    put_round(data.path(), &next, None).expect("written");
    loop {
        let desk: DeskRound = read(&viewer.hear(1).await[0]);
        if desk.round == 2 {
            assert_eq!(desk.earlier, [1]);
            assert!(!desk.walls.is_empty());
            break;
        }
    }
    let before = wall(&first, "/board/1?round=1").await;
    assert!(
        before.starts_with("HTTP/1.1 200 ") && before.contains(">e5<"),
        "{before}"
    );
    first.stop().await;
    let (second, _) = hub(data.path()).await;
    let after = wall(&second, "/board/1?round=1").await;
    assert!(
        after.starts_with("HTTP/1.1 200 ") && after.contains(">e5<"),
        "{after}"
    );
    let pgn = wall(&second, "/round/1.pgn").await;
    assert!(pgn.starts_with("HTTP/1.1 200 "), "{pgn}");
    assert!(wall(&second, "/round/2").await.contains("Okafor"));
    second.stop().await;
}
