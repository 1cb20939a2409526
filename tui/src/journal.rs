//! The journal as the desk tells it: events as they come, and what happened before this dashboard was connected, put
//! together from the logs, rulings and alerts that the hub keeps for latecomers.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use protocol::{Alert, AlertLife, DeskTable, JournalLine, LogLine, RulingLine, TableId, Urgency};

use crate::told::Reader;

/// Lines heard as they happened.
const MOST_LINES: usize = 5_000;
/// Lines put together from what is kept.
const MOST_BEFORE: usize = 20_000;
/// Lines whose number in the journal is not told are counted from here.
const UNTOLD: u64 = 1 << 62;

/// Whether the number of a line is its number in the hub's journal.
pub fn has_number(line: &JournalLine) -> bool {
    line.number < UNTOLD
}

/// All lines.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    live: VecDeque<JournalLine>,
    before: VecDeque<JournalLine>,
    known: HashSet<u64>,
    untold: u64,
    /// Who reads the lines that are put together here.
    pub reader: Reader,
}

impl Journal {
    /// An event that has just happened; one that is older than the last is a repetition.
    pub fn hear(&mut self, line: JournalLine) {
        let last = self.live.back().map(|last| last.number);
        if last >= Some(line.number) {
            return;
        }
        if self.live.len() == MOST_LINES {
            self.live.pop_front();
        }
        // What the table's log told before its event came stands here only once.
        if !self.known.insert(mark(&line, &self.reader)) {
            let same = |old: &JournalLine| old.line == line.line && old.table == line.table;
            self.before.retain(|old| !same(old));
        }
        self.live.push_back(line);
    }

    /// What a table tells of its past, when it is heard for the first time.
    pub fn hear_table(&mut self, table: &DeskTable) {
        let id = Some(table.table);
        for line in table.log.iter().filter(|line| line.kind != "ruling") {
            self.remember(id, line.clone(), String::new(), None);
        }
        for ruling in &table.rulings {
            self.remember_ruling(table.table, ruling);
        }
    }

    /// What an alert tells of its past, when it is heard for the first time.
    pub fn hear_alert(&mut self, alert: &Alert) {
        let line = |at, words, source| LogLine {
            at,
            kind: "alert".to_owned(),
            words,
            source,
        };
        // The headline is in the reader's words already; the hub's own line of it is put into them as a whole.
        let (urgency, colon) = (self.reader.put(alert.urgency.word()), self.reader.put(": "));
        let words = format!("{urgency}{colon}{}", alert.headline);
        let raised = line(alert.since, words, alert.id.clone());
        self.remember(alert.table, raised, alert.article.clone(), None);
        let (at, words, by) = match &alert.life {
            AlertLife::New => return,
            AlertLife::Taken { by, at } => (*at, "taken".to_owned(), by.clone()),
            AlertLife::Closed { why, by, at } => {
                (*at, why.clone(), by.clone().unwrap_or("hub".to_owned()))
            }
        };
        let words = format!("{}{colon}{}", alert.id, self.reader.put(&words));
        self.remember(alert.table, line(at, words, by), String::new(), None);
    }

    fn remember_ruling(&mut self, table: TableId, ruling: &RulingLine) {
        if self.find(ruling.number).is_some() {
            return;
        }
        let line = LogLine {
            at: ruling.at,
            kind: "ruling".to_owned(),
            words: ruling.words.clone(),
            source: ruling.by.clone(),
        };
        let article = ruling.article.clone();
        self.remember(Some(table), line, article, Some(ruling.number));
    }

    fn remember(
        &mut self,
        table: Option<TableId>,
        line: LogLine,
        article: String,
        number: Option<u64>,
    ) {
        self.untold += 1;
        let line = JournalLine {
            number: number.unwrap_or(UNTOLD + self.untold),
            table,
            line,
            article,
        };
        if !self.known.insert(mark(&line, &self.reader)) {
            return;
        }
        if self.before.len() == MOST_BEFORE {
            self.before.pop_front();
        }
        self.before.push_back(line);
    }

    /// Every line, newest first.
    pub fn newest_first(&self) -> Vec<&JournalLine> {
        let mut lines: Vec<&JournalLine> = self.live.iter().chain(&self.before).collect();
        lines.sort_by_key(|line| std::cmp::Reverse((line.line.at, line.number)));
        lines
    }

    /// The line of a number.
    pub fn find(&self, number: u64) -> Option<&JournalLine> {
        let live = self.live.binary_search_by_key(&number, |line| line.number);
        match live {
            Ok(index) => self.live.get(index),
            Err(_) => self.before.iter().find(|line| line.number == number),
        }
    }

    /// The last ruling, on a table or on any.
    pub fn last_ruling(&self, table: Option<TableId>) -> Option<&JournalLine> {
        let fits = |line: &&JournalLine| {
            line.line.kind == "ruling" && (table.is_none() || line.table == table)
        };
        let live = self.live.iter().rev().find(fits);
        live.or_else(|| self.before.iter().filter(fits).max_by_key(|l| l.line.at))
    }
}

