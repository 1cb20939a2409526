//! Showing, completing and settling plies, and what the record says of them.

use shakmaty::{Move, Role, uci::UciMove};

use super::catching_up::CLOSE;
use super::hypothesis::Id;
use super::inference::{Code, Evidence, Fact, Inference, PlyNumber};
use super::lifecycle::Phase;
use super::machine::Tracker;
use super::margin::{MOST_CHOICES, SURE, certainty, choices};
use super::observation::{Millis, Sensing};
use super::prices::Kind;
use super::publish::{PRESSED, REPLACE, WITHDRAW, dirty, showable};
use super::record::{Played, Ply, Shown, Status};

/// A quiet board settles its last move after this long, in milliseconds.
pub(super) const QUIET: Millis = 4000;
/// When a quiet board is looked at to settle its last move.
pub(super) const SETTLE_LOOKS: [Millis; 3] = [1200, 2400, QUIET];
/// The margin that leaves no alternative (odds of 150 to 1).
const SETTLED: f64 = 5.0;
/// What is done to a move this long after its press was seen belongs to another story.
const PRESS_GRACE: Millis = 275;
/// A piece that has just flickered must stand for this long.
const FLICKERING: Millis = 1500;
/// Ambiguities are told when they have lasted this long; at once where waiting cannot help.
const AMBIGUOUS: Millis = 1500;
/// So many plies of each side may still be open.
const QUIET_PLIES: usize = 20;
/// Plies with less certainty are listed with their choices.
const CERTAIN: f32 = 0.88;
/// With less than this somebody is told.
const TOLD: f32 = 0.77;

impl Tracker {
    /// Shows what the best line says, as far as it may be shown.
    pub(super) fn publish(&mut self) {
        let best = self.core.best();
        let line = self.core.line(best);
        let common = line
            .iter()
            .zip(&self.shown)
            .take_while(|(mv, shown)| **mv == shown.mv)
            .count();
        self.agreed = common;
        self.undecided = None;
        self.changed_after_press = false;
        if common == line.len() && common == self.shown.len() {
            return;
        }
        let length = showable(&self.core, best, common, self.hold);
        if length < line.len() {
            self.undecided = Some(self.core.node(best).at);
        }
        if common < self.shown.len() && !self.may_replace(best, common, &line, length) {
            return;
        }
        if length > common || (common < self.shown.len() && line.len() == common) {
            self.show(best, &line[..length], common);
        }
    }

    fn may_replace(&mut self, best: Id, common: usize, line: &[Move], length: usize) -> bool {
        if self.completed_is_changed(best, common, line) {
            return false;
        }
        let old: Vec<_> = self.shown.iter().map(|shown| shown.mv).collect();
        let Some(old) = self.core.find(&old) else {
            return true;
        };
        let pressed = self.shown[common].pressed.is_some();
        let more = if pressed { PRESSED } else { 0.0 };
        self.core.cost(old) - self.core.cost(best)
            >= more + if length > common { REPLACE } else { WITHDRAW }
    }

    /// A move completed by the press is not replaced by what happens later, unless play goes on from there.
    fn completed_is_changed(&mut self, best: Id, common: usize, line: &[Move]) -> bool {
        let last = &self.shown[common];
        let Some(pressed) = last.pressed.filter(|_| common + 1 == self.shown.len()) else {
            return false;
        };
        if self.nobody_saw(common) {
            return false;
        }
        if line.len() == common {
            return true;
        }
        let Some(other) = self.core.ply_node(best, common) else {
            return false;
        };
        let late = self.core.node(other).at > pressed + self.core.pace.sweep + PRESS_GRACE;
        let same_piece = last.mv.from() == line[common].from();
        if late && same_piece && line.len() == common + 1 {
            let squares = vec![last.mv.to(), line[common].to()];
            self.alarms.raise(
                Code::MoveChangedAfterPress,
                squares,
                "a completed move was changed",
            );
            self.changed_after_press = true;
            return true;
        }
        false
    }

    /// The piece of the last ply shown was never seen where it went.
    fn nobody_saw(&self, index: usize) -> bool {
        let line: Vec<_> = self.shown.iter().map(|shown| shown.mv).collect();
        let node = self.core.find(&line).map(|id| self.core.node(id));
        let to = self.shown[index].mv.to().to_usize();
        node.and_then(|node| node.run(to))
            .is_some_and(|run| run.kind == Kind::Unseen)
    }

