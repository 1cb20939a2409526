//! Which tables an address asks for: `1-12,20`, or by the state of the games.

use protocol::{HallBoard, HallState, TableId};

use super::words::has_ended;

/// Tables by number; nothing listed: all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tables(Vec<(u16, u16)>);

impl Tables {
    /// The numbers and ranges of a text. What is no number is left out; a text of nothing else means no table, an empty one all.
    pub fn of(text: &str) -> Tables {
        if text.trim().is_empty() {
            return Tables::default();
        }
        let ranges: Vec<_> = text.split(',').filter_map(range).collect();
        // Table 0 does not exist.
        Tables(if ranges.is_empty() {
            vec![(0, 0)]
        } else {
            ranges
        })
    }

    /// Whether a text is a list of numbers and ranges and nothing else.
    pub fn is_list(text: &str) -> bool {
        text.trim().is_empty() || text.split(',').all(|part| range(part).is_some())
    }

    /// Whether a table is one of them.
    pub fn has(&self, table: TableId) -> bool {
        let within = |(from, to): &(u16, u16)| (*from..=*to).contains(&table.0);
        self.0.is_empty() || self.0.iter().any(within)
    }

    /// A text for these tables, numbers that follow one another as ranges.
    pub fn text(tables: impl IntoIterator<Item = TableId>) -> String {
        let mut ranges: Vec<(u16, u16)> = Vec::new();
        for TableId(number) in tables {
            match ranges.last_mut() {
                Some((_, to)) if to.checked_add(1) == Some(number) => *to = number,
                _ => ranges.push((number, number)),
            }
        }
        let words = ranges.iter().map(|(from, to)| match from == to {
            true => from.to_string(),
            false => format!("{from}-{to}"),
        });
        words.collect::<Vec<_>>().join(",")
    }
}

fn range(part: &str) -> Option<(u16, u16)> {
    let (from, to) = part.split_once('-').unwrap_or((part, part));
    let number = |text: &str| text.trim().parse::<u16>().ok();
    number(from).zip(number(to))
}

/// What can be asked for by the state of the games.
const STATES: [&str; 3] = ["playing", "over", "scramble"];

/// Whether the tables are chosen by the state of their games: they are others soon.
pub fn is_by_state(text: &str) -> bool {
    STATES.contains(&text)
}

/// Why a text chooses no tables, for its reader; none: it can be understood.
pub fn complaint(text: &str) -> Option<String> {
    let understood = is_by_state(text) || Tables::is_list(text);
    (!understood).then(|| no_list(text) + ", or playing, over or scramble")
}

/// That a text is no list of tables.
pub fn no_list(text: &str) -> String {
    let text: String = text.chars().take(40).collect();
    format!("\u{201c}{text}\u{201d} is no list of boards: write boards=1-12,20")
}

/// The tables of `1-12,20`, all for an empty text; what is no number is left out. By the state of the games: `playing`, `over` (a mate on
/// the board that nobody has confirmed is one), and `scramble`, the eight that are played with the least time, least first.
pub fn chosen(text: &str, boards: &[&HallBoard]) -> Vec<TableId> {
    let those = |are: fn(&HallBoard) -> bool| {
        let of = boards.iter().filter(|b| are(b));
        of.map(|b| b.table).collect()
    };
    match text {
        "playing" => those(is_played),
        "over" => those(has_ended),
        "scramble" => scramble(boards),
        numbers => {
            let wanted = Tables::of(numbers);
            let tables = boards.iter().map(|b| b.table);
            tables.filter(|t| wanted.has(*t)).collect()
        }
    }
}

/// The boards whose number or whose player's name a reader typed.
pub fn found<'a>(text: &str, boards: Vec<&'a HallBoard>) -> Vec<&'a HallBoard> {
    let wanted = text.trim().to_lowercase();
    let is_it = |board: &&HallBoard| {
        let named = |name: &str| name.to_lowercase().contains(&wanted);
        match wanted.parse::<u16>() {
            Ok(number) => board.table.0 == number,
            Err(_) => named(&board.players.white.name) || named(&board.players.black.name),
        }
    };
    boards
        .into_iter()
        .filter(|b| wanted.is_empty() || is_it(b))
        .collect()
}

fn is_played(board: &HallBoard) -> bool {
    let begun = matches!(board.state, HallState::Playing | HallState::Paused);
    begun && !has_ended(board)
}

fn scramble(boards: &[&HallBoard]) -> Vec<TableId> {
    const MOST: usize = 8;
    let time = |b: &&HallBoard| {
        let played = b.state == HallState::Playing && is_played(b);
        let view = b.clock.filter(|_| played)?;
        Some((view.time.white.min(view.time.black), b.table))
    };
    let mut by_time: Vec<_> = boards.iter().filter_map(time).collect();
    by_time.sort_unstable();
    by_time
        .into_iter()
        .take(MOST)
        .map(|(_, table)| table)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::example::board;

    #[test]
    fn lists_of_tables_are_read_and_written() {
        let rows = [
            ("", &[1, 2, 3, 20, 65_535][..], true),
            ("1-3,20", &[1, 2, 3, 20], true),
            (" 3 , 20 ", &[3, 20], true),
            ("2-1", &[], true),
            ("x", &[], false),
            ("1-,3", &[3], false),
            ("3,-1", &[3], false),
            ("70000", &[], false),
        ];
        for (text, want, whole) in rows {
            let tables = Tables::of(text);
            let has: Vec<u16> = [1, 2, 3, 20, 65_535]
                .into_iter()
                .filter(|n| tables.has(TableId(*n)))
                .collect();
            assert_eq!(has, want, "{text:?}");
            assert_eq!(Tables::is_list(text), whole, "{text:?}");
        }
        let written = Tables::text([1, 2, 3, 7, 9, 10].map(TableId));
        assert_eq!(written, "1-3,7,9-10");
    }

    #[test]
    fn what_chooses_no_table_is_said() {
        for text in ["", "9", "1-12,20", "playing", "over", "scramble"] {
            assert_eq!(complaint(text), None, "{text}");
        }
        for text in ["9-x", "x", "1,,2", "1-2-3", "Playing", "-", "1;2", "99999"] {
            let said = complaint(text).expect(text);
            assert!(said.contains(text) && said.contains("1-12,20"), "{said}");
        }
        let long = complaint(&"x".repeat(5_000)).expect("no list");
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn a_mate_on_the_board_is_over_for_a_wall() {
        let (mate, goes_on) = (board(&["f3", "e5", "g4", "Qh4#"]), board(&["f3", "e5"]));
        for (text, over, playing) in [("over", 1, 0), ("playing", 0, 1), ("scramble", 0, 1)] {
            assert_eq!(chosen(text, &[&mate]).len(), over, "{text}");
            assert_eq!(chosen(text, &[&goes_on]).len(), playing, "{text}");
        }
    }

    #[test]
    fn a_player_or_a_board_is_found() {
        let (mut one, two) = (board(&[]), board(&[]));
        one.table = TableId(3);
        one.players.white.name = "Żółw, Ewa".into();
        let all = vec![&one, &two];
        let rows = [
            ("", 2),
            ("żółw", 1),
            ("3", 1),
            ("kuznetsova", 2),
            ("nobody", 0),
            ("<b>", 0),
        ];
        for (text, count) in rows {
            assert_eq!(found(text, all.clone()).len(), count, "{text}");
        }
    }
}
