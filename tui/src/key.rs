//! One press of a key, as text (`ctrl-u`, `enter`, `A`) and as a value.

use std::fmt;
use std::str::FromStr;

/// What was pressed, apart from the control key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A printable character.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and tab.
    BackTab,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
}

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// What was pressed.
    pub code: Code,
    /// Whether control was held.
    pub ctrl: bool,
}

const NAMED: [(&str, Code); 16] = [
    ("enter", Code::Enter),
    ("esc", Code::Esc),
    ("tab", Code::Tab),
    ("backtab", Code::BackTab),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("pageup", Code::PageUp),
    ("pagedown", Code::PageDown),
    ("home", Code::Home),
    ("end", Code::End),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("space", Code::Char(' ')),
    ("backslash", Code::Char('\\')),
];

impl Key {
    /// A printable character without control.
    pub fn char(c: char) -> Key {
        Key {
            code: Code::Char(c),
            ctrl: false,
        }
    }

    /// A key without control.
    pub fn plain(code: Code) -> Key {
        Key { code, ctrl: false }
    }

    /// The character to write into a text field, if the key is one.
    pub fn letter(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl => Some(c),
            _ => None,
        }
    }

    /// The digit pressed, if it is one.
    pub fn digit(self) -> Option<usize> {
        self.letter()
            .and_then(|c| c.to_digit(10))
            .map(|d| d as usize)
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (ctrl, name) = match text.strip_prefix("ctrl-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut letters = name.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(c), None) if !c.is_control() => Some(Code::Char(c)),
            _ => NAMED.iter().find(|(n, _)| *n == name).map(|(_, c)| *c),
        };
        code.map(|code| Key { code, ctrl })
            .ok_or_else(|| format!("{text:?} is no key: a character, ctrl-x, {}", names()))
    }
}

fn names() -> String {
    NAMED.map(|(name, _)| name).join(", ")
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.code {
            Code::Char(' ') => "space".to_owned(),
            Code::Char(c) => c.to_string(),
            code => NAMED
                .iter()
                .find(|(_, known)| *known == code)
                .map_or(String::new(), |(name, _)| (*name).to_owned()),
        };
        let ctrl = if self.ctrl { "ctrl-" } else { "" };
        f.pad(&format!("{ctrl}{name}"))
    }
}

/// The keys of a text such as `! enter r 1 0 8 8 enter`.
///
/// # Errors
/// A sentence naming the part that is no key.
pub fn keys(text: &str) -> Result<Vec<Key>, String> {
    text.split_whitespace().map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back_as_written() {
        for name in [
            "a", "A", "?", "\\", "ctrl-u", "enter", "space", "pagedown", "é", "[",
        ] {
            let key: Key = name.parse().expect("a key");
            assert_eq!(key.to_string(), name);
        }
    }

    #[test]
    fn what_is_no_key_says_so() {
        for name in ["", "enterr", "ctrl-", "shift-a", "ab"] {
            assert!(name.parse::<Key>().is_err(), "{name:?}");
        }
    }
}
