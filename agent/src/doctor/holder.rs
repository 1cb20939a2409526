//! Which other program has a port open, as far as the system lets us see.

use std::fs;
use std::path::Path;

/// Name and number of a program that has the file open: `picochess (1234)`.
pub(super) fn holder(path: &str) -> Option<String> {
    let wanted = fs::canonicalize(path).ok()?;
    let own = std::process::id().to_string();
    for process in fs::read_dir("/proc").ok()?.flatten() {
        let number = process.file_name().to_string_lossy().into_owned();
        let is_other = number.bytes().all(|byte| byte.is_ascii_digit()) && number != own;
        if is_other && has_open(&process.path(), &wanted) {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(format!("{} ({number})", name.trim()));
        }
    }
    None
}

fn has_open(process: &Path, wanted: &Path) -> bool {
    let files = fs::read_dir(process.join("fd")).into_iter().flatten();
    let mut targets = files
        .flatten()
        .filter_map(|file| fs::read_link(file.path()).ok());
    targets.any(|target| target == wanted)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_program_that_has_a_file_open_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let path = file.path().to_str().expect("a name").to_owned();
        assert_eq!(holder(&path), None, "only this process has it");
        let opened = fs::File::open(&path).expect("it opens");
        let mut child = Command::new("sleep")
            .arg("30")
            .stdin(opened)
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        let named = holder(&path);
        child.kill().expect("it ends");
        child.wait().expect("it ended");
        let named = named.expect("somebody has it");
        assert!(named.starts_with("sleep ("), "{named}");
    }
}
