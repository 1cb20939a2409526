//! What leaves the house: every outlet is read again and again while a round is played, through a hub killed in the delay and a network
//! cut, and no one says what only the desk may know, or anything before its delay.

mod outlets;
mod relay;

use std::time::Duration;

use protocol::{
    Answer, BySide, ClientId, DeviceId, Fact, GameResult, Order, OrderBody, Penalty, Played,
    ResultHow, Role, Side, TableId,
};
use venue_tests::{Boards, Observer, Venue, VenueOptions, free_port, reading};

use crate::faults::executable;
use outlets::Outlets;
use relay::Relay;

const MINUTE: u64 = 60_000;
/// How much later the audience `web` sees everything.
const DELAY: Duration = Duration::from_secs(8);
/// What an arbiter writes for the desk alone.
const NOTE: &str = "zebra-crossing";
/// His initials.
const INITIALS: &str = "QZX";

/// Words of the desk that no outlet has a use for.
const SECRET: [&str; 16] = [
    NOTE,
    INITIALS,
    "alert",
    "urgency",
    "silence",
    "illegal",
    "Illegal",
    "irregular",
    "Irregular",
    "certainty",
    "pressed",
    "uncertain",
    "proposed",
    "repetitions",
    "dgt-",
    "Pa2-a5",
];

/// Two games, said word by word, and everybody who looks at them from outside.
struct House {
    venue: Venue,
    boards: Boards,
    devices: Vec<DeviceId>,
    arbiter: Observer,
    orders: u64,
    _dir: tempfile::TempDir,
}

/// The audiences' walls, by name, and the address of the API.
struct Places {
    web: u16,
    two: u16,
    operator: u16,
    api: u16,
}

fn sections(places: &Places, relay: &Relay, token: &std::path::Path) -> String {
    let Places {
        web,
        two,
        operator,
        api,
    } = places;
    let port = relay.port();
    format!(
        "[[http]]\nlisten = \"127.0.0.1:{web}\"\naudience = \"web\"\n\
         [[http]]\nlisten = \"127.0.0.1:{two}\"\naudience = \"two\"\n\
         [[audience]]\nname = \"web\"\ndelay_s = {delay}\n\
         [[audience]]\nname = \"two\"\ndelay_s = 0\ndelay_moves = 2\n\
         [feeds]\naudience = \"web\"\noperator = \"127.0.0.1:{operator}\"\n\
         [feeds.livechess_folder]\nenabled = true\n[feeds.livechess_cloud]\nenabled = true\n[feeds.results]\nenabled = true\n\
         [feeds.livechess_api]\nlisten = \"127.0.0.1:{api}\"\n\
         [[feeds.lichess]]\nname = \"A\"\nround = \"abcdEFGH\"\ntoken_file = {token:?}\nurl = \"http://127.0.0.1:{port}\"\n\
         [[feeds.webhook]]\nname = \"club\"\nurl = \"http://127.0.0.1:{port}/hook\"\n",
        delay = DELAY.as_secs(),
    )
}

impl House {
    async fn open(places: &Places, relay: &Relay) -> House {
        let dir = tempfile::tempdir().expect("a folder");
        let token = dir.path().join("token");
        std::fs::write(&token, "good\n").expect("written");
        let options = VenueOptions {
            agents: 0,
            tables: 2,
            sections: sections(places, relay, &token),
            ..VenueOptions::new(executable(), dir.path())
        };
        let venue = Venue::start(options).await.expect("starts");
        let login = venue.login("agent-9", Role::Agent).expect("a login");
        let devices = venue.boards(2).await.expect("named");
        let boards = Boards::connect(&login, &devices).expect("a line");
        let chief = venue.chief().expect("the chief's own");
        let arbiter = Observer::start(&chief, "house", &["desk/answer/house"]);
        House {
            venue,
            boards,
            devices,
            arbiter,
            orders: 0,
            _dir: dir,
        }
    }

    /// A move of a table, counted from 1, after which the mover's clock shows so much; the hall shows it when this returns.
    async fn play(&self, table: u16, ply: u32, played: Played, left: u64) {
        let mut time = BySide {
            white: 90 * MINUTE,
            black: 90 * MINUTE,
        };
        let side = if ply % 2 == 1 {
            Side::White
        } else {
            Side::Black
        };
        *time.get_mut(side) = left;
        let device = &self.devices[usize::from(table) - 1];
        let legal = matches!(played, Played::Legal(_));
        self.boards.play(device, ply, played, time).expect("a line");
        self.until("the move at the desk", |seen| {
            let table = &seen.tables[&TableId(table)];
            table.record.len() >= ply as usize
        })
        .await;
        if legal {
            let settled = Fact::Settled { ply };
            self.boards.say(device, settled).expect("a line");
            self.until("the move in the hall", |seen| {
                seen.halls[&TableId(table)].settled_ply >= ply
            })
            .await;
        }
    }

