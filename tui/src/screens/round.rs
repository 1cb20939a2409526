//! The screen Round: results, what is not confirmed, illegal moves, what stands before the next round.

use protocol::{FeedHealth, FeedState, ResultState, TableId, TableResult, TableState};
use ratatui::layout::Rect;

use super::around;
use super::draw::Sheet;
use super::hall;
use crate::app::{App, Pane};
use crate::canvas::Hit;
use crate::dialogs::{result_words, state_words};
use crate::language::{Language, t, word};
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
        t!(
            app.language,
            "began {} · ",
            words::hour_minute(at, app.zone)
        )
    });
    let l = &app.language;
    let right = t!(
        l,
        "{}default time {} · {} · {}",
        began,
        words::age(round.default_ms),
        l.many(round.tables.len(), "1 game", "{} games"),
        l.many(results, "1 result", "{} results")
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
        (Some(_), _) => t!(
            app.language,
            "Round {}, over   {} {} other rounds",
            round,
            back,
            on
        ),
        (None, Some(_)) => t!(app.language, "Round {}   {} earlier", round, back),
        (None, None) => t!(app.language, "Round {}", round),
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
const HOW: u16 = 64;

fn columns(sheet: &mut Sheet<'_, '_>, line: Rect) {
    if line.width < WIDE {
        let text = t!(sheet.app.language, " Table White – Black    Result");
        sheet.canvas.put(line.x, line.y, &text, Tone::Muted);
        return;
    }
    let names = [
        (1, word!("Table")),
        (WHITE, "White"),
        (RESULT, word!("Result")),
        (BLACK, "Black"),
        (HOW, word!("How")),
    ];
    for (x, name) in names {
        let name = sheet.app.language.say(name);
        sheet.canvas.put(line.x + x, line.y, name, Tone::Muted);
    }
    let sheets = t!(sheet.app.language, "Sheets");
    let end = line.right().saturating_sub(1);
    sheet.canvas.put_right(end, line.y, &sheets, Tone::Muted);
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
        let none = t!(app.language, "no pairings yet");
        sheet.canvas.put(area.x + 2, area.y, &none, Tone::Muted);
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
    let (result, how, tone) = told(sheet.app, line);
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
    let (result, how, tone) = told(sheet.app, line);
    let mark = if selected { "▸" } else { " " };
    let canvas = &mut sheet.canvas;
    canvas.put(rect.x, rect.y, &format!("{mark} {number}"), Tone::Plain);
    for (x, player) in [(WHITE, &line.players.white), (BLACK, &line.players.black)] {
        let name = words::tame(&player.name);
        canvas.put_within(rect.x + x, rect.y, 16, &name, Tone::Plain);
        let rating = player.rating.map_or(String::new(), |r| r.to_string());
        canvas.put_right(rect.x + x + 21, rect.y, &rating, Tone::Muted);
    }
    canvas.put_within(rect.x + RESULT, rect.y, 9, &result, tone);
    let room = rect.width.saturating_sub(HOW + 7);
    canvas.put_within(rect.x + HOW, rect.y, room, &how, tone);
    if line.standing.is_some() {
        canvas.put_right(
            rect.right().saturating_sub(1),
            rect.y,
            sheet.app.language.say(sheets(line)),
            Tone::Plain,
        );
    }
}

/// Result, how it came about and how far it has come, and its tone.
fn told(app: &App, line: &TableResult) -> (String, String, Tone) {
    let l = &app.language;
    let Some(s) = line.standing else {
        if is_adjourned(app, line) {
            let sign = hall::state_sign(TableState::Adjourned);
            return (sign.to_owned(), t!(l, "adjourned"), Tone::Plain);
        }
        return ("·".to_owned(), String::new(), Tone::Muted);
    };
    let how = l.say(s.how.words());
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
            format!("{how} {}", l.say(state_words(state))),
            Tone::Plain,
        ),
    }
}

fn is_adjourned(app: &App, line: &TableResult) -> bool {
    let table = app.venue.tables.get(&line.table);
    app.looked_back.is_none() && table.is_some_and(|t| t.state == TableState::Adjourned)
}

fn sheets(line: &TableResult) -> &'static str {
    match (line.signed.white, line.signed.black) {
        (true, true) => word!("both"),
        (true, false) => "White",
        (false, true) => "Black",
        (false, false) => word!("none"),
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
            t!(app.language, "Not confirmed"),
            t!(app.language, "{} confirms", key),
        ));
        for line in proposed.iter().take(3) {
            let text = format!("{}   {}", number(line), sign_of(app, line));
            notes.push((false, text, String::new()));
        }
    }
    notes.extend(unsigned(app));
    let illegal: Vec<String> = tables
        .iter()
        .filter_map(|t| illegal(&app.language, t, &number(t)))
        .collect();
    if !illegal.is_empty() {
        notes.push((
            true,
            t!(app.language, "Completed illegal moves"),
            t!(app.language, "so that a second is known as a second"),
        ));
        notes.push((false, illegal.join("    "), String::new()));
    }
    notes.extend(absent(app));
    if app.looked_back.is_some() {
        let key = app.keymap.key(crate::action::Action::Counter);
        let text = t!(
            app.language,
            "{} takes the last ruling of the selected table back",
            key
        );
        notes.push((true, t!(app.language, "This round is over"), String::new()));
        notes.push((false, text, String::new()));
        return notes;
    }
    notes.extend(super::forecast::lines(app));
    if !app.venue.round.walls.is_empty() {
        let walls: Vec<String> = app
            .venue
            .round
            .walls
            .iter()
            .map(|w| words::tame(w))
            .collect();
        let words = format!("{}   {}", t!(app.language, "wall page"), walls.join("  "));
        notes.push((false, words, String::new()));
    }
    if !app.venue.round.feeds.is_empty() || !app.venue.round.kept_back.is_empty() {
        notes.push((true, t!(app.language, "Feeds"), String::new()));
        notes.extend(feeds(app).map(|line| (false, line, String::new())));
    }
    notes.push((
        true,
        t!(app.language, "To close the round"),
        match app.venue.round.closing {
            Some(at) => t!(
                app.language,
                "being closed since {}",
                words::hour_minute(at, app.zone)
            ),
            None => t!(
                app.language,
                "{} closes and publishes",
                app.keymap.key(crate::action::Action::CloseRound)
            ),
        },
    ));
    notes.push((false, missing(sheet), String::new()));
    notes
}