    fn show(&mut self, best: Id, line: &[Move], common: usize) {
        let revised = common < self.shown.len();
        let previous = self
            .shown
            .get(common.wrapping_sub(1))
            .map_or(0, |shown| shown.ply.made);
        if revised {
            self.note_withdrawn(common, line);
        } else if self.withdrawn.is_some() {
            let before = self.position();
            self.note_return(common, before, &line[common..]);
        }
        self.shown.truncate(common);
        self.agreed = line.len();
        self.unpressed_told = self.unpressed_told.min(common);
        for (index, &mv) in line.iter().enumerate().skip(common) {
            self.shown.push(self.new_ply(mv));
            if let Some(id) = self.core.ply_node(best, index) {
                self.judge_touches(id, previous);
                self.judge_promotion(id);
            }
        }
        self.core.note_hidden(best);
        self.core.note_ways(best, common);
        self.core.note_orders(best, common);
        let from_ply = common as PlyNumber + 1;
        let ucis: Vec<UciMove> = line[common..]
            .iter()
            .map(|mv| mv.to_uci(self.core.mode))
            .collect();
        let caught_up = ucis.len();
        match (revised, ucis.is_empty()) {
            (true, true) => self.say(Fact::Retracted { from_ply }),
            (true, false) => self.say_of(
                best,
                Fact::Revised {
                    from_ply,
                    line: ucis,
                },
            ),
            (false, _) => {
                for (ply, uci) in (from_ply..).zip(ucis) {
                    self.say_of(best, Fact::Made { ply, uci });
                }
            }
        }
        if revised {
            self.alarms.tell(
                Code::Revised,
                Vec::new(),
                "a move shown before was replaced",
            );
        } else if caught_up > 1 {
            self.alarms.tell(
                Code::CatchUp,
                Vec::new(),
                format!("{caught_up} plies at once"),
            );
        }
    }

    fn new_ply(&self, mv: Move) -> Shown {
        let ply = Ply {
            number: self.shown.len() as PlyNumber + 1,
            played: Played::Legal(mv.to_uci(self.core.mode)),
            made: self.core.now,
            completed: None,
            settled: None,
            clock: None,
            certainty: 0.5,
            decided: false,
            choices: Vec::new(),
            more: false,
        };
        Shown {
            mv,
            ply,
            pressed: None,
        }
    }

    fn judge_promotion(&mut self, id: Id) {
        let node = self.core.node(id);
        let Some(step) = node.step else { return };
        let Some(role) = step.mv.promotion() else {
            return;
        };
        let unusual = matches!(role, Role::Rook | Role::Bishop);
        if unusual || self.core.sensing != Sensing::Identity {
            let name = format!("assumed a {role:?}").to_lowercase();
            self.alarms
                .tell(Code::PromotionAssumed, vec![step.mv.to()], name);
        }
    }

    /// Completes plies whose press was seen, or that were answered. A press told late, after the answer, completes once
    /// more, now with the times: a chessclock is read two or three times a second.
    pub(super) fn complete(&mut self) {
        let best = self.core.best();
        for index in 0..self.shown.len() {
            let late = self.shown[index].ply.completed.is_some();
            let pressed = self.take_press(best, index);
            let answered = index + 1 < self.shown.len();
            if pressed || (!late && (self.shown[index].pressed.is_some() || answered)) {
                self.shown[index].ply.completed.get_or_insert(self.core.now);
                let (ply, uci) = self.name(index);
                let clock = self.shown[index].ply.clock;
                self.say_of(best, Fact::Completed { ply, uci, clock });
            }
        }
    }

    /// Whether the best line now has a press for a shown ply that had none; it is kept with the times shown.
    fn take_press(&mut self, best: Id, index: usize) -> bool {
        if self.shown[index].pressed.is_some() || !self.agrees(best, index) {
            return false;
        }
        let at = self
            .core
            .ply_node(best, index)
            .and_then(|id| self.core.node(id).pressed);
        if at.is_some() {
            self.shown[index].pressed = at;
            self.shown[index].ply.clock = self.clock.shown;
        }
        at.is_some()
    }

    /// The best line has this ply as shown.
    fn agrees(&self, best: Id, index: usize) -> bool {
        let node = self.core.ply_node(best, index).map(|id| self.core.node(id));
        node.and_then(|node| node.step)
            .is_some_and(|step| step.mv == self.shown[index].mv)
    }

    fn name(&self, index: usize) -> (PlyNumber, UciMove) {
        (
            index as PlyNumber + 1,
            self.shown[index].mv.to_uci(self.core.mode),
        )
    }

