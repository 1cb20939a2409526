//! The palette: what is typed, and what it offers.

use ratatui::layout::Rect;

use super::draw::Sheet;
use crate::app::{Offer, Palette};
use crate::language::{t, word};
use crate::theme::Tone;

/// Draws the palette over the top of the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect, palette: &Palette) {
    let offers = sheet.app.offers(&palette.text);
    let width = area.width.min(79);
    let rows = u16::try_from(offers.len().max(1)).unwrap_or(1);
    let frame = Rect {
        x: area.x + (area.width.saturating_sub(width)) / 2,
        y: area.y + 2,
        width,
        height: (rows + 3).min(area.height.saturating_sub(3)),
    };
    sheet.canvas.cover();
    sheet.canvas.frame(frame, ":");
    let text = format!(": {}", palette.text);
    let end = sheet
        .canvas
        .put_within(frame.x + 2, frame.y + 1, width - 4, &text, Tone::Strong);
    let hint = t!(
        sheet.app.language,
        "esc closes · tab completes · enter does it"
    );
    sheet.canvas.put_right(
        frame.right().saturating_sub(2),
        frame.bottom().saturating_sub(1),
        &format!(" {hint} "),
        Tone::Muted,
    );
    if offers.is_empty() {
        let examples = word!(
            "42 · alerts call · time 42 black +2:00 7.5.5 · add-time 2m 4 7 · result 55 draw agreed"
        );
        let examples = sheet.app.language.say(examples);
        sheet
            .canvas
            .put_within(frame.x + 4, frame.y + 2, width - 6, examples, Tone::Muted);
    }
    for (row, offer) in offers.iter().enumerate() {
        let y = frame.y + 2 + u16::try_from(row).unwrap_or(0);
        if y + 1 < frame.bottom() {
            let line = Rect {
                x: frame.x + 1,
                y,
                width: width - 2,
                height: 1,
            };
            self::offer(sheet, line, offer, row == palette.at);
        }
    }
    sheet.canvas.cursor(end, frame.y + 1);
}

fn offer(sheet: &mut Sheet<'_, '_>, line: Rect, offer: &Offer, chosen: bool) {
    let mark = if chosen { "▸" } else { " " };
    let tone = if chosen { Tone::Strong } else { Tone::Plain };
    let narrow = line.width < 60;
    let name = if narrow { 20 } else { 24 };
    sheet.canvas.put_within(
        line.x + 1,
        line.y,
        name,
        &format!("{mark} {}", offer.name),
        tone,
    );
    let keys = sheet.canvas.put_right(
        line.right().saturating_sub(1),
        line.y,
        &offer.keys,
        Tone::Muted,
    );
    let x = line.x + name + 2;
    let room = keys.saturating_sub(x + 1);
    sheet
        .canvas
        .put_within(x, line.y, room, &offer.help, Tone::Muted);
}
