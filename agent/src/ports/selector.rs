//! How people name a port: a path, a path with `*`, or the USB numbers of what is plugged in.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::find::{PortInfo, Usb};

/// A name for one port or several: `/dev/ttyACM0`, `/dev/ttyACM*`, `0403:6001`, `0403:6001:A1B2C3`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Selector {
    /// A path; `*` stands for any letters, `?` for one, neither for `/`.
    Path(String),
    /// Vendor and product, and the serial number when it matters (`*` is any).
    Usb {
        /// Vendor id.
        vendor: u16,
        /// Product id.
        product: u16,
        /// Serial number of the USB device.
        serial: Option<String>,
    },
}

/// A text that names no port.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "A10 {0:?} names no port · help: write /dev/ttyACM0, /dev/ttyACM*, VID:PID or VID:PID:SERIAL (hexadecimal)"
)]
pub struct SelectorError(pub String);

impl Selector {
    /// Whether the port is meant.
    pub fn matches(&self, port: &PortInfo) -> bool {
        match self {
            Selector::Path(pattern) => port
                .names()
                .any(|name| glob(pattern.as_bytes(), name.as_bytes())),
            Selector::Usb {
                vendor,
                product,
                serial,
            } => port
                .usb
                .as_ref()
                .is_some_and(|usb| usb_matches(usb, (*vendor, *product), serial.as_deref())),
        }
    }

    /// Whether the path itself is meant, wherever it leads.
    pub fn names(&self, path: &Path) -> bool {
        let Selector::Path(pattern) = self else {
            return false;
        };
        let path = path.to_str();
        path.is_some_and(|path| glob(pattern.as_bytes(), path.as_bytes()))
    }

    /// The folder whose entries may match, for a path.
    pub fn folder(&self) -> Option<&str> {
        match self {
            Selector::Path(pattern) => Some(pattern.rsplit_once('/')?.0),
            Selector::Usb { .. } => None,
        }
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Selector, SelectorError> {
        let fail = || SelectorError(text.chars().take(120).collect());
        if text.contains('/') {
            return Ok(Selector::Path(text.to_owned()));
        }
        if text.ends_with(':') {
            return Err(fail());
        }
        let mut parts = text.splitn(3, ':');
        let mut number = || {
            let part = parts.next().filter(|part| (1..=4).contains(&part.len()));
            part.and_then(|part| u16::from_str_radix(part, 16).ok())
                .ok_or_else(fail)
        };
        Ok(Selector::Usb {
            vendor: number()?,
            product: number()?,
            serial: parts
                .next()
                .map(str::to_owned)
                .filter(|serial| serial != "*"),
        })
    }
}

impl TryFrom<String> for Selector {
    type Error = SelectorError;

    fn try_from(text: String) -> Result<Selector, SelectorError> {
        text.parse()
    }
}

impl From<Selector> for String {
    fn from(selector: Selector) -> String {
        selector.to_string()
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Path(pattern) => f.write_str(pattern),
            Selector::Usb {
                vendor,
                product,
                serial,
            } => {
                write!(f, "{vendor:04x}:{product:04x}")?;
                serial.iter().try_for_each(|serial| write!(f, ":{serial}"))
            }
        }
    }
}

fn usb_matches(usb: &Usb, (vendor, product): (u16, u16), serial: Option<&str>) -> bool {
    usb.vendor == vendor
        && usb.product == product
        && serial.is_none_or(|wanted| usb.serial.as_deref() == Some(wanted))
}

/// Matches in one pass with one way back: no pattern costs more than its length times the name's.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p + 1, n));
                p += 1;
            }
            Some(&c) if c == name[n] || (c == b'?' && name[n] != b'/') => (p, n) = (p + 1, n + 1),
            _ => match back {
                Some((after, from)) if name[from] != b'/' => {
                    back = Some((after, from + 1));
                    (p, n) = (after, from + 1);
                }
                _ => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port() -> PortInfo {
        PortInfo {
            place: Default::default(),
            path: "/dev/ttyUSB3".to_owned(),
            target: None,
            usb: Some(Usb {
                vendor: 0x0403,
                product: 0x6001,
                serial: Some("A10".to_owned()),
                words: None,
                place: None,
            }),
        }
    }

    #[test]
    fn selectors_mean_what_they_say() {
        let rows = [
            ("/dev/ttyUSB3", true),
            ("/dev/ttyUSB*", true),
            ("/dev/tty*3", true),
            ("/dev/ttyUSB?", true),
            ("/dev/*USB*3*", true),
            ("/dev/ttyUSB", false),
            ("/dev/ttyACM*", false),
            ("/*", false),
            ("/*/*", true),
            ("0403:6001", true),
            ("403:6001:*", true),
            ("0403:6001:A10", true),
            ("0403:6001:A11", false),
            ("04d8:000a", false),
        ];
        for (text, expect) in rows {
            let selector: Selector = text.parse().expect(text);
            assert_eq!(selector.matches(&port()), expect, "{text}");
            assert_eq!(
                selector.to_string().parse::<Selector>().expect("own words"),
                selector
            );
        }
    }

    #[test]
    fn what_names_no_port_is_refused() {
        for text in [
            "",
            "ttyUSB0",
            "COM3",
            "0403",
            "0403:",
            "zzzz:0001",
            "12345:1",
            ":::",
        ] {
            assert!(text.parse::<Selector>().is_err(), "{text}");
        }
    }
}
