//! `/wall` as text: a page for a projector, without scrolling, whose boards turn page by page; after them the scores of the teams.

use protocol::HallBoard;

use super::card::small;
use super::frame::Frame;
use super::page::{Head, Look, Size, Theme, in_address, tables_of, title};
use super::tables::is_by_state;
use super::teams;
use super::words::escape;

/// What a projector was told to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Screen<'a> {
    /// The boards, as they were asked for; empty: all.
    pub boards: &'a str,
    /// The page, from 1.
    pub page: usize,
}

/// The page of a projector with some of these boards, or with the scores of their teams.
pub fn wall_page(head: &Head, boards: &[&HallBoard], look: &Look, screen: &Screen<'_>) -> String {
    let look = Look {
        theme: Some(look.theme.unwrap_or(Theme::Dark)),
        ..look.clone()
    };
    let scores = teams::scores(boards, boards);
    let sheet = Sheet::of(boards.len(), look.large);
    let all_pages = sheet.pages + usize::from(!scores.is_empty());
    let number = screen.page.clamp(1, all_pages);
    let next = number % all_pages + 1;
    let first = ((number - 1) * sheet.each).min(boards.len());
    let shown = &boards[first..boards.len().min(first + sheet.each)];
    let main = match (boards.is_empty(), shown.is_empty()) {
        (true, _) => format!("<p>{}</p>", nothing_to_show(screen.boards)),
        (_, true) => scores,
        _ => grid(shown, look.flip),
    };
    // Boards that are chosen by the state of their games are chosen anew each time.
    let changes = is_by_state(screen.boards) || boards.is_empty();
    let turns = all_pages + usize::from(changes);
    let title = title(head);
    let whole = screen.boards.is_empty() && all_pages == 1;
    let frame = Frame {
        body: format!(
            r#" class="wall" data-turns="{turns}" data-next="{next}" data-columns="{columns}" style="--columns:{columns};--rows:{rows};--type:{}"{}"#,
            letters(sheet.columns),
            tables_of(shown, whole),
            columns = sheet.columns,
            rows = sheet.rows,
        ),
        reload: format!(
            "?page={next}&amp;boards={}{}",
            in_address(screen.boards),
            look.query()
        ),
        part: match all_pages {
            1 => String::new(),
            _ => format!("page {number} of {all_pages}"),
        },
        ..Frame::new(&title, Size::Small, &look)
    };
    frame.page(head, &main)
}

/// How boards are laid out on the pages of a screen.
struct Sheet {
    pages: usize,
    each: usize,
    columns: usize,
    rows: usize,
}

impl Sheet {
    /// As many boards on each page as on the others, in at most two rows.
    fn of(boards: usize, large: bool) -> Sheet {
        let (most_columns, most) = if large { (2, 2) } else { (4, 8) };
        let pages = boards.div_ceil(most).max(1);
        let each = boards.div_ceil(pages).max(1);
        let rows = each.div_ceil(most_columns);
        Sheet {
            pages,
            each,
            columns: each.div_ceil(rows),
            rows,
        }
    }
}

fn grid(shown: &[&HallBoard], flip: bool) -> String {
    let cards: String = shown.iter().map(|b| small(b, flip)).collect();
    format!(r#"<ul class="grid">{cards}</ul>"#)
}

/// The size of letters beside so many boards in a row, in hundredths of the screen's height.
fn letters(columns: usize) -> f32 {
    match columns {
        1 => 3.0,
        2 => 2.4,
        3 => 2.0,
        _ => 1.7,
    }
}

/// Why a projector shows no board.
fn nothing_to_show(boards: &str) -> String {
    match boards {
        "playing" | "scramble" => "No game is being played now.".to_owned(),
        "over" => "No game is over yet.".to_owned(),
        "" => "No tables yet. They appear here when the pairings are imported.".to_owned(),
        list => format!("None of the boards {} is in this round.", escape(list)),
    }
}