    /// Settles plies that nothing else could take away.
    pub(super) fn settle(&mut self) {
        let past = self.core.past.len();
        let quiet = self.core.now.saturating_sub(self.core.picture.last_change) >= QUIET;
        if !self.may_settle(quiet) && !self.alarms.is_up(Code::Ambiguous) {
            return;
        }
        let best = self.core.best();
        let margins = self.core.margins();
        let bounds = self.bounds();
        for (index, &bound) in bounds.iter().enumerate() {
            if index < past && self.shown[index].ply.settled.is_some() {
                continue;
            }
            let margin = match self.core.past.get(index) {
                Some(past) => past.margin,
                None => margins.get(index - past).copied().unwrap_or(0.0),
            };
            self.shown[index].ply.certainty = certainty(margin).min(bound);
            if self.shown[index].ply.settled.is_some() {
                continue;
            }
            let answered = index + 1 < self.shown.len();
            let pressed = self.shown[index].pressed.is_some() && self.complete_on_board(best);
            let at_peace = quiet && !dirty(&self.core, best) && self.complete_on_board(best);
            let ready = margin >= SETTLED && (answered || pressed || at_peace);
            if ready && bound >= CERTAIN && (index < past || self.agrees(best, index)) {
                self.shown[index].ply.settled = Some(self.core.now);
                let (ply, uci) = self.name(index);
                self.say_of(best, Fact::Settled { ply, uci });
            }
        }
        self.tell_ambiguity(best);
    }

    /// Some ply is open that a press, a reply or the quiet could settle.
    fn may_settle(&self, quiet: bool) -> bool {
        let last = self.shown.len().wrapping_sub(1);
        self.shown
            .iter()
            .enumerate()
            .rev()
            .take(2 * QUIET_PLIES)
            .any(|(index, shown)| {
                let open = shown.ply.settled.is_none() || shown.ply.certainty < CERTAIN;
                open && (quiet || index < last || shown.pressed.is_some())
            })
    }

    /// Every square of the last move reads as it should.
    fn complete_on_board(&self, best: Id) -> bool {
        let node = self.core.node(best);
        let mask = node.step.map_or(0, |step| step.mask);
        let to = node.step.map_or(0, |step| usize::from(step.to));
        let picture = &self.core.picture;
        let flickers = picture.flaps(to, self.core.now) >= 1.0
            && self.core.now < picture.since(to) + FLICKERING;
        let half_made = node.runs.iter().any(|run| match run.kind {
            Kind::Pawn => true,
            Kind::Late => node.step.is_some_and(|step| step.mv.is_castle()),
            Kind::Missing | Kind::Unseen => mask >> run.square & 1 == 1,
            Kind::Extra | Kind::Lying => self.core.now.saturating_sub(run.since) < QUIET,
            _ => false,
        });
        !half_made && !flickers
    }

    /// Says which plies could as well be others, once they have been shown for a while.
    fn tell_ambiguity(&mut self, best: Id) {
        let past = self.core.past.len();
        let doubtful = self.shown.iter().enumerate().find(|(index, shown)| {
            *index >= past
                && shown.ply.certainty < TOLD
                && (shown.pressed.is_some() || index + 1 < self.shown.len())
        });
        let index = doubtful
            .map(|(index, _)| index)
            .filter(|_| !self.alarms.is_up(Code::MoveChangedAfterPress));
        let lines = index.map(|index| self.choices_of(best, index, CLOSE));
        let lines = lines.filter(|lines| differ_in_squares(lines));
        let detail = lines
            .as_ref()
            .map_or(String::new(), |lines| format!("could be {}", one_of(lines)));
        let before = self.alarms.is_up(Code::Ambiguous);
        let wait = if self.caught_up || self.core.sensing == Sensing::Occupancy {
            0
        } else {
            AMBIGUOUS
        };
        let holds = if before {
            index.map(|_| (Vec::new(), ""))
        } else {
            lines.as_ref().map(|_| (Vec::new(), &*detail))
        };
        self.alarms
            .watch(Code::Ambiguous, self.core.now, wait, holds);
        if let (Some(index), Some(lines), false, true) =
            (index, lines, before, self.alarms.is_up(Code::Ambiguous))
        {
            self.say(Fact::Ambiguous {
                ply: index as PlyNumber + 1,
                choices: lines,
            });
        }
    }

    pub(super) fn say(&mut self, fact: Fact) {
        let inference = Inference {
            at: self.core.now,
            fact,
            certainty: 1.0,
            evidence: Evidence::default(),
        };
        self.out.push(inference);
    }

    /// Says something about plies of the best line, as sure as the least sure of them.
    fn say_of(&mut self, best: Id, fact: Fact) {
        let (ply, plies) = match &fact {
            Fact::Made { ply, .. } | Fact::Completed { ply, .. } | Fact::Settled { ply, .. } => {
                (*ply, 1)
            }
            Fact::Revised { from_ply, line } => (*from_ply, line.len()),
            _ => (1, 1),
        };
        let index = ply as usize - 1;
        let node = self.core.ply_node(best, index).map(|id| self.core.node(id));
        let evidence = node.map_or_else(Evidence::default, |node| Evidence {
            squares: super::board::squares(node.step.map_or(0, |step| step.mask)).collect(),
            since: node.at,
        });
        let certainty = self.certainty_of(index..index + plies);
        self.out.push(Inference {
            at: self.core.now,
            fact,
            certainty,
            evidence,
        });
    }

