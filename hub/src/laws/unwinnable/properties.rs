//! What must hold of every verdict, tried on generated positions, and what the checker must refuse.

use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, Setup};

use super::{
    Budget, Certificate, Reason, Rewalk, Verdict, checker, generator::Generator, position_from_fen,
    rewalk, verdict,
};

const SEED: u64 = 20_231;
const NODES: u64 = 1_500;

fn ask(pos: &Chess, winner: Color) -> Verdict {
    let mut never = || false;
    let found = verdict(pos, winner, &mut Budget::new(NODES, &mut never));
    let rejected = matches!(
        found,
        Verdict::Undecided {
            reason: Reason::Rejected,
            ..
        }
    );
    assert!(!rejected, "the checker refused a proof: {pos:?}, {winner}");
    found
}

fn position(fen: &str) -> Chess {
    position_from_fen(fen).expect("a position")
}

fn accepts(pos: &Chess, winner: Color, certificate: &Certificate) -> bool {
    let mut never = || false;
    let mut budget = Budget::new(100_000, &mut never);
    checker::accepts(pos, winner, certificate, &mut budget) == Some(true)
}

fn win(found: &Verdict) -> bool {
    matches!(found, Verdict::Winnable { .. })
}

fn no_win(found: &Verdict) -> bool {
    matches!(found, Verdict::Unwinnable { .. })
}

fn fen(pos: &Chess) -> String {
    shakmaty::fen::Fen::from_position(pos, EnPassantMode::Legal).to_string()
}

