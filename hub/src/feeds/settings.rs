//! What can be set for the feeds: one section for each, in `[feeds]` of `hub.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;

use protocol::livechess::ORIGINS;
use serde::{Deserialize, Serialize};

use super::{FEEDS, FeedLine};

/// Everything in `[feeds]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FeedsConfig {
    /// Whether any feed works.
    pub enabled: bool,
    /// Where files go. Default: `feeds` in the data folder.
    pub folder: Option<PathBuf>,
    /// For whom, where a feed does not say so itself: `hall`, or the name of an `[[audience]]`.
    pub audience: String,
    /// Where the operator's page listens; nobody but operators may reach it. Default: nowhere.
    pub operator: Option<SocketAddr>,
    /// PGN files: one for each game, each round and the event.
    pub pgn: PgnSettings,
    /// The folder that LiveChess would write.
    pub livechess_folder: FolderSettings,
    /// The local API of LiveChess, HTTP and WebSocket.
    pub livechess_api: ApiSettings,
    /// The JSON layout of LiveChess Cloud as files; every wall page serves the same at `/get/`.
    pub livechess_cloud: CloudSettings,
    /// Results for pairing programs.
    pub results: ResultsSettings,
    /// Rounds at Lichess that are pushed to.
    pub lichess: Vec<LichessSettings>,
    /// Addresses that are told every change.
    pub webhook: Vec<WebhookSettings>,
}

impl Default for FeedsConfig {
    fn default() -> Self {
        FeedsConfig {
            enabled: true,
            folder: None,
            audience: "hall".to_owned(),
            operator: None,
            pgn: PgnSettings::default(),
            livechess_folder: FolderSettings::default(),
            livechess_api: ApiSettings::default(),
            livechess_cloud: CloudSettings::default(),
            results: ResultsSettings::default(),
            lichess: Vec::new(),
            webhook: Vec::new(),
        }
    }
}

/// The kinds of PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PgnForm {
    /// What every reader accepts.
    #[default]
    Clean,
    /// e-PGN with clock and time spent in one comment, which every reader accepts.
    EPgn,
    /// e-PGN, letter for letter as LiveChess writes it: chess.js refuses the two comments behind each move.
    Livechess,
}

impl PgnForm {
    /// The form of a word in an address or a configuration; an empty one means the clean form.
    pub fn of(word: &str) -> Option<PgnForm> {
        match word {
            "" | "clean" => Some(PgnForm::Clean),
            "e-pgn" => Some(PgnForm::EPgn),
            "livechess" => Some(PgnForm::Livechess),
            _ => None,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            PgnForm::Clean => "clean",
            PgnForm::EPgn => "e-pgn",
            PgnForm::Livechess => "livechess",
        }
    }
}

/// `[feeds.pgn]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PgnSettings {
    /// Whether the files are written.
    pub enabled: bool,
    /// For whom, if not for the audience of all feeds.
    pub audience: Option<String>,
    /// `clean`, `e-pgn` or `livechess`.
    pub form: PgnForm,
}

impl Default for PgnSettings {
    fn default() -> Self {
        PgnSettings {
            enabled: true,
            audience: None,
            form: PgnForm::Clean,
        }
    }
}

/// `[feeds.livechess_folder]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FolderSettings {
    /// Whether the folder is written.
    pub enabled: bool,
    /// For whom, if not for the audience of all feeds.
    pub audience: Option<String>,
    /// `e-pgn`, `livechess` or `clean`.
    pub form: PgnForm,
    /// Also `games.pgn` with all games of a round ("Combine PGNs per round").
    pub combine: bool,
    /// Also `game-M.json`.
    pub json: bool,
}

impl Default for FolderSettings {
    fn default() -> Self {
        FolderSettings {
            enabled: false,
            audience: None,
            form: PgnForm::EPgn,
            combine: true,
            json: true,
        }
    }
}

/// `[feeds.livechess_api]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApiSettings {
    /// Where it listens: real clients know no other port than 1982. Default: nowhere.
    pub listen: Option<SocketAddr>,
    /// For whom, if not for the audience of all feeds.
    pub audience: Option<String>,
    /// Pages of other sites that may connect; `*.` in front stands for any name below.
    pub origins: Vec<String>,
    /// Country of the event, two letters.
    pub country: String,
}

impl Default for ApiSettings {
    fn default() -> Self {
        ApiSettings {
            listen: None,
            audience: None,
            origins: ORIGINS.map(str::to_owned).into(),
            country: String::new(),
        }
    }
}

/// `[feeds.livechess_cloud]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CloudSettings {
    /// Whether the files are written.
    pub enabled: bool,
    /// For whom, if not for the audience of all feeds.
    pub audience: Option<String>,
    /// The name of the event in addresses.
    pub id: String,
    /// Country of the event, two letters.
    pub country: String,
}

impl Default for CloudSettings {
    fn default() -> Self {
        CloudSettings {
            enabled: false,
            audience: None,
            id: "event".to_owned(),
            country: String::new(),
        }
    }
}

