//! `doctor --install`: the udev rules and the service unit, shown, and written where they belong.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::say::Problem;

const RULES: &str = include_str!("../../packaging/70-eboards.rules");
const UNIT: &str = include_str!("../../packaging/zeitnot-agent.service");

const SHOWN: &str = "# shown only. Write both with: sudo zeitnot-agent doctor --install --yes";
/// What the files need that they cannot make.
const WRITTEN: &str = "\
# written. Now, once:
#   useradd --system --user-group --no-create-home --shell /usr/sbin/nologin --groups dialout zeitnot
#   install -D \"$(command -v zeitnot-agent)\" /usr/bin/zeitnot-agent     (where it lies elsewhere)
#   mkdir -p /etc/zeitnot; zeitnot-agent run --print-config > /etc/zeitnot/agent.toml
#     there: ports = [ … ] as `zeitnot-agent list` shows them, and the credentials file of the hub, readable by zeitnot
#   udevadm control --reload; udevadm trigger; then replug the boards
#   systemctl daemon-reload; systemctl enable --now zeitnot-agent
#   journalctl -u zeitnot-agent -f shows what it finds";

/// Shows both files; writes them below `root` when `write` is given.
pub(super) fn install(root: &Path, write: bool) -> Result<ExitCode, Problem> {
    for (path, text) in files(root) {
        println!("# {}\n{text}", path.display());
        if write {
            put(&path, text).map_err(|why| {
                Problem::new(
                    "A28",
                    format!("cannot write {}: {why}", path.display()),
                    cure(&why),
                )
            })?;
        }
    }
    println!("{}", if write { WRITTEN } else { SHOWN });
    Ok(ExitCode::SUCCESS)
}

fn cure(why: &std::io::Error) -> &'static str {
    match why.kind() {
        std::io::ErrorKind::PermissionDenied => "run it with sudo",
        std::io::ErrorKind::StorageFull => "make room on that disk",
        _ => "is there a file where a folder should be, or a disk that may only be read?",
    }
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
