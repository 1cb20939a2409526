//! Programs of others that pip brings: installed once into the build's folder where Python and a network are there, else said to be missing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of programs of an environment in which each of these lines was given to `pip install`; none, with a word why, where it
/// cannot be had.
pub(crate) fn programs(name: &str, installs: &[&[&str]]) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("pip")
        .join(name);
    let done = folder.join("installed");
    let wanted = format!("{installs:?}");
    let programs = folder.join("bin");
    if std::fs::read_to_string(&done).is_ok_and(|have| have == wanted) {
        return Some(programs);
    }
    let made = Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&folder)
        .output();
    if !made.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 makes no environment");
        return None;
    }
    for install in installs {
        let output = Command::new("timeout")
            .arg("180")
            .arg(programs.join("pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(*install)
            .output()
            .expect("timeout is everywhere");
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            let why = why.lines().last().unwrap_or_default();
            println!("skipped: pip cannot install {install:?}: {why}");
            return None;
        }
    }
    std::fs::write(&done, wanted).expect("written");
    Some(programs)
}
