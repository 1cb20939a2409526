//! Rulings on games: prepared, refused when stale, given, countered by a new ruling.

use protocol::{BySide, Order, Ply, ResultState, Side, Standing, TableId, Timestamp};

use super::Venue;
use super::event::{EventBody, Ruling};
use super::orders::Done;
use super::state::GameAt;
use crate::alerts::{Kept, ply_of};
use crate::game::{Game, GameEvent, RulingMemo, Source, clock_words};
use crate::laws::Code;
use crate::rulings::{Around, Prepared, Refusal, prepare};

impl Venue {
    pub(super) fn rule(
        &mut self,
        now: Timestamp,
        user: &str,
        order: &Order,
        table: TableId,
        by: &str,
    ) -> Result<Done, Refusal> {
        self.known_table(table)?;
        let game = &self.state.tables[&table].game;
        stale(game, order.basis)?;
        let prepared = prepare(game, &order.body, self.around(now, table, &order.note))?;
        if order.preview {
            return Ok(Done::Preview(game.revision, prepared.preview()));
        }
        Ok(self.give(now, user, order, GameAt::now(table), by, prepared))
    }

    pub(super) fn around<'a>(
        &'a self,
        now: Timestamp,
        table: TableId,
        note: &'a str,
    ) -> Around<'a> {
        let device = self
            .state
            .tables
            .get(&table)
            .and_then(|t| t.device.as_ref());
        let device = device.and_then(|d| self.state.devices.get(d));
        Around {
            now,
            prospects: self.prospects(table),
            board: device.and_then(|d| d.board.as_ref()),
            note,
        }
    }

    pub(super) fn give(
        &mut self,
        now: Timestamp,
        user: &str,
        order: &Order,
        at: GameAt,
        by: &str,
        prepared: Prepared,
    ) -> Done {
        let source = Source::Arbiter(by.to_owned());
        let here = at.past.is_none();
        if here {
            let only = prepared.closes_only;
            self.close_ruled(now, at.table, (&prepared.closes, only), by);
        }
        for event in prepared.events.clone() {
            self.game_at(now, at, source.clone(), event);
        }
        if prepared.concerns_record() {
            self.game_at(now, at, source.clone(), GameEvent::BackInLine);
        }
        let number = self.record(
            now,
            EventBody::RulingGiven {
                past: at.past,
                table: Some(at.table),
                ruling: Ruling {
                    by: by.to_owned(),
                    user: user.chars().take(64).collect(),
                    order: (order.client.clone(), order.id),
                    body: order.body.clone(),
                    words: prepared.words.clone(),
                    article: prepared.article.clone(),
                    note: order.note.chars().take(500).collect(),
                    undo: prepared.undo,
                },
            },
        );
        if here {
            self.follow(now, at.table, prepared.adopt, source);
        }
        Done::Words(Some(number), prepared.words)
    }

    /// The board follows a ruling: it starts again from the record, or learns that the game is over.
    fn follow(&mut self, now: Timestamp, table: TableId, adopt: bool, source: Source) {
        if adopt {
            self.hold(now, table, source);
        } else {
            self.set_control(now, table, false);
        }
    }

    /// Closes the alerts of these codes at a table, or the one of an incident.
    pub(super) fn close_ruled(
        &mut self,
        now: Timestamp,
        table: TableId,
        (codes, only): (&[Code], Option<(Code, Ply)>),
        by: &str,
    ) {
        let place = crate::alerts::Place::Table(table);
        let open = self.state.book.open_at(&place);
        let ruled = |kept: &Kept| {
            let this = |one| one == (kept.code, ply_of(kept.cause));
            codes.contains(&kept.code) && only.is_none_or(this)
        };
        for id in open {
            if self.state.book.get(&id).is_some_and(ruled) {
                self.record(
                    now,
                    EventBody::AlertClosed {
                        id,
                        why: "ruled".to_owned(),
                        by: Some(by.to_owned()),
                    },
                );
            }
        }
    }

    /// A ruling is undone by a new one.
    pub(super) fn counter(
        &mut self,
        now: Timestamp,
        user: &str,
        order: &Order,
        ruling: u64,
        by: &str,
    ) -> Result<Done, Refusal> {
        let closing = self.state.closed_by.clone();
        if let Some(closing) = closing.filter(|c| c.number == ruling) {
            return Ok(self.reopen_round(now, order, &closing, by));
        }
        let (at, memo) = self
            .state
            .games()
            .find_map(|(at, game)| {
                let memo = game.rulings.iter().find(|m| m.number == ruling)?;
                Some((at, memo.clone()))
            })
            .ok_or_else(|| Refusal::nothing(format!("no ruling {ruling} is known")))?;
        let game = self.state.table_at(at).map(|t| &t.game);
        let game = game.ok_or_else(|| Refusal::no_table(at.table))?;
        stale(game, order.basis)?;
        if memo.undo.contains(&GameEvent::Reinstated) {
            self.may_go_on(at)?;
        }
        let prepared = undoing(game, &memo, now)?;
        if order.preview {
            let mut preview = prepared.preview();
            if let Some(round) = at.past {
                preview
                    .then
                    .push(format!("the files and pages of round {round} follow"));
            }
            return Ok(Done::Preview(game.revision, preview));
        }
        let countered = EventBody::RulingCountered {
            past: at.past,
            table: at.table,
            ruling,
        };
        self.record(now, countered);
        Ok(self.give(now, user, order, at, by, prepared))
    }
}

