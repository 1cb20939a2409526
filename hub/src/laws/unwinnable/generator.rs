//! Makes hard positions from a seed: walls, cages, bishops of one colour, en passant rights, few men, known ones, and small edits of all.
//!
//! For tests and measurements. The same seed gives the same positions on every machine.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Piece, Rank, Role, Setup, Square,
    fen::Fen,
};

use super::known::KNOWN;

/// What kind of position was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Rammed pawns across the board, kings and now and then a minor piece.
    Wall,
    /// A king behind its own and the other's men in a corner.
    Cage,
    /// Kings, bishops of one square colour each, a few pawns.
    Bishops,
    /// A wall in which a pawn has just made a double step.
    EnPassant,
    /// Three to five men anywhere.
    Few,
    /// A position on which programs have erred, with one to three edits.
    Known,
    /// Kings and rooks at home with rights to castle, behind pawns that ram each other.
    Castling,
}

const FAMILIES: [Family; 7] = [
    Family::Wall,
    Family::Cage,
    Family::Bishops,
    Family::EnPassant,
    Family::Few,
    Family::Known,
    Family::Castling,
];

/// A source of positions.
#[derive(Clone, Debug)]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// A generator whose positions depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// The next legal position.
    pub fn position(&mut self) -> (Family, Chess) {
        loop {
            let family = FAMILIES[self.below(FAMILIES.len())];
            let mut setup = self.setup(family);
            if self.below(3) == 0 {
                self.edit(&mut setup.board);
            }
            if let Ok(pos) = Chess::from_setup(setup, CastlingMode::Standard) {
                return (family, pos);
            }
        }
    }

    /// A legal position that differs from `pos` by one or two edits.
    #[cfg(test)]
    pub(super) fn edited(&mut self, pos: &Chess) -> Chess {
        loop {
            let mut setup = shakmaty::Position::to_setup(pos, shakmaty::EnPassantMode::Legal);
            for _ in 0..1 + self.below(2) {
                self.edit(&mut setup.board);
            }
            if let Ok(edited) = Chess::from_setup(setup, CastlingMode::Standard) {
                return edited;
            }
        }
    }

    fn setup(&mut self, family: Family) -> Setup {
        let mut setup = Setup::empty();
        setup.turn = Color::from_white(self.below(2) == 0);
        match family {
            Family::Wall => self.wall(&mut setup.board),
            Family::Cage => self.cage(&mut setup.board),
            Family::Bishops => self.bishops(&mut setup.board),
            Family::EnPassant => self.en_passant(&mut setup),
            Family::Few => self.few(&mut setup.board),
            Family::Known => self.known(&mut setup.board),
            Family::Castling => self.castling(&mut setup),
        }
        for color in [Color::White, Color::Black] {
            if setup.board.king_of(color).is_none() {
                self.put_anywhere(&mut setup.board, color, Role::King);
            }
        }
        setup
    }

    fn wall(&mut self, board: &mut Board) {
        let first = self.below(2);
        for file in (first..8).step_by(1 + self.below(2)) {
            self.ram(board, file);
        }
        for _ in 0..self.below(3) {
            let color = self.color();
            let role = [Role::Bishop, Role::Knight, Role::Bishop][self.below(3)];
            self.put_anywhere(board, color, role);
        }
    }

    fn ram(&mut self, board: &mut Board, file: usize) {
        let rank = 1 + self.below(5);
        put(board, file, rank, Role::Pawn.of(Color::White));
        put(board, file, rank + 1, Role::Pawn.of(Color::Black));
    }

    fn cage(&mut self, board: &mut Board) {
        let color = self.color();
        let (right, top) = (self.below(2) * 7, self.below(2) * 7);
        put(board, right, top, Role::King.of(color));
        let inward = |edge: usize, by: usize| edge.abs_diff(by);
        for (df, dr) in [(0, 1), (1, 0), (1, 1), (2, 1), (1, 2)] {
            let owner = if self.below(2) == 0 { color } else { !color };
            let role = [
                Role::Pawn,
                Role::Pawn,
                Role::Bishop,
                Role::Knight,
                Role::Rook,
            ][self.below(5)];
            let rank = inward(top, dr);
            if self.below(4) > 0 && !(role == Role::Pawn && (rank == 0 || rank == 7)) {
                put(board, inward(right, df), rank, role.of(owner));
            }
        }
        for file in [1, 3, 5] {
            if self.below(2) == 0 {
                self.ram(board, file);
            }
        }
    }

    fn bishops(&mut self, board: &mut Board) {
        for color in [Color::White, Color::Black] {
            let parity = self.below(2);
            for _ in 0..1 + self.below(2) {
                let square = self.square();
                let same = usize::from(square.is_light()) == parity;
                let at = if same { square } else { square.xor(Square::B1) };
                put_at(board, at, Role::Bishop.of(color));
            }
        }
        for _ in 0..self.below(3) {
            let file = self.below(8);
            self.ram(board, file);
        }
    }

    fn en_passant(&mut self, setup: &mut Setup) {
        self.wall(&mut setup.board);
        let mover = !setup.turn;
        let file = self.below(8);
        let (two, one) = mover.fold_wb((3, 2), (4, 5));
        let home = mover.fold_wb(1, 6);
        for rank in [home, one] {
            setup.board.discard_piece_at(at(file, rank));
        }
        put(&mut setup.board, file, two, Role::Pawn.of(mover));
        let beside = if file == 0 || (file < 7 && self.below(2) == 0) {
            file + 1
        } else {
            file - 1
        };
        put(&mut setup.board, beside, two, Role::Pawn.of(setup.turn));
        setup.ep_square = Some(at(file, one));
    }

    fn few(&mut self, board: &mut Board) {
        for _ in 0..1 + self.below(3) {
            let color = self.color();
            let role = [
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
            ][self.below(5)];
            self.put_anywhere(board, color, role);
        }
    }

    fn known(&mut self, board: &mut Board) {
        let (fen, _) = KNOWN[self.below(KNOWN.len())];
        if let Ok(fen) = fen.parse::<Fen>() {
            *board = fen.into_setup().board;
        }
        for _ in 0..1 + self.below(3) {
            self.edit(board);
        }
    }

    fn castling(&mut self, setup: &mut Setup) {
        self.wall(&mut setup.board);
        for color in [Color::White, Color::Black] {
            let home = color.fold_wb(0, 7);
            if self.below(3) > 0 {
                put(&mut setup.board, 4, home, Role::King.of(color));
                let corner = self.below(2) * 7;
                put(&mut setup.board, corner, home, Role::Rook.of(color));
                setup.castling_rights.add(at(corner, home));
            }
        }
    }

    /// Takes a man away, adds one, or moves one.
    fn edit(&mut self, board: &mut Board) {
        let men = board.occupied() & !board.kings();
        let nth = self.below(men.count().max(1));
        if let Some(square) = men.into_iter().nth(nth)
            && let Some(piece) = board.piece_at(square)
        {
            board.discard_piece_at(square);
            if self.below(2) == 0 {
                self.put_anywhere(board, piece.color, piece.role);
            }
        }
    }

    fn put_anywhere(&mut self, board: &mut Board, color: Color, role: Role) {
        let mut free = !board.occupied();
        if role == Role::Pawn {
            free &= !Bitboard::BACKRANKS;
        }
        let nth = self.below(free.count().max(1));
        if let Some(square) = free.into_iter().nth(nth) {
            board.set_piece_at(square, role.of(color));
        }
    }

    fn color(&mut self) -> Color {
        Color::from_white(self.below(2) == 0)
    }

    fn square(&mut self) -> Square {
        Square::new(self.below(64) as u32)
    }

    /// Any number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 33) % n as u64) as usize
    }
}

fn at(file: usize, rank: usize) -> Square {
    Square::from_coords(File::new(file as u32), Rank::new(rank as u32))
}

fn put(board: &mut Board, file: usize, rank: usize, piece: Piece) {
    put_at(board, at(file, rank), piece);
}

/// Kings stay where they are.
fn put_at(board: &mut Board, square: Square, piece: Piece) {
    if board.role_at(square) != Some(Role::King) {
        board.set_piece_at(square, piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_positions_again_and_every_family_comes_up() {
        let mut first = Generator::new(7);
        let mut second = Generator::new(7);
        let mut families = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let made = first.position();
            assert_eq!(made, second.position());
            families.insert(made.0);
        }
        assert_eq!(families.len(), FAMILIES.len());
    }
}
