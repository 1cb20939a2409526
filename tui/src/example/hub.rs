//! What the hub of the example says to orders.

use super::hall::{NOW, table};
use protocol::{Answer, BySide, ClaimJudgement, Judgement, Order, OrderBody, Penalty, Preview};

/// What the hub of the example answers to an order.
pub fn answer(order: &Order) -> Answer {
    if let OrderBody::AdjustTime { change_ms, .. } = &order.body
        && change_ms.white.max(change_ms.black) > 3_600_000
    {
        return somebody_ruled_first(order.id);
    }
    if !order.preview {
        return Answer::Done {
            id: order.id,
            ruling: Some(41_420),
            words: "written down as no. 41420".to_owned(),
        };
    }
    Answer::Preview {
        id: order.id,
        basis: 100,
        preview: preview(&order.body),
    }
}

/// Nobody gives an hour and more: the example takes it for an order that came too late.
fn somebody_ruled_first(id: u64) -> Answer {
    Answer::Refused {
        id,
        code: "H30".to_owned(),
        why: "the table has changed since you looked: somebody ruled first, or play went on"
            .to_owned(),
        difference: vec!["JP 18:17:09 time: White +0:00, Black +2:00 (7.5.5)".to_owned()],
    }
}

fn preview(body: &OrderBody) -> Preview {
    let lines = |lines: &[&str]| lines.iter().map(|l| (*l).to_owned()).collect();
    let say = |article: &str, seen: &[&str], then: &[&str], ends_game: bool| Preview {
        lines: lines(seen),
        article: article.to_owned(),
        then: lines(then),
        ends_game,
        set_clock: None,
    };
    match body {
        OrderBody::IllegalMove {
            judgement: Judgement::First,
            ..
        } => Preview {
            set_clock: Some(BySide {
                white: 240_000,
                black: 660_000,
            }),
            ..say(
                "7.5.5",
                &["first completed illegal move of White: two minutes more for Black"],
                &[
                    "Black 0:09:00 + 2:00 = 0:11:00",
                    "the move before it is restored",
                ],
                false,
            )
        },
        OrderBody::IllegalMove {
            judgement: Judgement::Second,
            ..
        } => say(
            "7.5.5",
            &[
                "second completed illegal move of White: lost",
                "½ – ½ only if Black could never checkmate: not so here",
            ],
            &[
                "result 0–1",
                "both clocks stay stopped",
                "the wall page shows 0–1",
            ],
            true,
        ),
        OrderBody::IllegalMove { .. } => {
            say("", &["nothing is counted"], &["the game continues"], false)
        }
        OrderBody::Result {
            result,
            how,
            confirm,
            ..
        } => say(
            "8.7",
            &[&format!("{result} {}", how.words())],
            &[if *confirm {
                "recorded and confirmed"
            } else {
                "recorded, unconfirmed"
            }],
            *confirm,
        ),
        OrderBody::Confirm { .. } => say(
            "8.7",
            &["the proposed result becomes official"],
            &["the hall sees it"],
            true,
        ),
        OrderBody::AdjustTime {
            table: id,
            change_ms,
            article,
        } => Preview {
            set_clock: table(id.0).clock.map(|clock| {
                let now = clock.extrapolated(NOW);
                BySide::new_with(|side| now.get(side).saturating_add_signed(*change_ms.get(side)))
            }),
            ..say(
                article,
                &["the reading is watched and ticked off"],
                &["set the clock by hand"],
                false,
            )
        },
        OrderBody::ReplaceClock { .. } => Preview {
            set_clock: Some(BySide {
                white: 798_000,
                black: 648_000,
            }),
            ..say(
                "6.10.1",
                &[
                    "White 0:13:41 − 0:35 + 0:30 − 0:18 = 0:13:18, between 0:13:06 and 0:14:11",
                    "Black 0:10:30 − 0:12 + 0:30 = 0:10:48, between 0:09:55 and 0:11:00",
                ],
                &["the new clock is set by hand; its reading is watched"],
                false,
            )
        },
        OrderBody::ClaimDraw { .. } => say(
            "9.2",
            &["Correct by this record."],
            &["the claim waits for your ruling"],
            false,
        ),
        OrderBody::RuleClaim { judgement, .. } => say(
            "9.2",
            &["The position after 31… Kg8 stands for the third time."],
            &["result ½–½"],
            *judgement == ClaimJudgement::Grant,
        ),
        OrderBody::Restart { .. } => say(
            "7.3",
            &["Fewer than ten moves are made by both: a new game."],
            &[
                "the half-moves are annulled",
                "set up the pieces and the clock",
            ],
            true,
        ),
        OrderBody::CloseRound { .. } => say(
            "",
            &["round 5: 93 results are missing: tables 1, 2, 3, …"],
            &[],
            false,
        ),
        OrderBody::Counter { .. } => Preview {
            set_clock: Some(BySide {
                white: 680_000,
                black: 102_000,
            }),
            ..say(
                "",
                &[
                    "Black 0:03:42 − 2:00 = 0:01:42",
                    "White: completed illegal moves 1 → 0",
                ],
                &["both rulings stay in the journal"],
                false,
            )
        },
        OrderBody::Conduct { penalty, .. } => say(
            "12.9",
            &[],
            &["written into the journal"],
            *penalty == Penalty::Loss,
        ),
        _ => say("", &[], &["written into the journal"], false),
    }
}
