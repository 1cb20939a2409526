//! Help: the keys of this screen, or all of them; those that cannot work now say why.

use protocol::Urgency;
use ratatui::layout::Rect;

use super::around::footer_actions;
use super::draw::Sheet;
use super::page::{self, Line};
use crate::action::{Action, Group};
use crate::app::Pane;
use crate::language::{t, word};
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Draws the help over the screen, scrolled by some lines.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect, all: bool, top: usize) {
    let width = area.width.min(79);
    let column = if width < 60 { 9 } else { 16 };
    let lines = wrapped(lines(sheet, all), width, column);
    let title = if all {
        word!("All keys")
    } else {
        word!("Help for here")
    };
    let title = sheet.app.language.say(title);
    let key = sheet.app.keymap.key(Action::Help);
    let foot = match all {
        true => t!(sheet.app.language, "esc back"),
        false => t!(sheet.app.language, "{} all keys   esc back", key),
    };
    page::draw(sheet, area, title, (&lines, column), (top, &foot));
}

/// Long sentences go on below themselves.
fn wrapped(lines: Vec<Line>, width: u16, column: u16) -> Vec<Line> {
    let mut out = Vec::new();
    for (keys, text, tone) in lines {
        let indent = if keys.is_empty() { 0 } else { column };
        let room = usize::from(width.saturating_sub(4 + indent));
        for (index, part) in wrap(&text, room).into_iter().enumerate() {
            let keys = match index {
                0 => keys.clone(),
                _ if indent > 0 => " ".to_owned(),
                _ => String::new(),
            };
            out.push((keys, part, tone));
        }
    }
    out
}

fn lines(sheet: &Sheet<'_, '_>, all: bool) -> Vec<Line> {
    let app = sheet.app;
    let mut lines = Vec::new();
    if all {
        for group in Group::ALL {
            lines.push((
                String::new(),
                app.language.group(group).to_owned(),
                Tone::Strong,
            ));
            let actions = Action::ALL.iter().filter(|a| a.info().group == group);
            lines.extend(actions.map(|&a| line(sheet, a)));
        }
        return lines;
    }
    let on_map = app.lists.pane == Pane::Hall;
    lines.extend(
        footer_actions(app.place, on_map)
            .iter()
            .map(|&a| line(sheet, a)),
    );
    let always = [
        Action::NextCall,
        Action::Counter,
        Action::Curtain,
        Action::Palette,
        Action::Back,
        Action::Quit,
    ];
    let shown = footer_actions(app.place, on_map);
    lines.extend(
        always
            .iter()
            .filter(|a| !shown.contains(a))
            .map(|&a| line(sheet, a)),
    );
    lines.push((String::new(), String::new(), Tone::Plain));
    let walls = app.venue.round.walls.iter();
    lines.extend(walls.map(|wall| {
        (
            app.language.say(word!("wall page")).to_owned(),
            words::tame(wall),
            Tone::Strong,
        )
    }));
    let signs = [
        (
            Some(Urgency::Call),
            word!("the Laws want you to act unasked"),
        ),
        (
            Some(Urgency::Asked),
            word!("a player has stopped the clocks or claims"),
        ),
        (Some(Urgency::Silent), word!("be near, say nothing (12.6)")),
        (
            Some(Urgency::Tech),
            word!("the record is at risk, not the game"),
        ),
        (
            None,
            word!("worked out, not read: a running clock, or old data"),
        ),
    ];
    let sign = |urgency: &Option<Urgency>| match urgency {
        Some(urgency) => format!("{:2} {}", urgency.glyph(), app.language.say(urgency.word())),
        None => "≈".to_owned(),
    };
    let signs = signs.iter();
    let say = |text: &'static str| app.language.say(text).to_owned();
    lines.extend(signs.map(|(urgency, text)| (sign(urgency), say(text), Tone::Plain)));
    lines
}

fn line(sheet: &Sheet<'_, '_>, action: Action) -> Line {
    let keys = sheet.app.keymap.all(action);
    let keys = if keys.is_empty() {
        "–".to_owned()
    } else {
        keys
    };
    let language = &sheet.app.language;
    match sheet.app.may(action) {
        Ok(()) => (keys, language.help(action).to_owned(), Tone::Plain),
        Err(why) => (
            keys,
            format!(
                "{} – {}: {why}",
                language.word(action),
                language.say(word!("not now"))
            ),
            Tone::Muted,
        ),
    }
}
