//! Two players sit down and play a game: ply by ply, with one hand each.
//!
//! **A square is only ever filled when it is empty and emptied when it is filled; a player's hand is at one place at a time.**

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Move, Outcome, Position, Role, Square};

use super::accident::{Accident, Kind};
use super::act::{Act, Done, Ended, Performance, Ply, Reads};
use super::chessclock::Chessclock;
use super::dice::Dice;
use super::game::Game;
use super::gesture::Gesture;
use super::how::Play;
use super::manner::Manner;
use super::thinking::Thinking;
use super::timeline::{Stroke, Timeline, Whose, ms};

/// The chessclock is started this long after the recording begins.
const LEAD: f64 = 2000.0;

/// Time to copy a move to a second board.
pub(super) const COPYING: f64 = 2500.0;

/// Plays a game as laid down in `how`. The same arguments give the same performance.
pub fn play(game: &Game, how: &Play) -> Performance {
    let performance = watch(game, how).0;
    if how.turned {
        performance.turned()
    } else {
        performance
    }
}

/// The performance and the strokes with the hands that made them.
pub(super) fn watch(game: &Game, how: &Play) -> (Performance, Vec<Stroke>) {
    let mut sitting = Sitting::new(game, how);
    sitting.set_up();
    while sitting.ply < sitting.moves.len() {
        sitting.next_ply();
    }
    sitting.finish()
}

/// A game in progress. Times are milliseconds of game time.
pub(super) struct Sitting<'a> {
    pub(super) game: &'a Game,
    pub(super) how: &'a Play,
    pub(super) dice: Dice,
    pub(super) line: Timeline,
    pub(super) clock: Chessclock,
    pub(super) position: Chess,
    pub(super) moves: Vec<Move>,
    pub(super) ply: usize,
    pub(super) initial: Board,
    pub(super) truth: Vec<Ply>,
    /// Nobody moves before.
    pub(super) ready: f64,
    /// When the player to move began to think.
    pub(super) last_press: f64,
    last_placed: f64,
    hand_free: ByColor<f64>,
    thinking: Thinking,
    pending: Vec<Accident>,
    staged: Vec<(f64, Accident)>,
    pub(super) result: Outcome,
    pub(super) quiet_at: f64,
    /// Boards to put right before a ply: as they stand, as they should.
    pub(super) repairs: Vec<(usize, Board, Board)>,
}

