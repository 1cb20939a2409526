//! Which families a port may belong to, in the order in which asking harms nobody.

use super::find::{PortInfo, PortPlace};
use crate::devices::{DRIVERS, Driver, PortKind, driver};

/// Listening comes first, the shortest question to the slowest line next. Families that are not here are tried where
/// the USB numbers speak for them or somebody says so.
const SERIAL_ORDER: &[&str] = &["certabo", "dgt", "millennium"];

/// Before these a shared line is called, twice, on ports that are made for one; more than one answer is a bus and stays one.
/// Where nothing is known of the port it is called last.
const BUS: (&str, &str) = ("dgtbus", "dgt");

/// Serial ports of the computer itself.
const BUILT_IN: &str = "/dev/ttyS";
/// Wireless links of single boards.
const WIRELESS: &str = "/dev/rfcomm";

/// The word for "find out".
pub const AUTO: &str = "auto";

/// The families to try on a port, one after the other; `family` is what the configuration says.
pub fn candidates(port: &PortInfo, family: &str) -> Vec<&'static dyn Driver> {
    if family != AUTO {
        return driver(family).into_iter().collect();
    }
    match port.place {
        PortPlace::Reports => others(port, PortKind::Hid).collect(),
        PortPlace::Terminal => serial_order(port),
    }
}

fn serial_order(port: &PortInfo) -> Vec<&'static dyn Driver> {
    let known = |name: &str| SERIAL_ORDER.contains(&name);
    let mut order: Vec<_> = SERIAL_ORDER
        .iter()
        .filter_map(|name| driver(name))
        .collect();
    order.extend(others(port, PortKind::Serial).filter(|driver| !known(driver.family())));
    let before = order.iter().position(|driver| driver.family() == BUS.1);
    if let (Some(bus), Some(before)) = (driver(BUS.0), before) {
        if usb_fits(port, bus) || port.path.starts_with(BUILT_IN) {
            order.insert(before, bus);
        } else if port.usb.is_none() && !port.path.starts_with(WIRELESS) {
            order.push(bus);
        }
    }
    order
}

/// Families the USB numbers speak for.
fn others(port: &PortInfo, kind: PortKind) -> impl Iterator<Item = &'static dyn Driver> {
    let fits = move |driver: &&dyn Driver| driver.about().port == kind && usb_fits(port, *driver);
    DRIVERS.iter().copied().filter(fits)
}

fn usb_fits(port: &PortInfo, driver: &dyn Driver) -> bool {
    let Some(usb) = &port.usb else {
        return false;
    };
    driver
        .about()
        .usb
        .iter()
        .any(|(vendor, product)| *vendor == usb.vendor && product.is_none_or(|p| p == usb.product))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::Usb;

    #[test]
    fn families_are_tried_in_an_order_that_harms_nobody() {
        let port = |place, ids: Option<(u16, u16)>| PortInfo {
            path: "/dev/x".to_owned(),
            target: None,
            place,
            usb: ids.map(|(vendor, product)| Usb {
                vendor,
                product,
                serial: None,
                words: None,
                place: None,
            }),
        };
        use PortPlace::{Reports, Terminal};
        type Row = (
            PortPlace,
            Option<(u16, u16)>,
            &'static str,
            &'static [&'static str],
        );
        let rows: [Row; 9] = [
            (
                Terminal,
                None,
                AUTO,
                &["certabo", "dgt", "millennium", "dgtbus"],
            ),
            (
                Terminal,
                Some((0x10C4, 0xEA60)),
                AUTO,
                &["certabo", "dgt", "millennium"],
            ),
            (
                Terminal,
                Some((0x1A86, 0x7523)),
                AUTO,
                &["certabo", "dgtbus", "dgt", "millennium"],
            ),
            // A Smart Board, and an older board with an FTDI chip.
            (
                Terminal,
                Some((0x045B, 0x8111)),
                AUTO,
                &["certabo", "dgt", "millennium"],
            ),
            (
                Terminal,
                Some((0x0403, 0x6001)),
                AUTO,
                &["certabo", "dgt", "millennium"],
            ),
            (Terminal, None, "ichessone", &["ichessone"]),
            (Terminal, None, "unheard-of", &[]),
            (Reports, Some((0x2D80, 0x8100)), AUTO, &["chessnut"]),
            (Reports, Some((0x0925, 1)), AUTO, &["zmartfun"]),
        ];
        for (place, ids, family, expect) in rows {
            let found = candidates(&port(place, ids), family);
            let names: Vec<&str> = found.iter().map(|driver| driver.family()).collect();
            assert_eq!(names, expect, "{ids:?} {family}");
        }
        let named = |path: &str| PortInfo {
            path: path.to_owned(),
            ..port(Terminal, None)
        };
        let rows: [(&str, &[&str]); 2] = [
            ("/dev/ttyS0", &["certabo", "dgtbus", "dgt", "millennium"]),
            ("/dev/rfcomm0", &["certabo", "dgt", "millennium"]),
        ];
        for (path, expect) in rows {
            let found = candidates(&named(path), AUTO);
            let names: Vec<&str> = found.iter().map(|driver| driver.family()).collect();
            assert_eq!(names, expect, "{path}");
        }
    }
}
