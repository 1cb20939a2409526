//! Draws any dialog in the one shape, wrapped to the width there is and scrolled to the field in hand.

use ratatui::layout::Rect;

use super::dialog::{Dialog, Said};
use super::form::{Choose, Field, Held, NOTE};
use crate::canvas::Canvas;
use crate::language::{Language, t, word};
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// One line to draw.
#[derive(Default)]
struct Line {
    parts: Vec<(String, Tone)>,
    right: String,
    in_hand: bool,
}

/// Labels stand in a column of this width.
const LABEL: usize = 10;

/// Draws a dialog in the middle of an area.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, dialog: &Dialog) {
    let width = area.width.min(79);
    let lines = lines(dialog, usize::from(width.saturating_sub(4)));
    let wanted = u16::try_from(lines.len() + 3).unwrap_or(u16::MAX);
    let height = wanted.min(area.height);
    let frame = Rect {
        x: area.x + (area.width.saturating_sub(width)) / 2,
        y: area.y + (area.height.saturating_sub(height)) / 2,
        width,
        height,
    };
    canvas.cover();
    canvas.frame(frame, &dialog.title);
    let room = usize::from(height.saturating_sub(3));
    let hand = lines.iter().rposition(|l| l.in_hand).unwrap_or(0);
    let top = (hand + 1).saturating_sub(room).saturating_sub(dialog.lift);
    for (row, line) in lines.iter().skip(top).take(room).enumerate() {
        let y = frame.y + 1 + u16::try_from(row).unwrap_or(0);
        draw_line(canvas, frame, y, line);
    }
    foot(canvas, frame, dialog, lines.len() > room);
}

fn draw_line(canvas: &mut Canvas<'_>, frame: Rect, y: u16, line: &Line) {
    let end = frame.right().saturating_sub(2);
    let mut x = frame.x + 2;
    for (text, tone) in &line.parts {
        x = canvas.put_within(x, y, end.saturating_sub(x), text, *tone);
    }
    if !line.right.is_empty() {
        let room = end.saturating_sub(x + 1);
        let width = canvas.width(&line.right).min(room);
        canvas.put_within(end - width, y, width, &line.right, Tone::Plain);
    }
    if line.in_hand {
        canvas.cursor(x.min(end), y);
    }
}

fn foot(canvas: &mut Canvas<'_>, frame: Rect, dialog: &Dialog, cut: bool) {
    let y = frame.bottom().saturating_sub(2);
    let (enter, tone) = match dialog.missing() {
        None => (t!(dialog.language, "enter give"), Tone::Strong),
        Some(why) => (why, Tone::Muted),
    };
    let left = match (cut, frame.width < 60) {
        (true, true) => "pgup",
        (true, false) => word!("esc cancel  pgup shows more"),
        (false, true) => "esc",
        (false, false) => word!("esc cancel"),
    };
    let left = dialog.language.say(left);
    let x = canvas.put_within(
        frame.x + 2,
        y,
        frame.width.saturating_sub(4),
        left,
        Tone::Plain,
    );
    let end = frame.right().saturating_sub(2);
    let room = end.saturating_sub(x + 2);
    let width = canvas.width(&enter).min(room);
    canvas.put_within(end - width, y, width, &enter, tone);
}

fn lines(dialog: &Dialog, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (label, words) in &dialog.known {
        labelled(&mut lines, dialog.language.say(label), words, width);
    }
    lines.push(Line::default());
    for (index, field) in dialog.form.fields.iter().enumerate() {
        if field.name == NOTE {
            said(&mut lines, dialog, width);
        }
        let in_hand = index == dialog.form.at;
        self::field(&mut lines, &dialog.language, field, in_hand, width);
    }
    if !dialog.form.fields.iter().any(|f| f.name == NOTE) {
        said(&mut lines, dialog, width);
    }
    for words in &dialog.refusal {
        plain(&mut lines, words, Tone::Call, width);
    }
    if dialog.ends_game() {
        lines.push(number_line(dialog));
    }
    lines
}

fn labelled(lines: &mut Vec<Line>, label: &str, text: &str, width: usize) {
    let label = format!("{label:LABEL$}");
    let rest = width.saturating_sub(LABEL).max(10);
    for (i, part) in wrap(&words::tame(text), rest).into_iter().enumerate() {
        let head = if i == 0 {
            label.clone()
        } else {
            " ".repeat(LABEL)
        };
        lines.push(Line {
            parts: vec![(head, Tone::Muted), (part, Tone::Plain)],
            ..Line::default()
        });
    }
}

fn plain(lines: &mut Vec<Line>, text: &str, tone: Tone, width: usize) {
    for part in wrap(&words::tame(text), width) {
        lines.push(Line {
            parts: vec![(part, tone)],
            ..Line::default()
        });
    }
}

fn field(lines: &mut Vec<Line>, l: &Language, field: &Field, in_hand: bool, width: usize) {
    let name = l.say(field.name);
    let mark = if in_hand { "▸ " } else { "  " };
    let box_of = |text: &str| Line {
        parts: vec![
            (format!("{mark}{name:LABEL$}"), Tone::Muted),
            (
                text.to_owned(),
                if in_hand { Tone::Strong } else { Tone::Plain },
            ),
        ],
        right: String::new(),
        in_hand,
    };
    match &field.held {
        Held::List(options, at) => list(lines, options, *at, in_hand, width),
        Held::Row(options, at) => row(lines, name, options, *at, in_hand, width),
        Held::Change(text) => lines.push(box_of(&format!("[ {text:>7} ]"))),
        Held::Text(text) => lines.push(box_of(&format!("{text}_"))),
        Held::Tick(on) => {
            let tick = if *on { "x" } else { " " };
            lines.push(Line {
                parts: vec![(format!("{mark}[{tick}] {name}"), Tone::Plain)],
                right: if in_hand {
                    t!(l, "space ticks")
                } else {
                    String::new()
                },
                in_hand,
            });
        }
    }
}

