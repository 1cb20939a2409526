//! The hub's configuration: one struct, documented here; command line, then environment, then file, then these defaults.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use protocol::{CredentialsError, EditionId, HubUrl, Regime, TimeControl, VenueId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use crate::feeds::FeedsConfig;
use crate::laws::Regulations;
use crate::rounds::RoundSetup;
use crate::views::Audience;
use crate::web::tables::Tables;

/// Why the configuration cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("H01 cannot read {}: {source} · help: give the right path with --config", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not in its form.
    #[error("H02 {}: {why} · help: `zeitnot-hub run --print-config` shows every key", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What and where.
        why: String,
    },
    /// A value makes no sense.
    #[error("H03 {0}")]
    Value(String),
    /// No place for data.
    #[error("H04 there is no home folder to keep data in · help: give a folder with --data")]
    NoHome,
}

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The venue's name, second level of every topic: a-z, 0-9, '-', '_', '.'.
    pub venue: VenueId,
    /// The folder for journal, store, credentials and feeds. Default: the user's data folder, `zeitnot` in it.
    pub data: Option<PathBuf>,
    /// The broker.
    pub broker: BrokerConfig,
    /// Wall pages, each for one audience.
    pub http: Vec<HttpConfig>,
    /// Audiences outside the hall; each sees completed and settled moves after its delay.
    pub audience: Vec<AudienceConfig>,
    /// Files for others.
    pub feeds: FeedsConfig,
    /// What holds for a round unless its pairings say otherwise.
    pub play: PlayConfig,
}

/// The broker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BrokerConfig {
    /// Where the embedded broker listens. Only this machine unless you say otherwise.
    pub listen: SocketAddr,
    /// An external MQTT 5 broker instead: `mqtt://name:token@host:1883`.
    pub external: Option<String>,
}

/// One wall page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpConfig {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Who looks at it: `hall`, or the name of an `[[audience]]`.
    #[serde(default = "hall")]
    pub audience: String,
    /// The tables it shows, `1-50,60`: the wall of one hall or section. Default: all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub boards: String,
    /// What its pages are called beside the event: the hall's or section's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

impl HttpConfig {
    /// A listener that shows everything to an audience.
    pub fn new(listen: SocketAddr, audience: &str) -> HttpConfig {
        HttpConfig {
            listen,
            audience: audience.to_owned(),
            boards: String::new(),
            name: String::new(),
        }
    }
}

/// An audience outside the hall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AudienceConfig {
    /// Its name in topics and for `[[http]]`.
    pub name: String,
    /// A usual delay: `live`, `two-moves` or `fifteen-minutes`. Default: fifteen minutes.
    #[serde(default)]
    pub preset: Preset,
    /// How much later it sees everything, seconds; in place of the preset's time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_s: Option<u32>,
    /// How many moves stay hidden while a game is in play; in place of the preset's moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_moves: Option<u16>,
}

/// Usual delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// None.
    Live,
    /// Two moves of each player.
    TwoMoves,
    /// What championships ask for.
    #[default]
    FifteenMinutes,
}

impl AudienceConfig {
    /// The audience with its delay.
    pub fn audience(&self) -> Audience {
        let (seconds, moves) = match (self.preset, self.delay_moves) {
            // Who asks for moves alone waits for moves alone.
            (Preset::Live, _) | (Preset::FifteenMinutes, Some(_)) => (0, 0),
            (Preset::TwoMoves, _) => (0, 2),
            (Preset::FifteenMinutes, None) => (900, 0),
        };
        let seconds = self.delay_s.unwrap_or(seconds);
        Audience::world(&self.name, u64::from(seconds) * 1000)
            .behind(self.delay_moves.unwrap_or(moves))
    }
}

/// What holds for a round unless its pairings say otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayConfig {
    /// The event's name.
    pub event: String,
    /// Where it is played.
    pub site: String,
    /// The date of the games as PGN writes it, 2026.11.29; empty: not said.
    pub date: String,
    /// Edition of the Laws.
    pub edition: EditionId,
    /// Standard, rapid or blitz; supervised or not.
    pub regime: Regime,
    /// The usual time control.
    pub time_control: TimeControl,
    /// Default time (6.7.1), minutes.
    pub default_minutes: u32,
    /// What the event announces beside the edition: guidelines that apply, limits on agreed draws, departures from the Laws.
    pub regulations: Regulations,
    /// A board that nobody paired opens a table by itself until there are pairings.
    pub open_tables: bool,
    /// The hall sees results before an arbiter confirms them.
    pub show_unconfirmed: bool,
}

