//! The dashboard in sentences, for screen readers and pipes: one line per change, orders from lines of text, no cursor movement.

use protocol::{Alert, AlertLife, DeskTable, TableState, Timestamp};

use crate::app::{App, Command, Overlay, Place, parse};
use crate::dialogs::{Dialog, Said, result_words, state_words};
use crate::key::{Code, Key};
use crate::language::{Language, t, word};
use crate::message::{Effect, Heard, Link, Message};
use crate::venue::{Trust, clocks};
use crate::words;

/// A dashboard that speaks instead of drawing.
#[derive(Debug)]
pub struct Plain {
    app: App,
    said: Vec<String>,
    trust: Option<bool>,
    shown: Option<Said>,
}

const HELP: [&str; 2] = [
    word!(
        "commands: list · table 42 · take 42 · give-back 42 · dismiss 42 · illegal-move 42 · time 42 black +2:00 7.5.5 · result 55 draw agreed · confirm 55 · note 42 words · bind 42 dgt-01025 · counter 7 · quit"
    ),
    word!(
        "in a decision: choose 2 · write words into the first text · note words · yes or the table number to give it · no to drop it"
    ),
];

impl Plain {
    /// Speaks for a dashboard.
    pub fn new(app: App) -> Plain {
        Plain {
            app,
            said: Vec::new(),
            trust: None,
            shown: None,
        }
    }

    /// The dashboard behind it.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Whether a line can be done now: the hub is heard, and has said what an open decision would lead to.
    pub fn is_ready(&self) -> bool {
        let asking = match &self.app.overlay {
            Some(Overlay::Dialog(dialog)) => {
                dialog.given.is_some() || (dialog.previewed && dialog.said == Said::Waiting)
            }
            _ => false,
        };
        !asking && self.app.trust() == Trust::Live
    }

    /// Whether orders were given that are not answered yet.
    pub fn awaits_answers(&self) -> bool {
        self.app.awaits_answers()
    }

    /// Takes a message and says what changed.
    pub fn update(&mut self, message: Message) -> (Vec<String>, Vec<Effect>) {
        // The dashboard behind it puts what it hears into its language by itself.
        let told = match message.clone() {
            Message::Heard(heard) => Message::Heard(self.app.reader().heard(heard)),
            other => other,
        };
        match &told {
            Message::Heard(Heard::Alert(alert)) => self.alert(alert),
            Message::Heard(Heard::Table(table)) => self.table(table),
            Message::Link(Link::Down(why)) if self.is_news(why) => {
                let text = t!(self.app.language, "no line to the hub: {}", why);
                self.say(word!("LOST"), &text);
            }
            _ => {}
        }
        let effects = self.app.update(message);
        self.after();
        (std::mem::take(&mut self.said), effects)
    }

    /// Whether a lost line is to be told: it was there, or nothing was heard yet and this is another reason.
    fn is_news(&self, why: &str) -> bool {
        match &self.app.venue.link {
            Link::Up => true,
            Link::Down(before) => self.app.is_unheard() && before != why,
            Link::Connecting => self.app.is_unheard(),
        }
    }

    /// Takes a line of text: a command, or an answer to a decision that is open.
    pub fn line(&mut self, line: &str) -> (Vec<String>, Vec<Effect>) {
        let line = line.trim();
        let effects = match (&self.app.overlay, line) {
            (_, "") => Vec::new(),
            (_, "help" | "?") => {
                let help = HELP.map(|text| self.app.language.say(text).to_owned());
                self.said.extend(help);
                Vec::new()
            }
            (_, "quit") => vec![Effect::Quit],
            (Some(Overlay::Dialog(_)), line) => self.decide(line),
            (_, "list") => {
                self.list();
                Vec::new()
            }
            (_, line) => self.command(line),
        };
        self.after();
        (std::mem::take(&mut self.said), effects)
    }

    fn command(&mut self, line: &str) -> Vec<Effect> {
        match parse(&self.app.language, line) {
            Err(why) => {
                let text = t!(self.app.language, "{}; help lists the commands", why);
                self.said.push(text);
                Vec::new()
            }
            Ok(Command::Table(table)) => {
                self.app.run(Command::Table(table));
                self.describe();
                Vec::new()
            }
            Ok(command) => self.app.run(command),
        }
    }