fn list(lines: &mut Vec<Line>, options: &[Choose], at: usize, in_hand: bool, width: usize) {
    for (index, option) in options.iter().enumerate() {
        if let Some(heading) = &option.heading {
            plain(lines, heading, Tone::Strong, width);
        }
        option_lines(lines, option, index, index == at, in_hand, width);
    }
}

/// One choice, on as many lines as it needs; its effect stands right where there is room, else below.
fn option_lines(
    lines: &mut Vec<Line>,
    option: &Choose,
    index: usize,
    chosen: bool,
    in_hand: bool,
    width: usize,
) {
    let mark = if chosen { "▸" } else { " " };
    let tone = if chosen { Tone::Strong } else { Tone::Plain };
    let beside = option.words.chars().count() + option.effect.chars().count() + 8 <= width;
    let (text, right) = match (beside, option.effect.as_str()) {
        (true, effect) => (option.words.clone(), effect.to_owned()),
        (false, "") => (option.words.clone(), String::new()),
        (false, effect) => (format!("{} ({effect})", option.words), String::new()),
    };
    for (row, part) in wrap(&text, width.saturating_sub(6)).into_iter().enumerate() {
        let head = match row {
            0 => format!(" {mark} {}  ", index + 1),
            _ => " ".repeat(6),
        };
        lines.push(Line {
            parts: vec![(format!("{head}{part}"), tone)],
            right: if row == 0 {
                right.clone()
            } else {
                String::new()
            },
            in_hand: in_hand && chosen,
        });
    }
}

fn row(
    lines: &mut Vec<Line>,
    name: &str,
    options: &[Choose],
    at: usize,
    in_hand: bool,
    width: usize,
) {
    let mark = if in_hand { "▸ " } else { "  " };
    let mut line = Line {
        parts: vec![(format!("{mark}{name:LABEL$}"), Tone::Muted)],
        ..Line::default()
    };
    let mut used = LABEL + 2;
    for (index, option) in options.iter().enumerate() {
        let chosen = index == at;
        let number = if options.len() <= 9 {
            format!("{} ", index + 1)
        } else {
            String::new()
        };
        let words = format!("{number}{}", option.words);
        let text = if chosen {
            format!("[{words}]")
        } else {
            format!(" {words} ")
        };
        if used + text.chars().count() > width {
            lines.push(std::mem::take(&mut line));
            line.parts.push((" ".repeat(LABEL + 2), Tone::Plain));
            used = LABEL + 2;
        }
        used += text.chars().count();
        line.in_hand |= in_hand && chosen;
        line.parts
            .push((text, if chosen { Tone::Strong } else { Tone::Plain }));
    }
    if in_hand {
        line.in_hand = true;
    }
    lines.push(line);
    let effect = options.get(at).map_or("", |o| o.effect.as_str());
    if !effect.is_empty() {
        let pad = " ".repeat(LABEL + 3);
        plain(lines, &format!("{pad}{effect}"), Tone::Muted, width);
    }
}

fn said(lines: &mut Vec<Line>, dialog: &Dialog, width: usize) {
    let l = &dialog.language;
    match &dialog.said {
        Said::Waiting if dialog.previewed => {
            let asking = t!(l, "… asking the hub what follows");
            plain(lines, &asking, Tone::Muted, width);
        }
        Said::Waiting => {}
        Said::Unfinished(why) => plain(lines, &format!("… {why}"), Tone::Muted, width),
        Said::Refused(code, why, difference) => {
            plain(
                lines,
                &t!(l, "The hub refuses ({}): {}", code, why),
                Tone::Call,
                width,
            );
            for line in difference {
                plain(lines, &format!("  {line}"), Tone::Plain, width);
            }
        }
        Said::Preview(preview, _) => {
            self::preview(lines, l, preview, dialog.about.ruling > 0, width);
        }
    }
}

fn preview(
    lines: &mut Vec<Line>,
    l: &Language,
    preview: &protocol::Preview,
    taken_back: bool,
    width: usize,
) {
    let article = match preview.article.as_str() {
        _ if taken_back => t!(l, "What it takes back"),
        "" => t!(l, "The hub says"),
        article => t!(l, "The Laws say ({})", article),
    };
    plain(lines, &article, Tone::Strong, width);
    for line in &preview.lines {
        plain(lines, &format!("  {line}"), Tone::Plain, width);
    }
    if !preview.then.is_empty() {
        labelled(lines, l.say("Then"), &preview.then.join(" · "), width);
    }
    if let Some(time) = preview.set_clock {
        let set = t!(
            l,
            "White {} · Black {} · by hand",
            words::clock(time.white),
            words::clock(time.black)
        );
        labelled(lines, l.say(word!("Set clock")), &set, width);
    }
}

fn number_line(dialog: &Dialog) -> Line {
    let in_hand = dialog.is_typing();
    let mark = if in_hand { "▸ " } else { "  " };
    let typed = format!("[ {:3} ]", dialog.typed);
    let l = &dialog.language;
    let sentence = match dialog.leaves_house {
        true => t!(l, "This leaves the house. Type the number"),
        false => t!(l, "This ends the game. Type the table number"),
    };
    Line {
        parts: vec![
            (format!("{mark}{sentence}  "), Tone::Strong),
            (typed, Tone::Strong),
        ],
        right: String::new(),
        in_hand,
    }
}
