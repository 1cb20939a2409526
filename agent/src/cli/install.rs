//! `doctor --install`: the udev rules and the service unit, shown, and written where they belong.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::say::Problem;

const RULES: &str = include_str!("../../packaging/70-eboards.rules");
const UNIT: &str = include_str!("../../packaging/zeitnot-agent.service");

/// Shows both files; writes them below `root` when `write` is given.
pub(super) fn install(root: &Path, write: bool) -> Result<ExitCode, Problem> {
    for (path, text) in files(root) {
        println!("# {}\n{text}", path.display());
        if write {
            put(&path, text).map_err(|why| {
                Problem::new(
                    "A28",
                    format!("cannot write {}: {why}", path.display()),
                    "run it with sudo",
                )
            })?;
        }
    }
    if write {
        println!(
            "# written. Now: udevadm control --reload && udevadm trigger; systemctl daemon-reload; replug the boards"
        );
    } else {
        println!("# shown only. Write both with: sudo zeitnot-agent doctor --install --yes");
    }
    Ok(ExitCode::SUCCESS)
}

fn files(root: &Path) -> [(PathBuf, &'static str); 2] {
    [
        (root.join("etc/udev/rules.d/70-eboards.rules"), RULES),
        (root.join("etc/systemd/system/zeitnot-agent.service"), UNIT),
    ]
}

fn put(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}
