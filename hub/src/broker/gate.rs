//! The door of the embedded broker: checks names and tokens, asks the rights, and hands what agents and arbiters say to the hub.
//!
//! A publish that is the hub's to hear is acknowledged only when its receipt is signed, which means: journalled.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mqtt5::QoS;
use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::broker::{
    BrokerEventHandler, ClientDisconnectEvent, ClientPublishEvent, PublishAction, RetainedSetEvent,
};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::packet::publish::PublishPacket;
use mqtt5::protocol::v5::reason_codes::ReasonCode;
use protocol::{AgentPresence, DeviceInfo, Envelope, Role, Topic, Topics, decode};
use tokio::sync::mpsc;

use super::Soon;
use super::devices::Devices;
use super::message::{Message, Receipt, Sender};
use super::rights::{may_publish, may_subscribe};
use crate::credentials::Book;

/// More client ids than any venue has; further ones are refused until others leave.
const MOST_CLIENTS: usize = 50_000;

/// Checks and hands over.
pub(crate) struct Gate {
    topics: Topics,
    book: Arc<Book>,
    arrivals: mpsc::Sender<Message>,
    seen: Mutex<Seen>,
}

/// Who is there.
#[derive(Default)]
struct Seen {
    /// By client id.
    clients: HashMap<String, Client>,
    devices: Devices,
    refused: u64,
}

/// A client; its session belongs to the one who opened it.
struct Client {
    /// Its name in the credentials.
    name: String,
    /// It speaks MQTT 3.1.1, which has no word for "refused".
    old: bool,
    /// Its session is kept while it is away.
    persistent: bool,
    /// Connections that have not ended: two while one takes over from the other.
    connections: u32,
}

impl Gate {
    pub(crate) fn new(topics: Topics, book: Arc<Book>, arrivals: mpsc::Sender<Message>) -> Gate {
        Gate {
            topics,
            book,
            arrivals,
            seen: Mutex::default(),
        }
    }

    /// The client ids of the given names.
    pub(crate) fn clients_of(&self, names: &[String]) -> Vec<String> {
        let seen = self.seen();
        let theirs = seen.clients.iter().filter(|(_, c)| names.contains(&c.name));
        theirs.map(|(client, _)| client.clone()).collect()
    }

    /// How many clients are connected.
    pub(crate) fn connected(&self) -> u32 {
        let seen = self.seen();
        let connected = seen.clients.values().filter(|c| c.connections > 0);
        u32::try_from(connected.count()).unwrap_or(u32::MAX)
    }

    pub(crate) fn forget(&self, client: &str) {
        self.seen().clients.remove(client);
    }

