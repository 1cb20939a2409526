//! The screen Round: results, what is not confirmed, illegal moves, what stands before the next round.

use protocol::{FeedHealth, FeedState, ResultState, TableResult};
use ratatui::layout::Rect;

use super::around;
use super::draw::Sheet;
use crate::app::{App, Pane};
use crate::canvas::Hit;
use crate::dialogs::{result_words, state_words};
use crate::theme::Tone;
use crate::words;

/// Draws the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    around::head(sheet, area);
    let body = Rect {
        y: area.y + 2,
        height: area.height.saturating_sub(3),
        ..area
    };
    heading(sheet, body);
    columns(
        sheet,
        Rect {
            y: body.y + 1,
            height: 1,
            ..body
        },
    );
    let below = notes(sheet);
    let height = body
        .height
        .saturating_sub(2 + u16::try_from(below.len()).unwrap_or(0))
        .max(3);
    let list = Rect {
        y: body.y + 2,
        height,
        ..body
    };
    self::list(sheet, list);
    for (y, (head, text, right)) in (list.bottom()..body.bottom()).zip(below) {
        if head {
            sheet.canvas.heading(body, y, &text, &right);
        } else {
            let room = body.width.saturating_sub(3);
            sheet
                .canvas
                .put_within(body.x + 2, y, room, &text, Tone::Plain);
        }
    }
}

fn heading(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let round = app.shown_round();
    let results = round.tables.iter().filter(|t| is_final(t)).count();
    let began = round.starts.map_or(String::new(), |at| {
        format!("began {} · ", words::hour_minute(at, app.zone))
    });
    let right = format!(
        "{began}default time {} · {} · {}",
        words::age(round.default_ms),
        words::count(round.tables.len(), "game"),
        words::count(results, "result")
    );
    sheet.canvas.heading(area, area.y, &title(app), &right);
}

/// Which round it is, and how to come to others.
fn title(app: &App) -> String {
    let round = app.shown_round().round;
    let (back, on) = (
        app.keymap.key(crate::action::Action::Left),
        app.keymap.key(crate::action::Action::Right),
    );
    match (app.looked_back, app.venue.earlier().next()) {
        (Some(_), _) => format!("Round {round}, over   {back} {on} other rounds"),
        (None, Some(_)) => format!("Round {round}   {back} earlier"),
        (None, None) => format!("Round {round}"),
    }
}

fn is_final(line: &TableResult) -> bool {
    line.standing
        .is_some_and(|s| s.state != ResultState::Proposed)
}

/// Below this width a game is one short line.
const WIDE: u16 = 76;
const WHITE: u16 = 8;
const RESULT: u16 = 31;
const BLACK: u16 = 41;
const HOW: u16 = 62;

fn columns(sheet: &mut Sheet<'_, '_>, line: Rect) {
    if line.width < WIDE {
        let text = " Table White – Black    Result";
        sheet.canvas.put(line.x, line.y, text, Tone::Muted);
        return;
    }
    let names = [
        (1, "Table"),
        (WHITE, "White"),
        (RESULT, "Result"),
        (BLACK, "Black"),
    ];
    for (x, name) in names {
        sheet.canvas.put(line.x + x, line.y, name, Tone::Muted);
    }
    sheet.canvas.put(line.x + HOW, line.y, "How", Tone::Muted);
    sheet.canvas.put_right(
        line.right().saturating_sub(1),
        line.y,
        "Sheets",
        Tone::Muted,
    );
}

fn list(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let height = usize::from(area.height);
    sheet.heights.push((Pane::Round, height));
    let roster = &app.lists.round;
    let top = roster.window(height);
    for (row, table) in roster.order().iter().enumerate().skip(top).take(height) {
        let Some(line) = app.shown_round().tables.iter().find(|t| t.table == *table) else {
            continue;
        };
        let y = area.y + u16::try_from(row - top).unwrap_or(0);
        let rect = Rect {
            y,
            height: 1,
            ..area
        };
        self::line(sheet, rect, line, roster.selected() == Some(table));
        sheet.canvas.hit(rect, Hit::Line(Pane::Round as usize, row));
    }
    if roster.order().is_empty() {
        sheet
            .canvas
            .put(area.x + 2, area.y, "no pairings yet", Tone::Muted);
    }
}

fn line(sheet: &mut Sheet<'_, '_>, rect: Rect, line: &TableResult, selected: bool) {
    match rect.width < WIDE {
        true => short_line(sheet, rect, line, selected),
        false => wide_line(sheet, rect, line, selected),
    }
    if selected {
        sheet.canvas.select(rect);
    }
}

fn short_line(sheet: &mut Sheet<'_, '_>, rect: Rect, line: &TableResult, selected: bool) {
    let number = sheet.app.venue.number(line.table);
    let mark = if selected { "▸" } else { " " };
    let last = |name: &str| words::tame(name.split(',').next().unwrap_or(name));
    let (white, black) = (
        last(&line.players.white.name),
        last(&line.players.black.name),
    );
    let text = format!("{mark}{number}  {white} – {black}");
    let (result, how, tone) = told(line);
    let result = format!("{result} {how}");
    let room = rect.width.saturating_sub(16);
    sheet
        .canvas
        .put_within(rect.x, rect.y, room, &text, Tone::Plain);
    sheet
        .canvas
        .put_within(rect.x + room + 1, rect.y, 15, &result, tone);
}

