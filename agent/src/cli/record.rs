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
use crate::devices::{Driver, LineOptions, driver, to_hex};
use crate::ports::{self, Port, PortInfo, Selector};
use crate::time::Clock;

/// What `record` is asked.
#[derive(Debug, Args)]
pub(super) struct Record {
    /// The port: /dev/ttyACM0, VID:PID or VID:PID:SERIAL.
    #[arg(long, value_name = "SELECTOR")]
    port: Selector,
    /// The file to write.
    #[arg(short, long, value_name = "FILE.cap")]
    output: PathBuf,
    /// The family of the board.
    #[arg(long, default_value = "dgt")]
    family: String,
    /// Ends after so many seconds; without it at Ctrl-C.
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<u64>,
}

struct Tape {
    file: BufWriter<File>,
    clock: Clock,
    began: Millis,
    bytes: usize,
}

impl Record {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        let driver = driver(&self.family).ok_or_else(|| {
            Problem::usage(
                "A04",
                format!("no driver for the family {:?}", self.family),
                "`zeitnot-agent list --supported`",
            )
        })?;
        let port = self.find_port()?;
        runtime()?.block_on(self.record(driver, &port))
    }

    fn find_port(&self) -> Result<PortInfo, Problem> {
        let deny = Config::read(None)?.deny;
        let chosen = std::slice::from_ref(&self.port);
        let found = ports::matching(ports::scan(chosen), chosen, &deny);
        found.into_iter().next().ok_or_else(|| {
            Problem::new(
                "A13",
                format!("no port is called {}", self.port),
                "`zeitnot-agent list` shows what is plugged in",
            )
        })
    }

    async fn record(
        &self,
        driver: &'static dyn Driver,
        port: &PortInfo,
    ) -> Result<ExitCode, Problem> {
        let cannot = |why: std::io::Error| {
            Problem::new(
                "A12",
                format!("cannot open {}: {why}", port.path),
                "`zeitnot-agent doctor` says what is in the way",
            )
        };
        let mut serial = ports::open(port, driver).map_err(cannot)?;
        let mut tape = Tape::new(&self.output, driver.family())?;
        let end = async {
            match self.seconds {
                Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
                None => asked_to_stop().await,
            }
        };
        let ended = tokio::select! {
            ended = converse(driver, &mut serial, &mut tape) => ended,
            () = end => Ok(()),
        };
        tape.file.flush()?;
        progress("");
        ended.map_err(|why| {
            Problem::new(
                "A16",
                format!("the port ended: {why}"),
                "what came before is in the file",
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Asks the board what an agent would ask, and keeps every byte that comes.
async fn converse(driver: &dyn Driver, serial: &mut Port, tape: &mut Tape) -> std::io::Result<()> {
    let mut line = driver.open(LineOptions::default());
    let mut buffer = [0; 1024];
    line.opened(tape.clock.now());
    loop {
        while line.next_event().is_some() {}
        while let Some(bytes) = line.next_write() {
            serial.write(&bytes).await?;
        }
        let nap = line
            .wake()
            .map_or(Duration::from_secs(1), |at| tape.clock.until(at));
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
