//! `run`: the daemon.

use std::process::ExitCode;

use clap::Args;

use super::Where;
use super::say::{Problem, asked_to_stop, log_to_stderr, runtime};

/// What `run` is asked.
#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    place: Where,
    /// Serves the local API of LiveChess there, for a browser on this computer: 127.0.0.1:1982.
    #[arg(long, value_name = "ADDRESS:PORT")]
    livechess: Option<std::net::SocketAddr>,
    /// Prints the configuration that would be used, as a file, and ends.
    #[arg(long)]
    print_config: bool,
}

impl Run {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        let mut config = self.place.config()?;
        config.livechess.listen = self.livechess.or(config.livechess.listen);
        if self.print_config {
            print!("{}", config.to_toml());
            return Ok(ExitCode::SUCCESS);
        }
        log_to_stderr("info");
        if config.ports.is_empty() {
            tracing::warn!(
                "A11 no port may be opened, so no board will be read · help: `zeitnot-agent list` shows what is plugged in; give --port /dev/ttyACM0, or list ports in agent.toml"
            );
        }
        if config.hubs.is_empty() {
            tracing::warn!(
                "A09 no hub is known; facts are kept · help: give --credentials FILE or --data DIR"
            );
        }
        runtime()?.block_on(async {
            let (state, livechess) = (config.state.clone(), config.livechess.listen);
            let agent = crate::start(config).await?;
            if let Some(address) = livechess {
                tracing::info!(%address, "the boards are there for programs that know LiveChess");
            }
            tracing::info!(agent = %agent.id, boot = %agent.boot, state = %state.display(), "started");
            asked_to_stop().await;
            tracing::info!("stopping");
            agent.stop().await;
            Ok(ExitCode::SUCCESS)
        })
    }
}
