//! In which manner a player makes one move: drawn from his habits, or laid down by an accident.

use shakmaty::{Board, Move};

use super::accident::{Carriage, Castling, EnPassant, Kind, Promoting, Taking};
use super::act::Millis;
use super::dice::Dice;
use super::habits::Habits;

/// Everything that is open about a move when it is known which one.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) carriage: Carriage,
    pub(super) bounce: bool,
    pub(super) taking: Taking,
    pub(super) brush: bool,
    pub(super) castling: Castling,
    pub(super) en_passant: EnPassant,
    pub(super) promoting: Promoting,
    pub(super) knock_over: bool,
    pub(super) off_centre: Option<f64>,
    pub(super) press: bool,
    pub(super) early_press: bool,
    pub(super) overlap: bool,
    /// Whether an accident wants it so: then it may touch squares that chance leaves alone.
    pub(super) scripted: bool,
}

impl Manner {
    /// A manner by chance; `scramble` when time is short.
    pub(super) fn drawn(habits: &Habits, scramble: bool, knight: bool, dice: &mut Dice) -> Manner {
        let mut manner = Manner {
            carriage: dice.weighted(&habits.carriage),
            bounce: dice.chance(habits.bounce),
            taking: dice.weighted(&habits.taking),
            brush: dice.chance(habits.brush),
            castling: dice.weighted(&habits.castling),
            en_passant: dice.weighted(&habits.en_passant),
            promoting: dice.weighted(&habits.promoting),
            knock_over: dice.chance(habits.knock),
            off_centre: dice
                .chance(habits.off_centre)
                .then(|| dice.around(habits.off_centre_for, 0.8)),
            press: !dice.chance(habits.no_press),
            early_press: dice.chance(habits.early_press),
            overlap: dice.chance(if scramble {
                habits.overlap
            } else {
                habits.overlap * 0.15
            }),
            scripted: false,
        };
        manner.vary(habits, knight, dice);
        manner
    }

    /// Knights are dragged half as often, and now and then the second half of a move comes after the press.
    fn vary(&mut self, habits: &Habits, knight: bool, dice: &mut Dice) {
        if knight
            && matches!(self.carriage, Carriage::Slide | Carriage::SlideResting(_))
            && dice.chance(0.5)
        {
            self.carriage = Carriage::Lifted;
        }
        if dice.chance(habits.late) {
            if self.castling == Castling::KingFirst {
                self.castling = Castling::LateRook(dice.between(700.0, 2200.0) as Millis);
            }
            if self.promoting == Promoting::Replace {
                self.promoting = Promoting::Late(dice.between(900.0, 3500.0) as Millis);
            }
        }
        if let EnPassant::LateVictim(_) = self.en_passant {
            self.en_passant = EnPassant::LateVictim(dice.between(1300.0, 4200.0) as Millis);
        }
        for wait in self.waits() {
            *wait = (*wait as f64 * dice.around(1.0, 0.5)) as Millis;
        }
    }

    fn waits(&mut self) -> Vec<&mut Millis> {
        let mut waits = Vec::new();
        if let Carriage::Hover(wait) | Carriage::SlideResting(wait) = &mut self.carriage {
            waits.push(wait);
        }
        if let Taking::Knock(wait) = &mut self.taking {
            waits.push(wait);
        }
        waits
    }

    /// Lays down what an accident wants; false if this move is no occasion for it.
    pub(super) fn stage(&mut self, kind: Kind, m: Move, board: &Board) -> bool {
        let plain_capture = m.is_capture() && !m.is_en_passant() && !m.is_promotion();
        let carried = !m.is_castle() && !m.is_promotion();
        let fits = match kind {
            Kind::Carry(Carriage::Hover(_)) => carried && !m.is_capture(),
            Kind::Carry(Carriage::Lifted) | Kind::Bounce => carried,
            Kind::Carry(_) => carried && slidable(m, board),
            Kind::Take(_) => plain_capture,
            Kind::Brush => plain_capture && !matches!(self.taking, Taking::Push | Taking::Knock(_)),
            Kind::Castle(_) => m.is_castle(),
            Kind::EnPassant(_) => m.is_en_passant(),
            Kind::Promote(_) => m.is_promotion(),
            Kind::EarlyPress => carried,
            Kind::KnockOver | Kind::OffCentre(_) | Kind::NoPress | Kind::Overlap => true,
            _ => false,
        };
        if fits {
            self.scripted |= !matches!(kind, Kind::NoPress | Kind::Overlap | Kind::EarlyPress);
            self.adopt(kind);
        }
        fits
    }

    fn adopt(&mut self, kind: Kind) {
        match kind {
            Kind::Carry(carriage) => self.carriage = carriage,
            Kind::Bounce => self.bounce = true,
            Kind::Take(taking) => self.taking = taking,
            Kind::Brush => self.brush = true,
            Kind::Castle(castling) => self.castling = castling,
            Kind::EnPassant(en_passant) => self.en_passant = en_passant,
            Kind::Promote(promoting) => self.promoting = promoting,
            Kind::KnockOver => self.knock_over = true,
            Kind::OffCentre(wait) => self.off_centre = Some(wait as f64),
            Kind::NoPress => self.press = false,
            Kind::EarlyPress => self.early_press = true,
            Kind::Overlap => self.overlap = true,
            _ => {}
        }
    }
}

/// Whether the straight way of the move leads over at least one square and only over empty ones.
fn slidable(m: Move, board: &Board) -> bool {
    let Some(from) = m.from() else { return false };
    let way = super::gesture::way(from, m.to());
    !way.is_empty() && way.iter().all(|&square| board.piece_at(square).is_none())
}
