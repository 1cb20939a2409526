//! Adjourned games: the record on the envelope, the sealed move when it is opened, the resumption (I; 2001 A; 1929 par. 21).

use protocol::{BySide, EditionId, Missing, Side};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, san::San, uci::UciMove};

use super::Laws;
use super::chessclock::hms;

/// What goes on the envelope (I.2; 2001 A.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// Names of the players.
    pub players: BySide<String>,
    /// The position, full FEN.
    pub position: String,
    /// Times of both, milliseconds.
    pub time_ms: BySide<u64>,
    /// Who sealed.
    pub sealed_by: Side,
    /// Number of the sealed move.
    pub move_number: u32,
    /// Who offered a draw before the adjournment.
    pub draw_offer: Option<Side>,
    /// Date, time and place of the resumption.
    pub resumption: String,
}

impl Envelope {
    /// The lines to be written on it.
    pub fn lines(&self) -> Vec<String> {
        let clock = |ms: u64| hms(i64::try_from(ms).unwrap_or(i64::MAX));
        let offer = self
            .draw_offer
            .map_or("none".to_owned(), |s| s.word().to_owned());
        vec![
            format!("White: {}", self.players.white),
            format!("Black: {}", self.players.black),
            format!("Position: {}", self.position),
            format!(
                "White {}, Black {}",
                clock(self.time_ms.white),
                clock(self.time_ms.black)
            ),
            format!(
                "Sealed by {}, move {}",
                self.sealed_by.word(),
                self.move_number
            ),
            format!("Draw offer before the adjournment: {offer}"),
            format!("Resumption: {}", self.resumption),
        ]
    }

    /// Who replies to the sealed move.
    pub fn replies(&self) -> Side {
        self.sealed_by.other()
    }
}

/// What the sealed move turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sealed {
    /// A legal move, UCI.
    Good(String),
    /// Legal in more than one way, UCI each.
    Ambiguous(Vec<String>),
    /// No move at all.
    Empty,
    /// Not to be read as a move, or illegal.
    Void(String),
}

/// Reads a sealed move as it is written: SAN or UCI, with or without check signs.
pub fn sealed_move(position: &Chess, text: &str) -> Sealed {
    let text = text.trim();
    if text.is_empty() {
        return Sealed::Empty;
    }
    if let Ok(m) = text
        .parse::<UciMove>()
        .map_err(|_| ())
        .and_then(|u| u.to_move(position).map_err(|_| ()))
    {
        return Sealed::Good(uci(position, m));
    }
    let Ok(san) = text.parse::<San>() else {
        return Sealed::Void(format!(
            "{:?} cannot be read as a move",
            text.chars().take(20).collect::<String>()
        ));
    };
    let found: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter(|m| san.matches(*m))
        .map(|m| uci(position, m))
        .collect();
    match found.as_slice() {
        [] => Sealed::Void(format!("{san} is not legal here")),
        [one] => Sealed::Good(one.clone()),
        _ => Sealed::Ambiguous(found),
    }
}

fn uci(position: &Chess, m: shakmaty::Move) -> String {
    UciMove::from_move(m, position.castles().mode()).to_string()
}

/// What follows from a sealed move, in words; `drawn_anyway` that the position is dead, decided or cannot be won by the opponent.
pub fn sealed_proposal(laws: &Laws, sealed: &Sealed, by: Side, drawn_anyway: bool) -> Vec<String> {
    let (who, other) = (by.word(), by.other().word());
    let old = laws.id == EditionId::Fide1929;
    match sealed {
        Sealed::Good(m) => vec![format!("Play {m} and start {other}'s clock.")],
        Sealed::Ambiguous(choices) if old => {
            vec![format!("{other} chooses among {}.", choices.join(", "))]
        }
        Sealed::Void(why) if old => vec![
            format!("{why}."),
            format!("{who} loses only if it cannot be mended with certainty."),
        ],
        Sealed::Empty if old => vec![format!("{who} loses: the envelope is empty.")],
        _ if drawn_anyway => {
            vec!["No loss: the position is dead, decided, or cannot be won.".to_owned()]
        }
        Sealed::Ambiguous(choices) => vec![format!(
            "{who} loses: {} are all possible.",
            choices.join(", ")
        )],
        Sealed::Void(why) => vec![format!("{who} loses: {why}.")],
        Sealed::Empty => vec![format!("{who} loses: no move was sealed.")],
    }
}

/// The arbiter's script of the resumption (2001 A.7, A.9; I.7, I.9, I.11).
pub fn resumption(replier: Side, missing: Missing) -> Vec<String> {
    let (replies, sealed) = (replier.word(), replier.other().word());
    match missing {
        Missing::Nobody => vec![
            "Open the envelope and play the sealed move on the board.".to_owned(),
            format!("Start {replies}'s clock."),
        ],
        Missing::Replier | Missing::Both => vec![
            "The envelope stays closed.".to_owned(),
            format!("Start {replies}'s clock; when he comes he may stop it and call you."),
            format!(
                "Then the envelope is opened, the move played, and {replies}'s clock started again."
            ),
        ],
        Missing::Sealer => vec![
            "Open the envelope and play the sealed move on the board.".to_owned(),
            format!(
                "{replies} may seal his reply in a second envelope, stop his clock and start {sealed}'s."
            ),
            format!("That envelope is opened when {sealed} comes."),
        ],
    }
}

