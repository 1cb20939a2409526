//! The forms in which `infer` takes events and games, and how they become observations and set-ups.

use serde::Deserialize;
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Color, PositionError, Square, fen::Fen, uci::UciMove};

use crate::tracker::{
    ClockState, LogEntry, Millis, Observation, Profile, Reading, Readings, Sensing, Setup,
};

/// Entries of a board's log that are read at most.
const LONGEST_LOG: usize = 4096;

/// What a stream may say about its game before the first event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Game {
    /// `identity` (the default), `colour` or `occupancy`.
    pub board: Option<String>,
    /// `usb` (the default), `bt`, `rfid` or `fast`.
    pub profile: Option<String>,
    /// `standard` or `chess960`; without it, what the castling rights of the position say.
    pub variant: Option<String>,
    /// The position before the history.
    pub start_fen: Option<String>,
    /// Moves played before the first event, as UCI.
    pub history: Vec<String>,
    /// What stands on the board, as the first field of a FEN or as 64 characters.
    pub initial_placement: Option<String>,
    /// How long a move that could go on is held back, in milliseconds (default 250).
    pub hold_ms: Option<Millis>,
}

/// A game object that makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// Not an object of the right form.
    #[error("the game is no valid object: {0}")]
    Form(#[from] serde_json::Error),
    /// A word that is not known.
    #[error("{field}: {word} is not known")]
    Word {
        /// Which field.
        field: &'static str,
        /// What it said.
        word: String,
    },
    /// The position is none.
    #[error("start_fen: {0}")]
    Position(String),
    /// The history cannot be played.
    #[error("history: {0}")]
    History(String),
    /// The placement is none.
    #[error("initial_placement: {0} describes no board")]
    Placement(String),
}

impl Game {
    /// Reads a game object, alone or inside `{"game": …}`.
    ///
    /// # Errors
    /// Text that is no such object.
    pub fn from_json(text: &str) -> Result<Game, GameError> {
        let value: Value = serde_json::from_str(text)?;
        let game = value.get("game").cloned().unwrap_or(value);
        Ok(serde_json::from_value(game)?)
    }

    /// What another object says goes before what this one says.
    pub(super) fn overlaid(self, other: Game) -> Game {
        Game {
            board: other.board.or(self.board),
            profile: other.profile.or(self.profile),
            variant: other.variant.or(self.variant),
            start_fen: other.start_fen.or(self.start_fen),
            history: if other.history.is_empty() {
                self.history
            } else {
                other.history
            },
            initial_placement: other.initial_placement.or(self.initial_placement),
            hold_ms: other.hold_ms.or(self.hold_ms),
        }
    }

    /// The set-up of a tracker whose first observation is known: it may show what kind of board it is.
    pub(super) fn setup(&self, first: &Observation) -> Result<Setup, GameError> {
        let mut setup = self.setup_unseen()?;
        if self.board.is_none() && presence_only(first) {
            setup.sensing = Sensing::Occupancy;
        }
        if self.profile.is_none() && setup.sensing == Sensing::Occupancy {
            setup.profile = Profile::Fast;
        }
        let sensing = setup.sensing;
        if let Some(placement) = &mut setup.placement {
            **placement = placement.map(|reading| sensing.see(reading));
        }
        Ok(setup)
    }

    pub(super) fn setup_unseen(&self) -> Result<Setup, GameError> {
        let mode = match self.variant.as_deref() {
            None => likely_mode(self.start_fen.as_deref()),
            Some("standard") => CastlingMode::Standard,
            Some("chess960") => CastlingMode::Chess960,
            Some(word) => return Err(unknown("variant", word)),
        };
        let mut setup = Setup::from_position(position(self.start_fen.as_deref(), mode)?);
        setup.mode = mode;
        setup.sensing = match self.board.as_deref() {
            None | Some("identity") => Sensing::Identity,
            Some("colour") => Sensing::Colour,
            Some("occupancy") => Sensing::Occupancy,
            Some(word) => return Err(unknown("board", word)),
        };
        setup.profile = match self.profile.as_deref() {
            None | Some("usb") => Profile::Usb,
            Some("bt") => Profile::Bluetooth,
            Some("rfid") => Profile::Rfid,
            Some("fast") => Profile::Fast,
            Some(word) => return Err(unknown("profile", word)),
        };
        setup.hold = self.hold_ms.unwrap_or(setup.hold);
        let moves: Result<Vec<UciMove>, _> = self.history.iter().map(|uci| uci.parse()).collect();
        let moves = moves.map_err(|_| GameError::History("a move that is no move".into()))?;
        setup = setup
            .with_history(&moves)
            .map_err(|e| GameError::History(e.to_string()))?;
        if let Some(text) = &self.initial_placement {
            let readings = placement(text).ok_or_else(|| GameError::Placement(text.clone()))?;
            setup.placement = Some(Box::new(readings));
        }
        Ok(setup)
    }
}

/// Castling rights that only Chess960 knows say that it is played.
fn likely_mode(fen: Option<&str>) -> CastlingMode {
    let fen = fen.and_then(|text| text.parse::<Fen>().ok());
    fen.map_or(CastlingMode::Standard, |fen| {
        CastlingMode::detect(fen.as_setup())
    })
}

