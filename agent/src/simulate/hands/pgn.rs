//! Reads games from PGN text: any number in a file, comments with clock times, variations skipped.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Outcome, Position};

use super::act::Millis;
use super::game::Game;
use super::words::{Word, Words};

/// More plies than any game has; what follows is not read.
const MOST_PLIES: usize = 2000;

/// Why a game of a file cannot be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The tag `FEN` is no position chess can be played from.
    #[error("game {game}: the tag FEN is no playable position: {fen}")]
    Start {
        /// Which game of the file, counted from 1.
        game: usize,
        /// The tag's value.
        fen: String,
    },
    /// A move is illegal, ambiguous or no move at all.
    #[error("game {game}, ply {ply}: no legal move is written “{san}”")]
    Move {
        /// Which game of the file, counted from 1.
        game: usize,
        /// The ply, counted from 1.
        ply: usize,
        /// What stands there.
        san: String,
        /// The game up to there.
        read: Box<Game>,
    },
}

/// Reads every game of a PGN text, in order; a broken game does not hide the ones after it.
pub fn read_games(text: &str) -> Vec<Result<Game, GameError>> {
    let mut words = Words::new(text);
    let mut games = Vec::new();
    while let Some(draft) = Draft::read(&mut words) {
        games.push(draft.finish(games.len() + 1));
    }
    games
}

/// A game as it is written, before any move is tried.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    clocks: Vec<Option<Millis>>,
    result: Option<Outcome>,
}

impl Draft {
    fn read(words: &mut Words) -> Option<Draft> {
        let mut draft = Draft::default();
        let mut empty = true;
        while let Some(word) = words.peek() {
            if matches!(word, Word::Tag(..)) && !draft.moves.is_empty() {
                break;
            }
            words.next();
            empty &= matches!(word, Word::Comment(_));
            if draft.take(word) {
                break;
            }
        }
        (!empty).then_some(draft)
    }

    /// Takes one word in; true when it ends the game.
    fn take(&mut self, word: Word) -> bool {
        match word {
            Word::Tag(name, value) => self.tags.push((name, value)),
            Word::Comment(text) => self.note_clock(&text),
            Word::Move(san) => {
                if self.moves.len() < MOST_PLIES {
                    self.moves.push(san);
                    self.clocks.push(None);
                }
            }
            Word::End(result) => {
                self.result = Some(result);
                return true;
            }
        }
        false
    }

    fn note_clock(&mut self, comment: &str) {
        if let (Some(last), Some(time)) = (self.clocks.last_mut(), clock_time(comment)) {
            *last = Some(time);
        }
    }

