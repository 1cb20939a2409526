//! The interface in another language: no sentence of the source is missing, and no English word is left on a screen.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use protocol::{Answer, DeskTable, LogLine, Preview, ResultHow, Role, Side, Urgency};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::action::{Action, Group};
use tui::app::App;
use tui::dialogs::HOWS;
use tui::example;
use tui::key::keys;
use tui::language::Language;
use tui::message::{Effect, Heard, Message};
use tui::settings::Settings;

fn french() -> Language {
    Language::of("fr").expect("known")
}

/// What marks a sentence in the source, and how many of them follow.
const MARKS: [(&str, usize); 4] = [("t!(", 1), ("word!(", 1), (".many(", 2), (".say(", 1)];

/// Every sentence that the source says.
fn sentences_of_the_source() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&folder) {
        let text = fs::read_to_string(&file).expect("a file of the source");
        let program = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (mark, count) in MARKS {
            for (at, _) in program.match_indices(mark) {
                let named = program[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                if mark.starts_with('.') || !named {
                    found.extend(literals(&program[at + mark.len()..], mark, count));
                }
            }
        }
    }
    found
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the source");
    let paths = entries.map(|e| e.expect("an entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .filter(|path| {
            !path.ends_with("language.rs") && !path.to_string_lossy().contains("/example/")
        })
        .collect()
}

/// The first literals within the brackets that were opened just before; a word to say stands at their beginning.
fn literals(rest: &str, mark: &str, count: usize) -> Vec<String> {
    let at_once = mark == ".say(" && !rest.trim_start().starts_with('"');
    if at_once {
        return Vec::new();
    }
    let (mut found, mut depth, mut chars) = (Vec::new(), 1, rest.chars());
    while let Some(c) = chars.next() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '"' => found.push(literal(&mut chars)),
            _ => {}
        }
        if depth == 0 || found.len() == count {
            return found;
        }
    }
    found
}

