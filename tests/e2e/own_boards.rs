//! A table whose clock has a line of its own, and a board that names its table by a gesture: both behind real ports.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use agent::devices::{Orientation, Placement};
use agent::simulate::games::classics;
use agent::simulate::hands::{
    Act, Control, Ending, Noise, Performance, Play, Tempo, coils, play, read_games,
};
use agent::simulate::pty::Pty;
use agent::simulate::whole::virtual_board;
use agent::simulate::{ClockAction, VirtualBoard, touch};
use protocol::{
    BySide, DeskTable, DeviceId, GameResult, Order, OrderBody, Played, ResultHow, Role, TableId,
};
use shakmaty::{ByColor, CastlingMode, Chess, Color, Piece, Position, Square};
use venue_tests::{Observer, Part, Seen, Venue, VenueOptions};

use crate::faults::executable;

const TABLE: TableId = TableId(1);
const PATIENCE: Duration = Duration::from_secs(20);

/// A virtual board, or clock, behind a port that nobody's hands touch but the test's.
struct Own {
    board: Arc<Mutex<Box<dyn VirtualBoard>>>,
    /// Nothing while the cable is pulled.
    cable: Arc<Mutex<Option<Pty>>>,
    port: PathBuf,
    began: Instant,
    over: Arc<AtomicBool>,
    task: Option<JoinHandle<()>>,
}

impl Own {
    fn put_up(family: &str, port: &Path) -> Own {
        let start = Placement::start();
        let board = virtual_board(family, "07777", Orientation::Normal, start, 1);
        let board = Arc::new(Mutex::new(board.expect("there is one")));
        let (over, began) = (Arc::new(AtomicBool::new(false)), Instant::now());
        let pty = Pty::open(port).expect("a port");
        let cable = Arc::new(Mutex::new(Some(pty)));
        let (theirs, ends, line) = (Arc::clone(&board), Arc::clone(&over), Arc::clone(&cable));
        let task = std::thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                let mut bytes = [0; 256];
                let cable = line.lock().expect("whole");
                let count = cable.as_ref().map_or(0, |pty| pty.read(&mut bytes));
                let mut board = theirs.lock().expect("whole");
                let now = millis(began);
                if count > 0 {
                    board.host_bytes(now, &bytes[..count]);
                }
                let said = board.take_output(now);
                cable.iter().for_each(|pty| pty.write(&said));
                drop((board, cable));
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        Own {
            board,
            cable,
            port: port.to_owned(),
            began,
            over,
            task: Some(task),
        }
    }

    fn pull(&self) {
        self.cable.lock().expect("whole").take();
    }

    fn put_back(&self) {
        let pty = Pty::open(&self.port).expect("a port");
        *self.cable.lock().expect("whole") = Some(pty);
    }

    fn touch(&self, act: &Act) {
        let mut board = self.board.lock().expect("whole");
        touch(board.as_mut(), millis(self.began), act.clone());
    }

    fn set(&self, square: Square, piece: Option<Piece>) {
        let mut board = self.board.lock().expect("whole");
        board.set_square(millis(self.began), square, piece);
    }

    fn clock(&self, action: ClockAction) {
        let mut board = self.board.lock().expect("whole");
        board.clock(millis(self.began), action);
    }

    /// What a hand does that plays a move: first the squares that become empty, then the others.
    fn shows(&self, before: &Chess, after: &Chess) {
        let (old, new) = (before.board(), after.board());
        let differs = |square: &Square| old.piece_at(*square) != new.piece_at(*square);
        let (empty, full): (Vec<Square>, Vec<Square>) = Square::ALL
            .into_iter()
            .filter(differs)
            .partition(|square| new.piece_at(*square).is_none());
        for square in empty.into_iter().chain(full) {
            self.set(square, new.piece_at(square));
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(task) = self.task.take() {
            task.join().expect("it ends");
        }
    }
}

fn millis(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).expect("not for ever")
}

