//! `run`: the daemon.

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use super::args::{Settings, Where};
use super::say;
use crate::config::Config;
use crate::run::{Addresses, start};

/// The daemon.
#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    settings: Settings,
    /// Print the configuration that would be used, and end.
    #[arg(long)]
    print_config: bool,
    /// Say where everything is as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(super) fn run(self) -> Result<bool> {
        let mut config = self.place.config()?;
        self.settings.over(&mut config);
        if self.print_config {
            config.data = Some(config.data()?);
            say::line(config.print().trim_end());
            return Ok(true);
        }
        say::start_log();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        runtime.block_on(daemon(config, self.json))
    }
}

async fn daemon(config: Config, json: bool) -> Result<bool> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // A terminal that is closed says so with this one.
    let mut hang_up = signal(SignalKind::hangup())?;
    let venue = config.venue.to_string();
    let external = config
        .external()?
        .map(|url| format!("mqtt://{}:{}", url.host, url.port));
    let sends = config.feeds.ways_out();
    let mut hub = start(config).await?;
    let place = Place {
        sends,
        ..Place::of(&venue, external, &hub.addresses)
    };
    if json {
        say::note(serde_json::to_string(&place)?);
    } else {
        say::note(place.words());
    }
    let told = tokio::select! {
        _ = terminate.recv() => true,
        _ = interrupt.recv() => true,
        _ = hang_up.recv() => true,
        () = hub.ended() => false,
    };
    hub.stop().await;
    Ok(told)
}

/// Where everything is.
#[derive(Debug, Serialize)]
struct Place {
    venue: String,
    broker: String,
    #[serde(skip)]
    external: bool,
    wall: Vec<Wall>,
    data: String,
    credentials: String,
    feeds: Option<String>,
    operator: Option<String>,
    /// Feeds that listen or send: where, and for whom.
    sends: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Wall {
    url: String,
    audience: String,
}

impl Place {
    fn of(venue: &str, external: Option<String>, addresses: &Addresses) -> Place {
        let broker = addresses.mqtt.map(|a| format!("mqtt://{a}"));
        let wall = |(address, audience): &(std::net::SocketAddr, String)| Wall {
            url: format!("http://{address}/"),
            audience: audience.clone(),
        };
        Place {
            venue: venue.to_owned(),
            external: external.is_some(),
            broker: external.or(broker).unwrap_or_default(),
            wall: addresses.http.iter().map(wall).collect(),
            data: addresses.data.display().to_string(),
            credentials: addresses.credentials.display().to_string(),
            feeds: addresses.feeds.as_ref().map(|f| f.display().to_string()),
            operator: addresses
                .operator
                .map(|address| format!("http://{address}/")),
            sends: Vec::new(),
        }
    }

    fn words(&self) -> String {
        let mut lines = vec![
            format!(
                "Zeitnot hub {} · venue {:?}",
                env!("CARGO_PKG_VERSION"),
                self.venue
            ),
            format!("  broker       {}", self.broker),
        ];
        for wall in &self.wall {
            lines.push(format!("  wall page    {}  ({})", wall.url, wall.audience));
        }
        lines.push(format!("  data         {}", self.data));
        // With another broker there are none for this machine alone.
        let local = if self.external { "" } else { "/local-*.toml" };
        lines.push(format!("  credentials  {}{local}", self.credentials));
        lines.extend(self.feeds.iter().map(|f| format!("  feeds        {f}")));
        lines.extend(
            self.operator
                .iter()
                .map(|url| format!("  operator     {url}  (how the feeds are; pause and resume)")),
        );
        lines.extend(self.sends.iter().map(|way| format!("  feed         {way}")));
        lines.push("Stop it with Ctrl-C.".to_owned());
        lines.join("\n")
    }
}