fn hall() -> String {
    "hall".to_owned()
}

impl Default for Config {
    fn default() -> Self {
        Config {
            venue: "venue".parse().expect("a name"),
            data: None,
            broker: BrokerConfig::default(),
            http: vec![HttpConfig::new(
                SocketAddr::from(([127, 0, 0, 1], 8080)),
                "hall",
            )],
            audience: Vec::new(),
            feeds: FeedsConfig::default(),
            play: PlayConfig::default(),
        }
    }
}

impl Default for BrokerConfig {
    fn default() -> Self {
        BrokerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 1883)),
            external: None,
        }
    }
}

impl Default for PlayConfig {
    fn default() -> Self {
        PlayConfig {
            event: String::new(),
            site: String::new(),
            date: String::new(),
            edition: EditionId::default(),
            regime: Regime::default(),
            time_control: TimeControl::default(),
            default_minutes: 30,
            regulations: Regulations::default(),
            open_tables: true,
            show_unconfirmed: false,
        }
    }
}

impl Config {
    /// The configuration in a file.
    ///
    /// # Errors
    /// [`ConfigError::Read`], [`ConfigError::Form`] with line and column.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = fs::read_to_string(path).map_err(|source| ConfigError::Read {
            path: path.to_owned(),
            source,
        })?;
        toml::from_str(&text).map_err(|error: toml::de::Error| ConfigError::Form {
            path: path.to_owned(),
            why: error.to_string().trim_end().to_owned(),
        })
    }

    /// The data folder: as configured, else the user's.
    ///
    /// # Errors
    /// [`ConfigError::NoHome`].
    pub fn data(&self) -> Result<PathBuf, ConfigError> {
        match &self.data {
            Some(data) => Ok(data.clone()),
            None => default_data().ok_or(ConfigError::NoHome),
        }
    }

    /// Where the feeds' files go.
    ///
    /// # Errors
    /// [`ConfigError::NoHome`].
    pub fn feeds_folder(&self) -> Result<PathBuf, ConfigError> {
        match &self.feeds.folder {
            Some(folder) => Ok(folder.clone()),
            None => Ok(self.data()?.join("feeds")),
        }
    }

    /// The external broker's address, when one is configured.
    ///
    /// # Errors
    /// [`ConfigError::Value`] with the reason; a token is never repeated.
    pub fn external(&self) -> Result<Option<HubUrl>, ConfigError> {
        let parse = |text: &String| {
            text.parse()
                .map_err(|e: CredentialsError| value("[broker] external", &e))
        };
        self.broker.external.as_ref().map(parse).transpose()
    }

    /// Everything that makes no sense, in words with a cure each.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        problems.extend(self.external().err().map(|e| e.to_string()));
        let mut names = vec!["hall"];
        for audience in &self.audience {
            let name = audience.name.as_str();
            if names.contains(&name) {
                problems.push(format!("H03 audience {name:?} stands twice · help: give every [[audience]] its own name"));
            }
            if name.parse::<VenueId>().is_err() {
                problems.push(format!("H03 audience {name:?} cannot stand in a topic · help: use a-z, 0-9, '-', '_' and '.'"));
            }
            names.push(name);
        }
        let date = &self.play.date;
        if !date.is_empty() && !is_pgn_date(date) {
            problems.push(format!("H03 [play] date: {date:?} is no date · help: write 2026.11.29, with ?? for what is not known"));
        }
        for wall in self.http.iter().filter(|h| !Tables::is_list(&h.boards)) {
            problems.push(format!("H03 [[http]] boards {:?} is no list of tables · help: write numbers and ranges, \"1-50,60\"", wall.boards));
        }
        problems.extend(self.feeds.problems());
        problems.extend(self.ports_problems());
        let walls = self.http.iter();
        let walls = walls.map(|h| ("[[http]]".to_owned(), h.audience.as_str()));
        for (who, audience) in walls.chain(self.feeds.audiences()) {
            if !names.contains(&audience) {
                problems.push(format!("H03 {who} names the audience {audience:?}, which is not configured · help: use one of: {}", names.join(", ")));
            }
        }
        problems
    }

    /// Ports that are asked for twice.
    fn ports_problems(&self) -> Vec<String> {
        let broker = (self.broker.external.is_none())
            .then_some(("[broker] listen".to_owned(), self.broker.listen));
        let walls = self.http.iter();
        let walls = walls.map(|wall| ("[[http]] listen".to_owned(), wall.listen));
        let feeds = [
            (
                "[feeds.livechess_api] listen",
                self.feeds.livechess_api.listen,
            ),
            ("[feeds] operator", self.feeds.operator),
        ];
        let feeds = feeds.into_iter().filter(|_| self.feeds.enabled);
        let feeds = feeds.filter_map(|(who, listen)| Some((who.to_owned(), listen?)));
        let all: Vec<(String, SocketAddr)> = broker.into_iter().chain(walls).chain(feeds).collect();
        let others = |n: usize| all.get(n + 1..).unwrap_or_default();
        let pairs = all.iter().enumerate();
        let pairs = pairs.flat_map(|(n, one)| others(n).iter().map(move |other| (one, other)));
        let clashes = pairs.filter(|((_, one), (_, other))| is_same_port(*one, *other));
        clashes.map(|((who, one), (other, address))| format!(
            "H03 {who} {one} and {other} {address} ask for the same port \u{b7} help: give each a port of its own"
        )).collect()
    }

    /// The audiences outside.
    pub fn audiences(&self) -> Vec<Audience> {
        self.audience.iter().map(AudienceConfig::audience).collect()
    }

    /// A round as the configuration has it, without tables.
    pub fn base_round(&self) -> RoundSetup {
        RoundSetup {
            event: self.play.event.clone(),
            site: self.play.site.clone(),
            date: self.play.date.clone(),
            round: 1,
            edition: self.play.edition,
            regime: self.play.regime,
            time_control: self.play.time_control.clone(),
            default_ms: u64::from(self.play.default_minutes) * 60_000,
            regulations: self.play.regulations,
            ..RoundSetup::default()
        }
    }

    /// The whole as TOML.
    ///
    /// # Panics
    /// Never: every value has a TOML form.
    pub fn print(&self) -> String {
        toml::to_string_pretty(self).expect("every value has a TOML form")
    }
}

