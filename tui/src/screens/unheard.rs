//! What stands in place of the hall while no hub has told of it: why it is not heard, and what helps.

use ratatui::layout::Rect;

use super::draw::Sheet;
use crate::app::App;
use crate::language::t;
use crate::message::Link;
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Draws it between the two lines at the top and the footer.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let l = &app.language;
    let lines = [
        (t!(l, "The hub has not been heard yet."), Tone::Strong),
        (why(app), Tone::Call),
        (
            t!(
                l,
                "It is tried again by itself. zeitnot doctor looks at everything; {} ends.",
                app.keymap.key(crate::action::Action::Quit)
            ),
            Tone::Plain,
        ),
    ];
    sheet.canvas.clear(area);
    let mut y = area.y + 1;
    for (text, tone) in lines {
        for part in wrap(&text, usize::from(area.width.saturating_sub(4))) {
            if y < area.bottom() {
                sheet.canvas.put(area.x + 2, y, &part, tone);
            }
            y += 1;
        }
        y += 1;
    }
}

fn why(app: &App) -> String {
    let l = &app.language;
    match (&app.venue.foreign, &app.venue.link) {
        (Some(why), _) => t!(l, "The hub there speaks otherwise: {}", words::tame(why)),
        (None, Link::Connecting) => t!(l, "The line is being opened."),
        (None, Link::Down(why)) => words::tame(why),
        (None, Link::Up) => t!(
            l,
            "A broker answers, but no hub speaks in this venue: does zeitnot-hub run, and is --venue its name?"
        ),
    }
}
