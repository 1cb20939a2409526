//! Who may connect: names, tokens, roles, and the forms in which a program is given them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::VenueId;

/// What a client of the broker may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// States facts about its own devices.
    Agent,
    /// Reads the desk, gives orders.
    Arbiter,
    /// As an arbiter; alone publishes results, takes published ones back, excludes and expels players.
    Chief,
    /// Reads the desk, orders that concern devices only.
    Technician,
    /// Reads the desk.
    Viewer,
    /// Reads the hall.
    Display,
    /// The hub itself, on an external broker.
    Hub,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 7] = [
        Role::Agent,
        Role::Arbiter,
        Role::Chief,
        Role::Technician,
        Role::Viewer,
        Role::Display,
        Role::Hub,
    ];

    /// Its word in commands and files.
    pub fn word(self) -> &'static str {
        match self {
            Role::Agent => "agent",
            Role::Arbiter => "arbiter",
            Role::Chief => "chief",
            Role::Technician => "technician",
            Role::Viewer => "viewer",
            Role::Display => "display",
            Role::Hub => "hub",
        }
    }
}

impl Role {
    /// Its word with an article: "an agent", "a viewer".
    pub fn with_article(self) -> String {
        let article = match self {
            Role::Agent | Role::Arbiter => "an",
            _ => "a",
        };
        format!("{article} {}", self.word())
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Role::ALL
            .into_iter()
            .find(|r| r.word() == text)
            .ok_or_else(|| {
                format!(
                    "{text:?} is no role: {}",
                    Role::ALL.map(Role::word).join(", ")
                )
            })
    }
}

/// Why an address or a credentials file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CredentialsError {
    /// The address has another form.
    #[error("C01 {0:?} is no address of a hub · help: write mqtt://name:token@host:1883")]
    Address(String),
    /// TLS is not built yet.
    #[error(
        "C02 {0:?} asks for TLS, which this version cannot do · help: use mqtt:// inside the venue's own network"
    )]
    Tls(String),
}

/// An address of a broker: `mqtt://name:token@host:1883`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubUrl {
    /// Host name or address.
    pub host: String,
    /// Port, 1883 unless said.
    pub port: u16,
    /// Name and token, when the address carries them.
    pub login: Option<(String, String)>,
}

impl FromStr for HubUrl {
    type Err = CredentialsError;

    fn from_str(text: &str) -> Result<Self, CredentialsError> {
        let hidden = || {
            text.rsplit_once('@')
                .map_or(text.to_owned(), |(_, host)| format!("mqtt://…@{host}"))
        };
        if text.starts_with("mqtts://") {
            return Err(CredentialsError::Tls(hidden()));
        }
        let fail = || CredentialsError::Address(hidden());
        let rest = text
            .strip_prefix("mqtt://")
            .ok_or_else(fail)?
            .trim_end_matches('/');
        let (login, place) = match rest.rsplit_once('@') {
            Some((login, place)) => (Some(login.split_once(':').ok_or_else(fail)?), place),
            None => (None, rest),
        };
        let (host, port) = host_and_port(place).ok_or_else(fail)?;
        Ok(HubUrl {
            host,
            port,
            login: login.map(|(name, token)| (name.to_owned(), token.to_owned())),
        })
    }
}

fn host_and_port(place: &str) -> Option<(String, u16)> {
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
            (host, port.parse().ok()?)
        }
        _ => (place, 1883),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let good = !host.is_empty() && !host.contains(['/', ' ', '@']);
    good.then(|| (host.to_owned(), port))
}

/// A credentials file (TOML): everything a program needs to reach its hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Name at the broker; an agent's name is its id.
    pub name: String,
    /// The secret.
    pub token: String,
    /// What it may do.
    pub role: Role,
    /// The venue whose topics it speaks.
    pub venue: VenueId,
    /// Host of the broker.
    pub host: String,
    /// Port of the broker.
    pub port: u16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_a_hub() {
        let rows = [
            (
                "mqtt://a1:t0ken@hub.local:1884",
                Some(("hub.local", 1884, true)),
            ),
            ("mqtt://10.0.0.5", Some(("10.0.0.5", 1883, false))),
            ("mqtt://a:b@[::1]:1883", Some(("::1", 1883, true))),
            ("mqtts://a:b@h", None),
            ("http://h", None),
            ("mqtt://", None),
            ("mqtt://h:port", None),
            ("mqtt://nameonly@h", None),
        ];
        for (text, want) in rows {
            let got = text.parse::<HubUrl>().ok();
            let got = got
                .as_ref()
                .map(|u| (u.host.as_str(), u.port, u.login.is_some()));
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn an_error_never_repeats_the_token() {
        let error = "mqtts://a:secret@h"
            .parse::<HubUrl>()
            .expect_err("tls")
            .to_string();
        assert!(!error.contains("secret") && error.contains('h'), "{error}");
    }
}