    /// An answer to an open decision.
    fn decide(&mut self, line: &str) -> Vec<Effect> {
        let key = |code| Key::plain(code);
        match line.split_once(' ').unwrap_or((line, "")) {
            ("no", _) => {
                let text = t!(self.app.language, "dropped; nothing was ordered");
                self.said.push(text);
                self.keys(&[key(Code::Esc)])
            }
            ("yes", _) => self.keys(&[key(Code::Enter)]),
            ("choose", digit) => self.choose(digit),
            ("write", text) => {
                if let Some(Overlay::Dialog(dialog)) = &mut self.app.overlay {
                    dialog.form.write_first(text);
                }
                self.app.preview()
            }
            ("note", text) => {
                if let Some(Overlay::Dialog(dialog)) = &mut self.app.overlay {
                    dialog.form.write(crate::dialogs::NOTE, text);
                }
                Vec::new()
            }
            (number, "") if number.parse::<u16>().is_ok() => self.number(number),
            _ => {
                let text = t!(
                    self.app.language,
                    "a decision is open: choose 2, write …, note …, yes, no, or the table number"
                );
                self.said.push(text);
                Vec::new()
            }
        }
    }

    fn choose(&mut self, digit: &str) -> Vec<Effect> {
        if let Some(Overlay::Dialog(dialog)) = &mut self.app.overlay {
            dialog.form.at = 0;
        }
        self.shown = None;
        let keys: Vec<Key> = digit.chars().map(Key::char).collect();
        self.keys(&keys)
    }

    fn number(&mut self, number: &str) -> Vec<Effect> {
        if let Some(Overlay::Dialog(dialog)) = &mut self.app.overlay {
            dialog.typed = number.to_owned();
        }
        self.keys(&[Key::plain(Code::Enter)])
    }

    /// What is written as a line is meant for the decision that is open, however quickly it comes.
    fn keys(&mut self, keys: &[Key]) -> Vec<Effect> {
        if let Some(Overlay::Dialog(dialog)) = &mut self.app.overlay {
            dialog.opened = Timestamp(0);
        }
        let press = |key: &Key| self.app.update(Message::Key(*key));
        keys.iter().flat_map(press).collect()
    }

    /// What every message may have led to: notices, trust, a preview.
    fn after(&mut self) {
        if let Some(notice) = self.app.notice.take() {
            let word = if notice.bad {
                word!("NOT DONE")
            } else {
                word!("DONE")
            };
            self.say(word, &notice.text);
        }
        let live = match self.app.trust() {
            Trust::Live => Some(true),
            Trust::Stale(_) => Some(false),
            Trust::Waiting => None,
        };
        if live != self.trust {
            match live {
                Some(true) => self.say(
                    "LIVE",
                    &t!(
                        self.app.language,
                        "the hub is heard; what follows is as it is now."
                    ),
                ),
                _ => self.say(
                    word!("STALE"),
                    &t!(self.app.language, "the hub is not heard; orders wait."),
                ),
            }
            self.trust = live;
        }
        self.preview();
    }

    fn preview(&mut self) {
        let Some(Overlay::Dialog(dialog)) = &self.app.overlay else {
            self.shown = None;
            return;
        };
        let news = self.shown.as_ref() != Some(&dialog.said);
        if news && !(dialog.said == Said::Waiting && dialog.previewed) {
            self.said.extend(spoken(dialog, self.shown.is_none()));
            self.shown = Some(dialog.said.clone());
        }
    }

    fn say(&mut self, word: &str, text: &str) {
        let at = words::time_of_day(self.app.hub_now(), self.app.zone);
        let word = self.app.language.say(word);
        self.said.push(format!("{at}  {word:8} {text}"));
    }

    fn place(&self, alert: &Alert) -> String {
        let Some(table) = alert.table else {
            return String::new();
        };
        let seat = self.app.venue.tables.get(&table);
        let seat = seat.and_then(|t| t.place.as_deref());
        let row = seat.and_then(crate::venue::seat);
        let row = row.map_or(String::new(), |s| t!(self.app.language, ", row {}", s.row));
        t!(self.app.language, "table {}{}: ", table, row)
    }

    fn alert(&mut self, alert: &Alert) {
        let old = self.app.venue.alerts.get(&alert.id);
        if old.map(|a| (&a.life, &a.headline)) == Some((&alert.life, &alert.headline)) {
            return;
        }
        if old.is_none() && !alert.is_open() {
            return;
        }
        let place = self.place(alert);
        let headline = words::headline(alert);
        let article = match alert.article.as_str() {
            "" => String::new(),
            article => t!(self.app.language, ", Article {}", words::tame(article)),
        };
        match &alert.life {
            AlertLife::New => {
                let so = words::tame(&alert.proposal.join(" "));
                let text = format!("{place}{headline}{article}. {so}");
                self.say(alert.urgency.word(), text.trim_end());
            }
            AlertLife::Taken { by, .. } => {
                let by = words::tame(by);
                let text = t!(
                    self.app.language,
                    "{}{}: {} goes there.",
                    place,
                    headline,
                    by
                );
                self.say(word!("TAKEN"), &text);
            }
            AlertLife::Closed { why, by, .. } => {
                let by = by.as_deref().map_or(String::new(), |by| {
                    t!(self.app.language, " by {}", words::tame(by))
                });
                let why = words::tame(self.app.language.say(why));
                self.say(word!("CLOSED"), &format!("{place}{headline}: {why}{by}."));
            }
        }
    }

