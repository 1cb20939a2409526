//! Repetition and counted moves: threefold and fivefold, fifty and seventy-five moves (9.2, 9.3, 9.6), with the plies that show them.
//!
//! Two positions are the same (9.2.3) when the same side is to move, like men stand on the same squares, the same castling rights are
//! left (9.2.3.2: they go only when king or rook has moved) and the same en passant capture is really possible (9.2.3.1). Positions
//! themselves are compared, never hashes alone. Ply 0 is the start; ply n stands after n moves.

use std::collections::HashMap;

use shakmaty::{Chess, Color, Move, Position};

/// Half-moves without capture or pawn move after which a draw can be claimed (9.3).
const FIFTY: u32 = 100;
/// Half-moves without capture or pawn move that end the game (9.6.2).
const SEVENTY_FIVE: u32 = 150;
/// Occurrences that allow a claim (9.2), and that end the game (9.6.1).
const THREE: usize = 3;
const FIVE: usize = 5;

/// The positions of one game in order.
#[derive(Clone, Debug)]
pub struct History {
    positions: Vec<Chess>,
    plies: HashMap<Chess, Vec<usize>>,
}

impl History {
    /// A game that starts from `start`, which counts as the first occurrence; its half-move counter is taken over.
    pub fn new(start: Chess) -> Self {
        let plies = HashMap::from([(start.clone(), vec![0])]);
        Self {
            positions: vec![start],
            plies,
        }
    }

    /// A legal move has been made.
    pub fn play(&mut self, m: Move) {
        let mut next = self.current().clone();
        next.play_unchecked(m);
        self.stands(next);
    }

    /// The next position stands, by whatever move: an illegal one that may no longer be corrected (A.5.2) is part of the history too.
    pub fn stands(&mut self, next: Chess) {
        let ply = self.positions.len();
        self.plies.entry(next.clone()).or_default().push(ply);
        self.positions.push(next);
    }

    /// The position on the board.
    pub fn current(&self) -> &Chess {
        &self.positions[self.ply()]
    }

    /// Plies made so far.
    pub fn ply(&self) -> usize {
        self.positions.len() - 1
    }

    /// The plies at which the position of `ply` has stood, up to and including that ply.
    pub fn occurrences(&self, ply: usize) -> &[usize] {
        let Some(all) = self.positions.get(ply).and_then(|pos| self.plies.get(pos)) else {
            return &[];
        };
        &all[..all.partition_point(|&p| p <= ply)]
    }

    /// The plies, up to `ply`, at which the position that `m` would bring about from there has stood.
    pub fn occurrences_after(&self, ply: usize, m: Move) -> &[usize] {
        let Some(before) = self.positions.get(ply) else {
            return &[];
        };
        let mut next = before.clone();
        next.play_unchecked(m);
        let Some(all) = self.plies.get(&next) else {
            return &[];
        };
        &all[..all.partition_point(|&p| p <= ply)]
    }

    /// Whether the position at `ply` stands for the third time or more (9.2.2).
    pub fn threefold_stands(&self, ply: usize) -> bool {
        self.occurrences(ply).len() >= THREE
    }

    /// Whether it stands for the fifth time or more, which ends the game (9.6.1).
    pub fn fivefold(&self, ply: usize) -> bool {
        self.occurrences(ply).len() >= FIVE
    }

    /// The moves with which the side to move at `ply` may claim that the position is about to stand for the third time (9.2.1).
    pub fn threefold_moves(&self, ply: usize) -> Vec<Move> {
        let Some(pos) = self.positions.get(ply) else {
            return Vec::new();
        };
        let moves = pos.legal_moves();
        let claimable = moves
            .iter()
            .copied()
            .filter(|&m| self.occurrences_after(ply, m).len() + 1 >= THREE);
        claimable.collect()
    }

    /// Whether fifty moves by each side without capture or pawn move stand on the board (9.3.2); mate and stalemate end the game before that.
    pub fn fifty_stands(&self, ply: usize) -> bool {
        self.counted(ply, FIFTY)
    }