fn literal(chars: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => return text,
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

/// Words that come from the wire's own vocabulary and are said by the dashboard.
fn words_of_the_wire() -> BTreeSet<String> {
    let kinds = [
        "made", "complete", "clock", "press", "ruling", "evidence", "finding", "game", "record",
        "resumed", "alert", "board", "result", "note", "round", "hub", "hold",
    ];
    let closed = ["ruled", "cleared", "lapsed", "dismissed"];
    let roles = [Role::Arbiter, Role::Chief, Role::Technician, Role::Viewer];
    let urgencies = [
        Urgency::Call,
        Urgency::Asked,
        Urgency::Silent,
        Urgency::Tech,
    ];
    let words = kinds
        .into_iter()
        .chain(closed)
        .chain(roles.map(Role::word))
        .chain(urgencies.map(Urgency::word))
        .chain(Side::BOTH.map(Side::word))
        .chain(HOWS.map(ResultHow::words))
        .chain(Group::ALL.map(Group::title));
    words.map(str::to_owned).collect()
}

#[test]
fn french_knows_every_sentence_of_the_source_and_no_other() {
    let wanted: BTreeSet<String> = &sentences_of_the_source() | &words_of_the_wire();
    assert!(wanted.len() > 300, "the source is read: {}", wanted.len());
    let french = french();
    let known: BTreeSet<String> = french.sentences().map(|(e, _)| e.to_owned()).collect();
    let missing: Vec<_> = wanted.difference(&known).collect();
    let unused: Vec<_> = known.difference(&wanted).collect();
    assert!(
        missing.is_empty() && unused.is_empty(),
        "missing: {missing:#?}\nunused: {unused:#?}"
    );
}

#[test]
fn french_sentences_have_the_gaps_of_the_english_ones() {
    let french = french();
    let own = french.sentences().map(|(e, said)| (e.to_owned(), said));
    for (english, said) in own.chain(french.of_hub()) {
        let gaps = |text: &str| text.matches('{').count();
        assert_eq!(gaps(&english), gaps(said), "{english}: {said}");
        assert!(!said.trim().is_empty(), "{english}");
    }
    for action in Action::ALL {
        assert_ne!(french.help(*action), action.info().help, "{action:?}");
    }
}

/// Where the hub and the agents write what an arbiter reads, and files there that he does not.
const WRITERS: [&str; 8] = [
    "hub/src/alerts",
    "hub/src/game",
    "hub/src/laws",
    "hub/src/rulings",
    "hub/src/venue",
    "hub/src/views",
    "agent/src/tracker",
    "agent/src/session",
];
const NOT_READ: [&str; 12] = [
    "test",
    "properties",
    "coverage",
    "known",
    "soundness",
    "case_page",
    "picture",
    "unheard",
    "blind",
    "odds",
    "editions.rs",
    "pairings",
];

/// Sentences of a source file, with a number in each gap.
fn sentences_of(source: &str) -> Vec<String> {
    let program = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = program.lines().map(str::trim_start);
    let program: Vec<&str> = lines.filter(|l| !l.starts_with("//")).collect();
    let program = program.join("\n").replace("'\"'", "");
    let (mut found, mut chars, mut before) = (Vec::new(), program.chars(), String::new());
    while let Some(c) = chars.next() {
        if c != '"' {
            before.push(c);
            continue;
        }
        let text = literal(&mut chars);
        let meant_for_others = ["expect(", "#[error(", "reason = ", "serde("]
            .iter()
            .any(|mark| before.trim_end().ends_with(mark));
        before.clear();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !meant_for_others && is_sentence(&text) {
            found.push(with_numbers(&text));
        }
    }
    found
}

/// Two words of small letters side by side, and nothing of a format that only machines read.
fn is_sentence(text: &str) -> bool {
    let small = |w: &&str| w.len() > 1 && w.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = text.split(' ').collect();
    let pairs = words.windows(2);
    let machine = ["<", "zeitnot", "--", "H2", "H3", "H8", ":?}"];
    pairs.into_iter().any(|w| w.iter().all(&small)) && !machine.iter().any(|m| text.contains(m))
}

fn with_numbers(text: &str) -> String {
    let (mut said, mut rest) = (String::new(), text);
    while let Some((before, (_, after))) = rest
        .split_once('{')
        .and_then(|(b, r)| Some((b, r.split_once('}')?)))
    {
        said.push_str(before);
        said.push('7');
        rest = after;
    }
    said + rest
}

#[test]
fn french_has_the_sentences_of_hub_and_agents() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &Path| !NOT_READ.iter().any(|n| path.to_string_lossy().contains(n));
    let paths = WRITERS.iter().flat_map(|folder| files(&root.join(folder)));
    let sources = paths.filter(|path| read(path));
    let sources: Vec<String> = sources
        .map(|path| fs::read_to_string(path).expect("a file of the source"))
        .collect();
    let said: BTreeSet<String> = sources.iter().flat_map(|s| sentences_of(s)).collect();
    assert!(said.len() > 400, "the source is read: {}", said.len());
    let french = french();
    let unknown: Vec<&String> = said.iter().filter(|s| french.sent(s) == **s).collect();
    // One in twenty is a part of a sentence, or new: a frame or a story will show it.
    assert!(unknown.len() * 20 <= said.len(), "{unknown:#?}");
}

