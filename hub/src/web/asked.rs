//! What a reader asks for in the query of an address, and what of it is not understood: that is said on the page, never passed over.

use super::overlay::Overlay;
use super::page::{self, Look, Theme};
use super::projector::Screen;
use crate::feeds::PgnForm;

/// The query of an address.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Asked {
    pub(super) flip: bool,
    pub(super) boards: String,
    pub(super) part: String,
    pub(super) round: Option<u16>,
    form: String,
    /// What was not understood, in words with what can be written instead.
    pub(super) wrong: Vec<String>,
    theme: Option<Theme>,
    large: bool,
    page: usize,
    find: String,
    hide_clock: bool,
    scale: Option<f32>,
}

/// What a form may be.
pub(super) const FORMS: &str = "write form=clean, form=e-pgn or form=livechess";
/// More mistakes than these are not listed.
const LISTED: usize = 5;
/// More of a word than this is not repeated.
const REPEATED: usize = 40;

impl Asked {
    /// Reads the pairs of a query; the last of several with one name counts.
    pub(super) fn of(pairs: &[(String, String)]) -> Asked {
        let mut asked = Asked::default();
        for (name, value) in pairs {
            if let Err(instead) = asked.take(name, value)
                && asked.wrong.len() < LISTED
            {
                let short = |text: &str| text.chars().take(REPEATED).collect::<String>();
                let said = format!("{}={}", short(name), short(value));
                asked
                    .wrong
                    .push(format!("\u{201c}{said}\u{201d}: {instead}"));
            }
        }
        asked
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "flip" => self.flip = yes(value).ok_or("write flip=1")?,
            "orientation" => {
                self.flip = one_of(value, &[("white", false), ("black", true)])
                    .ok_or("write orientation=white or orientation=black")?;
            }
            "theme" => self.theme = theme(value)?,
            "type" => {
                self.large = one_of(value, &[("", false), ("normal", false), ("large", true)])
                    .ok_or("write type=large")?;
            }
            "board" | "boards" => self.boards = value.to_owned(),
            "page" => self.page = value.parse().map_err(|_| "write page=2")?,
            "find" => self.find = value.chars().take(100).collect(),
            "part" => self.part = value.to_owned(),
            "round" => self.round = Some(value.parse().map_err(|_| "write round=5")?),
            "form" => {
                self.form = value.to_owned();
                self.form().ok_or(FORMS)?;
            }
            "hideClock" => self.hide_clock = yes(value).ok_or("write hideClock=1")?,
            "scale" => self.scale = Some(scale(value)?),
            _ => return Err("this page knows no such word"),
        }
        Ok(())
    }

    /// The form of a PGN file; none when it is not understood.
    pub(super) fn form(&self) -> Option<PgnForm> {
        PgnForm::of(&self.form)
    }

    pub(super) fn look(&self) -> Look {
        Look {
            flip: self.flip,
            theme: self.theme,
            large: self.large,
            wrong: self.wrong.clone(),
        }
    }

    pub(super) fn overlay(&self) -> Overlay {
        Overlay {
            look: self.look(),
            hide_clock: self.hide_clock,
            scale: self.scale.unwrap_or(1.0),
        }
    }

    pub(super) fn screen(&self) -> Screen<'_> {
        Screen {
            boards: &self.boards,
            page: self.page,
        }
    }

    pub(super) fn section(&self) -> page::Asked {
        page::Asked {
            page: self.page,
            find: self.find.clone(),
        }
    }
}

fn one_of<T: Copy>(value: &str, words: &[(&str, T)]) -> Option<T> {
    let found = words.iter().find(|(word, _)| *word == value);
    found.map(|(_, meant)| *meant)
}

fn yes(value: &str) -> Option<bool> {
    let words = [
        ("", true),
        ("1", true),
        ("true", true),
        ("0", false),
        ("false", false),
    ];
    one_of(value, &words)
}

fn theme(value: &str) -> Result<Option<Theme>, &'static str> {
    let words = [
        ("", None),
        ("auto", None),
        ("dark", Some(Theme::Dark)),
        ("light", Some(Theme::Light)),
        ("contrast", Some(Theme::Contrast)),
    ];
    one_of(value, &words).ok_or("write theme=dark, theme=light or theme=contrast")
}

fn scale(value: &str) -> Result<f32, &'static str> {
    let number = value.parse::<f32>().ok();
    number
        .filter(|n| (0.2..=10.0).contains(n))
        .ok_or("write a number from 0.2 to 10, such as scale=1.5")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> Asked {
        let pairs = query.split('&').filter(|part| !part.is_empty());
        let pairs = pairs.map(|part| part.split_once('=').unwrap_or((part, "")));
        let pairs: Vec<_> = pairs.map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
        Asked::of(&pairs)
    }

    #[test]
    fn what_is_understood_is_taken() {
        let all = asked(
            "flip=1&theme=contrast&type=large&boards=1-4&page=2&find=o&round=5&form=e-pgn&hideClock=true&scale=1.5",
        );
        assert_eq!(all.wrong, [""; 0]);
        assert!(all.look().flip && all.look().large);
        assert_eq!(all.look().theme, Some(Theme::Contrast));
        assert_eq!((all.screen().boards, all.screen().page), ("1-4", 2));
        assert_eq!((all.round, all.form()), (Some(5), Some(PgnForm::EPgn)));
        assert!(all.overlay().hide_clock && all.overlay().scale > 1.4);
        let others = asked("orientation=black&board=7&theme=&hideClock=0");
        assert!(others.flip && others.boards == "7" && others.wrong.is_empty());
    }

    #[test]
    fn what_is_not_understood_is_said_with_what_can_be_written() {
        let rows = [
            ("theme=pink", "theme=contrast"),
            ("flip=x", "flip=1"),
            ("orientation=up", "orientation=black"),
            ("type=huge", "type=large"),
            ("page=last", "page=2"),
            ("round=final", "round=5"),
            ("form=latex", "form=e-pgn"),
            ("hideClock=maybe", "hideClock=1"),
            ("scale=0", "scale=1.5"),
            ("scale=NaN", "scale=1.5"),
            ("colour=red", "no such word"),
        ];
        for (query, instead) in rows {
            let wrong = asked(query).wrong;
            assert_eq!(wrong.len(), 1, "{query}");
            assert!(
                wrong[0].contains(query) && wrong[0].contains(instead),
                "{wrong:?}"
            );
        }
        let many = asked(&format!("{}=1&", "x".repeat(3_000)).repeat(50)).wrong;
        assert!(many.len() == LISTED && many.iter().all(|w| w.len() < 200));
    }
}
