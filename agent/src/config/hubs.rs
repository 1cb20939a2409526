//! How an agent finds its hub: an address, a credentials file, or the data folder of a hub on the same machine.

use std::path::{Path, PathBuf};

use protocol::{Credentials, CredentialsError, HubUrl, Role, VenueId};
use thiserror::Error;

/// The venue's name where nobody gave one.
const DEFAULT_VENUE: &str = "venue";

/// A broker with everything needed to speak to it.
#[derive(Clone, PartialEq, Eq)]
pub struct Hub {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The agent's name there, which is its id.
    pub name: String,
    /// Its secret.
    pub token: String,
    /// The venue whose topics are spoken.
    pub venue: VenueId,
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "mqtt://{}:…@{}:{} venue {}",
            self.name, self.host, self.port, self.venue
        )
    }
}

/// Why a hub cannot be spoken to.
#[derive(Debug, Error)]
pub enum HubError {
    /// The address is no address.
    #[error(transparent)]
    Address(#[from] CredentialsError),
    /// No name and token.
    #[error(
        "A05 the address of the hub carries no name and token · help: mqtt://name:token@host:1883, or --credentials FILE"
    )]
    NoLogin,
    /// The venue is no name.
    #[error(
        "A06 {0:?} is no name of a venue · help: the name the hub was started with, a-z, 0-9 and '-'"
    )]
    Venue(String),
    /// The file cannot be read.
    #[error(
        "A07 cannot read the credentials {path}: {why} · help: `zeitnot-hub credentials add NAME --role agent -o FILE` makes one"
    )]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// They are somebody else's.
    #[error(
        "A18 {path} holds the credentials of {}; only an agent may state facts · help: `zeitnot-hub credentials add NAME --role agent -o FILE` makes the right ones",
        .role.with_article()
    )]
    Role {
        /// The file.
        path: PathBuf,
        /// Whose they are.
        role: Role,
    },
    /// They are an agent's.
    #[error(
        "A18 {0} holds the credentials of an agent, who may not see the hall · help: `zeitnot-hub credentials add NAME --role display -o FILE` makes the right ones"
    )]
    NoDisplay(PathBuf),
    /// Both or neither.
    #[error("A08 a hub is given by `credentials` or by `url`, one of them · help: see agent.toml")]
    Either,
}

/// The hub of an address such as `mqtt://name:token@host:1883`.
///
/// # Errors
/// [`HubError`] when it is no address or carries no login.
pub fn from_url(url: &str, venue: Option<&str>) -> Result<Hub, HubError> {
    let HubUrl { host, port, login } = url.parse()?;
    let (name, token) = login.ok_or(HubError::NoLogin)?;
    let venue = venue.unwrap_or(DEFAULT_VENUE);
    Ok(Hub {
        host,
        port,
        name,
        token,
        venue: venue
            .parse()
            .map_err(|_| HubError::Venue(venue.to_owned()))?,
    })
}

/// The hub of a credentials file.
///
/// # Errors
/// [`HubError::File`] when it cannot be read or does not fit; [`HubError::Role`] when it is not an agent's.
pub fn from_file(path: &Path) -> Result<Hub, HubError> {
    let (role, hub) = read(path)?;
    match role {
        Role::Agent => Ok(hub),
        role => Err(HubError::Role {
            path: path.to_owned(),
            role,
        }),
    }
}

/// The hub of a credentials file of somebody who may see the hall.
///
/// # Errors
/// [`HubError::File`] when it cannot be read or does not fit; [`HubError::NoDisplay`] when it is an agent's, who may not.
pub fn display_from_file(path: &Path) -> Result<Hub, HubError> {
    match read(path)? {
        (Role::Agent, _) => Err(HubError::NoDisplay(path.to_owned())),
        (_, hub) => Ok(hub),
    }
}

fn read(path: &Path) -> Result<(Role, Hub), HubError> {
    let fail = |why: String| HubError::File {
        path: path.to_owned(),
        why,
    };
    let text = std::fs::read_to_string(path).map_err(|why| fail(why.to_string()))?;
    let found: Credentials = toml::from_str(&text).map_err(|why| fail(why.message().to_owned()))?;
    let hub = Hub {
        host: found.host,
        port: found.port,
        name: found.name,
        token: found.token,
        venue: found.venue,
    };
    Ok((found.role, hub))
}

/// The agent's credentials that a hub left in its data folder, when it is on the same machine.
pub fn find_local(data: &Path) -> Option<PathBuf> {
    let path = data.join("credentials").join("local-agent.toml");
    path.is_file().then_some(path)
}

/// The folder a hub uses when nobody gives it one.
pub fn default_data_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "zeitnot").map(|dirs| dirs.data_dir().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let rows = [
            ("mqtt://a1:t@h:1884", None, Some(("h", 1884, "a1", "venue"))),
            (
                "mqtt://a1:t@h",
                Some("lyon"),
                Some(("h", 1883, "a1", "lyon")),
            ),
            ("mqtt://h", None, None),
            ("mqtt://a1:t@h", Some("Ly on"), None),
        ];
        for (url, venue, expect) in rows {
            let hub = from_url(url, venue).ok();
            let got = hub.as_ref().map(|hub| {
                (
                    hub.host.as_str(),
                    hub.port,
                    hub.name.as_str(),
                    hub.venue.as_str(),
                )
            });
            assert_eq!(got, expect, "{url}");
        }
    }

    #[test]
    fn a_hub_on_this_machine_is_found_by_its_folder_and_never_printed_with_its_token() {
        let dir = tempfile::tempdir().expect("a place");
        assert_eq!(find_local(dir.path()), None);
        std::fs::create_dir(dir.path().join("credentials")).expect("made");
        let path = dir.path().join("credentials/local-agent.toml");
        let text = "name = \"local-agent\"\ntoken = \"s3cret\"\nrole = \"agent\"\nvenue = \"venue\"\nhost = \"127.0.0.1\"\nport = 1883\n";
        std::fs::write(&path, text).expect("written");
        assert_eq!(find_local(dir.path()).as_deref(), Some(&*path));
        let hub = from_file(&path).expect("good");
        assert!(!format!("{hub:?}").contains("s3cret"));
        std::fs::write(&path, text.replace("\"agent\"", "\"viewer\"")).expect("written");
        let error = from_file(&path).expect_err("not an agent's").to_string();
        assert!(error.contains("of a viewer"), "{error}");
        std::fs::write(&path, "name = 1").expect("written");
        assert!(
            from_file(&path)
                .expect_err("bad")
                .to_string()
                .contains("A07")
        );
    }
}
