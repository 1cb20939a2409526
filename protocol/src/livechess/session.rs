//! One WebSocket client: its subscriptions and what it is told. Text in, texts out; no socket, no clock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use super::{Clock, House, Watched};
use crate::{Timestamp, lenient_position};

/// More feeds than any client has.
const FEEDS: usize = 256;

/// What a client asks.
#[derive(Deserialize)]
struct Call {
    call: String,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    param: Value,
}

/// JSON as it is sent, its keys in the order of the original.
type Json = String;

/// Nothing to say.
const NULL: &str = "null";

/// The state of a board.
#[derive(Serialize)]
struct State<'a> {
    serialnr: &'a str,
    flipped: bool,
    board: Option<&'a str>,
    clock: Option<&'a Clock>,
    #[serde(flatten)]
    since: Option<Since<'a>>,
}

/// The moves since a position that the client has set up.
#[derive(Serialize)]
struct Since<'a> {
    start: &'a str,
    san: Vec<&'a str>,
    r#match: bool,
}

#[derive(Debug, Default)]
struct Subscription {
    serial: String,
    flipped: bool,
    start: Option<String>,
    told: Option<Json>,
}

/// A client.
#[derive(Debug, Default)]
pub struct Session {
    feeds: BTreeMap<String, (Value, Subscription)>,
}

/// What is wrong with a call, in words.
type Wrong = &'static str;

impl Session {
    /// Answers a text: the reply first, then what it brings about.
    pub fn hear(&mut self, text: &str, house: &dyn House, now: Timestamp) -> Vec<String> {
        let Ok(call) = serde_json::from_str::<Call>(text) else {
            let said: Value = serde_json::from_str(text).unwrap_or_default();
            return vec![error(&said["id"], "not a call", now)];
        };
        match self.answer(&call, house) {
            Ok(param) => {
                let mut texts = vec![reply("call", &call.id, &param, now)];
                texts.extend(self.news(house, now));
                texts
            }
            Err(wrong) => vec![error(&call.id, wrong, now)],
        }
    }

    /// What has changed for the client.
    pub fn news(&mut self, house: &dyn House, now: Timestamp) -> Vec<String> {
        let mut texts = Vec::new();
        for (id, feed) in self.feeds.values_mut() {
            let watched = house.watched(&feed.serial);
            let Some(param) = watched.map(|w| state(&w, feed)) else {
                continue;
            };
            if feed.told.as_ref() != Some(&param) {
                texts.push(reply("feed", id, &param, now));
                feed.told = Some(param);
            }
        }
        texts
    }

    fn answer(&mut self, call: &Call, house: &dyn House) -> Result<Json, Wrong> {
        match call.call.as_str() {
            "eboards" => Ok(json(&house.eboards())),
            "subscribe" => self.subscribe(&call.param, house),
            "unsubscribe" => self.unsubscribe(&call.param),
            "call" => self.method(&call.param, house),
            name @ ("tournaments" | "tournament" | "round" | "game") => {
                document(name, &call.param, house)
            }
            _ => Err("unknown call"),
        }
    }

    fn subscribe(&mut self, param: &Value, house: &dyn House) -> Result<Json, Wrong> {
        if !matches!(param["feed"].as_str(), Some("eboardevent" | "liveviewer")) {
            return Err("unknown feed");
        }
        let wanted = param["param"]["serialnr"].as_str().ok_or("no serialnr")?;
        if house.watched(wanted).is_none() {
            return Err("unknown serialnr");
        }
        let key = param["id"].to_string();
        if self.feeds.len() >= FEEDS && !self.feeds.contains_key(&key) {
            return Err("too many feeds");
        }
        let feed = Subscription {
            serial: wanted.to_owned(),
            ..Subscription::default()
        };
        self.feeds.insert(key, (param["id"].clone(), feed));
        Ok(NULL.to_owned())
    }

    fn unsubscribe(&mut self, param: &Value) -> Result<Json, Wrong> {
        let id = if param.is_object() {
            &param["id"]
        } else {
            param
        };
        let known = self.feeds.remove(&id.to_string());
        known.map(|_| NULL.to_owned()).ok_or("unknown feed")
    }

