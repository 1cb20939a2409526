//! The palette: go anywhere or do anything by name.

use protocol::{GameResult, Side, TableId};

use super::commands::{Command, parse};
use super::state::{App, Overlay, Place};
use crate::action::Action;
use crate::dialogs;
use crate::filter::{Filter, Sector};
use crate::key::{Code, Key};
use crate::language::t;
use crate::message::Effect;
use crate::words;

/// What is being typed, and which of the offers is chosen.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// The text after the colon.
    pub text: String,
    /// The chosen offer.
    pub at: usize,
}

/// One line of the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// What to type for it.
    pub name: String,
    /// What it does.
    pub help: String,
    /// The short way.
    pub keys: String,
    /// The command.
    pub command: Command,
}

const AT_A_TABLE: [Action; 14] = [
    Action::Result,
    Action::Time,
    Action::IllegalMove,
    Action::Position,
    Action::Clock,
    Action::Claim,
    Action::Note,
    Action::Conduct,
    Action::Default,
    Action::Hold,
    Action::Adjourn,
    Action::Resume,
    Action::Restart,
    Action::Report,
];
const MOST_OFFERS: usize = 16;

impl Palette {
    /// A palette with a text.
    pub fn with(text: &str) -> Palette {
        Palette {
            text: text.to_owned(),
            at: 0,
        }
    }
}

impl App {
    /// What the palette offers for a text.
    pub fn offers(&self, text: &str) -> Vec<Offer> {
        let mut offers = Vec::new();
        let words: Vec<&str> = text.split_whitespace().collect();
        let first = words.first().copied().unwrap_or("");
        if let Ok(table) = first.parse::<TableId>() {
            offers.extend(self.table_offers(table, words.get(1).copied().unwrap_or("")));
        } else if let Ok(command) = parse(&self.language, text) {
            offers.push(self.whole(text, command));
        }
        if words.len() <= 1 {
            offers.extend(self.named_offers(first));
            offers.extend(self.player_offers(text.trim()));
        }
        offers.truncate(MOST_OFFERS);
        offers
    }

    fn table_offers(&self, table: TableId, word: &str) -> Vec<Offer> {
        if !self.venue.tables.contains_key(&table) {
            return Vec::new();
        }
        let number = self.venue.number(table);
        let open = Offer {
            name: format!("table {table}"),
            help: t!(self.language, "open Table {}", number),
            keys: table.to_string(),
            command: Command::Table(table),
        };
        let decide = AT_A_TABLE.iter().map(|&action| Offer {
            name: format!("table {table} {}", action.info().name),
            help: self.language.help(action).to_owned(),
            keys: format!("{table} {}", self.keymap.key(action)),
            command: Command::Decide(action, table),
        });
        let alerts = Offer {
            name: format!("alerts {table}"),
            help: t!(self.language, "alerts of Table {}", number),
            keys: String::new(),
            command: Command::Alerts(format!("t:{table}")),
        };
        let fits = |offer: &Offer| {
            word.is_empty()
                || offer
                    .name
                    .split(' ')
                    .nth(2)
                    .is_some_and(|n| n.starts_with(word))
                || offer.keys.split(' ').nth(1) == Some(word)
        };
        let all = std::iter::once(open).chain(decide).chain([alerts]);
        all.filter(fits).collect()
    }

    fn named_offers(&self, word: &str) -> Vec<Offer> {
        let word = word.to_lowercase();
        let fits = |a: &&Action| {
            let name = a.info().name;
            name.starts_with(&word) || (word.len() > 2 && self.language.help(**a).contains(&word))
        };
        let offer = |&action: &Action| Offer {
            name: action.info().name.to_owned(),
            help: self.language.help(action).to_owned(),
            keys: self.keymap.key(action).to_owned(),
            command: Command::Act(action),
        };
        Action::ALL.iter().filter(fits).map(offer).collect()
    }

    fn player_offers(&self, text: &str) -> Vec<Offer> {
        let text = text.to_lowercase();
        if text.chars().count() < 3 || text.parse::<u16>().is_ok() {
            return Vec::new();
        }
        let plays = |t: &&protocol::DeskTable| {
            let p = &t.players;
            [&p.white, &p.black]
                .iter()
                .any(|p| p.name.to_lowercase().contains(&text))
        };
        let tables = self.venue.tables.values().filter(plays).take(MOST_OFFERS);
        tables
            .map(|t| Offer {
                name: format!("table {}", t.table),
                help: format!("{} – {}", t.players.white.name, t.players.black.name),
                keys: t.table.to_string(),
                command: Command::Table(t.table),
            })
            .collect()
    }

    fn whole(&self, text: &str, command: Command) -> Offer {
        Offer {
            name: text.trim().to_owned(),
            help: t!(self.language, "as written"),
            keys: String::new(),
            command,
        }
    }

