//! One shape for every decision: seen, because, before, the Laws say, your judgement, then, note. The Laws are asked of the hub.

use protocol::{
    Alert, Answer, BySide, DeskTable, GameResult, Incident, Millis, OrderBody, Preview, Side,
    TableId, Timestamp,
};

use super::form::{Form, Touched};
use super::result::CONFIRM;
use crate::action::Action;
use crate::key::{Code, Key};
use crate::language::{Language, t};
use crate::notation::Notation;
use crate::words;

/// Keys within this time after opening are meant for what lay below, milliseconds.
pub const GUARD_MS: u64 = 333;

/// What a dialog knows when it is opened.
#[derive(Debug, Clone, Copy)]
pub struct Opening<'a> {
    /// The table.
    pub table: &'a DeskTable,
    /// The alert it answers, if any.
    pub alert: Option<&'a Alert>,
    /// What else is open at the table, in words; empty where nothing is.
    pub also: &'a str,
    /// The hub's time.
    pub at: Timestamp,
    /// Seconds east of Greenwich, for times of day.
    pub zone: i32,
    /// The table's number as it is to be typed: `042`.
    pub number: &'a str,
    /// The language of its words.
    pub language: &'a Language,
    /// Whose letters stand for the pieces, in what is shown and in what is written.
    pub notation: Notation,
}

/// What the hub has said to the present choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Said {
    /// Nothing yet.
    #[default]
    Waiting,
    /// What would follow, and the revision it was made for.
    Preview(Preview, u64),
    /// It refuses: code, why, what changed.
    Refused(String, String, Vec<String>),
    /// The choice is no order yet, and why.
    Unfinished(String),
}

/// How a choice becomes an order.
pub(super) type Body = fn(&Dialog) -> Result<OrderBody, String>;

/// A decision being made.
#[derive(Debug, Clone)]
pub struct Dialog {
    /// The language of its words.
    pub language: Language,
    /// Whose letters stand for the pieces in what is written.
    pub notation: Notation,
    /// What it decides: "Illegal move · Table 088".
    pub title: String,
    /// The table, for its revision and its number.
    pub table: Option<TableId>,
    /// The number to type for what ends a game.
    pub number: String,
    /// What is known, with labels: Seen, Because, Before …
    pub known: Vec<(&'static str, String)>,
    /// The fields.
    pub form: Form,
    /// How the choice becomes an order.
    pub body: Body,
    /// Whether a card can be written for the table: `p`.
    pub has_card: bool,
    /// A choice that is another decision: which one.
    pub leads: fn(&Dialog) -> Option<Action>,
    /// What the change of a field, by its name, changes in the others.
    pub settles: fn(&mut Dialog, &'static str),
    /// What the times that the hub works out change in the fields.
    pub works_out: fn(&mut Dialog, BySide<Millis>),
    /// Things the order needs that are no field: the ruling to counter, the alert, the offender.
    pub about: About,
    /// What follows leaves the house: its number is typed, as for the end of a game.
    pub leaves_house: bool,
    /// Whether the hub is asked what would follow before the order can be given.
    pub previewed: bool,
    /// The choice was changed by whoever decides, and its preview has not come.
    pub rechosen: bool,
    /// What the hub said would follow has changed since it was read, and was not read again.
    pub unread: bool,
    /// The present choice was made by its number.
    pub digit_chose: bool,
    /// What the hub said.
    pub said: Said,
    /// A refusal of the given order, kept in sight while the choice is previewed anew.
    pub refusal: Vec<String>,
    /// The number as typed so far.
    pub typed: String,
    /// Lines scrolled up from the field in hand.
    pub lift: usize,
    /// When it was opened, our clock.
    pub opened: Timestamp,
    /// The order whose preview is awaited.
    pub asked: Option<u64>,
    /// The order that was given and is not answered.
    pub given: Option<u64>,
}

/// What an order needs beside the fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The table.
    pub table: TableId,
    /// An alert, by id.
    pub alert: String,
    /// Further alerts of the same cause, by id: what is done is done for all of them.
    pub also: Vec<String>,
    /// What the alert is about, and whose it is.
    pub incident: Option<(Side, Incident)>,
    /// A ruling's number in the journal.
    pub ruling: u64,
    /// Times now, for changes worked out from times set.
    pub now_ms: BySide<u64>,
    /// The hub's time when it was opened.
    pub at: Timestamp,
    /// Seconds east of Greenwich, where times of day are written.
    pub zone: i32,
}

/// What a key asks of the program that holds the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Nothing.
    Nothing,
    /// Ask the hub for a preview of the changed choice.
    Preview,
    /// Give the order.
    Give,
    /// Close without an order.
    Close,
    /// Write what is known and worked out on a card for the table.
    Card,
    /// Open another decision about the same table instead.
    Open(Action),
}

