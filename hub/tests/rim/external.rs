//! The hub's end of an external broker: Mosquitto, killed and started again.

use std::time::Duration;

use hub::broker::{Broker, External, ExternalConfig, Message, Outgoing};
use protocol::{HubUrl, Topic};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::client::{Client, Way, text};
use crate::ground::{self, Ground};

fn hub_at(ground: &Ground) -> (External, mpsc::Receiver<Message>) {
    let (say, arrivals) = mpsc::channel(1024);
    let config = ExternalConfig {
        url: HubUrl {
            host: "127.0.0.1".to_owned(),
            port: ground.address.port(),
            login: Some(("hub".to_owned(), ground.tokens["hub"].clone())),
        },
        topics: ground::topics(),
        will: message(ground, "hub/presence", true, "gone"),
    };
    (External::start(config, say), arrivals)
}

fn message(ground: &Ground, tail: &str, retain: bool, payload: &str) -> Outgoing {
    Outgoing {
        topic: ground.topics.filter(tail),
        retain,
        expires_s: None,
        payload: payload.as_bytes().to_vec(),
    }
}

async fn arrival(arrivals: &mut mpsc::Receiver<Message>) -> Message {
    let arrival = timeout(Duration::from_secs(20), arrivals.recv()).await;
    arrival.expect("in time").expect("a connection")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_hub_did_not_journal_comes_again_to_the_next_hub() {
    let Some(ground) = ground::mosquitto().await else {
        println!("skipped: mosquitto is not installed (Debian: apt install mosquitto)");
        return;
    };
    let mut viewer = Client::connect(&ground, Way::of("viewer")).await;
    assert!(viewer.subscribe("hub/presence").await);
    let (hub, mut arrivals) = hub_at(&ground);
    hub.open();
    hub.publish(message(&ground, "hub/presence", true, "here"))
        .await;
    assert_eq!(text(&viewer.hear(1).await[0]), "here");

    let mut arbiter = Client::connect(&ground, Way::of("arbiter")).await;
    for order in ["first", "second"] {
        arbiter.say("desk/order", false, order).await;
    }
    arbiter.acks(2).await;
    let first = arrival(&mut arrivals).await;
    assert_eq!(
        (&first.topic, &first.payload[..]),
        (&Topic::Order, &b"first"[..])
    );
    first.receipt.sign();
    let second = arrival(&mut arrivals).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(second);
    hub.stop().await;

    let (hub, mut arrivals) = hub_at(&ground);
    hub.open();
    let again = arrival(&mut arrivals).await;
    assert_eq!(&again.payload[..], b"second", "the first was acknowledged");
    again.receipt.sign();
    hub.stop().await;
}
