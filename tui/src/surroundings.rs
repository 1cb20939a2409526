//! What the terminal and the locale can show: ASCII where the locale is not UTF-8, no colour where `NO_COLOR` says so.

use crate::app::App;
use crate::glyphs::Glyphs;
use crate::settings::{GlyphChoice, Settings};
use crate::theme::Theme;

/// Fits signs and styles to the surroundings.
pub fn adapt(app: &mut App, settings: &Settings) {
    app.look.glyphs = match settings.glyphs {
        GlyphChoice::Unicode => Glyphs::Unicode,
        GlyphChoice::Ascii => Glyphs::Ascii,
        GlyphChoice::Auto if is_utf8(locale().as_deref()) => Glyphs::Unicode,
        GlyphChoice::Auto => Glyphs::Ascii,
    };
    if no_colour() {
        app.look.theme = Theme::Mono;
    }
}

/// The locale for characters, as POSIX finds it.
pub fn locale() -> Option<String> {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
}

/// Whether a locale writes UTF-8.
pub fn is_utf8(locale: Option<&str>) -> bool {
    let locale = locale.unwrap_or("").to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Whether the user wants no colour (`NO_COLOR` set to anything), or the terminal has none.
pub fn no_colour() -> bool {
    let set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term == "vt100");
    set || dumb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_that_write_utf8() {
        let rows = [
            (Some("en_GB.UTF-8"), true),
            (Some("C.utf8"), true),
            (Some("fr_FR.ISO-8859-1"), false),
            (Some("C"), false),
            (None, false),
        ];
        for (locale, want) in rows {
            assert_eq!(is_utf8(locale), want, "{locale:?}");
        }
    }
}