impl Dialog {
    /// A dialog about a table.
    pub fn about(opening: &Opening<'_>, what: &str, form: Form, body: Body) -> Dialog {
        let table = opening.table;
        let about = About {
            table: table.table,
            alert: opening.alert.map_or(String::new(), |a| a.id.clone()),
            also: Vec::new(),
            incident: opening.alert.and_then(incident),
            ruling: 0,
            now_ms: table
                .clock
                .map_or(BySide::default(), |c| c.extrapolated(opening.at)),
            at: opening.at,
            zone: opening.zone,
        };
        Dialog {
            table: Some(table.table),
            number: opening.number.to_owned(),
            notation: opening.notation,
            ..Dialog::new(
                opening.language,
                t!(opening.language, "{} · Table {}", what, opening.number),
                about,
                form,
                body,
            )
        }
    }

    /// A dialog that need not be about a table.
    pub fn new(language: &Language, title: String, about: About, form: Form, body: Body) -> Dialog {
        Dialog {
            language: language.clone(),
            notation: Notation::English,
            leaves_house: false,
            title,
            table: None,
            number: String::new(),
            known: Vec::new(),
            form,
            body,
            has_card: false,
            leads: |_| None,
            settles: |_, _| {},
            works_out: |_, _| {},
            about,
            previewed: true,
            rechosen: false,
            unread: false,
            digit_chose: false,
            said: Said::Waiting,
            refusal: Vec::new(),
            typed: String::new(),
            lift: 0,
            opened: Timestamp(0),
            asked: None,
            given: None,
        }
    }

    /// Adds a line of what is known.
    pub fn knowing(mut self, label: &'static str, words: impl Into<String>) -> Dialog {
        self.known.push((label, words.into()));
        self
    }

    /// Whether the table number is to be typed.
    pub fn ends_game(&self) -> bool {
        matches!(&self.said, Said::Preview(preview, _) if preview.ends_game || self.leaves_house)
    }

    /// What is known and what the hub works out, as a card to lie beside the clock.
    pub fn card(&self) -> String {
        let l = &self.language;
        let known = self.known.iter();
        let known = known.map(|(label, text)| format!("{:10} {text}", l.say(label)));
        let mut lines: Vec<String> = std::iter::once(self.title.clone()).chain(known).collect();
        if let Said::Preview(preview, _) = &self.said {
            lines.extend(preview.lines.iter().chain(&preview.then).cloned());
            let clock = preview.set_clock.map(|time| {
                let (white, black) = (words::clock(time.white), words::clock(time.black));
                t!(l, "Set the clock by hand: White {}, Black {}", white, black)
            });
            lines.extend(clock);
        }
        let lines = lines.iter().map(|line| words::tame(line) + "\n");
        lines.collect()
    }

    /// Whether the number box is in hand.
    pub fn is_typing(&self) -> bool {
        self.ends_game() && self.form.at >= self.form.fields.len()
    }

