//! What an edition of the Laws says, as data: one documented struct; nowhere else does an edition differ.

use protocol::{EditionId, Regime, Speed};

use super::silence::Silence;

/// One value for each kind of play and supervision (A.4 or A.5, B.2 or B.3 in 2023).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells<T> {
    /// Standard play.
    pub standard: T,
    /// Rapid play with enough arbiters.
    pub rapid_supervised: T,
    /// Other rapid play.
    pub rapid: T,
    /// Blitz with an arbiter for each game.
    pub blitz_supervised: T,
    /// Other blitz.
    pub blitz: T,
}

impl<T> Cells<T> {
    /// The cell of a regime.
    pub fn of(&self, regime: Regime) -> &T {
        match (regime.speed, regime.supervised) {
            (Speed::Standard, _) => &self.standard,
            (Speed::Rapid, true) => &self.rapid_supervised,
            (Speed::Rapid, false) => &self.rapid,
            (Speed::Blitz, true) => &self.blitz_supervised,
            (Speed::Blitz, false) => &self.blitz,
        }
    }
}

impl<T: Copy> Cells<T> {
    /// The same in every regime.
    pub const fn all(one: T) -> Cells<T> {
        Cells {
            standard: one,
            rapid_supervised: one,
            rapid: one,
            blitz_supervised: one,
            blitz: one,
        }
    }
}

/// Until when an illegal move can be acted upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lapse {
    /// As long as the game lasts.
    Never,
    /// Until the opponent touches a piece; seen as his next move made.
    OpponentTouches,
    /// Until the opponent has made his next move.
    OpponentMoves,
}

/// What a completed illegal move costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMoves {
    /// Milliseconds for the opponent each time short of the loss; 0: none.
    pub bonus_ms: u64,
    /// The completed illegal move of one player that loses, counted from 1; none: none does.
    pub loses_at: Option<u32>,
    /// The loss becomes a draw when the opponent cannot mate.
    pub draw_if_cannot_mate: bool,
    /// Until when it can be acted upon.
    pub lapse: Lapse,
    /// The arbiter acts unasked; otherwise the opponent claims.
    pub arbiter_acts: bool,
}

/// A pawn left on the last rank when the clock was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterPromotion {
    /// The edition does not name it.
    Unnamed,
    /// An illegal move; the position goes back.
    Illegal,
    /// An illegal move; the pawn becomes a queen and the position stands.
    Queen,
}

/// A press of the clock without a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PressAlone {
    /// Forbidden without a fixed penalty.
    ImproperUse,
    /// Counts as an illegal move.
    IllegalMove,
}

/// Who brings a fallen flag to notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagCall {
    /// The arbiter calls it as soon as he sees it.
    Arbiter,
    /// Only a player's claim counts; the arbiter is silent.
    Player,
}

/// Both flags down and nobody knows which fell first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BothFlags {
    /// The edition does not say.
    Unnamed,
    /// The game goes on.
    PlayOn,
    /// Drawn.
    Draw,
    /// Goes on in a period that is not the last, drawn in the last one, where the guidelines were announced.
    DrawInLastPeriodIfAnnounced,
    /// No article; the arbiter decides.
    ArbiterDecides,
}

/// What the claimant of a wrong draw claim pays himself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimantPays {
    /// Nothing.
    Nothing,
    /// Above two minutes half of his time, at most three minutes; between one and two he keeps one; below one nothing.
    HalfAtMostThreeMinutes,
}

/// A wrong draw claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongClaim {
    /// Milliseconds for the opponent.
    pub opponent_ms: u64,
    /// What the claimant loses.
    pub claimant: ClaimantPays,
}

/// When two positions are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// The same player to move; promoted pieces and twins alike.
    SamePlayer,
    /// A right to take en passant or to castle that was lost, for good or for the moment, makes them differ.
    RightsOfTheMoment,
    /// Castling rights count until king or rook has moved, en passant only where the capture is legal.
    LegalMoves,
}

/// Colours reversed by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversedColours {
    /// The game goes on unless the arbiter rules otherwise.
    ArbiterDecides,
    /// Below this number of moves by both the game starts again, else it goes on.
    RestartBelow(u32),
}

/// A wrong initial position found during the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InitialArray {
    /// The game is annulled and a new one played.
    pub annulled: bool,
    /// Moves by each after which nobody may claim it; none: no limit.
    pub no_claim_after: Option<u32>,
}

/// Rules for the end of games without increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quickplay {
    /// None.
    Unnamed,
    /// Article 10, below two minutes.
    Article10,
    /// Appendix G, if announced.
    AppendixG,
    /// Guidelines III, if announced.
    GuidelinesIii,
}

