//! What a sign shows, and the lines that tell it: `$<table>,<what>,<value>*<check>`, CR LF.
//!
//! ```text
//! $0,hello,1*65       the version of this protocol; everything follows once more
//! $0,link,up*2E       up or down: whether the hub is heard; while it is down a sign shows what it knows as old
//! $12,white,1:29:58*  White's clock, $12,black Black's: hours, minutes, seconds
//! $12,turn,white*     white or black: whose move it is
//! $12,move,Nf3*       the last move
//! $12,result,1-0*     the official result, nothing while there is none
//! $12,state,playing*  waiting, playing, paused (the board is not being read), over
//! $12,clear,*         there is no such table any more
//! ```
//!
//! The check is the XOR of all bytes between `$` and `*` as two hexadecimal digits, as in NMEA 0183. Every change is told at once, and
//! everything again every ten seconds, so that a sign that is switched on late, or missed a line, is right soon. Nothing is expected
//! back. Letters are ASCII. A slow line tells the newest values and skips those in between.

use std::collections::{BTreeMap, VecDeque};

use protocol::TableId;

/// The version of the lines.
const VERSION: &str = "1";

/// What is told of the line itself stands under this number, which no table has.
const ITSELF: TableId = TableId(0);

/// The hub's plain values and what they are called on the line.
const VALUES: [(&str, &str); 6] = [
    ("white/clock", "white"),
    ("black/clock", "black"),
    ("turn", "turn"),
    ("last-move", "move"),
    ("result", "result"),
    ("state", "state"),
];

/// A longer value is cut.
const LONGEST: usize = 32;

type Values = BTreeMap<&'static str, String>;

/// A sign as it should be, and what it has not been told yet.
#[derive(Debug, Default)]
pub(super) struct Sign {
    tables: BTreeMap<TableId, Values>,
    up: bool,
    waiting: VecDeque<(TableId, &'static str)>,
}

impl Sign {
    /// The hub says a plain value of a table; an empty one of its state means that the table has gone.
    pub(super) fn hear(&mut self, table: TableId, topic: &str, value: &str) {
        let Some((_, word)) = VALUES.iter().find(|(known, _)| *known == topic) else {
            return;
        };
        if *word == "state" && value.is_empty() {
            if self.tables.remove(&table).is_some() {
                self.wait(table, "clear");
            }
            return;
        }
        let value = clean(value);
        let known = self.tables.entry(table).or_default();
        if known.get(word) != Some(&value) {
            known.insert(word, value);
            self.wait(table, word);
        }
    }

    /// Whether the hub is heard.
    pub(super) fn link(&mut self, up: bool) {
        if self.up != up {
            self.up = up;
            self.wait(ITSELF, "link");
        }
    }

    /// Everything is to be told once more.
    pub(super) fn again(&mut self) {
        self.wait(ITSELF, "hello");
        self.wait(ITSELF, "link");
        let all = self.tables.iter();
        let all: Vec<_> = all
            .flat_map(|(table, values)| values.keys().map(|word| (*table, *word)))
            .collect();
        for (table, word) in all {
            self.wait(table, word);
        }
    }

    /// The next line, none when everything was told.
    pub(super) fn next_line(&mut self) -> Option<String> {
        let (table, word) = self.waiting.pop_front()?;
        let value = match (table, word) {
            (ITSELF, "hello") => VERSION,
            (ITSELF, _) if self.up => "up",
            (ITSELF, _) => "down",
            _ => self
                .tables
                .get(&table)
                .and_then(|values| values.get(word))
                .map_or("", String::as_str),
        };
        Some(line(table, word, value))
    }

    fn wait(&mut self, table: TableId, word: &'static str) {
        if !self.waiting.contains(&(table, word)) {
            self.waiting.push_back((table, word));
        }
    }
}

fn line(table: TableId, word: &str, value: &str) -> String {
    let text = format!("{table},{word},{value}");
    let check = text.bytes().fold(0, |check, byte| check ^ byte);
    format!("${text}*{check:02X}\r\n")
}

/// What a line can hold of a value.
fn clean(value: &str) -> String {
    let letter = |c: char| match c {
        ',' | '*' | '$' => '?',
        c if c.is_ascii_graphic() || c == ' ' => c,
        _ => '?',
    };
    value.chars().take(LONGEST).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(sign: &mut Sign) -> Vec<String> {
        std::iter::from_fn(|| sign.next_line())
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    #[test]
    fn every_change_is_one_line_with_its_check() {
        let mut sign = Sign::default();
        let rows = [
            ("white/clock", "1:29:58", &["$12,white,1:29:58*23"][..]),
            ("white/clock", "1:29:58", &[]),
            ("last-move", "Nf3", &["$12,move,Nf3*26"]),
            ("last-move", "a,b*\u{bd}$\n", &["$12,move,a?b????*45"]),
            ("turn", "black", &["$12,turn,black*56"]),
            ("result", "1/2-1/2", &["$12,result,1/2-1/2*0E"]),
            ("result", "", &["$12,result,*22"]),
            ("state", "playing", &["$12,state,playing*74"]),
            ("engine", "+0.3", &[]),
            ("state", "", &["$12,clear,*57"]),
            ("state", "", &[]),
        ];
        for (topic, value, want) in rows {
            sign.hear(TableId(12), topic, value);
            let told = lines(&mut sign);
            for line in &told {
                let (text, check) = line[1..].split_once('*').expect("a check");
                let sum = text.bytes().fold(0, |sum, byte| sum ^ byte);
                assert_eq!(format!("{sum:02X}"), check, "{line}");
            }
            let plain = |line: &str| line.split('*').next().unwrap_or("").to_owned();
            let told: Vec<String> = told.iter().map(|line| plain(line)).collect();
            let want: Vec<String> = want.iter().map(|line| plain(line)).collect();
            assert_eq!(told, want, "{topic} {value}");
        }
    }

    #[test]
    fn a_slow_line_gets_the_newest_value_once_and_a_late_sign_everything() {
        let mut sign = Sign::default();
        for second in 0..50 {
            sign.hear(TableId(1), "black/clock", &format!("0:00:{second:02}"));
        }
        sign.link(true);
        let told = lines(&mut sign);
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("$1,black,0:00:49*"), "{told:?}");
        assert!(told[1].starts_with("$0,link,up*"), "{told:?}");
        sign.again();
        sign.again();
        let again = lines(&mut sign);
        assert_eq!(again.len(), 3);
        assert!(again[0].starts_with("$0,hello,1*"), "{again:?}");
    }
}
