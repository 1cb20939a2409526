//! `list`: everything plugged in, and the families this program speaks to.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use protocol::DeviceId;
use serde::Serialize;

use super::Where;
use super::say::{Problem, json_line};
use crate::devices::{DRIVERS, Family};
use crate::ports::{Access, PortInfo, access, candidates, missing, scan};
use crate::supervisor::who_answered;

/// What `list` is asked.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    place: Where,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// The families of boards and clocks this program speaks to.
    #[arg(long)]
    supported: bool,
}

#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    port: &'a PortInfo,
    access: Access,
    /// Families it is asked for, in this order, once it may be opened.
    families: Vec<&'static str>,
    /// Who answered there last, by the device's own serial number where it has one.
    devices: Vec<DeviceId>,
    help: &'static str,
}

#[derive(Serialize)]
struct Supported {
    family: &'static str,
    #[serde(flatten)]
    about: Family,
}

impl List {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        let mut out = std::io::stdout().lock();
        if self.supported {
            self.list_families(&mut out)?;
        } else {
            self.list_ports(&mut out)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn list_families(&self, out: &mut impl Write) -> std::io::Result<()> {
        if !self.json {
            return write!(out, "{}", table_of_families());
        }
        for driver in DRIVERS {
            let (family, about) = (driver.family(), driver.about());
            json_line(out, &Supported { family, about })?;
        }
        Ok(())
    }

    fn list_ports(&self, out: &mut impl Write) -> Result<(), Problem> {
        let config = self.place.config()?;
        let ports = scan(config.ports.iter().chain(&config.deny));
        if ports.is_empty() && !self.json {
            writeln!(
                out,
                "nothing is plugged in that looks like a serial port\n  help: plug a board in and look again; simulated ones are named with --port 'DIR/table-*'"
            )?;
        }
        for port in &ports {
            let access = access(port, &config.ports, &config.deny);
            let help = cure(&access);
            let families = candidates(port, config.family_of(port))
                .iter()
                .map(|driver| driver.family())
                .collect();
            let found = Found {
                devices: who_answered(&config.state, port),
                port,
                access,
                families,
                help,
            };
            if self.json {
                json_line(out, &found)?;
            } else {
                writeln!(out, "{}", in_words(&found))?;
            }
        }
        for words in missing(&ports, &config.ports) {
            eprintln!("A17 {words}\nhelp: plug it in; is it named as in this list?");
        }
        Ok(())
    }
}

/// The table of the README, as Markdown.
fn table_of_families() -> String {
    let mut table = "| family | connection | checked against |\n|---|---|---|\n".to_owned();
    for driver in DRIVERS {
        let (family, about) = (driver.family(), driver.about());
        let (names, connected, checked) = (about.names, about.connected(), about.checked_against);
        table += &format!("| `{family}` {names} | {connected} | {checked} |\n");
    }
    table
}

fn in_words(found: &Found<'_>) -> String {
    let usb = found.port.usb.as_ref().map_or(String::new(), |usb| {
        let serial = usb.serial.as_deref().unwrap_or("-");
        format!(
            " {:04x}:{:04x}:{serial} {}",
            usb.vendor,
            usb.product,
            usb.words.as_deref().unwrap_or("")
        )
    });
    let target = found
        .port
        .target
        .as_deref()
        .map_or(String::new(), |target| format!(" -> {target}"));
    let state = match found.access {
        Access::Open => "ok    ",
        Access::NotListed => "-     ",
        Access::Denied => "denied",
        Access::NoPermission => "locked",
    };
    let help = if found.help.is_empty() {
        String::new()
    } else {
        format!("\n         {}", found.help)
    };
    let families = match found.access {
        Access::Open => format!("\n         asked for: {}", found.families.join(", ")),
        _ => String::new(),
    };
    let devices = if found.devices.is_empty() {
        String::new()
    } else {
        let names: Vec<&str> = found.devices.iter().map(DeviceId::as_str).collect();
        format!("\n         answered last: {}", names.join(", "))
    };
    let path = &found.port.path;
    format!("{state}   {path}{target}{usb}{devices}{families}{help}")
}

fn cure(access: &Access) -> &'static str {
    match access {
        Access::Open => "",
        Access::NotListed => {
            "not listed in `ports`: never opened and never written to; give --port or list it"
        }
        Access::Denied => "listed in `deny`",
        Access::NoPermission => {
            "A12 no permission: install 70-eboards.rules (zeitnot-agent doctor --install), then replug"
        }
    }
}