    /// Whether seventy-five such moves do, which ends the game; a mating last move takes precedence (9.6.2).
    pub fn seventy_five(&self, ply: usize) -> bool {
        self.counted(ply, SEVENTY_FIVE)
    }

    /// The moves with which the side to move at `ply` may claim that fifty moves are about to be complete (9.3.1).
    pub fn fifty_moves(&self, ply: usize) -> Vec<Move> {
        let Some(pos) = self
            .positions
            .get(ply)
            .filter(|p| p.halfmoves().saturating_add(1) >= FIFTY)
        else {
            return Vec::new();
        };
        let moves = pos.legal_moves();
        moves
            .iter()
            .copied()
            .filter(|&m| !m.is_zeroing() && !ends(pos, m))
            .collect()
    }

    fn counted(&self, ply: usize, halfmoves: u32) -> bool {
        self.positions
            .get(ply)
            .is_some_and(|pos| pos.halfmoves() >= halfmoves && goes_on(pos))
    }

    /// The first ply of each right and each end of the game.
    pub fn firsts(&self) -> Firsts {
        let first =
            |holds: &dyn Fn(usize) -> bool| (0..self.positions.len()).find(|&ply| holds(ply));
        let threefold = first(&|ply| self.threefold_stands(ply));
        let intended = first(&|ply| !self.threefold_moves(ply).is_empty());
        Firsts {
            threefold_on_board: threefold,
            threefold_claimant: threefold.map(|ply| self.positions[ply].turn()),
            threefold_by_intended_move: intended,
            threefold_intended_moves: intended.map(|ply| self.threefold_moves(ply)),
            fivefold: first(&|ply| self.fivefold(ply)),
            fifty_on_board: first(&|ply| self.fifty_stands(ply)),
            fifty_by_intended_move: first(&|ply| !self.fifty_moves(ply).is_empty()),
            seventy_five: first(&|ply| self.seventy_five(ply)),
            checkmate: first(&|ply| self.positions[ply].is_checkmate()),
            stalemate: first(&|ply| self.positions[ply].is_stalemate()),
        }
    }

    /// Every position, ply by ply.
    pub fn positions(&self) -> &[Chess] {
        &self.positions
    }
}

fn ends(pos: &Chess, m: Move) -> bool {
    let mut next = pos.clone();
    next.play_unchecked(m);
    !goes_on(&next)
}

/// Neither mate nor stalemate stands.
fn goes_on(pos: &Chess) -> bool {
    !pos.legal_moves().is_empty()
}