    /// Why the order cannot be given yet; none when it can.
    pub fn missing(&self) -> Option<String> {
        let l = &self.language;
        if self.given.is_some() {
            return Some(t!(l, "given; waiting for the hub"));
        }
        match &self.said {
            Said::Unfinished(why) => Some(why.clone()),
            _ if !self.previewed => None,
            _ if self.unread => Some(t!(l, "it has changed: read it; enter asks again")),
            Said::Waiting => Some(t!(l, "the hub has not yet said what would follow")),
            Said::Refused(_, why, _) => Some(t!(l, "the hub refuses: {}", why)),
            Said::Preview(..) if self.leaves_house && !self.number_fits() => Some(t!(
                l,
                "this leaves the house: type the number {}",
                self.number
            )),
            Said::Preview(..) if self.ends_game() && self.is_wrong_number() => Some(t!(
                l,
                "{} is not this table: type {}",
                self.typed,
                self.number
            )),
            Said::Preview(..) if self.ends_game() && !self.number_fits() => Some(t!(
                l,
                "this ends the game: type the table number {}",
                self.number
            )),
            Said::Preview(..) => None,
        }
    }

    /// As many digits as the number has, and another number.
    fn is_wrong_number(&self) -> bool {
        self.typed.len() >= self.number.len() && !self.number_fits()
    }

    fn number_fits(&self) -> bool {
        let typed = self.typed.parse::<u16>().ok();
        typed.is_some() && typed == self.number.parse().ok()
    }

    /// Takes a key at `now`.
    pub fn key(&mut self, key: Key, now: Timestamp) -> Asked {
        if now.since(self.opened) < GUARD_MS {
            return Asked::Nothing;
        }
        self.lift = match key.code {
            Code::PageUp => self.lift + 8,
            Code::PageDown => self.lift.saturating_sub(8),
            _ => 0,
        };
        match key.code {
            Code::PageUp | Code::PageDown => Asked::Nothing,
            Code::Esc => Asked::Close,
            Code::Enter if self.unread => self.read_again(),
            _ if self.unread && self.is_answer(key) => Asked::Nothing,
            Code::Enter => self.enter(),
            _ if self.is_typing() => self.type_number(key),
            Code::Tab | Code::Down if self.is_at_last_stop(key) => {
                self.form.at = self.form.fields.len();
                Asked::Nothing
            }
            _ => self.touch(key),
        }
    }

    /// Enter says that what changed was read; it gives no order.
    fn read_again(&mut self) -> Asked {
        self.unread = false;
        self.refusal.clear();
        Asked::Nothing
    }

    /// A digit answers what was read before, whether it chooses or types the number of the table.
    fn is_answer(&self, key: Key) -> bool {
        key.digit().is_some() && !self.form.is_writing()
    }

    fn is_at_last_stop(&self, key: Key) -> bool {
        use super::form::Held;
        let last = self.form.at + 1 == self.form.fields.len();
        let held = self.form.fields.get(self.form.at).map(|f| &f.held);
        let inside = key.code == Code::Down
            && matches!(held, Some(Held::List(options, at)) if at + 1 < options.len());
        self.ends_game() && last && !inside
    }

    fn enter(&mut self) -> Asked {
        if let Some(action) = (self.leads)(self) {
            return Asked::Open(action);
        }
        match self.missing() {
            None => Asked::Give,
            Some(_) if matches!(self.said, Said::Refused(..)) => Asked::Preview,
            Some(_) => {
                if self.ends_game() {
                    self.form.at = self.form.fields.len();
                }
                Asked::Nothing
            }
        }
    }

    fn touch(&mut self, key: Key) -> Asked {
        let at_once = key.letter() == Some('v') && !self.form.is_writing();
        if at_once && self.form.turn_tick(CONFIRM) {
            return self.chosen_anew(true);
        }
        if self.has_card && key.letter() == Some('p') && !self.form.is_writing() {
            return Asked::Card;
        }
        let digit = key.digit().filter(|_| !self.form.is_writing());
        if digit.is_some() && self.ends_game() && !self.typed.is_empty() {
            return self.type_number(key);
        }
        let field = self.form.fields.get(self.form.at).map(|f| f.name);
        match self.form.key(key) {
            Touched::Changed => {
                if let Some(field) = field {
                    (self.settles)(self, field);
                }
                self.chosen_anew(digit.is_some())
            }
            Touched::Nothing if digit.is_some() && self.ends_game() => self.type_number(key),
            Touched::Moved | Touched::Nothing => Asked::Nothing,
        }
    }

