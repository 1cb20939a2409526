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

    /// A sentence with the letters of the moves in it; nothing else of it changes.
    pub fn moves_in(self, sentence: &str) -> String {
        if self == Notation::English {
            return sentence.to_owned();
        }
        let (mut text, mut rest) = (String::new(), sentence);
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_move(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let move_letters = is_move(word).then(|| self.san(word));
            text.push_str(move_letters.as_deref().unwrap_or(word));
            let next = after.find(is_of_move).unwrap_or(after.len());
            text.push_str(&after[..next]);
            rest = &after[next..];
        }
        text
    }

    /// Moves as this language writes them, in the letters that the hub reads; other letters stay.
    pub fn read(self, moves: &str) -> String {
        let row = LETTERS.iter().find(|row| row.1 == self);
        let english = |c: char| {
            let index = row.and_then(|row| row.2.iter().position(|l| *l == c));
            index.map_or(c, |index| LETTERS[0].2[index])
        };
        moves.chars().map(english).collect()
    }

    /// The letter of a piece on the board: capital for White, small for Black, as in the argument.
    pub fn piece(self, english: char) -> char {
        let letter = match (english.to_ascii_uppercase(), self) {
            ('P', Notation::German) => 'B',
            // Where P is the knight.
            ('P', Notation::Dutch) => 'O',
            (piece, _) => self.letter(piece),
        };
        match english.is_ascii_lowercase() {
            true => letter.to_ascii_lowercase(),
            false => letter,
        }
    }

    fn letter(self, english: char) -> char {
        let index = LETTERS[0].2.iter().position(|l| *l == english);
        let row = LETTERS.iter().find(|row| row.1 == self);
        index.zip(row).map_or(english, |(index, row)| row.2[index])
    }
}

fn is_of_move(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '=' | '-')
}

/// Whether a word is a move that names a piece: `Nf3`, `R1xd4+`, `Nh5-g3`, `e8=Q`.
fn is_move(word: &str) -> bool {
    let body = word.trim_end_matches(['+', '#']);
    match body.split_once('=') {
        Some((pawn, piece)) => is_square_at_end(pawn) && "QRBN".contains(piece) && piece.len() == 1,
        None => body.starts_with(['K', 'Q', 'R', 'B', 'N']) && is_square_at_end(&body[1..]),
    }
}

/// Whether what follows the piece says where from, whether it takes, and a square to go to.
fn is_square_at_end(text: &str) -> bool {
    let Some(from) = text.len().checked_sub(2) else {
        return false;
    };
    let (from, to) = text.split_at(from);
    let is_square = |s: &str| {
        let mut chars = s.chars();
        let file = chars.next().is_some_and(|c| ('a'..='h').contains(&c));
        file && chars.next().is_some_and(|c| ('1'..='8').contains(&c))
    };
    from.len() <= 3 && from.chars().all(|c| "abcdefgh12345678x-".contains(c)) && is_square(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_within_sentences_and_nothing_else() {
        let rows = [
            (
                "6. Bc4  White pressed  1:32:49",
                "6. Fc4  White pressed  1:32:49",
            ),
            ("28… Nh5xg3+, then Qc1-b2", "28… Ch5xg3+, then Dc1-b2"),
            ("dxe8=Q# (R1xd4)", "dxe8=D# (T1xd4)"),
            (
                "Kings on e4; Row B1, Board N",
                "Kings on e4; Row B1, Board N",
            ),
            ("Nothing: é 1-0 O-O", "Nothing: é 1-0 O-O"),
        ];
        for (english, want) in rows {
            assert_eq!(Notation::French.moves_in(english), want);
            assert_eq!(Notation::English.moves_in(english), english);
        }
        let written = [
            (Notation::French, "Cxg3 Rg8 e8=D", "Nxg3 Kg8 e8=Q"),
            (Notation::French, "Nf3 O-O", "Nf3 O-O"),
            (Notation::German, "Sf3 Lb4+ 28. Txd8", "Nf3 Bb4+ 28. Rxd8"),
            (Notation::English, "Bb5 Rd1", "Bb5 Rd1"),
        ];
        for (notation, text, want) in written {
            assert_eq!(notation.read(text), want);
        }
        assert_eq!(Notation::French.piece('n'), 'c');
        for (code, notation, _) in LETTERS {
            let letters = "KQRBNP".chars().map(|c| notation.piece(c));
            let letters: std::collections::BTreeSet<char> = letters.collect();
            assert_eq!(letters.len(), 6, "two pieces look alike in {code}");
        }
        assert_eq!(Notation::Dutch.piece('Q'), 'D');
    }

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
