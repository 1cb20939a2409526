//! The arbiters' desk as it is used: the real program in a terminal, real keys, a real hub; and two arbiters at one table.

use std::path::Path;
use std::time::Duration;

use protocol::{
    BySide, DeviceId, EditionId, Fact, GameResult, Played, Regime, ResultHow, ResultState, Role,
    Side, Speed, TableId,
};
use tui::app::Overlay;
use tui::key::keys;
use tui::message::{Heard, Message};
use tui::settings::Settings;
use venue_tests::{Boards, Terminal, Venue, VenueOptions, reading};

use crate::faults::executable;

#[test]
fn every_code_has_a_decision_on_alerts_and_at_its_table() {
    for code in hub::laws::Code::ALL {
        for place in ["2", ": 6 1 enter"] {
            let mut app = tui::example::app(&Settings::default());
            let mut alert = app.venue.alerts["17-fivefold-1"].clone();
            alert.id = format!("61-{code}-1");
            alert.code = code.name().to_owned();
            alert.table = Some(TableId(61));
            app.venue.alerts.clear();
            app.venue.round.unbound = vec!["dgt-24302".parse().expect("a name")];
            let standing = app.venue.tables[&TableId(55)].standing;
            if code.name() == "result-proposed" {
                app.venue
                    .tables
                    .get_mut(&TableId(61))
                    .expect("there")
                    .standing = standing;
            }
            app.update(Message::Heard(Heard::Alert(Box::new(alert))));
            let later = app.now.after(1100);
            app.update(Message::Tick(later));
            tui::example::play(&mut app, &keys(place).expect("keys"));
            tui::example::play(&mut app, &keys("r").expect("keys"));
            assert!(
                matches!(app.overlay, Some(Overlay::Dialog(_))),
                "{code} has no decision at {place}: {:?}",
                app.notice
            );
        }
    }
}

#[test]
fn french_has_words_of_its_own_for_every_code_and_for_what_may_not_be_said() {
    use hub::laws::{Laws, silence};
    let french = tui::language::Language::of("fr").expect("known");
    for code in hub::laws::Code::ALL {
        assert!(french.alert(code.name()).is_some(), "{code}");
    }
    let controls = ["5400+30", "40/7200:3600", "1500", "300"];
    let speeds = [Speed::Standard, Speed::Rapid, Speed::Blitz];
    for edition in EditionId::ALL {
        for speed in speeds {
            for supervised in [true, false] {
                for control in controls {
                    let control = control.parse().expect("a time control");
                    let regime = Regime { speed, supervised };
                    let (lines, _) = silence(Laws::of(edition), regime, &control);
                    for line in lines {
                        assert_ne!(french.sent(&line), line, "{edition} {speed:?}");
                    }
                }
            }
        }
    }
}

const MINUTE: u64 = 60_000;

fn legal(uci: &str) -> Played {
    Played::Legal(uci.to_owned())
}

/// Four games after 1. e4 e5, with nothing wrong yet.
struct Desk {
    venue: Venue,
    boards: Boards,
    dir: tempfile::TempDir,
}

impl Desk {
    async fn open() -> Desk {
        let dir = tempfile::tempdir().expect("a folder");
        let options = VenueOptions {
            agents: 0,
            ..VenueOptions::new(executable(), dir.path())
        };
        let venue = Venue::start(options).await.expect("starts");
        let login = venue.login("agent-9", Role::Agent).expect("a login");
        let ids = venue.boards(4).await.expect("named");
        let boards = Boards::connect(&login, &ids).expect("a line");
        let desk = Desk { venue, boards, dir };
        for table in 1..=4 {
            desk.begin(table);
        }
        desk.until("four games begun", |seen| {
            seen.tables
                .values()
                .all(|t| t.record.len() == 2 && t.clock.is_some())
        })
        .await;
        desk
    }

    fn begin(&self, table: u16) {
        let full = BySide {
            white: 90 * MINUTE,
            black: 90 * MINUTE,
        };
        self.say(table, Fact::Reading(reading(full, Some(Side::White))));
        for (ply, uci) in [(1, "e2e4"), (2, "e7e5")] {
            let board = self.board(table);
            self.boards
                .play(&board, ply, legal(uci), full)
                .expect("a line");
        }
    }

    fn board(&self, table: u16) -> DeviceId {
        let seen = self.venue.observer.seen();
        let device = seen.tables[&TableId(table)].device.clone();
        device.expect("the pairings name it")
    }

    fn say(&self, table: u16, fact: Fact) {
        self.boards.say(&self.board(table), fact).expect("a line");
    }

