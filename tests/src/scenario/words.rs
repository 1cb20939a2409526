//! A line as words: quotation marks keep words together, `#` begins a comment, a comma stands alone; and the words that mean
//! numbers, times, sides and squares.

use protocol::{Millis, Side, TableId};
use shakmaty::Square;

/// One word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// Written as it is.
    Plain(String),
    /// Written between quotation marks.
    Quoted(String),
    /// A comma between two acts.
    Comma,
    /// A JSON object: the rest of the line from its brace on.
    Json(String),
}

/// Words of a line, taken one after the other.
#[derive(Debug, Clone)]
pub(super) struct Words {
    words: std::vec::IntoIter<Word>,
}

/// What a reader of words says when they make no sense.
pub(super) type Read<T> = Result<T, String>;

impl Words {
    /// Splits a line.
    pub(super) fn of(line: &str) -> Read<Words> {
        Ok(Words {
            words: split(line)?.into_iter(),
        })
    }

    /// The next word, if it is a plain one.
    pub(super) fn plain(&mut self) -> Option<String> {
        match self.peek()? {
            Word::Plain(_) => match self.words.next() {
                Some(Word::Plain(word)) => Some(word),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the next word is this one; it is taken then.
    pub(super) fn takes(&mut self, word: &str) -> bool {
        let here = matches!(self.peek(), Some(Word::Plain(next)) if next == word);
        if here {
            self.words.next();
        }
        here
    }

    /// The next word without taking it.
    pub(super) fn peek(&self) -> Option<&Word> {
        self.words.as_slice().first()
    }

    /// The next word, whatever it is.
    pub(super) fn next(&mut self) -> Option<Word> {
        self.words.next()
    }

    /// The next word if this reads it.
    pub(super) fn try_take<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        match self.peek()? {
            Word::Plain(word) => {
                let value = read(word)?;
                self.words.next();
                Some(value)
            }
            _ => None,
        }
    }

    /// The next word as something; `what` it should have been, for the error.
    pub(super) fn want<T>(&mut self, what: &str, read: impl Fn(&str) -> Option<T>) -> Read<T> {
        let found = self.peek().map(shown);
        self.try_take(read).ok_or_else(|| match found {
            Some(found) => format!("{found} is no {what}"),
            None => format!("{what} is missing at the end of the line"),
        })
    }

    /// The next word, quoted or not.
    pub(super) fn text(&mut self, what: &str) -> Read<String> {
        match self.words.next() {
            Some(Word::Plain(text) | Word::Quoted(text)) => Ok(text),
            Some(other) => Err(format!("{} is no {what}", shown(&other))),
            None => Err(format!("{what} is missing at the end of the line")),
        }
    }

    /// All words up to the next comma, which is taken.
    pub(super) fn until_comma(&mut self) -> Option<Words> {
        self.peek()?;
        let mut part = Vec::new();
        for word in self.words.by_ref() {
            if word == Word::Comma {
                break;
            }
            part.push(word);
        }
        Some(Words {
            words: part.into_iter(),
        })
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(format!("{} is one word too many", shown(word))),
        }
    }
}

fn shown(word: &Word) -> String {
    match word {
        Word::Plain(text) => format!("“{text}”"),
        Word::Quoted(text) => format!("\"{text}\""),
        Word::Comma => "a comma".to_owned(),
        Word::Json(text) => text.chars().take(40).collect(),
    }
}

fn split(line: &str) -> Read<Vec<Word>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' => break,
            ',' => {
                words.push(Word::Comma);
                1
            }
            '"' => {
                let end = rest[1..]
                    .find('"')
                    .ok_or("a quotation mark is not closed")?;
                words.push(Word::Quoted(rest[1..=end].to_owned()));
                end + 2
            }
            '{' if rest.contains("\":") => {
                words.push(Word::Json(rest.to_owned()));
                rest.len()
            }
            _ => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || c == ',' || c == '"')
                    .unwrap_or(rest.len());
                words.push(Word::Plain(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

/// `500ms`, `20s`, `3m`, `1h`, `1m30s`.
pub(super) fn duration(word: &str) -> Option<Millis> {
    let mut rest = word;
    let mut sum: Millis = 0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: Millis = rest[..digits].parse().ok()?;
        let unit = &rest[digits..];
        let (factor, length) = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
            .into_iter()
            .find(|(name, _)| unit.starts_with(name))
            .map(|(name, factor)| (factor, name.len()))?;
        sum = sum.checked_add(number.checked_mul(factor)?)?;
        rest = &unit[length..];
    }
    (!word.is_empty() && sum <= 24 * 3_600_000).then_some(sum)
}

/// `5400`, `5:00`, `1:29:40`: a time on a chessclock, in milliseconds.
pub(super) fn clock_time(word: &str) -> Option<Millis> {
    let parts: Vec<u64> = word
        .split(':')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let seconds = match parts[..] {
        [seconds] => seconds,
        [minutes, seconds] if seconds < 60 => minutes * 60 + seconds,
        [hours, minutes, seconds] if minutes < 60 && seconds < 60 => {
            hours * 3600 + minutes * 60 + seconds
        }
        _ => return None,
    };
    (seconds < 36_000).then_some(seconds * 1_000)
}

/// `White`, `Black`.
pub(super) fn side(word: &str) -> Option<Side> {
    match word {
        "White" | "White's" => Some(Side::White),
        "Black" | "Black's" => Some(Side::Black),
        _ => None,
    }
}

/// A square by name.
pub(super) fn square(word: &str) -> Option<Square> {
    Square::from_ascii(word.as_bytes()).ok()
}

/// A table's number.
pub(super) fn table(word: &str) -> Option<TableId> {
    let number: u16 = word.parse().ok()?;
    (number > 0).then_some(TableId(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quotes_commas_and_comments() {
        let row = r#"hand Qh7#, press White  say "a, b" # and so on"#;
        let plain = |text: &str| Word::Plain(text.to_owned());
        assert_eq!(
            split(row).expect("readable"),
            [
                plain("hand"),
                plain("Qh7#"),
                Word::Comma,
                plain("press"),
                plain("White"),
                plain("say"),
                Word::Quoted("a, b".to_owned())
            ]
        );
        assert!(split("say \"never closed").is_err());
    }

    #[test]
    fn lengths_and_times() {
        let rows = [
            ("500ms", Some(500)),
            ("20s", Some(20_000)),
            ("1m30s", Some(90_000)),
            ("2h", Some(7_200_000)),
            ("20", None),
            ("", None),
            ("s", None),
            ("25h", None),
            ("99999999999999999999s", None),
        ];
        for (word, ms) in rows {
            assert_eq!(duration(word), ms, "{word}");
        }
        let rows = [
            ("5400", Some(5_400_000)),
            ("5:00", Some(300_000)),
            ("1:29:40", Some(5_380_000)),
            ("1:60", None),
            ("a", None),
        ];
        for (word, ms) in rows {
            assert_eq!(clock_time(word), ms, "{word}");
        }
    }
}