#[test]
fn what_the_hub_says_in_a_hall_is_french_but_for_names() {
    let rows = [
        (
            "8. an illegal move: b1 to d1  White pressed",
            "8. un coup illégal : b1 vers d1  les Blancs ont pressé",
        ),
        (
            "Seen: the pawn on d4 cannot move to e7 (3.7) (illegal-move)",
            "Vu : le pion en d4 ne peut aller en e7 (3.7) (coup illégal accompli)",
        ),
        (
            "No. 1 by White: Black +2:00 (7.5.5).",
            "N° 1 des Blancs : Noirs +2:00 (7.5.5).",
        ),
        (
            "takes back no. 3 by MK: clock replaced: White 0:13:18, Black 0:10:48",
            "reprend le n° 3 de MK : pendule remplacée : Blancs 0:13:18, Noirs 0:10:48",
        ),
        (
            "press-without-move: the clock was pressed and no move is on the board",
            "pendule pressée sans coup : la pendule a été pressée sans coup sur l'échiquier",
        ),
        (
            "Board and record differ at e4 e5: white pawn on e4; nothing on e5.",
            "Échiquier et notation diffèrent en e4 e5 : pion blanc en e4 ; rien en e5.",
        ),
        ("result 1-0, flag", "résultat 1-0, drapeau"),
    ];
    for (english, want) in rows {
        assert_eq!(french().sent(english), want);
    }
}

/// The example heard, with everything that the hub writes itself taken out.
fn heard_without_words() -> Vec<Heard> {
    let heard = example::heard().into_iter();
    heard.map(without_words).collect()
}

const SENT: &str = "¤";

fn without_words(heard: Heard) -> Heard {
    match heard {
        Heard::Table(mut table) => {
            silent_table(&mut table);
            Heard::Table(table)
        }
        Heard::Alert(mut alert) => {
            alert.headline = SENT.to_owned();
            alert.because = vec![SENT.to_owned()];
            alert.proposal = vec![SENT.to_owned()];
            for evidence in &mut alert.evidence {
                evidence.words = SENT.to_owned();
            }
            Heard::Alert(alert)
        }
        Heard::Journal(mut line) => {
            line.line = silent_line(&line.line);
            Heard::Journal(line)
        }
        Heard::Round(mut round) => {
            for feed in &mut round.feeds {
                feed.name = SENT.to_owned();
                feed.detail = SENT.to_owned();
            }
            Heard::Round(round)
        }
        other => other,
    }
}

fn silent_table(table: &mut DeskTable) {
    table.silence = vec![SENT.to_owned()];
    // Kings on their way to a draw are words of the record.
    table.place = table
        .place
        .as_deref()
        .map(|p| p.replace("Row ", "").replace(" seat ", "-"));
    for ply in &mut table.record {
        ply.san = SENT.to_owned();
    }
    table.log = table.log.iter().map(silent_line).collect();
    for ruling in &mut table.rulings {
        ruling.words = SENT.to_owned();
    }
    if let Some(info) = &mut table.device_info {
        info.health.cause = SENT.to_owned();
        info.port = SENT.to_owned();
        info.health.state = SENT.to_owned();
    }
}

fn silent_line(line: &LogLine) -> LogLine {
    LogLine {
        words: SENT.to_owned(),
        source: SENT.to_owned(),
        kind: line.kind.clone(),
        at: line.at,
    }
}

fn silent_answer(answer: Answer) -> Answer {
    match answer {
        Answer::Preview { id, basis, preview } => Answer::Preview {
            id,
            basis,
            preview: Preview {
                lines: vec![SENT.to_owned()],
                then: vec![SENT.to_owned()],
                ..preview
            },
        },
        Answer::Done { id, ruling, .. } => Answer::Done {
            id,
            ruling,
            words: SENT.to_owned(),
        },
        Answer::Refused { id, code, .. } => Answer::Refused {
            id,
            code,
            why: SENT.to_owned(),
            difference: vec![SENT.to_owned()],
        },
    }
}

/// A French dashboard after some keys, with a hub that has no words.
fn french_desk() -> App {
    let settings = Settings {
        language: "fr".to_owned(),
        ..Settings::default()
    };
    let mut app = example::app(&settings);
    app.venue.journal = Default::default();
    for heard in heard_without_words() {
        app.update(Message::Heard(heard));
    }
    for past in app.venue.past.values_mut() {
        for ruling in past.tables.iter_mut().filter_map(|t| t.ruling.as_mut()) {
            ruling.words = SENT.to_owned();
        }
    }
    app
}

