//! What a host is told, as the JSON lines that `zeitnot-agent infer` reads.

use shakmaty::{ByColor, File, Rank, Square};

use super::super::act::Millis;
use super::link::{Reading, Sensed};

/// One event as a line of JSON, without the line's end.
pub fn json_line(at: Millis, sensed: &Sensed) -> String {
    let body = match sensed {
        Sensed::Square {
            square,
            reading: Reading::Empty,
        } => format!(r#""square":"{square}","piece":null"#),
        Sensed::Square { square, reading } => {
            format!(r#""square":"{square}","piece":"{}""#, letter(*reading))
        }
        Sensed::Dump(board) => format!(r#""dump":"{}""#, picture(board)),
        Sensed::Press { by, shown } => format!(
            r#""clock":"{}",{}"#,
            by.fold_wb("white", "black"),
            seconds(shown)
        ),
        Sensed::ClockSet { shown } => format!(r#""clock_state":"set",{}"#, seconds(shown)),
        Sensed::ClockRuns { runs: true, shown } => {
            format!(r#""clock_state":"running",{}"#, seconds(shown))
        }
        Sensed::ClockRuns { runs: false, shown } => {
            format!(r#""clock_state":"stopped",{}"#, seconds(shown))
        }
        Sensed::Link { up } => format!(r#""link":"{}""#, if *up { "up" } else { "down" }),
    };
    format!(r#"{{"t_ms":{at},{body}}}"#)
}

fn seconds(shown: &ByColor<u64>) -> String {
    format!(r#""wtime":{},"btime":{}"#, shown.white, shown.black)
}

/// The 64 squares from a8 to h1.
fn picture(board: &[Reading; 64]) -> String {
    let ranks = Rank::ALL.into_iter().rev();
    let squares = ranks.flat_map(|rank| {
        File::ALL
            .into_iter()
            .map(move |file| Square::from_coords(file, rank))
    });
    squares
        .map(|square| letter(board[square.to_usize()]))
        .collect()
}

fn letter(reading: Reading) -> char {
    match reading {
        Reading::Empty => '.',
        Reading::Piece(piece) => piece.char(),
        Reading::Something => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    #[test]
    fn every_event_is_a_line() {
        let shown = ByColor {
            white: 300,
            black: 299,
        };
        let mut board = Box::new([Reading::Empty; 64]);
        board[Square::A8.to_usize()] = Reading::Piece(Color::Black.rook());
        board[Square::H1.to_usize()] = Reading::Something;
        let dump = format!(r#"{{"t_ms":9,"dump":"r{}?"}}"#, ".".repeat(62));
        let pawn = Reading::Piece(Color::White.pawn());
        let rows = [
            (
                Sensed::Square {
                    square: Square::E2,
                    reading: Reading::Empty,
                },
                r#"{"t_ms":9,"square":"e2","piece":null}"#,
            ),
            (
                Sensed::Square {
                    square: Square::E4,
                    reading: pawn,
                },
                r#"{"t_ms":9,"square":"e4","piece":"P"}"#,
            ),
            (
                Sensed::Press {
                    by: Color::White,
                    shown,
                },
                r#"{"t_ms":9,"clock":"white","wtime":300,"btime":299}"#,
            ),
            (
                Sensed::ClockSet { shown },
                r#"{"t_ms":9,"clock_state":"set","wtime":300,"btime":299}"#,
            ),
            (
                Sensed::ClockRuns { runs: true, shown },
                r#"{"t_ms":9,"clock_state":"running","wtime":300,"btime":299}"#,
            ),
            (Sensed::Link { up: false }, r#"{"t_ms":9,"link":"down"}"#),
            (Sensed::Dump(board), &dump),
        ];
        for (sensed, expected) in rows {
            assert_eq!(json_line(9, &sensed), expected);
        }
    }
}
