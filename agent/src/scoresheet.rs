//! A record put together from facts, as a hub would: for transcripts, and to compare what was read with what was played.

use protocol::{Fact, GameResult, Played, Side};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// One half-move with what the clock showed to its player afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The half-move.
    pub played: Played,
    /// Whether its player's press was seen.
    pub pressed: bool,
    /// Whole seconds left to its player, where a press showed them.
    pub clock: Option<u64>,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// Full FEN of the start; none: the usual array.
    pub start_fen: Option<String>,
    /// The half-moves.
    pub entries: Vec<Entry>,
    /// The result the players signalled.
    pub result: Option<GameResult>,
}

/// The games of a stream of facts, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Scoresheet {
    start_fen: Option<String>,
    sheets: Vec<Sheet>,
}

impl Scoresheet {
    /// An empty one; all games begin at `start_fen`.
    pub fn new(start_fen: Option<String>) -> Scoresheet {
        Scoresheet {
            start_fen,
            sheets: Vec::new(),
        }
    }

    /// The games so far; the last one may go on. Those without a half-move are left out.
    pub fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.sheets.iter().filter(|sheet| !sheet.entries.is_empty())
    }

    /// The half-moves of the game that is being played.
    pub fn moves(&self) -> Vec<String> {
        self.sheets.last().map(Sheet::moves).unwrap_or_default()
    }

    /// Takes the next fact.
    pub fn take(&mut self, fact: &Fact) {
        match fact {
            Fact::Made { ply, played, .. } => self.replace(*ply, std::slice::from_ref(played)),
            Fact::Revised { from_ply, line, .. } => self.replace(*from_ply, line),
            Fact::Retracted { from_ply } => self.replace(*from_ply, &[]),
            Fact::Completed {
                ply,
                pressed,
                clock,
            } => {
                let sheet = self.sheet();
                let side = sheet.side(*ply);
                if let Some(entry) = sheet.entries.get_mut(index(*ply)) {
                    entry.pressed |= pressed;
                    entry.clock = clock
                        .map(|reading| reading.time.get(side) / 1000)
                        .or(entry.clock);
                }
            }
            Fact::KingsCentred { result } => self.sheet().result = Some(*result),
            Fact::SetUp { correct: true, .. } if !self.sheet().entries.is_empty() => {
                self.sheets.push(Sheet {
                    start_fen: self.start_fen.clone(),
                    ..Sheet::default()
                })
            }
            _ => {}
        }
    }

    fn sheet(&mut self) -> &mut Sheet {
        if self.sheets.is_empty() {
            self.sheets.push(Sheet {
                start_fen: self.start_fen.clone(),
                ..Sheet::default()
            });
        }
        let last = self.sheets.len() - 1;
        &mut self.sheets[last]
    }

    fn replace(&mut self, from_ply: u32, line: &[Played]) {
        let sheet = self.sheet();
        sheet.entries.truncate(index(from_ply));
        sheet.entries.extend(line.iter().map(|played| Entry {
            played: played.clone(),
            pressed: false,
            clock: None,
        }));
    }
}

impl Sheet {
    /// The half-moves in UCI form, words for those that are no legal moves.
    pub fn moves(&self) -> Vec<String> {
        let word = |entry: &Entry| match &entry.played {
            Played::Legal(uci) => uci.clone(),
            Played::Irregular { words, .. } => words.clone(),
        };
        self.entries.iter().map(word).collect()
    }

    /// The game as PGN: the seven tags, and the time left after each move in a comment. Ends before a half-move that is no
    /// legal move, and says so.
    pub fn to_pgn(&self, result: &str) -> String {
        let mut text = String::new();
        for (tag, value) in self.tags(result) {
            text.push_str(&format!("[{tag} \"{value}\"]\n"));
        }
        text.push('\n');
        text.push_str(&wrap(self.movetext(result)));
        text
    }

    fn tags(&self, result: &str) -> Vec<(&'static str, String)> {
        let unknown = |tag| (tag, "?".to_owned());
        let mut tags: Vec<(&str, String)> = ["Event", "Site"].map(unknown).into();
        tags.push(("Date", "????.??.??".to_owned()));
        tags.extend(["Round", "White", "Black"].map(unknown));
        tags.push(("Result", result.to_owned()));
        if let Some(fen) = &self.start_fen {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", fen.clone()));
        }
        tags
    }