fn screen(mut app: App, scene: &str, size: (u16, u16)) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    app.draw(&mut buffer);
    press(&mut app, scene);
    app.draw(&mut buffer);
    tui::screenshot::text(&buffer)
}

fn press(app: &mut App, scene: &str) {
    for key in keys(scene).expect("keys of the scene") {
        let now = app.now.after(400);
        app.update(Message::Tick(now));
        for heard in example::heard().into_iter().take(1) {
            if let Heard::Presence { mut presence, .. } = heard {
                presence.now = now;
                let live = true;
                app.update(Message::Heard(Heard::Presence { presence, live }));
            }
        }
        let mut effects = app.update(Message::Key(key));
        while let Some(effect) = effects.pop() {
            if let Effect::Send(order) = effect {
                let answer = Box::new(silent_answer(example::answer(&order)));
                effects.extend(app.update(Message::Heard(Heard::Answer(answer))));
            }
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphabetic());
    parts
        .filter(|w| w.chars().count() > 2)
        .map(str::to_lowercase)
}

/// Words of the English catalogue that no French sentence has.
fn english_words() -> BTreeSet<String> {
    let french = french();
    let actions = Action::ALL.iter().map(|a| a.info());
    let english: BTreeSet<String> = actions
        .flat_map(|info| words(info.word).chain(words(info.help)))
        .chain(french.sentences().flat_map(|(english, _)| words(english)))
        .collect();
    let said = Action::ALL
        .iter()
        .flat_map(|a| words(french.word(*a)).chain(words(french.help(*a))));
    let said: BTreeSet<String> = said
        .chain(french.sentences().flat_map(|(_, said)| words(said)))
        .collect();
    // Names of the example, of the program, and of what is typed as it is.
    let names = [
        "open", "lyon", "agent", "black", "eboard", "tui", "fide", "reads", "hall", "seen", "down",
        "left", "right", "end", "called",
    ];
    let names: BTreeSet<String> = names.map(str::to_owned).into_iter().collect();
    // A word that is cut at the edge may look like an English one.
    let begins = |word: &String| said.iter().any(|s| s.starts_with(word.as_str()));
    let english = &english - &names;
    english.into_iter().filter(|word| !begins(word)).collect()
}

#[test]
fn a_french_frame_has_no_english_word() {
    let english = english_words();
    assert!(english.len() > 300, "{}", english.len());
    let (desk, sizes) = (french_desk(), [(80, 24), (120, 40), (40, 20)]);
    let mut left = Vec::new();
    for (name, scene) in example::SCENES {
        for size in sizes {
            let mut desk = desk.clone();
            example::stage(name, &mut desk);
            for alert in desk.venue.alerts.values_mut() {
                (alert.headline, alert.because) = (SENT.to_owned(), vec![SENT.to_owned()]);
            }
            let screen = screen(desk, scene, size);
            for word in words(&screen).filter(|w| english.contains(w)) {
                // The palette offers what is to be typed: names of commands, the same in every language.
                let typed = name.starts_with("palette") && Action::named(&word).is_some();
                // The names of tags are those of the format.
                if !typed && *name != "pgn" {
                    left.push(format!("{name} at {}x{}: {word}", size.0, size.1));
                }
            }
        }
    }
    left.dedup();
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn a_french_dashboard_says_its_reasons_in_french() {
    let rows = [
        (": 4 2 enter v", "aucun résultat n'est proposé"),
        ("ctrl-x", "montre les touches"),
        ("2 x", "un APPEL ne se reporte pas"),
        (": f l y enter", "ne veut rien dire ici"),
        ("! enter r enter 0 8 7", "n'est pas cette table : tapez 088"),
    ];
    for (scene, want) in rows {
        let screen = screen(french_desk(), scene, (80, 24));
        assert!(screen.contains(want), "{scene}:\n{screen}");
    }
}
