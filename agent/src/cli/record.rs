//! `record`: the bytes of a board with their times of arrival, in a file people can read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use protocol::Millis;

use super::say::{Problem, asked_to_stop, progress, runtime};
use crate::config::Config;
use crate::devices::dgt::BusParty;
use crate::devices::{DeviceEvent, Driver, LineOptions, PortKind, driver, to_hex};
use crate::ports::{self, Port, PortInfo, Selector, any_words, read_recording};
use crate::time::Clock;

/// A line on which fewer boards answer is no bus as long as nobody said so.
const A_BUS: usize = 2;
const NAP: Duration = Duration::from_secs(1);

/// What `record` is asked.
#[derive(Debug, Args)]
pub(super) struct Record {
    /// The port: /dev/ttyACM0, VID:PID or VID:PID:SERIAL.
    #[arg(long, value_name = "SELECTOR")]
    port: Selector,
    /// The file to write.
    #[arg(short, long, value_name = "FILE.cap")]
    output: PathBuf,
    /// The family of the board; without it the port is asked as an agent would ask it.
    #[arg(long)]
    family: Option<String>,
    /// Ends after so many seconds with one family; without it at Ctrl-C.
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<u64>,
}

struct Tape {
    file: BufWriter<File>,
    clock: Clock,
    began: Millis,
    bytes: usize,
}

/// How a conversation with a port ended by itself.
enum Ended {
    /// Nobody of the family is there.
    Nobody,
    Failed(std::io::Error),
}

impl Record {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        let config = Config::read(None)?;
        let port = self.find_port(&config)?;
        let families = self.families(&config, &port)?;
        runtime()?.block_on(self.record(&families, &port))
    }

    /// The families to try, one after the other.
    fn families(
        &self,
        config: &Config,
        port: &PortInfo,
    ) -> Result<Vec<&'static dyn Driver>, Problem> {
        let Some(family) = &self.family else {
            return Ok(ports::candidates(port, config.family_of(port)));
        };
        let named = driver(family).ok_or_else(|| {
            Problem::usage(
                "A04",
                format!("no driver for the family {family:?}"),
                "`zeitnot-agent list --supported`",
            )
        })?;
        Ok(vec![named])
    }

    fn find_port(&self, config: &Config) -> Result<PortInfo, Problem> {
        let chosen = std::slice::from_ref(&self.port);
        let mut found = ports::matching(ports::scan(chosen), chosen, &config.deny);
        if found.len() > 1 {
            let names: Vec<&str> = found.iter().map(|port| port.path.as_str()).collect();
            return Err(Problem::new(
                "A13",
                format!("{} are {}: {}", self.port, names.len(), names.join(", ")),
                "record one of them with --port",
            ));
        }
        found.pop().ok_or_else(|| {
            Problem::new(
                "A13",
                format!("no port is called {}", self.port),
                "`zeitnot-agent list` shows what is plugged in",
            )
        })
    }

    async fn record(
        &self,
        families: &[&'static dyn Driver],
        port: &PortInfo,
    ) -> Result<ExitCode, Problem> {
        let probing = families.len() > 1;
        for driver in families {
            let mut serial = ports::open(port, *driver).map_err(|why| cannot_open(port, &why))?;
            let mut tape = Tape::new(&self.output, driver.family())?;
            let ended = tokio::select! {
                ended = converse(*driver, probing, &mut serial, &mut tape) => Some(ended),
                () = self.end() => None,
            };
            tape.file.flush()?;
            progress("");
            match ended {
                Some(Ended::Nobody) => continue,
                Some(Ended::Failed(why)) => {
                    return Err(Problem::new(
                        "A16",
                        format!("the port ended: {why}"),
                        "what came before is in the file",
                    ));
                }
                None => return self.is_of_use(),
            }
        }
        let names: Vec<&str> = families.iter().map(|driver| driver.family()).collect();
        Err(Problem::new(
            "A20",
            format!("nobody answers on {} as {}", port.path, names.join(", ")),
            "is the board switched on? give its family with --family: `zeitnot-agent list --supported`",
        ))
    }

    async fn end(&self) {
        match self.seconds {
            Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
            None => asked_to_stop().await,
        }
    }

    /// Somebody was heard, and these are his words.
    fn is_of_use(&self) -> Result<ExitCode, Problem> {
        let (capture, driver) = read_recording(&self.output, None)?;
        let frames = driver.transcript(&capture.bytes());
        any_words(&self.output, driver, &frames)?;
        let bytes: usize = capture.chunks.iter().map(|chunk| chunk.bytes.len()).sum();
        let family = driver.family();
        progress(&format!(
            "{bytes} bytes, {} messages of the family {family}\n",
            frames.len()
        ));
        Ok(ExitCode::SUCCESS)
    }
}

