//! The way of a game through the board's own log: what of it nobody heard.

use shakmaty::{Piece, Square};

use crate::devices::{LogEntry, Placement};

/// Changes of squares that are remembered, to find their place in the log.
const TRAIL: usize = 32;

/// A square that changed and what it held afterwards.
pub(super) type Change = (Square, Option<Piece>);

/// The squares that changed last, oldest first, as words: `e2` emptied and `e4P` filled.
pub(super) fn trail_after(trail: &str, changes: impl IntoIterator<Item = Change>) -> String {
    let mut words: Vec<String> = trail.split_whitespace().map(str::to_owned).collect();
    words.extend(changes.into_iter().map(word));
    let spare = words.len().saturating_sub(TRAIL);
    words[spare..].join(" ")
}

/// The end of the way through a whole log.
pub(super) fn trail_of(news: &[News]) -> String {
    let stood = |news: &News| matches!(news, News::Stood(_));
    let from = news.iter().rposition(stood).map_or(0, |at| at + 1);
    let changes = news[from..].iter().filter_map(|news| match news {
        News::Entry(entry) => change_of(entry),
        News::Stood(_) | News::Power => None,
    });
    trail_after("", changes)
}

/// What a log tells that is news.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum News {
    /// What the board wrote down when it happened.
    Entry(LogEntry),
    /// What stood on the board when power came again: how it came to stand there, nobody saw.
    Stood(Box<Placement>),
    /// Power came, and what stood on the board then stood there before.
    Power,
}

impl News {
    /// What was played without power is in no log.
    pub(super) fn hides(&self) -> bool {
        matches!(self, News::Stood(_) | News::Power)
    }
}

/// Where in a log we stopped listening.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// What it tells after that.
    pub(super) rest: &'a [News],
    /// The board after all of it.
    pub(super) board: Placement,
    /// It cannot have been elsewhere.
    pub(super) only: bool,
}

/// The news after the board last stood as it was last understood, and the board after all of them; none when the log does
/// not go back so far. `trail` are the changes heard before; where it fits best is where we stopped listening.
pub(super) fn unheard<'a>(news: &'a [News], before: &Placement, trail: &str) -> Option<Place<'a>> {
    let trail: Vec<Change> = trail.split_whitespace().filter_map(change).collect();
    let mut board = Placement::EMPTY;
    let mut said: Vec<Change> = Vec::new();
    let (mut stood, mut best): (_, Option<(usize, usize, bool)>) = (None, None);
    for (at, news) in news.iter().enumerate() {
        match *news {
            News::Entry(LogEntry::Square { square, piece, .. }) => {
                board.set(square, piece);
                said.push((square, piece));
            }
            News::Entry(LogEntry::StartPosition(_)) => {
                board = Placement::start();
                said.clear();
            }
            News::Entry(LogEntry::BoardEmpty) => board = Placement::EMPTY,
            News::Entry(_) | News::Power => continue,
            News::Stood(ref stood) => {
                board = **stood;
                said.clear();
            }
        }
        if board == *before {
            stood = Some(at + 1);
        }
        let whole = said == trail;
        let fits = common_end(&said, &trail) + usize::from(whole);
        if let Some(from) = stood
            && best.is_none_or(|(most, ..)| fits >= most)
        {
            let as_good = |&(most, before, only)| most < fits || (before == from && only);
            best = Some((fits, from, best.as_ref().is_none_or(as_good)));
        }
    }
    best.map(|(_, from, only)| Place {
        rest: &news[from..],
        board,
        only,
    })
}

/// The log without what is no news: everything the board wrote down once more when power came counts only where it differs.
pub(super) fn news(entries: &[LogEntry]) -> Vec<News> {
    let mut news = Vec::with_capacity(entries.len());
    let mut board = Placement::EMPTY;
    let mut rest = entries;
    while let [entry, after @ ..] = rest {
        rest = after;
        match *entry {
            LogEntry::PowerUp => {
                let (stands, length) = written_down(rest);
                rest = &rest[length..];
                news.push(match stands != board {
                    true => News::Stood(Box::new(stands)),
                    false => News::Power,
                });
                board = stands;
            }
            LogEntry::Square { square, piece, .. } if board.at(square) == piece => {}
            LogEntry::Square { square, piece, .. } => {
                board.set(square, piece);
                news.push(News::Entry(*entry));
            }
            other => news.push(News::Entry(other)),
        }
        match entry {
            LogEntry::StartPosition(_) => board = Placement::start(),
            LogEntry::BoardEmpty => board = Placement::EMPTY,
            _ => {}
        }
    }
    news
}

