//! What an arbiter may set, all of it on one page (`tui.toml`).

use std::collections::BTreeMap;

use protocol::Millis;
use serde::Deserialize;

use crate::filter::Sector;
use crate::glyphs::Pieces;
use crate::language::Language;
use crate::notation::Notation;
use crate::theme::Theme;

/// Signs of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GlyphChoice {
    /// By the locale.
    #[default]
    Auto,
    /// Always Unicode.
    Unicode,
    /// Always ASCII.
    Ascii,
}

/// Colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    /// The terminal's own sixteen colours.
    #[default]
    Terminal,
    /// Bright on black.
    HighContrast,
    /// None.
    Mono,
}

/// What happens when a new CALL or ASKED comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bell {
    /// Nothing.
    None,
    /// The first line is reversed for a moment.
    #[default]
    Flash,
    /// The terminal's bell: audible on most; not beside a game.
    Terminal,
}

/// How pieces stand on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceChoice {
    /// Letters.
    #[default]
    Letters,
    /// Unicode figurines.
    Figurines,
}

/// The settings file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address of the hub: `mqtt://hub.local:1883`.
    pub hub: Option<String>,
    /// A credentials file.
    pub credentials: Option<String>,
    /// The arbiter's initials, written into the journal with every order.
    pub arbiter: String,
    /// `all`, `rows A-D`, `tables 40-50`.
    pub sector: String,
    /// Colours.
    pub theme: ThemeChoice,
    /// Signs.
    pub glyphs: GlyphChoice,
    /// What a new CALL or ASKED does.
    pub bell: Bell,
    /// After how long without a key move counts and the text of SILENT lines are masked: `2m`, `90s`, `never`.
    pub curtain_after: String,
    /// Whether the mouse belongs to the dashboard.
    pub mouse: bool,
    /// Pieces on the board.
    pub pieces: PieceChoice,
    /// Language of the letters in moves: en, fr, de, es, it, nl.
    pub notation: String,
    /// Language of the interface: en, fr.
    pub language: String,
    /// Other keys for actions, by the action's name.
    pub keys: BTreeMap<String, Vec<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hub: None,
            credentials: None,
            arbiter: String::new(),
            sector: "all".to_owned(),
            theme: ThemeChoice::Terminal,
            glyphs: GlyphChoice::Auto,
            bell: Bell::Flash,
            curtain_after: "2m".to_owned(),
            mouse: false,
            pieces: PieceChoice::Letters,
            notation: "en".to_owned(),
            language: "en".to_owned(),
            keys: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Reads the text of a settings file.
    ///
    /// # Errors
    /// A sentence naming the line, for wrong TOML, unknown keys and values that mean nothing.
    pub fn read(text: &str) -> Result<Settings, String> {
        let settings: Settings = toml::from_str(text).map_err(|e| e.to_string())?;
        settings.mask_after()?;
        settings.notation()?;
        settings.language()?;
        crate::keymap::Keymap::new(&settings.keys)?;
        Ok(settings)
    }

    /// The page of all settings with their usual values, as `tui.toml`.
    pub fn page() -> &'static str {
        PAGE
    }

    /// Milliseconds without a key after which the screen is masked; none for never.
    ///
    /// # Errors
    /// A sentence when the text is no length of time.
    pub fn mask_after(&self) -> Result<Option<Millis>, String> {
        let text = self.curtain_after.trim();
        if text == "never" {
            return Ok(None);
        }
        let (digits, unit) = match (text.strip_suffix('m'), text.strip_suffix('s')) {
            (Some(digits), _) => (digits, 60_000),
            (None, Some(digits)) => (digits, 1000),
            _ => ("", 0),
        };
        let ms = digits.parse::<u32>().ok().map(|n| u64::from(n) * unit);
        ms.map(Some)
            .ok_or_else(|| format!("curtain_after = {text:?} is no time: 2m, 90s or never"))
    }

    /// The part of the hall that is looked after.
    ///
    /// # Errors
    /// A sentence when it names no part of a hall.
    pub fn sector(&self) -> Result<Sector, String> {
        let unknown = || {
            format!(
                "sector = {:?} is no part of the hall: all, rows A-D, tables 40-50",
                self.sector
            )
        };
        Sector::new(&self.sector).ok_or_else(unknown)
    }

    /// The language of moves.
    ///
    /// # Errors
    /// A sentence when the language is not known.
    pub fn notation(&self) -> Result<Notation, String> {
        let known = || {
            format!(
                "notation = {:?}; known: {}",
                self.notation,
                Notation::codes()
            )
        };
        Notation::of(&self.notation).ok_or_else(known)
    }

    /// The language of the interface.
    ///
    /// # Errors
    /// A sentence when the language is not known.
    pub fn language(&self) -> Result<Language, String> {
        let known = || {
            format!(
                "language = {:?}; known: {}",
                self.language,
                Language::codes()
            )
        };
        Language::of(&self.language).ok_or_else(known)
    }

    /// The theme chosen.
    pub fn theme(&self) -> Theme {
        match self.theme {
            ThemeChoice::Terminal => Theme::Terminal,
            ThemeChoice::HighContrast => Theme::HighContrast,
            ThemeChoice::Mono => Theme::Mono,
        }
    }

    /// The pieces chosen.
    pub fn pieces(&self) -> Pieces {
        match self.pieces {
            PieceChoice::Letters => Pieces::Letters,
            PieceChoice::Figurines => Pieces::Figurines,
        }
    }
}