/// How late a player may come to the resumption, milliseconds: 2001 one hour, later the event's default time.
pub fn resumes_within(laws: &Laws, default_ms: u64) -> u64 {
    if laws.id == EditionId::Fide2001 {
        3_600_000
    } else {
        default_ms
    }
}

/// Clocks at the resumption that are not those of the envelope: an error counts only before the complainant's first move (2001 A.12).
pub fn clocks_differ(envelope: BySide<u64>, shown: BySide<u64>) -> Option<&'static str> {
    let differs = |s: &Side| envelope.get(*s).abs_diff(*shown.get(*s)) >= 1_000;
    Side::BOTH.iter().any(differs).then_some(
        "The clock does not show the times of the envelope: set them. Noticed only after the complainant's first move, \
         the game goes on unless the consequences are too severe.",
    )
}

/// The envelope is lost (2001 A.11); position and times are those of the record.
pub const ENVELOPE_LOST: &str = "The envelope is lost: set up the position and the times; the player who sealed plays his move on the board.";

/// A player sealed before the session's end: the time until then is his (2001 A.1b), milliseconds.
pub fn early_sealing(left_ms: u64, until_end_ms: u64) -> u64 {
    left_ms.saturating_sub(until_end_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .expect("fen")
            .into_position(CastlingMode::Standard)
            .expect("legal")
    }

    #[test]
    fn art_i_8_a_sealed_move_that_is_good_ambiguous_empty_or_void() {
        let two_knights = position("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1");
        let rows = [
            ("Kd2", "good"),
            ("e1d2", "good"),
            ("Nb3", "ambiguous"),
            ("", "empty"),
            ("Qh5", "void"),
            ("scribble", "void"),
        ];
        for (text, want) in rows {
            let got = match sealed_move(&two_knights, text) {
                Sealed::Good(_) => "good",
                Sealed::Ambiguous(_) => "ambiguous",
                Sealed::Empty => "empty",
                Sealed::Void(_) => "void",
            };
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn art_i_8_what_a_void_sealed_move_costs_by_edition() {
        use EditionId::*;
        let ambiguous = Sealed::Ambiguous(vec!["a1b3".to_owned(), "c1b3".to_owned()]);
        let void = Sealed::Void("Qh5 is not legal here".to_owned());
        let rows = [
            (Fide2023, &ambiguous, false, "White loses"),
            (Fide2001, &void, false, "White loses"),
            (Fide2023, &void, true, "No loss"),
            (Fide1929, &ambiguous, false, "Black chooses"),
            (Fide1929, &Sealed::Empty, false, "White loses"),
        ];
        for (edition, sealed, drawn, words) in rows {
            let lines = sealed_proposal(Laws::of(edition), sealed, Side::White, drawn);
            assert!(lines[0].contains(words), "{edition} {lines:?}");
        }
        let lines = sealed_proposal(Laws::of(Fide1929), &void, Side::White, false);
        assert!(lines[1].contains("mended"));
    }

    #[test]
    fn art_i_10_late_for_the_resumption() {
        use EditionId::*;
        let rows = [
            (Fide2001, 0, 3_600_000),
            (Fide2001, 1_800_000, 3_600_000),
            (Fide2023, 1_800_000, 1_800_000),
        ];
        for (edition, default, within) in rows {
            assert_eq!(
                resumes_within(Laws::of(edition), default),
                within,
                "{edition}"
            );
        }
    }

    #[test]
    fn art_i_2_the_envelope_and_the_resumption() {
        let envelope = Envelope {
            players: BySide {
                white: "A".to_owned(),
                black: "B".to_owned(),
            },
            position: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
            time_ms: BySide {
                white: 60_000,
                black: 0,
            },
            sealed_by: Side::White,
            move_number: 41,
            draw_offer: Some(Side::Black),
            resumption: "Sunday 10:00, hall 2".to_owned(),
        };
        assert_eq!(envelope.lines().len(), 7);
        assert!(envelope.lines()[4].contains("White, move 41"));
        assert_eq!(envelope.replies(), Side::Black);
        assert!(resumption(Side::Black, Missing::Sealer)[1].contains("second envelope"));
        assert!(resumption(Side::Black, Missing::Replier)[0].contains("closed"));
        assert_eq!(clocks_differ(envelope.time_ms, envelope.time_ms), None);
        let wrong = BySide { white: 0, black: 0 };
        let told = clocks_differ(envelope.time_ms, wrong);
        assert!(told.is_some_and(|words| words.contains("set them")));
        assert_eq!(early_sealing(600_000, 300_000), 300_000);
    }
}
