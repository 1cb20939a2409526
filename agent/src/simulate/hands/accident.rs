//! What can be made to go wrong on purpose, and when.

use super::act::Millis;

/// An accident at a ply, or at the first later ply that offers the occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accident {
    /// The ply it waits for, counted from 1; accidents between moves come before that ply.
    pub ply: usize,
    /// What happens.
    pub kind: Kind,
}

impl Accident {
    /// An accident at a ply, counted from 1.
    pub fn at(ply: usize, kind: Kind) -> Accident {
        Accident { ply, kind }
    }
}

/// How a piece travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carriage {
    /// Lifted and put down.
    Lifted,
    /// Carried so low that a square on the way sees it.
    Low,
    /// Dragged over the squares.
    Slide,
    /// Dragged, with a rest of this many milliseconds on the way.
    SlideResting(Millis),
    /// Put on another square first, for this long.
    Hover(Millis),
}

/// How a piece is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// One hand takes the victim off and puts the capturer down.
    Swap,
    /// The victim is taken off before the capturer is touched.
    VictimFirst,
    /// The capturer is put down first and the victim pulled out from under it.
    OnTop,
    /// The victim is pushed to a neighbouring square and taken off there.
    Push,
    /// The victim falls over and lies on a neighbouring square for this long.
    Knock(Millis),
}

/// How a player castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Castling {
    /// The king, then the rook.
    KingFirst,
    /// The rook, then the king.
    RookFirst,
    /// Both at once.
    TwoHands,
    /// The rook only this long after the king, after the press.
    LateRook(Millis),
    /// The king on the rook's square, as the rook is taken into the hand.
    KingOntoRook,
}

/// How a player captures en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassant {
    /// The pawn moves, then the victim goes.
    PawnFirst,
    /// The victim goes, then the pawn moves.
    VictimFirst,
    /// The victim goes this long after the press.
    LateVictim(Millis),
    /// The victim is forgotten until somebody takes it away this long after.
    Forgotten(Millis),
}

/// How a player promotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promoting {
    /// The pawn is put on the last rank and replaced.
    Replace,
    /// The pawn is taken off and the new piece put on the last rank.
    Direct,
    /// The new piece is put up before the pawn is taken off.
    QueenFirst,
    /// The pawn is replaced only this long after the press.
    Late(Millis),
    /// A wrong piece is put up and changed after this long, before the press.
    WrongPiece(Millis),
    /// An upturned rook stands for the queen for this long.
    UpturnedRook(Millis),
    /// No queen is at hand: the clock is stopped for this long.
    Waiting(Millis),
}

/// Which rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irregularity {
    /// A piece goes where it cannot go.
    WrongSquare,
    /// A move leaves the own king attacked.
    IntoCheck,
    /// Castling that is not allowed.
    Castling,
    /// En passant when it is too late or never was possible.
    EnPassant,
    /// A pawn is left on the last rank.
    Unpromoted,
    /// A player in check plays something else and the opponent takes the king.
    KingTaken,
    /// A player moves twice.
    MovesTwice,
    /// A player moves one of the opponent's pieces.
    OpponentsPiece,
}

/// What becomes of an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The player corrects it before pressing the clock.
    BeforePress,
    /// It is completed; the clock is stopped and the position restored this long after.
    AfterPress(Millis),
    /// Nobody notices: it stands in place of the game's move, and as much of the game as is still possible goes on.
    Stands,
}

/// One kind of accident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The piece is carried in this way.
    Carry(Carriage),
    /// The piece is lifted a hair and put down again.
    Bounce,
    /// The capture is made in this way.
    Take(Taking),
    /// The captured piece is sensed on another square on its way off the board.
    Brush,
    /// Castling is done in this way.
    Castle(Castling),
    /// The capture en passant is done in this way.
    EnPassant(EnPassant),
    /// The promotion is done in this way.
    Promote(Promoting),
    /// A neighbour is knocked off its square and put back.
    KnockOver,
    /// The piece is put between squares and reads unreliably for about this long.
    OffCentre(Millis),
    /// The mover does not press.
    NoPress,
    /// The mover presses before the move is finished.
    EarlyPress,
    /// The mover begins before the opponent's hand has left.
    Overlap,

    /// The player to move adjusts this many pieces, one after the other.
    Adjust(usize),
    /// The player to move lifts two pieces together and puts both back.
    AdjustTogether,
    /// The opponent of the player to move adjusts a piece.
    AdjustOffTurn,
    /// The player to move lifts a piece for this long and puts it back.
    TouchReturn(Millis),
    /// Two pieces are put back on each other's square, for this long.
    Exchanged(Millis),
    /// This many pieces are swept off and put up again.
    Swept(usize),
    /// The player to move tries out this many moves on the board and takes them back.
    Analysis(usize),
    /// A piece of another set stands on an empty square for this long.
    ForeignPiece(Millis),

    /// The player to move presses without a move; the opponent presses back.
    PressWithoutMove,
    /// The rocker is knocked over and back within half a second.
    LeverKnocked,
    /// The clock is stopped for this long.
    ClockPaused(Millis),
    /// An arbiter adds this much to the opponent of the player to move.
    TimeAdded(Millis),
    /// White's clock is started by a press of Black.
    BlackStarts,

    /// This many legal moves are played, then taken back with the clock stopped.
    TakenBack(usize),
    /// The last move is changed after the press, for this long.
    MoveChanged(Millis),
    /// An illegal move.
    Illegal(Irregularity, Remedy),

    /// Two pieces stand on each other's square at the start, until shortly before the ply.
    WrongSetup,
    /// A piece is missing at the start, until shortly before the ply.
    MissingPiece,

    /// A piece that is not touched reads as nothing for this long.
    DropOut(Millis),
    /// The piece about to move reads as nothing for this long before it is lifted.
    DropOutOfMover(Millis),
    /// The square moved to reads as nothing for this long.
    DeadSquare(Millis),
    /// An empty square reads as a piece for this long.
    Ghost(Millis),
    /// A piece that is not touched reads as another one for this long.
    Misread(Millis),
    /// The message that the piece has arrived is lost.
    LostArrival,
    /// The message that the piece has left is lost.
    LostDeparture,
    /// The cable is out for this long, from just before the ply.
    LinkGap(Millis),
    /// The board is without power for this long, from just before the ply.
    PowerCut(Millis),
}