/// Whether the system lets only one of two listen; port 0 is whichever is free.
fn is_same_port(one: SocketAddr, other: SocketAddr) -> bool {
    let covers = |wide: SocketAddr, narrow: SocketAddr| {
        wide.ip().is_unspecified() && (wide.is_ipv6() || narrow.is_ipv4())
    };
    let meet = one.ip() == other.ip() || covers(one, other) || covers(other, one);
    one.port() != 0 && one.port() == other.port() && meet
}

/// Year, month and day as PGN writes them, unknown ones as question marks (PGN standard 8.1.1.3).
fn is_pgn_date(text: &str) -> bool {
    let within = |part: &str, length: usize, most: u32| {
        let digits = part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
        let number = part.parse().unwrap_or(0);
        part == "?".repeat(length) || digits && (1..=most).contains(&number)
    };
    match text.split('.').collect::<Vec<_>>()[..] {
        [year, month, day] => within(year, 4, 9999) && within(month, 2, 12) && within(day, 2, 31),
        _ => false,
    }
}

fn value(key: &str, error: &dyn std::fmt::Display) -> ConfigError {
    ConfigError::Value(format!("{key}: {error}"))
}

/// The user's data folder for the venue.
pub fn default_data() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "zeitnot")?;
    Some(dirs.data_dir().to_owned())
}