    fn table(&mut self, table: &DeskTable) {
        let old = self.app.venue.tables.get(&table.table);
        let before = old.map(|t| t.standing);
        if before.is_none() || before == Some(table.standing) {
            return;
        }
        let l = &self.app.language;
        let words = table.standing.map_or_else(
            || t!(l, "no result any more"),
            |s| {
                format!(
                    "{}, {}, {}",
                    result_words(s.result),
                    l.say(s.how.words()),
                    l.say(state_words(s.state))
                )
            },
        );
        let text = t!(l, "table {}: {}.", table.table, words);
        self.say(word!("RESULT"), &text);
    }

    fn list(&mut self) {
        let at = self.app.hub_now();
        let mut alerts: Vec<&Alert> = self.app.venue.open_alerts(at).collect();
        alerts.sort_by_key(|a| (a.urgency, a.since, a.table));
        let lines = alerts.into_iter().map(|a| {
            let taken = match &a.life {
                AlertLife::Taken { by, .. } => {
                    t!(self.app.language, ", taken by {}", words::tame(by))
                }
                _ => String::new(),
            };
            let age = words::age(at.since(a.since));
            let headline = words::headline(a);
            format!(
                "{:6} {}{headline}, {age}{taken}.",
                self.app.language.say(a.urgency.word()),
                self.place(a)
            )
        });
        let lines: Vec<String> = lines.collect();
        let none = lines.is_empty().then(|| match self.app.is_unheard() {
            true => t!(self.app.language, "The hub has not been heard yet."),
            false => t!(self.app.language, "nobody needs you."),
        });
        self.said.extend(lines.into_iter().chain(none));
    }

    /// The table that is open, in sentences.
    fn describe(&mut self) {
        let Place::Table(id) = self.app.place else {
            return;
        };
        let Some(table) = self.app.venue.tables.get(&id) else {
            return;
        };
        let live = self.app.trust() == Trust::Live;
        let l = &self.app.language;
        let mut lines = vec![t!(
            l,
            "Table {}: White {}, Black {}. {}.",
            id,
            words::tame(&table.players.white.name),
            words::tame(&table.players.black.name),
            state(l, table)
        )];
        if let Some(both) = clocks(table, self.app.hub_now(), live) {
            let one = |s: crate::venue::Shown| {
                let clock = words::clock(s.ms);
                let clock = if s.about {
                    t!(l, "about {}", clock)
                } else {
                    clock
                };
                if s.runs {
                    t!(l, "{}, running", clock)
                } else {
                    clock
                }
            };
            lines.push(t!(
                l,
                "Clocks: White {}; Black {}.",
                one(both.white),
                one(both.black)
            ));
        }
        let from = table.record.len().saturating_sub(6);
        let moves = (from..table.record.len()).map(|index| {
            let number = words::move_number(u32::try_from(index + 1).unwrap_or(u32::MAX));
            format!(
                "{number} {}",
                crate::widgets::ply_text(table, index, &self.app.reader())
            )
        });
        lines.push(t!(
            l,
            "Last moves: {}.",
            moves.collect::<Vec<_>>().join(" ")
        ));
        lines.push(t!(
            l,
            "May not be said: {}.",
            words::silence(table, "; ").trim_end_matches('.')
        ));
        self.said.extend(lines);
    }
}

fn state(l: &Language, table: &DeskTable) -> String {
    match table.state {
        TableState::Out => t!(l, "The board does not answer"),
        TableState::Waiting => t!(l, "Not begun"),
        TableState::Playing => t!(l, "{} has the move", l.say(table.turn.word())),
        TableState::Stopped => t!(l, "Both clocks are stopped"),
        TableState::Adjourned => t!(l, "Adjourned"),
        TableState::Over => t!(l, "Over"),
    }
}

