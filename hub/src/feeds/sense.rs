//! What makes no sense in `[feeds]`, in words with a cure each; audiences and ports are looked at by the whole configuration.

use axum::http::Uri;
use protocol::livechess::is_origin;

use super::FeedsConfig;
use crate::web::tables::Tables;

impl FeedsConfig {
    /// Everything that no feed could follow.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.receivers_problems();
        for own in &self.lichess {
            let who = format!("H03 [[feeds.lichess]] {:?}:", own.name);
            let is_round =
                own.round.len() == 8 && own.round.chars().all(|c| c.is_ascii_alphanumeric());
            if !is_round {
                problems.push(format!("{who} {:?} is no round \u{b7} help: take the eight letters and digits at the end of the round's address", own.round));
            }
            if !Tables::is_list(&own.boards) {
                problems.push(format!("{who} boards {:?} is no list of tables \u{b7} help: write numbers and ranges, \"1-50,60\"", own.boards));
            }
        }
        let origins = self.livechess_api.origins.iter();
        problems.extend(origins.filter(|origin| !is_origin(origin)).map(|origin| format!(
            "H03 [feeds.livechess_api] origins: no browser calls a site {origin:?} \u{b7} help: write \"https://lichess.org\", or \"https://*.chess.com\" for every name below, in small letters and without a path"
        )));
        if !is_folder_name(&self.livechess_cloud.id) {
            problems.push(format!("H03 [feeds.livechess_cloud] id {:?} cannot stand in an address \u{b7} help: use letters, digits, '-', '_' and '.'", self.livechess_cloud.id));
        }
        let countries = [
            ("[feeds.livechess_api]", &self.livechess_api.country),
            ("[feeds.livechess_cloud]", &self.livechess_cloud.country),
        ];
        for (who, country) in countries
            .into_iter()
            .filter(|(_, country)| !is_country(country))
        {
            problems.push(format!("H03 {who} country {country:?} is none \u{b7} help: write its two letters, \"NO\", or leave it out"));
        }
        problems
    }

    /// The names and addresses of what is sent to.
    fn receivers_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let lichess = self.lichess.iter().map(|l| ("lichess", &l.name, &l.url));
        let webhook = self.webhook.iter().map(|w| ("webhook", &w.name, &w.url));
        for (kind, name, url) in lichess.chain(webhook) {
            let whole = format!("{kind}/{name}");
            if name.trim().is_empty() || name.chars().any(char::is_control) {
                problems.push(format!("H03 [[feeds.{kind}]] name {name:?} is none \u{b7} help: give it one that an operator can type"));
            } else if names.contains(&whole) {
                problems.push(format!(
                    "H03 [[feeds.{kind}]] {name:?} stands twice \u{b7} help: give each its own name"
                ));
            }
            if !is_address(url) {
                problems.push(format!("H03 [[feeds.{kind}]] {name:?}: {url:?} is no address \u{b7} help: begin it with https:// and the server's name"));
            }
            names.push(whole);
        }
        problems
    }
}

/// Whether something can be sent there.
fn is_address(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else {
        return false;
    };
    let scheme = uri.scheme_str().unwrap_or_default();
    let names_a_server = uri.host().is_some_and(|host| !host.is_empty());
    ["http", "https"].contains(&scheme) && names_a_server
}

/// One folder below another, whatever system reads it.
fn is_folder_name(text: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !text.is_empty() && text.len() <= 64 && !text.starts_with('.') && text.chars().all(is_usual)
}

fn is_country(text: &str) -> bool {
    text.is_empty() || text.len() == 2 && text.chars().all(|c| c.is_ascii_alphabetic())
}
