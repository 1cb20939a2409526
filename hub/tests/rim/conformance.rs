//! One list of behaviours, asked of the embedded broker and of Mosquitto (where it is installed).

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use rumqttc::v5::mqttbytes::v5::PubAckReason;

use crate::client::{Client, Way, text};
use crate::ground::{self, Ground};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedded_broker_conforms() {
    every_behaviour(&ground::embedded().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mosquitto_conforms() {
    match ground::mosquitto().await {
        Some(ground) => every_behaviour(&ground).await,
        None => println!("skipped: mosquitto is not installed (Debian: apt install mosquitto)"),
    }
}

async fn every_behaviour(ground: &Ground) {
    retained_messages_reach_a_wildcard(ground).await;
    an_empty_message_that_is_not_retained_keeps_the_retained_one(ground).await;
    a_will_is_published_when_a_cable_is_pulled(ground).await;
    a_persistent_session_gets_what_it_missed_in_order(ground).await;
    what_was_not_acknowledged_is_sent_again(ground).await;
    nobody_publishes_where_he_may_not(ground).await;
    a_display_never_hears_the_desk(ground).await;
    wrong_tokens_are_refused(ground).await;
    overlapping_subscriptions_give_at_most_one_copy_each(ground).await;
    an_old_client_that_may_not_publish_stays_connected(ground).await;
}

async fn retained_messages_reach_a_wildcard(ground: &Ground) {
    const TABLES: usize = 2500;
    let mut hub = Client::connect(ground, Way::of("hub")).await;
    for table in 0..TABLES {
        hub.say(&format!("hall/board/{table}"), true, format!("{table}"))
            .await;
    }
    hub.acks(TABLES).await;
    let mut sign = Client::connect(ground, Way::of("sign")).await;
    assert!(sign.subscribe("hall/#").await);
    let heard = sign.hear(TABLES).await;
    let distinct: BTreeSet<String> = heard.iter().map(text).collect();
    assert_eq!(distinct.len(), TABLES, "{}", ground.name);
    assert!(heard.iter().all(|p| p.retain));
    for table in 0..TABLES {
        hub.say(&format!("hall/board/{table}"), true, "").await;
    }
    hub.acks(TABLES).await;
    let mut later = Client::connect(ground, Way::of("sign-2")).await;
    assert!(later.subscribe("hall/#").await);
    hub.say("hall/board/1/result", false, "end").await;
    assert_eq!(
        later.hear_until("hall/board/1/result").await.len(),
        0,
        "forgotten"
    );
}

async fn an_empty_message_that_is_not_retained_keeps_the_retained_one(ground: &Ground) {
    let mut hub = Client::connect(ground, Way::of("hub")).await;
    hub.say("hall/board/7", true, "seven").await;
    hub.say("hall/board/7", false, "").await;
    hub.acks(2).await;
    let mut sign = Client::connect(ground, Way::of("sign")).await;
    assert!(sign.subscribe("hall/board/7").await);
    assert_eq!(text(&sign.hear(1).await[0]), "seven", "{}", ground.name);
}

async fn a_will_is_published_when_a_cable_is_pulled(ground: &Ground) {
    let mut viewer = Client::connect(ground, Way::of("viewer")).await;
    assert!(viewer.subscribe("agent/+/presence").await);
    let way = Way {
        will: Some(("agent/a1/presence".to_owned(), "gone")),
        ..Way::of("a1")
    };
    Client::connect(ground, way).await.cut().await;
    assert_eq!(text(&viewer.hear(1).await[0]), "gone", "{}", ground.name);
    let mut late = Client::connect(ground, Way::of("chief")).await;
    assert!(late.subscribe("agent/+/presence").await);
    assert_eq!(text(&late.hear(1).await[0]), "gone", "retained");
}

async fn a_persistent_session_gets_what_it_missed_in_order(ground: &Ground) {
    let mut viewer = Client::connect(ground, Way::persistent("viewer")).await;
    assert!(viewer.subscribe("desk/journal").await);
    viewer.leave().await;
    let mut hub = Client::connect(ground, Way::of("hub")).await;
    for line in 0..1500 {
        hub.say("desk/journal", false, format!("{line}")).await;
    }
    hub.acks(1500).await;
    let mut viewer = Client::connect(ground, Way::persistent("viewer")).await;
    let heard: Vec<String> = viewer.hear(1500).await.iter().map(text).collect();
    let want: Vec<String> = (0..1500).map(|line| line.to_string()).collect();
    assert_eq!(heard, want, "{}", ground.name);
    viewer.leave().await;
    Client::connect(ground, Way::of("viewer"))
        .await
        .leave()
        .await;
}

async fn what_was_not_acknowledged_is_sent_again(ground: &Ground) {
    let way = Way {
        manual_acks: true,
        ..Way::persistent("chief")
    };
    let mut chief = Client::connect(ground, way.clone()).await;
    assert!(chief.subscribe("desk/answer/chief").await);
    let mut hub = Client::connect(ground, Way::of("hub")).await;
    for answer in 0..5 {
        hub.say("desk/answer/chief", false, format!("{answer}"))
            .await;
    }
    hub.acks(5).await;
    let heard = chief.hear(5).await;
    chief.client.ack(&heard[0]).await.expect("room");
    hub.say("desk/answer/chief", false, "last").await;
    chief.hear(1).await;
    chief.cut().await;
    let mut chief = Client::connect(ground, way).await;
    let again = chief.hear(5).await;
    let words: Vec<String> = again.iter().map(text).collect();
    assert_eq!(words, ["1", "2", "3", "4", "last"], "{}", ground.name);
    assert!(again[..4].iter().all(|p| p.dup), "{}", ground.name);
    chief.leave().await;
    Client::connect(ground, Way::of("chief"))
        .await
        .leave()
        .await;
}

async fn nobody_publishes_where_he_may_not(ground: &Ground) {
    let mut chief = Client::connect(ground, Way::of("chief")).await;
    for filter in ["desk/#", "hall/#", "hub/presence"] {
        assert!(chief.subscribe(filter).await);
    }
    let rows = [
        ("sign", "desk/order"),
        ("sign", "hall/board/1"),
        ("viewer", "desk/order"),
        ("a1", "desk/order"),
        ("a1", "agent/a2/presence"),
        ("a1", "device/dgt-1/control"),
        ("a1", "device/dgt-1/ack"),
        ("arbiter", "desk/table/1"),
        ("arbiter", "hub/presence"),
        ("arbiter", "device/dgt-1/facts"),
    ];
    for (name, tail) in rows {
        let mut client = Client::connect(ground, Way::of(name)).await;
        client.say(tail, true, "forged").await;
        let reason = client.acks(1).await;
        assert_eq!(
            reason,
            PubAckReason::NotAuthorized,
            "{name} {tail} {}",
            ground.name
        );
        client.leave().await;
    }
    let hub = Client::connect(ground, Way::of("hub")).await;
    hub.say("desk/round", false, "end").await;
    let heard = chief.hear_until("desk/round").await;
    assert!(heard.iter().all(|p| text(p) != "forged"), "{}", ground.name);
}

async fn a_display_never_hears_the_desk(ground: &Ground) {
    let mut hub = Client::connect(ground, Way::of("hub")).await;
    hub.say("desk/table/1", true, "secret").await;
    hub.acks(1).await;
    let mut sign = Client::connect(ground, Way::of("sign")).await;
    for filter in ["desk/#", "+/table/1", "#"] {
        let granted = sign.subscribe(filter).await;
        assert!(!granted || ground.name != "embedded", "{filter}");
    }
    for filter in ["#", "+/v1/#"] {
        let granted = sign.subscribe_to(filter).await;
        assert!(!granted || ground.name != "embedded", "{filter}");
    }
    assert!(sign.subscribe("hall/#").await);
    hub.say("desk/table/1", false, "secret").await;
    hub.say("hall/board/2/turn", false, "end").await;
    let heard = sign.hear_until("hall/board/2/turn").await;
    assert!(heard.iter().all(|p| text(p) != "secret"), "{}", ground.name);
}

async fn wrong_tokens_are_refused(ground: &Ground) {
    let wrong = Way {
        token: Some("guess".to_owned()),
        ..Way::of("chief")
    };
    let nobody = Way {
        name: "nobody",
        ..wrong.clone()
    };
    for way in [wrong, nobody] {
        let refused = Client::try_connect(ground, way).await.err();
        let words = refused.expect("refused").to_string();
        assert!(words.contains("refused"), "{words} {}", ground.name);
    }
    let mut raw = Raw::connect(ground, "anonymous", None);
    assert_ne!(raw.connack(), Some(0), "anonymous on {}", ground.name);
}

async fn overlapping_subscriptions_give_at_most_one_copy_each(ground: &Ground) {
    let mut chief = Client::connect(ground, Way::of("chief")).await;
    for filter in ["hall/#", "hall/board/+", "hall/board/9"] {
        assert!(chief.subscribe(filter).await);
    }
    assert!(chief.subscribe("desk/journal").await);
    let hub = Client::connect(ground, Way::of("hub")).await;
    hub.say("hall/board/9", false, "once").await;
    hub.say("desk/journal", false, "end").await;
    let heard = chief.hear_until("desk/journal").await;
    let copies = heard.iter().filter(|p| text(p) == "once").count();
    // MQTT 5 lets a broker choose between one copy and one for each subscription.
    assert!((1..=3).contains(&copies), "{copies} on {}", ground.name);
}

async fn an_old_client_that_may_not_publish_stays_connected(ground: &Ground) {
    let mut chief = Client::connect(ground, Way::of("chief")).await;
    assert!(chief.subscribe("desk/#").await);
    let token = ground.tokens["sign"].clone();
    let mut old = Raw::connect(ground, "sign", Some(("sign", &token)));
    assert_eq!(old.connack(), Some(0), "{}", ground.name);
    old.publish(&ground.topics.filter("desk/round"), 77, b"forged");
    assert_eq!(
        old.read(4),
        [0x40, 2, 0, 77],
        "a plain PUBACK on {}",
        ground.name
    );
    old.ping();
    assert_eq!(old.read(2), [0xD0, 0], "still connected to {}", ground.name);
    let hub = Client::connect(ground, Way::of("hub")).await;
    hub.say("desk/journal", false, "end").await;
    let heard = chief.hear_until("desk/journal").await;
    assert!(heard.iter().all(|p| text(p) != "forged"), "{}", ground.name);
}

/// A client of MQTT 3.1.1, byte by byte.
pub(crate) struct Raw(TcpStream);

impl Raw {
    pub(crate) fn connect(ground: &Ground, id: &str, login: Option<(&str, &str)>) -> Raw {
        let mut stream = TcpStream::connect(ground.address).expect("it listens");
        let patience = Some(Duration::from_secs(10));
        stream.set_read_timeout(patience).expect("a socket");
        let flags = if login.is_some() { 0xC2 } else { 0x02 };
        let mut body = vec![0, 4, b'M', b'Q', b'T', b'T', 4, flags, 0, 60];
        let words = [Some(id), login.map(|l| l.0), login.map(|l| l.1)];
        for word in words.into_iter().flatten() {
            body.extend(u16::try_from(word.len()).expect("short").to_be_bytes());
            body.extend(word.as_bytes());
        }
        let mut packet = vec![0x10, u8::try_from(body.len()).expect("short")];
        packet.append(&mut body);
        stream.write_all(&packet).expect("connected");
        Raw(stream)
    }

    pub(crate) fn connack(&mut self) -> Option<u8> {
        let mut answer = [0; 4];
        self.0.read_exact(&mut answer).ok().map(|()| answer[3])
    }

    pub(crate) fn publish(&mut self, topic: &str, id: u16, payload: &[u8]) {
        let mut body = u16::try_from(topic.len())
            .expect("short")
            .to_be_bytes()
            .to_vec();
        body.extend(topic.as_bytes());
        body.extend(id.to_be_bytes());
        body.extend(payload);
        let mut packet = vec![0x32, u8::try_from(body.len()).expect("short")];
        packet.append(&mut body);
        self.0.write_all(&packet).expect("connected");
    }

    pub(crate) fn ping(&mut self) {
        self.0.write_all(&[0xC0, 0]).expect("connected");
    }

    pub(crate) fn read(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes).expect("an answer");
        bytes
    }
}