    /// A key for the palette.
    pub(super) fn palette_key(&mut self, mut palette: Palette, key: Key) -> Vec<Effect> {
        let offers = self.offers(&palette.text).len();
        match (key.code, key.letter()) {
            (Code::Esc, _) => return Vec::new(),
            (Code::Enter, _) => return self.run_palette(&palette),
            (Code::Up, _) => palette.at = palette.at.saturating_sub(1),
            (Code::Down, _) => palette.at = (palette.at + 1).min(offers.saturating_sub(1)),
            (Code::Tab, _) => self.complete(&mut palette),
            (Code::Backspace, _) => {
                palette.text.pop();
                palette.at = 0;
            }
            (_, Some(c)) if palette.text.chars().count() < 120 => {
                palette.text.push(c);
                palette.at = 0;
            }
            _ => {}
        }
        self.overlay = Some(Overlay::Palette(palette));
        Vec::new()
    }

    fn complete(&self, palette: &mut Palette) {
        if let Some(offer) = self.offers(&palette.text).into_iter().nth(palette.at) {
            palette.text = format!("{} ", offer.name);
            palette.at = 0;
        }
    }

    fn run_palette(&mut self, palette: &Palette) -> Vec<Effect> {
        let offer = self.offers(&palette.text).into_iter().nth(palette.at);
        match offer {
            Some(offer) => self.run(offer.command),
            None => match parse(&self.language, &palette.text) {
                Ok(command) => self.run(command),
                Err(why) => {
                    self.complain(why);
                    Vec::new()
                }
            },
        }
    }

    /// Does a command.
    pub fn run(&mut self, command: Command) -> Vec<Effect> {
        match command {
            Command::Table(table) => self.open_number(table),
            Command::Act(action) => return self.act(action),
            Command::Decide(action, table) => return self.decide_at(action, table),
            Command::Alerts(filter) => {
                self.visit(Place::Alerts);
                self.filter = Filter::new(&filter);
            }
            Command::Sector(sector) => {
                let Some(read) = Sector::new(&sector) else {
                    self.complain(t!(
                        self.language,
                        "{} is no part of the hall: all, rows A-D, tables 40-50",
                        sector
                    ));
                    return Vec::new();
                };
                self.sector = read;
                let words = self.language.say(self.sector.words());
                self.say(t!(self.language, "sector: {}", words));
            }
            Command::Filter(filter) => self.filter = Filter::new(&filter),
            Command::Bind(table, board) => {
                if let Err(why) = self.may_order(Action::Bind) {
                    self.complain(why);
                    return Vec::new();
                }
                return self.bind(&dialogs::Binding {
                    board: Some(board),
                    table: Some(table),
                    ..Default::default()
                });
            }
            Command::Round(round) => {
                self.look_at_round(round);
                return Vec::new();
            }
            Command::Counter(number) => return self.counter_number(number),
            Command::Time {
                table,
                side,
                ms,
                article,
            } => {
                return self.time_at(table, side, ms, &article);
            }
            Command::AddTime { ms, tables } => return self.add_time(ms, &tables),
            Command::Result { table, result, how } => return self.result_at(table, result, how),
            Command::Note(table, text) => return self.note_at(table, &text),
        }
        self.refresh(true);
        Vec::new()
    }

    fn decide_at(&mut self, action: Action, table: TableId) -> Vec<Effect> {
        self.open_number(table);
        match self.place == Place::Table(table) {
            true => self.act(action),
            false => Vec::new(),
        }
    }

    fn time_at(&mut self, table: TableId, side: Side, ms: i64, article: &str) -> Vec<Effect> {
        let mut effects = self.decide_at(Action::Time, table);
        if let Some(Overlay::Dialog(dialog)) = &mut self.overlay {
            dialog.form.write(side.word(), words::change(ms).trim());
            dialogs::choose_article(dialog, article);
            effects.extend(self.preview());
        }
        effects
    }

    fn add_time(&mut self, ms: i64, tables: &[TableId]) -> Vec<Effect> {
        if let Err(why) = self.may_order(Action::Time) {
            self.complain(why);
            return Vec::new();
        }
        let at = self.hub_now();
        self.show(dialogs::open_add_time(&self.language, ms, tables, at))
    }

    fn result_at(
        &mut self,
        table: TableId,
        result: GameResult,
        how: Option<protocol::ResultHow>,
    ) -> Vec<Effect> {
        let mut effects = self.decide_at(Action::Result, table);
        if let Some(Overlay::Dialog(dialog)) = &mut self.overlay {
            dialogs::choose_result(dialog, result, how);
            effects.extend(self.preview());
        }
        effects
    }

    fn note_at(&mut self, table: TableId, text: &str) -> Vec<Effect> {
        let effects = self.decide_at(Action::Note, table);
        if let Some(Overlay::Dialog(dialog)) = &mut self.overlay {
            dialog.form.write(dialogs::NOTE, text);
        }
        effects.into_iter().chain(self.preview()).collect()
    }
}
