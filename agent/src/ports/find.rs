//! What is plugged in: serial devices with their USB numbers, read from /sys, and any path a selector names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::selector::Selector;

/// Where the kernel lists its terminals.
const TERMINALS: &str = "/sys/class/tty";
/// Where it lists what is plugged in.
const DEVICES: &str = "/sys/bus/usb/devices";

/// A serial port of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PortInfo {
    /// The path it is opened by.
    pub path: String,
    /// Where the path leads, when it is a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What kind of port it is.
    pub place: PortPlace,
    /// The USB device behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usb: Option<Usb>,
}

/// What kind of port it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PortPlace {
    /// A terminal: bytes, one after the other.
    #[default]
    Terminal,
    /// A USB device that sends whole reports.
    Reports,
}

/// The USB device behind a port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usb {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// Its serial number; often empty or the same on many boards.
    pub serial: Option<String>,
    /// What it calls itself.
    pub words: Option<String>,
    /// The socket it is plugged in: `1-2.3`.
    pub place: Option<String>,
}

/// Whether a port may be opened, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// It is allowed and can be opened.
    Open,
    /// The configuration does not list it.
    NotListed,
    /// The configuration forbids it.
    Denied,
    /// The system forbids it.
    NoPermission,
}

impl PortInfo {
    /// Every name it answers to.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.path.as_str()).chain(self.target.as_deref())
    }

    /// What a device without a serial number of its own is called by: that of its USB chip where it has one, and the
    /// socket it is plugged in.
    pub fn hint(&self) -> String {
        let of_path = || {
            self.path
                .rsplit('/')
                .next()
                .unwrap_or(&self.path)
                .to_owned()
        };
        self.usb.as_ref().map_or_else(of_path, |usb| {
            let parts = [usb.serial.as_deref(), usb.place.as_deref()];
            let known: Vec<&str> = parts.into_iter().flatten().collect();
            if known.is_empty() {
                of_path()
            } else {
                known.join("-")
            }
        })
    }

    /// What the name leads to: two names of one port share it.
    pub fn identity(&self) -> &str {
        self.target.as_deref().unwrap_or(&self.path)
    }
}

/// All serial devices of the machine and every path that `selectors` name.
pub fn scan<'a>(selectors: impl IntoIterator<Item = &'a Selector>) -> Vec<PortInfo> {
    let mut ports: BTreeMap<String, PortInfo> = BTreeMap::new();
    for port in terminals().into_iter().chain(report_devices()) {
        ports.insert(port.path.clone(), port);
    }
    for selector in selectors {
        for port in named(selector) {
            let known = ports
                .values()
                .any(|other| other.identity() == port.identity());
            if !known {
                ports.insert(port.path.clone(), port);
            }
        }
    }
    ports.into_values().collect()
}

/// The ports that may be opened: listed and not denied.
pub fn matching(ports: Vec<PortInfo>, allow: &[Selector], deny: &[Selector]) -> Vec<PortInfo> {
    let allowed = |port: &PortInfo| {
        allow.iter().any(|s| s.matches(port)) && !deny.iter().any(|s| s.matches(port))
    };
    ports.into_iter().filter(allowed).collect()
}

/// What is wrong with the selectors that none of the ports found answers to, one sentence each.
pub fn missing(found: &[PortInfo], allow: &[Selector]) -> Vec<String> {
    let unmet = |selector: &&Selector| !found.iter().any(|port| selector.matches(port));
    let words = |selector: &Selector| match selector {
        Selector::Path(path) if Path::new(path).exists() => {
            format!("{selector} is no serial device")
        }
        _ => format!("{selector} is not plugged in"),
    };
    allow.iter().filter(unmet).map(words).collect()
}

/// Whether one port may be opened.
pub fn access(port: &PortInfo, allow: &[Selector], deny: &[Selector]) -> Access {
    if deny.iter().any(|selector| selector.matches(port)) {
        return Access::Denied;
    }
    let flags = nix::unistd::AccessFlags::R_OK | nix::unistd::AccessFlags::W_OK;
    if nix::unistd::access(Path::new(&port.path), flags).is_err() {
        return Access::NoPermission;
    }
    if allow.iter().any(|selector| selector.matches(port)) {
        Access::Open
    } else {
        Access::NotListed
    }
}

