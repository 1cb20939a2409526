//! A board with marked squares: as text for the terminal, as SVG for a case file.

use std::fmt::Write;

use shakmaty::{Bitboard, Board, File, Rank, Role, Square};

/// Eight lines from the eighth rank down and a line of files; marked squares stand in brackets, empty ones are dots.
pub fn text(board: &Board, marked: Bitboard) -> String {
    let mut lines = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(lines, "{} ", rank.char());
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let man = board.piece_at(square).map_or('.', |piece| piece.char());
            let (open, close) = if marked.contains(square) {
                ('[', ']')
            } else {
                (' ', ' ')
            };
            let _ = write!(lines, "{open}{man}{close}");
        }
        lines.push('\n');
    }
    lines.push_str("   a  b  c  d  e  f  g  h\n");
    lines
}

const SIZE: u32 = 45;
const EDGE: u32 = 20;

/// The same as a drawing of 380 by 380 units, made of rectangles and letters only, so that it needs no fonts for chess.
pub fn svg(board: &Board, marked: Bitboard) -> String {
    let side = 8 * SIZE + EDGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n"
    );
    for square in Square::ALL {
        draw_square(&mut svg, board, square, marked.contains(square));
    }
    for (i, file) in (0u32..).zip(File::ALL) {
        let (x, y) = (EDGE + i * SIZE + SIZE / 2, side - 5);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"12\">{}</text>",
            file.char()
        );
    }
    for (i, rank) in (0u32..).zip(Rank::ALL) {
        let y = (7 - i) * SIZE + SIZE / 2 + 4;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{y}\" font-size=\"12\">{}</text>",
            EDGE / 2,
            rank.char()
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_square(svg: &mut String, board: &Board, square: Square, marked: bool) {
    let (x, y) = (
        EDGE + u32::from(square.file()) * SIZE,
        (7 - u32::from(square.rank())) * SIZE,
    );
    let colour = match (marked, square.is_light()) {
        (true, true) => "#f6d98a",
        (true, false) => "#d9b14a",
        (false, true) => "#f0ede4",
        (false, false) => "#b5b0a2",
    };
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{colour}\"/>"
    );
    let Some(piece) = board.piece_at(square) else {
        return;
    };
    let (fill, ink) = piece
        .color
        .fold_wb(("#ffffff", "#000000"), ("#000000", "#ffffff"));
    let (cx, cy) = (x + SIZE / 2, y + SIZE / 2);
    let letter = match piece.role {
        Role::Pawn => 'P',
        role => role.upper_char(),
    };
    let _ = writeln!(
        svg,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"17\" fill=\"{fill}\" stroke=\"#000000\"/>"
    );
    let _ = writeln!(
        svg,
        "<text x=\"{cx}\" y=\"{}\" font-size=\"20\" fill=\"{ink}\">{letter}</text>",
        cy + 7
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_marks_squares_with_brackets() {
        let text = text(
            &Board::new(),
            Bitboard::from_square(Square::E4).with(Square::A1),
        );
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], "4  .  .  .  . [.] .  .  . ");
        assert_eq!(lines[7], "1 [R] N  B  Q  K  B  N  R ");
    }

    #[test]
    fn svg_draws_every_square_and_man() {
        let svg = svg(&Board::new(), Bitboard::EMPTY);
        assert_eq!(svg.matches("<rect").count(), 64);
        assert_eq!(svg.matches("<circle").count(), 32);
        assert!(svg.ends_with("</svg>\n"));
    }
}
