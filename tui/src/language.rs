//! The language of the interface: one file of words per language in `lang/`, English in the source itself.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::action::{Action, Group};

/// Every word beside the keys that a language has to know.
pub const WORDS: &[&str] = &[
    "All keys",
    "Help for here",
    "Needs you",
    "nobody needs you",
    "Open",
    "Snoozed",
    "Closed this round",
    "nothing open",
    "Feeds",
    "Not confirmed",
    "Completed illegal moves",
    "To close the round",
    "the Laws want you to act unasked",
    "a player has stopped the clocks or claims",
    "be near, say nothing (12.6)",
    "the record is at risk, not the game",
    "worked out, not read: a running clock, or old data",
    "help",
    "sector",
    "wall page",
    "not now",
];

/// Languages by code, each with its file.
const FILES: &[(&str, &str)] = &[("fr", include_str!("../lang/fr.toml"))];

/// A language as its file says it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    actions: HashMap<String, [String; 2]>,
    words: HashMap<String, String>,
}

/// The language of the interface; English where nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Language(Arc<Words>);

impl Language {
    /// The language of a code: en, fr; none when it is not known.
    pub fn of(code: &str) -> Option<Language> {
        if code == "en" {
            return Some(Language::default());
        }
        let (_, file) = FILES.iter().find(|(known, _)| *known == code)?;
        toml::from_str(file).ok().map(Arc::new).map(Language)
    }

    /// The codes that are known.
    pub fn codes() -> String {
        let codes = FILES.iter().map(|(code, _)| *code);
        std::iter::once("en")
            .chain(codes)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// One word for an action.
    pub fn word(&self, action: Action) -> &str {
        let info = action.info();
        self.0.actions.get(info.name).map_or(info.word, |a| &a[0])
    }

    /// One line for the help of an action.
    pub fn help(&self, action: Action) -> &str {
        let info = action.info();
        self.0.actions.get(info.name).map_or(info.help, |a| &a[1])
    }

    /// The heading of a group of actions.
    pub fn group(&self, group: Group) -> &str {
        self.say(group.title())
    }

    /// One of [`WORDS`]; what the language does not know stays English.
    pub fn say<'a>(&'a self, english: &'a str) -> &'a str {
        self.0.words.get(english).map_or(english, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_complete_and_knows_nothing_else() {
        let groups = Group::ALL.iter().map(|g| g.title());
        let mut wanted: Vec<&str> = WORDS.iter().copied().chain(groups).collect();
        wanted.sort_unstable();
        let mut actions: Vec<&str> = Action::ALL.iter().map(|a| a.info().name).collect();
        actions.sort_unstable();
        for (code, file) in FILES {
            let words: Words = toml::from_str(file).expect("a file of words");
            let mut known: Vec<&str> = words.words.keys().map(String::as_str).collect();
            known.sort_unstable();
            assert_eq!(known, wanted, "{code}");
            let mut named: Vec<&str> = words.actions.keys().map(String::as_str).collect();
            named.sort_unstable();
            assert_eq!(named, actions, "{code}");
        }
    }

    #[test]
    fn english_is_what_stands_in_the_source() {
        let english = Language::of("en").expect("known");
        assert_eq!(english.word(Action::Take), "take");
        assert_eq!(english.say("Needs you"), "Needs you");
        let french = Language::of("fr").expect("known");
        assert_eq!(french.word(Action::Take), "prendre");
        assert_eq!(Language::of("xx"), None);
    }
}
