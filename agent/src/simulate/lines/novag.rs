//! How Novag boards speak: they follow the game by the rules of chess and say each move when it was made.

use shakmaty::{CastlingMode, Chess, Move, Piece, Position, Role, Square};

use super::talker::Tongue;
use crate::devices::{ClockSide, Millis, Placement};
use crate::simulate::dgt::ClockAction;
use crate::simulate::dgt::chessclock::VirtualClock;

/// A board that says moves.
pub(super) struct Novag {
    kind: Kind,
    stands: Placement,
    position: Chess,
    moves: Vec<String>,
    /// Moves are told without being asked for.
    echo: bool,
    /// The player to move has pressed, and his move is not told yet.
    pressed: bool,
    /// What the player to move seems to have moved, before his opponent touched anything.
    candidate: Option<Move>,
    /// Where the opponent's hand was quicker than the press, and the board was not left alone before.
    answered: Option<Square>,
    /// Something changed that no single move explains.
    unfelt: bool,
    changed: Millis,
    clock: VirtualClock,
    games: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Citrine,
    Universal,
}

/// After a press a move counts when the hand has been away for so long.
const STILL: Millis = 300;
/// Without a press a move counts after the board was left alone for so long.
const QUIET: Millis = 4_000;

impl Novag {
    /// Citrine: it echoes moves when it was asked to, and remembers the game.
    pub(super) fn citrine(stands: Placement) -> Novag {
        Novag::new(Kind::Citrine, stands)
    }

    /// Universal board: it says moves, and knows nothing more.
    pub(super) fn universal(stands: Placement) -> Novag {
        Novag::new(Kind::Universal, stands)
    }

    fn new(kind: Kind, stands: Placement) -> Novag {
        Novag {
            kind,
            stands,
            position: Chess::default(),
            moves: Vec::new(),
            echo: kind == Kind::Universal,
            pressed: false,
            candidate: None,
            answered: None,
            unfelt: false,
            changed: 0,
            clock: VirtualClock::new(),
            games: 1,
        }
    }

    /// The legal move that explains what stands there; a captured piece may still be in the hand above some square.
    fn made(&self) -> Option<Move> {
        let mut moves = self.position.legal_moves().into_iter();
        moves.find(|played| self.explains(played))
    }

    /// The first of two moves that explain it: a piece was not felt before the opponent had answered.
    fn made_before_another(&self) -> Option<Move> {
        let mut moves = self.position.legal_moves().into_iter();
        moves.find(|first| {
            let mut next = Novag::new(self.kind, self.stands);
            next.position = self.position.clone();
            next.position.play_unchecked(*first);
            next.made().is_some()
        })
    }

    fn explains(&self, played: &Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(*played);
        let captured = played.capture().map(|role| role.of(after.turn()));
        let after = placement(&after);
        let differs = |square: &Square| self.stands.at(*square) != after.at(*square);
        let mut others = Square::ALL.into_iter().filter(differs);
        let in_hand = others.next().is_none_or(|square| {
            captured.is_some() && self.stands.at(square) == captured && after.at(square).is_none()
        });
        in_hand && others.next().is_none()
    }

    fn tell(&mut self, played: Move) -> Vec<String> {
        let words = match self.kind {
            Kind::Citrine => citrine_words(&played),
            Kind::Universal => universal_words(&played),
        };
        let number = self.moves.len() / 2 + 1;
        let comma = if self.position.turn().is_white() {
            ""
        } else {
            ","
        };
        let line = match self.kind {
            Kind::Citrine => format!("M {number:>3}{comma}  {words}"),
            Kind::Universal => format!("M{words}"),
        };
        self.position.play_unchecked(played);
        self.moves.push(words);
        self.pressed = false;
        self.candidate = self.made();
        if self.echo { vec![line] } else { Vec::new() }
    }

