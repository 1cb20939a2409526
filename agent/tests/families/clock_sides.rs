//! A chessclock that stands the other way round than its board: what the first press showed outlives the line and the agent.

use agent::devices::{Orientation, driver};
use agent::simulate::ClockAction;
use agent::simulate::dgt::{VirtualDgt, VirtualOptions};
use agent::simulate::hands::Act;
use protocol::Fact;
use shakmaty::{ByColor, Color, Piece, Role, Square};

use crate::table::{Away, SOUND, Table};

/// Seconds that are shown for White and Black at last.
fn shown(table: &Table) -> (u64, u64) {
    let mut clocks = table.facts.iter().rev().filter_map(|fact| match fact {
        Fact::Reading(clock) => Some((clock.time.white / 1_000, clock.time.black / 1_000)),
        _ => None,
    });
    clocks.next().expect("the clock is read")
}

fn pawn(color: Color, from: Square, to: Square) -> [Act; 3] {
    let piece = Role::Pawn.of(color);
    let square = |square, piece: Option<Piece>| Act::Square { square, piece };
    [
        square(from, None),
        square(to, Some(piece)),
        Act::Press { by: color },
    ]
}

#[test]
fn what_the_first_press_showed_is_known_when_the_cable_was_pulled() {
    for (orientation, white) in [
        (Orientation::Normal, 300_000),
        (Orientation::Rotated, 200_000),
    ] {
        let options = VirtualOptions {
            orientation,
            clock_turned: true,
            ..VirtualOptions::default()
        };
        let board = Box::new(VirtualDgt::new("01025", options));
        let mut table = Table::new(board, driver("dgt").expect("known"), SOUND);
        table.run_to(6_000, true);
        let time = ByColor {
            white,
            black: 500_000 - white,
        };
        table
            .board
            .clock(table.now, ClockAction::Set { time, increment: 0 });
        let running = Color::White;
        table.board.clock(table.now, ClockAction::Start { running });
        let moves = [
            pawn(Color::White, Square::E2, Square::E4),
            pawn(Color::Black, Square::E7, Square::E5),
        ];
        for act in moves.iter().flatten() {
            let next = table.now + 1_500;
            table.run_to(next, true);
            table.act(act);
        }
        let expect = |(shown, _): (u64, u64)| shown.abs_diff(white / 1_000) < 30;
        for _ in 0..2 {
            let before = table.now + 3_000;
            table.run_to(before, true);
            assert!(
                expect(shown(&table)),
                "{orientation:?}: {:?}",
                shown(&table)
            );
            table.leave(Away::Cable);
            table.run_to(before + 2_000, false);
            table.back(Away::Cable);
            table.run_to(before + 8_000, true);
            assert!(
                expect(shown(&table)),
                "{orientation:?}: {:?}",
                shown(&table)
            );
        }
        let memory = table.session.device().expect("known").memory().to_bytes();
        let kept = String::from_utf8(memory).expect("JSON");
        let side = if orientation == Orientation::Normal {
            "right"
        } else {
            "left"
        };
        assert!(
            kept.contains(&format!("\"white_pressed_at\":\"{side}\"")),
            "{kept}"
        );
    }
}
