//! `credentials`: who may connect.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Subcommand;
use protocol::{Credentials, Role, Topics};

use super::args::{Where, role};
use super::say;
use crate::broker::mosquitto_acl;
use crate::config::{BrokerConfig, Config};
use crate::credentials::{Book, write_file};

/// Who may connect.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// A new name with a new token, printed once.
    Add {
        /// The name; an agent's name is its id.
        name: String,
        /// agent, arbiter, chief, technician, viewer, display, or hub for an external broker.
        #[arg(long, value_parser = role)]
        role: Role,
        /// Write a new credentials file, readable by its owner only, instead of printing it.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        place: Where,
    },
    /// Every name and its role.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Takes a name out; its connections end within a second.
    Revoke {
        /// The name.
        name: String,
        #[command(flatten)]
        place: Where,
    },
    /// The rights of every name as an access list for an external Mosquitto.
    Acl {
        #[command(flatten)]
        place: Where,
    },
}

impl Command {
    pub(super) fn run(self) -> Result<bool> {
        match self {
            Command::Add {
                name,
                role,
                output,
                place,
            } => add(&place, name, role, output),
            Command::List { json, place } => list(&place.config()?, json),
            Command::Revoke { name, place } => {
                known(&place.config()?)?.revoke(&name)?;
                say::line(format!("{name} may no longer connect"));
                Ok(true)
            }
            Command::Acl { place } => acl(&place.config()?),
        }
    }
}

fn known(config: &Config) -> Result<Book> {
    Ok(Book::existing(&config.data()?)?)
}

/// Where clients find the broker: as configured, else where the hub of this data folder ran last.
fn address(config: &Config, book: &Book) -> Result<(String, u16)> {
    if let Some(url) = config.external()? {
        return Ok((url.host, url.port));
    }
    let listen = config.broker.listen;
    let ran_last = || {
        let text = std::fs::read_to_string(book.local_path(Role::Agent)).ok()?;
        let local: Credentials = toml::from_str(&text).ok()?;
        Some((local.host, local.port))
    };
    let unsaid = listen == BrokerConfig::default().listen;
    let known = if unsaid { ran_last() } else { None };
    Ok(known.unwrap_or_else(|| (listen.ip().to_string(), listen.port())))
}

fn add(place: &Where, name: String, role: Role, output: Option<PathBuf>) -> Result<bool> {
    if let Some(path) = output.as_ref().filter(|path| path.exists()) {
        bail!(
            "H56 {} is there already, perhaps with a token that is in use · help: give the new file another name, or take that one away first",
            path.display()
        );
    }
    let config = place.config()?;
    let book = Book::open(&place.hub_data()?)?;
    let token = book.add(&name, role)?;
    let (host, port) = address(&config, &book)?;
    let credentials = Credentials {
        name,
        token,
        role,
        venue: config.venue.clone(),
        host,
        port,
    };
    match output {
        Some(path) => {
            // A token that nobody has read is of no use: the name stays free.
            if let Err(error) = write_file(&path, &credentials) {
                book.revoke(&credentials.name)?;
                return Err(error.into());
            }
            say::line(format!(
                "{} may connect as {role}, to a running hub within a second; its file: {}",
                credentials.name,
                path.display()
            ));
        }
        None => say::line(toml::to_string(&credentials)?.trim_end()),
    }
    Ok(true)
}

fn list(config: &Config, json: bool) -> Result<bool> {
    for (name, entry) in known(config)?.entries().iter() {
        if json {
            say::line(serde_json::json!({ "name": name, "role": entry.role }));
        } else {
            say::line(format!("{:<12}{name}", entry.role));
        }
    }
    Ok(true)
}

fn acl(config: &Config) -> Result<bool> {
    let entries = known(config)?.entries();
    let clients = entries
        .iter()
        .map(|(name, entry)| (name.as_str(), entry.role));
    say::line(mosquitto_acl(&Topics::new(&config.venue), clients).trim_end());
    Ok(true)
}
