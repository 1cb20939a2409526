//! Why the hub is not reached: what the line says, as a sentence with a cure.

use std::io::{Error, ErrorKind};

use rumqttc::v5::mqttbytes::v5::{ConnectReturnCode as Code, DisconnectReasonCode};
use rumqttc::v5::{ConnectionError, StateError};

use crate::language::{Language, t};
use crate::link::Target;

/// The sentence for an error of the line; `welcomed` when the broker had taken us in before it.
pub(crate) fn words(
    l: &Language,
    error: &ConnectionError,
    target: &Target,
    welcomed: bool,
) -> String {
    let place = format!("{}:{}", target.host, target.port);
    match error {
        ConnectionError::ConnectionRefused(code) => refused(l, *code, &place, target),
        ConnectionError::Io(error) => of_network(l, error, &place, target, welcomed),
        ConnectionError::MqttState(StateError::Io(error)) => {
            of_network(l, error, &place, target, welcomed)
        }
        ConnectionError::MqttState(StateError::AwaitPingResp) => silent(l, &place),
        ConnectionError::Timeout(_) => silent(l, &place),
        ConnectionError::MqttState(StateError::ServerDisconnect { reason_code, .. }) => {
            sent_away(l, *reason_code, &place)
        }
        ConnectionError::MqttState(StateError::ConnectionAborted) => hung_up(l, &place, welcomed),
        // Whoever is no broker says something that no broker would say, and first of all.
        ConnectionError::MqttState(_) | ConnectionError::NotConnAck(_) if !welcomed => {
            another_service(l, &place)
        }
        other => format!("{place}: {other}"),
    }
}

fn refused(l: &Language, code: Code, place: &str, target: &Target) -> String {
    match code {
        Code::BadUserNamePassword | Code::NotAuthorized | Code::Banned => t!(
            l,
            "{} does not know {} with this token: ask for credentials of this venue",
            place,
            target.name
        ),
        Code::ServerUnavailable
        | Code::ServiceUnavailable
        | Code::ServerBusy
        | Code::ConnectionRateExceeded => {
            t!(l, "{} takes nobody in just now: wait a moment", place)
        }
        Code::UnsupportedProtocolVersion | Code::RefusedProtocolVersion => t!(
            l,
            "the broker at {} is too old: one that speaks MQTT 5 is needed",
            place
        ),
        Code::UseAnotherServer | Code::ServerMoved => t!(
            l,
            "{} sends us to another machine: correct the address",
            place
        ),
        code => t!(l, "{} refuses: {}", place, format!("{code:?}")),
    }
}

fn of_network(l: &Language, error: &Error, place: &str, target: &Target, welcomed: bool) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => t!(
            l,
            "nothing listens at {}: start zeitnot-hub there, or correct the address",
            place
        ),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
            t!(l, "no way leads to {}: look at cable and network", place)
        }
        ErrorKind::TimedOut => silent(l, place),
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof => hung_up(l, place, welcomed),
        ErrorKind::InvalidData if !welcomed => another_service(l, place),
        // The resolver's errors have no kind of their own.
        _ if error.to_string().contains("lookup address") => t!(
            l,
            "no machine is called {}: correct the name, or give its number",
            target.host
        ),
        _ => format!("{place}: {error}"),
    }
}

fn silent(l: &Language, place: &str) -> String {
    t!(
        l,
        "{} does not answer: is the address right, and does a hub run there?",
        place
    )
}

fn hung_up(l: &Language, place: &str, welcomed: bool) -> String {
    match welcomed {
        true => t!(l, "the hub at {} has hung up: does it still run?", place),
        false => another_service(l, place),
    }
}

fn another_service(l: &Language, place: &str) -> String {
    t!(
        l,
        "{} is not the hub but another service: correct the port, usually 1883",
        place
    )
}

fn sent_away(l: &Language, why: DisconnectReasonCode, place: &str) -> String {
    match why {
        DisconnectReasonCode::ServerShuttingDown => {
            t!(l, "the hub at {} is being stopped", place)
        }
        DisconnectReasonCode::NotAuthorized | DisconnectReasonCode::AdministrativeAction => t!(
            l,
            "the hub at {} sent us away: are these credentials revoked?",
            place
        ),
        why => t!(
            l,
            "the hub at {} ended the line: {}",
            place,
            format!("{why:?}")
        ),
    }
}

#[cfg(test)]
mod tests {
    use rumqttc::v5::mqttbytes::Error as Garbled;

    use super::*;

    #[test]
    fn what_keeps_us_from_the_hub_is_a_sentence_with_a_cure() {
        let target = Target {
            host: "hub.local".to_owned(),
            port: 1883,
            name: "mk".to_owned(),
            token: "t".to_owned(),
            venue: "venue".parse().expect("a name"),
        };
        let io = |kind: ErrorKind| ConnectionError::Io(kind.into());
        let state = ConnectionError::MqttState;
        let lookup =
            Error::other("failed to lookup address information: Name or service not known");
        let rows = [
            (
                io(ErrorKind::ConnectionRefused),
                false,
                "nothing listens at hub.local:1883: start",
            ),
            (
                io(ErrorKind::HostUnreachable),
                false,
                "look at cable and network",
            ),
            (
                ConnectionError::Io(lookup),
                false,
                "no machine is called hub.local",
            ),
            (
                io(ErrorKind::ConnectionReset),
                false,
                "another service: correct the port",
            ),
            (
                io(ErrorKind::ConnectionReset),
                true,
                "has hung up: does it still run?",
            ),
            (
                state(StateError::ConnectionAborted),
                false,
                "another service",
            ),
            (state(StateError::ConnectionAborted), true, "has hung up"),
            (
                state(StateError::Deserialization(Garbled::BoundaryCrossed(7))),
                false,
                "hub.local:1883 is not the hub but another service",
            ),
            (state(StateError::WrongPacket), false, "another service"),
            (
                state(StateError::AwaitPingResp),
                true,
                "does not answer: is the address right",
            ),
            (
                ConnectionError::ConnectionRefused(Code::NotAuthorized),
                false,
                "does not know mk with this token: ask for credentials",
            ),
            (
                ConnectionError::ConnectionRefused(Code::UnsupportedProtocolVersion),
                false,
                "one that speaks MQTT 5 is needed",
            ),
            (
                state(StateError::ServerDisconnect {
                    reason_code: DisconnectReasonCode::ServerShuttingDown,
                    reason_string: None,
                }),
                true,
                "the hub at hub.local:1883 is being stopped",
            ),
        ];
        for (error, welcomed, want) in rows {
            let said = words(&Language::default(), &error, &target, welcomed);
            assert!(said.contains(want), "{error:?}: {said}");
            assert!(!said.contains("boundary"), "{said}");
        }
    }
}