/// By what a proposed result shows: the hub's alert, since when; else how the game ended.
fn sign_of(app: &App, line: &TableResult) -> String {
    let mut open = app.venue.open_alerts(app.hub_now());
    let alert = open.find(|a| a.table == Some(line.table) && a.code == "result-proposed");
    match alert {
        Some(alert) => {
            let at = words::time_of_day(alert.since, app.zone);
            let seen = match alert.because.is_empty() {
                true => words::headline(alert),
                false => words::tame(&alert.because.join(" ")),
            };
            t!(app.language, "{}, since {}", seen.trim_end_matches('.'), at)
        }
        None => {
            let how = line.standing.map_or("", |s| s.how.words());
            app.language.say(how).to_owned()
        }
    }
}

/// Final results with one signature: whose is missing (8.7), as far as there is room.
fn unsigned(app: &App) -> Vec<(bool, String, String)> {
    const SHOWN: usize = 3;
    let l = &app.language;
    let missing = |t: &TableResult| match (is_final(t), t.signed.white, t.signed.black) {
        (true, false, true) => Some(protocol::Side::White),
        (true, true, false) => Some(protocol::Side::Black),
        _ => None,
    };
    let tables = app.shown_round().tables.iter();
    let one: Vec<_> = tables
        .filter_map(|t| Some((t.table, missing(t)?)))
        .collect();
    let lines = one.iter().take(SHOWN).map(|(table, side)| {
        let who = l.say(side.word());
        let text = t!(l, "{} has not signed the scoresheet (8.7)", who);
        (
            false,
            format!("{}   {text}", app.venue.number(*table)),
            String::new(),
        )
    });
    lines.collect()
}

/// Players without a move after the start, as far as there is room, with the moment of the default time.
fn absent(app: &App) -> Vec<(bool, String, String)> {
    const SHOWN: usize = 3;
    let (absent, l) = (&app.shown_round().absent, &app.language);
    if absent.is_empty() {
        return Vec::new();
    }
    let head = l.many(
        absent.len(),
        "1 player without a move",
        "{} players without a move",
    );
    let lines = absent.iter().take(SHOWN).map(|(table, side, until)| {
        let until = until.map_or(String::new(), |at| {
            t!(l, "default time at {}", words::hour_minute(at, app.zone))
        });
        let who = l.say(side.word());
        let line = format!("{}   {who:7} {until}", app.venue.number(*table));
        (false, line, String::new())
    });
    let head = (true, t!(l, "Absent"), head);
    std::iter::once(head).chain(lines).collect()
}

/// Games of any round of which nobody outside is shown more until they are let go.
fn kept_back(app: &App) -> Option<String> {
    let games = &app.venue.round.kept_back;
    let game = |(round, table): &(u16, TableId)| format!("{round}/{}", app.venue.number(*table));
    let games: Vec<String> = games.iter().map(game).collect();
    let list = games.join(" · ");
    (!games.is_empty()).then(|| {
        t!(
            app.language,
            "kept back from outside (round/table): {}",
            list
        )
    })
}

/// Those that are well in one line, and one line for each that is not; before them what is kept back from all of them.
pub(super) fn feeds(app: &App) -> impl Iterator<Item = String> {
    let feeds = &app.venue.round.feeds;
    let at = |f: &FeedHealth| {
        f.at.map_or_else(
            || t!(app.language, "never yet"),
            |at| words::time_of_day(at, app.zone),
        )
    };
    let well = feeds.iter().filter(|f| f.state == FeedState::Well);
    let well: Vec<String> = well
        .map(|f| format!("{} {}", words::tame(&f.name), at(f)))
        .collect();
    let well = (!well.is_empty()).then(|| format!("ok     {}", well.join(" · ")));
    let ill = feeds.iter().filter(|f| f.state != FeedState::Well);
    let ill = ill.map(|f| {
        let word = match f.state {
            FeedState::Paused => app.language.say(word!("paused")),
            _ => app.language.say(word!("# ill ")),
        };
        let (name, detail) = (words::tame(&f.name), words::tame(&f.detail));
        t!(
            app.language,
            "{} {}, last delivery {}: {}",
            word,
            name,
            at(f),
            detail
        )
    });
    let ill: Vec<String> = ill.collect();
    kept_back(app).into_iter().chain(ill).chain(well)
}

fn illegal(l: &Language, line: &TableResult, number: &str) -> Option<String> {
    let parts: Vec<String> = protocol::Side::BOTH
        .iter()
        .filter(|side| *line.illegal_moves.get(**side) > 0)
        .map(|side| format!("{} {}", l.say(side.word()), line.illegal_moves.get(*side)))
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
    let l = &app.language;
    t!(
        l,
        "{}, {} without both signatures, {}",
        l.many(results, "1 result", "{} results"),
        unsigned,
        l.many(open, "1 open alert", "{} open alerts")
    )
}
