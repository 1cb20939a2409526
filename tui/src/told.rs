//! What the hub says, in the reader's words and piece letters: put so once, when it is heard.

use protocol::{Alert, Answer, DeskRound, DeskTable, JournalLine};

use crate::language::Language;
use crate::message::Heard;
use crate::notation::Notation;

/// Who reads: his language, and his letters for the pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reader {
    language: Language,
    notation: Notation,
}

impl Reader {
    /// A reader of this language and notation.
    pub fn new(language: Language, notation: Notation) -> Reader {
        Reader { language, notation }
    }

    /// His language.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// His letters for the pieces.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// Whether the hub's own words are his.
    fn reads_as_sent(&self) -> bool {
        self.notation == Notation::English && self.language == Language::default()
    }

    /// What was heard, for this reader. Answers are put so by [`Reader::answer`].
    pub fn heard(&self, mut heard: Heard) -> Heard {
        if self.reads_as_sent() {
            return heard;
        }
        match &mut heard {
            Heard::Table(table) => self.table(table),
            Heard::Alert(alert) => self.alert(alert),
            Heard::Round(round) | Heard::PastRound(round) => self.round(round),
            Heard::Journal(line) => self.journal(line),
            _ => {}
        }
        heard
    }

    /// An answer of the hub, for this reader.
    pub fn answer(&self, mut answer: Answer) -> Answer {
        match &mut answer {
            _ if self.reads_as_sent() => {}
            Answer::Preview { preview, .. } => {
                let lines = preview.lines.iter_mut().chain(&mut preview.then);
                lines.for_each(|line| self.place(line));
            }
            Answer::Done { words, .. } => self.place(words),
            Answer::Refused {
                why, difference, ..
            } => {
                self.place(why);
                difference.iter_mut().for_each(|line| self.place(line));
            }
        }
        answer
    }

    /// A sentence of the hub in his language, the moves in it in his letters.
    pub fn put(&self, words: &str) -> String {
        let said = self.language.sent(words);
        self.notation.moves_in(&said)
    }

    fn place(&self, words: &mut String) {
        *words = self.put(words);
    }

    fn table(&self, table: &mut DeskTable) {
        let log = table.log.iter_mut().map(|line| &mut line.words);
        let rulings = table.rulings.iter_mut().map(|ruling| &mut ruling.words);
        let health = table.device_info.iter_mut().map(|i| &mut i.health.cause);
        let words = log.chain(rulings).chain(health).chain(&mut table.silence);
        words.for_each(|words| self.place(words));
    }

    /// In one line; what his language has no sentence for is said by its code, and whose it is.
    fn headline(&self, alert: &Alert) -> String {
        let said = self.put(&alert.headline);
        let by_code = self.language.alert(&alert.code);
        match (by_code.filter(|_| said == alert.headline), alert.side) {
            (Some(own), Some(side)) => format!("{own}, {}", self.language.say(side.word())),
            (Some(own), None) => own.to_owned(),
            (None, _) => said,
        }
    }

    fn alert(&self, alert: &mut Alert) {
        alert.headline = self.headline(alert);
        let evidence = alert.evidence.iter_mut().map(|e| &mut e.words);
        let words = (alert.because.iter_mut())
            .chain(&mut alert.proposal)
            .chain(&mut alert.lapse)
            .chain(&mut alert.history);
        words.chain(evidence).for_each(|words| self.place(words));
    }

    fn round(&self, round: &mut DeskRound) {
        let rulings = round.tables.iter_mut().filter_map(|t| t.ruling.as_mut());
        let feeds = round.feeds.iter_mut().map(|feed| &mut feed.detail);
        let words = rulings.map(|ruling| &mut ruling.words).chain(feeds);
        words.for_each(|words| self.place(words));
    }

    fn journal(&self, line: &mut JournalLine) {
        self.place(&mut line.line.words);
    }
}
