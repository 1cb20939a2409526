//! The screen Table: everything about one game, and what may not be said.

use protocol::{Alert, AlertLife, DeskTable, Played, Side, TableId, TableState};
use ratatui::layout::Rect;
use shakmaty::Square;

use super::draw::Sheet;
use super::{around, log, rows};
use crate::canvas::Canvas;
use crate::dialogs::{result_words, state_words};
use crate::language::{Language, t, word};
use crate::theme::Tone;
use crate::venue::{Shown, Trust, clocks};
use crate::widgets::{self, MoveRow, clock_text, differing, move_squares, wrap};
use crate::words;

/// Columns of the board, of the middle, and where the moves begin.
const MIDDLE: u16 = 24;
const MOVES: u16 = 56;

/// Draws the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect, id: TableId) {
    let app = sheet.app;
    let Some(table) = app.venue.tables.get(&id) else {
        around::head(sheet, area);
        sheet.canvas.put(
            area.x + 2,
            area.y + 3,
            &t!(app.language, "Table {} is not known here.", id),
            Tone::Plain,
        );
        return;
    };
    title(sheet, area, table);
    alert_line(
        sheet,
        Rect {
            y: area.y + 1,
            height: 1,
            ..area
        },
        table,
    );
    let top = Rect {
        y: area.y + 2,
        height: 10,
        ..area
    };
    position(sheet, area.x, top.y, table);
    middle(
        sheet,
        Rect {
            x: area.x + MIDDLE,
            width: MOVES - MIDDLE - 1,
            ..top
        },
        table,
    );
    sheet.canvas.upright(area.x + MOVES, top.y, top.bottom());
    let right = Rect {
        x: area.x + MOVES + 3,
        width: area.width.saturating_sub(MOVES + 3),
        ..top
    };
    moves_and_control(sheet, right, table);
    let mut y = top.bottom();
    y = silence(
        sheet,
        Rect {
            y,
            height: area.height.saturating_sub(13),
            ..area
        },
        table,
    );
    y = reasons(
        sheet,
        Rect {
            y,
            height: area.bottom().saturating_sub(y),
            ..area
        },
    );
    let rest = area.bottom().saturating_sub(y + 1);
    log::draw(
        sheet,
        Rect {
            y,
            height: rest,
            ..area
        },
        table,
    );
}

fn title(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    let l = &sheet.app.language;
    let place = table.place.as_deref();
    let place = place.map_or(String::new(), |place| place_words(l, place));
    let text = format!(
        " ‹ {}{place}{}   {}   {} {}",
        t!(l, "Table {}", sheet.app.venue.number(table.table)),
        standing_apart(l, table),
        t!(l, "Round {}", table.round),
        words::edition(table.edition),
        l.say(words::speed(table.regime.speed))
    );
    let room = around::time(sheet, area).saturating_sub(area.x + 2);
    sheet
        .canvas
        .put_within(area.x, area.y, room, &text, Tone::Strong);
}

/// What sets a game apart from those in play: said before everything that may be cut off.
fn standing_apart(l: &Language, table: &DeskTable) -> String {
    let adjourned = table.state == TableState::Adjourned;
    let words = [
        (adjourned, t!(l, "ADJOURNED")),
        (table.held, t!(l, "KEPT BACK")),
    ];
    let said = words.into_iter().filter(|(holds, _)| *holds);
    said.map(|(_, word)| format!("   {word}")).collect()
}

/// `   Row D seat 9`, or the plan's own words.
fn place_words(l: &Language, place: &str) -> String {
    match crate::venue::seat(place) {
        Some(seat) if seat.seat > 0 => t!(l, "   Row {} seat {}", seat.row, seat.seat),
        Some(seat) => t!(l, "   Row {}", seat.row),
        None => format!("   {}", words::tame(place)),
    }
}

