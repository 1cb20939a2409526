//! Orders about a game as a whole and about the round: a new game in place of an annulled one, the round closed and its results published.

use protocol::{BySide, Order, ResultState, Standing, TableId, Timestamp};

use super::Venue;
use super::event::{EventBody, Ruling};
use super::orders::{Done, lines};
use super::ruling::stale;
use super::state::{ClosingRound, Table};
use crate::game::{Game, GameEvent, Source};
use crate::laws::start::{array_proposal, colours_proposal};
use crate::laws::{Code, finding};
use crate::rulings::Refusal;

/// Tables that are named in an answer.
const NAMED: usize = 12;

impl Venue {
    /// The game is annulled and a new one begins at the table (7.2.1, 7.3).
    pub(super) fn restart(
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
        if game.is_over() {
            return Err(Refusal::state("the game is over; counter its result first"));
        }
        let (article, words) = why_annulled(game);
        if order.preview {
            let mut preview = lines(words);
            preview.article = article;
            preview.then = vec![
                format!("{} half-moves are annulled", game.record.len()),
                "set up the pieces and the clock; the players' counts begin anew".to_owned(),
                "moves are recorded from the moment the pieces are set up".to_owned(),
            ];
            preview.ends_game = true;
            return Ok(Done::Preview(game.revision, preview));
        }
        let words = format!("game annulled after {} half-moves", game.record.len());
        Ok(self.begin_anew(now, user, order, table, by, (article, words)))
    }

    fn begin_anew(
        &mut self,
        now: Timestamp,
        user: &str,
        order: &Order,
        table: TableId,
        by: &str,
        (article, words): (String, String),
    ) -> Done {
        self.close_ruled(now, table, (Code::ALL, None), by);
        let next = EventBody::NextGame {
            table,
            annulled: true,
        };
        self.record(now, next);
        let ruling = Ruling {
            by: by.to_owned(),
            user: user.chars().take(64).collect(),
            order: (order.client.clone(), order.id),
            body: order.body.clone(),
            words: words.clone(),
            article,
            note: order.note.chars().take(500).collect(),
            undo: vec![GameEvent::Reinstated],
        };
        let table_of = Some(table);
        let number = self.record(
            now,
            EventBody::RulingGiven {
                table: table_of,
                past: None,
                ruling,
            },
        );
        self.set_control(now, table, false);
        self.touched.insert(table);
        Done::Words(Some(number), words)
    }

    /// Results that are missing are asked for; with none missing, all of them are published.
    pub(super) fn close_round(
        &mut self,
        now: Timestamp,
        order: &Order,
        round: u16,
        by: &str,
    ) -> Result<Done, Refusal> {
        if round != self.state.round.round {
            let here = self.state.round.round;
            return Err(Refusal::state(format!("this is round {here}")));
        }
        let missing = self.without_result();
        let words = if missing.is_empty() {
            format!("round {round}: every result is there and published")
        } else {
            format!(
                "round {round}: {} results are missing: tables {}",
                missing.len(),
                named(&missing)
            )
        };
        if order.preview {
            return Ok(Done::Preview(0, lines(vec![words])));
        }
        let by = by.to_owned();
        let event = EventBody::RoundClosing {
            round,
            by: by.clone(),
        };
        let number = self.record(now, event);
        if missing.is_empty() {
            self.publish_results(now, &by);
        }
        self.touched.extend(self.state.tables.keys());
        Ok(Done::Words(Some(number), words))
    }

    /// The closing of the round is taken back: results that it published are as they were before.
    pub(super) fn reopen_round(
        &mut self,
        now: Timestamp,
        order: &Order,
        closing: &ClosingRound,
        by: &str,
    ) -> Done {
        let round = self.state.round.round;
        let back = self.published_by(closing);
        let words = match back.len() {
            0 => format!("round {round} is not being closed"),
            n => format!("round {round} is not being closed; {n} results are unpublished"),
        };
        if order.preview {
            let takes_back = format!("takes back no. {} by {}", closing.number, closing.by);
            let mut preview = lines(vec![takes_back]);
            preview.then = vec![words];
            return Done::Preview(0, preview);
        }
        let by = by.to_owned();
        let source = Source::Arbiter(by.clone());
        let number = self.record(now, EventBody::RoundReopened { round, by });
        for (table, standing, signed) in back {
            let event = GameEvent::ResultSet {
                standing: Some(standing),
                signed,
            };
            self.game(now, table, source.clone(), event);
        }
        self.touched.extend(self.state.tables.keys());
        Done::Words(Some(number), words)
    }

    /// Results that stand as the closing published them, each as it was before.
    pub(super) fn published_by(
        &self,
        closing: &ClosingRound,
    ) -> Vec<(TableId, Standing, BySide<bool>)> {
        let still = |(id, before): (&TableId, &Standing)| {
            let game = &self.state.tables.get(id)?.game;
            let published = Standing {
                state: ResultState::Published,
                ..*before
            };
            (game.standing == Some(published)).then_some((*id, *before, game.signed))
        };
        closing.published.iter().filter_map(still).collect()
    }

    /// Whether every table has its result: closing the round then publishes them.
    pub(super) fn is_complete(&self) -> bool {
        self.without_result().is_empty()
    }

    fn without_result(&self) -> Vec<TableId> {
        let paired = self.state.paired;
        let counts = |t: &Table| !(paired && t.casual);
        let open = self.state.tables.iter();
        let open = open.filter(|(_, t)| counts(t) && !t.game.is_over());
        open.map(|(id, _)| *id).collect()
    }

    fn publish_results(&mut self, now: Timestamp, by: &str) {
        let fresh = |game: &Game| {
            let published = Standing {
                state: ResultState::Published,
                ..game.unpublished()?
            };
            Some((published, game.signed))
        };
        let tables = self.state.tables.iter();
        let all: Vec<_> = tables
            .filter_map(|(id, t)| Some((*id, fresh(&t.game)?)))
            .collect();
        for (table, (standing, signed)) in all {
            let event = GameEvent::ResultSet {
                standing: Some(standing),
                signed,
            };
            self.game(now, table, Source::Arbiter(by.to_owned()), event);
        }
    }
}

pub(super) fn named(tables: &[TableId]) -> String {
    let mut names: Vec<String> = tables.iter().take(NAMED).map(TableId::to_string).collect();
    if tables.len() > NAMED {
        names.push("…".to_owned());
    }
    names.join(", ")
}

/// The article and what the Laws say, from what is open at the table.
fn why_annulled(game: &Game) -> (String, Vec<String>) {
    let (laws, regime) = (game.laws(), game.setup.regime);
    let completed = game.record.completed_moves();
    let open = |code| game.open_irregularities().any(|i| i.code == code);
    let (code, lines) = if open(Code::ColoursReversed) {
        (Code::ColoursReversed, colours_proposal(laws, completed))
    } else {
        let by_each = completed.white.min(completed.black);
        (
            Code::InitialPositionWrong,
            array_proposal(laws, regime, by_each),
        )
    };
    (finding(code, laws, regime).article.to_owned(), lines)
}