/// Where rapid and blitz begin, in seconds for 60 moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpeedLimits {
    /// The longest blitz game.
    pub blitz_to: u64,
    /// The longest rapid game.
    pub rapid_to: u64,
    /// Increments are counted 60 times; otherwise only the fixed time.
    pub counts_increments: bool,
}

/// Where the matters that the hub finds stand in an edition; an empty text: the edition has no article for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Articles {
    /// A completed illegal move: the position goes back.
    pub illegal_move: &'static str,
    /// What it costs.
    pub illegal_penalty: &'static str,
    /// A pawn left on the last rank.
    pub promotion: &'static str,
    /// A press without a move.
    pub press_alone: &'static str,
    /// The same side moved twice.
    pub two_moves: &'static str,
    /// Making and completing a move.
    pub completing: &'static str,
    /// When a flag counts as fallen.
    pub flag: &'static str,
    /// What a fallen flag costs.
    pub flag_result: &'static str,
    /// Stopping the clocks to call the arbiter.
    pub stopping: &'static str,
    /// The clock starts.
    pub start: &'static str,
    /// Default time.
    pub default_time: &'static str,
    /// Pieces displaced.
    pub displaced: &'static str,
    /// A defect of the clock.
    pub clock_defect: &'static str,
    /// A record that has to be mended.
    pub record: &'static str,
    /// Checkmate.
    pub checkmate: &'static str,
    /// Stalemate.
    pub stalemate: &'static str,
    /// Dead position.
    pub dead_position: &'static str,
    /// Results and signatures.
    pub result: &'static str,
    /// What the arbiter may not say.
    pub silence: &'static str,
    /// Penalties.
    pub penalties: &'static str,
    /// The wrong move of a completed move changed afterwards.
    pub released: &'static str,
}

/// One edition of the Laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Laws {
    /// Its name on the wire.
    pub id: EditionId,
    /// Its name for people.
    pub name: &'static str,
    /// Illegal moves.
    pub illegal: Cells<IllegalMoves>,
    /// A pawn left on the last rank.
    pub promotion: AfterPromotion,
    /// A press without a move.
    pub press_alone: PressAlone,
    /// A move made with two hands counts as an illegal move (7.5.4).
    pub two_hands_illegal: bool,
    /// Who calls a fallen flag.
    pub flag: Cells<FlagCall>,
    /// Both flags down, order unknown.
    pub both_flags: Cells<BothFlags>,
    /// A resignation is drawn when the opponent cannot mate.
    pub resignation_may_draw: bool,
    /// Wrong draw claims.
    pub wrong_claim: Cells<WrongClaim>,
    /// The move announced with a wrong claim must be played.
    pub announced_move_binds: bool,
    /// When positions are the same.
    pub repetition: Repetition,
    /// The fivefold repetition and 75 quiet moves end the game unclaimed.
    pub ends_unclaimed: bool,
    /// The fivefold repetition counts only on consecutive alternate moves.
    pub fivefold_in_a_row: bool,
    /// Either player may demand mate within fifty moves, which are counted from the demand.
    pub fifty_on_demand: bool,
    /// Default time where the event announces none, milliseconds; none: the absent player's clock runs.
    pub default_ms: Option<u64>,
    /// Reversed colours.
    pub reversed_colours: ReversedColours,
    /// A wrong initial position.
    pub initial_array: Cells<InitialArray>,
    /// The end of games without increment.
    pub quickplay: Quickplay,
    /// Where rapid and blitz begin; none: the edition knows only one kind of play.
    pub speeds: Option<SpeedLimits>,
    /// No draw by agreement before both have moved (5.2.3).
    pub agreement_needs_moves: bool,
    /// Games with odds have rules.
    pub odds: bool,
    /// After an illegal capture: what the opponent may choose from, in words; empty: the edition has no such rule.
    pub after_illegal_capture: &'static [&'static str],
    /// What a position that was wrongly restored makes of the moves after it; empty: the edition does not say.
    pub wrongly_restored: &'static str,
    /// When players whose scoresheets differ may stop both clocks; empty: the edition does not say.
    pub may_stop_to_compare: &'static str,
    /// In a game without a time limit it is always Black who seals.
    pub untimed_black_seals: bool,
    /// The number of penalties the arbiter may choose from (12.9; 13.4 in 2001).
    pub penalties: u8,
    /// What may not be said.
    pub silence: Cells<Silence>,
    /// Where it stands.
    pub articles: Articles,
}