/// The configuration file that is read when none is named, if it exists.
pub fn default_file() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "zeitnot")?;
    Some(dirs.config_dir().join("hub.toml")).filter(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn the_shipped_file_says_the_defaults() {
        let shipped = parse(include_str!("../packaging/hub.toml")).expect("reads");
        assert_eq!(shipped, Config::default());
    }

    #[test]
    fn what_is_printed_reads_back() {
        let config =
            parse("venue = 'lyon'\n[[audience]]\nname = 'web'\ndelay_s = 900\n").expect("reads");
        assert_eq!(parse(&config.print()).expect("reads"), config);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("venu = 'x'", "venu"),
            ("venue = 'Große Halle'", "name"),
            ("[broker]\nlisten = '1883'", "listen"),
            ("[play]\nedition = 'fide-1851'", "fide-1851"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn nonsense_is_found_with_a_cure() {
        let rows = [
            ("", 0),
            ("[broker]\nexternal = 'http://x'", 1),
            ("[feeds]\naudience = 'web'", 1),
            ("[feeds.pgn]\naudience = 'web'", 1),
            (
                "[[feeds.lichess]]\nname = 'A'\nround = 'https://x'\ntoken_file = 'x'",
                1,
            ),
            (
                "[[feeds.lichess]]\nname = 'A'\nround = 'abcdefgh'\ntoken_file = 'x'",
                0,
            ),
            ("[[feeds.webhook]]\nname = 'A'\nurl = 'club.example'", 1),
            (
                "[[audience]]\nname = 'web'\ndelay_s = 9\n[feeds]\naudience = 'web'",
                0,
            ),
            ("[play]\ndate = '2026.11.29'", 0),
            ("[play]\ndate = '2026.??.??'", 0),
            ("[play]\ndate = 'Sunday'", 1),
            ("[play]\ndate = '2026.13.01'", 1),
            ("[play]\ndate = '29.11.2026'", 1),
            (
                "[[http]]\nlisten = '0.0.0.0:80'\nboards = '1-50,60'\nname = 'Hall A'",
                0,
            ),
            ("[[http]]\nlisten = '0.0.0.0:80'\nboards = 'first'", 1),
            (
                "[[feeds.lichess]]\nname = 'A'\nround = 'abcdefgh'\ntoken_file = 'x'\nboards = '1-50,60'",
                0,
            ),
            (
                "[[feeds.lichess]]\nname = 'A'\nround = 'abcdefgh'\ntoken_file = 'x'\nboards = 'zz'",
                1,
            ),
            (
                "[[feeds.lichess]]\nname = 'A'\nround = 'abcdefgh'\ntoken_file = 'x'\nboards = '1-'",
                1,
            ),
            ("[feeds.livechess_cloud]\nid = '../../../../evil'", 1),
            ("[feeds.livechess_cloud]\nid = '..'", 1),
            ("[feeds.livechess_cloud]\nid = 'a/b'", 1),
            ("[feeds.livechess_cloud]\nid = ''", 1),
            (
                "[feeds.livechess_cloud]\nid = 'lyon-2026'\ncountry = 'FR'",
                0,
            ),
            ("[feeds.livechess_cloud]\ncountry = 'NORWAY'", 1),
            ("[feeds.livechess_api]\ncountry = 'N0'", 1),
            ("[feeds.livechess_api]\norigins = ['lichess.org', '*']", 2),
            (
                "[feeds.livechess_api]\norigins = ['https://lichess.org']",
                0,
            ),
            ("[[feeds.webhook]]\nname = 'A'\nurl = 'http://'", 1),
            ("[[feeds.webhook]]\nname = 'A'\nurl = 'https:///boards'", 1),
            ("[[feeds.webhook]]\nname = 'A'\nurl = 'https://a b/'", 1),
            (
                "[[feeds.webhook]]\nname = 'A'\nurl = 'ftp://club.example'",
                1,
            ),
            (
                "[[feeds.webhook]]\nname = 'A'\nurl = 'https://club.example:8443/x?k=1'",
                0,
            ),
            (
                "[[feeds.webhook]]\nname = ' '\nurl = 'https://club.example'",
                1,
            ),
            (
                "[[http]]\nlisten = '0.0.0.0:80'\n[[http]]\nlisten = '127.0.0.1:80'",
                1,
            ),
            (
                "[[http]]\nlisten = '[::]:80'\n[[http]]\nlisten = '0.0.0.0:80'",
                1,
            ),
            (
                "[[http]]\nlisten = '10.0.0.1:80'\n[[http]]\nlisten = '10.0.0.2:80'",
                0,
            ),
            (
                "[[http]]\nlisten = '0.0.0.0:0'\n[[http]]\nlisten = '0.0.0.0:0'",
                0,
            ),
            ("[[http]]\nlisten = '127.0.0.1:1883'", 1),
            (
                "[[http]]\nlisten = '127.0.0.1:1982'\n[feeds.livechess_api]\nlisten = '127.0.0.1:1982'",
                1,
            ),
            (
                "[[http]]\nlisten = '127.0.0.1:1982'\n[feeds]\nenabled = false\n[feeds.livechess_api]\nlisten = '127.0.0.1:1982'",
                0,
            ),
            ("[feeds]\noperator = '127.0.0.1:8080'", 1),
            ("[[audience]]\nname = 'hall'\ndelay_s = 9", 1),
            ("[[audience]]\nname = 'A/B'\ndelay_s = 9", 1),
        ];
        for (text, count) in rows {
            let problems = parse(text).expect("reads").problems();
            assert_eq!(problems.len(), count, "{text}: {problems:?}");
            assert!(
                problems
                    .iter()
                    .all(|p| p.starts_with("H03") && p.contains("help:"))
            );
        }
    }
}