fn unknown(field: &'static str, word: &str) -> GameError {
    GameError::Word {
        field,
        word: word.to_owned(),
    }
}

fn position(fen: Option<&str>, mode: CastlingMode) -> Result<Chess, GameError> {
    let Some(text) = fen else {
        return Ok(Chess::default());
    };
    let wrong = |e: String| GameError::Position(e);
    let fen: Fen = text
        .parse()
        .map_err(|_| wrong(format!("{text} is no FEN")))?;
    fen.into_position(mode)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|e| wrong(e.to_string()))
}

/// A placement as the first field of a FEN, or as 64 characters from a8 to h1.
fn placement(text: &str) -> Option<Readings> {
    let field = text.split(' ').next()?;
    if !field.contains('/') {
        return dump(field);
    }
    let mut flat = String::new();
    for letter in field.chars().filter(|letter| *letter != '/') {
        match letter.to_digit(10) {
            Some(empty @ 1..=8) => (0..empty).for_each(|_| flat.push('.')),
            _ => flat.push(letter),
        }
    }
    dump(&flat)
}

fn dump(text: &str) -> Option<Readings> {
    let mut readings = [Reading::EMPTY; 64];
    let mut letters = text.chars();
    for index in 0..64 {
        let square = Square::new(index).flip_vertical();
        readings[square.to_usize()] = Reading::from_char(letters.next()?)?;
    }
    letters.next().is_none().then_some(readings)
}

fn presence_only(first: &Observation) -> bool {
    match first {
        Observation::Dump(readings) => readings.contains(&Reading::SOMETHING),
        Observation::Square { reading, .. } => *reading == Reading::SOMETHING,
        _ => false,
    }
}

/// One line of a stream.
pub(super) enum Event {
    /// An empty line.
    Nothing,
    /// No event.
    Bad,
    /// The game.
    Game(Box<Game>),
    /// Something a device reported; the second board of a two-board game is `Some(true)`.
    Observed {
        at: Millis,
        board: Option<bool>,
        observation: Observation,
    },
}

/// Reads one line.
pub(super) fn parse(line: &[u8]) -> Event {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Event::Nothing;
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Event::Bad;
    };
    if let Some(game) = value.get("game") {
        return match serde_json::from_value(game.clone()) {
            Ok(game) => Event::Game(Box::new(game)),
            Err(_) => Event::Bad,
        };
    }
    let at = value.get("t_ms").and_then(time);
    let board = value
        .get("board")
        .and_then(Value::as_str)
        .map(|name| name == "B");
    match (at, observation(&value)) {
        (Some(at), Some(observation)) => Event::Observed {
            at,
            board,
            observation,
        },
        _ => Event::Bad,
    }
}

/// Times before the beginning count as the beginning.
fn time(value: &Value) -> Option<Millis> {
    value.as_u64().or_else(|| {
        value
            .as_f64()
            .filter(|t| t.is_finite())
            .map(|t| t.max(0.0) as Millis)
    })
}

fn observation(value: &Value) -> Option<Observation> {
    if let Some(text) = value.get("dump") {
        return Some(Observation::Dump(Box::new(dump(text.as_str()?)?)));
    }
    if value.get("square").is_some() {
        let (square, reading) = change(value)?;
        return Some(Observation::Square { square, reading });
    }
    if let Some(by) = value.get("clock") {
        let by = match by.as_str()? {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return None,
        };
        return Some(Observation::Press {
            by,
            white: seconds(value, "wtime"),
            black: seconds(value, "btime"),
        });
    }
    if let Some(state) = value.get("clock_state") {
        return Some(Observation::Clock(match state.as_str()? {
            "stopped" => ClockState::Stopped,
            "running" => ClockState::Running,
            "set" => ClockState::Set,
            _ => return None,
        }));
    }
    if let Some(link) = value.get("link") {
        return match link.as_str()? {
            "up" => Some(Observation::Link(true)),
            "down" => Some(Observation::Link(false)),
            _ => None,
        };
    }
    let entries = value.get("ee_log")?.as_array()?;
    let entries: Option<Vec<LogEntry>> = entries.iter().take(LONGEST_LOG).map(log_entry).collect();
    Some(Observation::Log(entries?))
}

fn change(value: &Value) -> Option<(Square, Reading)> {
    let square = value.get("square")?.as_str()?.parse().ok()?;
    let reading = match value.get("piece") {
        None | Some(Value::Null) => Reading::EMPTY,
        Some(piece) => {
            let mut letters = piece.as_str()?.chars();
            let reading = Reading::from_char(letters.next()?)?;
            letters.next().is_none().then_some(reading)?
        }
    };
    Some((square, reading))
}

fn seconds(value: &Value, key: &str) -> Option<u32> {
    value
        .get(key)
        .and_then(Value::as_u64)
        .and_then(|seconds| u32::try_from(seconds).ok())
}

fn log_entry(value: &Value) -> Option<LogEntry> {
    let (square, reading) = change(value)?;
    let after = value.get("after_ms").and_then(Value::as_u64);
    Some(LogEntry::Square {
        square,
        reading,
        after,
    })
}
