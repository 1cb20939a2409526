//! A verdict as a page for a case file: the sentence with its article, the moves, and a board after each of them.
//!
//! The page is one file without scripts: each move of the line leads to the board after it, and the boards can be gone through one by
//! one. Of a closed position the squares are marked that the men of the side asked about can reach.

use std::fmt::Write;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, fen::Fen};

use super::{
    picture,
    verdict::Verdict,
    words::{Explanation, Occasion, explain},
};

const STYLE: &str = "body{font-family:sans-serif;margin:1em;max-width:60em}\
.boards{display:flex;overflow-x:auto;scroll-snap-type:x mandatory;gap:1em}\
.boards figure{flex:0 0 auto;width:24em;margin:0;scroll-snap-align:start}\
figcaption{font-weight:bold;padding:.3em}";

/// The whole page.
pub fn page(pos: &Chess, winner: Color, verdict: &Verdict, occasion: Occasion) -> String {
    let told = explain(pos, winner, verdict, occasion);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Article {0}</title><style>{STYLE}</style></head>\n<body>\n",
        told.article
    );
    page.push_str(&section(pos, &told, "move"));
    page.push_str("</body>\n</html>\n");
    page
}

/// A page of several tables: for each a heading, the game as text, and what was found about each side.
pub fn case_file(cases: &[Case]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Case file</title><style>{STYLE}</style></head>\n<body>\n"
    );
    for (nth, case) in cases.iter().enumerate() {
        let _ = write!(
            page,
            "<h1>{}</h1>\n<pre>{}</pre>\n",
            escaped(&case.heading),
            escaped(&case.game)
        );
        for (winner, found) in &case.found {
            let told = explain(&case.position, *winner, found, Occasion::FlagFall);
            let name = format!("case-{nth}-{}", winner.char());
            page.push_str(&section(&case.position, &told, &name));
        }
    }
    page.push_str("</body>\n</html>\n");
    page
}

/// One table of a case file.
#[derive(Clone, Debug)]
pub struct Case {
    /// Table, round and players.
    pub heading: String,
    /// The record as it stands.
    pub game: String,
    /// The last position.
    pub position: Chess,
    /// Whether each side can mate from there; nothing where that cannot be asked.
    pub found: Vec<(Color, Verdict)>,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn section(pos: &Chess, told: &Explanation, name: &str) -> String {
    let fen = Fen::from_position(pos, EnPassantMode::Legal);
    let mut section = format!(
        "<h2>Article {}</h2>\n<p class=\"verdict\">{}.</p>\n<p><code>{fen}</code></p>\n",
        told.article, told.sentence
    );
    if !told.line.is_empty() {
        section.push_str("<p class=\"line\">");
        for (i, san) in told.line.iter().enumerate() {
            let _ = write!(section, "<a href=\"#{name}-{}\">{san}</a> ", i + 1);
        }
        section.push_str("</p>\n");
    }
    if !told.marked.is_empty() {
        section.push_str("<p>Marked: where the men spoken of can go.</p>\n");
    }
    section.push_str("<div class=\"boards\">\n");
    figure(
        &mut section,
        &format!("{name}-0"),
        "The position",
        pos,
        told.marked,
    );
    for (i, (now, san)) in positions(pos, &told.moves).zip(&told.line).enumerate() {
        figure(
            &mut section,
            &format!("{name}-{}", i + 1),
            san,
            &now,
            last_squares(told.moves[i]),
        );
    }
    section.push_str("</div>\n");
    section
}

fn positions(pos: &Chess, moves: &[Move]) -> impl Iterator<Item = Chess> {
    moves.iter().scan(pos.clone(), |at, &m| {
        at.play_unchecked(m);
        Some(at.clone())
    })
}

fn last_squares(m: Move) -> Bitboard {
    let from = m.from().map_or(Bitboard::EMPTY, Bitboard::from_square);
    from.with(m.to())
}

fn figure(page: &mut String, id: &str, caption: &str, pos: &Chess, marked: Bitboard) {
    let _ = write!(
        page,
        "<figure id=\"{id}\"><figcaption>{caption}</figcaption>\n{}</figure>\n",
        picture::svg(pos.board(), marked)
    );
}

/// The same for a terminal: the sentence, the board, the moves; with `boards` a board after each move too.
pub fn text(
    pos: &Chess,
    winner: Color,
    verdict: &Verdict,
    occasion: Occasion,
    boards: bool,
) -> String {
    let told = explain(pos, winner, verdict, occasion);
    let mut text = format!("{} (Article {})\n\n", told.sentence, told.article);
    text.push_str(&picture::text(pos.board(), told.marked));
    if told.marked.any() {
        text.push_str("\n[ ] marked: where the men spoken of can go\n");
    }
    if !told.line.is_empty() {
        let _ = write!(text, "\n{}\n", told.line.join(" "));
    }
    if boards {
        for (i, (now, san)) in positions(pos, &told.moves).zip(&told.line).enumerate() {
            let squares = last_squares(told.moves[i]);
            let _ = write!(text, "\n{san}\n{}", picture::text(now.board(), squares));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::{Budget, position_from_fen, verdict};

    fn ask(fen: &str, winner: Color) -> (Chess, Verdict) {
        let pos = position_from_fen(fen).expect("a position");
        let mut never = || false;
        let found = verdict(&pos, winner, &mut Budget::new(50_000, &mut never));
        (pos, found)
    }

    #[test]
    fn art_6_9_the_page_has_a_board_after_every_move() {
        let rows = [
            ("4k3/8/8/8/8/8/8/4KQ2 b - - 3 41", "White can mate"),
            ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", "forced: after 1...Kxg7"),
        ];
        for (fen, words) in rows {
            let (pos, found) = ask(fen, Color::White);
            let page = page(&pos, Color::White, &found, Occasion::FlagFall);
            let boards = page.matches("<svg").count();
            assert!(boards > 1, "{fen}");
            assert_eq!(boards, page.matches("<a href=").count() + 1, "{fen}");
            assert_eq!(boards, page.matches("id=\"move-").count(), "{fen}");
            assert!(page.contains("Article 6.9"), "{page}");
            assert!(page.contains(words), "{page}");
            let text = text(&pos, Color::White, &found, Occasion::FlagFall, true);
            assert_eq!(text.matches("   a  b  c  d").count(), boards, "{fen}");
            assert!(text.trim_end().ends_with("h"), "{text}");
        }
    }

    #[test]
    fn art_5_2_2_the_page_of_a_closed_position_marks_squares() {
        let wall = "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1";
        let (pos, found) = ask(wall, Color::White);
        let page = page(&pos, Color::White, &found, Occasion::DeadPosition);
        assert_eq!(page.matches("<svg").count(), 1);
        assert!(
            page.contains("closed position") && page.contains("Marked"),
            "{page}"
        );
        let text = text(&pos, Color::White, &found, Occasion::DeadPosition, false);
        assert!(text.contains("[B]"), "{text}");
    }
}
