//! Every story of `scenarios/`, played; a line that went otherwise is named.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use hub::laws::Code;
use venue_tests::scenario::{Expected, Line, Step, Story, read, run};

/// The files with their stories, sorted by name.
fn files() -> Vec<(String, Vec<Story>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let entries = std::fs::read_dir(&folder).expect("the folder of stories");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "scn"));
    paths.sort();
    let story = |path: &PathBuf| {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).expect("readable");
        let stories = read(&name, &text).unwrap_or_else(|problem| panic!("{name}.scn: {problem}"));
        (name, stories)
    };
    paths.iter().map(story).collect()
}

#[test]
fn every_story_goes_as_it_is_told() {
    let files = files();
    let stories: Vec<(&String, &Story)> = files
        .iter()
        .flat_map(|(file, stories)| stories.iter().map(move |story| (file, story)))
        .collect();
    let next = Mutex::new(stories.iter());
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while let Some((file, story)) = next.lock().expect("no panic").next() {
                    let problems = run(story).err().unwrap_or_default();
                    let told = problems
                        .iter()
                        .map(|problem| format!("{file}.scn ({}): {problem}", story.name));
                    failed.lock().expect("no panic").extend(told);
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no panic");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(stories.len() >= 10, "{} stories", stories.len());
}

/// What a story says of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    Raises,
    DoesNotRaise,
    Clears,
}

fn rows_of(story: &Story) -> Vec<(Row, &str)> {
    let all: Vec<(Row, &str)> = story.steps.iter().filter_map(row_of).collect();
    let raised = |code: &str| {
        let raises = |(row, told): &(Row, &str)| *row != Row::DoesNotRaise && *told == code;
        all.iter().any(raises)
    };
    // A code that is not there any more, or not yet, is raised in this story all the same.
    let counts = |(row, code): &&(Row, &str)| *row != Row::DoesNotRaise || !raised(code);
    all.iter().filter(counts).copied().collect()
}

fn row_of(line: &Line) -> Option<(Row, &str)> {
    let Step::Expect(expectation) = &line.step else {
        return None;
    };
    let (row, pattern) = match &expectation.what {
        Expected::Alert(p) | Expected::Raised(p, 1..) => (Row::Raises, p),
        Expected::NoAlert(p, _) | Expected::Raised(p, 0) => (Row::DoesNotRaise, p),
        Expected::Cleared(p, _) => (Row::Clears, p),
        _ => return None,
    };
    Some((row, pattern.code.as_deref()?))
}

#[test]
fn every_code_has_a_story_that_raises_it_one_that_must_not_and_one_that_clears_it() {
    let files = files();
    let stories = files.iter().flat_map(|(_, stories)| stories);
    let told: BTreeSet<(Row, &str)> = stories.flat_map(rows_of).collect();
    let codes = Code::ALL.iter().map(|code| code.name());
    let wanted =
        codes.flat_map(|code| [Row::Raises, Row::DoesNotRaise, Row::Clears].map(|row| (row, code)));
    let missing: Vec<_> = wanted.filter(|row| !told.contains(row)).collect();
    assert!(missing.is_empty(), "no story: {missing:?}");
}
