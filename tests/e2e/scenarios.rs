//! Every story of `scenarios/`, played; a line that went otherwise is named.

use std::path::PathBuf;
use std::sync::Mutex;

use hub::laws::Code;
use venue_tests::scenario::{Story, read, run};

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
#[test]
fn every_code_that_is_raised_has_a_story() {
    let told: Vec<String> = files()
        .into_iter()
        .flat_map(|(_, stories)| stories)
        .flat_map(|story| story.steps)
        .filter_map(|line| line.step.code().map(str::to_owned))
        .collect();
    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|code| code.name())
        .filter(|name| !told.iter().any(|t| t == name))
        .collect();
    assert!(missing.is_empty(), "no story raises {missing:?}");
}