    fn chosen_anew(&mut self, by_digit: bool) -> Asked {
        self.typed.clear();
        self.digit_chose = by_digit;
        self.rechosen = true;
        self.unread = false;
        Asked::Preview
    }

    fn type_number(&mut self, key: Key) -> Asked {
        match (key.code, key.letter()) {
            (Code::Backspace, _) => drop(self.typed.pop()),
            (_, Some(c)) if c.is_ascii_digit() && self.typed.len() < 5 => {
                self.form.at = self.form.fields.len();
                self.typed.push(c);
            }
            (Code::Up | Code::BackTab, _) => {
                self.form.at = self.form.fields.len().saturating_sub(1)
            }
            (Code::Tab | Code::Down, _) => self.form.at = 0,
            _ => {}
        }
        Asked::Nothing
    }

    /// The hub's answer to one of this dialog's orders; true when the dialog is done.
    pub fn hear(&mut self, answer: &Answer) -> bool {
        match answer {
            Answer::Preview { id, basis, preview } if self.asked == Some(*id) => {
                self.hear_preview(preview, *basis);
            }
            Answer::Refused {
                id,
                code,
                why,
                difference,
            } if self.asked == Some(*id) => {
                self.asked = None;
                self.said = Said::Refused(code.clone(), why.clone(), difference.clone());
            }
            Answer::Refused {
                id,
                why,
                difference,
                ..
            } if self.given == Some(*id) => {
                self.given = None;
                self.typed.clear();
                self.refusal = vec![t!(self.language, "Not done: {}", why)];
                self.refusal.extend(difference.iter().cloned());
            }
            Answer::Done { id, .. } if self.given == Some(*id) => return true,
            _ => {}
        }
        false
    }

    /// What the hub says to the same choice may change while it is read: then it is asked again.
    fn compare(&mut self, preview: &Preview) {
        let rechosen = std::mem::take(&mut self.rechosen);
        let Said::Preview(before, _) = &self.said else {
            return;
        };
        let same = before.ends_game == preview.ends_game && follows(before).eq(follows(preview));
        if rechosen || same {
            return;
        }
        let (was, is) = (before.then.join("; "), preview.then.join("; "));
        let told = t!(
            self.language,
            "The ruling has changed since it was opened: before {}; now {}",
            was,
            is
        );
        self.typed.clear();
        if self.unread {
            self.refusal.pop();
        }
        self.unread = true;
        self.refusal.push(told);
    }

    fn hear_preview(&mut self, preview: &Preview, basis: u64) {
        let first = self.said == Said::Waiting;
        self.asked = None;
        self.compare(preview);
        self.said = Said::Preview(preview.clone(), basis);
        if let Some(times) = preview.set_clock {
            (self.works_out)(self, times);
        }
        let only_note = first && self.form.fields.len() == 1;
        if !self.ends_game() && self.form.at >= self.form.fields.len() {
            self.form.at = 0;
        } else if (only_note || self.digit_chose) && self.ends_game() {
            self.form.at = self.form.fields.len();
        }
        self.digit_chose = false;
    }
}

/// What would follow, without the times, which go on while it is read.
fn follows(preview: &Preview) -> impl Iterator<Item = &str> {
    let said = preview.then.iter().chain([&preview.article]);
    said.flat_map(|text| text.split_whitespace())
        .filter(|word| !(word.contains(':') && word.contains(|c: char| c.is_ascii_digit())))
}

/// What an alert is about, where it is somebody's.
fn incident(alert: &Alert) -> Option<(Side, Incident)> {
    let incident = Incident {
        code: alert.code.clone(),
        ply: alert.ply.unwrap_or(0),
    };
    Some((alert.side?, incident))
}

/// A result as people write it: `½ – ½`.
pub fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1 – 0",
        GameResult::BlackWins => "0 – 1",
        GameResult::Draw => "½ – ½",
        GameResult::BothLose => "0 – 0",
        GameResult::WhiteByDefault => "+ – -",
        GameResult::BlackByDefault => "- – +",
        GameResult::NobodyAppeared => "- – -",
    }
}
