//! Lines that set a round up: edition, regime, time control, tables with players and boards.

use agent::devices::{Orientation, Placement};
use agent::simulate::dgt::VirtualOptions;
use hub::rounds::{RoundSetup, TableSetup};
use protocol::{DeviceId, EditionId, Side, Speed, TableId, TimeControl};

use super::story::Boards;
use super::words::{Read, Word, Words, duration, table};
use crate::hall::NOON;

/// A round in the making.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    round: RoundSetup,
    supervised: Option<bool>,
    speed: Option<Speed>,
    boards: Boards,
    /// No round is opened: every board opens a table by itself.
    unpaired: bool,
    /// Tables of pairings that come later.
    later: Vec<TableId>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            round: RoundSetup {
                event: "Stories".to_owned(),
                round: 1,
                time_control: "5400+30".parse().expect("a control"),
                ..RoundSetup::default()
            },
            supervised: None,
            speed: None,
            boards: Vec::new(),
            unpaired: false,
            later: Vec::new(),
        }
    }
}

impl Setup {
    /// The table that was set up last.
    pub(super) fn last_table(&self) -> Option<TableId> {
        self.round.tables.last().map(|t| t.table)
    }

    /// Whether a table was set up.
    pub(super) fn knows(&self, table: TableId) -> Read<()> {
        let known = self.round.tables.iter().any(|t| t.table == table);
        (known || self.later.contains(&table))
            .then_some(())
            .ok_or_else(|| format!("table {table} was not set up"))
    }

    /// Whether no round is opened before the story begins.
    pub(super) fn is_unpaired(&self) -> bool {
        self.unpaired
    }

    /// Pairings that come in the middle of a story: tables with commas between them.
    pub(super) fn pairings(&mut self, words: &mut Words) -> Read<RoundSetup> {
        let mut later = self.clone();
        later.round.tables.clear();
        if words.takes("round") {
            later.round.round = words.want("number of the round", |w| w.parse().ok())?;
        }
        while let Some(mut row) = words.until_comma() {
            row.want("word: table", |w| (w == "table").then_some(()))?;
            later.later.clear();
            later.table(&mut row)?;
            row.end()?;
        }
        let (round, _) = later.round()?;
        self.later.extend(round.tables.iter().map(|t| t.table));
        Ok(round)
    }

    /// The round and its boards.
    pub(super) fn round(self) -> Read<(RoundSetup, Boards)> {
        let mut round = self.round;
        let speed = self.speed.or_else(|| round.time_control.speed());
        round.regime.speed = speed.unwrap_or_default();
        round.regime.supervised = self
            .supervised
            .unwrap_or(round.regime.speed == Speed::Standard);
        match round.problems().into_iter().find(|p| p.fatal) {
            Some(problem) => Err(problem.what),
            None => Ok((round, self.boards)),
        }
    }

    /// Takes a line that sets something up; false when it is none.
    pub(super) fn take(&mut self, words: &mut Words) -> Read<bool> {
        if words.takes("edition") {
            self.edition(words)?;
        } else if words.takes("round") {
            self.round.round = words.want("number of the round", |w| w.parse().ok())?;
        } else if words.takes("unpaired") {
            self.unpaired = true;
        } else if words.takes("default-time") {
            self.round.default_ms = words.want(LENGTH, duration)?;
        } else if words.takes("starts") {
            words.want("word: in", |w| (w == "in").then_some(()))?;
            self.round.starts = Some(NOON.after(words.want(LENGTH, duration)?));
        } else if words.takes("table") {
            self.table(words)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn edition(&mut self, words: &mut Words) -> Read<()> {
        self.round.edition = words.text("edition")?.parse::<EditionId>()?;
        while let Some(word) = words.next() {
            match word {
                Word::Plain(w) if w == "supervised" => self.supervised = Some(true),
                Word::Plain(w) if w == "unsupervised" => self.supervised = Some(false),
                Word::Plain(w) if w == "standard" => self.speed = Some(Speed::Standard),
                Word::Plain(w) if w == "rapid" => self.speed = Some(Speed::Rapid),
                Word::Plain(w) if w == "blitz" => self.speed = Some(Speed::Blitz),
                Word::Plain(w) | Word::Quoted(w) => self.round.time_control = control(&w)?,
                Word::Comma | Word::Json(_) => return Err("no edition looks like this".to_owned()),
            }
        }
        Ok(())
    }

    fn table(&mut self, words: &mut Words) -> Read<()> {
        let number = words.want("number of a table", table)?;
        if self.knows(number).is_ok() {
            return Err(format!("table {number} stands twice"));
        }
        let mut setup = TableSetup::new(
            number,
            &format!("White {number}"),
            &format!("Black {number}"),
        );
        let mut serial = Some(format!("{:05}", u32::from(number.0) + 1000));
        let mut options = VirtualOptions::default();
        while let Some(word) = words.plain() {
            match word.as_str() {
                "White" => setup.players.get_mut(Side::White).name = words.text("name")?,
                "Black" => setup.players.get_mut(Side::Black).name = words.text("name")?,
                "fen" => setup.start_fen = Some(words.text("FEN")?),
                "chess960" => setup.chess960 = true,
                "control" => setup.time_control = Some(control(&words.text("time control")?)?),
                "turned" => options.orientation = Orientation::Rotated,
                "clock-turned" => options.clock_turned = true,
                "without" => serial = self.without(words, &mut options, serial)?,
                "board" => serial = Some(words.want("serial number of five digits", five_digits)?),
                "stands" => options.placement = placement(&words.text("placement")?)?,
                other => return Err(format!("“{other}” is nothing a table has: {TABLE}")),
            }
        }
        if let Some(fen) = setup
            .start_fen
            .as_deref()
            .filter(|_| options.placement == Placement::start())
        {
            // A FEN that makes no sense is refused with the round.
            options.placement = placement(fen).unwrap_or(options.placement);
        }
        if let Some(serial) = serial {
            setup.device = Some(DeviceId::of("dgt", &serial));
            if !self.boards.iter().any(|(_, known, _)| *known == serial) {
                self.boards.push((number, serial, options));
            }
        }
        self.round.tables.push(setup);
        Ok(())
    }

    fn without(
        &self,
        words: &mut Words,
        options: &mut VirtualOptions,
        serial: Option<String>,
    ) -> Read<Option<String>> {
        let what = words.want("word: board or clock", |w| match w {
            "board" => Some(true),
            "clock" => Some(false),
            _ => None,
        })?;
        if !what {
            options.clock = None;
        }
        Ok(serial.filter(|_| !what))
    }
}

const LENGTH: &str = "length of time (20s, 3m)";

const TABLE: &str = "White, Black, fen, chess960, control, board, without board, without clock, turned, clock-turned, stands";

fn control(text: &str) -> Read<TimeControl> {
    text.parse::<TimeControl>().map_err(|why| why.to_string())
}

fn placement(fen: &str) -> Read<Placement> {
    Placement::from_fen(fen)
        .ok_or_else(|| format!("“{fen}” is no placement of pieces (first field of a FEN)"))
}

fn five_digits(word: &str) -> Option<String> {
    let good = word.len() == 5 && word.bytes().all(|b| b.is_ascii_digit());
    good.then(|| word.to_owned())
}
