//! Somebody who only listens: subscribes, hands over what comes, connects again when the line ends; leaves no trace at the broker.

use std::time::Duration;

use rumqttc::v5::mqttbytes::QoS;

use super::connection::{Connection, Said};
use crate::config::Hub;

/// First and longest pause between two attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(15));

/// What an onlooker hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The broker let him in.
    Up,
    /// The line ended, and why.
    Down(String),
    /// A message: topic and payload.
    Message(String, Vec<u8>),
}

/// The onlooker.
pub struct Onlooker {
    hub: Hub,
    filters: Vec<String>,
    connection: Option<Connection>,
    pause: Duration,
}

impl Onlooker {
    /// Listens to these filters of a hub's broker.
    pub fn new(hub: Hub, filters: Vec<String>) -> Onlooker {
        Onlooker {
            hub,
            filters,
            connection: None,
            pause: Duration::ZERO,
        }
    }

    /// The next thing that happens.
    pub async fn next(&mut self) -> Heard {
        loop {
            let Some(connection) = &mut self.connection else {
                tokio::time::sleep(self.pause).await;
                self.pause = (self.pause * 2).clamp(PAUSES.0, PAUSES.1);
                self.connection = Some(Connection::visit(&self.hub));
                continue;
            };
            match connection.said.recv().await {
                Some(Said::Connected) => {
                    self.pause = PAUSES.0;
                    for filter in &self.filters {
                        let _queue_is_empty = connection
                            .client
                            .try_subscribe(filter.clone(), QoS::AtLeastOnce);
                    }
                    return Heard::Up;
                }
                Some(Said::Message(publish)) => {
                    let topic = String::from_utf8_lossy(&publish.topic).into_owned();
                    return Heard::Message(topic, publish.payload.to_vec());
                }
                Some(Said::Refused(why)) => {
                    tracing::warn!(%why, "A42 the broker refused something");
                }
                Some(Said::Rejected(why) | Said::Ended(why)) => return self.down(why),
                None => return self.down("too much at once; connecting anew".to_owned()),
            }
        }
    }

    fn down(&mut self, why: String) -> Heard {
        self.connection = None;
        Heard::Down(why)
    }
}