/// When each right to claim first arose and the game first ended, in plies; nothing where it never did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Firsts {
    /// 9.2.2: the position has appeared for the third time.
    pub threefold_on_board: Option<usize>,
    /// Who was to move then, and so may claim.
    pub threefold_claimant: Option<Color>,
    /// 9.2.1: some move would make it appear for the third time.
    pub threefold_by_intended_move: Option<usize>,
    /// Those moves.
    pub threefold_intended_moves: Option<Vec<Move>>,
    /// 9.6.1: the fifth time, the game is drawn.
    pub fivefold: Option<usize>,
    /// 9.3.2: fifty moves by each side stand.
    pub fifty_on_board: Option<usize>,
    /// 9.3.1: some move would complete them.
    pub fifty_by_intended_move: Option<usize>,
    /// 9.6.2: seventy-five moves by each side, the game is drawn.
    pub seventy_five: Option<usize>,
    /// 5.1.1.
    pub checkmate: Option<usize>,
    /// 5.2.1.
    pub stalemate: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    fn game(fen: &str, moves: &str) -> History {
        let fen: Fen = fen.parse().expect("a FEN");
        let mut history = History::new(
            fen.into_position(CastlingMode::Standard)
                .expect("a legal position"),
        );
        for word in moves.split_whitespace() {
            let uci: UciMove = word.parse().expect("a move");
            history.play(uci.to_move(history.current()).expect("a legal move"));
        }
        history
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const OUT_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8 ";

    #[test]
    fn art_9_2_2_the_start_counts_as_the_first_occurrence() {
        let firsts = game(START, &OUT_AND_BACK.repeat(2)).firsts();
        assert_eq!(firsts.threefold_on_board, Some(8));
        assert_eq!(firsts.threefold_claimant, Some(Color::White));
        assert_eq!(firsts.fivefold, None);
    }

    #[test]
    fn art_9_2_1_names_the_move_to_write_down() {
        let history = game(START, &OUT_AND_BACK.repeat(2));
        let firsts = history.firsts();
        assert_eq!(firsts.threefold_by_intended_move, Some(7));
        let moves = firsts.threefold_intended_moves.expect("a move");
        assert_eq!(
            moves.iter().map(|m| m.to_string()).collect::<Vec<_>>(),
            ["Nf6-g8"]
        );
        assert_eq!(history.occurrences(8), [0, 4, 8]);
    }

    #[test]
    fn art_9_2_3_1_only_a_legal_en_passant_capture_makes_a_difference() {
        let moves = "e2e4 d8c8 e1f1 c8d8 f1e1";
        let pinned = game("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", moves);
        let free = game("3k4/8/8/8/3p4/8/4P3/4K3 w - - 0 1", moves);
        assert_eq!(
            pinned.occurrences(5),
            [1, 5],
            "the pawn was pinned: the same position"
        );
        assert_eq!(free.occurrences(5), [5], "the capture was possible once");
    }

    #[test]
    fn art_9_2_3_2_a_castling_right_counts_until_the_rook_has_moved() {
        let history = game(
            "4k3/8/8/8/8/8/4P3/RN2K3 w Q - 0 1",
            &"a1a2 e8e7 a2a1 e7e8 ".repeat(2),
        );
        assert_eq!(history.firsts().threefold_on_board, None);
        assert_eq!(history.occurrences(8), [4, 8]);
    }

    #[test]
    fn art_9_6_1_the_fifth_occurrence_ends_the_game() {
        assert_eq!(
            game(START, &OUT_AND_BACK.repeat(4)).firsts().fivefold,
            Some(16)
        );
    }

    #[test]
    fn art_9_3_fifty_moves_by_intention_come_one_ply_earlier() {
        let firsts = game("8/4p3/4k3/8/8/4K3/8/R7 w - - 98 100", "a1a2 e6d6 a2a1").firsts();
        assert_eq!(
            (firsts.fifty_by_intended_move, firsts.fifty_on_board),
            (Some(1), Some(2))
        );
    }

    #[test]
    fn art_9_6_2_a_mating_last_move_takes_precedence() {
        let firsts = game("7k/8/6K1/8/8/8/8/R7 w - - 149 150", "a1a8").firsts();
        assert_eq!((firsts.seventy_five, firsts.checkmate), (None, Some(1)));
        let firsts = game("7k/8/6K1/8/8/8/8/R7 w - - 149 150", "a1a2").firsts();
        assert_eq!((firsts.seventy_five, firsts.checkmate), (Some(1), None));
    }

    #[test]
    fn art_5_2_1_a_stalemate_on_the_last_move_leaves_nothing_to_claim() {
        let after = |counter: u32| {
            let start = format!("8/8/8/8/8/1k6/3q4/K7 b - - {counter} 80");
            game(&start, "d2d4 a1b1 d4c3").firsts()
        };
        let (fifty, seventy_five) = (after(97), after(147));
        assert_eq!((fifty.fifty_on_board, fifty.stalemate), (None, Some(3)));
        assert_eq!(seventy_five.seventy_five, None);
    }

    #[test]
    fn art_a_5_2_a_position_from_an_illegal_move_that_stands_is_counted() {
        let mut history = game(START, OUT_AND_BACK);
        let again = history.current().clone();
        history.stands(again);
        assert_eq!(history.occurrences(5), [0, 4, 5]);
    }
}
