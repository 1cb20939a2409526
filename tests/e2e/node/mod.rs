//! Programs of others that npm brings: installed once into the build's folder where npm and a network are there, else said to be missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// One installation at a time.
static INSTALLING: Mutex<()> = Mutex::new(());

/// The folder in which these packages (`name@version`) can be required; none, with a word why, where they cannot be had.
pub(crate) fn packages(name: &str, packages: &[&str]) -> Option<PathBuf> {
    let _one = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("npm")
        .join(name);
    let done = folder.join("installed");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&done).is_ok_and(|have| have == wanted) {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).expect("the build's folder");
    std::fs::write(folder.join("package.json"), "{\"private\":true}\n").expect("written");
    let installed = Command::new("timeout")
        .args([
            "180",
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
        ])
        .args(packages)
        .current_dir(&folder)
        .output();
    match installed {
        Ok(output) if output.status.success() => {
            std::fs::write(&done, wanted).expect("written");
            Some(folder)
        }
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            println!(
                "skipped: npm cannot install {packages:?}: {}",
                last_line(&why)
            );
            None
        }
        Err(why) => {
            println!("skipped: npm is not installed: {why}");
            None
        }
    }
}

fn last_line(text: &str) -> &str {
    text.lines()
        .rfind(|line| !line.trim().is_empty())
        .unwrap_or("")
}

/// Runs a script with node; what it requires comes from `folder`.
pub(crate) fn run(folder: &Path, script: &str, arguments: &[&str]) -> Output {
    Command::new("timeout")
        .args(["480", "node", "-e", script, "--"])
        .args(arguments)
        .env("NODE_PATH", folder.join("node_modules"))
        .output()
        .expect("node came with npm")
}
