//! From what clients say to inputs of the venue; what cannot be read is counted, and answered where somebody waits.

use protocol::{Answer, ClientId, Order, Topic, decode};
use serde::Deserialize;
use serde_json::Value;

use crate::broker::Message;
use crate::venue::Input;

/// What became of a message.
#[derive(Debug)]
pub(super) enum Taken {
    /// An input for the venue.
    Input(Box<Input>),
    /// It cannot be read; somebody waits for this answer.
    Answer(ClientId, Answer),
    /// It cannot be read: why.
    Nothing(String),
}

/// Reads a message.
pub(super) fn take(message: &Message) -> Taken {
    let payload = &message.payload[..];
    let read = match &message.topic {
        Topic::Facts(device) => decode(payload).map(|envelope| Input::Fact {
            device: device.clone(),
            envelope,
        }),
        Topic::AgentPresence(_) => decode(payload).map(Input::Presence),
        Topic::DeviceInfo(_) => decode(payload).map(Input::Info),
        Topic::TimeQuestion(agent) => decode(payload).map(|question| Input::Time {
            agent: agent.clone(),
            question,
        }),
        Topic::Order => decode::<Order>(payload).map(|order| Input::Order {
            role: message.from.role,
            user: message.from.name.clone(),
            order,
        }),
        other => return Taken::Nothing(format!("nobody says {other:?} to the hub")),
    };
    match read {
        Ok(input) => Taken::Input(Box::new(input)),
        Err(error) => match whose_order(message) {
            Some((client, id)) => Taken::Answer(client, refused(id, &error.to_string())),
            None => Taken::Nothing(error.to_string()),
        },
    }
}

fn refused(id: u64, why: &str) -> Answer {
    Answer::Refused {
        id,
        code: "H38".to_owned(),
        why: format!("the order cannot be read: {why}"),
        difference: Vec::new(),
    }
}

/// Who waits for an answer to an order that cannot be read. One that does not say so is answered as number 0 where its sender may
/// listen without having said who it is: under the name of its credentials.
fn whose_order(message: &Message) -> Option<(ClientId, u64)> {
    #[derive(Default, Deserialize)]
    struct Sent {
        #[serde(default)]
        client: Value,
        #[serde(default)]
        id: Value,
    }
    if message.topic != Topic::Order {
        return None;
    }
    let sent: Sent = serde_json::from_slice(&message.payload).unwrap_or_default();
    let client = sent.client.as_str().and_then(|client| client.parse().ok());
    let client = client.or_else(|| message.from.name.parse().ok())?;
    Some((client, sent.id.as_u64().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use protocol::{DeviceId, Role};

    use super::*;
    use crate::broker::{Receipt, Sender};

    fn said(topic: Topic, payload: &str) -> Taken {
        take(&Message {
            topic,
            from: Sender {
                name: "mk".to_owned(),
                role: Role::Arbiter,
            },
            payload: payload.as_bytes().to_vec().into(),
            receipt: Receipt::none(),
        })
    }

    #[test]
    fn what_can_be_read_is_an_input() {
        let device = DeviceId::of("dgt", "1");
        let fact = r#"{"v":1,"agent":"a1","boot":"b","seq":1,"at":5,"fact":"explained"}"#;
        assert!(
            matches!(said(Topic::Facts(device), fact), Taken::Input(i) if matches!(*i, Input::Fact { .. }))
        );
        let note = r#"{"v":1,"client":"c","id":4,"by":"MK","order":"note","table":3,"note":"x"}"#;
        let taken = said(Topic::Order, note);
        let Taken::Input(input) = taken else {
            panic!("{taken:?}");
        };
        assert!(matches!(*input, Input::Order { role: Role::Arbiter, user, .. } if user == "mk"));
    }

    #[test]
    fn an_order_that_cannot_be_read_is_answered() {
        let rows = [
            (
                r#"{"v":1,"client":"c","id":4,"by":"MK","order":"fly"}"#,
                "c",
                4,
            ),
            (r#"{"v":1,"client":"c","order":"fly"}"#, "c", 0),
            (r#"{"v":1,"client":7,"id":4}"#, "mk", 4),
            (r#"{"v":1,"client":"a/b","id":-4}"#, "mk", 0),
            ("[]", "mk", 0),
            ("\u{0}\u{1}", "mk", 0),
        ];
        for (payload, whose, number) in rows {
            let taken = said(Topic::Order, payload);
            let Taken::Answer(client, Answer::Refused { id, code, .. }) = taken else {
                panic!("{payload}: {taken:?}");
            };
            assert_eq!((client.as_str(), id, code.as_str()), (whose, number, "H38"));
        }
    }

    #[test]
    fn anything_else_is_nothing() {
        let device = DeviceId::of("dgt", "1");
        for (topic, payload) in [
            (Topic::Facts(device), "{}"),
            (Topic::DeskRound, "{\"v\":1}"),
        ] {
            assert!(matches!(said(topic, payload), Taken::Nothing(_)));
        }
    }
}
