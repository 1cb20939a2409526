//! Presses of the clock: who pressed after what, on which side he sits, and what a press means for the last ply.

use shakmaty::Color;

use super::inference::Code;
use super::machine::Tracker;
use super::observation::Millis;
use super::prices::Kind;

/// A lever that goes to and fro within this time was knocked, in milliseconds.
pub(super) const KNOCK: Millis = 500;
/// How soon the lever went back, and how long nothing was moved before: while pieces are moved, two presses in a row are
/// those of two quick moves.
const KNOCKED: [(Millis, Millis); 2] = [(250, 500), (KNOCK, 1000)];
/// Presses that must fit only the other way round before the sides count as exchanged.
const SWAPPED_AFTER: u32 = 3;
/// A press without a move is told after this long; later while a piece is in the air.
const NO_MOVE_AFTER: Millis = 1200;
const NO_MOVE_IN_HAND_AFTER: Millis = 3000;

/// What is known of the clock.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// Since when it stands still.
    pub(super) stopped: Option<Millis>,
    swapped: bool,
    straight: u32,
    crossed: u32,
    /// Seconds shown at the last press, White's and Black's.
    pub(super) shown: Option<(u32, u32)>,
    /// The last press and its time.
    pub(super) last: Option<(Color, Millis)>,
}

impl Clock {
    /// Whose press it is, once the sides are known.
    fn player(&self, by: Color) -> Color {
        if self.swapped { by.other() } else { by }
    }

    /// Presses so far fit better with the sides exchanged.
    fn doubtful(&self) -> bool {
        self.crossed > 0 && self.straight == 0
    }
}

impl Tracker {
    pub(super) fn press(&mut self, by: Color, shown: Option<(u32, u32)>) {
        self.go_on();
        self.clock.shown = shown;
        let by = self.clock.player(by);
        if self.knocked(by) {
            self.clock.last = Some((by, self.core.now));
            return;
        }
        let by = self.learn_sides(by);
        self.core.press(by);
        self.clock.last = Some((by, self.core.now));
        self.press_before_move(by);
    }

    /// The lever went back within a moment, after a press that no move explains: it was knocked.
    fn knocked(&mut self, by: Color) -> bool {
        let debt = self.core.node(self.core.best()).debt;
        let moved = self.core.picture.steady;
        let knocked = debt.is_some_and(|debt| {
            debt.by != by
                && KNOCKED
                    .iter()
                    .any(|&(back, peace)| self.core.now < debt.at + back && moved + peace < debt.at)
        });
        if knocked {
            self.core.forgive_debts();
        }
        knocked
    }

    /// A press by the player whose opponent has just moved fits only if the clock stands the other way round.
    fn learn_sides(&mut self, by: Color) -> Color {
        let best = self.core.best();
        let node = self.core.node(best);
        if node.parent.is_none() || node.pressed.is_some() {
            return by;
        }
        if node.turn() == by {
            self.clock.crossed += 1;
        } else {
            self.clock.straight += 1;
        }
        if self.clock.crossed >= SWAPPED_AFTER && self.clock.straight == 0 && !self.clock.swapped {
            self.clock.swapped = true;
            let detail = "presses fit only with the sides of the clock exchanged";
            self.alarms
                .raise(Code::ClockSideSwapped, Vec::new(), detail);
            self.core.forgive_debts();
            return by.other();
        }
        by
    }

    fn press_before_move(&mut self, by: Color) {
        let node = self.core.node(self.core.best());
        let (Some(step), Some(_)) = (node.step, node.pressed.filter(|&at| at == self.core.now))
        else {
            return;
        };
        let unfinished = node.runs.iter().any(|run| {
            matches!(run.kind, Kind::Pawn | Kind::Late)
                || (run.kind == Kind::Unseen && step.mv.is_castle())
        });
        if unfinished && node.turn() != by {
            let squares = super::board::squares(node.mask).collect();
            self.alarms.tell(
                Code::PressBeforeMove,
                squares,
                "pressed before the move was complete",
            );
        }
    }

    /// A press that no line explains.
    pub(super) fn watch_press(&mut self) {
        let now = self.core.now;
        let node = self.core.node(self.core.best());
        let open = node
            .debt
            .filter(|debt| now.saturating_sub(debt.at) < 2 * NO_MOVE_IN_HAND_AFTER);
        let in_hand = node.runs.iter().any(|run| {
            run.kind == Kind::Missing
                && node.pred[usize::from(run.square)].color() == open.map(|debt| debt.by)
        });
        let after = if in_hand {
            NO_MOVE_IN_HAND_AFTER
        } else {
            NO_MOVE_AFTER
        };
        let irregular =
            self.alarms.is_up(Code::IllegalMove) || self.alarms.is_up(Code::KingCaptured);
        let suspicious =
            open.is_some() && !self.clock.doubtful() && self.clock.stopped.is_none() && !irregular;
        let holds = suspicious.then(|| {
            (
                Vec::new(),
                "the clock was pressed and no move is on the board",
            )
        });
        self.alarms.watch(Code::PressWithoutMove, now, after, holds);
    }

    /// The opponent answered and the press of the move before has not come.
    pub(super) fn watch_missing_press(&mut self) {
        let now = self.core.now;
        let Some(index) = self.shown.len().checked_sub(2) else {
            return;
        };
        let reply = self.shown[index + 1].ply.made;
        let unpressed = self.shown[index].pressed.is_none();
        let due = (self.shown[index].ply.made + 1400).max(reply + 500);
        if unpressed && now < due {
            self.alarms.wake(due);
        }
        let number = index + 1;
        if unpressed && now >= due && self.unpressed_told < number {
            self.unpressed_told = number;
            self.alarms.tell(
                Code::ClockNotPressed,
                Vec::new(),
                "the opponent answered before a press",
            );
        }
    }
}