impl Venue {
    /// Whether an annulled game can go on: nothing else than its own position has stood on the board since.
    fn may_go_on(&self, at: GameAt) -> Result<(), Refusal> {
        let table = self.state.table_at(at).filter(|_| at.past.is_none());
        let annulled = table.and_then(|t| t.annulled.as_deref());
        let annulled = annulled.ok_or_else(|| {
            Refusal::nothing("no annulled game is kept: none was, or moves of the new one stand")
        })?;
        let since = table.map_or_else(Vec::new, |t| t.game.record.line());
        match since.is_empty() || since == annulled.record.line() {
            true => Ok(()),
            false => Err(Refusal::state(
                "moves of the new game were played since that ruling; end it first",
            )),
        }
    }
}

/// A ruling that rests on another state of the game than the one that is now.
pub(super) fn stale(game: &Game, basis: Option<u64>) -> Result<(), Refusal> {
    match basis {
        Some(basis) if basis != game.revision => {
            let since = game.log.iter().filter(|l| l.revision > basis);
            let lines =
                since.map(|l| format!("{}: {} ({})", l.line.kind, l.line.words, l.line.source));
            Err(Refusal::stale(lines.collect()))
        }
        _ => Ok(()),
    }
}

fn undoing(game: &Game, memo: &RulingMemo, now: Timestamp) -> Result<Prepared, Refusal> {
    if memo.countered {
        return Err(Refusal::nothing("that ruling was countered already"));
    }
    if memo.undo.is_empty() {
        return Err(Refusal::nothing(
            "that ruling changed nothing that could be undone",
        ));
    }
    let moves = |e: &GameEvent| matches!(e, GameEvent::LineRevised { .. });
    let adopt = memo.undo.iter().any(moves);
    if adopt && memo.record_version != game.record.version() {
        return Err(Refusal::state(
            "moves were played since that ruling: strike or insert instead",
        ));
    }
    // A board that had stopped recording begins again from the record.
    let over = memo.undo.iter().any(|e| match e {
        GameEvent::ResultSet { .. } => game.is_over(),
        GameEvent::Resumed { .. } | GameEvent::Reinstated => true,
        _ => false,
    });
    let mut back = Back::default();
    let events = memo.undo.iter().map(|e| back.undo(game, e, now)).collect();
    Ok(Prepared {
        lines: vec![format!(
            "takes back no. {} by {}: {}",
            memo.number, memo.by, memo.words
        )],
        article: memo.article.clone(),
        then: back.then,
        set_clock: back.set_clock,
        events,
        undo: Vec::new(),
        words: format!(
            "taken back: {} (no. {} by {})",
            memo.words, memo.number, memo.by
        ),
        adopt: adopt || over,
        ..Prepared::default()
    })
}

