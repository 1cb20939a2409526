//! The hub's sentences in another language: rows with gaps; what stands in a gap is said in the same way.

use std::collections::HashMap;

/// Sentences within sentences are looked into no deeper than this.
const DEEPEST: usize = 8;

/// What stands between two sentences; a language may have it otherwise, by a row of its file.
const BETWEEN: [&str; 6] = ["; ", ". ", " · ", "  ", ": ", ", "];

/// All rows of a language; none in English, in which the hub writes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sentences {
    whole: HashMap<String, String>,
    /// Those with most letters come first: they say most exactly what is meant.
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    parts: Vec<String>,
    said: String,
}

impl Sentences {
    /// Rows as the language's file has them, `{}` for each gap.
    pub(crate) fn new(sent: HashMap<String, String>) -> Sentences {
        let (rows, whole): (HashMap<_, _>, HashMap<_, _>) = sent
            .into_iter()
            .partition(|(english, _)| english.contains("{}"));
        let mut rows: Vec<Row> = rows.into_iter().map(Row::new).collect();
        rows.sort_by_key(|row| (usize::MAX - row.letters(), row.parts.clone()));
        Sentences { whole, rows }
    }

    /// Every sentence that the language knows, with what it makes of it.
    pub(crate) fn all(&self) -> impl Iterator<Item = (String, &str)> {
        let whole = self.whole.iter();
        let whole = whole.map(|(english, said)| (english.clone(), said.as_str()));
        let rows = self.rows.iter();
        whole.chain(rows.map(|row| (row.parts.join("{}"), row.said.as_str())))
    }

    /// A sentence as the language has it; what it does not know stays as it is.
    pub(crate) fn say(&self, sentence: &str) -> String {
        if self.whole.is_empty() {
            return sentence.to_owned();
        }
        self.within(sentence, 0)
    }

    fn within(&self, text: &str, depth: usize) -> String {
        if text.is_empty() || depth > DEEPEST {
            return text.to_owned();
        }
        let known = self.known(text, depth);
        let known = known.or_else(|| self.without_its_end(text, depth));
        let known = known.or_else(|| self.begun_small(text, depth));
        known
            .or_else(|| self.in_pieces(text, depth))
            .unwrap_or_else(|| text.to_owned())
    }

    /// As a whole, or by the row that fits.
    fn known(&self, text: &str, depth: usize) -> Option<String> {
        if let Some(said) = self.whole.get(text) {
            return Some(said.clone());
        }
        let fits = |row: &Row| row.gaps(text).map(|gaps| (row.said.clone(), gaps));
        let (said, gaps) = self.rows.iter().find_map(fits)?;
        let gaps: Vec<String> = gaps.iter().map(|g| self.within(g, depth + 1)).collect();
        let gaps: Vec<&dyn std::fmt::Display> = gaps.iter().map(|g| g as _).collect();
        Some(crate::language::filled(&said, &gaps))
    }

    /// Without the full stop, or without the article in brackets.
    fn without_its_end(&self, text: &str, depth: usize) -> Option<String> {
        if let Some(rest) = text.strip_suffix('.') {
            let said = self.within(rest, depth + 1);
            return (said != rest).then(|| said + ".");
        }
        let (rest, bracket) = text.strip_suffix(')')?.rsplit_once(" (")?;
        let said = format!(
            "{} ({})",
            self.within(rest, depth + 1),
            self.within(bracket, depth + 1)
        );
        Some(said)
    }

    /// The hub begins a sentence with a capital that is known without one.
    fn begun_small(&self, text: &str, depth: usize) -> Option<String> {
        let first = text.chars().next().filter(|c| c.is_uppercase())?;
        let small = format!("{}{}", first.to_lowercase(), &text[first.len_utf8()..]);
        let said = self.known(&small, depth)?;
        let mut letters = said.chars();
        let first = letters.next()?;
        Some(first.to_uppercase().chain(letters).collect())
    }

    fn in_pieces(&self, text: &str, depth: usize) -> Option<String> {
        BETWEEN.iter().find_map(|between| {
            let (before, after) = text.split_once(between)?;
            let (before, after) = (self.within(before, depth), self.within(after, depth));
            let between = self.whole.get(*between).map_or(*between, String::as_str);
            Some(format!("{before}{between}{after}"))
        })
    }
}

impl Row {
    fn new((english, said): (String, String)) -> Row {
        let parts = english.split("{}").map(str::to_owned).collect();
        Row { parts, said }
    }

    fn letters(&self) -> usize {
        self.parts.iter().map(String::len).sum()
    }

    /// What stands in the gaps of this row; none where the text is another sentence.
    fn gaps<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.parts.split_first()?;
        let (last, middle) = others.split_last()?;
        let mut rest = text
            .strip_prefix(first.as_str())?
            .strip_suffix(last.as_str())?;
        let mut gaps = Vec::with_capacity(others.len());
        for (at, part) in middle.iter().enumerate() {
            // What ends the sentence is the last of its kind: an article in brackets after others.
            let (gap, after) = match at + 1 == middle.len() && part.starts_with(" (") {
                true => rest.rsplit_once(part.as_str())?,
                false => rest.split_once(part.as_str())?,
            };
            gaps.push(gap);
            rest = after;
        }
        gaps.push(rest);
        let begins_elsewhere = first.is_empty() && is_several(gaps[0]);
        let fits = !begins_elsewhere && gaps.iter().all(|gap| !gap.is_empty());
        fits.then_some(gaps)
    }
}

/// Whether more than one sentence stands here.
fn is_several(text: &str) -> bool {
    BETWEEN[..5].iter().any(|between| text.contains(between))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_found_whole_by_their_gaps_and_in_pieces() {
        let rows = [
            ("White", "Blancs"),
            ("; ", " ; "),
            (": ", " : "),
            ("flag fallen", "drapeau tombé"),
            ("{} pressed", "les {} ont pressé"),
            (
                "the {} on {} cannot move to {}",
                "{0} de {1} : pas vers {2}",
            ),
            ("{} by {}", "{} par {}"),
            (
                "No. {} by {}: {} +{}:00 ({}).",
                "N° {} des {} : {} +{}:00 ({}).",
            ),
        ];
        let rows = rows.map(|(english, said)| (english.to_owned(), said.to_owned()));
        let sentences = Sentences::new(rows.into_iter().collect());
        let told = [
            ("flag fallen", "drapeau tombé"),
            ("Flag fallen.", "Drapeau tombé."),
            (
                "5… Bxf3  White pressed  1:30",
                "5… Bxf3  les Blancs ont pressé  1:30",
            ),
            (
                "The knight on g1 cannot move to g4 (3.6).",
                "Knight de g1 : pas vers g4 (3.6).",
            ),
            (
                "No. 1 by White: Black +2:00 (7.5.5).",
                "N° 1 des Blancs : Black +2:00 (7.5.5).",
            ),
            (
                "Something else; White pressed",
                "Something else ; les Blancs ont pressé",
            ),
            ("by", "by"),
            ("", ""),
        ];
        for (english, want) in told {
            assert_eq!(sentences.say(english), want);
        }
        assert_eq!(Sentences::default().say("White pressed"), "White pressed");
    }
}