const PAGE: &str = r#"# tui.toml: every setting with its usual value; unknown names are refused.

# hub         = "mqtt://hub.local:1883"
# credentials = "arbiter.toml"    # made by: zeitnot-hub credentials add NAME --role arbiter
arbiter       = ""                # your initials, written into the journal
sector        = "all"             # rows A-D | tables 40-50
theme         = "terminal"        # terminal | high-contrast | mono
glyphs        = "auto"            # auto | unicode | ascii
bell          = "flash"           # none | flash | terminal (audible)
curtain_after = "2m"              # masks move counts and SILENT lines: 2m | 90s | never
mouse         = false
pieces        = "letters"         # letters | figurines
notation      = "en"              # en | fr | de | es | it | nl
language      = "en"              # of the interface; what the hub writes stays as sent: en | fr

[keys]                            # other keys by the action's name: zeitnot keys
# take = ["a"]
# rule = ["r", "enter enter"]
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_manual_is_understood() {
        let text = r#"
            hub     = "mqtt://hub.local:1883"
            arbiter = "MK"
            sector  = "rows A-D"
            theme   = "high-contrast"
            glyphs  = "auto"
            bell    = "flash"
            curtain_after = "90s"
            mouse   = false

            [keys]
            take = ["a"]
            rule = ["r", "enter enter"]
        "#;
        let settings = Settings::read(text).expect("good");
        assert_eq!(settings.arbiter, "MK");
        assert_eq!(settings.mask_after(), Ok(Some(90_000)));
        assert_eq!(settings.theme(), Theme::HighContrast);
        assert_eq!(Settings::read("").expect("empty"), Settings::default());
        assert_eq!(
            Settings::read(Settings::page()).expect("the page"),
            Settings::default()
        );
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let rows = [
            ("colour = 1", "colour"),
            ("theme = \"pink\"", "pink"),
            ("curtain_after = \"soon\"", "soon"),
            ("notation = \"xx\"", "xx"),
            ("language = \"xx\"", "xx"),
            ("[keys]\nfly = [\"a\"]", "fly"),
            ("[keys]\ntake = [\"ctrl-\"]", "ctrl-"),
            ("mouse = ", "mouse"),
        ];
        for (text, word) in rows {
            let error = Settings::read(text).expect_err("wrong");
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
