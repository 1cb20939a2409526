//! The language of the interface: one file of words per language in `lang/`; English stands in the source itself, as the key.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use serde::Deserialize;

use crate::action::{Action, Group};
use crate::sentences::Sentences;

/// A sentence in the reader's language: `t!(language, "{} of {} shown", shown, all)`.
macro_rules! t {
    ($language:expr, $text:literal $(, $part:expr)* $(,)?) => {
        $language.fill($text, &[$(&$part as &dyn std::fmt::Display),*])
    };
}

/// A word that is said later, by [`Language::say`]: marks it for the list of words.
macro_rules! word {
    ($text:literal) => {
        $text
    };
}

pub(crate) use {t, word};

/// Languages by code, each with the file of the interface and that of the hub's sentences.
const FILES: &[(&str, &str, &str)] = &[(
    "fr",
    include_str!("../lang/fr.toml"),
    include_str!("../lang/fr-hub.toml"),
)];

/// A language as its file says it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    actions: HashMap<String, [String; 2]>,
    words: HashMap<String, String>,
    #[serde(default)]
    alerts: HashMap<String, String>,
    #[serde(skip)]
    sent: Sentences,
}

/// What the hub says, as the language's second file says it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfHub {
    sent: HashMap<String, String>,
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
        let (_, own, of_hub) = FILES.iter().find(|(known, ..)| *known == code)?;
        let mut words: Words = toml::from_str(own).ok()?;
        let of_hub: OfHub = toml::from_str(of_hub).ok()?;
        // What both say, such as the ends of a game, stands in the first file only.
        let both = words
            .words
            .iter()
            .filter(|(english, _)| !english.contains('{'));
        let both = both.chain(&words.alerts);
        let both = both.map(|(english, said)| (english.clone(), said.clone()));
        words.sent = Sentences::new(both.chain(of_hub.sent).collect());
        Some(Language(Arc::new(words)))
    }

    /// The codes that are known.
    pub fn codes() -> String {
        let codes = FILES.iter().map(|(code, ..)| *code);
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

    /// An alert of a code in one line, without whose it is; none where the language leaves it to the hub.
    pub fn alert(&self, code: &str) -> Option<&str> {
        self.0.alerts.get(code).map(String::as_str)
    }

    /// What the language makes of a sentence that the hub sent.
    pub fn sent(&self, sentence: &str) -> String {
        self.0.sent.say(sentence)
    }

    /// Every sentence of the hub that the language knows, with what it makes of it.
    pub fn of_hub(&self) -> impl Iterator<Item = (String, &str)> {
        self.0.sent.all()
    }

    /// The heading of a group of actions.
    pub fn group(&self, group: Group) -> &str {
        self.say(group.title())
    }

    /// A word or sentence without gaps; what the language does not know stays as it is.
    pub fn say<'a>(&'a self, english: &'a str) -> &'a str {
        self.0.words.get(english).map_or(english, String::as_str)
    }

    /// A sentence with its gaps filled: `{}` in their order, or `{0}`, `{1}` where a language wants another one.
    pub fn fill(&self, english: &str, parts: &[&dyn Display]) -> String {
        filled(self.say(english), parts)
    }

    /// `n` things: one sentence for one of them, another with a gap for the number.
    pub fn many(&self, n: usize, one: &str, more: &str) -> String {
        match n {
            1 => self.say(one).to_owned(),
            n => self.fill(more, &[&n]),
        }
    }

    /// Every sentence that the language knows, with what it makes of it.
    pub fn sentences(&self) -> impl Iterator<Item = (&str, &str)> {
        let words = self.0.words.iter();
        words.map(|(english, said)| (english.as_str(), said.as_str()))
    }
}

/// A text with its gaps filled.
pub(crate) fn filled(text: &str, parts: &[&dyn Display]) -> String {
    let (mut full, mut rest, mut next) = (String::new(), text, 0);
    while let Some((before, gap, after)) = gap(rest) {
        full.push_str(before);
        let index = gap.unwrap_or(next);
        next += 1;
        if let Some(part) = parts.get(index) {
            full.push_str(&part.to_string());
        }
        rest = after;
    }
    full + rest
}

/// The first gap of a text: what stands before it, its number where it has one, what stands after it.
fn gap(text: &str) -> Option<(&str, Option<usize>, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (number, after) = rest.split_once('}')?;
    Some((before, number.parse().ok(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_what_stands_in_the_source() {
        let english = Language::of("en").expect("known");
        assert_eq!(english.word(Action::Take), "take");
        assert_eq!(english.say("Needs you"), "Needs you");
        let french = Language::of("fr").expect("known");
        assert_eq!(french.word(Action::Take), "prendre");
        assert_eq!(Language::of("xx"), None);
    }

    #[test]
    fn gaps_are_filled_in_the_order_that_the_language_wants() {
        let words = HashMap::from([("{} of {}".to_owned(), "{1}: {0}".to_owned())]);
        let language = Language(Arc::new(Words {
            words,
            ..Words::default()
        }));
        assert_eq!(t!(language, "{} of {}", 2, "all"), "all: 2");
        assert_eq!(t!(language, "{} and {}", 2, "more"), "2 and more");
        assert_eq!(t!(language, "a {brace"), "a {brace");
        assert_eq!(language.many(1, "1 fact", "{} facts"), "1 fact");
        assert_eq!(language.many(3, "1 fact", "{} facts"), "3 facts");
    }
}