fn alert_line(sheet: &mut Sheet<'_, '_>, line: Rect, table: &DeskTable) {
    let app = sheet.app;
    let at = app.hub_now();
    let Some(alert) = app.subject().alert else {
        let none = t!(app.language, "no alert");
        sheet.canvas.put(line.x + 1, line.y, &none, Tone::Muted);
        return;
    };
    let more = which(app, table.table, alert);
    let ago = t!(
        app.language,
        "{}, {} ago",
        rows::headline(sheet, alert),
        words::age(at.since(alert.since))
    );
    let word = app.language.say(alert.urgency.word());
    let text = format!(" {:2} {word:6} {more}{ago}", alert.urgency.glyph());
    let right = format!("{} {}", alert.article, life(sheet, alert));
    let x = line.right().saturating_sub(sheet.canvas.width(&right) + 1);
    let tone = Tone::from(alert.urgency);
    sheet
        .canvas
        .put_within(line.x, line.y, x.saturating_sub(2), &text, tone);
    sheet.canvas.put(x, line.y, &right, Tone::Plain);
}

/// Which of several alerts of the table is in hand, and the key to the next one.
fn which(app: &crate::app::App, table: TableId, alert: &Alert) -> String {
    let alerts = app.alerts_at(table);
    let at = alerts.iter().position(|a| a.id == alert.id);
    let key = app.keymap.key(crate::action::Action::Down);
    match alerts.len() {
        0 | 1 => String::new(),
        n => t!(
            app.language,
            "({} of {}, {} next) ",
            at.unwrap_or(0) + 1,
            n,
            key
        ),
    }
}

fn life(sheet: &Sheet<'_, '_>, alert: &Alert) -> String {
    match &alert.life {
        AlertLife::New => t!(sheet.app.language, "new"),
        AlertLife::Taken { by, at } => t!(
            sheet.app.language,
            "taken {} {}",
            words::tame(by),
            words::time_of_day(*at, sheet.app.zone)
        ),
        AlertLife::Closed { why, .. } => words::tame(sheet.app.language.say(why)),
    }
}

/// The board with the last move in brackets; with evidence asked for, what stands on it and where that differs.
pub(super) fn position(sheet: &mut Sheet<'_, '_>, x: u16, y: u16, table: &DeskTable) {
    let (placement, marked): (_, Vec<Square>) = match (&table.board, sheet.app.evidence) {
        (Some(board), true) => (board, differing(&table.position, board)),
        _ => (
            &table.position,
            table.record.last().map_or(Vec::new(), move_squares),
        ),
    };
    widgets::board(&mut sheet.canvas, x, y, placement, &marked);
}

fn middle(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    let line = |y: u16| Rect {
        y: area.y + y,
        height: 1,
        ..area
    };
    player(sheet, line(0), table, Side::Black);
    clock(sheet, line(1), table, Side::Black);
    rule(&mut sheet.canvas, line(2));
    for (row, (text, tone)) in state_lines(sheet, table).into_iter().enumerate() {
        let y = area.y + 3 + u16::try_from(row).unwrap_or(0);
        sheet.canvas.put_within(area.x, y, area.width, &text, tone);
    }
    rule(&mut sheet.canvas, line(7));
    clock(sheet, line(8), table, Side::White);
    player(sheet, line(9), table, Side::White);
}

fn rule(canvas: &mut Canvas<'_>, line: Rect) {
    for x in line.x..line.right().saturating_sub(1) {
        canvas.put_within(x, line.y, 1, "─", Tone::Muted);
    }
}

/// Name and rating of a player.
pub(super) fn player(sheet: &mut Sheet<'_, '_>, line: Rect, table: &DeskTable, side: Side) {
    let player = table.players.get(side);
    let title = player
        .title
        .as_deref()
        .map_or(String::new(), |t| format!("{t} "));
    let rating = player.rating.map_or(String::new(), |r| r.to_string());
    let text = format!(
        "{}  {}{}",
        sheet.app.language.say(side.word()),
        words::tame(&title),
        words::tame(&player.name)
    );
    let room = line.width.saturating_sub(6);
    sheet
        .canvas
        .put_within(line.x, line.y, room, &text, Tone::Plain);
    sheet
        .canvas
        .put_right(line.right().saturating_sub(1), line.y, &rating, Tone::Muted);
}

