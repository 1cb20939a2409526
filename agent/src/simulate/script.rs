//! Accidents as words: `12 slide`, `8 link-gap 3000`, `20 illegal wrong-square after-press 4000`.

use super::hands::{
    Accident, Carriage, Castling, EnPassant, Irregularity, Kind, Millis, Promoting, Remedy, Taking,
};

/// Why a line is no accident.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It does not begin with the number of a ply.
    #[error("“{0}” does not begin with a ply, counted from 1")]
    Ply(String),
    /// No accident has this name.
    #[error("no accident is called “{0}”")]
    Name(String),
    /// A number is missing, too big or none, or a word is unknown.
    #[error("“{line}”: after {name} comes {wanted}")]
    Argument {
        /// The line.
        line: String,
        /// The accident.
        name: &'static str,
        /// What may follow.
        wanted: &'static str,
    },
}

/// One kind of accident as it is written.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What follows the name: nothing, or words and a number.
    pub argument: &'static str,
    /// What it is, for people.
    pub words: &'static str,
    read: fn(&[&str]) -> Option<Kind>,
}

/// All accidents, sorted by name.
pub const ACCIDENTS: &[Entry] = &[
    entry(
        "adjust",
        "[PIECES]",
        "the player to move adjusts pieces, one after the other",
        |a| Some(Kind::Adjust(count(a, 1)?)),
    ),
    entry(
        "adjust-off-turn",
        "",
        "a player adjusts a piece in the opponent's time",
        |a| bare(a, Kind::AdjustOffTurn),
    ),
    entry(
        "adjust-together",
        "",
        "two pieces are lifted together and put back",
        |a| bare(a, Kind::AdjustTogether),
    ),
    entry(
        "analysis",
        "[MOVES]",
        "moves are tried out on the board and taken back",
        |a| Some(Kind::Analysis(count(a, 3)?)),
    ),
    entry(
        "black-starts",
        "",
        "White's clock is started by a press of Black",
        |a| bare(a, Kind::BlackStarts),
    ),
    entry(
        "bounce",
        "",
        "the piece is lifted a hair and put down again",
        |a| bare(a, Kind::Bounce),
    ),
    entry(
        "brush",
        "",
        "a captured piece is sensed on its way off the board",
        |a| bare(a, Kind::Brush),
    ),
    entry(
        "capture-knock",
        "[MS]",
        "the captured piece falls over and lies on a square",
        |a| Some(Kind::Take(Taking::Knock(time(a, 3000)?))),
    ),
    entry(
        "capture-on-top",
        "",
        "the capturer is put down on the captured piece",
        |a| bare(a, Kind::Take(Taking::OnTop)),
    ),
    entry(
        "capture-push",
        "",
        "the captured piece is pushed aside",
        |a| bare(a, Kind::Take(Taking::Push)),
    ),
    entry(
        "capture-swap",
        "",
        "one hand takes the piece off and puts the capturer down",
        |a| bare(a, Kind::Take(Taking::Swap)),
    ),
    entry(
        "capture-victim-first",
        "",
        "the captured piece is taken off first",
        |a| bare(a, Kind::Take(Taking::VictimFirst)),
    ),
    entry("castle-king-first", "", "castling, the king first", |a| {
        bare(a, Kind::Castle(Castling::KingFirst))
    }),
    entry(
        "castle-king-onto-rook",
        "",
        "castling by putting the king on the rook's square",
        |a| bare(a, Kind::Castle(Castling::KingOntoRook)),
    ),
    entry(
        "castle-late-rook",
        "[MS]",
        "castling, the rook after the press",
        |a| Some(Kind::Castle(Castling::LateRook(time(a, 1500)?))),
    ),
    entry("castle-rook-first", "", "castling, the rook first", |a| {
        bare(a, Kind::Castle(Castling::RookFirst))
    }),
    entry("castle-two-hands", "", "castling with both hands", |a| {
        bare(a, Kind::Castle(Castling::TwoHands))
    }),
    entry(
        "clock-paused",
        "[MS]",
        "the clock is stopped for a while",
        |a| Some(Kind::ClockPaused(time(a, 30_000)?)),
    ),
    entry(
        "dead-square",
        "[MS]",
        "the square moved to reads nothing",
        |a| Some(Kind::DeadSquare(time(a, 60_000)?)),
    ),
    entry(
        "drop-out",
        "[MS]",
        "a piece nobody touches reads as nothing",
        |a| Some(Kind::DropOut(time(a, 3000)?)),
    ),
    entry(
        "drop-out-of-mover",
        "[MS]",
        "the piece about to move reads as nothing",
        |a| Some(Kind::DropOutOfMover(time(a, 900)?)),
    ),
    entry(
        "early-press",
        "",
        "the clock is pressed before the piece is down",
        |a| bare(a, Kind::EarlyPress),
    ),
    entry(
        "en-passant-forgotten",
        "[MS]",
        "the pawn taken en passant stays on the board",
        |a| Some(Kind::EnPassant(EnPassant::Forgotten(time(a, 20_000)?))),
    ),
    entry(
        "en-passant-late",
        "[MS]",
        "the pawn taken en passant goes after the press",
        |a| Some(Kind::EnPassant(EnPassant::LateVictim(time(a, 4000)?))),
    ),
    entry(
        "en-passant-pawn-first",
        "",
        "en passant, the own pawn first",
        |a| bare(a, Kind::EnPassant(EnPassant::PawnFirst)),
    ),
    entry(
        "en-passant-victim-first",
        "",
        "en passant, the captured pawn first",
        |a| bare(a, Kind::EnPassant(EnPassant::VictimFirst)),
    ),
    entry(
        "exchanged",
        "[MS]",
        "two pieces stand on each other's square for a while",
        |a| Some(Kind::Exchanged(time(a, 5000)?)),
    ),
    entry(
        "foreign-piece",
        "[MS]",
        "a piece of another set stands on the board",
        |a| Some(Kind::ForeignPiece(time(a, 4000)?)),
    ),
    entry("ghost", "[MS]", "an empty square reads as a piece", |a| {
        Some(Kind::Ghost(time(a, 700)?))
    }),
    entry(
        "hover",
        "[MS]",
        "the piece is put on another square first",
        |a| Some(Kind::Carry(Carriage::Hover(time(a, 2000)?))),
    ),
    entry("illegal", "KIND REMEDY [MS]", "an illegal move", illegal),
    entry(
        "knock-over",
        "",
        "a neighbour is knocked off its square",
        |a| bare(a, Kind::KnockOver),
    ),
    entry(
        "lever-knocked",
        "",
        "the rocker is knocked over and back",
        |a| bare(a, Kind::LeverKnocked),
    ),
    entry("link-gap", "[MS]", "the cable is out", |a| {
        Some(Kind::LinkGap(time(a, 12_000)?))
    }),
    entry(
        "lost-arrival",
        "",
        "the message that the piece arrived is lost",
        |a| bare(a, Kind::LostArrival),
    ),
    entry(
        "lost-departure",
        "",
        "the message that the piece left is lost",
        |a| bare(a, Kind::LostDeparture),
    ),
    entry(
        "low",
        "",
        "the piece is carried so low that a square sees it",
        |a| bare(a, Kind::Carry(Carriage::Low)),
    ),
    entry("misread", "[MS]", "a piece reads as another one", |a| {
        Some(Kind::Misread(time(a, 500)?))
    }),
    entry(
        "missing-piece",
        "",
        "a piece is put up only before this ply",
        |a| bare(a, Kind::MissingPiece),
    ),
    entry(
        "move-changed",
        "[MS]",
        "the last move is changed after the press",
        |a| Some(Kind::MoveChanged(time(a, 3000)?)),
    ),
    entry("no-press", "", "the mover does not press", |a| {
        bare(a, Kind::NoPress)
    }),
    entry(
        "off-centre",
        "[MS]",
        "the piece stands between squares",
        |a| Some(Kind::OffCentre(time(a, 2500)?)),
    ),
    entry(
        "overlap",
        "",
        "the mover begins before the opponent's hand has left",
        |a| bare(a, Kind::Overlap),
    ),
    entry("power-cut", "[MS]", "the board is without power", |a| {
        Some(Kind::PowerCut(time(a, 20_000)?))
    }),
    entry(
        "press-without-move",
        "",
        "a press without a move, and one back",
        |a| bare(a, Kind::PressWithoutMove),
    ),
    entry(
        "promote-direct",
        "",
        "the pawn goes, the new piece comes",
        |a| bare(a, Kind::Promote(Promoting::Direct)),
    ),
    entry(
        "promote-late",
        "[MS]",
        "the pawn is replaced after the press",
        |a| Some(Kind::Promote(Promoting::Late(time(a, 1500)?))),
    ),
    entry(
        "promote-queen-first",
        "",
        "the new piece comes, the pawn goes",
        |a| bare(a, Kind::Promote(Promoting::QueenFirst)),
    ),
    entry(
        "promote-replace",
        "",
        "the pawn is replaced on the last rank",
        |a| bare(a, Kind::Promote(Promoting::Replace)),
    ),
    entry(
        "promote-upturned-rook",
        "[MS]",
        "an upturned rook stands for the queen",
        |a| Some(Kind::Promote(Promoting::UpturnedRook(time(a, 8000)?))),
    ),
    entry(
        "promote-waiting",
        "[MS]",
        "the clock is stopped until a queen is found",
        |a| Some(Kind::Promote(Promoting::Waiting(time(a, 25_000)?))),
    ),
    entry(
        "promote-wrong-piece",
        "[MS]",
        "a wrong piece first, then the right one",
        |a| Some(Kind::Promote(Promoting::WrongPiece(time(a, 900)?))),
    ),
    entry("slide", "", "the piece is dragged over the board", |a| {
        bare(a, Kind::Carry(Carriage::Slide))
    }),
    entry(
        "slide-resting",
        "[MS]",
        "the piece is dragged and rests on the way",
        |a| Some(Kind::Carry(Carriage::SlideResting(time(a, 450)?))),
    ),
    entry(
        "swept",
        "[PIECES]",
        "pieces are swept off and put up again",
        |a| Some(Kind::Swept(count(a, 6)?)),
    ),
    entry(
        "taken-back",
        "[PLIES]",
        "moves are played and taken back",
        |a| Some(Kind::TakenBack(count(a, 2)?)),
    ),
    entry(
        "time-added",
        "[MS]",
        "an arbiter adds time to the opponent",
        |a| Some(Kind::TimeAdded(time(a, 120_000)?)),
    ),
    entry(
        "touch-return",
        "[MS]",
        "a piece is touched and another one moved",
        |a| Some(Kind::TouchReturn(time(a, 3000)?)),
    ),
    entry(
        "wrong-setup",
        "",
        "two pieces stand wrong until before this ply",
        |a| bare(a, Kind::WrongSetup),
    ),
];

