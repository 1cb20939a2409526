//! "Cannot checkmate by any possible series of legal moves" (6.9, 7.5.5, 5.1.2, 5.2.2): the verdict with its proof.
//!
//! A wrong verdict turns a lost game into a draw or the other way round, so there is none: what cannot be shown is *undecided*, and
//! every proof has passed a checker that shares no code with the search. Move counters and repetition are ignored, as the Laws do not
//! say that they end a "possible series". The room is pure: work is counted in nodes, a deadline is the caller's `stop`.
//!
//! # How an answer is found
//!
//! 1. A mate or stalemate on the board, then three lemmas about material ([`Lemma`]).
//! 2. A *dive*: both sides follow a plan (king to a corner, queen made, king brought up) and nothing is taken back. Settles 99 of 100
//!    positions of real games in a few microseconds.
//! 3. The *phase graph*, below, for positions that are closed or nearly so.
//! 4. *Pictures*: mates with minor pieces, listed by the moves the men need past the pawns as they stand, and hunted for one by one, one
//!    of each square of the losing king in turn.
//! 5. A *walk* that visits each position once, with exact keys: a mate, or a proof when nothing is left. The most promising positions
//!    share the turns with one of every arrangement of pawns and one of every depth, which is what finds the way out of a position in
//!    which the sides can only wait until somebody's pawn moves run out.
//!
//! Steps 2 to 5 take turns with growing shares of the budget, and a proof is checked within it. A walk keeps at most a million positions
//! of 24 bytes with an index of 8 bytes and three queues of 4, so that a verdict stays within 64 MiB.
//!
//! # What a budget is
//!
//! Nodes, and a `stop` that is asked every [`Budget::POLL`] of them: whoever calls binds it to what he has. The commands count processor
//! time of the thread, so that a verdict does not become undecided because another program had the processor; the hub's background
//! thread counts time on the wall, as an arbiter does. The hub's loop itself asks for 1000 nodes when no answer is there yet.
//! The longest stretches between two questions are a list of pictures and a table that doubles.
//!
//! # The phase graph, and why it is sound
//!
//! A [`Phase`] is a set of positions: the pawns exactly, for each other man the squares it may stand on, and whether it may have been
//! captured. It is *closed* when no reversible move leads out of it. Only what is certainly there stands in the way: pawns, and men
//! that are certain and have one square. Such a *hard* man of the other side also forbids squares to a king, as far as no man could
//! possibly stand in between. While sets grow, hard men become soft and what is forbidden shrinks, never the other way, so the least
//! closed phase contains every position that reversible moves can reach. Irreversible moves (pawns moved or taken, hard men taken,
//! promotions) lead to new phases. If no phase passes the test "could this be mate?", there is no mate.
//!
//! Castling adds nothing in the normal game: king and rook pass only over empty squares, the king over none that is attacked, so the
//! sets contain where they land. In Chess960 they may jump; phases are not used while such a right is left.
//!
//! The test for mate asks for less than a mate: a man of the winner gives check from one of its squares, and every neighbour of the
//! king is guarded from one square of each man, all combinations taken, or held by distinct men of the king's own side.
//!
//! Sharpenings, each removing only what no game can do (the checker has its own code for each; random games are played through the
//! phases, and every proof is compared with plain walks, in `phase/soundness.rs`):
//!
//! - **Kings as pairs with the side to move** ([`Kings`]). Kings are never adjacent, and a side whose king is certainly attacked after
//!   its move has not made that move. This covers the king that must take the checking man, and opposition.
//! - **Tempo.** A side passes in the graph of pairs only if some man of it has a move inside the phase; otherwise its king must move,
//!   and if it cannot, the game is over: a mate only if the last move may have given check. A side with no pair in which it is to move
//!   never moves again, so a move that leaves the other side without an answer ends the phases there, and nothing that stood still
//!   until then is freed.
//! - **Check, and pins.** A man moves only if that leaves its king out of check in some pair: away from the attacks of pawns, and of hard
//!   men with nothing possibly in between. A move into the line is an answer, as its square then counts as a possible obstacle; a
//!   capture of the attacker is an irreversible move and has its own phase. A hard man that leaves its square no longer shields its king.
//!   All of this grows with the sets, so there is still one least fixpoint.
//! - **A checker that can be taken.** A check by one man is no mate if a pawn or a hard man attacks its square with nothing possibly in
//!   between and no slider can stand behind it on the king's line. Two checks at once remain.
//! - **Anchors.** A man with few moves may be kept on its square as long as the phase lasts; each of its moves is then an edge, as if it
//!   were irreversible. More phases, each smaller: this is how a man is seen to stand still because every move it has is mate. Which
//!   men are anchored is a choice of the search and needs no argument, as every phase is closed for itself.
//! - **Castling** within pairs is a move of its own: the king goes two squares if it stands at home, is not in check, and every square on
//!   its way is free of hard men, not surely attacked and not beside the other king. The right is kept although it may be gone, which
//!   adds positions and takes none away. The rook can walk where it lands, as what castling asks for leaves it free to. Castling may give
//!   check.
//! - **Nobody left.** A phase in which the winner has only his king is not followed.
//! - **Phases that differ only in where the kings may stand** are made one, and looked at when everything that leads there is known: the
//!   union contains both, so nothing is lost but, with sets that are not exact, precision.
//! - **A king gives no check by itself**, except by leaving a line on which a slider of its own may stand behind it. So pairs reached
//!   only by a move of the winner's king are tested for mate only where that may be so.
//! - **A pawn that moves** left its square empty of men at that moment, so no set contains it just after.
//! - *Not used*: the parity of a single man's moves, and men that can surely step in between.
//!
//! Kept out on purpose: anything that takes a man for immobile in order to forbid the move that frees it.
//!
//! # What was found wrong elsewhere
//!
//! So that others can check: the positions are those of [`known::KNOWN`], all can be won, and the lines replay to mate.
//!
//! - A pawn that cannot promote can still mate. A program that counts only promoting pawns calls such positions unwinnable:
//!   `8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b`, and White mates with a pawn that steps from e2 to e3.
//! - A pawn behind a pawn of its own colour is not stuck for ever, and a king that "cannot move" and is checked has not lost its
//!   men's replies. `5bk1/1p2p1p1/4P1P1/8/8/4P1p1/1P2P1P1/5BK1 w` was declared dead; yet 1.e4 b5 2.e3 b4 3.Bd3 b3 4.Bc2 bxc2 5.b3 c1=Q#.
//! - Material alone ("king and minor piece cannot mate") is no answer under the Laws of FIDE: with help a knight mates against any man
//!   but queens.

mod budget;
pub mod case_page;
mod checker;
mod dead;
mod dive;
mod estimate;
mod gallery;
pub mod generator;
mod geometry;
mod goal;
mod keys;
pub mod known;
mod material;
mod outlook;
mod phase;
pub mod picture;
mod position;
#[cfg(test)]
mod properties;
mod queues;
mod shorten;
mod table;
mod verdict;
mod walk;
mod ways;
pub mod words;

pub use budget::Budget;
pub use checker::{Rewalk, rewalk};
pub use dead::{Dead, dead};
pub use material::{Lemma, lemma};
pub use outlook::{Chances, Outlook};
pub use phase::{Kind, Kings, Man, Phase};
pub use position::{Unusable, position_from_fen};
pub use verdict::{Certificate, Reason, Verdict, verdict};