    fn finish(self, number: usize) -> Result<Game, GameError> {
        let castling = self.castling();
        let start = self.start(castling, number)?;
        let mut position = start.clone();
        let result = self.result.unwrap_or(Outcome::Unknown);
        let mut game = Game {
            tags: self.tags,
            start,
            castling,
            moves: Vec::new(),
            clocks: self.clocks,
            result,
        };
        for (ply, san) in self.moves.into_iter().enumerate() {
            let found = san
                .parse::<SanPlus>()
                .ok()
                .and_then(|san| san.san.to_move(&position).ok());
            let Some(found) = found else {
                game.clocks.truncate(ply);
                return Err(GameError::Move {
                    game: number,
                    ply: ply + 1,
                    san,
                    read: Box::new(game),
                });
            };
            position.play_unchecked(found);
            game.moves.push(found);
        }
        Ok(game)
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    fn castling(&self) -> CastlingMode {
        let variant = self.tag("Variant").unwrap_or_default().to_ascii_lowercase();
        let shuffled = variant.contains("960") || variant.contains("fischer");
        if shuffled {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    fn start(&self, castling: CastlingMode, game: usize) -> Result<Chess, GameError> {
        let Some(text) = self.tag("FEN") else {
            return Ok(Chess::default());
        };
        let position = text
            .parse::<Fen>()
            .ok()
            .and_then(|fen| fen.into_position(castling).ok());
        position.ok_or_else(|| GameError::Start {
            game,
            fen: text.to_owned(),
        })
    }
}

/// The time in a comment's `[%clk h:mm:ss]`, fractions of a second included.
fn clock_time(comment: &str) -> Option<Millis> {
    let (_, rest) = comment.split_once("[%clk")?;
    let (time, _) = rest.split_once(']')?;
    let parts: Vec<&str> = time.trim().split(':').collect();
    let (seconds, whole) = parts.split_last()?;
    let seconds = seconds
        .parse::<f64>()
        .ok()
        .filter(|s| (0.0..60.0).contains(s))?;
    let mut minutes = 0u64;
    for part in whole {
        minutes = minutes.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let whole = minutes
        .checked_mul(60_000)
        .filter(|&ms| ms <= 360_000_000)?;
    Some(whole + (seconds * 1000.0).round() as Millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::KnownOutcome;

    const TWO: &str = "% a line for programs\n[Event \"A \\\"B\\\"\"]\n[TimeControl \"300+3\"]\n\n1. e4 {[%clk 0:05:01.5]} e5 ; a remark\n\
        2. Nf3! $1 (2. f4 exf4 (2... d5 {deep}) 3. Nf3) Nc6 { [%emt 0:00:07][%clk 0:04:52] } 1/2-1/2\n\n[Event \"Second\"]\n\n1.d4 d5 2.c4";

    #[test]
    fn two_games_with_everything_a_file_can_hold() {
        let games = read_games(TWO);
        let [Ok(first), Ok(second)] = &games[..] else {
            panic!("{games:?}")
        };
        assert_eq!(first.tag("Event"), Some("A \"B\""));
        assert_eq!(first.moves.len(), 4);
        assert_eq!(first.clocks, [Some(301_500), None, None, Some(292_000)]);
        assert_eq!(first.result, Outcome::Known(KnownOutcome::Draw));
        assert_eq!(first.control(), Some(Control::seconds(300, 3)));
        assert_eq!((second.moves.len(), second.result), (3, Outcome::Unknown));
    }

    use super::super::control::Control;

    #[test]
    fn an_illegal_move_is_named_and_the_rest_of_the_file_still_read() {
        let games = read_games("1. e4 e5 2. Ke3 Nc6 1-0\n[Event \"B\"]\n1. d4 *");
        let Err(GameError::Move {
            game: 1,
            ply: 3,
            san,
            read,
        }) = &games[0]
        else {
            panic!("{games:?}")
        };
        assert_eq!(
            (san.as_str(), read.moves.len(), read.clocks.len()),
            ("Ke3", 2, 2)
        );
        assert_eq!(
            games[1]
                .as_ref()
                .expect("the second game is whole")
                .moves
                .len(),
            1
        );
    }

    #[test]
    fn games_from_a_position_and_chess960() {
        let text = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n1. a8=N Kd7 *\n[Variant \"Chess960\"]\n\
            [FEN \"1rk5/pppp4/8/8/8/8/PPPP4/1RKR4 w BDb - 0 1\"]\n1. O-O O-O-O *\n[FEN \"no position\"]\n1. e4 *";
        let games = read_games(text);
        assert_eq!(games[0].as_ref().expect("legal").moves.len(), 2);
        assert_eq!(games[1].as_ref().expect("legal").moves.len(), 2);
        assert!(
            matches!(&games[2], Err(GameError::Start { game: 3, .. })),
            "{:?}",
            games[2]
        );
    }

    #[test]
    fn clock_times() {
        let rows = [
            ("[%clk 1:02:03]", Some(3_723_000)),
            ("[%clk 59.9]", Some(59_900)),
            ("[%clk 1:75]", None),
            ("[%clk x]", None),
            ("", None),
        ];
        for (comment, expected) in rows {
            assert_eq!(clock_time(comment), expected, "{comment}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[\\[\\]{}();$%\"\\\\ a-hNKO1-9.x=+#*\n-]{0,200}") {
            let _games = read_games(&text);
        }
    }
}
