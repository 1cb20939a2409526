//! The fields of a dialog and what keys do to them.

use crate::key::{Code, Key};
use crate::language::word;
use crate::words::read_change;

/// One thing to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choose {
    /// A heading above it: "The Laws say (7.5.5)".
    pub heading: Option<String>,
    /// What it is.
    pub words: String,
    /// What it means: "0 – 1".
    pub effect: String,
}

impl Choose {
    /// A choice without heading and effect.
    pub fn plain(words: &str) -> Choose {
        Choose {
            words: words.to_owned(),
            ..Choose::default()
        }
    }

    /// A choice with its meaning.
    pub fn with(words: &str, effect: &str) -> Choose {
        Choose {
            effect: effect.to_owned(),
            ..Choose::plain(words)
        }
    }

    /// The same below a heading.
    pub fn under(self, heading: &str) -> Choose {
        Choose {
            heading: Some(heading.to_owned()),
            ..self
        }
    }
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// One of several, below each other with numbers.
    List(Vec<Choose>, usize),
    /// One of several, beside each other; numbered if short.
    Row(Vec<Choose>, usize),
    /// A change of time as text: `+2:00`.
    Change(String),
    /// A line of text.
    Text(String),
    /// A box to tick.
    Tick(bool),
}

/// A named field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name, also the label before it.
    pub name: &'static str,
    /// What it holds.
    pub held: Held,
}

/// The fields of a dialog, one of them in hand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// The fields, in reading order.
    pub fields: Vec<Field>,
    /// Which is in hand.
    pub at: usize,
}

/// What a key did to a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    /// Something that matters for the ruling changed.
    Changed,
    /// Only the place or a note changed.
    Moved,
    /// The key means nothing here.
    Nothing,
}

impl Form {
    /// A form of these fields.
    pub fn new(fields: Vec<(&'static str, Held)>) -> Form {
        let fields = fields.into_iter().map(|(name, held)| Field { name, held });
        Form {
            fields: fields.collect(),
            at: 0,
        }
    }

    fn held(&self, name: &str) -> Option<&Held> {
        self.fields.iter().find(|f| f.name == name).map(|f| &f.held)
    }

    /// The chosen index of a list or row, 0 where there is none.
    pub fn chosen(&self, name: &str) -> usize {
        match self.held(name) {
            Some(Held::List(_, at) | Held::Row(_, at)) => *at,
            _ => 0,
        }
    }

    /// Turns the tick of a box; false where there is no such box.
    pub fn turn_tick(&mut self, name: &str) -> bool {
        let field = self.fields.iter_mut().find(|f| f.name == name);
        match field.map(|f| &mut f.held) {
            Some(Held::Tick(on)) => {
                *on = !*on;
                true
            }
            _ => false,
        }
    }

    /// The text of a field, empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        match self.held(name) {
            Some(Held::Text(text) | Held::Change(text)) => text.trim(),
            _ => "",
        }
    }

    /// Milliseconds of a change of time, none for what is no time; an empty field is no change.
    pub fn change(&self, name: &str) -> Option<i64> {
        match self.text(name) {
            "" => Some(0),
            text => read_change(text),
        }
    }

    /// Whether a box is ticked.
    pub fn ticked(&self, name: &str) -> bool {
        matches!(self.held(name), Some(Held::Tick(true)))
    }

    /// Chooses in a list or row.
    pub fn choose(&mut self, name: &str, index: usize) {
        let field = self.fields.iter_mut().find(|f| f.name == name);
        if let Some(Held::List(_, at) | Held::Row(_, at)) = field.map(|f| &mut f.held) {
            *at = index;
        }
    }

    /// What a field offers: number, words and effect of each choice.
    pub fn options(&self, field: usize) -> Option<Vec<(usize, &str, &str)>> {
        let (Held::List(options, _) | Held::Row(options, _)) = &self.fields.get(field)?.held else {
            return None;
        };
        let all = options.iter().enumerate();
        Some(
            all.map(|(i, o)| (i, o.words.as_str(), o.effect.as_str()))
                .collect(),
        )
    }

    /// Writes a text into a field.
    pub fn write(&mut self, name: &str, text: &str) {
        let field = self.fields.iter_mut().find(|f| f.name == name);
        if let Some(Held::Text(old) | Held::Change(old)) = field.map(|f| &mut f.held) {
            *old = text.chars().take(200).collect();
        }
    }

    /// Writes a text into the first field for text that is no note.
    pub fn write_first(&mut self, text: &str) {
        let texts = |f: &&Field| f.name != NOTE && matches!(f.held, Held::Text(_));
        if let Some(name) = self.fields.iter().find(texts).map(|f| f.name) {
            self.write(name, text);
        }
    }

    /// Whether letters go into the field in hand.
    pub fn is_writing(&self) -> bool {
        let field = self.fields.get(self.at).map(|f| &f.held);
        matches!(field, Some(Held::Text(_) | Held::Change(_)))
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Touched {
        match key.code {
            Code::Tab => self.step(1),
            Code::BackTab => self.step(-1),
            Code::Down => self.down(),
            Code::Up => self.up(),
            _ => self.edit(key),
        }
    }

    fn step(&mut self, by: isize) -> Touched {
        let n = self.fields.len().max(1);
        self.at = (self.at + n).saturating_add_signed(by) % n;
        Touched::Moved
    }

    fn down(&mut self) -> Touched {
        let last = self.at + 1 >= self.fields.len();
        match self.fields.get_mut(self.at).map(|f| &mut f.held) {
            Some(Held::List(options, at)) if *at + 1 < options.len() => {
                *at += 1;
                Touched::Changed
            }
            _ if last => Touched::Moved,
            _ => self.step(1),
        }
    }

    fn up(&mut self) -> Touched {
        match self.fields.get_mut(self.at).map(|f| &mut f.held) {
            Some(Held::List(_, at)) if *at > 0 => {
                *at -= 1;
                Touched::Changed
            }
            _ if self.at > 0 => self.step(-1),
            _ => Touched::Moved,
        }
    }

    fn edit(&mut self, key: Key) -> Touched {
        let Some(field) = self.fields.get_mut(self.at) else {
            return Touched::Nothing;
        };
        let note = field.name == NOTE;
        let changed = match &mut field.held {
            Held::List(options, at) => pick(options.len(), at, key, false),
            Held::Row(options, at) => pick(options.len(), at, key, true),
            Held::Change(text) => write(text, key, |c| "+-:m".contains(c) || c.is_ascii_digit(), 9),
            Held::Text(text) => write(text, key, |c| !c.is_control(), 200),
            Held::Tick(on) if key.letter() == Some(' ') => {
                *on = !*on;
                true
            }
            Held::Tick(_) => false,
        };
        match (changed, note) {
            (true, false) => Touched::Changed,
            (true, true) => Touched::Moved,
            (false, _) => Touched::Nothing,
        }
    }
}

