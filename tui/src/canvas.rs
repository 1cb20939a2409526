//! The sheet everything is drawn on: text cut at the edge, in the chosen signs and styles, remembering what a click would mean.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use crate::action::Action;
use crate::glyphs::{Glyphs, Pieces};
use crate::notation::Notation;
use crate::theme::{Theme, Tone};

/// How things look, from the settings and the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Signs.
    pub glyphs: Glyphs,
    /// Styles.
    pub theme: Theme,
    /// Pieces on the board.
    pub pieces: Pieces,
    /// Letters of the pieces in moves.
    pub notation: Notation,
}

/// What a click on a place of the screen means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hit {
    /// As if the key of the action had been pressed.
    Act(Action),
    /// Select the line of this pane, counted from 0 among all lines.
    Line(usize, usize),
}

/// A buffer with a look.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    look: Look,
    hits: Vec<(Rect, Hit)>,
    cursor: Option<Position>,
}

impl<'a> Canvas<'a> {
    /// An empty sheet.
    pub fn new(buffer: &'a mut Buffer, look: Look) -> Canvas<'a> {
        let area = buffer.area;
        buffer.set_style(area, look.theme.style(Tone::Plain));
        Canvas {
            buffer,
            look,
            hits: Vec::new(),
            cursor: None,
        }
    }

    /// The whole sheet.
    pub fn area(&self) -> Rect {
        self.buffer.area
    }

    /// How things look.
    pub fn look(&self) -> Look {
        self.look
    }

    /// Columns a text takes.
    pub fn width(&self, text: &str) -> u16 {
        let text = self.look.glyphs.text(text);
        u16::try_from(Span::raw(text.as_ref()).width()).unwrap_or(u16::MAX)
    }

    /// Writes a text at a place, cut at the right edge of the sheet; gives the column after it.
    pub fn put(&mut self, x: u16, y: u16, text: &str, tone: Tone) -> u16 {
        let room = self.area().right().saturating_sub(x);
        self.put_within(x, y, room, text, tone)
    }

    /// Writes a text into `room` columns; a text that does not fit ends in `…`.
    pub fn put_within(&mut self, x: u16, y: u16, room: u16, text: &str, tone: Tone) -> u16 {
        if y >= self.area().bottom() || x >= self.area().right() {
            return x;
        }
        let room = room.min(self.area().right() - x);
        let style = self.look.theme.style(tone);
        let text = self.look.glyphs.text(text);
        if u16::try_from(Span::raw(text.as_ref()).width()).is_ok_and(|w| w <= room) {
            return self
                .buffer
                .set_stringn(x, y, text.as_ref(), room.into(), style)
                .0;
        }
        let dots = self.look.glyphs.text("…").into_owned();
        let tail = u16::try_from(dots.len().min(3)).unwrap_or(1);
        let tail = if dots.is_ascii() { tail } else { 1 };
        let kept = room.saturating_sub(tail);
        let (end, _) = self
            .buffer
            .set_stringn(x, y, text.as_ref(), kept.into(), style);
        self.buffer
            .set_stringn(end, y, dots, (room - kept).into(), style)
            .0
    }

    /// Writes a text that ends before column `end`.
    pub fn put_right(&mut self, end: u16, y: u16, text: &str, tone: Tone) -> u16 {
        let x = end.saturating_sub(self.width(text));
        self.put_within(x, y, end - x, text, tone);
        x
    }

    /// A heading over the whole width of an area: ` left ───── right`.
    pub fn heading(&mut self, area: Rect, y: u16, left: &str, right: &str) {
        self.rule(area, y);
        let mut x = area.x;
        if !left.is_empty() {
            x = self.put_within(x, y, area.width, &format!(" {left} "), Tone::Strong);
        }
        let room = area.right().saturating_sub(x + 2);
        if !right.is_empty() && self.width(right) < room {
            self.put_right(area.right(), y, &format!(" {right}"), Tone::Muted);
        }
    }

    /// A horizontal line over an area, one column in.
    pub fn rule(&mut self, area: Rect, y: u16) {
        for x in area.x + 1..area.right() {
            self.put_within(x, y, 1, "─", Tone::Muted);
        }
    }

    /// A vertical line.
    pub fn upright(&mut self, x: u16, from: u16, to: u16) {
        for y in from..to {
            self.put_within(x, y, 1, "│", Tone::Muted);
        }
    }

    /// Empties an area.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.area());
        let style = self.look.theme.style(Tone::Plain);
        for y in area.top()..area.bottom() {
            let blank = " ".repeat(area.width.into());
            self.buffer.set_string(area.x, y, blank, style);
        }
    }

    /// A box around an area, which is emptied, with a title.
    pub fn frame(&mut self, area: Rect, title: &str) {
        self.clear(area);
        let (right, bottom) = (
            area.right().saturating_sub(1),
            area.bottom().saturating_sub(1),
        );
        for y in [area.y, bottom] {
            for x in area.x..=right {
                self.put_within(x, y, 1, "─", Tone::Muted);
            }
        }
        for x in [area.x, right] {
            self.upright(x, area.y, area.bottom());
        }
        for (x, y, corner) in [
            (area.x, area.y, "┌"),
            (right, area.y, "┐"),
            (area.x, bottom, "└"),
            (right, bottom, "┘"),
        ] {
            self.put_within(x, y, 1, corner, Tone::Muted);
        }
        let room = area.width.saturating_sub(4);
        self.put_within(
            area.x + 1,
            area.y,
            room,
            &format!(" {title} "),
            Tone::Strong,
        );
    }

    /// Lays a style over what is already drawn.
    pub fn paint(&mut self, area: Rect, tone: Tone) {
        let area = area.intersection(self.area());
        self.buffer.set_style(area, self.look.theme.style(tone));
    }

    /// Reverses a selected line and sets the terminal's cursor on it, for readers of speech and braille.
    pub fn select(&mut self, area: Rect) {
        let reversed = match self.look.theme {
            Theme::HighContrast => self.look.theme.style(Tone::Selected),
            _ => ratatui::style::Style::new().add_modifier(ratatui::style::Modifier::REVERSED),
        };
        let area = area.intersection(self.area());
        self.buffer.set_style(area, reversed);
        self.cursor(area.x, area.y);
    }

    /// Sets the terminal's cursor.
    pub fn cursor(&mut self, x: u16, y: u16) {
        self.cursor = Some(Position { x, y });
    }

    /// Remembers what a click into an area means; what is drawn later lies above.
    pub fn hit(&mut self, area: Rect, hit: Hit) {
        self.hits.push((area, hit));
    }

    /// Forgets the clicks of what lies below.
    pub fn cover(&mut self) {
        self.hits.clear();
    }

    /// Where the cursor is and what clicks mean, when all is drawn.
    pub fn finish(self) -> Drawn {
        Drawn {
            hits: self.hits,
            cursor: self.cursor,
        }
    }
}

/// What the terminal must know beside the buffer.
#[derive(Debug, Clone, Default)]
pub struct Drawn {
    /// Areas and what a click into them means.
    pub hits: Vec<(Rect, Hit)>,
    /// Where the terminal's cursor belongs.
    pub cursor: Option<Position>,
}

impl Drawn {
    /// What a click means.
    pub fn at(&self, x: u16, y: u16) -> Option<&Hit> {
        let place = Position { x, y };
        let found = self
            .hits
            .iter()
            .rev()
            .find(|(area, _)| area.contains(place));
        found.map(|(_, hit)| hit)
    }
}
