//! PGN of everything that stands in the record, the faithful kind: irregular half-moves, corrections and rulings as comments, times.
//!
//! Movetext cannot hold an irregular half-move: a game stops before one, says so, and goes on as a game of its own from the position
//! that stood then. The file is still PGN that every reader reads. It is for the desk: it says what the public is not told.

use protocol::{DeskPly, HallBoard, HallPly, Played, lenient_position};
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

use crate::feeds::pgn::{first_move, marker, tag, tags, wrapped};
use crate::web::words::clock;

/// Something that was written down during a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// After how many half-moves.
    pub after: usize,
    /// In words.
    pub words: String,
}

/// A game with its whole record; `board` says who played and how it ended.
pub fn faithful_game(board: &HallBoard, record: &[DeskPly], notes: &[Note]) -> String {
    let mut text = String::new();
    let mut part = Part {
        start: board.start_fen.clone(),
        from: 0,
    };
    loop {
        let rest = record.get(part.from..).unwrap_or(&[]);
        let legal = rest.iter().position(|p| reached(p).is_some());
        let (plies, rest) = rest.split_at(legal.unwrap_or(rest.len()));
        let gap = Gap::of(rest, board.chess960);
        text.push_str(&part.text(board, plies, notes, &gap));
        let Some(start) = gap.start else {
            return text;
        };
        part = Part {
            start: Some(start),
            from: part.from + plies.len() + gap.plies.len(),
        };
    }
}

/// The position that an irregular half-move led to.
fn reached(ply: &DeskPly) -> Option<&str> {
    match &ply.played {
        Played::Irregular { to_fen, .. } => Some(to_fen),
        Played::Legal(_) => None,
    }
}

/// Irregular half-moves, as many as it takes to come to a position from which a game of its own can go on.
struct Gap<'a> {
    plies: &'a [DeskPly],
    /// That position; none at the end of the record.
    start: Option<String>,
}

impl Gap<'_> {
    fn of(rest: &[DeskPly], chess960: bool) -> Gap<'_> {
        let irregular: Vec<&str> = rest.iter().map_while(reached).collect();
        let first = irregular.iter().position(|fen| can_begin(fen, chess960));
        let count = first.map_or(irregular.len(), |index| index + 1);
        Gap {
            plies: &rest[..count],
            start: first.map(|index| irregular[index].to_owned()),
        }
    }

    fn words(&self) -> Option<String> {
        let names: Vec<&str> = self.plies.iter().map(|p| p.san.as_str()).collect();
        match names[..] {
            [] => None,
            [one] => Some(format!("stands here: {one}, which is no legal move")),
            _ => Some(format!(
                "stand here: {}, which are no legal moves",
                names.join(", then ")
            )),
        }
    }
}

/// Whether readers take a game that begins there: not with a king in check whose side has just moved, or without its kings.
fn can_begin(fen: &str, chess960: bool) -> bool {
    let mode = CastlingMode::from_chess960(chess960);
    let setup = fen.parse::<Fen>().map(Fen::into_setup);
    setup.is_ok_and(|setup| lenient_position(setup, mode).is_ok())
}

/// A stretch of legal half-moves.
struct Part {
    start: Option<String>,
    from: usize,
}

impl Part {
    fn text(&self, board: &HallBoard, plies: &[DeskPly], notes: &[Note], gap: &Gap<'_>) -> String {
        let moves: Vec<HallPly> = plies.iter().filter_map(DeskPly::for_hall).collect();
        let count = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        let part = HallBoard {
            start_fen: self.start.clone(),
            moves,
            settled_ply: count,
            completed_ply: count,
            clock: None,
            cut_short: false,
            ..board.clone()
        };
        let marker = if gap.start.is_some() {
            "*"
        } else {
            marker(&part)
        };
        let tags: String = tags(&part, marker)
            .iter()
            .map(|(name, value)| tag(name, value))
            .collect();
        format!(
            "{tags}\n{}\n",
            wrapped(&self.tokens(&part, notes, gap, marker))
        )
    }

    fn tokens(&self, part: &HallBoard, notes: &[Note], gap: &Gap<'_>, marker: &str) -> Vec<String> {
        let (mut number, mut black) = first_move(part);
        let mut tokens = Vec::new();
        let mut comment = self.notes(notes, 0);
        if self.from > 0 {
            comment.insert(0, "goes on after an irregular move".to_owned());
        }
        let last = part.moves.len();
        for index in 0..=last {
            if index == last {
                comment.extend(gap.words());
                // What was written down at the last of them stands where the record goes on.
                let here = usize::from(gap.start.is_none());
                let inside = last + 1..last + gap.plies.len() + here;
                comment.extend(inside.flat_map(|index| self.notes(notes, index)));
            }
            let said = !comment.is_empty();
            tokens.extend(in_braces(&comment.join("; ")));
            let Some(ply) = part.moves.get(index) else {
                break;
            };
            if !black || said || index == 0 {
                tokens.push(format!("{number}{}", if black { "..." } else { "." }));
            }
            tokens.push(ply.san.clone());
            comment = times(ply).into_iter().collect();
            comment.extend(self.notes(notes, index + 1));
            number += u32::from(black);
            black = !black;
        }
        tokens.push(marker.to_owned());
        tokens
    }

    fn notes(&self, notes: &[Note], index: usize) -> Vec<String> {
        let here = notes.iter().filter(|n| n.after == self.from + index);
        // What somebody wrote is no command to a reader.
        here.map(|n| n.words.replace("[%", "(%")).collect()
    }
}

