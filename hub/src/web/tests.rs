//! The pages by state, as golden files in `golden/` (`GOLDEN=write` rewrites them), and what must hold on every page.

use std::path::PathBuf;

use protocol::{GameResult, HallBoard, HallState, TableId, Timestamp};

use super::example::board;
use super::overlay::{Element, Overlay, overlay_page};
use super::page::{self, Asked, Head, Look, Size};
use super::projector::{Screen, wall_page};
use super::tables::chosen;

fn head(delay: &str) -> Head {
    Head {
        event: "Open de Lyon".into(),
        round: 5,
        delay: delay.into(),
        now: Timestamp(1_700_000_000_000),
        ..Head::default()
    }
}

fn changed(sans: &[&str], change: impl FnOnce(&mut HallBoard)) -> HallBoard {
    let mut board = board(sans);
    change(&mut board);
    board
}

/// One board for each state a game can be in.
fn states() -> Vec<(&'static str, HallBoard)> {
    let italian = ["e4", "e5", "Nf3", "Nc6", "Bc4"];
    vec![
        (
            "waiting",
            changed(&[], |b| (b.state, b.clock) = (HallState::Waiting, None)),
        ),
        ("playing", changed(&italian, |b| b.settled_ply = 4)),
        ("paused", changed(&italian, |b| b.state = HallState::Paused)),
        (
            "adjourned",
            changed(&italian, |b| b.state = HallState::Adjourned),
        ),
        (
            "over",
            changed(&italian, |b| {
                (b.state, b.result) = (HallState::Over, Some(GameResult::WhiteWins))
            }),
        ),
        (
            "unconfirmed",
            changed(&italian, |b| b.state = HallState::Over),
        ),
        (
            "provisional",
            changed(&italian, |b| {
                (b.state, b.result) = (HallState::Over, Some(GameResult::Draw));
                b.unconfirmed = true;
            }),
        ),
        (
            "chess960",
            changed(&[], |b| {
                b.chess960 = true;
                b.start_fen =
                    Some("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1".into());
                b.position = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR"
                    .parse()
                    .expect("placement");
            }),
        ),
    ]
}

fn golden(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("src/web/golden")
        .join(format!("{name}.html"));
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        std::fs::write(&path, text).expect("golden folder");
    }
    let stored =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(stored, text, "{name}");
}

#[test]
fn each_state_has_its_picture_small_and_large() {
    for (name, board) in states() {
        let both = format!(
            "{}\n{}\n",
            page::part(&board, Size::Small, false),
            page::part(&board, Size::Large, true)
        );
        golden(name, &both);
    }
}

#[test]
fn nobody_is_to_move_once_the_board_shows_the_end() {
    let mate = ["f3", "e5", "g4", "Qh4#"];
    let stale: HallBoard = changed(&[], |b| {
        b.position = "7k/5Q2/6K1/8/8/8/8/8".parse().expect("placement");
        b.turn = protocol::Side::Black;
    });
    for (board, word) in [(board(&mate), "checkmate"), (stale, "stalemate")] {
        let text = page::part(&board, Size::Large, false);
        assert!(!text.contains("to move"), "{text}");
        assert!(text.contains(word), "{text}");
    }
    assert!(page::part(&board(&["e4"]), Size::Small, false).contains("to move"));
}

#[test]
fn no_two_states_read_alike() {
    let texts: Vec<String> = states()
        .iter()
        .map(|(_, b)| without_tags(&page::part(b, Size::Large, false)))
        .collect();
    for (i, text) in texts.iter().enumerate() {
        assert!(!texts[..i].contains(text), "{text}");
    }
}