/// The clock of a player.
pub(super) fn clock(sheet: &mut Sheet<'_, '_>, line: Rect, table: &DeskTable, side: Side) {
    let live = sheet.app.trust() == Trust::Live;
    let Some(both) = clocks(table, sheet.app.hub_now(), live) else {
        let none = t!(sheet.app.language, "no clock");
        sheet
            .canvas
            .put_within(line.x, line.y, line.width, &none, Tone::Muted);
        return;
    };
    let shown: Shown = *both.get(side);
    let tone = match (shown.flag, shown.runs) {
        (true, _) => Tone::Call,
        (_, true) => Tone::Strong,
        _ => Tone::Plain,
    };
    sheet.canvas.put_within(
        line.x,
        line.y,
        line.width,
        &clock_text(&sheet.app.language, shown),
        tone,
    );
}

/// Four lines: who has the move, what is open about the last one, record and board, repetitions.
pub(super) fn state_lines(sheet: &Sheet<'_, '_>, table: &DeskTable) -> Vec<(String, Tone)> {
    let l = &sheet.app.language;
    let ply = match sheet.app.is_masked() {
        true => t!(l, "ply –"),
        false => t!(l, "ply {}", table.record.len()),
    };
    let first = match table.standing {
        Some(s) => format!(
            "{}  {}  {}",
            result_words(s.result),
            l.say(s.how.words()),
            l.say(state_words(s.state))
        ),
        None if table.state == TableState::Waiting => t!(l, "not begun"),
        None => t!(l, "{} has the move    {}", l.say(table.turn.word()), ply),
    };
    let repeated = t!(
        l,
        "repetitions {}   no-progress {}",
        table.repetitions,
        table.quiet_plies
    );
    vec![
        (first, Tone::Strong),
        (last_move(sheet, table), Tone::Plain),
        record(sheet, table),
        (repeated, Tone::Plain),
    ]
}

/// Whether the record is what stands on the board, as far as a board is read.
fn record(sheet: &Sheet<'_, '_>, table: &DeskTable) -> (String, Tone) {
    let l = &sheet.app.language;
    match &table.board {
        _ if table.device_info.is_none() => (t!(l, "no board is read"), Tone::Tech),
        _ if table.state == TableState::Out => {
            let heard = table.heard.map_or_else(
                || t!(l, "never"),
                |at| words::time_of_day(at, sheet.app.zone),
            );
            (t!(l, "board silent, heard {}", heard), Tone::Tech)
        }
        None => (t!(l, "record = board    yes"), Tone::Plain),
        Some(board) => {
            let squares = differing(&table.position, board);
            let names: Vec<String> = squares.iter().take(6).map(ToString::to_string).collect();
            (t!(l, "record ≠ board  {}", names.join(" ")), Tone::Tech)
        }
    }
}

fn last_move(sheet: &Sheet<'_, '_>, table: &DeskTable) -> String {
    let Some(ply) = table.record.last() else {
        return t!(sheet.app.language, "no move yet");
    };
    let index = table.record.len() - 1;
    let number = words::move_number(u32::try_from(index + 1).unwrap_or(u32::MAX));
    let text = widgets::ply_text(table, index, &sheet.app.reader());
    let state = match (&ply.played, ply.completed_at, ply.settled) {
        (Played::Irregular { .. }, ..) => word!("no legal move"),
        (_, None, _) => word!("made, not completed"),
        (_, Some(_), false) => word!("completed, not settled"),
        (_, Some(_), true) => word!("completed"),
    };
    let state = sheet.app.language.say(state);
    format!("{number} {text} {state}")
}