impl<'a> Sitting<'a> {
    fn new(game: &'a Game, how: &'a Play) -> Sitting<'a> {
        let mut dice = Dice::new(how.seed, 1);
        let thinking = Thinking::plan(game, how, LEAD, &mut dice);
        Sitting {
            game,
            how,
            dice,
            line: Timeline::new(),
            clock: Chessclock::new(how.control),
            position: game.start.clone(),
            moves: game.moves.clone(),
            ply: 0,
            initial: game.start.board().clone(),
            truth: Vec::new(),
            ready: LEAD,
            last_press: LEAD,
            last_placed: LEAD - 500.0,
            hand_free: ByColor {
                white: 0.0,
                black: 0.0,
            },
            thinking,
            pending: how.accidents.clone(),
            staged: Vec::new(),
            result: game.result,
            quiet_at: 0.0,
            repairs: Vec::new(),
        }
    }

    /// The player to move.
    pub(super) fn mover(&self) -> Color {
        self.position.turn()
    }

    fn set_up(&mut self) {
        let (time, increment) = (self.clock.left(0), self.clock.increment());
        self.line
            .push(Whose::Other, 0.0, Act::ClockSet { time, increment });
        self.stage_all(|sitting, accident| sitting.spoil_setup(accident));
        let first = self.mover();
        self.line
            .push(Whose::Other, LEAD, Act::ClockStart { running: first });
        self.clock.start(ms(LEAD), first);
    }

    /// Tries every accident whose ply has come; those that find their occasion are done with.
    fn stage_all(&mut self, mut stage: impl FnMut(&mut Self, Accident) -> bool) {
        for accident in std::mem::take(&mut self.pending) {
            let at = self.ready.max(self.last_placed);
            if stage(self, accident) {
                self.staged.push((at, accident));
            } else {
                self.pending.push(accident);
            }
        }
    }

    fn next_ply(&mut self) {
        let ply = self.ply;
        self.repair_setup();
        self.stage_all(|sitting, accident| {
            sitting.ply == ply && accident.ply <= ply + 1 && sitting.interlude(accident.kind)
        });
        if self.ply != ply || self.ply >= self.moves.len() {
            return;
        }
        let m = self.moves[ply];
        let manner = self.manner(m);
        let gesture = self.gesture(m, &manner);
        let (lift, press_delay) = self.lift(&gesture, &manner);
        self.disorder_before(lift);
        self.perform(m, gesture, &manner, lift, press_delay);
        self.disorder_after(m);
    }

    fn manner(&mut self, m: Move) -> Manner {
        let scramble = self.is_scramble();
        let mut manner = Manner::drawn(
            &self.how.habits,
            scramble,
            m.role() == Role::Knight,
            &mut self.dice,
        );
        let apart = self.apart_from_last(m);
        self.stage_all(|sitting, accident| {
            let due = accident.ply <= sitting.ply + 1 && (accident.kind != Kind::Overlap || apart);
            due && manner.stage(accident.kind, m, sitting.position.board())
        });
        manner
    }

    /// Whether the move touches no square of the move before.
    fn apart_from_last(&self, m: Move) -> bool {
        self.ply > 0 && (used(self.moves[self.ply - 1]) & used(m)).is_empty()
    }

    fn is_scramble(&self) -> bool {
        self.how.habits.scramble > 0.0 && self.ply >= self.moves.len().saturating_sub(40).max(12)
    }

    fn gesture(&mut self, m: Move, manner: &Manner) -> Gesture {
        let mut after = self.position.clone();
        after.play_unchecked(m);
        let empty = !self.position.board().occupied() & !after.board().occupied();
        let quiet = self.quiet();
        let free = if manner.scripted {
            empty
        } else {
            empty & quiet
        };
        let loose = quiet & self.position.board().occupied();
        Gesture::of(
            &self.position,
            m,
            manner,
            (free, loose),
            &self.how.habits,
            &mut self.dice,
        )
    }

    /// Squares that neither this move nor the next two need, and that are set up right.
    pub(super) fn quiet(&self) -> Bitboard {
        let near = self.moves.iter().skip(self.ply).take(3);
        let needed = near.fold(Bitboard::EMPTY, |squares, &m| squares | used(m));
        !(needed | self.spoiled())
    }

    /// When the move begins, and how long after the placement the player presses.
    fn lift(&mut self, gesture: &Gesture, manner: &Manner) -> (f64, f64) {
        let (by, habits) = (self.mover(), &self.how.habits);
        let mut think =
            self.thinking
                .elapsed(self.ply, by, self.last_press, &self.clock, &mut self.dice);
        let tight = self.thinking.is_tight(think);
        if habits.think_most > 0.0 {
            think = think.min(habits.think_most * self.dice.between(0.5, 1.0));
        }
        if self.is_scramble() {
            think = think.min(self.dice.around(habits.scramble, 0.6) + gesture.made);
        }
        let press = self
            .dice
            .around(
                if tight {
                    habits.press * 0.5
                } else {
                    habits.press
                },
                habits.press_spread,
            )
            .max(120.0);
        let lift = self.last_press + think - press - gesture.made;
        (self.possible(lift, gesture, manner, tight), press)
    }

    /// The first instant at or after `lift` at which the player can begin.
    fn possible(&mut self, lift: f64, gesture: &Gesture, manner: &Manner, tight: bool) -> f64 {
        let habits = &self.how.habits;
        let hands_off = gesture
            .squares()
            .into_iter()
            .map(|square| self.line.busy(square))
            .fold(0.0, f64::max)
            + 30.0;
        let reaction = if tight {
            habits.reaction.min(220.0)
        } else {
            habits.reaction
        };
        let mut lift = lift;
        let mut earliest = self.last_placed + reaction * self.dice.between(1.0, 1.6);
        let reach = if manner.scripted || habits.overlap_most == 0.0 {
            150.0
        } else {
            habits.overlap_most
        };
        if manner.overlap && self.ply > 0 && hands_off < self.last_placed - reach {
            earliest = self.last_placed - self.dice.between(0.0, reach);
            lift = lift.min(earliest + self.dice.between(0.0, 120.0));
        }
        [
            earliest,
            hands_off,
            self.hand_free[self.mover()],
            self.ready,
        ]
        .into_iter()
        .fold(lift, f64::max)
    }

    fn perform(&mut self, m: Move, gesture: Gesture, manner: &Manner, lift: f64, press_delay: f64) {
        let by = self.mover();
        for touch in &gesture.touches {
            self.line.touch(Whose::Player(by), lift, touch);
        }
        for touch in &gesture.afterwards {
            self.line.touch(Whose::Other, lift, touch);
        }
        self.off_centre(m, manner, lift + gesture.made);
        let overlaps = lift < self.last_placed;
        let pressed = self.press(&gesture, manner, lift, press_delay, m);
        let over = (lift + gesture.over()).max(pressed.unwrap_or(0.0));
        *self.hand_free.get_mut(by) = over + self.dice.between(100.0, 220.0);
        self.last_placed = lift + gesture.pressable;
        if let Some(delay) = self.how.copied_after {
            self.ready = self.ready.max(over + delay as f64 + COPYING);
        }
        self.stage_all(|sitting, accident| {
            accident.ply <= sitting.ply + 1
                && sitting.hardware(accident.kind, m, lift, lift + gesture.made)
        });
        let mut signs = gesture.signs;
        signs.extend(overlaps.then_some("overlap"));
        signs.extend(pressed.is_none().then_some("no press"));
        let done = Done::Legal(m.to_uci(self.game.castling));
        self.record(done, (lift, lift + gesture.made), pressed, signs);
        self.position.play_unchecked(m);
        self.ply += 1;
    }

    /// Enters a ply into the truth.
    pub(super) fn record(
        &mut self,
        done: Done,
        (lifted, made): (f64, f64),
        pressed: Option<f64>,
        signs: Vec<&'static str>,
    ) {
        let clock_after = self.clock.left(ms(pressed.unwrap_or(made)));
        let (by, pressed_at) = (self.mover(), pressed.map(ms));
        self.truth.push(Ply {
            done,
            by,
            lifted_at: ms(lifted),
            made_at: ms(made),
            pressed_at,
            clock_after,
            signs,
        });
    }

    fn press(
        &mut self,
        gesture: &Gesture,
        manner: &Manner,
        lift: f64,
        delay: f64,
        m: Move,
    ) -> Option<f64> {
        let by = self.mover();
        let mut at = lift + (gesture.pressable + delay).max(gesture.kept + 70.0);
        if gesture.pressable < gesture.made {
            at = lift + gesture.pressable + self.dice.between(200.0, 500.0);
        } else if manner.early_press && gesture.pressable > 200.0 {
            at = lift + gesture.pressable - self.dice.between(30.0, 160.0);
        }
        if let Some(stop) = gesture.stops_clock {
            self.pause_clock(
                (lift + stop).max(self.last_press + 50.0),
                lift + gesture.made + 200.0,
            );
            at = at.max(lift + gesture.made + 500.0);
        }
        let pressed = (manner.press && !self.is_last_and_mate(m))
            .then_some(at)
            .and_then(|at| self.push_rocker(at, by));
        if pressed.is_none() {
            self.last_press = self.last_press.max(lift + gesture.made);
        }
        pressed
    }

    /// After a mate many do not press; careful players do.
    fn is_last_and_mate(&mut self, m: Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(m);
        self.how.habits.no_press > 0.0 && after.is_game_over() && self.dice.chance(0.6)
    }

    /// A player presses, if his time is running.
    pub(super) fn push_rocker(&mut self, at: f64, by: Color) -> Option<f64> {
        let at = at.max(self.last_press + 50.0);
        (self.clock.running() == Some(by)).then(|| {
            self.line.push(Whose::Player(by), at, Act::Press { by });
            self.clock.press(ms(at), by);
            self.last_press = at;
            at
        })
    }

    /// The clock stands between two instants; then the same side's time goes on.
    pub(super) fn pause_clock(&mut self, stop: f64, start: f64) {
        if let Some(running) = self.clock.running() {
            self.stop_clock(stop);
            self.start_clock(start, running);
        }
    }

    /// The clock is stopped.
    pub(super) fn stop_clock(&mut self, at: f64) {
        self.line.push(Whose::Other, at, Act::ClockStop);
        self.clock.stop(ms(at));
    }

    /// The clock is started.
    pub(super) fn start_clock(&mut self, at: f64, running: Color) {
        self.line
            .push(Whose::Other, at, Act::ClockStart { running });
        self.clock.start(ms(at), running);
        self.last_press = at;
    }

    fn off_centre(&mut self, m: Move, manner: &Manner, made: f64) {
        let Some(lasting) = manner.off_centre else {
            return;
        };
        let square = m
            .castling_side()
            .map_or(m.to(), |side| side.king_to(self.mover()));
        let until = made + lasting;
        let mut at = made + 1.0;
        while at < until {
            let unseen = self.dice.wait(700.0);
            self.line
                .flaw(square, at, (at + unseen).min(until), Reads::Nothing, true);
            at += unseen + self.dice.wait(500.0);
        }
    }

    /// When nothing on the table moves any more.
    pub(super) fn calm(&mut self) -> f64 {
        self.line.over().max(self.ready) + self.dice.between(400.0, 1100.0)
    }

    /// Time a player's hand has been used until.
    pub(super) fn hand_free(&self, color: Color) -> f64 {
        self.hand_free[color]
    }

    /// A player's hand is used until `at`.
    pub(super) fn use_hand(&mut self, color: Color, at: f64) {
        let free = self.hand_free.get_mut(color);
        *free = free.max(at + 120.0);
    }

    /// The end of the opponent's last placement.
    pub(super) fn last_placed(&self) -> f64 {
        self.last_placed
    }

    fn finish(mut self) -> (Performance, Vec<Stroke>) {
        let at = self.truth.last().map_or(LEAD, |ply| {
            ply.pressed_at.unwrap_or(0).max(ply.made_at) as f64
        });
        self.finale(at);
        if let Some((fell, of)) = self.clock.flag {
            self.line
                .push(Whose::Other, fell as f64, Act::FlagFall { of });
        }
        let ended = Ended {
            at: ms(at),
            quiet_at: ms(self.quiet_at.max(self.line.over() + 1000.0)),
            how: self.how.ending,
            flag: self.clock.flag.map(|(_, of)| of),
            result: self.result,
        };
        let flaws = std::mem::take(&mut self.line.flaws);
        let strokes = self.line.sorted();
        let acts = strokes
            .iter()
            .map(|stroke| (ms(stroke.at), stroke.act.clone()))
            .collect();
        let staged = self
            .staged
            .into_iter()
            .map(|(at, accident)| (ms(at), accident))
            .collect();
        let performance = Performance {
            initial: self.initial,
            acts,
            flaws,
            truth: self.truth,
            staged,
            unstaged: self.pending,
            ended,
        };
        (performance, strokes)
    }
}

/// All squares a move touches.
pub(super) fn used(m: Move) -> Bitboard {
    let mut squares = Bitboard::from_iter(m.from().into_iter().chain([m.to()]));
    match m {
        Move::Castle { king, .. } => {
            let rank = Bitboard::from(king.rank());
            squares |= rank;
        }
        Move::EnPassant { from, to } => squares.add(Square::from_coords(to.file(), from.rank())),
        _ => {}
    }
    squares
}
