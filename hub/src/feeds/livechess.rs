//! The words of LiveChess, which its folder, its cloud and its local API share: players, results, clocks, moves.

use protocol::livechess::Clock;
use protocol::{ChessclockView, GameResult, HallBoard, HallPly, HallState, Player};
use serde::Serialize;

/// A player by the parts of his name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Names {
    /// First name.
    pub fname: Option<String>,
    /// Further names.
    pub mname: Option<String>,
    /// Family name.
    pub lname: Option<String>,
    /// `GM`, `WFM` …
    pub title: Option<String>,
    /// Three letters.
    pub federation: Option<String>,
}

/// A player with what only some of its documents have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FullNames {
    /// The parts of the name.
    #[serde(flatten)]
    pub names: Names,
    /// Not known here.
    pub gender: Option<String>,
    /// FIDE identity number, always a number.
    pub fideid: Option<u32>,
}

/// `Last, First Middle` in its parts; a name without a comma is a family name.
pub fn names(player: &Player) -> Names {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (last, rest) = player.name.split_once(',').unwrap_or((&player.name, ""));
    let (first, middle) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    Names {
        fname: some(first),
        mname: some(middle.trim()),
        lname: some(last.trim()),
        title: player.title.clone(),
        federation: player.federation.clone(),
    }
}

/// The same with FIDE number.
pub fn full_names(player: &Player) -> FullNames {
    FullNames {
        names: names(player),
        gender: None,
        fideid: player.fide_id,
    }
}

/// `WHITEWIN` and the like; none while there is no result.
pub fn result_code(result: GameResult) -> Option<&'static str> {
    match result {
        GameResult::WhiteWins => Some("WHITEWIN"),
        GameResult::BlackWins => Some("BLACKWIN"),
        GameResult::Draw => Some("DRAW"),
        GameResult::WhiteByDefault => Some("WHITEFORFAIT"),
        GameResult::BlackByDefault => Some("BLACKFORFAIT"),
        // It has no word for games that both lose.
        GameResult::BothLose | GameResult::NobodyAppeared => None,
    }
}

/// Whether the game may still change.
pub fn is_live(board: &HallBoard) -> bool {
    board.result.is_none() && board.state != HallState::Over
}

/// The clocks.
pub fn clock(view: &ChessclockView) -> Clock {
    Clock::new(view.time, view.running, view.at)
}

/// `e4 5370+30`: seconds left and seconds spent; without a clock `e4 +30`, because a move alone is taken for a wrong guess.
pub fn ply(ply: &HallPly) -> String {
    let spent = ply.spent_ms.map(|ms| ms / 1000);
    match (ply.clock_ms.map(|ms| ms / 1000), spent) {
        (Some(left), Some(spent)) => format!("{} {left}+{spent}", ply.san),
        (Some(left), None) => format!("{} {left}", ply.san),
        (None, spent) => format!("{} +{}", ply.san, spent.unwrap_or(0)),
    }
}

/// The serial number under which a table's board is known outside: made of the table's number, because which board stands there is
/// the desk's business.
pub fn serial(board: &HallBoard) -> String {
    format!("{:010}", 3_000_000_000_u64 + u64::from(board.table.0))
}

/// The number of the initial position among those of Chess960; 518 is the usual array, which also stands for everything else.
pub fn position_number(board: &HallBoard) -> u16 {
    let rank = board.start_fen.as_deref().unwrap_or("");
    let rank = rank.split('/').next().unwrap_or("").to_ascii_lowercase();
    let known = board.chess960 && rank.len() == 8;
    known
        .then(|| numbered(rank.as_bytes()))
        .flatten()
        .unwrap_or(518)
}

/// The numbering of Scharnagl: bishops, queen, knights among what is left.
fn numbered(rank: &[u8]) -> Option<u16> {
    let at = |piece: u8| {
        rank.iter()
            .enumerate()
            .filter(move |(_, p)| **p == piece)
            .map(|(i, _)| i)
    };
    let light = at(b'b').find(|i| i % 2 == 1)?;
    let dark = at(b'b').find(|i| i % 2 == 0)?;
    let no_bishops: Vec<u8> = rank.iter().copied().filter(|p| *p != b'b').collect();
    let queen = no_bishops.iter().position(|p| *p == b'q')?;
    let left: Vec<u8> = no_bishops.iter().copied().filter(|p| *p != b'q').collect();
    let knights: Vec<usize> = left
        .iter()
        .enumerate()
        .filter(|(_, p)| **p == b'n')
        .map(|(i, _)| i)
        .collect();
    let pairs = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let [one, two] = knights[..] else {
        return None;
    };
    let knights = pairs.iter().position(|pair| *pair == (one, two))?;
    let number = 96 * knights + 16 * queen + 4 * (dark / 2) + light / 2;
    u16::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::example::board;

    #[test]
    fn names_come_apart_at_the_comma() {
        let rows = [
            ("Alpha, Anna", (Some("Anna"), None, Some("Alpha"))),
            (
                "van der Berg, Jan Piet",
                (Some("Jan"), Some("Piet"), Some("van der Berg")),
            ),
            ("Pelé", (None, None, Some("Pelé"))),
            ("", (None, None, None)),
        ];
        for (name, want) in rows {
            let player = Player {
                name: name.into(),
                ..Player::default()
            };
            let got = names(&player);
            let got = (
                got.fname.as_deref(),
                got.mname.as_deref(),
                got.lname.as_deref(),
            );
            assert_eq!(got, want, "{name}");
        }
    }

    #[test]
    fn arrays_have_their_numbers() {
        let rows = [
            ("rnbqkbnr", 518),
            ("bbqnnrkr", 0),
            ("rkrnnqbb", 959),
            ("nrknbbqr", 266),
            ("kkkkkkkk", 518),
            ("rnbqkbn", 518),
        ];
        for (rank, number) in rows {
            let mut played = board(&[]);
            played.chess960 = true;
            played.start_fen = Some(format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/x w KQkq - 0 1"));
            assert_eq!(position_number(&played), number, "{rank}");
        }
        assert_eq!(position_number(&board(&[])), 518);
    }

    #[test]
    fn every_move_has_its_second_word() {
        let rows = [
            (Some(5_370_999), Some(30_000), "e4 5370+30"),
            (Some(5_370_000), None, "e4 5370"),
            (None, Some(9_000), "e4 +9"),
            (None, None, "e4 +0"),
        ];
        for (clock_ms, spent_ms, want) in rows {
            let one = HallPly {
                uci: "e2e4".into(),
                san: "e4".into(),
                clock_ms,
                spent_ms,
            };
            assert_eq!(ply(&one), want);
        }
    }
}
