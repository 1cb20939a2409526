//! Which key asks for which action: the usual table, changed by name in `tui.toml`.

use std::collections::{BTreeMap, HashMap};

use crate::action::{Action, Group};
use crate::key::{Key, keys};
use crate::language::{Language, word};

/// Screens on which a key can mean something of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    /// Who needs me, and the hall.
    Tables,
    /// One table.
    Table,
    /// The inbox.
    Alerts,
    /// Results.
    Round,
    /// Boards and clocks.
    Devices,
    /// One line per event.
    Journal,
}

impl Screen {
    const NAMED: [(&str, Screen); 6] = [
        ("tables", Screen::Tables),
        ("table", Screen::Table),
        ("alerts", Screen::Alerts),
        ("round", Screen::Round),
        ("devices", Screen::Devices),
        ("journal", Screen::Journal),
    ];

    /// The screen before the colon of `round:g`, and the keys behind it.
    fn of(text: &str) -> (Option<Screen>, &str) {
        let named = text.split_once(':').and_then(|(name, keys)| {
            let (_, screen) = Screen::NAMED.iter().find(|(known, _)| *known == name)?;
            Some((Some(*screen), keys))
        });
        named.unwrap_or((None, text))
    }
}

/// Bindings of keys and short sequences of keys; what a key means on one screen goes before what it means on all.
#[derive(Debug, Clone)]
pub struct Keymap {
    by_keys: HashMap<(Option<Screen>, Vec<Key>), Action>,
    by_action: BTreeMap<Action, Vec<String>>,
    longest: usize,
}

impl Default for Keymap {
    fn default() -> Self {
        Keymap::new(&BTreeMap::new()).expect("the usual keys do not clash")
    }
}

/// Without these nobody finds his way, nor out.
const NEEDED: [Action; 7] = [
    Action::Open,
    Action::Back,
    Action::Up,
    Action::Down,
    Action::Palette,
    Action::Help,
    Action::Quit,
];