    fn method(&mut self, param: &Value, house: &dyn House) -> Result<Json, Wrong> {
        if param["method"] == "unsubscribe" {
            return self.unsubscribe(&param["id"]);
        }
        let feed = self.feeds.get_mut(&param["id"].to_string());
        let (_, feed) = feed.ok_or("unknown feed")?;
        let inner = &param["param"];
        match (
            param["method"].as_str(),
            inner["fen"].as_str(),
            inner["flip"].as_bool(),
        ) {
            (Some("setup"), Some(fen), _) => {
                fen.parse::<Fen>().map_err(|_| "not a FEN")?;
                house.set_up(&feed.serial, fen);
                feed.start = Some(fen.to_owned());
                feed.told = None;
            }
            // One client turns the board by the wrong name.
            (Some("flip" | "setup"), _, Some(flip)) => feed.flipped = flip,
            (Some("flip" | "setup"), ..) => return Err("no fen and no flip"),
            _ => return Err("unknown method"),
        }
        Ok(NULL.to_owned())
    }
}

fn document(name: &str, param: &Value, house: &dyn House) -> Result<Json, Wrong> {
    let text = |key: &str| match &param[key] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let address = match name {
        "round" => format!("round/{}/{}", text("uuid"), text("round")),
        "tournaments" => name.to_owned(),
        _ => format!(
            "{name}/{}",
            param.as_str().map_or_else(|| text("uuid"), str::to_owned)
        ),
    };
    let printed = house.document(&address).ok_or("not found")?;
    // A frame is one line; line breaks stand between names and values alone.
    Ok(printed.lines().map(str::trim_start).collect())
}

/// The state of a board for a client; after `setup` with the moves since.
fn state(watched: &Watched, feed: &Subscription) -> Json {
    let board = &watched.board;
    let since = feed.start.as_deref().map(|start| {
        let (san, r#match) = since(watched, start);
        Since {
            start,
            san,
            r#match,
        }
    });
    json(&State {
        serialnr: &feed.serial,
        flipped: feed.flipped,
        board: board.board.as_deref(),
        clock: board.clock.as_ref(),
        since,
    })
}

/// The moves after the position with this FEN, and whether they lead to what stands on the board. A position that the game has not had
/// has no moves after it.
fn since<'a>(watched: &'a Watched, start: &str) -> (Vec<&'a str>, bool) {
    let wanted: Vec<&str> = start.split(' ').take(2).collect();
    let positions = positions(watched);
    let stood = |fen: &String| fen.split(' ').take(2).eq(wanted.iter().copied());
    let on_board = watched.board.board.as_deref();
    match positions.iter().rposition(stood) {
        None => (Vec::new(), Some(placement(start)) == on_board),
        Some(from) => {
            let sans = watched.moves.get(from..).unwrap_or_default();
            let reached = positions.last().map(String::as_str);
            let sans = sans.iter().map(|(_, san)| san.as_str());
            (sans.collect(), reached.map(placement) == on_board)
        }
    }
}

/// The first field of a FEN.
fn placement(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or(fen)
}

/// The FEN before the first half-move and after each one.
fn positions(watched: &Watched) -> Vec<String> {
    let mode = CastlingMode::from_chess960(watched.chess960);
    let start = match watched.start_fen.as_deref().map(str::parse::<Fen>) {
        None => Some(Chess::default()),
        Some(fen) => fen
            .ok()
            .and_then(|fen| lenient_position(fen.into_setup(), mode).ok()),
    };
    let Some(mut position) = start else {
        return Vec::new();
    };
    let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
    let mut fens = vec![fen(&position)];
    for (uci, _) in &watched.moves {
        let parsed = uci.parse::<UciMove>().ok();
        let Some(legal) = parsed.and_then(|uci| uci.to_move(&position).ok()) else {
            break;
        };
        position.play_unchecked(legal);
        fens.push(fen(&position));
    }
    fens
}

fn reply(response: &str, id: &Value, param: &str, now: Timestamp) -> String {
    let time = now.0;
    format!(r#"{{"response":"{response}","id":{id},"param":{param},"time":{time}}}"#)
}

fn error(id: &Value, message: &str, now: Timestamp) -> String {
    let param = format!(r#"{{"message":{}}}"#, json(&message));
    reply("error", id, &param, now)
}

fn json(value: &impl Serialize) -> Json {
    serde_json::to_string(value).expect("names and numbers")
}