    async fn order(&mut self, body: OrderBody) {
        self.orders += 1;
        let id = self.orders;
        let client: ClientId = "house".parse().expect("a name");
        let order = Order {
            client,
            id,
            by: INITIALS.to_owned(),
            preview: false,
            basis: None,
            note: NOTE.to_owned(),
            body,
        };
        self.arbiter.order(&order).await.expect("sent");
        let answered = |seen: &venue_tests::Seen| seen.answers.len() as u64 >= id;
        let limit = Duration::from_secs(30);
        assert!(self.arbiter.wait(limit, answered).await, "no answer");
        let answer = self.arbiter.seen().answers.last().cloned();
        assert!(
            matches!(answer, Some(Answer::Done { .. })),
            "{:?}: {answer:?}",
            order.body
        );
        // The boards take over the position that is the game's now.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }

    async fn until(&self, what: &str, found: impl FnMut(&venue_tests::Seen) -> bool) {
        let limit = Duration::from_secs(30);
        let seen = self.venue.observer.wait(limit, found).await;
        if !seen {
            let seen = self.venue.observer.seen();
            let record = |t: &protocol::DeskTable| t.record.len();
            let records: Vec<usize> = seen.tables.values().map(record).collect();
            let alerts: Vec<&String> = seen.alerts.keys().collect();
            panic!(
                "never seen: {what}; records {records:?}, alerts {alerts:?}, answers {:?}",
                seen.answers
            );
        }
    }
}

fn legal(uci: &str) -> Played {
    Played::Legal(uci.to_owned())
}

fn result(table: u16, result: GameResult) -> OrderBody {
    OrderBody::Result {
        table: TableId(table),
        result,
        how: ResultHow::Resigned,
        confirm: true,
        signed: BySide::default(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_leaves_that_only_the_desk_may_know_and_nothing_before_its_delay() {
    let port = || free_port().expect("a port");
    let places = Places {
        web: port(),
        two: port(),
        operator: port(),
        api: port(),
    };
    let mut relay = Relay::start().await;
    let mut house = House::open(&places, &relay).await;
    let outlets = Outlets::watch(&house.venue, &places, &relay);
    for device in &house.devices {
        let full = BySide {
            white: 90 * MINUTE,
            black: 90 * MINUTE,
        };
        let reading = Fact::Reading(reading(full, Some(Side::White)));
        house.boards.say(device, reading).expect("a line");
    }
    house.play(1, 1, legal("e2e4"), 90 * MINUTE).await;
    house.play(2, 1, legal("d2d4"), 90 * MINUTE).await;
    house.play(1, 2, legal("e7e5"), 90 * MINUTE).await;
    // A move that is played nowhere else, and a time that no clock shows at any other moment.
    let told = outlets.mark(&[
        "Nh3",
        "1:17:17",
        "\"clock_ms\":4637000",
        "\"white\": 4637",
        "\"white\" : 4637",
    ]);
    house.play(1, 3, legal("g1h3"), 77 * MINUTE + 17_000).await;

    // The hub dies in the delay; the game goes on, and the network outside is cut.
    tokio::time::sleep(Duration::from_secs(2)).await;
    house.venue.kill_hub();
    relay.cut();
    tokio::time::sleep(Duration::from_secs(1)).await;
    house.venue.start_hub().expect("starts again");
    house.play(1, 4, legal("b8a6"), 80 * MINUTE).await;
    house.play(2, 2, legal("g8h6"), 80 * MINUTE).await;
    relay.open().await;
    outlets.seen_after(&told, DELAY).await;

    // What is taken back within the delay, an illegal move, rulings: the desk's business.
    house.play(1, 5, legal("h3f4"), 76 * MINUTE).await;
    house
        .order(OrderBody::Strike {
            table: TableId(1),
            from_ply: 5,
        })
        .await;
    house.play(1, 5, legal("e1e2"), 75 * MINUTE).await;
    house.play(1, 6, legal("a6b4"), 75 * MINUTE).await;
    let from_fen = "r1bqkbnr/pppp1ppp/8/4p3/1n2P3/7N/PPPPKPPP/RNBQ1B1R w kq - 4 4";
    let to_fen = "r1bqkbnr/pppp1ppp/8/P3p3/1n2P3/7N/1PPPKPPP/RNBQ1B1R b kq - 0 4";
    let illegal = Played::Irregular {
        from_fen: from_fen.to_owned(),
        to_fen: to_fen.to_owned(),
        words: "Pa2-a5".to_owned(),
    };
    house.play(1, 7, illegal, 74 * MINUTE).await;
    house
        .until("the illegal move at the desk", |seen| {
            !seen.alerts.is_empty()
        })
        .await;
    let conduct = OrderBody::Conduct {
        table: TableId(2),
        offender: Side::Black,
        penalty: Penalty::Warning,
    };
    house.order(conduct).await;
    house
        .order(OrderBody::Strike {
            table: TableId(1),
            from_ply: 7,
        })
        .await;

    // A game under review stays as it was; its result is as late as everything else.
    tokio::time::sleep(DELAY).await;
    let hold = |hold| OrderBody::Hold {
        table: TableId(2),
        hold,
    };
    house.order(hold(true)).await;
    let held = outlets.mark(&["Na3", "1:13:13"]);
    house.play(2, 3, legal("b1a3"), 73 * MINUTE + 13_000).await;
    tokio::time::sleep(DELAY + Duration::from_secs(2)).await;
    assert_eq!(outlets.first_in("web", &held), None, "it is kept back");
    house.order(hold(false)).await;
    outlets.seen_after(&held, DELAY).await;

    let over = outlets.mark(&["0-1", "BLACKWIN"]);
    house.order(result(1, GameResult::BlackWins)).await;
    outlets.seen_after(&over, DELAY).await;
    let two = outlets.first_in("two", &told).map(|(at, _)| at);
    assert!(
        two.is_some_and(|at| at >= over.at),
        "two moves stay hidden until the game is over"
    );
    house.order(result(2, GameResult::Draw)).await;
    let wanted = house.venue.export("pgn").expect("exported");
    relay.ends_with(&wanted, &house.venue, places.web).await;
    outlets.said_nothing_of(&SECRET);
}
