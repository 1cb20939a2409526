//! The boards of an agent as the clients of LiveChess know boards.

use protocol::livechess::{Clock, EBoard, House, Watched, printed};
use protocol::{DeviceInfo, Played};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};

use crate::exchange::Exchange;
use crate::session::View;
use crate::time::timestamp;

/// The boards that this agent reads.
#[derive(Debug, Clone)]
pub struct Beside(pub Exchange);

impl House for Beside {
    fn eboards(&self) -> Vec<EBoard> {
        let boards = self.0.seen();
        boards
            .iter()
            .map(|(info, view)| eboard(info, view))
            .collect()
    }

    fn watched(&self, serial: &str) -> Option<Watched> {
        let boards = self.0.seen();
        let (info, view) = boards.iter().find(|(info, _)| name(info) == serial)?;
        let chess960 = view.as_ref().is_some_and(|view| view.chess960);
        Some(Watched {
            board: eboard(info, view),
            start_fen: view.as_ref().and_then(|view| view.start_fen.clone()),
            chess960,
            moves: view.as_ref().map(sans).unwrap_or_default(),
        })
    }

    fn document(&self, address: &str) -> Option<String> {
        match address.trim_matches('/') {
            "eboards" => Some(printed(&self.eboards())),
            // An agent knows of boards, not of pairings.
            "tournaments" => Some("[]".to_owned()),
            _ => None,
        }
    }

    fn set_up(&self, serial: &str, fen: &str) {
        let boards = self.0.seen();
        if let Some((info, _)) = boards.iter().find(|(info, _)| name(info) == serial) {
            self.0.set_up(&info.device, fen);
        }
    }
}

/// Its own serial number; boards that have none are called by their id.
fn name(info: &DeviceInfo) -> &str {
    if info.serial.is_empty() {
        info.device.as_str()
    } else {
        &info.serial
    }
}

fn eboard(info: &DeviceInfo, view: &Option<View>) -> EBoard {
    let there = info.health.state != "unplugged";
    let clock = |view: &View| {
        view.clock
            .map(|(at, reading)| Clock::new(reading.time, reading.running, timestamp(at)))
    };
    EBoard {
        serialnr: name(info).to_owned(),
        source: there.then(|| info.port.clone()),
        state: match (there, info.health.board) {
            (false, _) => None,
            (true, true) => Some("ACTIVE"),
            (true, false) => Some("NOTRESPONDING"),
        },
        battery: info.health.battery.map(|b| format!("{}%", b.percent)),
        comment: Some(info.family.clone()),
        board: view.as_ref().and_then(|view| view.board.clone()),
        flipped: false,
        clock: view.as_ref().and_then(clock),
    }
}

/// The half-moves up to the first that is no legal move.
fn sans(view: &View) -> Vec<(String, String)> {
    let mode = CastlingMode::from_chess960(view.chess960);
    let start = view
        .start_fen
        .as_deref()
        .and_then(|fen| fen.parse::<Fen>().ok());
    let mut position: Chess = start
        .and_then(|fen| fen.into_position(mode).ok())
        .unwrap_or_default();
    let mut next = |played: &Played| {
        let Played::Legal(text) = played else {
            return None;
        };
        let legal = text.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        let san = SanPlus::from_move_and_play_unchecked(&mut position, legal);
        Some((text.clone(), san.to_string()))
    };
    view.line.iter().map_while(&mut next).collect()
}

#[cfg(test)]
mod tests {
    use protocol::{Battery, BySide, ClockReading, Health, Side, Timestamp};

    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_005_000);

    fn info(state: &str, battery: Option<u8>) -> DeviceInfo {
        DeviceInfo {
            device: "dgt-01025".parse().expect("an id"),
            agent: "a1".parse().expect("a name"),
            boot: "b1".parse().expect("a name"),
            family: "dgt".to_owned(),
            serial: "01025".to_owned(),
            long_serial: None,
            firmware: None,
            lamps: false,
            clock: None,
            port: "/dev/ttyACM0".to_owned(),
            health: Health {
                board: state == "ok",
                state: state.to_owned(),
                battery: battery.map(|percent| Battery {
                    percent,
                    charging: false,
                }),
                ..Health::default()
            },
        }
    }

    fn view(line: &[&str], board: &str) -> View {
        let reading = ClockReading {
            time: BySide {
                white: 5_370_900,
                black: 5_400_000,
            },
            running: Some(Side::Black),
            turn: None,
            flag: BySide::default(),
            bonus_sign: BySide::default(),
            battery_low: false,
        };
        View {
            board: Some(board.to_owned()),
            clock: Some((1_700_000_000_000, reading)),
            start_fen: None,
            chess960: false,
            line: line
                .iter()
                .map(|m| Played::Legal((*m).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn a_board_says_how_it_is() {
        let rows = [
            ("ok", Some(85), Some("ACTIVE"), Some("85%")),
            ("silent", None, Some("NOTRESPONDING"), None),
            ("unplugged", None, None, None),
        ];
        for (state, battery, want, charge) in rows {
            let exchange = Exchange::default();
            exchange.tell(info(state, battery));
            let board = Beside(exchange).eboards().remove(0);
            assert_eq!(
                (board.state, board.battery.as_deref()),
                (want, charge),
                "{state}"
            );
            assert_eq!(board.source.is_some(), state != "unplugged");
        }
        assert!(Beside(Exchange::default()).eboards().is_empty());
    }

    #[test]
    fn a_browser_hears_the_moves_of_the_board_beside_it() {
        let exchange = Exchange::default();
        let _news = exchange.watch();
        let house = Beside(exchange.clone());
        exchange.tell(info("ok", None));
        let device = "dgt-01025".parse().expect("an id");
        let placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        exchange.show(&device, view(&["e2e4"], placement));
        let mut session = protocol::livechess::Session::default();
        let mut hear = |text: &str| session.hear(text, &house, NOW).join("\n");
        assert!(hear(r#"{"id":1,"call":"eboards"}"#).contains(placement));
        let subscribed = hear(
            r#"{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"01025"}}}"#,
        );
        assert!(
            subscribed.contains(r#"{"white":5370,"black":5400,"run":false,"time":1700000000000}"#),
            "{subscribed}"
        );
        let set_up = hear(
            r#"{"id":3,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}}}"#,
        );
        assert!(
            set_up.contains(r#""match":true"#) && set_up.contains(r#""san":["e4"]"#),
            "{set_up}"
        );
        exchange.show(&device, view(&["e2e4", "g8f6"], placement));
        let news = session.news(&house, NOW).join("\n");
        assert!(
            news.contains(r#""match":false"#) && news.contains(r#""san":["e4","Nf6"]"#),
            "the board is behind the record: {news}"
        );
    }
}
