//! Where the hub is and with which credentials: option, environment, settings, or the hub's own folder on this machine.

use std::path::{Path, PathBuf};

use clap::Args;
use protocol::{Credentials, HubUrl, Role};
use thiserror::Error;

use crate::link::Target;
use crate::settings::Settings;

/// The venue of an address that does not name one.
const DEFAULT_VENUE: &str = "venue";

/// Options that say where the hub is.
#[derive(Debug, Clone, Default, Args)]
pub struct Access {
    /// The hub: mqtt://name:token@host:1883
    #[arg(long, value_name = "URL", global = true)]
    pub hub: Option<String>,
    /// A credentials file made by `zeitnot-hub credentials add`
    #[arg(long, value_name = "FILE", env = "ZEITNOT_CREDENTIALS", global = true)]
    pub credentials: Option<PathBuf>,
    /// The data folder of a hub on this machine
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,
    /// The venue, with --hub
    #[arg(long, value_name = "NAME", global = true)]
    pub venue: Option<String>,
}

/// Why there is no access.
#[derive(Debug, Error)]
pub enum AccessError {
    /// The address is wrong.
    #[error(transparent)]
    Address(#[from] protocol::CredentialsError),
    /// The address has no name and token, and no file gives them.
    #[error(
        "Z21 no name and token for {0} · help: mqtt://name:token@host:1883, or --credentials FILE"
    )]
    NoLogin(String),
    /// The venue's name is wrong.
    #[error("Z22 {0:?} is no venue · help: 1 to 64 of a-z, 0-9, '-', '_' and '.'")]
    Venue(String),
    /// The file cannot be used.
    #[error("Z23 cannot use {}: {why} · help: make one with `zeitnot-hub credentials add NAME --role arbiter -o FILE`", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Nothing was given and nothing found.
    #[error(
        "Z24 no hub was named and none was found on this machine ({0}) · help: start zeitnot-hub run, or give --hub mqtt://name:token@host:1883"
    )]
    Nothing(String),
}

impl AccessError {
    /// What is wrong, and what to do.
    pub fn parts(&self) -> (String, String) {
        let text = self.to_string();
        match text.split_once(" · help: ") {
            Some((what, help)) => (what.to_owned(), help.to_owned()),
            None => (text, String::new()),
        }
    }
}

/// Finds the hub and what we are to it.
///
/// # Errors
/// [`AccessError`] when nothing fits.
pub fn find(
    access: &Access,
    settings: &Settings,
    read_only: bool,
) -> Result<(Target, Role), AccessError> {
    let url = access.hub.as_ref().or(settings.hub.as_ref());
    let url = url.map(|url| url.parse::<HubUrl>()).transpose()?;
    if let Some(HubUrl {
        host,
        port,
        login: Some((name, token)),
    }) = &url
    {
        let target = Target {
            host: host.clone(),
            port: *port,
            name: name.clone(),
            token: token.clone(),
            venue: venue(access)?,
        };
        return Ok((target, role_of(read_only)));
    }
    let file = access.credentials.clone();
    let file = file.or_else(|| settings.credentials.as_ref().map(PathBuf::from));
    let file = match file {
        Some(file) => file,
        None => local(access, read_only, url.as_ref())?,
    };
    let credentials = read(&file)?;
    let (host, port) = match url {
        Some(url) => (url.host, url.port),
        None => (credentials.host, credentials.port),
    };
    let target = Target {
        host,
        port,
        name: credentials.name,
        token: credentials.token,
        venue: credentials.venue,
    };
    Ok((target, credentials.role))
}

fn venue(access: &Access) -> Result<protocol::VenueId, AccessError> {
    let name = access.venue.as_deref().unwrap_or(DEFAULT_VENUE);
    name.parse()
        .map_err(|_| AccessError::Venue(name.to_owned()))
}

fn role_of(read_only: bool) -> Role {
    if read_only {
        Role::Viewer
    } else {
        Role::Arbiter
    }
}

fn read(path: &Path) -> Result<Credentials, AccessError> {
    let fail = |why: String| AccessError::File {
        path: path.to_owned(),
        why,
    };
    let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
    let found: Credentials = toml::from_str(&text).map_err(|e| fail(e.message().to_owned()))?;
    match found.role {
        Role::Agent | Role::Display | Role::Hub => Err(fail(format!(
            "its role is {}, which may not see the desk",
            found.role
        ))),
        _ => Ok(found),
    }
}

