//! What `/` understands: words, `call`, `row:D`, `t:40-50`, `time<5`, and `!` before any of them.

use protocol::{Alert, DeskTable, Timestamp, Urgency};

use crate::language::word;
use crate::venue::{Seat, least_time, seat};

/// A filter: every part must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    text: String,
    parts: Vec<(bool, Part)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Word(String),
    Urgency(Urgency),
    Row(char, char),
    Tables(u16, u16),
    TimeBelow(u64),
}

/// What is looked at: a table, an alert, or an alert with its table.
#[derive(Debug, Clone, Copy)]
pub struct Looked<'a> {
    /// The table, where there is one.
    pub table: Option<&'a DeskTable>,
    /// The alert, or the table's most urgent one.
    pub alert: Option<&'a Alert>,
    /// The hub's time.
    pub at: Timestamp,
}

impl Filter {
    /// Reads a filter; what has no other meaning is a word to look for.
    pub fn new(text: &str) -> Filter {
        let text: String = text.chars().take(200).collect();
        let parts = text.split_whitespace().map(|word| {
            let (not, word) = match word.strip_prefix('!') {
                Some(rest) if !rest.is_empty() => (true, rest),
                _ => (false, word),
            };
            (not, part(word))
        });
        Filter {
            parts: parts.collect(),
            text,
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether it lets this through.
    pub fn passes(&self, looked: Looked<'_>) -> bool {
        self.parts
            .iter()
            .all(|(not, part)| holds(part, looked) != *not)
    }
}

fn part(word: &str) -> Part {
    let lower = word.to_lowercase();
    let special = match lower.as_str() {
        "call" => Some(Part::Urgency(Urgency::Call)),
        "asked" => Some(Part::Urgency(Urgency::Asked)),
        "silent" => Some(Part::Urgency(Urgency::Silent)),
        "tech" => Some(Part::Urgency(Urgency::Tech)),
        other => rows(other)
            .or_else(|| tables(other))
            .or_else(|| below(other)),
    };
    special.unwrap_or(Part::Word(lower))
}

fn rows(word: &str) -> Option<Part> {
    let (from, to) = range(word.strip_prefix("row:")?);
    let letter = |text: &str| text.chars().next().map(|c| c.to_ascii_uppercase());
    Some(Part::Row(letter(from)?, letter(to)?))
}

fn tables(word: &str) -> Option<Part> {
    let (from, to) = range(word.strip_prefix("t:")?);
    Some(Part::Tables(from.parse().ok()?, to.parse().ok()?))
}

fn below(word: &str) -> Option<Part> {
    let minutes: u64 = word.strip_prefix("time<")?.parse().ok()?;
    Some(Part::TimeBelow(minutes.checked_mul(60_000)?))
}

fn range(text: &str) -> (&str, &str) {
    text.split_once('-').unwrap_or((text, text))
}

fn holds(part: &Part, looked: Looked<'_>) -> bool {
    let table = looked.table;
    match part {
        Part::Word(word) => has_word(word, looked),
        Part::Urgency(urgency) => looked.alert.is_some_and(|a| a.urgency == *urgency),
        Part::Row(from, to) => table.and_then(row).is_some_and(|r| *from <= r && r <= *to),
        Part::Tables(from, to) => number(looked).is_some_and(|n| *from <= n && n <= *to),
        Part::TimeBelow(ms) => table
            .and_then(|t| least_time(t, looked.at))
            .is_some_and(|left| left < *ms),
    }
}

fn number(looked: Looked<'_>) -> Option<u16> {
    let of_alert = looked.alert.and_then(|a| a.table);
    looked.table.map(|t| t.table).or(of_alert).map(|t| t.0)
}

fn row(table: &DeskTable) -> Option<char> {
    let Seat { row, .. } = seat(table.place.as_deref()?)?;
    row.chars().next()
}

fn has_word(word: &str, looked: Looked<'_>) -> bool {
    let holds = |text: &str| text.to_lowercase().contains(word);
    let in_table = looked.table.is_some_and(|t| {
        holds(&t.players.white.name)
            || holds(&t.players.black.name)
            || t.place.as_deref().is_some_and(holds)
    });
    let in_alert = looked
        .alert
        .is_some_and(|a| holds(&a.headline) || holds(&a.code) || holds(&a.article));
    let is_number = word.parse().is_ok_and(|n: u16| number(looked) == Some(n));
    in_table || in_alert || is_number
}

/// The part of the hall an arbiter looks after.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sector {
    filter: Filter,
}

impl Sector {
    /// Reads `all`, `rows A-D`, `row D`, `tables 40-50`, or `row:` and `t:` of a filter; none when it names no part of a
    /// hall, so that a mistyped sector does not hide everything.
    pub fn new(text: &str) -> Option<Sector> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let filter = match words[..] {
            [] | ["all"] => Filter::default(),
            ["row" | "rows", rows] => Filter::new(&format!("row:{rows}")),
            ["table" | "tables", tables] => Filter::new(&format!("t:{tables}")),
            [one] if one.len() == 1 => Filter::new(&format!("row:{one}")),
            _ => Filter::new(text),
        };
        let is_place = |(_, part): &(bool, Part)| match part {
            Part::Row(from, to) => from <= to,
            Part::Tables(from, to) => from <= to,
            _ => false,
        };
        filter
            .parts
            .iter()
            .all(is_place)
            .then_some(Sector { filter })
    }

    /// Its words for the top of the screen.
    pub fn words(&self) -> &str {
        if self.filter.is_empty() {
            return word!("all");
        }
        self.filter.text()
    }

    /// Whether something lies in it; what has no table does.
    pub fn holds(&self, looked: Looked<'_>) -> bool {
        number(looked).is_none() || self.filter.passes(looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn filters_find_the_tables_of_the_example_hall() {
        let venue = example::venue();
        let at = example::NOW;
        let rows = [
            ("call", 2),
            ("!call", 97),
            ("row:D", 11),
            ("row:a-b", 22),
            ("t:40-50", 11),
            ("42", 1),
            ("okafor", 10),
            ("asked okafor", 1),
            ("call okafor", 1),
            ("time<5 t:42", 1),
            ("", 99),
        ];
        for (text, want) in rows {
            let filter = Filter::new(text);
            let passes = |t: &&DeskTable| {
                filter.passes(Looked {
                    table: Some(t),
                    alert: venue.top_alert(t.table, at),
                    at,
                })
            };
            assert_eq!(venue.tables.values().filter(passes).count(), want, "{text}");
        }
    }

    #[test]
    fn sectors_are_said_in_words() {
        let rows = [
            ("all", "all", 99),
            ("rows A-D", "row:A-D", 44),
            ("B", "row:B", 11),
            ("tables 40-50", "t:40-50", 11),
        ];
        let venue = example::venue();
        for (text, words, want) in rows {
            let sector = Sector::new(text).expect("a part of the hall");
            let at = example::NOW;
            let inside = |t: &&DeskTable| {
                sector.holds(Looked {
                    table: Some(t),
                    alert: None,
                    at,
                })
            };
            assert_eq!(sector.words(), words);
            assert_eq!(venue.tables.values().filter(inside).count(), want, "{text}");
        }
        let none = [
            "nonsense !",
            "rows",
            "rows D-A",
            "tables 50-40",
            "call",
            "t:x",
        ];
        for text in none {
            assert_eq!(Sector::new(text), None, "{text}");
        }
    }
}