    async fn until(&self, what: &str, found: impl FnMut(&venue_tests::Seen) -> bool) {
        let seen = self
            .venue
            .observer
            .wait(Duration::from_secs(30), found)
            .await;
        if !seen {
            let alerts = &self.venue.observer.seen().alerts;
            let alerts: Vec<String> = alerts
                .values()
                .map(|a| format!("{} {:?}", a.id, a.life))
                .collect();
            panic!("never seen: {what}; alerts {alerts:#?}");
        }
    }

    async fn alert(&self, table: u16, code: &str) {
        self.until(code, |seen| {
            let mut alerts = seen.alerts.values();
            alerts.any(|a| a.table == Some(TableId(table)) && a.code == code && a.is_open())
        })
        .await;
    }

    /// An arbiter sits down before a terminal of his own.
    fn sit(&self, initials: &str) -> Option<Terminal> {
        let credentials = self.dir.path().join("hub/credentials/local-arbiter.toml");
        self.sit_with(initials, &["--credentials", path(&credentials)])
    }

    fn sit_with(&self, initials: &str, access: &[&str]) -> Option<Terminal> {
        let settings = self.dir.path().join("tui.toml");
        std::fs::write(&settings, "").expect("a file");
        let words = [
            "part",
            "desk",
            "--config",
            path(&settings),
            "--initials",
            initials,
        ];
        let words = [&words[..], access].concat();
        Terminal::open(
            &self.dir.path().join(initials),
            executable(),
            &words,
            (100, 32),
        )
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn irregular(from: &str) -> Played {
    Played::Irregular {
        from_fen: from.to_owned(),
        to_fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 0 2".to_owned(),
        words: "Ng1xe2".to_owned(),
    }
}

/// The arbiter goes to a table by its number.
async fn at_table(arbiter: &Terminal, table: u16) {
    arbiter.keys(&[":", &table.to_string(), "Enter"]).await;
    arbiter.sees(&format!("Table {table:03}")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flag_an_illegal_move_a_clock_a_result_and_a_ruling_taken_back_with_real_keys() {
    let desk = Desk::open().await;
    let Some(mk) = desk.sit("MK") else { return };
    mk.sees("LIVE").await;
    let left = BySide {
        white: 0,
        black: 80 * MINUTE,
    };
    desk.say(1, Fact::Reading(reading(left, Some(Side::White))));
    desk.alert(1, "flag-fallen").await;
    at_table(&mk, 1).await;
    mk.sees("flag").await;
    mk.keys(&["r"]).await;
    mk.sees("Result · Table 001").await;
    mk.sees("enter give").await;
    mk.keys(&["Enter"]).await;
    mk.sees("proposed").await;
    mk.keys(&["v"]).await;
    mk.sees("This ends the game. Type the table number").await;
    mk.keys(&["0", "0", "1", "Enter"]).await;
    desk.until("the flag ruled", |seen| {
        let standing = seen.tables[&TableId(1)].standing;
        standing.is_some_and(|s| {
            (s.result, s.how, s.state)
                == (
                    GameResult::BlackWins,
                    ResultHow::Flag,
                    ResultState::Confirmed,
                )
        })
    })
    .await;

    for time in [1, 2] {
        desk.illegal_move(2, time).await;
        at_table(&mk, 2).await;
        mk.keys(&["r"]).await;
        mk.sees("Illegal move · Table 002").await;
        if time == 1 {
            mk.sees("enter give").await;
            mk.keys(&["Enter"]).await;
        } else {
            mk.sees("This ends the game. Type the table number").await;
            mk.keys(&["Enter"]).await;
            mk.keys(&["0", "0", "2", "Enter"]).await;
        }
        desk.until("the illegal move ruled", |seen| {
            let table = &seen.tables[&TableId(2)];
            table.illegal_moves.white == time || table.standing.is_some()
        })
        .await;
    }
    desk.until("the second one loses", |seen| {
        let standing = seen.tables[&TableId(2)].standing;
        standing.is_some_and(|s| s.result == GameResult::BlackWins)
    })
    .await;

    at_table(&mk, 3).await;
    mk.keys(&["c"]).await;
    mk.sees("Replace the chessclock · Table 003").await;
    mk.sees("Set clock").await;
    mk.keys(&["Enter"]).await;
    desk.until("the clock replaced", |seen| {
        let rulings = &seen.tables[&TableId(3)].rulings;
        rulings.iter().any(|r| r.words.contains("clock replaced"))
    })
    .await;

    let stopped = reading(left.map(|_| 50 * MINUTE), None);
    desk.say(4, Fact::Reading(stopped));
    desk.say(
        4,
        Fact::KingsCentred {
            result: GameResult::Draw,
        },
    );
    desk.alert(4, "result-proposed").await;
    at_table(&mk, 4).await;
    mk.keys(&["v"]).await;
    mk.sees("This ends the game. Type the table number").await;
    mk.keys(&["0", "0", "4", "Enter"]).await;
    desk.until("the result confirmed", |seen| {
        let standing = seen.tables[&TableId(4)].standing;
        standing.is_some_and(|s| s.state == ResultState::Confirmed)
    })
    .await;

    at_table(&mk, 3).await;
    mk.keys(&["U"]).await;
    mk.sees("Counter-ruling · Table 003").await;
    mk.sees("enter give").await;
    mk.keys(&["Enter"]).await;
    desk.until("the ruling taken back", |seen| {
        let rulings = &seen.tables[&TableId(3)].rulings;
        rulings.iter().any(|r| r.countered)
    })
    .await;

    mk.keys(&["H"]).await;
    mk.sees("Hold back · Table 003").await;
    mk.sees("enter give").await;
    mk.keys(&["Enter"]).await;
    mk.sees("KEPT BACK").await;

    mk.keys(&["Escape", "5"]).await;
    mk.keys(&["/", "M", "K", "Enter"]).await;
    for article in ["(8.7)", "(7.5.5)", "(6.10.1)"] {
        mk.sees(article).await;
    }
    let screen = mk.screen();
    for words in [
        "result 0-1, flag",
        "result 0-1 confirmed",
        "illegal move no. 1 by White: Black +2:00",
        "illegal moves by White: 0-1",
        "clock replaced: White",
        "result 1/2-1/2 confirmed",
        "taken back: clock replaced",
    ] {
        assert!(screen.contains(words), "{words:?} is not in:\n{screen}");
    }
    let rulings: Vec<&str> = screen.lines().filter(|l| l.contains(" ruling ")).collect();
    assert!(rulings.len() >= 6, "{screen}");
    assert!(rulings.iter().all(|l| l.contains("MK  #")), "{screen}");
    mk.keys(&["q"]).await;
}

impl Desk {
    /// White completes an illegal move at the third half-move, for the first time or again.
    async fn illegal_move(&self, table: u16, time: u32) {
        let before = {
            let seen = self.venue.observer.seen();
            seen.tables[&TableId(table)].fen.clone()
        };
        let left = BySide {
            white: 80 * MINUTE,
            black: 80 * MINUTE,
        };
        let board = self.board(table);
        self.boards
            .play(&board, 3, irregular(&before), left)
            .expect("a line");
        self.until(&format!("illegal move {time}"), |seen| {
            let mut alerts = seen.alerts.values();
            alerts
                .any(|a| a.table == Some(TableId(table)) && a.code == "illegal-move" && a.is_open())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_arbiters_who_rule_on_one_table_make_one_ruling() {
    let desk = Desk::open().await;
    let (Some(mk), Some(jp)) = (desk.sit("MK"), desk.sit("JP")) else {
        return;
    };
    for arbiter in [&mk, &jp] {
        arbiter.sees("LIVE").await;
        arbiter.keys(&[":", "3", "Enter"]).await;
        arbiter.sees("Table 003").await;
        arbiter.keys(&["t"]).await;
        arbiter.sees("Adjust time · Table 003").await;
        arbiter.keys(&["+", "2", ":", "0", "0"]).await;
        arbiter.sees("Set clock").await;
        arbiter.sees("enter give").await;
    }
    mk.press("Enter");
    jp.press("Enter");
    desk.until("a ruling", |seen| {
        !seen.tables[&TableId(3)].rulings.is_empty()
    })
    .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let by: Vec<String> = {
        let seen = desk.venue.observer.seen();
        let rulings = &seen.tables[&TableId(3)].rulings;
        rulings.iter().map(|r| r.by.clone()).collect()
    };
    assert_eq!(by.len(), 1, "{by:?}");
    let other = if by[0] == "MK" { &jp } else { &mk };
    other.sees("Not done:").await;
    other.sees(&by[0]).await;
    other.keys(&["Escape"]).await;
    other.sees("Table 003").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_with_a_token_has_the_role_that_the_hub_knows() {
    let desk = Desk::open().await;
    for (role, why) in [
        (Role::Technician, "a technician does not rule"),
        (Role::Viewer, "viewer only reads"),
        (Role::Chief, "Result · Table 001"),
    ] {
        let login = desk.venue.login(role.word(), role).expect("a login");
        let url = format!(
            "mqtt://{}:{}@{}:{}",
            login.name, login.token, login.host, login.port
        );
        let venue = login.venue.to_string();
        let Some(desk) = desk.sit_with(role.word(), &["--hub", &url, "--venue", &venue]) else {
            return;
        };
        desk.sees("LIVE").await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        desk.keys(&[":", "1", "Enter"]).await;
        desk.sees("Table 001").await;
        desk.keys(&["w"]).await;
        desk.sees(why).await;
    }
}
