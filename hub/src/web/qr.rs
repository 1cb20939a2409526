//! A QR code as SVG, so that a telephone finds the page that a projector shows.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// More does not fit a code that can be read across a room.
const LONGEST: usize = 200;

/// The code of an address, none when it is too long; black on white in every theme, with its quiet zone.
pub(super) fn qr_svg(address: &str) -> Option<String> {
    let short = address.len() <= LONGEST;
    let code = short
        .then(|| QrCode::encode_text(address, QrCodeEcc::Medium).ok())
        .flatten()?;
    let side = code.size() + 8;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            write!(path, "M{} {}h1v1h-1z", x + 4, y + 4).expect("a string takes everything");
        }
    }
    Some(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" role="img" aria-label="QR code of {}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path fill="#000" d="{path}"/></svg>"##,
        super::words::escape(address)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_code_and_too_much_has_none() {
        let svg = qr_svg("http://10.0.0.5:8080/").expect("short");
        assert!(
            svg.contains("QR code of http://10.0.0.5:8080/") && svg.matches("h1v1").count() > 100
        );
        assert_eq!(qr_svg(&"x".repeat(201)), None);
        assert!(!qr_svg("<\">").expect("short").contains("<\">"));
    }
}
