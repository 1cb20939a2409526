//! Sentences for what players claim, for results that witnesses tell differently, and for adjourned games.

use protocol::{DrawClaim, QuickplayAsk, Side};

use super::Condition;
use super::words::{Text, noticed, plain};
use crate::game::{Claimed, Game, OpenClaim, clock_words, draw_verdict, read_envelope};
use crate::laws::adjourned::{resumption, sealed_proposal};
use crate::laws::guidelines::{QuickplayRuling, quickplay_ruling, without_arbiter};
use crate::laws::{MateVerdict, Prospects, Quickplay};

/// A claim with its verdict, or with what may be ruled on it.
pub(super) fn claim(game: &Game) -> Option<Text> {
    let open = game.claim.as_ref()?;
    Some(match open.claimed {
        Claimed::Draw(what) => draw(game, open, what),
        Claimed::Quickplay(asks) => quickplay(game, open, asks),
    })
}

fn draw(game: &Game, open: &OpenClaim, what: DrawClaim) -> Text {
    let who = open.by.word();
    let by = match what {
        DrawClaim::Threefold => "the same position for the third time",
        DrawClaim::FiftyMoves => "fifty moves",
    };
    let demanded = what == DrawClaim::FiftyMoves && game.laws().fifty_on_demand;
    let headline = match demanded {
        true => format!("{who} demands mate within fifty moves"),
        false => format!("draw claimed by {who}: {by}"),
    };
    match draw_verdict(game, open, what) {
        Ok(verdict) => Text {
            because: [vec![verdict.word.to_owned()], verdict.because].concat(),
            proposal: verdict.proposal,
            ..plain(&headline, "")
        },
        Err(why) => Text {
            proposal: vec!["Play the game through on another board (11.11).".to_owned()],
            ..plain(&headline, &format!("No verdict: {why}."))
        },
    }
}

fn quickplay(game: &Game, open: &OpenClaim, asks: QuickplayAsk) -> Text {
    let (laws, who) = (game.laws(), open.by.word());
    let (headline, rulings): (String, &[QuickplayRuling]) = match asks {
        QuickplayAsk::Increment => (
            format!("{who} asks for an increment of five seconds"),
            &[QuickplayRuling::Increment],
        ),
        QuickplayAsk::Draw => (
            format!("{who} claims that he cannot be beaten by normal means"),
            &[
                QuickplayRuling::Grant,
                QuickplayRuling::Postpone,
                QuickplayRuling::Reject,
            ],
        ),
    };
    let ways = rulings
        .iter()
        .map(|r| quickplay_ruling(laws, *r, open.by).1);
    let mut proposal: Vec<String> = ways.map(|lines| lines.join(" ")).collect();
    let alone = game.setup.regulations.joint_arbiters && laws.quickplay == Quickplay::Article10;
    if alone {
        proposal = [false, true]
            .map(|no_effort| without_arbiter(no_effort).join(" "))
            .into();
    }
    Text {
        proposal,
        ..plain(
            &headline,
            &format!("{who} had {} left.", clock_words(open.left_ms)),
        )
    }
}

/// A result that stands, and a witness that says another.
pub(super) fn conflict(game: &Game) -> Option<Text> {
    let standing = game.standing?;
    let entered = format!("{} stands by {}.", standing.result, standing.how.words());
    let other = match &game.witness {
        Some(w) if w.standing.result != standing.result => {
            format!(
                "The board says {} by {}.",
                w.standing.result,
                w.standing.how.words()
            )
        }
        _ => "The winner's flag had fallen before.".to_owned(),
    };
    Some(Text {
        because: vec![entered, other],
        proposal: vec![
            "Compare both scoresheets and signatures; enter the result again, or close this."
                .to_owned(),
        ],
        ..plain("witnesses of the result differ", "")
    })
}

/// A player is late for the resumption.
pub(super) fn late(game: &Game, side: Option<Side>) -> Text {
    let who = side.map_or("a player", Side::word);
    let script = game
        .adjourned
        .as_ref()
        .map_or(Vec::new(), |a| resumption(a.envelope.replies(), a.missing));
    let rule = match side {
        Some(side) => format!(
            "{} loses unless you decide otherwise; look whether he is there.",
            side.word()
        ),
        None => "Whoever is missing loses unless you decide otherwise; say who it is.".to_owned(),
    };
    Text {
        because: vec!["The time for the resumption has passed.".to_owned()],
        proposal: [vec![rule], script].concat(),
        ..plain(&format!("{who} late for the resumption"), "")
    }
}

/// What stood in the envelope is no move.
pub(super) fn sealed(game: &Game, condition: &Condition, prospects: &Prospects) -> Text {
    let seen = noticed(game, condition);
    let proposal = game.adjourned.as_ref().and_then(|adjourned| {
        let by = adjourned.envelope.sealed_by;
        let sealed = read_envelope(game, adjourned.opened.as_deref()?)?;
        let position = game.record.position().legal()?;
        let drawn = matches!(
            prospects.can_mate(position, by.other()),
            MateVerdict::Cannot(_)
        );
        Some(sealed_proposal(game.laws(), &sealed, by, drawn))
    });
    Text {
        headline: "sealed move void".to_owned(),
        proposal: proposal.unwrap_or_default(),
        ..seen
    }
}