/// What the taking back of a ruling does, event by event, in the words of an arbiter.
#[derive(Default)]
struct Back {
    then: Vec<String>,
    set_clock: Option<BySide<u64>>,
}

impl Back {
    /// The event that undoes, dated now; its effect is noted.
    fn undo(&mut self, game: &Game, event: &GameEvent, now: Timestamp) -> GameEvent {
        match event {
            GameEvent::TimeRuled { change_ms, .. } => self.time(game, *change_ms, now),
            GameEvent::ResultSet { standing, .. } => {
                self.then.push(result_words(standing.as_ref()));
                event.clone()
            }
            GameEvent::IllegalCounted { offender, count } => {
                let moves = if *count == 1 { "move" } else { "moves" };
                let who = offender.word();
                self.then
                    .push(format!("{who} has {count} completed illegal {moves} again"));
                event.clone()
            }
            GameEvent::LineRevised { .. } => {
                self.then
                    .push("the moves stand as before; the board starts again from them".to_owned());
                event.clone()
            }
            event => {
                self.then.extend(further_words(event));
                event.clone()
            }
        }
    }

    fn time(&mut self, game: &Game, change_ms: BySide<i64>, now: Timestamp) -> GameEvent {
        if change_ms == BySide::default() {
            self.then.push("no times are awaited any more".to_owned());
            return GameEvent::TimeRuled {
                change_ms,
                due: None,
                at: now,
            };
        }
        let times = game.clock.owed(now);
        let due = times.map(|times| {
            BySide::new_with(|side| times.get(side).saturating_add_signed(*change_ms.get(side)))
        });
        let words = |side: Side| match (times, due) {
            (Some(times), Some(due)) => format!(
                "{} {} → {}",
                side.word(),
                clock_words(*times.get(side)),
                clock_words(*due.get(side))
            ),
            _ => format!("{}'s time goes back", side.word()),
        };
        let changed = Side::BOTH.into_iter().filter(|s| *change_ms.get(*s) != 0);
        self.then.extend(changed.map(words));
        self.then
            .push("set the clock by hand; its reading is watched".to_owned());
        self.set_clock = due;
        GameEvent::TimeRuled {
            change_ms,
            due,
            at: now,
        }
    }
}

/// What the taking back of claims, adjournments, controls and reports does.
fn further_words(event: &GameEvent) -> Option<String> {
    Some(match event {
        GameEvent::ClaimSet(None) => "no claim is open any more".to_owned(),
        GameEvent::ClaimSet(Some(open)) => {
            format!("{}'s claim waits for its ruling again", open.by.word())
        }
        GameEvent::Resumed { .. } => {
            "the game is not adjourned; the board starts again from the record".to_owned()
        }
        GameEvent::AdjournmentSet(_) => "the game is adjourned as before".to_owned(),
        GameEvent::Reinstated => {
            "the annulled game goes on; the board starts again from its record".to_owned()
        }
        GameEvent::ControlRuled(control) => format!("the time control is {control} again"),
        GameEvent::IrregularityOver { code, .. } => format!("{code} is taken back"),
        _ => return None,
    })
}

fn result_words(standing: Option<&Standing>) -> String {
    match standing {
        None => "there is no result any more; the game goes on".to_owned(),
        Some(s) if s.state == ResultState::Proposed => format!(
            "{} ({}) waits for its confirmation again",
            s.result,
            s.how.words()
        ),
        Some(s) => format!("the result is {} ({}) again", s.result, s.how.words()),
    }
}