impl Keymap {
    /// The usual table with some actions bound anew; the names are those of [`Action`].
    ///
    /// # Errors
    /// A sentence when a name is no action, a text is no key, a key is given to two actions, or one that nobody can do
    /// without is left without a key.
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
        map.bind_usual(&usual)?;
        let lost = NEEDED.iter().find(|action| map.key(**action).is_empty());
        match lost {
            None => Ok(map),
            Some(action) => Err(format!(
                "[keys] {} is left without a key: give it one",
                action.info().name
            )),
        }
    }

    /// Keys of one screen first: a key that was chosen for all screens keeps its meaning there too.
    fn bind_usual(&mut self, actions: &[Action]) -> Result<(), String> {
        let texts = actions
            .iter()
            .flat_map(|&action| action.info().keys.iter().map(move |&text| (text, action)));
        let (local, others): (Vec<_>, Vec<_>) =
            texts.partition(|(text, _)| Screen::of(text).0.is_some());
        for (text, action) in local {
            let everywhere = (None, keys(Screen::of(text).1)?);
            if !self.by_keys.contains_key(&everywhere) {
                self.bind(text, action, false)?;
            }
        }
        others
            .into_iter()
            .try_for_each(|(text, action)| self.bind(text, action, false))
    }

    fn bind(&mut self, text: &str, action: Action, mine: bool) -> Result<(), String> {
        let (screen, pressed) = Screen::of(text);
        let sequence = (screen, keys(pressed)?);
        if sequence.1.is_empty() {
            return Err(format!(
                "[keys] {text:?} of {} is no key",
                action.info().name
            ));
        }
        match self.by_keys.get(&sequence) {
            Some(other) if mine && *other != action => Err(format!(
                "[keys] {text:?} is given to {} and to {}",
                other.info().name,
                action.info().name
            )),
            Some(_) => Ok(()),
            None => {
                self.longest = self.longest.max(sequence.1.len());
                self.by_keys.insert(sequence, action);
                let list = self.by_action.entry(action).or_default();
                list.push(text.to_owned());
                Ok(())
            }
        }
    }

    /// The action of the keys pressed last on a screen, newest last; a longer sequence wins over its last key.
    pub fn action(&self, pressed: &[Key], screen: Screen) -> Option<Action> {
        let known = |n: usize| {
            let last = pressed[pressed.len() - n..].to_vec();
            let here = self.by_keys.get(&(Some(screen), last.clone()));
            here.or_else(|| self.by_keys.get(&(None, last))).copied()
        };
        (1..=self.longest.min(pressed.len())).rev().find_map(known)
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
            .map_or("", |text| Screen::of(text).1)
    }

    /// All keys of an action, for help.
    pub fn all(&self, action: Action) -> String {
        let keys = self.by_action.get(&action).into_iter().flatten();
        let keys: Vec<&str> = keys.map(|text| Screen::of(text).1).collect();
        keys.join(", ")
    }

    /// The table of keys for a terminal.
    pub fn plain(&self, language: &Language) -> String {
        let line = |&action: &Action| {
            let info = action.info();
            let keys = match self.all(action) {
                keys if keys.is_empty() => "–".to_owned(),
                keys => keys,
            };
            format!("{:18} {:16} {}\n", keys, info.name, language.help(action))
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

    const HERE: Screen = Screen::Tables;

    fn changed(name: &str, keys: &[&str]) -> Result<Keymap, String> {
        let keys = keys.iter().map(|k| (*k).to_owned()).collect();
        Keymap::new(&BTreeMap::from([(name.to_owned(), keys)]))
    }

    #[test]
    fn a_sequence_wins_over_its_last_key() {
        let map = changed("rule", &["r", "enter enter"]).expect("good");
        let pressed = |text| map.action(&keys(text).expect("keys"), HERE);
        assert_eq!(pressed("enter"), Some(Action::Open));
        assert_eq!(pressed("enter enter"), Some(Action::Rule));
        assert_eq!(pressed("j enter"), Some(Action::Open));
        assert_eq!(pressed("r"), Some(Action::Rule));
        assert_eq!(pressed("Z"), None);
    }

    #[test]
    fn a_key_given_anew_leaves_its_old_action() {
        let map = changed("take", &["r"]).expect("good");
        assert_eq!(map.action(&[Key::char('r')], HERE), Some(Action::Take));
        assert_eq!(map.key(Action::Rule), "");
        assert!(
            map.plain(&Language::default())
                .contains("\n–                  rule ")
        );
    }

    #[test]
    fn nobody_is_left_without_a_way_out() {
        let rows = [("quit", vec![]), ("help", vec![]), ("take", vec!["esc"])];
        for (name, keys) in rows {
            let why = changed(name, &keys).expect_err("a needed key is gone");
            assert!(why.contains("left without a key"), "{why}");
        }
        assert!(changed("take", &[]).is_ok(), "the rest is his choice");
    }

    #[test]
    fn a_key_of_one_screen_means_another_thing_on_the_others() {
        let usual = Keymap::default();
        let g = [Key::char('g')];
        assert_eq!(usual.action(&g, Screen::Round), Some(Action::Pgn));
        assert_eq!(usual.action(&g, Screen::Tables), Some(Action::Top));
        assert_eq!(usual.key(Action::Pgn), "g");
        let chosen = changed("take", &["g"]).expect("good");
        assert_eq!(chosen.action(&g, Screen::Round), Some(Action::Take));
        let moved = changed("pgn", &["journal:ctrl-p"]).expect("good");
        let p: Key = "ctrl-p".parse().expect("a key");
        assert_eq!(moved.action(&[p], Screen::Journal), Some(Action::Pgn));
        assert_eq!(moved.action(&g, Screen::Round), Some(Action::Top));
    }

    #[test]
    fn wrong_bindings_say_what_is_wrong() {
        let rows = [
            ("tak", &["a"][..], "no action"),
            ("take", &["ctrl-"][..], "no key"),
            ("take", &[""][..], "no key"),
            ("take", &["round:"][..], "no key"),
            ("take", &["nowhere:a"][..], "no key"),
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