fn spoken(dialog: &Dialog, first: bool) -> Vec<String> {
    let l = &dialog.language;
    let mut lines = Vec::new();
    if first {
        lines.push(format!("{}.", words::tame(&dialog.title)));
        let known = dialog.known.iter();
        lines.extend(
            known.map(|(label, text)| format!("  {}: {}", l.say(label), words::tame(text))),
        );
        lines.extend(choices(dialog));
    }
    match &dialog.said {
        Said::Waiting => {}
        Said::Unfinished(why) => lines.push(t!(l, "  not yet: {}", why)),
        Said::Refused(code, why, difference) => {
            lines.push(t!(l, "  the hub refuses ({}): {}", code, words::tame(why)));
            lines.extend(difference.iter().map(|d| format!("  {}", words::tame(d))));
        }
        Said::Preview(preview, _) => {
            let article = words::tame(&preview.article);
            lines.extend(
                preview
                    .lines
                    .iter()
                    .map(|line| format!("  {article} {}", words::tame(line))),
            );
            lines.extend(
                preview
                    .then
                    .iter()
                    .map(|line| t!(l, "  then: {}", words::tame(line))),
            );
            if let Some(time) = preview.set_clock {
                let (white, black) = (words::clock(time.white), words::clock(time.black));
                lines.push(t!(
                    l,
                    "  set the clock by hand: White {}, Black {}",
                    white,
                    black
                ));
            }
        }
    }
    lines.push(match dialog.ends_game() {
        true if dialog.leaves_house => t!(
            l,
            "  this leaves the house: the number {} gives it, no drops it",
            dialog.number
        ),
        true => t!(
            l,
            "  this ends the game: the number {} gives it, no drops it",
            dialog.number
        ),
        false => t!(l, "  yes gives it, no drops it"),
    });
    lines
}

fn choices(dialog: &Dialog) -> Vec<String> {
    let Some(options) = dialog.form.options(0) else {
        return Vec::new();
    };
    let line = |(index, words, effect): (usize, &str, &str)| {
        let effect = if effect.is_empty() {
            String::new()
        } else {
            format!(" ({effect})")
        };
        t!(
            dialog.language,
            "  choose {}: {}",
            index + 1,
            format!("{words}{effect}")
        )
    };
    options.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::settings::Settings;

    fn heard(plain: &mut Plain, effects: Vec<Effect>) -> Vec<String> {
        let mut said = Vec::new();
        for effect in effects {
            if let Effect::Send(order) = effect {
                let answer = Box::new(example::answer(&order));
                let (lines, more) = plain.update(Message::Heard(Heard::Answer(answer)));
                said.extend(lines);
                said.extend(heard(plain, more));
            }
        }
        said
    }

    fn say(plain: &mut Plain, line: &str) -> String {
        let now = plain.app.now.after(400);
        plain.app.update(Message::Tick(now));
        let (mut said, effects) = plain.line(line);
        said.extend(heard(plain, effects));
        said.join("\n")
    }

    #[test]
    fn a_second_illegal_move_is_ruled_in_sentences() {
        let mut plain = Plain::new(example::app(&Settings::default()));
        let rows = [
            (
                "list",
                "CALL   table 88, row H: illegal move completed, White, second",
            ),
            (
                "illegal-move 88",
                "this ends the game: the number 088 gives it",
            ),
            ("choose 1", "two minutes more for Black"),
            ("choose 2", "second completed illegal move of White: lost"),
            ("yes", ""),
            ("088", "written down as no. 41420"),
            ("table 42", "Both clocks are stopped"),
            ("fly", "means nothing"),
        ];
        for (line, want) in rows {
            let said = say(&mut plain, line);
            assert!(said.contains(want), "{line}: {said}");
        }
    }

    #[test]
    fn the_lines_of_a_pipe_come_all_at_once() {
        let mut plain = Plain::new(example::app(&Settings::default()));
        for (line, want) in [
            ("result 55 draw agreed", "yes gives it"),
            ("yes", "written down as no. 41420"),
        ] {
            let (mut said, effects) = plain.line(line);
            said.extend(heard(&mut plain, effects));
            let said = said.join("\n");
            assert!(said.contains(want), "{line}: {said}");
        }
    }

    #[test]
    fn an_alert_is_one_sentence() {
        let mut plain = Plain::new(example::app(&Settings::default()));
        let mut alert = plain.app.venue.alerts["17-fivefold-1"].clone();
        alert.id = "17-fivefold-2".to_owned();
        let (said, _) = plain.update(Message::Heard(Heard::Alert(Box::new(alert))));
        let want = "18:17:12  CALL     table 17, row B: fivefold repetition on the board, Article 9.6.1. Stop";
        assert!(said.iter().any(|line| line.starts_with(want)), "{said:?}");
    }
}
