//! Measures verdicts: `cargo bench -p hub --bench unwinnable [-- FILE.tsv…]`.
//!
//! Prints for each set how many verdicts are wrong and undecided, the median and the slow end, with a budget of 10 ms of processor time a
//! verdict on one thread, how many are still undecided when those are asked again with a second, and by how much the memory of the
//! program grew at most (where the system tells it). Without files it measures generated positions, and compares tens of thousands of verdicts with plain walks of every
//! position. A file has columns `fen`, `white` and `black`, tab separated, with `win` or `unwin`; a column `category` is optional.

use std::time::Duration;

use hub::laws::unwinnable::{
    Budget, Rewalk, Verdict, generator::Generator, known::KNOWN, position_from_fen, rewalk, verdict,
};
use hub::laws_cli::Stopwatch;
use shakmaty::{Chess, Color, Position};

const BUDGET: Duration = Duration::from_millis(10);
const PATIENT: Duration = Duration::from_secs(1);
const SEED: u64 = 1_929;

fn main() {
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    println!(
        "set | verdicts | wrong | undecided | at 1 s | median µs | p99 µs | p99.9 µs | max µs | MiB"
    );
    println!("--- | --- | --- | --- | --- | --- | --- | --- | --- | ---");
    for file in &files {
        measure_file(file);
    }
    if files.is_empty() {
        measure_known();
        measure_generated(5_000);
        compare_with_walks(90_000);
    }
}

struct Table {
    name: String,
    wrong: usize,
    undecided: usize,
    at_a_second: usize,
    micros: Vec<u128>,
    memory: Memory,
}

impl Table {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            wrong: 0,
            undecided: 0,
            at_a_second: 0,
            micros: Vec::new(),
            memory: Memory::watch(),
        }
    }

    fn ask(&mut self, pos: &Chess, winner: Color, expected: Option<&str>) {
        let (mut found, micros) = timed(pos, winner, BUDGET);
        self.micros.push(micros);
        if matches!(found, Verdict::Undecided { .. }) {
            self.undecided += 1;
            found = timed(pos, winner, PATIENT).0;
        }
        match found {
            Verdict::Undecided { .. } => self.at_a_second += 1,
            Verdict::Winnable { .. } => self.wrong += usize::from(expected == Some("unwin")),
            Verdict::Unwinnable { .. } => self.wrong += usize::from(expected == Some("win")),
        }
    }

    fn print(mut self) {
        self.micros.sort_unstable();
        let n = self.micros.len();
        if n == 0 {
            return;
        }
        let at = |share: f64| self.micros[((n as f64 * share) as usize).min(n - 1)];
        println!(
            "{} | {n} | {} | {} ({:.2} %) | {} | {} | {} | {} | {} | {}",
            self.name,
            self.wrong,
            self.undecided,
            100.0 * self.undecided as f64 / n as f64,
            self.at_a_second,
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0),
            self.memory.grown()
        );
    }
}

fn timed(pos: &Chess, winner: Color, allowed: Duration) -> (Verdict, u128) {
    let watch = Stopwatch::start();
    let mut stop = || watch.has_reached(allowed);
    let found = verdict(pos, winner, &mut Budget::new(u64::MAX, &mut stop));
    (found, watch.elapsed().as_micros())
}

/// The most memory this program has held, since it was last asked to forget that.
struct Memory {
    before: Option<u64>,
}

impl Memory {
    fn watch() -> Self {
        let forgotten = std::fs::write("/proc/self/clear_refs", "5");
        Self {
            before: forgotten.ok().and_then(|()| peak()),
        }
    }

    /// MiB more than at the start, in words.
    fn grown(&self) -> String {
        let grown = self
            .before
            .zip(peak())
            .map(|(before, now)| now.saturating_sub(before));
        grown.map_or_else(
            || "?".to_owned(),
            |kib| format!("{:.0}", kib as f64 / 1024.0),
        )
    }
}

/// KiB, where Linux tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn measure_file(path: &str) {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => return println!("{path}: {why}"),
    };
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| header.iter().position(|h| *h == name);
    let (Some(fen), Some(white), Some(black)) = (column("fen"), column("white"), column("black"))
    else {
        return println!("{path}: no columns fen, white and black");
    };
    let category = column("category");
    let mut table = Table::new(path.rsplit('/').next().unwrap_or(path));
    for line in lines {
        let row: Vec<&str> = line.split('\t').collect();
        let unreachable = category
            .and_then(|c| row.get(c))
            .is_some_and(|c| c.ends_with("unreachable"));
        let Some(pos) = row
            .get(fen)
            .and_then(|f| position_from_fen(f).ok())
            .filter(|_| !unreachable)
        else {
            continue;
        };
        table.ask(&pos, Color::White, row.get(white).copied());
        table.ask(&pos, Color::Black, row.get(black).copied());
    }
    table.print();
}

/// The positions on which others have erred.
fn measure_known() {
    let mut table = Table::new("known");
    for (fen, winner) in KNOWN {
        if let Ok(pos) = position_from_fen(fen) {
            table.ask(&pos, winner, Some("win"));
        }
    }
    table.print();
}

fn measure_generated(positions: usize) {
    let mut generator = Generator::new(SEED);
    let mut table = Table::new(&format!("generated, seed {SEED}"));
    for _ in 0..positions {
        let (_, pos) = generator.position();
        table.ask(&pos, Color::White, None);
        table.ask(&pos, Color::Black, None);
    }
    table.print();
}

/// Every verdict on positions from which few others can arise, against a walk of all of them.
fn compare_with_walks(positions: usize) {
    let mut generator = Generator::new(SEED + 1);
    let (mut compared, mut wrong) = (0, 0);
    for _ in 0..positions {
        let (_, pos) = generator.position();
        for winner in [Color::White, Color::Black] {
            if pos.is_checkmate() {
                continue;
            }
            let mut never = || false;
            let found = verdict(&pos, winner, &mut Budget::new(3_000, &mut never));
            let disagrees = match rewalk(&pos, winner, &[], 1_000) {
                Rewalk::Confirmed(_) => matches!(found, Verdict::Winnable { .. }),
                Rewalk::Refuted => matches!(found, Verdict::Unwinnable { .. }),
                Rewalk::TooMany => continue,
            };
            compared += 1;
            wrong += usize::from(disagrees);
        }
    }
    println!(
        "\nagainst plain walks, seed {}: {compared} verdicts compared, {wrong} wrong",
        SEED + 1
    );
}
