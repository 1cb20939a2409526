//! Rulings on games: prepared, refused when stale, given, countered by a new ruling.

use protocol::{Order, TableId, Timestamp};

use super::Venue;
use super::event::{EventBody, Ruling};
use super::orders::Done;
use crate::game::{Game, GameEvent, RulingMemo, Source};
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
        Ok(self.give(now, user, order, table, by, prepared))
    }

    fn around<'a>(&'a self, now: Timestamp, table: TableId, note: &'a str) -> Around<'a> {
        let device = self
            .state
            .tables
            .get(&table)
            .and_then(|t| t.device.as_ref());
        let device = device.and_then(|d| self.state.devices.get(d));
        Around {
            now,
            test: self.config.mate_test,
            board: device.and_then(|d| d.board.as_ref()),
            note,
        }
    }

    fn give(
        &mut self,
        now: Timestamp,
        user: &str,
        order: &Order,
        table: TableId,
        by: &str,
        prepared: Prepared,
    ) -> Done {
        let source = Source::Arbiter(by.to_owned());
        self.close_ruled(now, table, &prepared.closes, by);
        for event in prepared.events.clone() {
            self.game(now, table, source.clone(), event);
        }
        if prepared.concerns_record() {
            self.game(now, table, source.clone(), GameEvent::BackInLine);
        }
        let number = self.record(
            now,
            EventBody::RulingGiven {
                table: Some(table),
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
        self.follow(now, table, prepared.adopt, source);
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

    fn close_ruled(&mut self, now: Timestamp, table: TableId, codes: &[Code], by: &str) {
        let place = crate::alerts::Place::Table(table);
        let open = self.state.book.open_at(&place);
        for id in open {
            let code = self.state.book.get(&id).map(|k| k.code);
            if code.is_some_and(|c| codes.contains(&c)) {
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
        let (table, memo) = self
            .state
            .tables
            .iter()
            .find_map(|(id, t)| {
                let memo = t.game.rulings.iter().find(|m| m.number == ruling)?;
                Some((*id, memo.clone()))
            })
            .ok_or_else(|| Refusal::nothing(format!("no ruling {ruling} of this round")))?;
        let game = &self.state.tables[&table].game;
        stale(game, order.basis)?;
        let prepared = undoing(game, &memo)?;
        if order.preview {
            return Ok(Done::Preview(game.revision, prepared.preview()));
        }
        self.record(now, EventBody::RulingCountered { table, ruling });
        Ok(self.give(now, user, order, table, by, prepared))
    }
}

/// A ruling that rests on another state of the game than the one that is now.
fn stale(game: &Game, basis: Option<u64>) -> Result<(), Refusal> {
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

fn undoing(game: &Game, memo: &RulingMemo) -> Result<Prepared, Refusal> {
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
    let over = game.is_over()
        && memo
            .undo
            .iter()
            .any(|e| matches!(e, GameEvent::ResultSet { .. }));
    Ok(Prepared {
        lines: vec![format!(
            "Ruling {} by {}: {}",
            memo.number, memo.by, memo.words
        )],
        article: memo.article.clone(),
        then: vec!["it no longer counts".to_owned()],
        events: memo.undo.clone(),
        undo: Vec::new(),
        words: format!("ruling {} countered: {}", memo.number, memo.words),
        adopt: adopt || over,
        ..Prepared::default()
    })
}