fn times(ply: &HallPly) -> Option<String> {
    let part = |name: &str, ms: Option<u64>| ms.map(|ms| format!("[%{name} {}]", clock(ms)));
    let both: String = [part("clk", ply.clock_ms), part("emt", ply.spent_ms)]
        .into_iter()
        .flatten()
        .collect();
    (!both.is_empty()).then_some(both)
}

/// A comment as tokens that may be broken into lines; braces inside would end it.
fn in_braces(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let clean: String = text
        .chars()
        .map(|c| match c {
            '{' => '(',
            '}' => ')',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    format!("{{{clean}}}")
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use protocol::{GameResult, HallState, Side, Timestamp};

    use super::*;
    use crate::web::example::board;

    fn ply(played: Played, san: &str, by: Side) -> DeskPly {
        DeskPly {
            played,
            san: san.to_owned(),
            by,
            made_at: Timestamp(0),
            completed_at: None,
            pressed: true,
            settled: true,
            certainty: 1.0,
            clock_ms: Some(5_398_000),
            spent_ms: None,
        }
    }

    fn legal(uci: &str, san: &str, by: Side) -> DeskPly {
        ply(Played::Legal(uci.to_owned()), san, by)
    }

    #[test]
    fn what_movetext_cannot_hold_is_said_and_the_game_goes_on() {
        let mut played = board(&[]);
        (played.state, played.result) = (HallState::Over, Some(GameResult::Draw));
        let irregular = Played::Irregular {
            from_fen: String::new(),
            to_fen: "rnbqkbnr/pppp1ppp/8/4p3/8/3N4/PPPPPPPP/R1BQKBNR b KQkq - 1 2".to_owned(),
            words: "Nb1-d3".to_owned(),
        };
        let record = [
            legal("g1f3", "Nf3", Side::White),
            legal("e7e5", "e5", Side::Black),
            ply(irregular, "Nb1-d3", Side::White),
            legal("d7d5", "d5", Side::Black),
        ];
        let notes = [
            Note {
                after: 0,
                words: "arbiter {MK}".to_owned(),
            },
            Note {
                after: 2,
                words: "from here stood: Nxe5".to_owned(),
            },
            Note {
                after: 4,
                words: "ruling by MK: draw".to_owned(),
            },
        ];
        let text = faithful_game(&played, &record, &notes).replace('\n', " ");
        assert!(text.contains("{arbiter (MK)} 1. Nf3 {[%clk 1:29:58]} 1... e5 {[%clk 1:29:58]; from here stood: Nxe5; stands here: Nb1-d3, which is no legal move} *"), "{text}");
        assert!(
            text.contains(
                r#"[FEN "rnbqkbnr/pppp1ppp/8/4p3/8/3N4/PPPPPPPP/R1BQKBNR b KQkq - 1 2"]"#
            )
        );
        assert!(text.contains("{goes on after an irregular move} 2... d5 {[%clk 1:29:58]; ruling by MK: draw} 1/2-1/2"), "{text}");
        assert_eq!(text.matches("[Event ").count(), 2);
    }

    #[test]
    fn no_game_begins_where_no_reader_lets_one_begin() {
        let mut played = board(&[]);
        (played.state, played.result) = (HallState::Over, Some(GameResult::BlackWins));
        let to = |to_fen: &str, words: &str, by| {
            let irregular = Played::Irregular {
                from_fen: String::new(),
                to_fen: to_fen.to_owned(),
                words: words.to_owned(),
            };
            ply(irregular, words, by)
        };
        // White leaves his king in check, Black takes something else, White's king is taken.
        let in_check = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/7P/PPPP2P1/RNBQKBNR b KQkq - 0 3";
        let then = "rnb1kbnr/pppp1ppp/8/4p3/4P3/6qP/PPPP2P1/RNBQK1NR w KQkq - 0 4";
        let gone = "rnb1kbnr/pppp1ppp/8/4p3/4P3/7P/PPPP2P1/RNBQq1NR w kq - 0 4";
        let note = |after, words: &str| Note {
            after,
            words: words.to_owned(),
        };
        let notes = [note(1, "seen at once"), note(2, "ruled: stands")];
        let two = [
            to(in_check, "h2-h3", Side::White),
            to(then, "Qh4-g3", Side::Black),
            legal("e1e2", "Ke2", Side::White),
        ];
        let text = faithful_game(&played, &two, &notes).replace('\n', " ");
        assert!(
            text.contains(
                "{stand here: h2-h3, then Qh4-g3, which are no legal moves; seen at once} *"
            ),
            "{text}"
        );
        assert!(text.contains(then) && !text.contains(in_check), "{text}");
        assert!(
            text.contains(
                "{goes on after an irregular move; ruled: stands} 4. Ke2 {[%clk 1:29:58]} 0-1"
            ),
            "{text}"
        );
        let end = [
            to(in_check, "h2-h3", Side::White),
            to(gone, "Qh4xe1", Side::Black),
        ];
        let text = faithful_game(&played, &end, &notes).replace('\n', " ");
        assert!(text.contains("seen at once; ruled: stands} 0-1"), "{text}");
        assert_eq!(text.matches("[Event ").count(), 1, "{text}");
    }

    #[test]
    fn a_record_without_moves_is_a_game_all_the_same() {
        let text = faithful_game(&board(&[]), &[], &[]);
        assert!(text.ends_with("\n\n*\n\n"), "{text}");
    }
}