    /// How sure the least sure of these plies is, counted from 0.
    fn certainty_of(&self, plies: std::ops::Range<usize>) -> f32 {
        let (past, margins, bounds) = (&self.core.past, self.core.margins(), self.bounds());
        let sure = plies.map(|index| {
            let margin = match index.checked_sub(past.len()) {
                Some(index) => margins.get(index).copied().unwrap_or(0.0),
                None => past[index].margin,
            };
            certainty(margin).min(bounds.get(index).copied().unwrap_or(1.0))
        });
        sure.fold(1.0, f32::min)
    }

    /// The plies shown so far, each with its certainty and, where that is low, its alternatives; an irregular ply
    /// and what was played after it at the end.
    pub fn record(&self) -> Vec<Ply> {
        let best = self.core.best();
        let past = self.core.past.len();
        let mut plies: Vec<Ply> = self.shown.iter().map(|shown| shown.ply.clone()).collect();
        let margins = self.core.margins();
        let bounds = self.bounds();
        for (index, ply) in plies.iter_mut().enumerate() {
            let by_margin = match self.core.past.get(index) {
                Some(past) => certainty(past.margin),
                None => certainty(margins.get(index - past).copied().unwrap_or(0.0)),
            };
            ply.certainty = by_margin.min(bounds[index]);
            ply.decided = by_margin >= CERTAIN;
        }
        for (index, ply) in plies
            .iter_mut()
            .enumerate()
            .filter(|(_, ply)| ply.certainty < CERTAIN)
        {
            ply.choices = self.choices_of(best, index, SURE);
            ply.more = ply.choices.len() >= MOST_CHOICES || self.has_unlisted(index);
        }
        if let Some((at, irregular)) = &self.irregular {
            let mut ply = Ply {
                played: Played::Irregular(irregular.clone()),
                ..unsure(plies.len(), *at)
            };
            ply.completed = Some(*at);
            plies.push(ply);
            let after = self.shadow.iter().flat_map(|shadow| shadow.record());
            let offset = plies.len() as PlyNumber;
            plies.extend(after.map(|ply| Ply {
                number: ply.number + offset,
                ..ply
            }));
        }
        plies
    }

    /// The lines that could stand from a ply on, the recorded one first.
    fn choices_of(&self, best: Id, index: usize, within: f64) -> Vec<Vec<UciMove>> {
        let core = &self.core;
        let mut lines = match core.past.get(index) {
            Some(past) => past.choices.clone(),
            None => choices(
                &core.tree,
                best,
                index - core.past.len(),
                core.mode,
                (core.now, within),
            ),
        };
        self.add_doubts(index, &mut lines);
        lines
    }

    /// How things stand.
    pub fn status(&self) -> Status {
        let best = self.core.best();
        let rested = self.core.now >= self.core.picture.last_change + 1500;
        let node = self.core.node(best);
        if matches!(self.phase, Phase::Ended(_)) {
            return Status::Settled;
        }
        let many = node.mask.count_ones() > 2 || self.core.picture.is_impossible();
        if many && dirty(&self.core, best) && rested {
            return Status::Disturbed;
        }
        let line = self.core.line(best).len();
        let own_gone = node.runs.iter().any(|run| {
            matches!(run.kind, Kind::Missing)
                && node.pred[usize::from(run.square)].color() == Some(node.turn())
                && !rested
        });
        if line > self.shown.len() || own_gone {
            return Status::Pending;
        }
        match self.shown.last() {
            Some(last) if last.ply.settled.is_none() => Status::Provisional,
            _ => Status::Settled,
        }
    }
}

fn unsure(index: usize, at: Millis) -> Ply {
    Ply {
        number: index as PlyNumber + 1,
        played: Played::Legal(UciMove::Null),
        made: at,
        completed: None,
        settled: None,
        clock: None,
        certainty: 0.5,
        decided: false,
        choices: Vec::new(),
        more: false,
    }
}

/// The lines differ in more than what a pawn became.
fn differ_in_squares(lines: &[Vec<UciMove>]) -> bool {
    let squares = |line: &Vec<UciMove>| line.first().map(|uci| (uci.from(), uci.to()));
    let same_length = |line: &Vec<UciMove>| line.len() == lines[0].len();
    lines
        .iter()
        .skip(1)
        .any(|line| same_length(line) && squares(line) != squares(&lines[0]))
}

fn one_of(lines: &[Vec<UciMove>]) -> String {
    let firsts = lines
        .iter()
        .filter_map(|line| line.first())
        .map(UciMove::to_string);
    let mut names: Vec<String> = firsts.collect();
    names.dedup();
    names.join(" or ")
}
