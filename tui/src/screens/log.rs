//! The log of a table, newest first.

use protocol::{DeskTable, LogLine};
use ratatui::layout::Rect;

use super::draw::Sheet;
use crate::language::{t, word};
use crate::theme::Tone;
use crate::words;

/// Draws the heading and as many lines as fit.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    if area.height == 0 {
        return;
    }
    let app = sheet.app;
    let kind = app
        .language
        .say(app.log_kind.unwrap_or(word!("everything")));
    let key = app.keymap.key(crate::action::Action::LogFilter);
    let order = t!(app.language, "newest first · {} {}", key, kind);
    let title = t!(app.language, "Log");
    sheet.canvas.heading(area, area.y, &title, &order);
    let fits = |line: &&LogLine| app.log_kind.is_none_or(|kind| line.kind == kind);
    let lines = table.log.iter().rev().filter(fits);
    if lines.clone().next().is_none() && app.log_kind.is_some() && area.height > 1 {
        let none = t!(app.language, "no line of this kind");
        sheet.canvas.put(area.x + 2, area.y + 1, &none, Tone::Muted);
    }
    for (row, line) in lines
        .take(usize::from(area.height.saturating_sub(1)))
        .enumerate()
    {
        let y = area.y + 1 + u16::try_from(row).unwrap_or(0);
        self::line(
            sheet,
            Rect {
                y,
                height: 1,
                ..area
            },
            line,
        );
    }
}

/// Where a line is from; the ruling that can be taken back says by which key.
fn source(sheet: &Sheet<'_, '_>, line: &LogLine) -> String {
    let app = sheet.app;
    let source = words::tame(&line.source);
    let last = app.ruling_to_counter().filter(|_| line.kind == "ruling");
    match last.is_some_and(|ruling| ruling.line.at == line.at) {
        true => {
            let key = app.keymap.key(crate::action::Action::Counter);
            format!("{source}  {}", t!(app.language, "{} undoes", key))
        }
        false => source,
    }
}

fn line(sheet: &mut Sheet<'_, '_>, area: Rect, line: &LogLine) {
    let zone = sheet.app.zone;
    let wide = area.width >= 60;
    let time = match wide {
        true => words::exact_time(line.at, zone),
        false => words::time_of_day(line.at, zone),
    };
    let tone = match line.kind.as_str() {
        "ruling" | "result" => Tone::Strong,
        _ => Tone::Plain,
    };
    let x = sheet.canvas.put(area.x + 2, area.y, &time, Tone::Muted) + 2;
    let x = match wide {
        true => {
            sheet.canvas.put_within(
                x,
                area.y,
                9,
                &words::tame(sheet.app.language.say(&line.kind)),
                tone,
            );
            x + 10
        }
        false => x,
    };
    let source = source(sheet, line);
    let width = sheet.canvas.width(&source).min(22);
    let room = area.right().saturating_sub(x + 1);
    let room = if wide && width > 0 {
        room.saturating_sub(width + 2)
    } else {
        room
    };
    sheet
        .canvas
        .put_within(x, area.y, room, &words::tame(&line.words), tone);
    if wide {
        sheet.canvas.put_within(
            area.right().saturating_sub(width + 1),
            area.y,
            width,
            &source,
            Tone::Muted,
        );
    }
}
