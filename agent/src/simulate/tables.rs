//! Many tables at once: games played by hands on virtual boards, each a serial device in one folder.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::{DeviceId, Millis};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::dgt::{CaptureBoard, ClockAction, VirtualBus};
use super::hands::{
    Accident, Act, Control, Ending, Game, Noise, Performance, Play, Tempo, coils, play,
};
use super::pty::Pty;
use super::seat::{Board, Fault, Plan, Script, Seat, Truth};
use super::shared_line::{Hands, LineSeat};
use super::trouble::{self, Trouble};
use super::whole::{family_of, virtual_board};
use crate::devices::{Chunk, Orientation, Placement};
use crate::session::hint;
use crate::time::Clock;

/// What is played, how, and where.
#[derive(Debug, Clone)]
pub struct TablesOptions {
    /// Folder of the devices: `table-1`, `table-2` …
    pub dir: PathBuf,
    /// How many tables.
    pub tables: usize,
    /// The games, dealt out in turn.
    pub games: Vec<Game>,
    /// 0 careful players on sound boards … 3 faulty boards.
    pub noise: u8,
    /// All chance follows from it.
    pub seed: u64,
    /// How long the players think.
    pub tempo: Tempo,
    /// The time control; that of the game's tag where the game has one and this is none.
    pub control: Option<Control>,
    /// What happens after the last move.
    pub ending: Ending,
    /// What goes wrong on purpose, and at which table, counted from 0.
    pub accidents: Vec<(usize, Accident)>,
    /// What goes wrong on purpose with every board and its line.
    pub troubles: Vec<Trouble>,
    /// How much quicker than real everything passes, boards and clocks included.
    pub speed: f64,
    /// Real milliseconds between the host's first word to a board and the first hand movement.
    pub lead: Millis,
    /// Serial number of the first board; the others count on.
    pub first_serial: u32,
    /// Makes of the boards, dealt out in turn, as [`virtual_board`] knows them.
    pub families: Vec<String>,
    /// Names of the agents that read the boards, in turn: boards without a number are called after them.
    pub agents: Vec<String>,
    /// Every so many tables one board lies with its connector at White's right hand; 0: none.
    pub rotated_every: usize,
}

/// Of a thousand answers on a shared line with collisions so many meet another board's.
const COLLISIONS: u32 = 20;

/// Running tables. Dropping it ends them.
pub struct Tables {
    clock: Clock,
    seats: Vec<Handle>,
    tasks: JoinSet<()>,
}

struct Handle {
    dir: PathBuf,
    link: PathBuf,
    device: DeviceId,
    plan: Arc<Mutex<Plan>>,
    faults: Faults,
}

/// Where trouble is told.
#[derive(Clone)]
enum Faults {
    /// To a table of its own.
    Table(mpsc::UnboundedSender<Fault>),
    /// To the line, with the board's number on it.
    Line(mpsc::UnboundedSender<(usize, Fault)>, usize),
}

impl TablesOptions {
    /// Tables in `dir` that play the example games at noise 1 in about a minute each.
    pub fn new(dir: &Path, tables: usize) -> TablesOptions {
        TablesOptions {
            dir: dir.to_owned(),
            tables,
            games: super::games::classics(),
            noise: 1,
            seed: 1,
            tempo: Tempo::Lasting(60_000),
            control: None,
            ending: Ending::Kings,
            accidents: Vec::new(),
            troubles: Vec::new(),
            speed: 1.0,
            lead: 4_000,
            first_serial: 1001,
            families: vec!["dgt".to_owned()],
            agents: vec!["agent".to_owned()],
            rotated_every: 4,
        }
    }

    /// The make of a table's board, counted from 0.
    pub fn make(&self, table: usize) -> &str {
        let turn = table % self.families.len().max(1);
        self.families.get(turn).map_or("dgt", String::as_str)
    }

    /// The family whose driver understands that board.
    pub fn family(&self, table: usize) -> &str {
        family_of(self.make(table))
    }

    /// The id an agent gives the board.
    pub fn device(&self, table: usize) -> DeviceId {
        let name = match self.make(table) {
            "club" | "dgt" | "pegasus" | "revelation" | "smartboard" => self.serial(table),
            _ => hint(self.agent(table), &format!("table-{}", table + 1)),
        };
        DeviceId::of(self.family(table), &name)
    }

    fn agent(&self, table: usize) -> &str {
        let turn = table % self.agents.len().max(1);
        self.agents.get(turn).map_or("agent", String::as_str)
    }

