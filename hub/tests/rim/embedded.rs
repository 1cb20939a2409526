//! What only the embedded broker can promise: PUBACK means journalled, and speaking for others is refused.

use std::time::Duration;

use hub::broker::{Broker, Message, Outgoing};
use protocol::{
    AgentId, AgentPresence, Boot, DeviceId, DeviceInfo, Envelope, Fact, Health, Timestamp, Topic,
    encode,
};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::client::{Client, Way, text};
use crate::ground::{self, embedded_with_arrivals};

fn agent(name: &str) -> AgentId {
    name.parse().expect("id")
}

fn boot() -> Boot {
    "b1".parse().expect("id")
}

fn board() -> DeviceId {
    DeviceId::of("dgt", "01025")
}

fn fact(by: &str, seq: u64) -> Vec<u8> {
    encode(&Envelope {
        agent: agent(by),
        boot: boot(),
        seq,
        at: Timestamp(0),
        offset: None,
        fact: Fact::Explained,
    })
}

fn info(by: &str) -> Vec<u8> {
    encode(&DeviceInfo {
        device: board(),
        agent: agent(by),
        boot: boot(),
        family: "dgt".to_owned(),
        serial: "01025".to_owned(),
        long_serial: None,
        firmware: None,
        clock: None,
        port: String::new(),
        lamps: false,
        health: Health::default(),
    })
}

async fn next(arrivals: &mut mpsc::Receiver<Message>) -> Message {
    let arrival = timeout(Duration::from_secs(10), arrivals.recv()).await;
    arrival.expect("in time").expect("a broker")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_acknowledgement_means_journalled() {
    let (ground, mut arrivals) = embedded_with_arrivals().await;
    let mut a1 = Client::connect(&ground, Way::of("a1")).await;
    a1.say("device/dgt-01025/facts", false, fact("a1", 1)).await;
    let message = next(&mut arrivals).await;
    assert_eq!(message.topic, Topic::Facts(board()));
    assert_eq!(message.from.name, "a1");
    let early = timeout(Duration::from_millis(200), a1.acks(1)).await;
    assert!(early.is_err(), "no PUBACK before the receipt is signed");
    message.receipt.sign();
    a1.acks(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_speaks_for_another_agent_or_its_board() {
    let (ground, mut arrivals) = embedded_with_arrivals().await;
    let mut a1 = Client::connect(&ground, Way::of("a1")).await;
    a1.say("device/dgt-01025/info", true, info("a1")).await;
    next(&mut arrivals).await.receipt.sign();
    a1.acks(1).await;
    let mut a2 = Client::connect(&ground, Way::of("a2")).await;
    a2.say("device/dgt-01025/facts", false, fact("a2", 1)).await;
    a2.say("device/dgt-01025/facts", false, fact("a1", 1)).await;
    a2.say("device/dgt-01025/info", true, info("a1")).await;
    a2.say("device/dgt-01025/info", true, "garbage").await;
    a2.acks(4).await;
    a1.say("device/dgt-01025/facts", false, fact("a1", 1)).await;
    let message = next(&mut arrivals).await;
    assert_eq!(
        (message.from.name.as_str(), &message.topic),
        ("a1", &Topic::Facts(board()))
    );
    message.receipt.sign();
    a2.say("device/dgt-01025/info", true, info("a2")).await;
    next(&mut arrivals).await.receipt.sign();
    a2.say("device/dgt-01025/facts", false, fact("a2", 2)).await;
    let message = next(&mut arrivals).await;
    assert_eq!(message.from.name, "a2", "the board was carried over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presence_and_its_last_will_reach_the_hub() {
    let (ground, mut arrivals) = embedded_with_arrivals().await;
    let gone = r#"{"v":1,"agent":"a1","boot":"b1","online":false}"#;
    let way = Way {
        will: Some(("agent/a1/presence".to_owned(), gone)),
        ..Way::of("a1")
    };
    let a1 = Client::connect(&ground, way).await;
    let here = AgentPresence {
        agent: agent("a1"),
        boot: boot(),
        online: true,
        version: String::new(),
        host: String::new(),
        devices: vec![board()],
    };
    a1.say("agent/a1/presence", true, encode(&here)).await;
    let message = next(&mut arrivals).await;
    assert_eq!(message.topic, Topic::AgentPresence(agent("a1")));
    message.receipt.sign();
    a1.cut().await;
    let message = next(&mut arrivals).await;
    assert_eq!(message.payload, gone.as_bytes());
    message.receipt.sign();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_takes_the_session_of_another_or_leaves_a_will_for_him() {
    let ground = ground::embedded().await;
    let mut arbiter = Client::connect(&ground, Way::of("arbiter")).await;
    let thief = Way {
        id: "arbiter".to_owned(),
        ..Way::of("sign")
    };
    assert!(Client::try_connect(&ground, thief).await.is_err());
    let liar = Way {
        will: Some(("hub/presence".to_owned(), "gone")),
        ..Way::of("a1")
    };
    assert!(Client::try_connect(&ground, liar).await.is_err());
    assert!(
        arbiter.subscribe("desk/#").await,
        "the arbiter was not disturbed"
    );
    arbiter.leave().await;
    let heir = Way {
        id: "arbiter".to_owned(),
        ..Way::of("sign")
    };
    let mut tries = 0;
    while Client::try_connect(&ground, heir.clone()).await.is_err() {
        tries += 1;
        assert!(
            tries < 100,
            "a session that is not kept is nobody's in the end"
        );
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_client_is_put_out_and_stays_out() {
    let ground = ground::embedded().await;
    let mut sign = Client::connect(&ground, Way::of("sign")).await;
    assert!(sign.subscribe("hall/#").await);
    ground.book.revoke("sign").expect("known");
    let broker = ground.embedded.as_ref().expect("embedded");
    broker.dismiss(&["sign".to_owned()]).await;
    let board = Outgoing {
        topic: ground.topics.filter("hall/board/1"),
        retain: true,
        expires_s: None,
        payload: b"board".to_vec(),
    };
    broker.publish(board).await;
    assert!(
        sign.packet().await.is_err(),
        "the connection ends, nothing more is heard"
    );
    assert!(Client::try_connect(&ground, Way::of("sign")).await.is_err());
    let mut other = Client::connect(&ground, Way::of("sign-2")).await;
    assert!(other.subscribe("hall/#").await);
    assert_eq!(
        text(&other.hear(1).await[0]),
        "board",
        "others are not disturbed"
    );
}