    /// A connection has ended; a session that is not kept is nobody's any more.
    fn left(&self, client: &str) {
        let mut seen = self.seen();
        if let Some(known) = seen.clients.get_mut(client) {
            known.connections = known.connections.saturating_sub(1);
            if known.connections == 0 && !known.persistent {
                seen.clients.remove(client);
            }
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admit(&self, connect: &ConnectPacket) -> AuthResult {
        let name = connect.username.clone().unwrap_or_default();
        let token = connect.password.as_deref().unwrap_or_default();
        let Some(role) = self.book.check(&name, token) else {
            tracing::warn!(name, "H42 wrong name or token");
            return AuthResult::fail(ReasonCode::BadUsernameOrPassword);
        };
        if let Some(will) = &connect.will
            && !may_publish(&self.topics, role, &name, &will.topic)
        {
            tracing::warn!(name, topic = will.topic, "H43 a last will it may not leave");
            return AuthResult::fail(ReasonCode::NotAuthorized);
        }
        if !self.enrol(connect, &name) {
            return AuthResult::fail(ReasonCode::NotAuthorized);
        }
        AuthResult::success_with_user(name)
    }

    /// Notes whose session it is; false when it is somebody else's.
    fn enrol(&self, connect: &ConnectPacket, name: &str) -> bool {
        let mut seen = self.seen();
        let id = &connect.client_id;
        let full = seen.clients.len() >= MOST_CLIENTS && !seen.clients.contains_key(id);
        if full {
            tracing::warn!(name, "H45 too many clients");
            return false;
        }
        let client = seen.clients.entry(id.clone()).or_insert_with(|| Client {
            name: name.to_owned(),
            old: false,
            persistent: false,
            connections: 0,
        });
        if client.name != name {
            tracing::warn!(
                name,
                id,
                owner = client.name,
                "H44 the session of somebody else"
            );
            return false;
        }
        client.old = connect.protocol_version < 5;
        client.persistent = if client.old {
            !connect.clean_start
        } else {
            connect
                .properties
                .get_session_expiry_interval()
                .is_some_and(|s| s > 0)
        };
        client.connections += 1;
        true
    }

    fn role(&self, user: Option<&str>) -> Option<(Role, String)> {
        let name = user?;
        Some((self.book.role(name)?, name.to_owned()))
    }

    fn may_publish(&self, user: Option<&str>, topic: &str) -> bool {
        self.role(user)
            .is_some_and(|(role, name)| may_publish(&self.topics, role, &name, topic))
    }

    /// What becomes of a publish that passed the door (a 3.1.1 client's passes always and is dropped here).
    async fn hear(&self, event: ClientPublishEvent) -> PublishAction {
        let user = event.user_id.as_deref();
        let Some((role, name)) = self
            .role(user)
            .filter(|_| self.may_publish(user, &event.topic))
        else {
            return self.refuse(&event, "may not publish there");
        };
        let Some(topic) = self.topics.parse(&event.topic) else {
            return self.refuse(&event, "no such topic");
        };
        if let Some(why) = unreadable(&topic, &event.payload) {
            return self.refuse(&event, &why);
        }
        if !self.is_its_own(&topic, &name, &event.payload) {
            return self.refuse(&event, "speaks for somebody else");
        }
        match topic {
            Topic::AgentPresence(_) | Topic::DeviceInfo(_) if event.retain => {
                PublishAction::Continue
            }
            Topic::AgentPresence(_) | Topic::DeviceInfo(_) => {
                let packet = PublishPacket::new(&*event.topic, event.payload, event.qos);
                let id = event.packet_id.unwrap_or_default();
                PublishAction::Transform(packet.with_packet_id(id).with_retain(true))
            }
            Topic::Facts(_) | Topic::TimeQuestion(_) | Topic::Order => {
                let from = Sender { name, role };
                // Whoever follows the hub (a standby, a measurement) hears facts as it would at any broker: once journalled.
                let for_others = matches!(topic, Topic::Facts(_)) && !event.retain;
                match self.submit(topic, from, event.payload).await {
                    true if for_others => PublishAction::Continue,
                    true => PublishAction::Handled,
                    false => unacknowledged(),
                }
            }
            _ => PublishAction::Continue,
        }
    }

    /// Whether an agent speaks of itself and of its own devices.
    fn is_its_own(&self, topic: &Topic, name: &str, payload: &[u8]) -> bool {
        let mut seen = self.seen();
        match topic {
            Topic::DeviceInfo(device) if !payload.is_empty() => decode::<DeviceInfo>(payload)
                .is_ok_and(|info| {
                    info.agent.as_str() == name
                        && info.device == *device
                        && seen.devices.announce(device.clone(), name)
                }),
            Topic::DeviceInfo(device) => seen.devices.may_state(device, name),
            Topic::AgentPresence(_) => match decode::<AgentPresence>(payload) {
                Ok(presence) => {
                    for device in presence.devices.into_iter().take(1000) {
                        seen.devices.announce(device, name);
                    }
                    presence.agent.as_str() == name
                }
                Err(_) => payload.is_empty(),
            },
            Topic::Facts(device) => {
                seen.devices.may_state(device, name)
                    && decode::<Envelope>(payload).is_ok_and(|e| e.agent.as_str() == name)
            }
            _ => true,
        }
    }

    fn refuse(&self, event: &ClientPublishEvent, why: &str) -> PublishAction {
        let mut seen = self.seen();
        seen.refused += 1;
        if seen.refused.is_power_of_two() || seen.refused.is_multiple_of(1000) {
            let (name, topic) = (event.user_id.as_deref(), &*event.topic);
            tracing::warn!(name, topic, count = seen.refused, "H46 refused: {why}");
        }
        PublishAction::Handled
    }

    /// Gives a message to the hub and waits until it is journalled; false when the hub ends before.
    async fn submit(&self, topic: Topic, from: Sender, payload: bytes::Bytes) -> bool {
        let (receipt, signed) = Receipt::new();
        let message = Message {
            topic,
            from,
            payload,
            receipt,
        };
        self.arrivals.send(message).await.is_ok() && signed.await.is_ok()
    }
}

/// Why nobody can read what an agent says of itself: no JSON, another version, another form.
fn unreadable(topic: &Topic, payload: &[u8]) -> Option<String> {
    let error = match topic {
        Topic::Facts(_) => decode::<Envelope>(payload).err(),
        Topic::DeviceInfo(_) if !payload.is_empty() => decode::<DeviceInfo>(payload).err(),
        Topic::AgentPresence(_) if !payload.is_empty() => decode::<AgentPresence>(payload).err(),
        _ => None,
    };
    error.map(|error| error.to_string())
}

/// Leaves a publish without its PUBACK, so that the client sends it again to the next hub: a message at QoS 0 that nobody
/// may read takes its place.
fn unacknowledged() -> PublishAction {
    PublishAction::Transform(PublishPacket::new("zeitnot/unwritten", "", QoS::AtMostOnce))
}

impl AuthProvider for Gate {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        _from: SocketAddr,
    ) -> Soon<'a, mqtt5::Result<AuthResult>> {
        Box::pin(async move { Ok(self.admit(connect)) })
    }