/// By what a line is known again, whoever tells it. An alert keeps its id while its words follow its facts, and what it is
/// about began before it was raised.
fn mark(line: &JournalLine, reader: &Reader) -> u64 {
    let mut hasher = DefaultHasher::new();
    let LogLine {
        at,
        kind,
        words,
        source,
    } = &line.line;
    match kind.as_str() {
        "alert" if is_raised(words, reader) => (kind, source).hash(&mut hasher),
        "alert" => (kind, source, words).hash(&mut hasher),
        _ => (line.table, at, kind, words).hash(&mut hasher),
    }
    hasher.finish()
}

/// What becomes of an alert is told with its id, its beginning with its urgency.
fn is_raised(words: &str, reader: &Reader) -> bool {
    let first = words.split(':').next().unwrap_or_default().trim_end();
    let urgency = |urgency: &Urgency| first == reader.put(urgency.word());
    Urgency::ALL.iter().any(urgency)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Heard;
    use protocol::Timestamp;

    fn line(number: u64, at: i64, words: &str) -> JournalLine {
        JournalLine {
            number,
            table: Some(TableId(42)),
            line: LogLine {
                at: Timestamp(at),
                kind: "made".to_owned(),
                words: words.to_owned(),
                source: String::new(),
            },
            article: String::new(),
        }
    }

    #[test]
    fn what_happened_before_stands_once_and_in_its_place() {
        let mut journal = Journal::default();
        let table = crate::example::table(42);
        journal.hear_table(&table);
        journal.hear_table(&table);
        let rulings = table.rulings.len();
        let others = table.log.iter().filter(|l| l.kind != "ruling").count();
        assert_eq!(
            journal.newest_first().len(),
            rulings + others,
            "once, though told twice"
        );
        let again = JournalLine {
            line: table.log.last().expect("a log").clone(),
            ..line(50_000, 0, "")
        };
        journal.hear(again);
        assert_eq!(
            journal.newest_first().len(),
            rulings + others,
            "the event takes its place"
        );
        journal.hear(line(50_001, table.rulings[0].at.0 - 1, "earlier"));
        let lines = journal.newest_first();
        assert_eq!(lines[0].number, 50_000);
        assert_eq!(lines[lines.len() - 1].line.words, "earlier");
        let ruling = journal.last_ruling(Some(TableId(42))).expect("one");
        assert_eq!(ruling.number, table.rulings[0].number);
        assert!(has_number(ruling) && journal.find(ruling.number).is_some());
    }

    #[test]
    fn an_alert_that_was_seen_raised_stands_once_when_it_is_told_again() {
        let heard = crate::example::heard().into_iter();
        let mut alert = heard
            .filter_map(|heard| match heard {
                Heard::Alert(alert) => Some(*alert),
                _ => None,
            })
            .next()
            .expect("an alert");
        let mut journal = Journal::default();
        let raised = LogLine {
            at: alert.since.after(20_000),
            kind: "alert".to_owned(),
            words: format!("{}: {}", alert.urgency.word(), alert.headline),
            source: alert.id.clone(),
        };
        journal.hear(JournalLine {
            table: alert.table,
            line: raised,
            ..line(7, 0, "")
        });
        alert.life = AlertLife::New;
        journal.hear_alert(&alert);
        alert.headline = "told with more facts".to_owned();
        journal.hear_alert(&alert);
        assert_eq!(journal.newest_first().len(), 1);
    }

    #[test]
    fn repeated_and_too_many_lines_change_nothing() {
        let mut journal = Journal::default();
        for number in 1..=6_000 {
            journal.hear(line(number, number as i64, &number.to_string()));
        }
        journal.hear(line(5_999, 5_999, "again"));
        assert_eq!(journal.newest_first().len(), MOST_LINES);
        assert_eq!(journal.newest_first()[0].number, 6_000);
    }

    #[test]
    fn an_alert_that_both_tell_stands_once_in_the_language_of_the_reader() {
        let french = crate::language::Language::of("fr").expect("known");
        let reader = Reader::new(french, crate::notation::Notation::French);
        let mut journal = Journal {
            reader: reader.clone(),
            ..Journal::default()
        };
        let venue = crate::example::venue();
        let mut alert = venue.alerts["17-fivefold-1"].clone();
        alert.headline = reader.put(&alert.headline);
        journal.hear_alert(&alert);
        let mut told = line(9, alert.since.0, "CALL: fivefold repetition on the board");
        told.table = alert.table;
        (told.line.kind, told.line.source) = ("alert".to_owned(), alert.id.clone());
        told.line.words = reader.put(&told.line.words);
        journal.hear(told);
        let lines = journal.newest_first();
        let words: Vec<&str> = lines.iter().map(|l| l.line.words.as_str()).collect();
        assert_eq!(words, ["APPEL : quintuple répétition sur l'échiquier"]);
    }
}