    fn movetext(&self, result: &str) -> Vec<String> {
        let mut position = self.start();
        let mut words = Vec::new();
        let mut number_due = true;
        for entry in &self.entries {
            let legal = match &entry.played {
                Played::Legal(uci) => uci
                    .parse::<UciMove>()
                    .ok()
                    .and_then(|uci| uci.to_move(&position).ok()),
                Played::Irregular { .. } => None,
            };
            let Some(mv) = legal else {
                words.push("{here something was played that is no legal move}".to_owned());
                break;
            };
            if number_due || position.turn().is_white() {
                let dots = if position.turn().is_white() {
                    "."
                } else {
                    "..."
                };
                words.push(format!("{}{dots}", position.fullmoves()));
            }
            words.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
            words.extend(
                entry
                    .clock
                    .map(|seconds| format!("{{[%clk {}]}}", clock_text(seconds))),
            );
            number_due = entry.clock.is_some();
        }
        words.push(result.to_owned());
        words
    }

    fn start(&self) -> Chess {
        let fen = self
            .start_fen
            .as_deref()
            .and_then(|fen| fen.parse::<Fen>().ok());
        let position = fen.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        position.unwrap_or_default()
    }

    fn side(&self, ply: u32) -> Side {
        let first = Side::from(self.start().turn());
        if ply % 2 == 1 { first } else { first.other() }
    }

    /// The position after the last legal half-move, full FEN.
    pub fn last_fen(&self) -> String {
        let mut position = self.start();
        for entry in &self.entries {
            let Played::Legal(uci) = &entry.played else {
                break;
            };
            let Some(mv) = uci
                .parse::<UciMove>()
                .ok()
                .and_then(|uci| uci.to_move(&position).ok())
            else {
                break;
            };
            position.play_unchecked(mv);
        }
        Fen::from_position(&position, EnPassantMode::Legal).to_string()
    }
}

fn index(ply: u32) -> usize {
    usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX)
}

fn clock_text(seconds: u64) -> String {
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// Lines of at most 79 letters, as PGN wants them.
fn wrap(words: Vec<String>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words.iter().flat_map(|word| pieces(word)) {
        if width > 0 && width + 1 + word.len() > 79 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
    text
}

/// Where a line may break: between words, but not inside a command such as `{[%clk 0:05:09]}`.
fn pieces(word: &str) -> Vec<&str> {
    if word.starts_with("{[%") {
        vec![word]
    } else {
        word.split(' ').collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{BySide, ClockReading, Flag};

    fn made(ply: u32, uci: &str) -> Fact {
        Fact::Made {
            ply,
            played: Played::Legal(uci.to_owned()),
            by: if ply % 2 == 1 {
                Side::White
            } else {
                Side::Black
            },
            certainty: 1.0,
            squares: Vec::new(),
            after_ms: 0,
        }
    }

    fn completed(ply: u32, white: u64, black: u64) -> Fact {
        let clock = ClockReading {
            time: BySide {
                white: white * 1000,
                black: black * 1000,
            },
            running: None,
            turn: None,
            flag: BySide {
                white: Flag::Up,
                black: Flag::Up,
            },
            bonus_sign: BySide::default(),
            battery_low: false,
        };
        Fact::Completed {
            ply,
            pressed: true,
            clock: Some(clock),
        }
    }

    #[test]
    fn facts_become_a_game_with_times() {
        let mut sheet = Scoresheet::default();
        let facts = [
            made(1, "d2d3"),
            Fact::Revised {
                from_ply: 1,
                line: vec![Played::Legal("d2d4".to_owned())],
                certainty: 1.0,
            },
            completed(1, 5430, 5400),
            made(2, "g8f6"),
            made(3, "c2c4"),
            Fact::Retracted { from_ply: 3 },
            Fact::KingsCentred {
                result: GameResult::Draw,
            },
        ];
        facts.iter().for_each(|fact| sheet.take(fact));
        assert_eq!(sheet.moves(), ["d2d4", "g8f6"]);
        let pgn = sheet.sheets().next().expect("one").to_pgn("1/2-1/2");
        assert!(
            pgn.ends_with("\n1. d4 {[%clk 1:30:30]} 1... Nf6 1/2-1/2\n"),
            "{pgn}"
        );
    }

    #[test]
    fn a_set_up_board_begins_a_new_game() {
        let set_up = Fact::SetUp {
            board: protocol::Placement::default(),
            correct: true,
            squares: Vec::new(),
            rotated: false,
        };
        let mut sheet = Scoresheet::default();
        for fact in [set_up.clone(), made(1, "e2e4"), set_up, made(1, "d2d4")] {
            sheet.take(&fact);
        }
        let games: Vec<Vec<String>> = sheet.sheets().map(Sheet::moves).collect();
        assert_eq!(games, [["e2e4"], ["d2d4"]]);
    }
}