/// Everything on the board, as it is written down when power comes, and how many entries that takes.
fn written_down(entries: &[LogEntry]) -> (Placement, usize) {
    let mut board = Placement::EMPTY;
    let mut length = 0;
    for entry in entries {
        match change_of(entry) {
            Some((square, piece @ Some(_))) if board.at(square).is_none() => {
                board.set(square, piece);
            }
            _ => break,
        }
        length += 1;
    }
    (board, length)
}

/// How many of the last changes are the same.
fn common_end(said: &[Change], trail: &[Change]) -> usize {
    let pairs = said.iter().rev().zip(trail.iter().rev());
    pairs.take_while(|(one, other)| one == other).count()
}

fn change_of(entry: &LogEntry) -> Option<Change> {
    match *entry {
        LogEntry::Square { square, piece, .. } => Some((square, piece)),
        _ => None,
    }
}

fn word((square, piece): Change) -> String {
    let piece = piece.map(Piece::char);
    square.to_string() + &piece.map(String::from).unwrap_or_default()
}

fn change(word: &str) -> Option<Change> {
    let square = word.get(..2)?.parse().ok()?;
    let piece = word.chars().nth(2);
    Some((square, piece.and_then(Piece::from_char)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::Orientation;

    fn entry(text: &str) -> LogEntry {
        match text {
            "start" => LogEntry::StartPosition(Orientation::Normal),
            "power" => LogEntry::PowerUp,
            text => {
                let (square, piece) = change(text).expect("a change");
                LogEntry::Square {
                    square,
                    piece,
                    fast: false,
                }
            }
        }
    }

    fn log(text: &str) -> Vec<LogEntry> {
        text.split_whitespace().map(entry).collect()
    }

    #[test]
    fn only_what_nobody_heard_is_heard_again() {
        let shuffled = "start g1 f3N b8 c6n f3 g1N c6 b8n g1 f3N";
        let rows = [
            ("start e2 e4P e7 e5p", "e2 e4P", Some(2)),
            ("start e2 e4P e7 e5p", "", Some(4)),
            ("start e2 e4P e7 e5p", "d2 d4P", None),
            ("a2 start g1 f3N f3 g1N e2 e4P", "g1 f3N f3 g1N", Some(2)),
            (shuffled, "g1 f3N", Some(8)),
            (shuffled, "g1 f3N b8 c6n f3 g1N c6 b8n g1 f3N", Some(0)),
        ];
        for (text, heard, rest) in rows {
            let mut before = Placement::start();
            for (square, piece) in heard.split_whitespace().filter_map(change) {
                before.set(square, piece);
            }
            let news: Vec<News> = log(text).into_iter().map(News::Entry).collect();
            let found = unheard(&news, &before, heard);
            assert_eq!(found.map(|found| found.rest.len()), rest, "{text}");
        }
    }

    #[test]
    fn what_is_written_down_when_power_comes_is_news_only_where_it_differs() {
        let rows = [
            ("a1R b1N power a1R b1N a1", "a1R b1N power a1"),
            ("a1R b1N power a1R c3N a1", "a1R b1N (a1c3) a1"),
            ("power a1R b1N", "(a1b1)"),
            ("a1R a1R a1 a1", "a1R a1"),
        ];
        for (text, rest) in rows {
            let words: Vec<String> = news(&log(text)).iter().map(said).collect();
            assert_eq!(words.join(" "), rest, "{text}");
        }
    }

    fn said(news: &News) -> String {
        match news {
            News::Entry(entry) => change_of(entry).map(word).unwrap_or_default(),
            News::Power => "power".to_owned(),
            News::Stood(board) => {
                let squares = Square::ALL
                    .into_iter()
                    .filter(|&square| board.at(square).is_some());
                let squares: String = squares.map(|square| square.to_string()).collect();
                format!("({squares})")
            }
        }
    }

    #[test]
    fn a_trail_keeps_its_end() {
        let long = "e2 e4P ".repeat(40);
        let trail = trail_after(&long, [(Square::A1, None)]);
        assert_eq!(trail.split_whitespace().count(), TRAIL);
        assert!(trail.ends_with("e4P a1"), "{trail}");
    }
}
