//! A board that was on this port before is read at once.

use agent::devices::{DeviceEvent, LineOptions, Orientation, Placement, driver};
use agent::simulate::whole::{MAKES, family_of, virtual_board};

#[test]
fn a_board_that_is_known_is_read_at_once_in_its_own_time() {
    // A universal board says nothing before a move is made.
    for make in MAKES.iter().filter(|make| **make != "ucb") {
        let start = Placement::start();
        let mut board = virtual_board(make, "01025", Orientation::Normal, start, 1).expect("known");
        let how = LineOptions {
            known: true,
            ..LineOptions::default()
        };
        let mut line = driver(family_of(make)).expect("known").open(how);
        line.opened(0);
        let mut read = None;
        for now in (0..10_000).step_by(5) {
            let bytes = board.take_output(now);
            line.receive(now, &bytes);
            line.tick(now);
            while let Some(bytes) = line.next_write() {
                board.host_bytes(now, &bytes);
            }
            let events = std::iter::from_fn(|| line.next_event());
            let whole = |event: &DeviceEvent| {
                matches!(event, DeviceEvent::Dump(_) | DeviceEvent::Occupancy(_))
            };
            read = read.or(events.filter(whole).map(|_| now).next());
        }
        let read = read.expect("it is read");
        println!("{make}: read after {read} ms");
        // Pieces with numbers are believed when several frames agree.
        let limit = if *make == "certabo" { 3_000 } else { 1_000 };
        assert!(read < limit, "{make} is read after {read} ms");
    }
}
