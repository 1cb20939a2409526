//! One WebSocket client: its subscriptions and what it is told. Text in, texts out; no socket, no clock.

use std::collections::BTreeMap;

use protocol::{HallBoard, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::documents::{document, eboards};
use crate::feeds::Subject;
use crate::feeds::livechess::serial;
use crate::game::GamePosition;

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

#[derive(Serialize)]
struct Reply<'a> {
    response: &'a str,
    id: &'a Value,
    param: Value,
    time: i64,
}

#[derive(Default)]
struct Subscription {
    serial: String,
    flipped: bool,
    start: Option<String>,
    told: Option<Value>,
}

/// A client.
#[derive(Default)]
pub(super) struct Session {
    feeds: BTreeMap<String, (Value, Subscription)>,
}

/// What is wrong with a call, in words.
type Wrong = &'static str;

impl Session {
    /// Answers a text: the reply first, then what it brings about.
    pub(super) fn hear(
        &mut self,
        text: &str,
        boards: &[Subject],
        country: &str,
        now: Timestamp,
    ) -> Vec<String> {
        let Ok(call) = serde_json::from_str::<Call>(text) else {
            return vec![error(&Value::Null, "not a call", now)];
        };
        match self.answer(&call, boards, country) {
            Ok(param) => {
                let mut texts = vec![reply("call", &call.id, param, now)];
                texts.extend(self.news(boards, now));
                texts
            }
            Err(wrong) => vec![error(&call.id, wrong, now)],
        }
    }

    /// What has changed for the client.
    pub(super) fn news(&mut self, boards: &[Subject], now: Timestamp) -> Vec<String> {
        let mut texts = Vec::new();
        for (id, feed) in self.feeds.values_mut() {
            let board = boards.iter().find(|b| serial(b) == feed.serial);
            let Some(param) = board.map(|b| state(b, feed)) else {
                continue;
            };
            if feed.told.as_ref() != Some(&param) {
                texts.push(reply("feed", id, param.clone(), now));
                feed.told = Some(param);
            }
        }
        texts
    }

    fn answer(&mut self, call: &Call, boards: &[Subject], country: &str) -> Result<Value, Wrong> {
        match call.call.as_str() {
            "eboards" => Ok(json!(eboards(boards))),
            "subscribe" => self.subscribe(&call.param, boards),
            "unsubscribe" => self.unsubscribe(&call.param),
            "call" => self.method(&call.param),
            name @ ("tournaments" | "tournament" | "round" | "game") => {
                resource(name, &call.param, boards, country)
            }
            _ => Err("unknown call"),
        }
    }

    fn subscribe(&mut self, param: &Value, boards: &[Subject]) -> Result<Value, Wrong> {
        if !matches!(param["feed"].as_str(), Some("eboardevent" | "liveviewer")) {
            return Err("unknown feed");
        }
        let wanted = param["param"]["serialnr"].as_str().ok_or("no serialnr")?;
        if !boards.iter().any(|b| serial(b) == wanted) {
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
        Ok(Value::Null)
    }

    fn unsubscribe(&mut self, param: &Value) -> Result<Value, Wrong> {
        let id = if param.is_object() {
            &param["id"]
        } else {
            param
        };
        let known = self.feeds.remove(&id.to_string());
        known.map(|_| Value::Null).ok_or("unknown feed")
    }

    fn method(&mut self, param: &Value) -> Result<Value, Wrong> {
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
                GamePosition::new(Some(fen), false).map_err(|_| "not a FEN")?;
                feed.start = Some(fen.to_owned());
                feed.told = None;
            }
            // One client turns the board by the wrong name.
            (Some("flip" | "setup"), _, Some(flip)) => feed.flipped = flip,
            (Some("flip" | "setup"), ..) => return Err("no fen and no flip"),
            _ => return Err("unknown method"),
        }
        Ok(Value::Null)
    }
}

fn resource(name: &str, param: &Value, boards: &[Subject], country: &str) -> Result<Value, Wrong> {
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
    let document = document(boards, country, &address).ok_or("not found")?;
    serde_json::from_str(&document).map_err(|_| "not found")
}

/// The state of a board for a client; after `setup` with the moves since.
fn state(board: &HallBoard, feed: &Subscription) -> Value {
    let mut state = json!({
        "serialnr": feed.serial,
        "flipped": feed.flipped,
        "board": board.position.to_string(),
        "clock": board.clock.as_ref().map(crate::feeds::livechess::clock),
    });
    if let Some(start) = &feed.start {
        let (san, matches) = since(board, start);
        state["start"] = json!(start);
        state["san"] = json!(san);
        state["match"] = json!(matches);
    }
    state
}

/// The moves after the position with this FEN, and whether they lead to what stands on the board. A position that the game has not had
/// has no moves after it.
fn since<'a>(board: &'a HallBoard, start: &str) -> (Vec<&'a str>, bool) {
    let Some(from) = after(board, start) else {
        let placement = start.split(' ').next().unwrap_or("");
        return (Vec::new(), placement == board.position.to_string());
    };
    let sans = board.moves[from..].iter().map(|m| m.san.as_str());
    (sans.collect(), true)
}

/// After how many half-moves the position stood, the last time.
fn after(board: &HallBoard, start: &str) -> Option<usize> {
    let wanted: Vec<&str> = start.split(' ').take(2).collect();
    let mut position = GamePosition::new(board.start_fen.as_deref(), board.chess960).ok()?;
    let is_it =
        |position: &GamePosition| position.fen().split(' ').take(2).eq(wanted.iter().copied());
    let mut found = is_it(&position).then_some(0);
    for (index, ply) in (1..).zip(&board.moves) {
        position
            .play(&protocol::Played::Legal(ply.uci.clone()))
            .ok()?;
        if is_it(&position) {
            found = Some(index);
        }
    }
    found
}

fn reply(response: &str, id: &Value, param: Value, now: Timestamp) -> String {
    let reply = Reply {
        response,
        id,
        param,
        time: now.0,
    };
    serde_json::to_string(&reply).expect("made of JSON")
}

fn error(id: &Value, message: &str, now: Timestamp) -> String {
    reply("error", id, json!({ "message": message }), now)
}
