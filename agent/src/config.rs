//! Everything an agent can be told: the file `agent.toml`, the command line over it, and what is assumed otherwise.

mod hubs;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use protocol::livechess::{ORIGINS, is_origin};
use protocol::{AgentId, DeviceId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::devices::{ClockSide, Orientation, driver};
use crate::outbox::DEFAULT_QUOTA;
use crate::ports::{AUTO, PortInfo, Selector};

pub use hubs::{
    Hub, HubError, default_data_folder, display_from_file, find_local, from_file, from_url,
};

/// The file `agent.toml`. Unknown keys are refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The agent's name, 1 to 64 of a-z, 0-9, `-`, `_`, `.`; by default the name in the credentials.
    pub name: Option<AgentId>,
    /// Folder for facts that wait for the hub and for the state of boards.
    pub state: PathBuf,
    /// Ports that may be opened: `/dev/ttyACM0`, `/dev/ttyACM*`, `VID:PID` or `VID:PID:SERIAL`. Empty: none.
    pub ports: Vec<Selector>,
    /// Ports that are never opened, whatever `ports` says.
    pub deny: Vec<Selector>,
    /// Family of the boards on these ports; `auto` finds out.
    pub family: String,
    /// Families of single ports, by selector: `"/dev/ttyUSB3" = "dgtbus"`.
    pub families: BTreeMap<String, String>,
    /// Boards on a wireless link: everything waits twice as long.
    pub bluetooth: bool,
    /// Largest size of one device's file of waiting facts, bytes.
    pub outbox_bytes: u64,
    /// Brokers, tried in this order.
    #[serde(rename = "hub")]
    pub hubs: Vec<HubEntry>,
    /// What is fixed for single devices.
    #[serde(rename = "device")]
    pub devices: Vec<DeviceEntry>,
    /// The local API of LiveChess, for a browser on this computer.
    pub livechess: LivechessEntry,
}

/// `[livechess]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LivechessEntry {
    /// Where it listens: clients know 127.0.0.1:1982. Default: nowhere.
    pub listen: Option<SocketAddr>,
    /// Pages of other sites that may connect; `*.` in front stands for any name below.
    pub origins: Vec<String>,
}

impl Default for LivechessEntry {
    fn default() -> LivechessEntry {
        LivechessEntry {
            listen: None,
            origins: ORIGINS.map(str::to_owned).into(),
        }
    }
}

/// One broker: a credentials file, or an address with the venue.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HubEntry {
    /// File made by `zeitnot-hub credentials add NAME --role agent -o FILE`.
    pub credentials: Option<PathBuf>,
    /// `mqtt://name:token@host:1883`.
    pub url: Option<String>,
    /// The venue, first level of all topics, where an address is given.
    pub venue: Option<String>,
}

/// What is fixed for one device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceEntry {
    /// Its id: `dgt-01025`.
    pub id: DeviceId,
    /// How the board lies; found out at the initial position unless fixed here.
    #[serde(default)]
    pub orientation: Option<Orientation>,
    /// White's side of the chessclock; found out unless fixed here.
    #[serde(default)]
    pub white_at: Option<ClockSide>,
}

/// Why a configuration cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error(
        "A01 cannot read {path}: {why} · help: give an existing file with --config, or none for the defaults"
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// The file is not what it should be.
    #[error(
        "A02 {path}: {why} · help: `zeitnot-agent run --print-config` shows a file with every key"
    )]
    Shape {
        /// The file.
        path: PathBuf,
        /// Where and what.
        why: String,
    },
    /// A family nobody knows.
    #[error(
        "A04 no driver for the family {0:?} · help: `zeitnot-agent list --supported` shows the families"
    )]
    Family(String),
    /// A site that no browser calls so.
    #[error(
        "A02 [livechess] origins: no browser calls a site {0:?} \u{b7} help: write \"https://lichess.org\", or \"https://*.chess.com\" for every name below, in small letters and without a path"
    )]
    Origin(String),
    /// A selector that names no port.
    #[error(transparent)]
    Selector(crate::ports::SelectorError),
    /// A broker cannot be used.
    #[error(transparent)]
    Hub(#[from] HubError),
}

impl Default for Config {
    fn default() -> Config {
        Config {
            name: None,
            state: default_state(),
            ports: Vec::new(),
            deny: Vec::new(),
            family: AUTO.to_owned(),
            families: BTreeMap::new(),
            bluetooth: false,
            outbox_bytes: DEFAULT_QUOTA,
            hubs: Vec::new(),
            devices: Vec::new(),
            livechess: LivechessEntry::default(),
        }
    }
}

impl Config {
    /// Reads a file; without one, the usual places are looked at and defaults are taken when nothing is there.
    ///
    /// # Errors
    /// [`ConfigError`] when a file is named and cannot be read, or does not fit.
    pub fn read(path: Option<&Path>) -> Result<Config, ConfigError> {
        let usual = || usual_places().into_iter().find(|path| path.is_file());
        let Some(path) = path.map(Path::to_owned).or_else(usual) else {
            return Ok(Config::default());
        };
        let text = std::fs::read_to_string(&path).map_err(|why| ConfigError::Read {
            path: path.clone(),
            why,
        })?;
        toml::from_str(&text).map_err(|why| ConfigError::Shape {
            path,
            why: why.to_string().trim_end().to_owned(),
        })
    }

