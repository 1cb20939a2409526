//! Two dashboards at once: of orders raced against each other one rules, and the other is told why.

use protocol::{Answer, DeskTable, Fact, GameResult, OrderBody};

use crate::client::{Client, Way};
use crate::running::{acknowledged, agent_at_work, arbiter, envelope, hub, order, read, result};

/// Two dashboards look at the same table, decide differently, and give their orders at the same moment, ten times over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_orders_raced_against_each_other_one_rules_and_the_other_is_told_why() {
    let data = tempfile::tempdir().expect("folder");
    let (hub, ground) = hub(data.path()).await;
    let _board = agent_at_work(&ground, 4).await;
    let mut one = arbiter(&ground, "one").await;
    let mut two = arbiter(&ground, "two").await;
    let mut rulings = 0;
    for race in 0..10_u64 {
        let (white, black) = (GameResult::WhiteWins, GameResult::BlackWins);
        let mut basis = Vec::new();
        for (desk, name, wanted) in [(&mut one, "one", white), (&mut two, "two", black)] {
            let ask = order(name, race * 2 + 1, "X", None, result(wanted));
            desk.say("desk/order", false, ask).await;
            let Answer::Preview { basis: seen, .. } = read(&desk.hear(1).await[0]) else {
                panic!("a preview");
            };
            basis.push(seen);
        }
        assert_eq!(basis[0], basis[1], "both look at the same table");
        let first = order("one", race * 2 + 2, "MK", Some(basis[0]), result(white));
        let second = order("two", race * 2 + 2, "JP", Some(basis[1]), result(black));
        tokio::join!(
            one.say("desk/order", false, first),
            two.say("desk/order", false, second)
        );
        let answers: [(Answer, &str); 2] = [
            (read(&one.hear(1).await[0]), "JP"),
            (read(&two.hear(1).await[0]), "MK"),
        ];
        let done = answers
            .iter()
            .filter(|(a, _)| matches!(a, Answer::Done { .. }))
            .count();
        assert_eq!(done, 1, "exactly one ruling: {answers:?}");
        rulings += done;
        for (answer, winner) in &answers {
            if let Answer::Refused {
                code,
                why,
                difference,
                ..
            } = answer
            {
                assert_eq!(code, "H30");
                assert!(why.contains("somebody ruled first"), "{why}");
                assert!(
                    difference.iter().any(|line| line.contains(winner)),
                    "who ruled, and what: {difference:?}"
                );
            }
        }
    }
    let mut viewer = Client::connect(&ground, Way::of("local-viewer")).await;
    assert!(viewer.subscribe("desk/table/1").await);
    let table: DeskTable = read(&viewer.hear(1).await[0]);
    assert_eq!(table.rulings.len(), rulings, "{:?}", table.rulings);
    hub.stop().await;
}

/// Two dashboards take the same alert at the same moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_take_an_alert_one_goes() {
    let data = tempfile::tempdir().expect("folder");
    let (hub, ground) = hub(data.path()).await;
    let mut board = agent_at_work(&ground, 2).await;
    let kings = Fact::KingsCentred {
        result: GameResult::Draw,
    };
    board
        .say("device/dgt-01025/facts", false, envelope(3, kings))
        .await;
    acknowledged(&mut board, 3).await;
    let mut one = arbiter(&ground, "one").await;
    let mut two = arbiter(&ground, "two").await;
    let take = |client: &str, by: &str| {
        let body = OrderBody::Take {
            alert: "1-result-proposed-1".to_owned(),
            over: false,
        };
        order(client, 1, by, Some(0), body)
    };
    tokio::join!(
        one.say("desk/order", false, take("one", "MK")),
        two.say("desk/order", false, take("two", "JP"))
    );
    let answers: [Answer; 2] = [read(&one.hear(1).await[0]), read(&two.hear(1).await[0])];
    let (done, refused): (Vec<&Answer>, Vec<&Answer>) = answers
        .iter()
        .partition(|a| matches!(a, Answer::Done { .. }));
    assert_eq!(done.len(), 1, "{answers:?}");
    assert!(
        matches!(refused[..], [Answer::Refused { why, .. }] if why.contains("has taken it already")),
        "{answers:?}"
    );
    hub.stop().await;
}