/// Reads one accident.
pub fn read_accident(line: &str) -> Result<Accident, ScriptError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ply = words
        .first()
        .and_then(|word| word.parse::<usize>().ok())
        .filter(|&ply| ply > 0);
    let ply = ply.ok_or_else(|| ScriptError::Ply(line.to_owned()))?;
    let name = words.get(1).copied().unwrap_or_default();
    let entry = ACCIDENTS
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| ScriptError::Name(name.to_owned()))?;
    let kind = (entry.read)(&words[2..]).ok_or_else(|| entry.wants(line))?;
    Ok(Accident::at(ply, kind))
}

impl Entry {
    fn wants(&self, line: &str) -> ScriptError {
        let wanted = if self.argument.is_empty() {
            "nothing"
        } else {
            self.argument
        };
        ScriptError::Argument {
            line: line.to_owned(),
            name: self.name,
            wanted,
        }
    }
}

const fn entry(
    name: &'static str,
    argument: &'static str,
    words: &'static str,
    read: fn(&[&str]) -> Option<Kind>,
) -> Entry {
    Entry {
        name,
        argument,
        words,
        read,
    }
}

fn bare(arguments: &[&str], kind: Kind) -> Option<Kind> {
    arguments.is_empty().then_some(kind)
}

/// Milliseconds, at most an hour.
fn time(arguments: &[&str], usual: Millis) -> Option<Millis> {
    match arguments {
        [] => Some(usual),
        [time] => time.parse().ok().filter(|&time| time <= 3_600_000),
        _ => None,
    }
}

