//! Times, numbers and names as the dashboard writes them.

use protocol::{
    Alert, DeskTable, EditionId, Millis, Ply, Side, SideControl, Speed, TimeControl, Timestamp,
};

use crate::language::word;

/// An age: `0:21`, `12:05`, `1:02:03`.
pub fn age(ms: Millis) -> String {
    let s = ms / 1000;
    match s / 3600 {
        0 => format!("{}:{:02}", s / 60, s % 60),
        h => format!("{h}:{:02}:{:02}", s / 60 % 60, s % 60),
    }
}

/// A chessclock: `0:03:42`.
pub fn clock(ms: Millis) -> String {
    let s = ms / 1000;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// A time of day: `18:17:12`; `zone` in seconds east of Greenwich.
pub fn time_of_day(at: Timestamp, zone: i32) -> String {
    let s = day_ms(at, zone) / 1000;
    format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// A time of day without seconds: `18:11`.
pub fn hour_minute(at: Timestamp, zone: i32) -> String {
    let s = day_ms(at, zone) / 1000;
    format!("{:02}:{:02}", s / 3600, s / 60 % 60)
}

/// How late something was heard: `41 ms`, `3.2 s`, `0:48`.
pub fn delay(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..10_000 => format!("{:.1} s", ms as f64 / 1000.0),
        _ => age(ms),
    }
}

/// An amount of data: `812 kB`, `1.8 MB`, `61 GB`.
pub fn bytes(bytes: u64) -> String {
    let (size, unit) = match bytes {
        0..1_000_000 => (bytes as f64 / 1e3, "kB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    match size < 10.0 {
        true => format!("{size:.1} {unit}"),
        false => format!("{size:.0} {unit}"),
    }
}

/// A time of day with milliseconds: `18:16:07.412`.
pub fn exact_time(at: Timestamp, zone: i32) -> String {
    let ms = day_ms(at, zone) % 1000;
    format!("{}.{ms:03}", time_of_day(at, zone))
}

fn day_ms(at: Timestamp, zone: i32) -> i64 {
    at.shifted(i64::from(zone) * 1000).0.rem_euclid(86_400_000)
}

/// A change of time: `+2:00`, `-0:30`, ` 0:00`.
pub fn change(ms: i64) -> String {
    let sign = match ms {
        0 => ' ',
        1.. => '+',
        _ => '-',
    };
    format!("{sign}{}", age(ms.unsigned_abs()))
}

/// A change of time as people write it: `+2:00`, `-30` (seconds), `1:00:00`, `2m`; in milliseconds.
pub fn read_change(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, rest) = match text.chars().next()? {
        '+' => (1, &text[1..]),
        '-' => (-1, &text[1..]),
        _ => (1, text),
    };
    if let Some(minutes) = rest.strip_suffix('m') {
        return Some(sign * bounded(minutes)?.checked_mul(60_000)?);
    }
    // What follows a colon has two digits and is less than sixty: 1:5 may be meant as 1:05 or as 1:50.
    let sixtieth = |part: &&str| part.len() == 2 && *part < "60";
    if !rest.split(':').skip(1).all(|part| sixtieth(&part)) {
        return None;
    }
    let parts: Vec<i64> = rest.split(':').map(bounded).collect::<Option<_>>()?;
    let seconds = match parts[..] {
        [s] => s,
        [m, s] => m * 60 + s,
        [h, m, s] => h * 3600 + m * 60 + s,
        _ => return None,
    };
    Some(sign * seconds * 1000)
}

fn bounded(text: &str) -> Option<i64> {
    let good = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    good.then(|| text.parse().ok()).flatten()
}

/// The number before a half-move: `28.` or `28…`.
pub fn move_number(ply: Ply) -> String {
    let dots = if ply % 2 == 1 { "." } else { "…" };
    format!("{}{dots}", ply.div_ceil(2))
}

/// The name of an edition: `FIDE 2023`.
pub fn edition(edition: EditionId) -> &'static str {
    match edition {
        EditionId::Fide2023 => "FIDE 2023",
        EditionId::Fide2018 => "FIDE 2018",
        EditionId::Fide2014 => "FIDE 2014",
        EditionId::Fide2009 => "FIDE 2009",
        EditionId::Fide2001 => "FIDE 2001",
        EditionId::Fide1929 => "FIDE 1929",
    }
}

