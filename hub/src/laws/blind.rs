//! A blind player's game: two boards compared, moves announced in the words of the IBCA (Appendix D).

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square};

/// Names of the files from a to h.
const FILES: [&str; 8] = [
    "Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector",
];

/// A move as it is announced: "knight Gustav 1, Felix 3", "Kurze Rochade".
pub fn announcement(position: &Chess, m: Move) -> String {
    match m.castling_side() {
        Some(CastlingSide::KingSide) => return "Kurze Rochade".to_owned(),
        Some(CastlingSide::QueenSide) => return "Lange Rochade".to_owned(),
        None => {}
    }
    let from = m
        .from()
        .map_or(String::new(), |s| format!("{} ", square(s)));
    let takes = if m.is_capture() { "takes " } else { "" };
    let promotion = m
        .promotion()
        .map_or(String::new(), |r| format!(", {}", role(r)));
    let mut next = position.clone();
    next.play_unchecked(m);
    let check = match (next.is_checkmate(), next.is_check()) {
        (true, _) => ", mate",
        (false, true) => ", check",
        (false, false) => "",
    };
    format!(
        "{} {from}{takes}{}{promotion}{check}",
        role(m.role()),
        square(m.to())
    )
}

/// "Eva 4".
pub fn square(square: Square) -> String {
    let file = FILES[usize::from(square.file())];
    format!("{file} {}", u32::from(square.rank()) + 1)
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// What follows when the boards differ, by the two scoresheets (D.2.9, D.2.10; IBCA 1.7, 1.8).
pub fn differ_proposal(scores_agree: bool) -> &'static str {
    if scores_agree {
        "The scoresheets agree: the player who wrote the move and made another one corrects his board."
    } else {
        "The scoresheets differ: back to the last half-move on which they agree, with its times."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    #[test]
    fn art_d_2_1_moves_are_announced_by_names() {
        let rows = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "g1f3",
                "knight Gustav 1 Felix 3",
            ),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "Kurze Rochade"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "Lange Rochade"),
            (
                "7k/4P3/8/8/8/8/8/4K3 w - - 0 1",
                "e7e8q",
                "pawn Eva 7 Eva 8, queen, check",
            ),
            (
                "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
                "e4d5",
                "pawn Eva 4 takes David 5",
            ),
        ];
        for (fen, uci, want) in rows {
            let position: Chess = fen
                .parse::<Fen>()
                .expect("fen")
                .into_position(CastlingMode::Standard)
                .expect("legal");
            let m = uci
                .parse::<UciMove>()
                .expect("uci")
                .to_move(&position)
                .expect("legal");
            assert_eq!(announcement(&position, m), want);
        }
    }

    #[test]
    fn art_d_2_9_two_boards_and_two_scoresheets() {
        assert!(differ_proposal(true).contains("corrects"));
        assert!(differ_proposal(false).contains("back to"));
    }
}