/// `[feeds.results]`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResultsSettings {
    /// Whether the files are written.
    pub enabled: bool,
    /// For whom, if not for the audience of all feeds.
    pub audience: Option<String>,
}

/// `[[feeds.lichess]]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LichessSettings {
    /// A name for the operator.
    pub name: String,
    /// Which of our rounds; 0: whichever is played.
    #[serde(default)]
    pub our_round: u16,
    /// The eight letters and digits of the round there.
    pub round: String,
    /// File that holds the token, scope `study:write`.
    pub token_file: PathBuf,
    /// Tables: `1-64,70`; empty: all.
    #[serde(default)]
    pub boards: String,
    /// For whom, if not for the audience of all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<String>,
    /// Another server that speaks the same.
    #[serde(default = "lichess")]
    pub url: String,
}

fn lichess() -> String {
    "https://lichess.org".to_owned()
}

/// `[[feeds.webhook]]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// A name for the operator.
    pub name: String,
    /// Where every changed board is sent, as JSON.
    pub url: String,
    /// File that holds a token, sent as `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_file: Option<PathBuf>,
    /// For whom, if not for the audience of all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<String>,
}

impl FeedsConfig {
    /// Every file that holds a token.
    pub fn token_files(&self) -> impl Iterator<Item = &PathBuf> {
        let lichess = self.lichess.iter().map(|l| &l.token_file);
        lichess.chain(self.webhook.iter().filter_map(|w| w.token_file.as_ref()))
    }

    /// Whether some receiver gets what the hall sees.
    pub fn leave_at_once(&self) -> bool {
        let mut receivers = self.receivers().into_iter();
        self.enabled && receivers.any(|receiver| receiver.audience == "hall")
    }

    /// The feeds that listen or send, each with where and for whom, in words.
    pub fn ways_out(&self) -> Vec<String> {
        let way = |name: &str, place: &str, own: &Option<String>| {
            format!("{name}  {place}  ({})", self.audience_of(own))
        };
        let api = &self.livechess_api;
        let api = api.listen.map(|address| {
            let place = format!("http://{address}/api/v1.0");
            way("livechess-api", &place, &api.audience)
        });
        let lichess = self.lichess.iter().map(|own| {
            let place = format!("{} round {}", own.url, own.round);
            way(&format!("lichess/{}", own.name), &place, &own.audience)
        });
        let webhook = self.webhook.iter().map(|own| {
            // What stands behind a question mark may be a secret.
            let place = own.url.split('?').next().unwrap_or_default();
            way(&format!("webhook/{}", own.name), place, &own.audience)
        });
        let all = api.into_iter().chain(lichess).chain(webhook);
        all.filter(|_| self.enabled).collect()
    }

    /// Every audience that is named, and by whom.
    pub fn audiences(&self) -> Vec<(String, &str)> {
        let own = [
            ("[feeds.pgn]", &self.pgn.audience),
            ("[feeds.livechess_folder]", &self.livechess_folder.audience),
            ("[feeds.livechess_api]", &self.livechess_api.audience),
            ("[feeds.livechess_cloud]", &self.livechess_cloud.audience),
            ("[feeds.results]", &self.results.audience),
        ];
        let lichess = self
            .lichess
            .iter()
            .map(|l| ("[[feeds.lichess]]", &l.audience));
        let webhook = self
            .webhook
            .iter()
            .map(|w| ("[[feeds.webhook]]", &w.audience));
        let all = own.into_iter().chain(lichess).chain(webhook);
        std::iter::once(("[feeds]".to_owned(), self.audience.as_str()))
            .chain(all.filter_map(|(who, audience)| Some((who.to_owned(), audience.as_deref()?))))
            .collect()
    }

    /// Every receiver that is configured, of which nothing is known yet.
    pub fn receivers(&self) -> Vec<FeedLine> {
        let targets = FEEDS.iter().flat_map(|feed| feed.targets(self));
        targets.map(|target| FeedLine::of(&target)).collect()
    }

    /// The audience of a feed that names this one, or none.
    pub fn audience_of<'a>(&'a self, own: &'a Option<String>) -> &'a str {
        own.as_deref().unwrap_or(&self.audience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_says_where_everything_goes() {
        let text = "audience = 'web'\n[livechess_api]\nlisten = '127.0.0.1:1982'\naudience = 'hall'\n\
             [[lichess]]\nname = 'A'\nround = 'abcdEFGH'\ntoken_file = 'token'\n\
             [[webhook]]\nname = 'club'\nurl = 'https://club.example/boards?key=secret'\n";
        let config: FeedsConfig = toml::from_str(text).expect("reads");
        let ways = [
            "livechess-api  http://127.0.0.1:1982/api/v1.0  (hall)",
            "lichess/A  https://lichess.org round abcdEFGH  (web)",
            "webhook/club  https://club.example/boards  (web)",
        ];
        assert_eq!(config.ways_out(), ways);
        assert!(config.leave_at_once());
        let nothing = FeedsConfig {
            enabled: false,
            ..config
        };
        assert!(nothing.ways_out().is_empty() && !nothing.leave_at_once());
    }
}