fn wide_line(sheet: &mut Sheet<'_, '_>, rect: Rect, line: &TableResult, selected: bool) {
    let number = sheet.app.venue.number(line.table);
    let mark = if selected { "▸" } else { " " };
    let canvas = &mut sheet.canvas;
    canvas.put(rect.x, rect.y, &format!("{mark} {number}"), Tone::Plain);
    for (x, player) in [(WHITE, &line.players.white), (BLACK, &line.players.black)] {
        let name = words::tame(&player.name);
        canvas.put_within(rect.x + x, rect.y, 16, &name, Tone::Plain);
        let rating = player.rating.map_or(String::new(), |r| r.to_string());
        canvas.put_right(rect.x + x + 21, rect.y, &rating, Tone::Muted);
    }
    let (result, how, tone) = told(line);
    canvas.put_within(rect.x + RESULT, rect.y, 9, &result, tone);
    let room = rect.width.saturating_sub(HOW + 7);
    canvas.put_within(rect.x + HOW, rect.y, room, &how, tone);
    if line.standing.is_some() {
        canvas.put_right(
            rect.right().saturating_sub(1),
            rect.y,
            sheets(line),
            Tone::Plain,
        );
    }
}

/// Result, how it came about and how far it has come, and its tone.
fn told(line: &TableResult) -> (String, String, Tone) {
    let Some(s) = line.standing else {
        return ("·".to_owned(), String::new(), Tone::Muted);
    };
    let how = s.how.words();
    match s.state {
        ResultState::Proposed => (
            format!("{} ?", result_words(s.result)),
            how.to_owned(),
            Tone::Asked,
        ),
        ResultState::Confirmed | ResultState::Signed => (
            result_words(s.result).to_owned(),
            how.to_owned(),
            Tone::Plain,
        ),
        state => (
            result_words(s.result).to_owned(),
            format!("{how} {}", state_words(state)),
            Tone::Plain,
        ),
    }
}

fn sheets(line: &TableResult) -> &'static str {
    match (line.signed.white, line.signed.black) {
        (true, true) => "both",
        (true, false) => "White",
        (false, true) => "Black",
        (false, false) => "none",
    }
}

/// What stands below the list: headings and lines.
fn notes(sheet: &Sheet<'_, '_>) -> Vec<(bool, String, String)> {
    let app = sheet.app;
    let tables = &app.shown_round().tables;
    let number = |t: &TableResult| app.venue.number(t.table);
    let mut notes = Vec::new();
    let proposed: Vec<&TableResult> = tables
        .iter()
        .filter(|t| t.standing.is_some() && !is_final(t))
        .collect();
    if !proposed.is_empty() {
        let key = app.keymap.key(crate::action::Action::Confirm);
        notes.push((
            true,
            app.language.say("Not confirmed").to_owned(),
            format!("{key} confirms"),
        ));
        for line in proposed.iter().take(3) {
            let how = line.standing.map_or("", |s| s.how.words());
            notes.push((false, format!("{}   {how}", number(line)), String::new()));
        }
    }
    let illegal: Vec<String> = tables
        .iter()
        .filter_map(|t| illegal(t, &number(t)))
        .collect();
    if !illegal.is_empty() {
        notes.push((
            true,
            app.language.say("Completed illegal moves").to_owned(),
            "so that a second is known as a second".to_owned(),
        ));
        notes.push((false, illegal.join("    "), String::new()));
    }
    if app.looked_back.is_some() {
        let key = app.keymap.key(crate::action::Action::Counter);
        let text = format!("{key} takes the last ruling of the selected table back");
        notes.push((true, "This round is over".to_owned(), String::new()));
        notes.push((false, text, String::new()));
        return notes;
    }
    if !app.venue.round.feeds.is_empty() {
        notes.push((true, app.language.say("Feeds").to_owned(), String::new()));
        notes.extend(feeds(app).map(|line| (false, line, String::new())));
    }
    notes.push((
        true,
        app.language.say("To close the round").to_owned(),
        String::new(),
    ));
    notes.push((false, missing(sheet), String::new()));
    notes
}

/// Those that are well in one line, and one line for each that is not.
fn feeds(app: &App) -> impl Iterator<Item = String> {
    let feeds = &app.venue.round.feeds;
    let at = |f: &FeedHealth| {
        f.at.map_or("never yet".to_owned(), |at| {
            words::time_of_day(at, app.zone)
        })
    };
    let well = feeds.iter().filter(|f| f.state == FeedState::Well);
    let well: Vec<String> = well
        .map(|f| format!("{} {}", words::tame(&f.name), at(f)))
        .collect();
    let well = (!well.is_empty()).then(|| format!("ok     {}", well.join(" · ")));
    let ill = feeds.iter().filter(|f| f.state != FeedState::Well);
    let ill = ill.map(|f| {
        let word = match f.state {
            FeedState::Paused => "paused",
            _ => "# ill ",
        };
        let (name, detail) = (words::tame(&f.name), words::tame(&f.detail));
        format!("{word} {name}, last delivery {}: {detail}", at(f))
    });
    let ill: Vec<String> = ill.collect();
    ill.into_iter().chain(well)
}

fn illegal(line: &TableResult, number: &str) -> Option<String> {
    let parts: Vec<String> = protocol::Side::BOTH
        .iter()
        .filter(|side| *line.illegal_moves.get(**side) > 0)
        .map(|side| format!("{} {}", side.word(), line.illegal_moves.get(*side)))
        .collect();
    (!parts.is_empty()).then(|| format!("{number} {}", parts.join(", ")))
}

fn missing(sheet: &Sheet<'_, '_>) -> String {
    let app = sheet.app;
    let tables = &app.venue.round.tables;
    let results = tables.iter().filter(|t| !is_final(t)).count();
    let unsigned = tables
        .iter()
        .filter(|t| is_final(t) && !(t.signed.white && t.signed.black))
        .count();
    let open = app.venue.open_alerts(app.hub_now()).count();
    format!(
        "{}, {} without both signatures, {}",
        words::count(results, "result"),
        unsigned,
        words::count(open, "open alert")
    )
}
