//! Text in columns: wrapping, and a clock in words.

use crate::language::{Language, word};
use crate::venue::Shown;
use crate::words;

/// A text in lines of at most `width` characters, broken at blanks; leading blanks are kept on every line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(4);
    let indent: String = text.chars().take_while(|c| *c == ' ').collect();
    let indent = if indent.len() + 4 > width {
        String::new()
    } else {
        indent
    };
    let mut lines = Vec::new();
    let mut line = indent.clone();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let fits = line.chars().count() + 1 + word.chars().count() <= width;
        if line.trim().is_empty() {
            line.push_str(word);
        } else if fits {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        }
        while line.chars().count() > width {
            let rest: String = line.chars().skip(width).collect();
            line = line.chars().take(width).collect();
            lines.push(std::mem::replace(&mut line, rest));
        }
    }
    lines.push(line);
    lines
}

/// A clock and its state: `0:03:42 stopped`, `≈0:03:12 runs`, `0:00:00 FLAG`.
pub fn clock_text(language: &Language, shown: Shown) -> String {
    let about = if shown.about { "≈" } else { "" };
    let state = match (shown.flag, shown.runs) {
        (true, _) => word!("FLAG"),
        (false, true) => word!("runs"),
        (false, false) => word!("stopped"),
    };
    let state = language.say(state);
    format!("{about}{}  {state}", words::clock(shown.ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_text_keeps_every_word_and_the_width() {
        let rows = [
            ("one two three", 8, vec!["one two", "three"]),
            ("", 8, vec![""]),
            ("  two words here", 10, vec!["  two", "  words", "  here"]),
            ("abcdefghij", 4, vec!["abcd", "efgh", "ij"]),
        ];
        for (text, width, want) in rows {
            assert_eq!(wrap(text, width), want, "{text:?}");
        }
    }
}