fn cannot_open(port: &PortInfo, why: &std::io::Error) -> Problem {
    Problem::new(
        "A12",
        format!("cannot open {}: {why}", port.path),
        "`zeitnot-agent doctor` says what is in the way",
    )
}

/// Asks as an agent would ask, and keeps every byte that comes, until the port ends or nobody is there.
async fn converse(driver: &dyn Driver, probing: bool, serial: &mut Port, tape: &mut Tape) -> Ended {
    let ended = if driver.about().port == PortKind::Bus {
        converse_with_many(probing, serial, tape).await
    } else {
        converse_with_one(driver, probing, serial, tape).await
    };
    ended.map_or_else(Ended::Failed, |()| Ended::Nobody)
}

async fn converse_with_one(
    driver: &dyn Driver,
    probing: bool,
    serial: &mut Port,
    tape: &mut Tape,
) -> std::io::Result<()> {
    let mut line = driver.open(LineOptions {
        probing,
        ..LineOptions::default()
    });
    let mut buffer = [0; 1024];
    line.opened(tape.clock.now());
    loop {
        while let Some(event) = line.next_event() {
            if probing && event == DeviceEvent::NotThisFamily {
                return Ok(());
            }
        }
        while let Some(bytes) = line.next_write() {
            serial.write(&bytes).await?;
        }
        let nap = line.wake().map_or(NAP, |at| tape.clock.until(at));
        tokio::select! {
            read = serial.read(&mut buffer) => {
                let bytes = &buffer[..read?];
                tape.write(bytes)?;
                line.receive(tape.clock.now(), bytes);
            }
            () = tokio::time::sleep(nap) => line.tick(tape.clock.now()),
        }
    }
}

async fn converse_with_many(
    probing: bool,
    serial: &mut Port,
    tape: &mut Tape,
) -> std::io::Result<()> {
    let mut line = BusParty::default();
    let mut buffer = [0; 1024];
    line.opened(tape.clock.now());
    while !(probing && line.bus().is_searched() && line.bus().boards() < A_BUS) {
        if let Some(bytes) = line.next_write() {
            serial.write(&bytes).await?;
        }
        let nap = line.bus().wake().map_or(NAP, |at| tape.clock.until(at));
        tokio::select! {
            read = serial.read(&mut buffer) => {
                let bytes = &buffer[..read?];
                tape.write(bytes)?;
                line.receive(tape.clock.now(), bytes);
            }
            () = tokio::time::sleep(nap) => {
                line.tick(tape.clock.now());
            }
        }
    }
    Ok(())
}

impl Tape {
    fn new(path: &PathBuf, family: &str) -> Result<Tape, Problem> {
        let cannot = |why| {
            Problem::new(
                "A26",
                format!("cannot write {}: {why}", path.display()),
                "choose another file with -o",
            )
        };
        let mut file = BufWriter::new(File::create(path).map_err(cannot)?);
        writeln!(file, "family {family}")?;
        let clock = Clock::start();
        Ok(Tape {
            file,
            began: clock.now(),
            clock,
            bytes: 0,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.bytes += bytes.len();
        writeln!(
            self.file,
            "{} {}",
            self.clock.now() - self.began,
            to_hex(bytes)
        )?;
        self.file.flush()?;
        progress(&format!("{} bytes", self.bytes));
        Ok(())
    }
}
