//! Draws what is to be seen now: the screen of this place and size, and what lies over it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{
    alerts, around, devices, help, journal, page, palette, round, small, table, tables, unheard,
};
use crate::app::{App, Overlay, Pane, Place};
use crate::canvas::{Canvas, Drawn};
use crate::dialogs;
use crate::language::t;
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Below this width only one column remains.
pub(super) const SMALL: u16 = 80;
/// From this size on three panes are shown.
pub(super) const LARGE: (u16, u16) = (120, 40);

/// What a screen is drawn with.
pub(super) struct Sheet<'a, 'b> {
    /// The canvas.
    pub(super) canvas: Canvas<'a>,
    /// What is to be shown.
    pub(super) app: &'b App,
    /// Heights of the lists, for scrolling.
    pub(super) heights: Vec<(Pane, usize)>,
}

/// Draws the whole picture.
pub fn draw(app: &App, buffer: &mut Buffer) -> (Drawn, Vec<(Pane, usize)>) {
    let area = buffer.area;
    let mut sheet = Sheet {
        canvas: Canvas::new(buffer, app.look),
        app,
        heights: Vec::new(),
    };
    if area.width < 30 || area.height < 8 {
        let text = t!(app.language, "too small: 40x20 is needed");
        too_small(&mut sheet, area, &text);
    } else if app.curtain {
        curtain(&mut sheet, area);
    } else {
        screen(&mut sheet, area);
        overlay(&mut sheet, area);
    }
    (sheet.canvas.finish(), sheet.heights)
}

fn too_small(sheet: &mut Sheet<'_, '_>, area: Rect, text: &str) {
    let width = usize::from(area.width.max(1));
    for (y, part) in (area.y..area.bottom()).zip(wrap(text, width)) {
        sheet.canvas.put(area.x, y, &part, Tone::Plain);
    }
}

fn screen(sheet: &mut Sheet<'_, '_>, area: Rect) {
    if area.width < SMALL || area.height < 20 {
        small::draw(sheet, area);
    } else {
        match sheet.app.place {
            Place::Tables => tables::draw(sheet, area),
            Place::Table(table) => table::draw(sheet, area, table),
            Place::Alerts => alerts::draw(sheet, area),
            Place::Round => round::draw(sheet, area),
            Place::Devices => devices::draw(sheet, area),
            Place::Journal => journal::draw(sheet, area),
        }
    }
    if sheet.app.is_unheard() {
        let top = if area.width < SMALL { 1 } else { 2 };
        let body = Rect {
            y: area.y + top,
            height: area.height.saturating_sub(top + 1),
            ..area
        };
        unheard::draw(sheet, body);
    }
    around::footer(sheet, area);
    around::trust(sheet, area);
}

fn overlay(sheet: &mut Sheet<'_, '_>, area: Rect) {
    match &sheet.app.overlay {
        None => {}
        Some(Overlay::Dialog(dialog)) => {
            let free = Rect {
                y: area.y + 1,
                height: area.height.saturating_sub(1),
                ..area
            };
            dialogs::draw(&mut sheet.canvas, free, dialog);
        }
        Some(Overlay::Help { all, top }) => help::draw(sheet, area, *all, *top),
        Some(Overlay::Pgn { table, top }) => page::pgn(sheet, area, *table, *top),
        Some(Overlay::Palette(palette)) => palette::draw(sheet, area, palette),
    }
}

/// Nothing of the games: players may stand behind the desk.
fn curtain(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let key = app.keymap.key(crate::action::Action::Curtain);
    let time = words::time_of_day(app.hub_now(), app.zone);
    let text = t!(
        app.language,
        "Zeitnot   {}   {} lifts the curtain",
        time,
        key
    );
    let x = area.width.saturating_sub(sheet.canvas.width(&text)) / 2;
    sheet.canvas.put(x, area.height / 2, &text, Tone::Muted);
    around::trust(sheet, area);
}
