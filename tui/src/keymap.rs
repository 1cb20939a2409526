//! Which key asks for which action: the usual table, changed by name in `tui.toml`.

use std::collections::{BTreeMap, HashMap};

use crate::action::{Action, Group};
use crate::key::{Key, keys};
use crate::language::{Language, word};

/// Bindings of keys and short sequences of keys.
#[derive(Debug, Clone)]
pub struct Keymap {
    by_keys: HashMap<Vec<Key>, Action>,
    by_action: BTreeMap<Action, Vec<String>>,
    longest: usize,
}

impl Default for Keymap {
    fn default() -> Self {
        Keymap::new(&BTreeMap::new()).expect("the usual keys do not clash")
    }
}

impl Keymap {
    /// The usual table with some actions bound anew; the names are those of [`Action`].
    ///
    /// # Errors
    /// A sentence when a name is no action, a text is no key, or a key is given to two actions.
    pub fn new(changes: &BTreeMap<String, Vec<String>>) -> Result<Keymap, String> {
        let unknown = |name: &&String| Action::named(name).is_none();
        if let Some(name) = changes.keys().find(unknown) {
            return Err(format!(
                "[keys] {name} is no action; `zeitnot keys --markdown` lists them"
            ));
        }
        let mut map = Keymap {
            by_keys: HashMap::new(),
            by_action: BTreeMap::new(),
            longest: 1,
        };
        let chosen = |action: &Action| changes.contains_key(action.info().name);
        let (mine, usual): (Vec<Action>, Vec<Action>) =
            Action::ALL.iter().copied().partition(chosen);
        for action in mine {
            for text in &changes[action.info().name] {
                map.bind(text, action, true)?;
            }
        }
        for action in usual {
            for text in action.info().keys {
                map.bind(text, action, false)?;
            }
        }
        Ok(map)
    }

    fn bind(&mut self, text: &str, action: Action, mine: bool) -> Result<(), String> {
        let sequence = keys(text)?;
        match self.by_keys.get(&sequence) {
            Some(other) if mine && *other != action => Err(format!(
                "[keys] {text:?} is given to {} and to {}",
                other.info().name,
                action.info().name
            )),
            Some(_) => Ok(()),
            None => {
                self.longest = self.longest.max(sequence.len());
                self.by_keys.insert(sequence, action);
                let list = self.by_action.entry(action).or_default();
                list.push(text.to_owned());
                Ok(())
            }
        }
    }

    /// The action of the keys pressed last, newest last; a longer sequence wins over its last key.
    pub fn action(&self, pressed: &[Key]) -> Option<Action> {
        (1..=self.longest.min(pressed.len()))
            .rev()
            .find_map(|n| self.by_keys.get(&pressed[pressed.len() - n..]).copied())
    }

    /// How many keys the longest sequence has.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The first key of an action, for footers; empty when it has none.
    pub fn key(&self, action: Action) -> &str {
        self.by_action
            .get(&action)
            .and_then(|keys| keys.first())
            .map_or("", String::as_str)
    }

    /// All keys of an action, for help.
    pub fn all(&self, action: Action) -> String {
        self.by_action
            .get(&action)
            .map_or(String::new(), |keys| keys.join(", "))
    }

    /// The table of keys for a terminal.
    pub fn plain(&self, language: &Language) -> String {
        let line = |&action: &Action| {
            let info = action.info();
            format!(
                "{:18} {:16} {}\n",
                self.all(action),
                info.name,
                language.help(action)
            )
        };
        Action::ALL.iter().map(line).collect()
    }

    /// The table of keys as Markdown, for the documentation.
    pub fn markdown(&self, language: &Language) -> String {
        let title = language.say(word!("Keys of the dashboard"));
        let columns = language.say(word!("| key | name | does |"));
        let mut text = format!("# {title}\n");
        for group in Group::ALL {
            text.push_str(&format!(
                "\n## {}\n\n{columns}\n|---|---|---|\n",
                language.group(group)
            ));
            for &action in Action::ALL.iter().filter(|a| a.info().group == group) {
                let info = action.info();
                let keys = self.by_action.get(&action).cloned().unwrap_or_default();
                let keys: Vec<String> = keys.iter().map(|k| format!("`{k}`")).collect();
                text.push_str(&format!(
                    "| {} | `{}` | {} |\n",
                    keys.join(" "),
                    info.name,
                    language.help(action)
                ));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(name: &str, keys: &[&str]) -> Result<Keymap, String> {
        let keys = keys.iter().map(|k| (*k).to_owned()).collect();
        Keymap::new(&BTreeMap::from([(name.to_owned(), keys)]))
    }

    #[test]
    fn a_sequence_wins_over_its_last_key() {
        let map = changed("rule", &["r", "enter enter"]).expect("good");
        let pressed = |text| map.action(&keys(text).expect("keys"));
        assert_eq!(pressed("enter"), Some(Action::Open));
        assert_eq!(pressed("enter enter"), Some(Action::Rule));
        assert_eq!(pressed("j enter"), Some(Action::Open));
        assert_eq!(pressed("r"), Some(Action::Rule));
        assert_eq!(pressed("Z"), None);
    }

    #[test]
    fn a_key_given_anew_leaves_its_old_action() {
        let map = changed("take", &["r"]).expect("good");
        assert_eq!(map.action(&[Key::char('r')]), Some(Action::Take));
        assert_eq!(map.key(Action::Rule), "");
    }

    #[test]
    fn wrong_bindings_say_what_is_wrong() {
        let rows = [
            ("tak", &["a"][..], "no action"),
            ("take", &["ctrl-"][..], "no key"),
        ];
        for (name, keys, why) in rows {
            let error = changed(name, keys).expect_err("wrong");
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn every_action_stands_in_the_printed_table() {
        let text = Keymap::default().markdown(&Language::default());
        for action in Action::ALL {
            assert!(text.contains(&format!("| `{}` |", action.info().name)));
        }
    }
}
