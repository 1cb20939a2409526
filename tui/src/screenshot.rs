//! A picture of a screen as text or SVG.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The letters of a picture, a line each.
pub fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut text = String::new();
    for y in 0..area.height {
        let line: String = (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

const COLUMN: u32 = 9;
const ROW: u32 = 18;
const PAPER: &str = "#16181d";
const INK: &str = "#d8dbe2";

/// The picture as SVG, in a dark theme of sixteen colours.
pub fn svg(buffer: &Buffer) -> String {
    let (width, height) = (u32::from(buffer.area.width), u32::from(buffer.area.height));
    let (w, h) = (width * COLUMN + 20, height * ROW + 20);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{PAPER}\"/>\n"
    );
    for y in 0..buffer.area.height {
        for run in runs(buffer, y) {
            svg.push_str(&run.svg(y));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Neighbouring cells of one style.
struct Run<'a> {
    x: u16,
    columns: u16,
    text: String,
    style: &'a Cell,
}

fn runs(buffer: &Buffer, y: u16) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for x in 0..buffer.area.width {
        let cell = &buffer[(x, y)];
        match runs.last_mut() {
            Some(run) if same(run.style, cell) => {
                run.columns += 1;
                run.text.push_str(cell.symbol());
            }
            _ => runs.push(Run {
                x,
                columns: 1,
                text: cell.symbol().to_owned(),
                style: cell,
            }),
        }
    }
    runs
}

fn same(a: &Cell, b: &Cell) -> bool {
    (a.fg, a.bg, a.modifier) == (b.fg, b.bg, b.modifier)
}

impl Run<'_> {
    fn svg(&self, y: u16) -> String {
        let reversed = self.style.modifier.contains(Modifier::REVERSED);
        let (ink, paper) = (colour(self.style.fg, INK), colour(self.style.bg, PAPER));
        let (ink, paper) = if reversed { (paper, ink) } else { (ink, paper) };
        let (x, y) = (u32::from(self.x) * COLUMN + 10, u32::from(y) * ROW + 10);
        let width = u32::from(self.columns) * COLUMN;
        let mut svg = String::new();
        if paper != PAPER {
            svg.push_str(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{ROW}\" fill=\"{paper}\"/>\n"
            ));
        }
        if !self.text.trim().is_empty() {
            svg.push_str(&format!(
                "<text x=\"{x}\" y=\"{}\" textLength=\"{width}\" xml:space=\"preserve\" fill=\"{ink}\"{}>{}</text>\n",
                y + 14,
                self.weight(),
                escaped(&self.text)
            ));
        }
        svg
    }

    fn weight(&self) -> String {
        let has = |m| self.style.modifier.contains(m);
        let mut text = String::new();
        if has(Modifier::BOLD) {
            text.push_str(" font-weight=\"bold\"");
        }
        if has(Modifier::UNDERLINED) {
            text.push_str(" text-decoration=\"underline\"");
        }
        if has(Modifier::DIM) {
            text.push_str(" opacity=\"0.6\"");
        }
        text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn colour(colour: Color, usual: &'static str) -> &'static str {
    match colour {
        Color::Black => "#000000",
        Color::Red => "#e06c60",
        Color::Green => "#8fbf6f",
        Color::Yellow => "#e0b860",
        Color::Magenta => "#c48fd8",
        Color::Cyan => "#62b8c4",
        Color::DarkGray => "#7d838f",
        Color::White => "#ffffff",
        Color::LightRed => "#ff8a7d",
        Color::LightGreen => "#b5e890",
        Color::LightYellow => "#ffe08a",
        Color::LightMagenta => "#e5b3f5",
        Color::LightCyan => "#8fe3ee",
        _ => usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn a_picture_keeps_its_letters_and_escapes_them() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "a<b & c", Style::new().fg(Color::Red));
        assert_eq!(text(&buffer), "a<b & c\n\n");
        let svg = svg(&buffer);
        assert!(svg.contains(">a&lt;b &amp; c</text>"), "{svg}");
        assert!(svg.contains("#e06c60"));
    }
}