    fn game(&self) -> Vec<String> {
        let head = [
            format!("Game {:>3}", self.games),
            ".      white       black".to_owned(),
        ];
        let rows = (1..).zip(self.moves.chunks(2)).map(|(number, row)| {
            let black = row.get(1).map_or("", String::as_str);
            format!(". {number:>3}  {:<11} {black}", row[0])
                .trim_end()
                .to_owned()
        });
        head.into_iter().chain(rows).collect()
    }

    fn times(&self) -> String {
        let words = |side| {
            let (millis, _) = self.clock.shows(side);
            let seconds = millis / 1000;
            let (hours, minutes) = (seconds / 3600 % 100, seconds / 60 % 60);
            format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
        };
        format!(
            "Clock {} {}",
            words(ClockSide::Left),
            words(ClockSide::Right)
        )
    }
}

impl Tongue for Novag {
    fn bytes_a_second(&self) -> f64 {
        match self.kind {
            Kind::Citrine => 5_760.0,
            Kind::Universal => 960.0,
        }
    }

    fn line_end(&self) -> &'static str {
        "\r\n"
    }

    fn talks_by_itself(&self) -> bool {
        self.kind == Kind::Universal
    }

    fn square(&mut self, now: Millis, square: Square, piece: Option<Piece>) -> Vec<String> {
        // The opponent begins: what stood there was a move that is over.
        let opponent = self.position.turn().other();
        let touched = self
            .stands
            .at(square)
            .is_some_and(|old| old.color == opponent);
        let done = self.pressed || now >= self.changed + STILL;
        let early = (touched && !done).then_some(square);
        let answered = std::mem::replace(&mut self.answered, early);
        // A piece that is on its square again was not felt for a moment; one that was bumped, while the mover's hand goes on.
        let by_opponent = touched || piece.is_some_and(|new| new.color == opponent);
        let answered = answered
            .filter(|_| by_opponent)
            .is_some_and(|from| from != square && self.stands.at(from).is_none());
        let over = self.candidate.take_if(|_| (touched && done) || answered);
        let said = over.map_or_else(Vec::new, |played| self.tell(played));
        self.stands.set(square, piece);
        self.changed = now;
        // The opponent's hand may be quicker than the press.
        if let Some(played) = self.made() {
            self.candidate = Some(played);
        } else if !touched {
            self.candidate = None;
        }
        self.unfelt = self.candidate.is_none();
        said
    }

    fn clock(&mut self, now: Millis, action: ClockAction) -> Vec<String> {
        self.clock.pass(now);
        let mut said = Vec::new();
        if let ClockAction::Press { by } = action {
            let unpressed = by != self.position.turn();
            let over = self.candidate.take_if(|_| unpressed);
            said.extend(over.map_or_else(Vec::new, |played| self.tell(played)));
            self.pressed = by == self.position.turn();
        }
        self.clock.obey(action, ClockSide::Left);
        said.extend(self.pass(now));
        said
    }

    fn pass(&mut self, now: Millis) -> Vec<String> {
        self.clock.pass(now);
        if !self.moves.is_empty() && self.stands == Placement::start() {
            *self = Novag {
                echo: self.echo,
                clock: self.clock.clone(),
                games: self.games + 1,
                ..Novag::new(self.kind, self.stands)
            };
            let word = match self.kind {
                Kind::Citrine => "New Game",
                Kind::Universal => "N",
            };
            return vec![word.to_owned()];
        }
        let wait = if self.pressed { STILL } else { QUIET };
        let counts = now >= self.changed + wait;
        let mut made = self.candidate.take_if(|_| counts);
        if made.is_none() && self.unfelt && now >= self.changed + STILL {
            self.unfelt = false;
            made = self.made_before_another();
        }
        made.map_or_else(Vec::new, |played| self.tell(played))
    }

    fn answer(&mut self, now: Millis, line: &str) -> Option<Vec<String>> {
        self.clock.pass(now);
        match (self.kind, line.to_ascii_uppercase().as_str()) {
            (Kind::Universal, _) => None,
            (_, "X ON") => {
                self.echo = true;
                Some(vec!["Xmit on".to_owned()])
            }
            (_, "C") => Some(vec![self.times()]),
            (_, "G") => Some(self.game()),
            (_, "I") => Some(vec!["ID. UCBII V1.09".to_owned()]),
            _ => None,
        }
    }

    fn restart(&mut self, _now: Millis) -> Vec<String> {
        self.echo = self.kind == Kind::Universal;
        Vec::new()
    }
}