fn count(arguments: &[&str], usual: usize) -> Option<usize> {
    match arguments {
        [] => Some(usual),
        [count] => count.parse().ok().filter(|count| (1..=32).contains(count)),
        _ => None,
    }
}

fn illegal(arguments: &[&str]) -> Option<Kind> {
    let [what, remedy, rest @ ..] = arguments else {
        return None;
    };
    let what = match *what {
        "wrong-square" => Irregularity::WrongSquare,
        "into-check" => Irregularity::IntoCheck,
        "castling" => Irregularity::Castling,
        "en-passant" => Irregularity::EnPassant,
        "unpromoted" => Irregularity::Unpromoted,
        "king-taken" => Irregularity::KingTaken,
        "moves-twice" => Irregularity::MovesTwice,
        "opponents-piece" => Irregularity::OpponentsPiece,
        _ => return None,
    };
    let remedy = match (*remedy, rest) {
        ("before-press", []) => Remedy::BeforePress,
        ("after-press", rest) => Remedy::AfterPress(time(rest, 3000)?),
        ("stands", []) => Remedy::Stands,
        _ => return None,
    };
    Some(Kind::Illegal(what, remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_what_they_mean() {
        let rows = [
            ("12 slide", Kind::Carry(Carriage::Slide)),
            ("12 link-gap", Kind::LinkGap(12_000)),
            ("12  link-gap  3000", Kind::LinkGap(3000)),
            ("12 adjust 3", Kind::Adjust(3)),
            (
                "12 illegal into-check stands",
                Kind::Illegal(Irregularity::IntoCheck, Remedy::Stands),
            ),
            (
                "12 illegal castling after-press 900",
                Kind::Illegal(Irregularity::Castling, Remedy::AfterPress(900)),
            ),
        ];
        for (line, kind) in rows {
            assert_eq!(read_accident(line), Ok(Accident::at(12, kind)), "{line}");
        }
    }

    #[test]
    fn lines_that_mean_nothing_say_why() {
        let rows = [
            ("", "“” does not begin with a ply, counted from 1"),
            (
                "0 slide",
                "“0 slide” does not begin with a ply, counted from 1",
            ),
            ("3 fly", "no accident is called “fly”"),
            ("3 slide 4", "“3 slide 4”: after slide comes nothing"),
            ("3 swept 99", "“3 swept 99”: after swept comes [PIECES]"),
            (
                "3 illegal",
                "“3 illegal”: after illegal comes KIND REMEDY [MS]",
            ),
        ];
        for (line, words) in rows {
            assert_eq!(
                read_accident(line).map_err(|error| error.to_string()),
                Err(words.to_owned())
            );
        }
    }

    #[test]
    fn the_table_is_sorted_and_every_entry_can_be_read() {
        assert!(ACCIDENTS.is_sorted_by_key(|entry| entry.name));
        for entry in ACCIDENTS.iter().filter(|entry| entry.name != "illegal") {
            assert!(
                read_accident(&format!("1 {}", entry.name)).is_ok(),
                "{}",
                entry.name
            );
        }
    }
}