/// The year of an edition, for "(2023)".
pub fn year(of: EditionId) -> &'static str {
    &edition(of)[5..]
}

/// `standard`, `rapid`, `blitz`.
pub fn speed(speed: Speed) -> &'static str {
    match speed {
        Speed::Standard => word!("standard"),
        Speed::Rapid => word!("rapid"),
        Speed::Blitz => word!("blitz"),
    }
}

/// A time control in minutes as programmes print it: `90/40+30+30`, `3+2`; the wire's own text where that fails.
pub fn control(control: &TimeControl) -> String {
    if *control == TimeControl::default() {
        return String::new();
    }
    if control.is_uneven() {
        return control.to_string();
    }
    minutes(control.side(Side::White)).unwrap_or_else(|| control.to_string())
}

fn minutes(side: &SideControl) -> Option<String> {
    let periods = side.periods();
    let bonus = periods.first()?.bonus;
    let same = |p: &protocol::Period| p.bonus == bonus && p.seconds.is_multiple_of(60);
    if !periods.iter().all(same) {
        return None;
    }
    let each = periods.iter().map(|p| match p.moves {
        Some(moves) => format!("{}/{moves}", p.seconds / 60),
        None => (p.seconds / 60).to_string(),
    });
    let base = each.collect::<Vec<_>>().join("+");
    match bonus {
        protocol::Bonus::None => Some(base),
        protocol::Bonus::Increment(s) => Some(format!("{base}+{s}")),
        _ => None,
    }
}

/// An alert in one line.
pub fn headline(alert: &Alert) -> String {
    tame(&alert.headline)
}

/// What may not be said at a table.
pub fn silence(table: &DeskTable, between: &str) -> String {
    tame(&table.silence.join(between))
}

/// Text of others without control characters and of bounded length.
pub fn tame(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(400).map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_time_as_people_write_them() {
        let rows = [
            ("+2:00", Some(120_000)),
            ("2:00", Some(120_000)),
            ("-30", Some(-30_000)),
            ("2m", Some(120_000)),
            ("1:00:00", Some(3_600_000)),
            ("90", Some(90_000)),
            ("1:5", None),
            ("1:75", None),
            ("9:000", None),
            ("1:60:00", None),
            ("", None),
            ("+", None),
            ("2:xx", None),
            ("1:2:3:4", None),
            ("99999999999999", None),
            ("--3", None),
        ];
        for (text, want) in rows {
            assert_eq!(read_change(text), want, "{text:?}");
        }
    }

    #[test]
    fn times_as_they_are_written() {
        assert_eq!(age(21_999), "0:21");
        assert_eq!(age(3_723_000), "1:02:03");
        assert_eq!(clock(222_000), "0:03:42");
        let delays = [delay(41), delay(3_210), delay(48_000)];
        assert_eq!(delays, ["41 ms", "3.2 s", "0:48"]);
        let sizes = [
            bytes(0),
            bytes(812_345),
            bytes(1_800_000),
            bytes(61_000_000_000),
        ];
        assert_eq!(sizes, ["0.0 kB", "812 kB", "1.8 MB", "61 GB"]);
        assert_eq!(change(-30_000), "-0:30");
        assert_eq!(exact_time(Timestamp(61_412), 3600), "01:01:01.412");
        assert_eq!(time_of_day(Timestamp(-1), 0), "23:59:59");
        assert_eq!(
            (move_number(55), move_number(56)),
            ("28.".into(), "28…".into())
        );
    }

    #[test]
    fn time_controls_in_minutes() {
        let rows = [
            ("40/5400+30:1800+30", "90/40+30+30"),
            ("5400+30", "90+30"),
            ("180+2", "3+2"),
            ("1500d5", "1500d5"),
            ("90+1", "90+1"),
            ("?", ""),
        ];
        for (text, want) in rows {
            assert_eq!(control(&text.parse().expect("good")), want, "{text}");
        }
    }
}