    /// The file that says the same.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).unwrap_or_default()
    }

    /// The family a port belongs to, or `auto`.
    pub fn family_of(&self, port: &PortInfo) -> &str {
        let named = self.families.iter().find(|(selector, _)| {
            let selector = selector.parse::<Selector>();
            selector.is_ok_and(|selector| selector.matches(port))
        });
        named.map_or(&self.family, |(_, family)| family)
    }

    /// Every family that is named has a driver, every selector names ports, and every site is one.
    ///
    /// # Errors
    /// The first that has none.
    pub fn check(&self) -> Result<(), ConfigError> {
        for family in self.families.values().chain([&self.family]) {
            if family != AUTO && driver(family).is_none() {
                return Err(ConfigError::Family(family.clone()));
            }
        }
        if let Some(origin) = self.livechess.origins.iter().find(|text| !is_origin(text)) {
            return Err(ConfigError::Origin(origin.clone()));
        }
        for selector in self.families.keys() {
            selector
                .parse::<Selector>()
                .map_err(ConfigError::Selector)?;
        }
        Ok(())
    }

    /// What is fixed for a device.
    pub fn device(&self, id: &DeviceId) -> Option<&DeviceEntry> {
        self.devices.iter().find(|entry| entry.id == *id)
    }

    /// The brokers with everything needed to speak to them.
    ///
    /// # Errors
    /// [`HubError`] for the first that cannot be used.
    pub fn brokers(&self) -> Result<Vec<Hub>, HubError> {
        self.hubs.iter().map(HubEntry::hub).collect()
    }
}

impl HubEntry {
    /// A broker known by its credentials file.
    pub fn file(path: PathBuf) -> HubEntry {
        HubEntry {
            credentials: Some(path),
            ..HubEntry::default()
        }
    }

    fn hub(&self) -> Result<Hub, HubError> {
        match (&self.credentials, &self.url) {
            (Some(path), None) => from_file(path),
            (None, Some(url)) => from_url(url, self.venue.as_deref()),
            _ => Err(HubError::Either),
        }
    }
}

/// Places where `agent.toml` is looked for.
pub fn usual_places() -> Vec<PathBuf> {
    let own = directories::ProjectDirs::from("", "", "zeitnot")
        .map(|dirs| dirs.config_dir().join("agent.toml"));
    own.into_iter()
        .chain([PathBuf::from("/etc/zeitnot/agent.toml")])
        .collect()
}

fn default_state() -> PathBuf {
    let service = std::env::var_os("STATE_DIRECTORY").map(PathBuf::from);
    let own = || {
        directories::ProjectDirs::from("", "", "zeitnot")
            .map(|dirs| dirs.data_local_dir().join("agent"))
    };
    service
        .or_else(own)
        .unwrap_or_else(|| PathBuf::from("zeitnot-agent-state"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packaged_file_is_understood_and_says_what_is_assumed_anyway() {
        let text = include_str!("../packaging/agent.toml");
        let config: Config = toml::from_str(text).expect("the packaged file is good");
        assert!(config.ports.is_empty(), "a fresh agent opens no port");
        assert_eq!(config.family, "auto");
    }

    #[test]
    fn a_printed_configuration_reads_back() {
        let config = Config {
            ports: vec![
                "/dev/ttyACM*".parse().expect("good"),
                "0403:6001:A1".parse().expect("good"),
            ],
            hubs: vec![HubEntry::file("local-agent.toml".into())],
            devices: vec![DeviceEntry {
                id: "dgt-01025".parse().expect("good"),
                orientation: Some(Orientation::Rotated),
                white_at: Some(ClockSide::Left),
            }],
            ..Config::default()
        };
        let back: Config = toml::from_str(&config.to_toml()).expect("own words");
        assert_eq!(back, config);
    }

    #[test]
    fn mistakes_are_named() {
        let rows = [
            ("prots = []", "prots"),
            ("ports = [\"ttyACM0\"]", "ttyACM0"),
            ("[[device]]\nid = \"A B\"", "A B"),
            ("[[hub]]\nsecret = \"x\"", "secret"),
        ];
        let dir = tempfile::tempdir().expect("a place");
        for (text, word) in rows {
            let path = dir.path().join("agent.toml");
            std::fs::write(&path, text).expect("written");
            let error = Config::read(Some(&path)).expect_err(text).to_string();
            assert!(error.contains(word) && error.contains("A02"), "{error}");
        }
    }

    #[test]
    fn what_reads_well_and_cannot_be_used_is_named() {
        let rows = [
            ("", None),
            ("family = \"abacus\"", Some("abacus")),
            ("[livechess]\norigins = [\"https://lichess.org\"]", None),
            (
                "[livechess]\norigins = [\"lichess.org\"]",
                Some("\"lichess.org\""),
            ),
        ];
        for (text, word) in rows {
            let config: Config = toml::from_str(text).expect("it reads");
            let said = config.check().err().map(|error| error.to_string());
            let named = said.as_deref().zip(word);
            assert_eq!(said.is_some(), word.is_some(), "{text}");
            assert!(named.is_none_or(|(said, word)| said.contains(word) && said.contains("help:")));
        }
    }
}