    fn authorize_publish<'a>(
        &'a self,
        client: &str,
        user: Option<&'a str>,
        topic: &'a str,
    ) -> Soon<'a, bool> {
        // MQTT 3.1.1 cannot refuse a publish: it is let in and dropped where it is heard. Its last will was checked at the door.
        let old = self.seen().clients.get(client).is_some_and(|c| c.old);
        Box::pin(async move { old || self.may_publish(user, topic) })
    }

    fn authorize_subscribe<'a>(
        &'a self,
        _client: &str,
        user: Option<&'a str>,
        filter: &'a str,
    ) -> Soon<'a, bool> {
        Box::pin(async move {
            let may = self
                .role(user)
                .is_some_and(|(role, name)| may_subscribe(&self.topics, role, &name, filter));
            if !may {
                tracing::warn!(user, filter, "H47 refused: may not subscribe to that");
            }
            may
        })
    }
}

/// The broker takes the event handler and the auth provider apart; both are the one gate.
pub(crate) struct Hooks(pub(crate) Arc<Gate>);

impl BrokerEventHandler for Hooks {
    fn on_client_publish<'a>(&'a self, event: ClientPublishEvent) -> Soon<'a, PublishAction> {
        Box::pin(self.0.hear(event))
    }

    /// Presence and device information reach the hub here, so that last wills do, too.
    fn on_retained_set<'a>(&'a self, event: RetainedSetEvent) -> Soon<'a, ()> {
        Box::pin(async move {
            let topic = self.0.topics.parse(&event.topic);
            let Some(topic @ (Topic::AgentPresence(_) | Topic::DeviceInfo(_))) = topic else {
                return;
            };
            let from = Sender {
                name: String::new(),
                role: Role::Agent,
            };
            if !self.0.submit(topic, from, event.payload).await {
                tracing::debug!("the hub is ending");
            }
        })
    }

    fn on_client_disconnect<'a>(&'a self, event: ClientDisconnectEvent) -> Soon<'a, ()> {
        self.0.left(&event.client_id);
        Box::pin(async {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_refused_for_what_it_is() {
        let device: protocol::DeviceId = "dgt-1".parse().expect("id");
        let rows: [(&[u8], Option<&str>); 4] = [
            (br#"{"v":2,"fact":"explained"}"#, Some("P03")),
            (b"garbage", Some("P01")),
            (br#"{"v":1}"#, Some("P04")),
            (
                br#"{"v":1,"agent":"a1","boot":"b1","seq":1,"at":0,"offset":null,"fact":"explained"}"#,
                None,
            ),
        ];
        for (payload, want) in rows {
            let why = unreadable(&Topic::Facts(device.clone()), payload);
            assert_eq!(why.as_deref().map(|w| &w[..3]), want);
        }
        assert_eq!(unreadable(&Topic::DeviceInfo(device), b""), None);
    }
}