    fn serial(&self, table: usize) -> String {
        format!("{:05}", (self.first_serial as usize + table) % 100_000)
    }

    fn script(&self, table: usize, acts: Vec<(Millis, Act)>, last: Millis, link: &Path) -> Script {
        Script {
            acts,
            troubles: trouble::faults(&self.troubles, last, link),
            line: trouble::line(&self.troubles, self.seed.wrapping_add(table as u64)),
            lead: self.lead,
        }
    }

    fn orientation(&self, table: usize) -> Orientation {
        if self.rotated_every > 0 && (table + 1).is_multiple_of(self.rotated_every) {
            Orientation::Rotated
        } else {
            Orientation::Normal
        }
    }
}

impl Tables {
    /// Puts up the boards; each game begins when a host has spoken to its board.
    ///
    /// # Errors
    /// What the system says when a pseudo-terminal or its link cannot be made.
    pub fn start(options: &TablesOptions) -> io::Result<Tables> {
        std::fs::create_dir_all(&options.dir)?;
        let mut tables = Tables::empty();
        for table in 0..options.tables {
            tables.add_game(options, table)?;
        }
        Ok(tables)
    }

    /// One board in `dir` that plays a recording.
    ///
    /// # Errors
    /// What the system says when the pseudo-terminal or its link cannot be made.
    pub fn capture(dir: &Path, chunks: Vec<Chunk>, speed: f64) -> io::Result<Tables> {
        std::fs::create_dir_all(dir)?;
        let mut tables = Tables::empty();
        let board = Board::Capture(Box::new(CaptureBoard::of_chunks(&chunks, speed)));
        let device = DeviceId::of("dgt", "00001");
        let script = Script {
            acts: Vec::new(),
            troubles: VecDeque::new(),
            line: trouble::line(&[], 0),
            lead: 0,
        };
        tables.add(dir, device, board, script, Plan::new(None, 1.0))?;
        Ok(tables)
    }

    /// DGT boards that share the line `DIR/line-1`; their games begin when a host has spoken to the line.
    ///
    /// # Errors
    /// What the system says when the pseudo-terminal or its link cannot be made.
    pub fn on_one_line(options: &TablesOptions) -> io::Result<Tables> {
        std::fs::create_dir_all(&options.dir)?;
        let link = options.dir.join("line-1");
        let pty = Pty::open(&link)?;
        let mut tables = Tables::empty();
        let mut bus = VirtualBus::new(options.seed);
        if options.troubles.contains(&Trouble::Collisions) {
            bus.collide(COLLISIONS);
        }
        let mut last = 0;
        let mut hands = Vec::new();
        let (faults, suffered) = mpsc::unbounded_channel();
        for table in 0..options.tables {
            let address = u16::try_from(options.first_serial as usize + table).unwrap_or(1);
            let (performance, acts) = perform(options, table);
            let board = bus.add(address, options.orientation(table), &initial(&performance));
            if options.troubles.contains(&Trouble::SilentClock) {
                bus.clock(board, 0, ClockAction::FallSilent);
            }
            let plan = Arc::new(Mutex::new(Plan::new(Some(performance), 1.0)));
            last = last.max(end_of(&acts));
            hands.push(Hands {
                acts: acts.into(),
                plan: Arc::clone(&plan),
            });
            tables.seats.push(Handle {
                dir: options.dir.clone(),
                link: link.clone(),
                device: DeviceId::of("dgt", &format!("{address:05}")),
                plan,
                faults: Faults::Line(faults.clone(), board),
            });
        }
        let script = options.script(0, Vec::new(), last, &link);
        let seat = LineSeat::new(bus, pty, hands, script, suffered);
        tables.tasks.spawn(seat.run());
        Ok(tables)
    }

    /// How many tables.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// The device's name of a table, counted from 0.
    pub fn link(&self, table: usize) -> &Path {
        &self.seats[table].link
    }

    /// The id an agent gives the board.
    pub fn device(&self, table: usize) -> &DeviceId {
        &self.seats[table].device
    }

    /// What has happened at a table until now.
    pub fn truth(&self, table: usize) -> Truth {
        let plan = self.seats[table]
            .plan
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        plan.truth(self.clock.now())
    }

    /// Whether nothing more will happen at any table.
    pub fn finished(&self) -> bool {
        (0..self.len()).all(|table| self.truth(table).finished)
    }

    /// The cable is pulled.
    pub fn unplug(&mut self, table: usize) {
        self.fault(table, Fault::Unplug);
    }

