//! The board as letters or figurines; the last move, or squares that differ, in brackets.

use protocol::{DeskPly, Placement, Played};
use shakmaty::{File, Piece, Rank, Square};

use crate::canvas::{Canvas, Look};
use crate::glyphs::{Glyphs, Pieces};
use crate::theme::Tone;

/// Draws a board of 20 columns and 10 rows with its coordinates.
pub fn board(canvas: &mut Canvas<'_>, x: u16, y: u16, position: &Placement, marked: &[Square]) {
    let files = "   a b c d e f g h";
    canvas.put(x, y, files, Tone::Muted);
    for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
        let y = y + 1 + u16::try_from(row).unwrap_or(0);
        let number = rank.char();
        canvas.put(x + 1, y, &number.to_string(), Tone::Muted);
        canvas.put(x + 19, y, &number.to_string(), Tone::Muted);
        squares(canvas, x + 3, y, rank, position, marked);
    }
    canvas.put(x, y + 9, files, Tone::Muted);
}

fn squares(
    canvas: &mut Canvas<'_>,
    x: u16,
    y: u16,
    rank: Rank,
    position: &Placement,
    marked: &[Square],
) {
    let mut before = false;
    for (column, file) in File::ALL.into_iter().enumerate() {
        let square = Square::from_coords(file, rank);
        let x = x + 2 * u16::try_from(column).unwrap_or(0);
        let now = marked.contains(&square);
        let between = match (before, now) {
            (true, true) => "|",
            (true, false) => "]",
            (false, true) => "[",
            (false, false) => " ",
        };
        canvas.put(x - 1, y, between, Tone::Strong);
        let piece = position.0.piece_at(square);
        let text = piece.map_or('.', |p| sign(p, &canvas.look()));
        let tone = match piece {
            None => Tone::Muted,
            Some(p) if p.color.is_white() => Tone::Strong,
            Some(_) => Tone::Plain,
        };
        canvas.put(x, y, &text.to_string(), tone);
        before = now;
    }
    canvas.put(x + 15, y, if before { "]" } else { " " }, Tone::Strong);
}

/// Letters of the reader's notation, or figurines.
fn sign(piece: Piece, look: &Look) -> char {
    if look.pieces == Pieces::Letters || look.glyphs == Glyphs::Ascii {
        return look.notation.piece(piece.char());
    }
    match piece.char() {
        'K' => '♔',
        'Q' => '♕',
        'R' => '♖',
        'B' => '♗',
        'N' => '♘',
        'P' => '♙',
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        _ => '♟',
    }
}

/// Squares on which two placements differ.
pub fn differing(one: &Placement, other: &Placement) -> Vec<Square> {
    let differs = |s: &Square| one.0.piece_at(*s) != other.0.piece_at(*s);
    Square::ALL.into_iter().filter(differs).collect()
}

/// The two squares of a half-move; none for an irregular one.
pub fn move_squares(ply: &DeskPly) -> Vec<Square> {
    let Played::Legal(uci) = &ply.played else {
        return Vec::new();
    };
    let square = |range| uci.get(range).and_then(|s: &str| s.parse().ok());
    [square(0..2), square(2..4)].into_iter().flatten().collect()
}