/// The field whose text goes into the journal and changes no preview.
pub const NOTE: &str = word!("Note");

fn pick(options: usize, at: &mut usize, key: Key, sideways: bool) -> bool {
    let wanted = match (key.code, key.digit()) {
        (_, Some(digit)) if (1..=options).contains(&digit) => digit - 1,
        (Code::Left, _) if sideways => at.saturating_sub(1),
        (Code::Right, _) if sideways => (*at + 1).min(options.saturating_sub(1)),
        _ => return false,
    };
    *at = wanted;
    true
}

fn write(text: &mut String, key: Key, fits: impl Fn(char) -> bool, most: usize) -> bool {
    match (key.code, key.letter()) {
        (Code::Backspace, _) => text.pop().is_some(),
        (_, Some(c)) if fits(c) && text.chars().count() < most => {
            text.push(c);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::keys;

    fn form() -> Form {
        let options = || {
            vec![
                Choose::plain("one"),
                Choose::plain("two"),
                Choose::plain("three"),
            ]
        };
        Form::new(vec![
            ("What", Held::List(options(), 0)),
            ("How", Held::Row(options(), 0)),
            ("White", Held::Change(String::new())),
            ("Signed", Held::Tick(false)),
            (NOTE, Held::Text(String::new())),
        ])
    }

    #[test]
    fn keys_walk_choose_write_and_tick() {
        let rows = [
            ("3", 2, 0, 0, false, ""),
            ("down down down right", 2, 1, 0, false, ""),
            ("4", 0, 0, 0, false, ""),
            ("tab 2 tab + 2 : 0 0 x", 0, 1, 120_000, false, ""),
            ("backtab h i backspace backtab space", 0, 0, 0, true, "h"),
        ];
        for (text, what, how, white, signed, note) in rows {
            let mut form = form();
            for key in keys(text).expect("keys") {
                form.key(key);
            }
            assert_eq!(form.chosen("What"), what, "{text}");
            assert_eq!(form.chosen("How"), how, "{text}");
            assert_eq!(form.change("White"), Some(white), "{text}");
            assert_eq!(form.ticked("Signed"), signed, "{text}");
            assert_eq!(form.text(NOTE), note, "{text}");
        }
    }
}