/// A hub with one table, an arbiter, and an agent on the test's own ports.
struct Hall {
    venue: Venue,
    arbiter: Observer,
    _agent: Part,
    orders: u64,
}

impl Hall {
    /// `families`: by the names of their ports in `dir`.
    async fn open(dir: &Path, families: &[&str]) -> Hall {
        let options = VenueOptions {
            tables: 1,
            agents: 0,
            ..VenueOptions::new(executable(), dir)
        };
        let venue = Venue::start(options).await.expect("starts");
        venue.login("hall-b", Role::Agent).expect("a login");
        let login = venue.login("chief-b", Role::Chief).expect("a login");
        let arbiter = Observer::start(&login, "chief-b", &["desk/table/+", "desk/answer/chief-b"]);
        let agent = start_agent(dir, families);
        let hall = Hall {
            venue,
            arbiter,
            _agent: agent,
            orders: 0,
        };
        let named = hall.venue.tables.device(0).clone();
        hall.until("the pairings", |table| {
            table.device.as_ref() == Some(&named)
        })
        .await;
        hall
    }

    /// The device of a family, when it was found.
    async fn device(&self, family: &str) -> DeviceId {
        let there = |seen: &Seen| named(seen, family).is_some();
        let found = self.venue.observer.wait(PATIENCE, there).await;
        let device = named(&self.venue.observer.seen(), family);
        device.filter(|_| found).expect("it is found")
    }

    async fn order(&mut self, body: OrderBody) {
        self.orders += 1;
        let order = Order {
            client: "chief-b".parse().expect("a name"),
            id: self.orders,
            by: "MK".to_owned(),
            preview: false,
            basis: None,
            note: String::new(),
            body,
        };
        self.arbiter.order(&order).await.expect("sent");
        let count = usize::try_from(self.orders).expect("few");
        let answered = self
            .arbiter
            .wait(PATIENCE, |seen| seen.answers.len() == count);
        assert!(answered.await, "the order is answered");
    }

    async fn bind(&mut self, device: DeviceId) {
        let device = Some(device);
        self.order(OrderBody::Bind {
            table: TABLE,
            device,
        })
        .await;
    }

    /// Waits until the table is as it should be.
    async fn until(&self, what: &str, is_so: impl Fn(&DeskTable) -> bool) {
        let there = |seen: &Seen| seen.tables.get(&TABLE).is_some_and(&is_so);
        let so = self.arbiter.wait(PATIENCE, there).await;
        let log = std::fs::read_to_string(self.venue.data().with_file_name("hub.log"));
        let seen = self.arbiter.seen();
        let table = seen.tables.get(&TABLE);
        assert!(
            so,
            "{what}: {table:?} {:?} {:?} {log:?}",
            seen.answers, seen.unreadable
        );
    }
}

fn named(seen: &Seen, family: &str) -> Option<DeviceId> {
    let mut there = seen.found.iter().filter(|(_, (there, _))| *there);
    let found = there.find(|(device, _)| device.family() == family)?;
    Some(found.0.clone())
}

fn start_agent(dir: &Path, families: &[&str]) -> Part {
    let config = dir.join("hall-b.families.toml");
    let of = |family: &&str| format!("{:?} = {family:?}\n", port(dir, family));
    let lines: String = families.iter().map(of).collect();
    std::fs::write(&config, format!("[families]\n{lines}")).expect("written");
    let mut arguments: Vec<PathBuf> = vec!["run".into(), "--config".into(), config];
    arguments.extend(["--credentials".into(), dir.join("hall-b.toml")]);
    arguments.extend(["--state".into(), dir.join("hall-b")]);
    for family in families {
        arguments.extend(["--port".into(), port(dir, family)]);
    }
    let words: Vec<String> = arguments
        .iter()
        .map(|word| word.display().to_string())
        .collect();
    Part::start(executable(), "agent", &words, &dir.join("hall-b.log")).expect("starts")
}

