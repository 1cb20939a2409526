//! Cuts PGN text into the words that matter: tags, comments, moves and results.

use std::iter::Peekable;
use std::str::Chars;

use shakmaty::{Color, KnownOutcome, Outcome};

/// A word of PGN text. Move numbers, annotation glyphs and variations are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A tag pair.
    Tag(String, String),
    /// A comment of the main line.
    Comment(String),
    /// A move as written, without annotation signs.
    Move(String),
    /// A result, which ends the game.
    End(Outcome),
}

/// The words of a text, one after the other.
pub(super) struct Words<'a> {
    text: Peekable<Chars<'a>>,
    line_starts: bool,
    variations: usize,
    peeked: Option<Word>,
}

impl<'a> Words<'a> {
    /// Words of `text`.
    pub(super) fn new(text: &'a str) -> Words<'a> {
        Words {
            text: text.chars().peekable(),
            line_starts: true,
            variations: 0,
            peeked: None,
        }
    }

    /// The next word, left where it is.
    pub(super) fn peek(&mut self) -> Option<Word> {
        if self.peeked.is_none() {
            self.peeked = self.next();
        }
        self.peeked.clone()
    }

    fn cut(&mut self) -> Option<Word> {
        let first = self.text.next()?;
        let starts_line = std::mem::replace(&mut self.line_starts, first == '\n');
        match first {
            '%' if starts_line => self.skip_line(),
            ';' => self.skip_line(),
            '{' => return self.comment(),
            '(' => self.variations += 1,
            ')' => self.variations = self.variations.saturating_sub(1),
            '[' if self.variations == 0 => return self.tag(),
            c if c.is_ascii_alphanumeric() || c == '*' => return self.symbol(c),
            _ => {}
        }
        None
    }

    fn skip_line(&mut self) {
        self.until('\n');
        self.line_starts = true;
    }

    fn until(&mut self, end: char) -> String {
        self.text.by_ref().take_while(|&c| c != end).collect()
    }

    fn comment(&mut self) -> Option<Word> {
        let text = self.until('}');
        (self.variations == 0).then_some(Word::Comment(text))
    }

    fn tag(&mut self) -> Option<Word> {
        let name = self.until('"').trim().to_owned();
        let mut value = String::new();
        while let Some(c) = self.text.next() {
            match c {
                '\\' => value.extend(self.text.next()),
                '"' => break,
                c => value.push(c),
            }
        }
        self.until(']');
        Some(Word::Tag(name, value))
    }

    fn symbol(&mut self, first: char) -> Option<Word> {
        let mut symbol = String::from(first);
        while let Some(c) = self
            .text
            .next_if(|&c| c.is_ascii_alphanumeric() || "+#=-/_:".contains(c))
        {
            symbol.push(c);
        }
        if self.variations > 0 {
            return None;
        }
        if let Some(result) = result(&symbol) {
            return Some(Word::End(result));
        }
        let castles_with_zeros = symbol.starts_with("0-0");
        let number = first.is_ascii_digit() && !castles_with_zeros;
        (!number).then(|| Word::Move(symbol.replace("0-0-0", "O-O-O").replace("0-0", "O-O")))
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        if let Some(word) = self.peeked.take() {
            return Some(word);
        }
        while self.text.peek().is_some() {
            if let Some(word) = self.cut() {
                return Some(word);
            }
        }
        None
    }
}

fn result(symbol: &str) -> Option<Outcome> {
    let decisive = |winner| Outcome::Known(KnownOutcome::Decisive { winner });
    match symbol {
        "1-0" => Some(decisive(Color::White)),
        "0-1" => Some(decisive(Color::Black)),
        "1/2-1/2" => Some(Outcome::Known(KnownOutcome::Draw)),
        "*" => Some(Outcome::Unknown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_text() {
        let rows = [
            ("1.e4 e5", vec!["e4", "e5"]),
            ("1... 0-0-0+ 2. e8=Q# !? $12", vec!["O-O-O+", "e8=Q#"]),
            ("1. e4 (1. d4 {x} (1. c4)) e5", vec!["e4", "e5"]),
            (
                "e4 % not at the start of a line\ne5",
                vec!["e4", "not", "at", "the", "start", "of", "a", "line", "e5"],
            ),
            (
                "e4\n% at the start\ne5 ; to the end\nd4",
                vec!["e4", "e5", "d4"],
            ),
        ];
        for (text, expected) in rows {
            let moves: Vec<String> = Words::new(text)
                .filter_map(|word| {
                    if let Word::Move(san) = word {
                        Some(san)
                    } else {
                        None
                    }
                })
                .collect();
            assert_eq!(moves, expected, "{text}");
        }
    }
}