fn moves_and_control(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    let control = table.to_control.filter(|_| !sheet.app.is_masked());
    let rows = match (control, table.to_control) {
        (Some(control), _) => {
            let l = &sheet.app.language;
            let text = t!(l, "White {}  Black {}", control.white, control.black);
            let lines = [t!(l, "to control"), text, t!(l, "(your eyes only)")];
            for (row, text) in lines.iter().enumerate() {
                let y = area.bottom().saturating_sub(3) + u16::try_from(row).unwrap_or(0);
                sheet.canvas.put(area.x, y, text, Tone::Muted);
            }
            area.height.saturating_sub(4)
        }
        (None, Some(_)) => {
            sheet.canvas.put(
                area.x,
                area.bottom().saturating_sub(1),
                &t!(sheet.app.language, "to control (masked)"),
                Tone::Muted,
            );
            area.height.saturating_sub(2)
        }
        (None, None) => area.height,
    };
    let list = Rect {
        height: rows,
        ..area
    };
    moves(sheet, list, table);
}

/// The end of the movetext, in as many columns as fit.
pub(super) fn moves(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    let rows = widgets::move_rows(table, &sheet.app.reader());
    if area.height == 0 {
        return;
    }
    let columns = (area.width / 20).max(1);
    let shown = usize::from(columns * area.height);
    let first = rows.len().saturating_sub(shown);
    for (index, row) in rows.iter().skip(first).enumerate() {
        let index = u16::try_from(index).unwrap_or(0);
        let (column, line) = (index / area.height, index % area.height);
        let cell = Rect {
            x: area.x + column * 20,
            y: area.y + line,
            width: 20.min(area.width),
            height: 1,
        };
        move_row(sheet, cell, row);
    }
}

fn move_row(sheet: &mut Sheet<'_, '_>, cell: Rect, row: &MoveRow) {
    let canvas = &mut sheet.canvas;
    canvas.put_right(cell.x + 3, cell.y, &row.number, Tone::Muted);
    let (mut white, mut black) = (row.white.clone(), row.black.clone());
    if row.last {
        let end = if black.is_empty() {
            &mut white
        } else {
            &mut black
        };
        end.push_str(" ◂");
    }
    let x = cell.x + 4;
    let wide = canvas.width(&white).max(7);
    canvas.put_within(
        x,
        cell.y,
        cell.right().saturating_sub(x),
        &white,
        Tone::Plain,
    );
    let x = x + wide + 1;
    canvas.put_within(
        x,
        cell.y,
        cell.right().saturating_sub(x),
        &black,
        Tone::Plain,
    );
}

fn silence(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) -> u16 {
    let year = words::year(table.edition);
    let article = match table.silence_article.as_str() {
        "" => String::new(),
        article => format!("{} ({year})", words::tame(article)),
    };
    sheet.canvas.heading(
        area,
        area.y,
        &t!(sheet.app.language, "May not be said"),
        &article,
    );
    let text = match table.silence.is_empty() {
        true => t!(
            sheet.app.language,
            "the hub names nothing; still, say nothing unasked"
        ),
        false => words::silence(table, " · "),
    };
    let lines = wrap(&text, usize::from(area.width.saturating_sub(4)));
    let most = usize::from(area.height / 3).clamp(2, 4);
    let mut y = area.y + 1;
    for line in lines.iter().take(most) {
        sheet.canvas.put(area.x + 2, y, line, Tone::Plain);
        y += 1;
    }
    y
}

/// On tall terminals, or when evidence is asked for: why the alert is here and what is proposed.
fn reasons(sheet: &mut Sheet<'_, '_>, area: Rect) -> u16 {
    let app = sheet.app;
    let wanted = area.height >= 20 || app.evidence;
    let (Some(alert), true) = (app.subject().alert, wanted) else {
        return area.y;
    };
    let id = alert.id.clone();
    super::alerts::why(
        sheet,
        Rect {
            height: area.height / 2,
            ..area
        },
        &id,
    )
}
