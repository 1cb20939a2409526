//! What the colours mean: eight meanings on the terminal's own sixteen colours, or none.

use protocol::Urgency;
use ratatui::style::{Color, Modifier, Style};

/// The meaning of a piece of text; glyph and word always say it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Nothing special.
    #[default]
    Plain,
    /// A heading, or something to be seen first.
    Strong,
    /// The Laws want the arbiter to act.
    Call,
    /// A CALL that nobody took for a minute.
    Overdue,
    /// A player asks.
    Asked,
    /// Be near, say nothing.
    Silent,
    /// The record is at risk.
    Tech,
    /// All is well.
    Good,
    /// Not possible now, or of less weight.
    Muted,
    /// Where the selection is.
    Selected,
    /// Old data.
    Stale,
}

impl From<Urgency> for Tone {
    fn from(urgency: Urgency) -> Tone {
        match urgency {
            Urgency::Call => Tone::Call,
            Urgency::Asked => Tone::Asked,
            Urgency::Silent => Tone::Silent,
            Urgency::Tech => Tone::Tech,
        }
    }
}

/// A set of styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The terminal's own colours.
    #[default]
    Terminal,
    /// Bright on black, nothing dimmed.
    HighContrast,
    /// No colour: bold, dim, underlined, reversed.
    Mono,
}

impl Theme {
    /// The style of a meaning.
    pub fn style(self, tone: Tone) -> Style {
        match self {
            Theme::Terminal => Style::new().fg(colour(tone)).add_modifier(weight(tone)),
            Theme::HighContrast => high_contrast(tone),
            Theme::Mono => Style::new().add_modifier(mono(tone)),
        }
    }
}

fn colour(tone: Tone) -> Color {
    match tone {
        Tone::Plain | Tone::Strong | Tone::Selected => Color::Reset,
        Tone::Call | Tone::Overdue => Color::Red,
        Tone::Asked | Tone::Stale => Color::Yellow,
        Tone::Silent => Color::Cyan,
        Tone::Tech => Color::Magenta,
        Tone::Good => Color::Green,
        Tone::Muted => Color::DarkGray,
    }
}

fn weight(tone: Tone) -> Modifier {
    match tone {
        Tone::Strong | Tone::Overdue => Modifier::BOLD,
        Tone::Selected | Tone::Stale => Modifier::REVERSED,
        _ => Modifier::empty(),
    }
}

fn high_contrast(tone: Tone) -> Style {
    let base = Style::new().bg(Color::Black);
    match tone {
        Tone::Plain | Tone::Muted => base.fg(Color::White),
        Tone::Strong => base.fg(Color::White).bold(),
        Tone::Call => base.fg(Color::LightRed).bold(),
        Tone::Overdue => base.fg(Color::LightRed).bold().underlined(),
        Tone::Asked => base.fg(Color::LightYellow).bold(),
        Tone::Silent => base.fg(Color::LightCyan),
        Tone::Tech => base.fg(Color::LightMagenta),
        Tone::Good => base.fg(Color::LightGreen),
        Tone::Selected => Style::new().fg(Color::Black).bg(Color::White),
        Tone::Stale => Style::new().fg(Color::Black).bg(Color::LightYellow),
    }
}

fn mono(tone: Tone) -> Modifier {
    match tone {
        Tone::Strong | Tone::Asked => Modifier::BOLD,
        Tone::Call => Modifier::BOLD,
        Tone::Overdue => Modifier::BOLD | Modifier::UNDERLINED,
        Tone::Muted => Modifier::DIM,
        Tone::Selected | Tone::Stale => Modifier::REVERSED,
        Tone::Plain | Tone::Silent | Tone::Tech | Tone::Good => Modifier::empty(),
    }
}