/// The file that a hub on this machine left for whoever sits there: he who has the hub's folder is its chief arbiter.
fn local(access: &Access, read_only: bool, url: Option<&HubUrl>) -> Result<PathBuf, AccessError> {
    let names: &[&str] = match read_only {
        true => &["local-viewer.toml", "local-arbiter.toml"],
        false => &["local-chief.toml", "local-arbiter.toml"],
    };
    let folders = folders(access.data.as_deref());
    let files = folders.iter().flat_map(|folder| {
        let credentials = folder.join("credentials");
        names.iter().map(move |name| credentials.join(name))
    });
    let mut files = files.collect::<Vec<_>>().into_iter();
    files.find(|file| file.is_file()).ok_or_else(|| match url {
        Some(url) => AccessError::NoLogin(url.host.clone()),
        None => {
            let looked = folders.first().map(|f| f.display().to_string());
            AccessError::Nothing(looked.unwrap_or_else(|| "no data folder".to_owned()))
        }
    })
}

/// Where a hub on this machine may keep its data.
fn folders(given: Option<&Path>) -> Vec<PathBuf> {
    if let Some(folder) = given {
        return vec![folder.to_owned()];
    }
    let dirs = directories::ProjectDirs::from("", "", "zeitnot");
    dirs.map_or(Vec::new(), |dirs| {
        vec![
            dirs.data_local_dir().join("hub"),
            dirs.data_dir().to_owned(),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_file(role: &str) -> (tempfile::TempDir, Access) {
        let folder = tempfile::tempdir().expect("a folder");
        let credentials = folder.path().join("credentials");
        std::fs::create_dir(&credentials).expect("a folder");
        let text = format!(
            "name=\"local-arbiter\"\ntoken=\"s\"\nrole=\"{role}\"\nvenue=\"lyon\"\nhost=\"127.0.0.1\"\nport=1884\n"
        );
        std::fs::write(credentials.join("local-arbiter.toml"), text).expect("a file");
        let access = Access {
            data: Some(folder.path().to_owned()),
            ..Access::default()
        };
        (folder, access)
    }

    #[test]
    fn a_hub_on_this_machine_is_found_by_its_folder() {
        let (_folder, access) = with_file("arbiter");
        let (target, role) = find(&access, &Settings::default(), false).expect("found");
        assert_eq!(
            (target.host.as_str(), target.port, role),
            ("127.0.0.1", 1884, Role::Arbiter)
        );
    }

    #[test]
    fn an_address_with_a_login_needs_no_file() {
        let rows = [
            ("mqtt://a:t@h", false, Ok(Role::Arbiter)),
            ("mqtt://a:t@h", true, Ok(Role::Viewer)),
            ("http://h", false, Err("C01")),
        ];
        for (url, read_only, want) in rows {
            let access = Access {
                hub: Some(url.to_owned()),
                ..Access::default()
            };
            let found = find(&access, &Settings::default(), read_only);
            match (found, want) {
                (Ok((_, role)), Ok(want)) => assert_eq!(role, want),
                (Err(error), Err(code)) => assert!(error.to_string().starts_with(code)),
                (found, want) => panic!("{found:?} {want:?}"),
            }
        }
    }

    #[test]
    fn an_address_takes_its_login_from_the_file() {
        let (_folder, access) = with_file("chief");
        let access = Access {
            hub: Some("mqtt://elsewhere:1999".to_owned()),
            ..access
        };
        let (target, role) = find(&access, &Settings::default(), false).expect("found");
        assert_eq!(
            (target.host.as_str(), target.port, role),
            ("elsewhere", 1999, Role::Chief)
        );
    }

    #[test]
    fn credentials_that_may_not_see_the_desk_are_refused_here() {
        for role in ["agent", "display", "hub"] {
            let (_folder, access) = with_file(role);
            let error = find(&access, &Settings::default(), false).expect_err(role);
            assert!(error.to_string().starts_with("Z23"), "{error}");
        }
    }

    #[test]
    fn what_is_missing_is_said_with_a_way_out() {
        let access = Access {
            data: Some(PathBuf::from("nowhere")),
            ..Access::default()
        };
        let error = find(&access, &Settings::default(), false).expect_err("nothing there");
        let (what, help) = error.parts();
        assert!(
            what.starts_with("Z24") && help.contains("zeitnot-hub run"),
            "{what} {help}"
        );
    }
}