    /// The cable is put back, and the device has this name in the folder from now on.
    pub fn replug(&mut self, table: usize, name: &str) {
        let link = self.seats[table].dir.join(name);
        self.seats[table].link.clone_from(&link);
        self.fault(table, Fault::Replug(link));
    }

    /// After the next press nobody moves at the table, until [`go_on`](Self::go_on).
    pub fn hold(&mut self, table: usize) {
        self.fault(table, Fault::Hold);
    }

    /// Whether the hands have stopped.
    pub fn is_held(&self, table: usize) -> bool {
        let plan = self.seats[table].plan.lock();
        plan.unwrap_or_else(PoisonError::into_inner)
            .held()
            .is_some()
    }

    /// The hands move again.
    pub fn go_on(&mut self, table: usize) {
        self.fault(table, Fault::GoOn);
    }

    /// The board is switched off or on.
    pub fn power(&mut self, table: usize, on: bool) {
        self.fault(table, Fault::Power(on));
    }

    /// Somebody or something does this to the chessclock.
    pub fn clock(&mut self, table: usize, action: ClockAction) {
        self.fault(table, Fault::Clock(action));
    }

    /// Takes all boards away.
    pub async fn stop(mut self) {
        self.seats.clear();
        while self.tasks.join_next().await.is_some() {}
    }

    fn empty() -> Tables {
        Tables {
            clock: Clock::start(),
            seats: Vec::new(),
            tasks: JoinSet::new(),
        }
    }

    fn next_link(&self, dir: &Path) -> PathBuf {
        dir.join(format!("table-{}", self.seats.len() + 1))
    }

    fn fault(&mut self, table: usize, fault: Fault) {
        let _table_is_gone = match &self.seats[table].faults {
            Faults::Table(sender) => sender.send(fault).is_err(),
            Faults::Line(sender, board) => sender.send((*board, fault)).is_err(),
        };
    }

    fn add_game(&mut self, options: &TablesOptions, table: usize) -> io::Result<()> {
        let serial = options.serial(table);
        let (performance, acts) = perform(options, table);
        let placement = initial(&performance);
        let orientation = options.orientation(table);
        let family = options.make(table);
        let mut board = virtual_board(family, &serial, orientation, placement, options.seed)
            .ok_or_else(|| io::Error::other(format!("there is no virtual board {family:?}")))?;
        if options.troubles.contains(&Trouble::SilentClock) {
            board.clock(0, ClockAction::FallSilent);
        }
        let device = options.device(table);
        let plan = Plan::new(Some(performance), options.speed);
        let (last, link) = (end_of(&acts), self.next_link(&options.dir));
        let script = options.script(table, acts, last, &link);
        self.add(&options.dir, device, Board::Played(board), script, plan)
    }

    fn add(
        &mut self,
        dir: &Path,
        device: DeviceId,
        board: Board,
        script: Script,
        plan: Plan,
    ) -> io::Result<()> {
        let link = self.next_link(dir);
        let pty = Pty::open(&link)?;
        let plan = Arc::new(Mutex::new(plan));
        let (faults, suffered) = mpsc::unbounded_channel();
        let seat = Seat::new(board, pty, script, Arc::clone(&plan), suffered);
        self.tasks.spawn(seat.run());
        self.seats.push(Handle {
            dir: dir.to_owned(),
            link,
            device,
            plan,
            faults: Faults::Table(faults),
        });
        Ok(())
    }
}

fn end_of(acts: &[(Millis, Act)]) -> Millis {
    acts.last().map_or(0, |(at, _)| *at)
}

fn initial(performance: &Performance) -> Placement {
    let mut placement = Placement::EMPTY;
    for (square, piece) in performance.initial.clone() {
        placement.set(square, Some(piece));
    }
    placement
}

fn perform(options: &TablesOptions, table: usize) -> (Performance, Vec<(Millis, Act)>) {
    let game = &options.games[table % options.games.len().max(1)];
    let mut how = Play::new(
        Noise::level(options.noise),
        options.seed.wrapping_mul(1000).wrapping_add(table as u64),
    );
    how.tempo = options.tempo;
    how.ending = options.ending;
    let here = options.accidents.iter().filter(|(at, _)| *at == table);
    how.accidents = here.map(|(_, accident)| *accident).collect();
    how.control = options
        .control
        .or_else(|| game.control())
        .unwrap_or(Control::CLASSICAL);
    let performance = play(game, &how);
    let acts = coils(&performance, &how);
    (performance, acts)
}
