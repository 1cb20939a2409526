//! Signs of the screen in two sets: Unicode, and ASCII for terminals and locales that know nothing else.

use std::borrow::Cow;

/// Which signs the terminal is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Lines, arrows and halves as they are.
    #[default]
    Unicode,
    /// Letters, digits and `+-|>` only.
    Ascii,
}

/// How pieces are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pieces {
    /// `K Q R B N P`, small for Black.
    #[default]
    Letters,
    /// Unicode figurines; some terminals draw them two columns wide.
    Figurines,
}

impl Glyphs {
    /// The text in this set.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        match self {
            Glyphs::Ascii if !text.is_ascii() => Cow::Owned(text.chars().map(ascii).collect()),
            _ => Cow::Borrowed(text),
        }
    }
}

/// What stands for a character where only ASCII is to be had.
fn ascii(c: char) -> Cow<'static, str> {
    let known = match c {
        '─' | '–' | '—' | '−' => "-",
        '│' => "|",
        '┌' | '┐' | '└' | '┘' => "+",
        '▸' | '›' => ">",
        '‹' | '◂' => "<",
        '…' => "...",
        '½' => "1/2",
        '·' => ".",
        '≈' => "~",
        '≠' => "!=",
        '→' => "->",
        '×' => "x",
        '’' | '‘' => "'",
        '“' | '”' => "\"",
        '↑' => "^",
        '↓' => "v",
        '█' => "#",
        'ß' => "ss",
        'Æ' => "AE",
        'æ' => "ae",
        'Ø' => "O",
        'ø' => "o",
        'Ł' => "L",
        'ł' => "l",
        _ => return Cow::Owned(unaccented(c).to_string()),
    };
    Cow::Borrowed(known)
}

const ACCENTED: [(&str, char); 26] = [
    ("ÀÁÂÃÄÅĀĂĄ", 'A'),
    ("àáâãäåāăą", 'a'),
    ("ÇĆČĈ", 'C'),
    ("çćčĉ", 'c'),
    ("ĎĐÐ", 'D'),
    ("ďđð", 'd'),
    ("ÈÉÊËĒĖĘĚ", 'E'),
    ("èéêëēėęě", 'e'),
    ("ĞĢ", 'G'),
    ("ğģ", 'g'),
    ("ÌÍÎÏĪĮİ", 'I'),
    ("ìíîïīįı", 'i'),
    ("ĹĻĽ", 'L'),
    ("ĺļľ", 'l'),
    ("ÑŃŅŇ", 'N'),
    ("ñńņň", 'n'),
    ("ÒÓÔÕÖŌŐ", 'O'),
    ("òóôõöōő", 'o'),
    ("ŘŔ", 'R'),
    ("řŕ", 'r'),
    ("ŚŞŠȘ", 'S'),
    ("śşšș", 's'),
    ("ÙÚÛÜŪŮŰŲŢŤȚ", 'U'),
    ("ùúûüūůűų", 'u'),
    ("ÝŸŹŻŽ", 'Z'),
    ("ýÿźżž", 'z'),
];

fn unaccented(c: char) -> char {
    match c {
        _ if c.is_ascii() => c,
        'Ţ' | 'Ť' | 'Ț' => 'T',
        'ţ' | 'ť' | 'ț' => 't',
        'Ý' | 'Ÿ' => 'Y',
        'ý' | 'ÿ' => 'y',
        _ => ACCENTED
            .iter()
            .find(|(row, _)| row.contains(c))
            .map_or('?', |(_, plain)| *plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_said_in_ascii() {
        let rows = [
            ("Šéf Łukasz – ½…", "Sef Lukasz - 1/2..."),
            ("Željko Ýmir Țepeș", "Zeljko Ymir Tepes"),
            ("▸ ‹ Table 042 ≈0:03:42", "> < Table 042 ~0:03:42"),
            ("象棋", "??"),
        ];
        for (text, want) in rows {
            assert_eq!(Glyphs::Ascii.text(text), want);
            assert_eq!(Glyphs::Unicode.text(text), text);
        }
    }
}