fn port(dir: &Path, family: &str) -> PathBuf {
    dir.join(format!("own-{family}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_whose_clock_has_a_line_of_its_own_is_completed_press_by_press() {
    let dir = tempfile::tempdir().expect("a folder");
    let board = Own::put_up("millennium", &port(dir.path(), "millennium"));
    let clock = Own::put_up("diyclock", &port(dir.path(), "diyclock"));
    let time = ByColor {
        white: 5_400_000,
        black: 5_400_000,
    };
    clock.clock(ClockAction::Set {
        time,
        increment: 30_000,
    });
    let mut hall = Hall::open(dir.path(), &["millennium", "diyclock"]).await;
    let (own, line) = (
        hall.device("millennium").await,
        hall.device("diyclock").await,
    );
    hall.bind(own).await;
    hall.bind(line).await;
    clock.clock(ClockAction::Start {
        running: Color::White,
    });
    hall.until("White's clock runs", |table| {
        table.clock.is_some_and(|clock| clock.running.is_some())
    })
    .await;

    let short = |game: &agent::simulate::hands::Game| game.moves.len();
    let game = classics().into_iter().min_by_key(short).expect("games");
    let (mut position, mut played) = (Chess::default(), Vec::new());
    for (number, m) in (1..).zip(game.moves) {
        let before = position.clone();
        played.push(m.to_uci(CastlingMode::Standard).to_string());
        position.play_unchecked(m);
        board.shows(&before, &position);
        // Every other player is quicker with the clock than the board is with the move.
        if number % 2 == 1 {
            hall.until("the move", |table| table.record.len() == number)
                .await;
        }
        clock.clock(ClockAction::Press { by: before.turn() });
        let pressed =
            |table: &DeskTable| table.record.get(number - 1).is_some_and(|ply| ply.pressed);
        hall.until(&format!("the press of half-move {number}"), pressed)
            .await;
    }
    let seen = hall.arbiter.seen();
    let table = &seen.tables[&TABLE];
    let record: Vec<Played> = played.into_iter().map(Played::Legal).collect();
    assert_eq!(
        table
            .record
            .iter()
            .map(|ply| ply.played.clone())
            .collect::<Vec<_>>(),
        record
    );
    assert_eq!(table.completed_ply as usize, record.len());
    assert!(
        table.record.iter().all(|ply| ply.clock_ms.is_some()),
        "{:?}",
        table.record
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_whose_white_king_is_lifted_stands_on_the_table_that_waits_for_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let board = Own::put_up("dgt", &port(dir.path(), "dgt"));
    let mut hall = Hall::open(dir.path(), &["dgt"]).await;
    let device = hall.device("dgt").await;
    hall.until("another board is expected", |table| {
        table.device != Some(device.clone())
    })
    .await;
    hall.order(OrderBody::BindByGesture { table: TABLE }).await;
    board.set(Square::E1, None);
    hall.until("the board is bound", |table| {
        table.device == Some(device.clone())
    })
    .await;
    board.set(
        Square::E1,
        Some(Piece {
            color: Color::White,
            role: shakmaty::Role::King,
        }),
    );
    let (before, mut after) = (Chess::default(), Chess::default());
    let first = &classics()[0].moves[0];
    after.play_unchecked(*first);
    board.shows(&before, &after);
    hall.until("its moves are the table's", |table| table.record.len() == 1)
        .await;
}

/// At noise 1, with the cables of board and clock pulled twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_whose_clock_has_a_line_of_its_own_ends_in_the_right_pgn_though_both_cables_are_pulled_twice()
 {
    let dir = tempfile::tempdir().expect("a folder");
    let (performance, acts) = careless_game();
    let board = Own::put_up("millennium", &port(dir.path(), "millennium"));
    let clock = Own::put_up("diyclock", &port(dir.path(), "diyclock"));
    let mut hall = Hall::open(dir.path(), &["millennium", "diyclock"]).await;
    for family in ["millennium", "diyclock"] {
        let device = hall.device(family).await;
        hall.bind(device).await;
    }
    let presses = acts
        .iter()
        .filter(|(_, act)| matches!(act, Act::Press { .. }));
    let (presses, mut pressed, mut pulls) = (presses.count(), 0, 0);
    let mut began = Instant::now();
    for (at, act) in &acts {
        let due = began + Duration::from_millis(*at);
        tokio::time::sleep_until(due.into()).await;
        board.touch(act);
        clock.touch(act);
        if matches!(act, Act::ClockStart { .. }) {
            hall.until("White's clock runs", |table| {
                table.clock.is_some_and(|clock| clock.running.is_some())
            })
            .await;
            began = Instant::now() - Duration::from_millis(*at);
        }
        pressed += usize::from(matches!(act, Act::Press { .. }));
        if pressed == presses * (pulls + 1) / 3 && pulls < 2 {
            pulls += 1;
            hall.until("what was played", |table| {
                table.completed_ply as usize >= pressed
            })
            .await;
            both_are_away(&hall, &board, &clock, u32::try_from(pulls).expect("two")).await;
            began = Instant::now() - Duration::from_millis(*at);
        }
    }
    let played: Vec<String> = performance
        .moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    let all = played.len();
    hall.until("the whole game", |table| {
        table.completed_ply as usize == all
    })
    .await;
    hall.order(OrderBody::Result {
        table: TABLE,
        result: GameResult::Draw,
        how: ResultHow::Agreed,
        confirm: true,
        signed: BySide::default(),
    })
    .await;
    let record: Vec<Played> = played.iter().cloned().map(Played::Legal).collect();
    let table = hall.arbiter.seen().tables[&TABLE].clone();
    let seen: Vec<Played> = table.record.iter().map(|ply| ply.played.clone()).collect();
    assert_eq!(seen, record);
    // Nobody presses after the last move, which is mate.
    let timed = table.record.iter().filter(|ply| ply.clock_ms.is_some());
    assert_eq!(timed.count(), presses, "{:?}", table.record);
    the_file_is(dir.path(), &played, presses).await;
}

fn careless_game() -> (Performance, Vec<(u64, Act)>) {
    let mut games = classics();
    games.retain(|game| game.moves.len() >= 20);
    let game = games.into_iter().min_by_key(|game| game.moves.len());
    let game = game.expect("a short one");
    let mut how = Play::new(Noise::level(1), 7);
    how.tempo = Tempo::Lasting(75_000);
    how.control = Control::CLASSICAL;
    how.ending = Ending::Nothing;
    let performance = play(&game, &how);
    let acts = coils(&performance, &how);
    (performance, acts)
}

async fn both_are_away(hall: &Hall, board: &Own, clock: &Own, pull: u32) {
    for device in [board, clock] {
        device.pull();
    }
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    for device in [board, clock] {
        device.put_back();
    }
    let back = |seen: &Seen| seen.back(pull) == 2;
    let all = hall.venue.observer.wait(PATIENCE * 2, back).await;
    assert!(all, "pull {pull}: {:?}", hall.venue.observer.seen().found);
}

async fn the_file_is(dir: &Path, played: &[String], timed: usize) {
    let file = dir.join("hub/feeds/round-1.pgn");
    let text = || std::fs::read_to_string(&file).unwrap_or_default();
    for _ in 0..100 {
        if text().contains("[Result \"1/2-1/2\"]") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let pgn = text();
    let game = read_games(&pgn)
        .into_iter()
        .next()
        .expect("a game")
        .expect("legal");
    let written: Vec<String> = game
        .moves
        .iter()
        .map(|played| played.to_uci(CastlingMode::Standard).to_string())
        .collect();
    assert_eq!(written, played, "{pgn}");
    assert_eq!(pgn.matches("[%clk ").count(), timed, "{pgn}");
}
