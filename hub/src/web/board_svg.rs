//! One chessboard as inline SVG: pieces from the sprite, last move by corner marks, coordinates always on.

use std::fmt::Write;

use protocol::{HallBoard, Side};
use shakmaty::{Board, Color, File, Piece, Rank, Square};

const CELL: u32 = 45;

/// The board of a table, seen by White unless `flipped`, with a sentence for those who cannot see it.
pub(crate) fn board_svg(board: &HallBoard, flipped: bool) -> String {
    let label = super::words::sentence(board);
    let last = last_move(board);
    let mut svg = format!(
        r#"<svg class="board" viewBox="0 0 360 360" role="img" aria-label="{}">"#,
        super::words::escape(&label)
    );
    for square in Square::ALL {
        cell(
            &mut svg,
            &board.position.0,
            square,
            last.contains(&Some(square)),
            flipped,
        );
    }
    svg.push_str("</svg>");
    svg
}

/// From and to of the last move.
fn last_move(board: &HallBoard) -> [Option<Square>; 2] {
    let uci = board.moves.last().map_or("", |ply| ply.uci.as_str());
    let square = |range| uci.get(range).and_then(|s: &str| s.parse().ok());
    [square(0..2), square(2..4)]
}

fn cell(svg: &mut String, pieces: &Board, square: Square, marked: bool, flipped: bool) {
    let (x, y) = place(square, flipped);
    let shade = if square.is_light() { "light" } else { "dark" };
    write_to(
        svg,
        format_args!(r#"<rect class="{shade}" x="{x}" y="{y}" width="45" height="45"/>"#),
    );
    if marked {
        let (l, t, r, b) = (x + 2, y + 2, x + CELL - 2, y + CELL - 2);
        write_to(
            svg,
            format_args!(
                r#"<path class="mark" d="M{l} {}V{t}H{}M{} {t}H{r}V{}M{r} {}V{b}H{}M{} {b}H{l}V{}"/>"#,
                t + 11,
                l + 11,
                r - 11,
                t + 11,
                b - 11,
                r - 11,
                l + 11,
                b - 11
            ),
        );
    }
    coordinates(svg, square, (x, y), flipped);
    if let Some(piece) = pieces.piece_at(square) {
        let (letter, side) = symbol(piece);
        write_to(
            svg,
            format_args!(r##"<use href="#{letter}" class="{side}" x="{x}" y="{y}"/>"##),
        );
    }
}

/// Letters and digits along the lower and the left edge.
fn coordinates(svg: &mut String, square: Square, (x, y): (u32, u32), flipped: bool) {
    let (file, rank) = if flipped {
        (File::H, Rank::Eighth)
    } else {
        (File::A, Rank::First)
    };
    if square.file() == file {
        write_to(
            svg,
            format_args!(
                r#"<text class="coord rank" x="{}" y="{}">{}</text>"#,
                x + 2,
                y + 8,
                square.rank().char()
            ),
        );
    }
    if square.rank() == rank {
        write_to(
            svg,
            format_args!(
                r#"<text class="coord file" x="{}" y="{}">{}</text>"#,
                x + 38,
                y + 43,
                square.file().char()
            ),
        );
    }
}

fn place(square: Square, flipped: bool) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    let (column, row) = if flipped {
        (7 - file, rank)
    } else {
        (file, 7 - rank)
    };
    (column * CELL, row * CELL)
}

fn symbol(piece: Piece) -> (char, char) {
    (
        piece.role.upper_char(),
        if piece.color == Color::White {
            'w'
        } else {
            'b'
        },
    )
}

/// The side at the lower edge.
pub(crate) fn lower_side(flipped: bool) -> Side {
    if flipped { Side::Black } else { Side::White }
}

fn write_to(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes everything");
}
