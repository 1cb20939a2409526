//! One game as PGN, to be read on the screen: what is not official says so.

use protocol::{DeskRound, DeskTable, Played, ResultState, Side};

use crate::language::{Language, t};
use crate::words;

/// Columns of the movetext.
const WIDTH: usize = 74;

/// The game of a table; movetext ends before the first half-move that is no legal move.
pub fn game(l: &Language, round: &DeskRound, table: &DeskTable) -> String {
    let official = table.standing.filter(|s| s.state != ResultState::Proposed);
    let marker = official.map_or("*", |s| s.result.pgn());
    let mut text = String::new();
    let tags = [
        ("Event", words::tame(&round.event)),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", format!("{}.{}", table.round, table.table)),
        ("White", words::tame(&table.players.white.name)),
        ("Black", words::tame(&table.players.black.name)),
        ("Result", marker.to_owned()),
    ];
    let start = table.start_fen.as_ref();
    let setup = start.map(|fen| [("SetUp", "1".to_owned()), ("FEN", words::tame(fen))]);
    for (name, value) in tags.into_iter().chain(setup.into_iter().flatten()) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    let mut movetext = moves(table);
    movetext.extend(remark(l, table));
    movetext.push(marker.to_owned());
    let movetext = crate::widgets::wrap(&movetext.join(" "), WIDTH);
    format!("{text}\n{}\n", movetext.join("\n"))
}

fn moves(table: &DeskTable) -> Vec<String> {
    let black_first = table
        .record
        .first()
        .is_some_and(|ply| ply.by == Side::Black);
    let legal = table.record.iter().enumerate();
    let legal = legal.take_while(|(_, ply)| matches!(ply.played, Played::Legal(_)));
    let words = legal.flat_map(|(index, ply)| {
        let number = u32::try_from(index + 1 + usize::from(black_first)).unwrap_or(u32::MAX);
        let number = match (ply.by, index) {
            (Side::White, _) => Some(words::move_number(number)),
            (Side::Black, 0) => Some(words::move_number(number).replace('…', "...")),
            (Side::Black, _) => None,
        };
        let clock = ply
            .clock_ms
            .map(|ms| format!("{{[%clk {}]}}", words::clock(ms)));
        [number, Some(words::tame(&ply.san)), clock]
    });
    words.flatten().collect()
}

/// A result that nobody has confirmed, or an irregular half-move that the movetext leaves out.
fn remark(l: &Language, table: &DeskTable) -> Option<String> {
    let irregular = table
        .record
        .iter()
        .any(|ply| !matches!(ply.played, Played::Legal(_)));
    let proposed = table.standing.filter(|s| s.state == ResultState::Proposed);
    let words = match (proposed, irregular) {
        (Some(s), _) => t!(
            l,
            "{}, {}: proposed, not confirmed",
            s.result.text(),
            l.say(s.how.words())
        ),
        (None, true) => t!(l, "what follows is no legal move"),
        (None, false) => return None,
    };
    Some(format!("{{{words}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn pgn(number: u16) -> String {
        let venue = example::venue();
        let table = &venue.tables[&protocol::TableId(number)];
        game(&Language::default(), &venue.round, table)
    }

    #[test]
    fn a_proposed_result_is_no_result_and_says_so() {
        let text = pgn(55);
        assert!(text.contains("[Result \"*\"]"), "{text}");
        assert!(
            text.replace('\n', " ")
                .contains("proposed, not confirmed} *"),
            "{text}"
        );
    }

    #[test]
    fn a_confirmed_result_stands_in_the_tag_and_at_the_end() {
        let text = pgn(11);
        assert!(
            text.contains("[Result \"1-0\"]") && text.trim_end().ends_with("1-0"),
            "{text}"
        );
        assert!(
            text.starts_with("[Event \"Open de Lyon\"]\n[Site \"?\"]\n"),
            "{text}"
        );
        assert!(text.contains("\n\n1. "), "{text}");
    }

    #[test]
    fn a_game_that_begins_with_black_is_numbered_from_there() {
        let venue = example::venue();
        let mut table = venue.tables[&protocol::TableId(11)].clone();
        table.record.remove(0);
        let text = game(&Language::default(), &venue.round, &table);
        assert!(
            text.contains("\n\n1... e5 ") && text.contains(" 2. Nf3 "),
            "{text}"
        );
    }
}