fn terminals() -> Vec<PortInfo> {
    let Ok(entries) = fs::read_dir(TERMINALS) else {
        return Vec::new();
    };
    let mut found: Vec<PortInfo> = entries
        .flatten()
        .filter_map(|entry| terminal(&entry.path()))
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// A terminal with hardware behind it; consoles and pseudo-terminals have none.
fn terminal(class: &Path) -> Option<PortInfo> {
    let name = class.file_name()?.to_str()?;
    let device = class.join("device");
    let hardware = fs::canonicalize(&device).ok()?;
    let driver = fs::canonicalize(device.join("driver")).ok();
    let built_in = driver
        .as_ref()
        .is_some_and(|driver| driver.ends_with("serial8250"));
    (!built_in && !name.starts_with("ttyS")).then(|| PortInfo {
        path: format!("/dev/{name}"),
        target: None,
        place: PortPlace::Terminal,
        usb: usb_above(&hardware),
    })
}

/// USB devices whose numbers are those of a family that sends whole reports.
fn report_devices() -> Vec<PortInfo> {
    let Ok(entries) = fs::read_dir(DEVICES) else {
        return Vec::new();
    };
    let mut found: Vec<PortInfo> = entries
        .flatten()
        .filter_map(|entry| report_device(&entry.path()))
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn report_device(folder: &Path) -> Option<PortInfo> {
    let number = |file: &str| {
        fs::read_to_string(folder.join(file))
            .ok()?
            .trim()
            .parse::<u16>()
            .ok()
    };
    let port = PortInfo {
        path: format!(
            "/dev/bus/usb/{:03}/{:03}",
            number("busnum")?,
            number("devnum")?
        ),
        target: None,
        place: PortPlace::Reports,
        usb: usb_above(folder),
    };
    (!super::candidates(&port, super::AUTO).is_empty()).then_some(port)
}

fn usb_above(hardware: &Path) -> Option<Usb> {
    let device = hardware
        .ancestors()
        .find(|folder| folder.join("idVendor").is_file())?;
    let read = |file: &str| {
        let text = fs::read_to_string(device.join(file)).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let number = |file: &str| u16::from_str_radix(&read(file)?, 16).ok();
    Some(Usb {
        vendor: number("idVendor")?,
        product: number("idProduct")?,
        serial: read("serial"),
        words: read("product"),
        place: device
            .file_name()
            .and_then(|name| name.to_str())
            .map(str::to_owned),
    })
}

fn named(selector: &Selector) -> Vec<PortInfo> {
    let Some(folder) = selector.folder() else {
        return Vec::new();
    };
    let paths: Vec<PathBuf> = match selector {
        Selector::Path(path) if !path.contains(['*', '?']) => vec![PathBuf::from(path)],
        _ => fs::read_dir(if folder.is_empty() { "/" } else { folder })
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default(),
    };
    // By name first: asking the system about each of many links for each of many patterns takes longer than a look may.
    let called = paths.iter().filter(|path| selector.names(path));
    called.filter_map(|path| device_at(path)).collect()
}

fn device_at(path: &Path) -> Option<PortInfo> {
    use std::os::unix::fs::FileTypeExt;
    let target = fs::canonicalize(path).ok()?;
    fs::metadata(&target)
        .ok()?
        .file_type()
        .is_char_device()
        .then_some(())?;
    let hardware = fs::canonicalize(
        Path::new(TERMINALS)
            .join(target.file_name()?)
            .join("device"),
    )
    .ok();
    Some(PortInfo {
        path: path.to_str()?.to_owned(),
        target: target
            .to_str()
            .filter(|target| Path::new(target) != path)
            .map(str::to_owned),
        place: PortPlace::Terminal,
        usb: hardware.and_then(|hardware| usb_above(&hardware)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_ports_that_are_not_denied_are_ever_opened() {
        let port = |path: &str| PortInfo {
            path: path.to_owned(),
            target: None,
            place: PortPlace::Terminal,
            usb: None,
        };
        let selectors = |texts: &[&str]| -> Vec<Selector> {
            texts
                .iter()
                .map(|text| text.parse().expect("good"))
                .collect()
        };
        let rows: [(&[&str], &[&str], &[&str]); 4] = [
            (&[], &[], &[]),
            (&["/dev/ttyACM*"], &[], &["/dev/ttyACM0", "/dev/ttyACM1"]),
            (
                &["/dev/tty*"],
                &["/dev/ttyACM1"],
                &["/dev/ttyACM0", "/dev/ttyUSB0"],
            ),
            (&["/dev/ttyUSB0"], &["/dev/*"], &[]),
        ];
        for (allow, deny, expect) in rows {
            let ports = vec![
                port("/dev/ttyACM0"),
                port("/dev/ttyACM1"),
                port("/dev/ttyUSB0"),
            ];
            let open = matching(ports, &selectors(allow), &selectors(deny));
            let paths: Vec<&str> = open.iter().map(|port| port.path.as_str()).collect();
            assert_eq!(paths, expect);
        }
    }

    #[test]
    fn a_listed_port_that_cannot_be_one_is_told_from_one_that_is_not_plugged_in() {
        let dir = tempfile::tempdir().expect("a place");
        let file = dir.path().join("notes");
        std::fs::write(&file, "no board").expect("written");
        let folder = dir.path().display().to_string();
        let rows = [
            ("/dev/null".to_owned(), None),
            (format!("{folder}/notes"), Some("is no serial device")),
            (folder.clone(), Some("is no serial device")),
            (format!("{folder}/ttyACM0"), Some("is not plugged in")),
            ("0403:ffff".to_owned(), Some("is not plugged in")),
        ];
        for (text, want) in rows {
            let selectors: [Selector; 1] = [text.parse().expect("good")];
            let found = matching(scan(&selectors), &selectors, &[]);
            let said = missing(&found, &selectors);
            match want {
                Some(want) => assert_eq!(said, [format!("{text} {want}")]),
                None => assert_eq!(said, [""; 0], "{text}"),
            }
        }
    }

    #[test]
    fn a_link_and_its_target_are_one_port() {
        let dir = tempfile::tempdir().expect("a place");
        std::os::unix::fs::symlink("/dev/null", dir.path().join("table-1")).expect("linked");
        let by_link: Selector = format!("{}/table-*", dir.path().display())
            .parse()
            .expect("good");
        let by_path: Selector = "/dev/null".parse().expect("good");
        let ports: Vec<PortInfo> = scan([&by_link, &by_path])
            .into_iter()
            .filter(|p| p.identity() == "/dev/null")
            .collect();
        assert_eq!(ports.len(), 1, "{ports:?}");
        assert!(by_link.matches(&ports[0]) && by_path.matches(&ports[0]));
    }
}
