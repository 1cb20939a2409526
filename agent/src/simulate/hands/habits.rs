//! What players are like: the parameters of their movements at each level of noise.
//!
//! Normal play is fitted to three recorded games (198 plies): 94 % of the quiet moves show two changes, 61 % of the captures
//! never an empty target, 14 % a captured piece elsewhere, and the reported press comes about a second after the placement.

use super::accident::{Carriage, Castling, EnPassant, Promoting, Taking};
use super::how::Noise;

/// Times in milliseconds (medians unless said otherwise), probabilities per ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Habits {
    /// Earliest lift after the opponent's piece is down.
    pub reaction: f64,
    /// Lift to placement of a move to a neighbouring square.
    pub transit: f64,
    /// Spread of the transit.
    pub transit_spread: f64,
    /// Transit added per square of distance.
    pub transit_square: f64,
    /// Placement to press.
    pub press: f64,
    /// Spread of the press.
    pub press_spread: f64,
    /// Longest think, 0 for none.
    pub think_most: f64,
    /// Think in a scramble, 0 when there is none: the last 40 plies, from ply 12 on.
    pub scramble: f64,
    /// How pieces are carried, weighted.
    pub carriage: Vec<(Carriage, f64)>,
    /// Milliseconds per square of a slide.
    pub slide_square: f64,
    /// Placed, lifted a hair, placed again.
    pub bounce: f64,
    /// How pieces are captured, weighted.
    pub taking: Vec<(Taking, f64)>,
    /// Time the target of a swap is empty.
    pub swap_gap: f64,
    /// A capture takes longer by this.
    pub taking_extra: f64,
    /// The captured piece is sensed on another square on its way.
    pub brush: f64,
    /// How players castle, weighted.
    pub castling: Vec<(Castling, f64)>,
    /// How they capture en passant, weighted.
    pub en_passant: Vec<(EnPassant, f64)>,
    /// How they promote, weighted.
    pub promoting: Vec<(Promoting, f64)>,
    /// Pawn on the last rank to its removal.
    pub promotion_pause: f64,
    /// Rook, victim or queen only after the press.
    pub late: f64,
    /// Adjusting before moving.
    pub adjust: f64,
    /// Adjusting in the opponent's time.
    pub adjust_off_turn: f64,
    /// Lifting a piece, putting it back and playing another one.
    pub touch: f64,
    /// Knocking a neighbour off its square.
    pub knock: f64,
    /// Putting the piece down between squares.
    pub off_centre: f64,
    /// How long such a piece is unreliable.
    pub off_centre_for: f64,
    /// Beginning before the opponent's hand is gone.
    pub overlap: f64,
    /// By how much at most.
    pub overlap_most: f64,
    /// Pressing before the piece is down.
    pub early_press: f64,
    /// Not pressing.
    pub no_press: f64,
}

impl Habits {
    /// The habits at a level of noise.
    pub fn at(noise: Noise) -> Habits {
        match noise {
            Noise::Clean => Habits::clean(),
            Noise::Normal | Noise::Faulty => Habits::normal(),
            Noise::Scramble => Habits::scramble(),
        }
    }

    fn clean() -> Habits {
        Habits {
            reaction: 900.0,
            transit: 280.0,
            transit_spread: 0.25,
            transit_square: 16.0,
            press: 480.0,
            press_spread: 0.4,
            think_most: 0.0,
            scramble: 0.0,
            carriage: vec![(Carriage::Lifted, 1.0)],
            slide_square: 85.0,
            bounce: 0.0,
            taking: vec![(Taking::Swap, 1.0)],
            swap_gap: 32.0,
            taking_extra: 260.0,
            brush: 0.0,
            castling: vec![(Castling::KingFirst, 1.0)],
            en_passant: vec![(EnPassant::PawnFirst, 1.0)],
            promoting: vec![(Promoting::Replace, 1.0)],
            promotion_pause: 900.0,
            late: 0.0,
            adjust: 0.0,
            adjust_off_turn: 0.0,
            touch: 0.0,
            knock: 0.0,
            off_centre: 0.0,
            off_centre_for: 2500.0,
            overlap: 0.0,
            overlap_most: 0.0,
            early_press: 0.0,
            no_press: 0.0,
        }
    }

    fn normal() -> Habits {
        Habits {
            reaction: 250.0,
            transit: 150.0,
            transit_spread: 0.45,
            carriage: carriages(0.055, 0.05, 0.004, 900),
            bounce: 0.01,
            taking: vec![
                (Taking::Swap, 0.72),
                (Taking::VictimFirst, 0.20),
                (Taking::OnTop, 0.04),
                (Taking::Push, 0.04),
            ],
            brush: 0.19,
            castling: vec![
                (Castling::KingFirst, 0.90),
                (Castling::RookFirst, 0.05),
                (Castling::TwoHands, 0.05),
            ],
            en_passant: vec![
                (EnPassant::PawnFirst, 0.75),
                (EnPassant::VictimFirst, 0.20),
                (EnPassant::LateVictim(2500), 0.05),
            ],
            promoting: vec![
                (Promoting::Replace, 0.55),
                (Promoting::Direct, 0.37),
                (Promoting::QueenFirst, 0.08),
            ],
            late: 0.01,
            adjust: 0.010,
            adjust_off_turn: 0.010,
            touch: 0.002,
            knock: 0.002,
            off_centre: 0.004,
            no_press: 0.002,
            ..Habits::clean()
        }
    }

    fn scramble() -> Habits {
        Habits {
            reaction: 60.0,
            transit: 120.0,
            transit_spread: 0.5,
            transit_square: 12.0,
            press: 300.0,
            press_spread: 0.5,
            think_most: 3500.0,
            scramble: 650.0,
            carriage: carriages(0.12, 0.12, 0.007, 500),
            slide_square: 60.0,
            bounce: 0.02,
            taking: vec![
                (Taking::Swap, 0.62),
                (Taking::VictimFirst, 0.14),
                (Taking::OnTop, 0.10),
                (Taking::Push, 0.10),
                (Taking::Knock(900), 0.04),
            ],
            taking_extra: 160.0,
            brush: 0.24,
            castling: vec![
                (Castling::KingFirst, 0.80),
                (Castling::RookFirst, 0.07),
                (Castling::TwoHands, 0.13),
            ],
            en_passant: vec![
                (EnPassant::PawnFirst, 0.65),
                (EnPassant::VictimFirst, 0.15),
                (EnPassant::LateVictim(2500), 0.20),
            ],
            promoting: vec![
                (Promoting::Replace, 0.45),
                (Promoting::Direct, 0.45),
                (Promoting::QueenFirst, 0.10),
            ],
            promotion_pause: 500.0,
            late: 0.15,
            adjust: 0.004,
            adjust_off_turn: 0.012,
            touch: 0.004,
            knock: 0.012,
            off_centre: 0.015,
            overlap: 0.22,
            overlap_most: 160.0,
            early_press: 0.03,
            no_press: 0.02,
            ..Habits::normal()
        }
    }
}

/// Weights of slides (one in twelve with a rest), low passes and hovers; everything else is lifted.
fn carriages(slide: f64, low: f64, hover: f64, hover_for: u64) -> Vec<(Carriage, f64)> {
    vec![
        (Carriage::Lifted, 1.0 - slide - low - hover),
        (Carriage::Slide, slide * 0.92),
        (Carriage::SlideResting(380), slide * 0.08),
        (Carriage::Low, low),
        (Carriage::Hover(hover_for), hover),
    ]
}
