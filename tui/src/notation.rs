//! Moves in the arbiter's language: the hub writes English letters, scoresheets do not.

use std::borrow::Cow;

/// Whose letters stand for the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// K Q R B N.
    #[default]
    English,
    /// R D T F C.
    French,
    /// K D T L S.
    German,
    /// R D T A C.
    Spanish,
    /// R D T A C.
    Italian,
    /// K D T L P.
    Dutch,
}

/// Language code, its notation, its letters for king, queen, rook, bishop and knight.
const LETTERS: [(&str, Notation, [char; 5]); 6] = [
    ("en", Notation::English, ['K', 'Q', 'R', 'B', 'N']),
    ("fr", Notation::French, ['R', 'D', 'T', 'F', 'C']),
    ("de", Notation::German, ['K', 'D', 'T', 'L', 'S']),
    ("es", Notation::Spanish, ['R', 'D', 'T', 'A', 'C']),
    ("it", Notation::Italian, ['R', 'D', 'T', 'A', 'C']),
    ("nl", Notation::Dutch, ['K', 'D', 'T', 'L', 'P']),
];

impl Notation {
    /// The notation of a language code: `fr`.
    pub fn of(code: &str) -> Option<Notation> {
        LETTERS.iter().find(|row| row.0 == code).map(|row| row.1)
    }

    /// Known language codes.
    pub fn codes() -> String {
        LETTERS.map(|row| row.0).join(", ")
    }

    /// A move in standard algebraic notation with this language's letters.
    pub fn san(self, san: &str) -> Cow<'_, str> {
        if self == Notation::English || !san.contains(|c| LETTERS[0].2.contains(&c)) {
            return Cow::Borrowed(san);
        }
        Cow::Owned(san.chars().map(|c| self.letter(c)).collect())
    }

    fn letter(self, english: char) -> char {
        let index = LETTERS[0].2.iter().position(|l| *l == english);
        let row = LETTERS.iter().find(|row| row.1 == self);
        index.zip(row).map_or(english, |(index, row)| row.2[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_six_languages() {
        let rows = [
            ("en", "Nxg3", "Nxg3"),
            ("fr", "Nxg3", "Cxg3"),
            ("de", "Qb2+", "Db2+"),
            ("es", "Bxe5", "Axe5"),
            ("it", "Kg8", "Rg8"),
            ("nl", "e8=N#", "e8=P#"),
            ("fr", "O-O-O", "O-O-O"),
            ("de", "exd5", "exd5"),
        ];
        for (code, san, want) in rows {
            let notation = Notation::of(code).expect("known");
            assert_eq!(notation.san(san), want, "{code} {san}");
        }
    }
}