/// What a reader without pictures sees, spoken labels included.
fn without_tags(html: &str) -> String {
    let labels: String = html
        .split("aria-label=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let text: String = html
        .split('<')
        .filter_map(|part| part.split_once('>'))
        .map(|(_, text)| text)
        .collect();
    labels + &text
}

fn pages() -> Vec<(&'static str, String)> {
    let one = board(&["e4"]);
    let other = changed(&["d4"], |b| b.table = TableId(3));
    let look = Look::default();
    vec![
        (
            "round",
            page::round_page(&head("live"), &[&one, &other], &look, &Asked::default()),
        ),
        (
            "empty",
            page::round_page(&Head::default(), &[], &look, &Asked::default()),
        ),
        (
            "board",
            page::board_page(&head("15 minutes delayed"), &one, &look),
        ),
        (
            "wall",
            wall_page(
                &head("live"),
                &[&one, &other],
                &look,
                &Screen {
                    boards: "1-30",
                    page: 9,
                },
            ),
        ),
        (
            "missing",
            page::missing_page(&head("live"), "There is no such board."),
        ),
    ]
}

#[test]
fn every_page_says_its_delay_its_fine_print_and_reloads_without_script() {
    for (name, page) in pages() {
        let delay = if name == "board" {
            "15 minutes delayed"
        } else {
            "live"
        };
        for words in [
            delay,
            "6.12.2",
            "<noscript><meta http-equiv=\"refresh\"",
            "lang=\"en\"",
            "charset=\"utf-8\"",
        ] {
            assert!(page.contains(words), "{name} lacks {words}");
        }
        assert_eq!(page.matches("<body").count(), 1, "{name}");
    }
}

#[test]
fn every_link_leads_somewhere_inside_the_house() {
    let known = |link: &str| {
        let path = link.split('?').next().unwrap_or(link);
        matches!(
            path,
            "/" | "/assets/live.js"
                | "/assets/icon.svg"
                | "/qr.svg"
                | "/board/12"
                | "/board/3"
                | "/board/12.pgn"
                | "/round/5.pgn"
        ) || link.starts_with('#')
    };
    for (name, page) in pages() {
        let links = page.split(['"', '\'']).collect::<Vec<_>>();
        for pair in links
            .windows(2)
            .filter(|p| p[0].ends_with("href=") || p[0].ends_with("src="))
        {
            assert!(known(pair[1]), "{name}: {}", pair[1]);
        }
        assert!(
            !page
                .replace("http://www.w3.org/2000/svg", "")
                .contains("://"),
            "{name} names another host"
        );
    }
}

#[test]
fn a_wall_shows_the_boards_that_were_asked_for() {
    let boards: Vec<HallBoard> = (1..=30)
        .map(|n| changed(&[], |b| b.table = TableId(n)))
        .collect();
    let all: Vec<&HallBoard> = boards.iter().collect();
    let numbers = |text: &str| chosen(text, &all).iter().map(|t| t.0).collect::<Vec<_>>();
    assert_eq!(numbers("1-3,20,x,40"), [1, 2, 3, 20]);
    assert_eq!(numbers("").len(), 30);
    let states: Vec<HallBoard> = (1..=12)
        .map(|n| {
            changed(&[], |b| {
                b.table = TableId(n);
                b.state =
                    [HallState::Playing, HallState::Over, HallState::Waiting][usize::from(n % 3)];
                if let Some(clock) = &mut b.clock {
                    clock.time.white = u64::from(100 - n) * 1000;
                    clock.time.black = 200_000;
                }
            })
        })
        .collect();
    let states: Vec<&HallBoard> = states.iter().collect();
    let by_state = |text: &str| -> Vec<u16> { chosen(text, &states).iter().map(|t| t.0).collect() };
    assert_eq!(by_state("playing"), [3, 6, 9, 12]);
    assert_eq!(by_state("over"), [1, 4, 7, 10]);
    assert_eq!(by_state("scramble"), [12, 9, 6, 3], "least time first");
    let wall = |shown: &[&HallBoard], boards, page| {
        let look = Look {
            flip: true,
            ..Look::default()
        };
        wall_page(&head("live"), shown, &look, &Screen { boards, page })
    };
    let second = wall(&all, "1-30", 2);
    assert!(second.contains("id=\"table-9\"") && !second.contains("id=\"table-8\""));
    assert!(second.contains("data-turns=\"4\" data-next=\"3\""));
    assert!(
        second.contains("url=?page=3&amp;boards=1-30&amp;theme=dark&amp;flip=1"),
        "a browser without script goes on with the same boards"
    );
    let large = Look {
        large: true,
        ..Look::default()
    };
    let few = wall_page(&head("live"), &all, &large, &Screen::default());
    assert_eq!(
        few.matches("class=\"card\"").count(),
        2,
        "large letters, large boards"
    );
    assert!(few.contains("--columns:2;--rows:1;--type:2.4"));
    let even = wall(&all[..12], "1-12", 1);
    assert_eq!(
        even.matches("class=\"card\"").count(),
        6,
        "no page is left half empty"
    );
    assert!(even.contains("--columns:3;--rows:2") && even.contains("page 1 of 2"));
    let chosen_anew = wall(&all[..3], "scramble", 1);
    assert!(chosen_anew.contains("data-turns=\"2\" data-next=\"1\""));
    assert!(wall(&all[..3], "1-3", 1).contains("data-turns=\"1\""));
    let rows = [
        ("playing", "No game is being played now."),
        ("over", "No game is over yet."),
        ("40-44", "None of the boards 40-44 is in this round."),
        ("", "No tables yet."),
    ];
    for (boards, words) in rows {
        let page = wall(&[], boards, 1);
        assert!(
            page.contains(words) && page.contains("data-turns=\"2\""),
            "{boards}"
        );
    }
}

#[test]
fn after_the_boards_a_wall_shows_the_scores_of_the_teams() {
    let boards: Vec<HallBoard> = (1..=3)
        .map(|n| {
            changed(&[], |b| {
                b.table = TableId(n);
                b.players.white.team = Some("Lyon".into());
                b.players.black.team = Some("Oslo".into());
            })
        })
        .collect();
    let all: Vec<&HallBoard> = boards.iter().collect();
    let wall = |page| {
        let screen = Screen { boards: "", page };
        wall_page(&head("live"), &all, &Look::default(), &screen)
    };
    assert!(wall(1).contains("id=\"table-3\"") && !wall(1).contains("id=\"teams\""));
    let scores = wall(2);
    assert!(scores.contains("Lyon \u{2013} Oslo") && !scores.contains("class=\"card\""));
    assert!(scores.contains("data-turns=\"2\" data-next=\"1\""));
    assert!(scores.contains("data-from=\"/overlay/teams?boards=1-3\""));
}

#[test]
fn a_game_that_has_ended_has_no_running_clock_and_nobody_to_move() {
    let over = |change: fn(&mut HallBoard)| changed(&["f3", "e5", "g4", "Qh4#"], change);
    let boards = [
        over(|_| {}),
        over(|b| (b.state, b.result) = (HallState::Over, Some(GameResult::BlackWins))),
        changed(&["e4"], |b| b.state = HallState::Over),
    ];
    for board in boards {
        for text in [
            page::part(&board, Size::Small, false),
            super::overlay::element(Element::Clocks, &board, false),
        ] {
            assert!(
                !text.contains("running") && !text.contains(" turn"),
                "{text}"
            );
        }
    }
}

#[test]
fn a_long_round_is_turned_page_by_page_and_searched() {
    let boards: Vec<HallBoard> = (1..=250)
        .map(|n| {
            changed(&["e4"], |b| {
                b.table = TableId(n);
                b.players.white.name = format!("Player, {n}");
            })
        })
        .collect();
    let all: Vec<&HallBoard> = boards.iter().collect();
    let page = |page: usize, find: &str| {
        let find = find.to_owned();
        page::round_page(&head("live"), &all, &Look::default(), &Asked { page, find })
    };
    let cards = |text: &str| text.matches("class=\"card\"").count();
    // Page, search, cards on it, the first board, what the script listens to, links to other pages.
    let rows = [
        (0, "", 100, "table-1", "1-100", 2),
        (3, "", 50, "table-201", "201-250", 2),
        (9, "", 50, "table-201", "201-250", 2),
        (1, "player, 25", 2, "table-25", "25,250", 0),
        (1, "249", 1, "table-249", "249", 0),
        (1, "<b>&", 0, "value=\"&lt;b&gt;&amp;\"", "", 0),
    ];
    for (number, find, count, first, tables, links) in rows {
        let text = page(number, find);
        assert_eq!(cards(&text), count, "{number} {find}");
        assert!(text.contains(first), "{number} {find} lacks {first}");
        let listens = format!(" data-boards=\"{tables}\"");
        assert!(text.contains(&listens), "{number} {find} lacks {listens}");
        assert_eq!(
            text.matches("<a href=\"?page=").count(),
            links,
            "{number} {find}"
        );
    }
    assert!(page(2, "player").contains("?page=1&amp;find=player"));
    assert!(page(2, "").contains("<li aria-current=\"page\">101\u{2013}200</li>"));
}

#[test]
fn a_record_that_goes_on_with_no_legal_move_says_so() {
    let cut = changed(&["e4"], |b| b.cut_short = true);
    let said = "What was played after this is not in the list.";
    assert!(page::part(&cut, Size::Large, false).contains(said));
    assert!(!page::part(&board(&["e4"]), Size::Large, false).contains(said));
}

#[test]
fn hostile_names_stay_text() {
    let page = page::board_page(
        &head("live"),
        &changed(&["e4"], |b| {
            b.players.white.name = "<script>alert(1)</script>".into()
        }),
        &Look::default(),
    );
    assert!(!page.contains("<script>alert"));
}

#[test]
fn an_overlay_is_one_element_on_nothing() {
    let board = board(&["e4", "e5"]);
    let asked = Overlay {
        hide_clock: true,
        scale: f32::INFINITY,
        ..Overlay::default()
    };
    for (word, has, has_not) in [
        ("board", "aria-label=\"Board 12", "class=\"who"),
        ("clocks", "class=\"clock running\"", "<svg class=\"board\""),
        ("move", "1… e5", "class=\"who"),
        (
            "names",
            "Kuznetsova, A</span><span class=\"rating\">2412",
            "class=\"clock",
        ),
        (
            "ticker",
            "Okafor, T – Kuznetsova, A",
            "<svg class=\"board\"",
        ),
    ] {
        let element = Element::of(word).expect("an element");
        let page = overlay_page(&head("live"), element, (&[&board], ""), &asked);
        assert!(
            page.contains(has) && !page.contains(has_not),
            "{word}: {page}"
        );
        assert!(page.contains("background: transparent") && page.contains("--scale: 1;"));
        assert!(
            page.contains(&format!("data-size=\"{word}\"")) && page.contains("data-hide=\"clock\"")
        );
        assert!(
            !page
                .replace("http://www.w3.org/2000/svg", "")
                .contains("://"),
            "nothing from outside"
        );
    }
    assert_eq!(Element::of("engine"), None);
}
