//! Positions on which other programs have erred: each can be won by the side named, though it was declared dead or unwinnable.

use shakmaty::Color;

/// The position, and who can mate. The search finds a line for each; the checker replays it.
pub const KNOWN: [(&str, Color); 7] = [
    // A pawn that can never promote gives mate.
    (
        "8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1",
        Color::White,
    ),
    // A pawn behind a pawn of its own colour is not stuck for ever.
    (
        "5bk1/1p2p1p1/4P1P1/8/8/4P1p1/1P2P1P1/5BK1 w - - 0 1",
        Color::Black,
    ),
    (
        "5b1k/1p2p1p1/4P1P1/8/8/4P1p1/1P2P1P1/5B1K w - - 0 1",
        Color::White,
    ),
    // A king that cannot move and is in check has not lost its men's replies.
    (
        "1b2kb2/2p5/1p1pp3/3p2p1/1p1K1pP1/1P1P1P2/8/1B3B2 b - - 0 1",
        Color::White,
    ),
    (
        "1b2kb2/2p5/3pp3/3p2p1/1p1K1pP1/1P1P1P2/8/1B1B1B2 b - - 0 1",
        Color::White,
    ),
    (
        "3b1b2/2pk4/3pp3/3p4/1p1K1p1p/bP1P1P1P/8/1B3B2 w - - 0 1",
        Color::White,
    ),
    (
        "3b1b2/3kp3/2pp4/3p4/1p1K1p1p/bP1P1P1P/8/1B3B2 w - - 0 1",
        Color::White,
    ),
];