fn placement(position: &Chess) -> Placement {
    let mut stands = Placement::EMPTY;
    for (square, piece) in position.board().clone() {
        stands.set(square, Some(piece));
    }
    stands
}

/// `e2-e4`, `e4xd5`, `e5xd6ep`, `d7-d8/N`, `O-O`.
fn citrine_words(played: &Move) -> String {
    if played.is_castle() {
        return castling(played);
    }
    let sign = if played.is_capture() { 'x' } else { '-' };
    let from = played
        .from()
        .map_or_else(String::new, |from| from.to_string());
    let passing = if played.is_en_passant() { "ep" } else { "" };
    format!("{from}{sign}{}{passing}{}", played.to(), promotion(played))
}

/// `e2e4`, `e7e8/Q`, the king's squares for castling.
fn universal_words(played: &Move) -> String {
    let uci = played.to_uci(CastlingMode::Standard).to_string();
    format!("{}{}", &uci[..4], promotion(played))
}

fn castling(played: &Move) -> String {
    let short = played.castling_side() == Some(shakmaty::CastlingSide::KingSide);
    if short { "O-O" } else { "O-O-O" }.to_owned()
}

fn promotion(played: &Move) -> String {
    let letter = |role: Role| format!("/{}", role.char().to_ascii_uppercase());
    played.promotion().map_or_else(String::new, letter)
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    fn play(board: &mut Novag, now: Millis, moves: &[(Square, Square)]) -> Vec<String> {
        let mut said = Vec::new();
        for (number, (from, to)) in (0u64..).step_by(500).zip(moves) {
            let piece = board.stands.at(*from);
            let by = piece.map_or(Color::White, |piece| piece.color);
            said.extend(board.square(now + number, *from, None));
            said.extend(board.square(now + number, *to, piece));
            said.extend(board.clock(now + number, ClockAction::Press { by }));
            said.extend(board.pass(now + number + STILL));
        }
        said
    }

    #[test]
    fn lines_are_those_of_the_published_examples() {
        use Square::{C5, C7, D6, D7, E2, E4, F3, G1};
        let mut board = Novag::citrine(Placement::start());
        assert_eq!(board.answer(0, "X ON"), Some(vec!["Xmit on".to_owned()]));
        let said = play(&mut board, 10, &[(E2, E4), (C7, C5), (G1, F3), (D7, D6)]);
        assert_eq!(
            said,
            [
                "M   1  e2-e4",
                "M   1,  c7-c5",
                "M   2  g1-f3",
                "M   2,  d7-d6"
            ]
        );
        let game = board.answer(100, "G").expect("an answer");
        assert_eq!(game[0], "Game   1");
        assert_eq!(game[2], ".   1  e2-e4       c7-c5");
        assert_eq!(
            board.answer(100, "N"),
            None,
            "a new game is the players' affair"
        );
        let mut board = Novag::universal(Placement::start());
        assert_eq!(
            play(&mut board, 10, &[(E2, E4), (C7, C5)]),
            ["Me2e4", "Mc7c5"]
        );
    }

    #[test]
    fn a_slide_is_one_move_and_the_opponents_hand_ends_it() {
        use Square::{D2, D3, D4, G8};
        let mut board = Novag::universal(Placement::start());
        let pawn = board.stands.at(D2);
        let changes = [(D2, None), (D3, pawn), (D3, None), (D4, pawn)];
        let said: Vec<String> = (0..)
            .zip(changes)
            .flat_map(|(now, (square, piece))| board.square(now, square, piece))
            .collect();
        assert!(said.is_empty(), "{said:?}");
        assert_eq!(board.square(500, G8, None), ["Md2d4"]);
    }
}
