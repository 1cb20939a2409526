//! Events as bytes: a format number and CBOR; older formats are read here and nowhere else.

use thiserror::Error;

use crate::venue::Event;

/// The format this program writes.
const FORMAT: u8 = 1;

/// An event that cannot be read.
#[derive(Debug, Error)]
#[error(
    "H29 an event of the journal is not understood: {0} · help: it was written by a newer program, or is damaged; use that program"
)]
pub struct NotUnderstood(String);

/// The bytes of an event.
pub fn encode(event: &Event) -> Vec<u8> {
    let mut bytes = vec![FORMAT];
    ciborium::into_writer(event, &mut bytes).expect("a vector takes everything");
    bytes
}

/// The event of some bytes, of this format or an older one.
///
/// # Errors
/// [`NotUnderstood`].
pub fn decode(bytes: &[u8]) -> Result<Event, NotUnderstood> {
    match bytes.split_first() {
        Some((&FORMAT, body)) => {
            ciborium::from_reader(body).map_err(|e| NotUnderstood(e.to_string()))
        }
        Some((format, _)) => Err(NotUnderstood(format!("format {format}"))),
        None => Err(NotUnderstood("it is empty".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use protocol::{DeviceId, Envelope, Fact, Placement, Played, Side, Timestamp};

    use super::*;
    use crate::venue::EventBody;

    fn event(fact: Fact) -> Event {
        let envelope = Envelope {
            agent: "a1".parse().expect("id"),
            boot: "b1".parse().expect("id"),
            seq: u64::MAX,
            at: Timestamp(-5),
            offset: Some(-7),
            fact,
        };
        Event {
            number: 3,
            at: Timestamp(1_800_000_000_000),
            body: EventBody::FactReceived {
                device: DeviceId::of("dgt", "01025"),
                envelope,
            },
        }
    }

    #[test]
    fn facts_read_back_from_the_journal() {
        let board: Placement = "8/8/8/4k3/4K3/8/8/8".parse().expect("placement");
        let facts = [
            Fact::Explained,
            Fact::Settled { ply: 3 },
            Fact::Dump { board },
            Fact::Made {
                ply: 1,
                played: Played::Legal("e2e4".to_owned()),
                by: Side::White,
                certainty: 0.9,
                squares: vec!["e2".parse().expect("square"), "e4".parse().expect("square")],
                after_ms: 5,
            },
            Fact::Made {
                ply: 2,
                played: Played::Irregular {
                    from_fen: "a".to_owned(),
                    to_fen: "b".to_owned(),
                    words: "Kä1".to_owned(),
                },
                by: Side::Black,
                certainty: 0.1,
                squares: Vec::new(),
                after_ms: 0,
            },
            Fact::Squares {
                changes: vec![
                    ("e2".parse().expect("square"), None),
                    ("e4".parse().expect("square"), Some('P')),
                ],
            },
        ];
        for fact in facts {
            let event = event(fact);
            assert_eq!(decode(&encode(&event)).expect("read"), event);
        }
    }

    #[test]
    fn what_is_no_event_is_said() {
        for bytes in [&b""[..], &[9, 1, 2], &[1], &[1, 0xff, 0xff]] {
            assert!(decode(bytes).is_err());
        }
    }
}
