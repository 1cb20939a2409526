//! Cards to print and to put on the tables: the number, the code of the table's page, and the gestures that bind its board.

use std::fmt::Write;

use protocol::TableId;

use super::qr::qr_svg;
use super::words::escape;
use crate::venue::squares_of;

const STYLE: &str = "@page{margin:10mm}body{font:12pt sans-serif;margin:0;display:grid;grid-template-columns:1fr 1fr;gap:6mm}\
section{border:1px dashed #888;padding:6mm;break-inside:avoid}h1{font-size:48pt;margin:0;float:left}\
svg{width:34mm;height:34mm;float:right}p{clear:both;margin:2mm 0}small{color:#444}";

/// A page of cards; `wall` is the address of the wall page: `http://192.168.1.5:8080`.
pub fn cards(tables: impl IntoIterator<Item = TableId>, wall: &str) -> String {
    let mut page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Table cards</title><style>{STYLE}</style></head><body>\n"
    );
    for table in tables {
        card(&mut page, table, wall.trim_end_matches('/'));
    }
    page + "</body></html>\n"
}

fn card(page: &mut String, table: TableId, wall: &str) {
    let address = format!("{wall}/board/{table}");
    let code = qr_svg(&address).unwrap_or_default();
    let kings = squares_of(table).map_or(String::new(), |(white, black)| {
        format!(
            " Or without it: white king on <b>{white}</b>, black king on <b>{black}</b>, for three seconds."
        )
    });
    writeln!(
        page,
        "<section id=\"table-{table}\"><h1>{table}</h1>{code}<p>This board belongs to another table, or to none yet? Set up the pieces, \
         then, when the desk says so, lift the white king for three seconds.{kings} Then put the kings back.</p>\
         <small>{}</small></section>",
        escape(&address)
    )
    .expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_number_code_and_squares() {
        let page = cards([TableId(1), TableId(12)], "http://10.0.0.5:8080/");
        for part in [
            "<h1>12</h1>",
            "QR code of http://10.0.0.5:8080/board/12",
            "white king on <b>a3</b>, black king on <b>b3</b>",
            "lift the white king for three seconds",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        let beyond = cards([TableId(5_000)], "http://<b>");
        assert!(beyond.contains("<h1>5000</h1>") && !beyond.contains("<b>/board"));
        assert!(!beyond.contains("black king"));
    }
}