/// The same position seen in a mirror, or with the colours exchanged.
fn image(pos: &Chess, change: impl Fn(&mut Board), swap: bool) -> Option<Chess> {
    let mut setup: Setup = pos.to_setup(EnPassantMode::Legal);
    if setup.ep_square.is_some() || setup.castling_rights.any() {
        return None;
    }
    change(&mut setup.board);
    if swap {
        setup.turn = !setup.turn;
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

#[test]
fn mirror_and_colour_swap_keep_verdicts() {
    let mut generator = Generator::new(SEED);
    for _ in 0..250 {
        let (_, pos) = generator.position();
        let mirrored = image(&pos, Board::flip_horizontal, false);
        let swapped = image(&pos, Board::mirror, true);
        for winner in [Color::White, Color::Black] {
            let here = ask(&pos, winner);
            let others = [
                mirrored.as_ref().map(|p| ask(p, winner)),
                swapped.as_ref().map(|p| ask(p, !winner)),
            ];
            for there in others.into_iter().flatten() {
                assert!(
                    !(win(&here) && no_win(&there) || no_win(&here) && win(&there)),
                    "{} {winner}",
                    fen(&pos)
                );
            }
        }
    }
}

#[test]
fn children_agree_with_their_parent() {
    let mut generator = Generator::new(SEED + 1);
    for _ in 0..60 {
        let (_, pos) = generator.position();
        for winner in [Color::White, Color::Black] {
            let parent = ask(&pos, winner);
            for m in pos.legal_moves() {
                let mut child = pos.clone();
                child.play_unchecked(m);
                assert!(
                    !(no_win(&parent) && win(&ask(&child, winner))),
                    "{} {winner} {m}",
                    fen(&pos)
                );
            }
        }
    }
}

/// Thousands here; tens of thousands, with deeper walks, when the measurements are run.
#[test]
fn a_plain_walk_of_every_position_agrees() {
    let mut generator = Generator::new(SEED + 2);
    let mut compared = 0;
    for _ in 0..2_500 {
        let (family, pos) = generator.position();
        for winner in [Color::White, Color::Black] {
            let found = ask(&pos, winner);
            let walked = rewalk(&pos, winner, &[], 150);
            let ended = pos.is_checkmate() && pos.turn() != winner;
            match walked {
                Rewalk::Confirmed(_) if !ended => {
                    assert!(!win(&found), "{family:?} {} {winner}", fen(&pos))
                }
                Rewalk::Refuted => assert!(!no_win(&found), "{family:?} {} {winner}", fen(&pos)),
                _ => continue,
            }
            compared += 1;
        }
    }
    assert!(
        compared > 700,
        "only {compared} walks were short enough to compare"
    );
}

#[test]
fn a_count_of_positions_is_walked_again() {
    let forced = position("7k/6Q1/8/8/8/8/8/K7 b - - 0 1");
    let Verdict::Unwinnable {
        certificate: Certificate::Exhausted { phases, .. },
    } = ask(&forced, Color::White)
    else {
        panic!("one forced move decides");
    };
    assert!(matches!(
        rewalk(&forced, Color::White, &phases, 10),
        Rewalk::Confirmed(_)
    ));
    let open = position("8/8/8/8/8/k7/7Q/K7 w - - 0 1");
    assert_eq!(rewalk(&open, Color::White, &[], 100_000), Rewalk::Refuted);
}

#[test]
fn a_line_that_is_not_legal_or_not_mate_is_refused() {
    let pos = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let Verdict::Winnable { line } = ask(&pos, Color::White) else {
        panic!("mate in one");
    };
    assert!(checker::accepts_line(&pos, Color::White, &line));
    assert!(
        !checker::accepts_line(&pos, Color::Black, &line),
        "the other side mates"
    );
    assert!(
        !checker::accepts_line(&pos, Color::White, &[]),
        "no mate on the board"
    );
    let elsewhere = position("7k/8/6K1/8/8/8/8/1R6 w - - 0 1");
    assert!(
        !checker::accepts_line(&elsewhere, Color::White, &line),
        "the rook stands elsewhere"
    );
}

#[test]
fn phases_that_have_been_tampered_with_are_refused() {
    let wall = position("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/4N3 w - - 0 1");
    let dead = position("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1");
    let Verdict::Unwinnable {
        certificate: Certificate::Closed { phases },
    } = ask(&dead, Color::White)
    else {
        panic!("a dead wall");
    };
    let holds = |pos: &Chess, phases: &[_]| {
        accepts(
            pos,
            Color::White,
            &Certificate::Closed {
                phases: phases.to_vec(),
            },
        )
    };
    assert!(holds(&dead, &phases));
    assert!(!holds(&dead, &[]), "no phase at all");
    assert!(!holds(&wall, &phases), "another position");
    for index in 0..phases[0].men.len() {
        let mut fewer = phases.clone();
        let squares = &mut fewer[0].men[index].squares;
        squares.discard_first();
        assert!(!holds(&dead, &fewer), "a square is missing");
    }
    let mut pawnless = phases.clone();
    pawnless[0].black_pawns.discard_first();
    assert!(!holds(&dead, &pawnless), "other pawns");
}

#[test]
fn lemmas_are_not_believed_where_they_do_not_hold() {
    let knight = position("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
    for lemma in [super::Lemma::BareKing, super::Lemma::OneColouredBishops] {
        assert!(!accepts(
            &knight,
            Color::White,
            &Certificate::Material(lemma)
        ));
    }
    assert!(!accepts(&knight, Color::White, &Certificate::Stalemate));
    assert!(!accepts(&knight, Color::White, &Certificate::Mated));
}

/// Where other programs have erred, see the documentation of this room: the line given there is legal and ends in mate, and the
/// search finds one too.
#[test]
fn positions_on_which_others_have_erred() {
    let pos = position("5bk1/1p2p1p1/4P1P1/8/8/4P1p1/1P2P1P1/5BK1 w - - 0 1");
    let mut at = pos.clone();
    let mut line = Vec::new();
    for word in "e4 b5 e3 b4 Bd3 b3 Bc2 bxc2 b3 c1=Q#".split(' ') {
        let san: shakmaty::san::SanPlus = word.parse().expect("a move");
        let m = san.san.to_move(&at).expect("a legal move");
        at.play_unchecked(m);
        line.push(m);
    }
    assert!(checker::accepts_line(&pos, Color::Black, &line));
    for (fen, winner) in super::known::KNOWN {
        let mut never = || false;
        let found = verdict(&position(fen), winner, &mut Budget::new(60_000, &mut never));
        assert!(win(&found), "{fen} {winner}: {found:?}");
    }
}

#[test]
fn a_budget_is_kept() {
    let hard = position("k1b5/1b6/b1b5/1b6/1B6/B1B5/1B6/K1B5 w - - 0 1");
    for nodes in [0, 1, 100, 3_000] {
        let mut never = || false;
        let mut budget = Budget::new(nodes, &mut never);
        let found = verdict(&hard, Color::White, &mut budget);
        assert!(
            budget.spent() <= nodes + nodes / 10 + 16,
            "{} of {nodes}",
            budget.spent()
        );
        assert!(matches!(
            found,
            Verdict::Undecided { .. } | Verdict::Winnable { .. }
        ));
    }
}

/// Whoever binds `stop` to a clock can rely on being asked: between two questions no more is done than one piece of work costs.
#[test]
fn stop_is_asked_often_and_obeyed_at_once() {
    const LONGEST: u64 = 128;
    let mut generator = Generator::new(SEED + 4);
    for asked_at_most in [1, 7, 40] {
        for _ in 0..40 {
            let (_, pos) = generator.position();
            let mut asked = 0;
            let mut stop = || {
                asked += 1;
                asked >= asked_at_most
            };
            let mut budget = Budget::new(u64::MAX, &mut stop);
            verdict(&pos, Color::White, &mut budget);
            let (spent, stopped) = (budget.spent(), budget.was_stopped());
            let most = asked_at_most * (Budget::POLL + LONGEST);
            assert!(spent <= most, "{spent} of {most}: {}", fen(&pos));
            assert!(!stopped || asked == asked_at_most, "{}", fen(&pos));
        }
    }
}

/// A lone minor piece mates only with the help of the other side's men, often of one that has to be promoted to a small one first.
#[test]
fn lone_minor_pieces_are_helped_to_mate_in_little_work() {
    let rows = [
        ("8/8/8/4KP2/8/2k5/8/b7 w - - 0 1", Color::Black),
        ("8/2k5/6p1/8/6KB/8/8/8 w - - 0 1", Color::White),
        ("8/8/5n2/2p4p/1kP4P/8/3K4/8 w - - 0 1", Color::Black),
        ("2Q5/3P4/1K1b4/5N2/4k3/8/8/8 w - - 0 1", Color::Black),
        ("8/8/4k3/5N2/7R/1PK3P1/8/6b1 w - - 0 1", Color::Black),
    ];
    for (fen, winner) in rows {
        let mut never = || false;
        let mut budget = Budget::new(1_500, &mut never);
        assert!(win(&verdict(&position(fen), winner, &mut budget)), "{fen}");
    }
}

#[test]
fn the_same_budget_gives_the_same_answer() {
    let mut generator = Generator::new(SEED + 3);
    for _ in 0..40 {
        let (_, pos) = generator.position();
        assert_eq!(ask(&pos, Color::White), ask(&pos, Color::White));
    }
}
