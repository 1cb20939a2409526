//! Who may connect: names, roles and the SHA-256 of their tokens, in one file that a running hub follows.
//!
//! A token is 256 random bits in hexadecimal and is shown once, in the credentials file made for it. The book keeps only
//! its hash. `credentials add` and `revoke` change the file; the hub looks at it every second.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use protocol::{AgentId, Credentials, Role, VenueId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Why credentials cannot be read or changed.
#[derive(Debug, Error)]
pub enum CredentialError {
    /// A file cannot be read or written.
    #[error("H50 cannot {doing} {}: {source} · help: check that the folder exists, this user may write there and the disk has room", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not in its form.
    #[error("H51 {} is damaged: {why} · help: put it back from a copy; without one move it away and start the hub: it makes new local credentials, and every other name is to be added again with `zeitnot-hub credentials add`", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The name cannot stand in a topic.
    #[error("H52 {0:?} is no name · help: 1 to 64 of a-z, 0-9, '-', '_' and '.'")]
    Name(String),
    /// The name is taken.
    #[error(
        "H53 the name {name} is taken (role {role}) · help: revoke it first, or choose another name"
    )]
    Taken {
        /// The name.
        name: String,
        /// What it is.
        role: Role,
    },
    /// Nobody has that name.
    #[error("H54 nobody is called {0:?} · help: `zeitnot-hub credentials list` shows every name")]
    Unknown(String),
    /// The data folder has no book.
    #[error("H55 there are no credentials in {} · help: give the hub's data folder with --data; `zeitnot-hub run` and `credentials add` make the first ones", .0.display())]
    None(PathBuf),
}

impl CredentialError {
    /// The disk has no room for it; what was written before stands.
    pub fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, CredentialError::File { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }
}

/// One line of the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it may do.
    pub role: Role,
    /// SHA-256 of its token, hexadecimal.
    pub token_sha256: String,
}

type Entries = BTreeMap<String, Entry>;

/// The book of credentials in a data folder.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    entries: RwLock<Arc<Entries>>,
    read: RwLock<Option<Stamp>>,
}

type Stamp = (SystemTime, u64);

impl Book {
    /// The book of a data folder; without a file it is empty.
    ///
    /// # Errors
    /// [`CredentialError::File`], [`CredentialError::Form`].
    pub fn open(data: &Path) -> Result<Book, CredentialError> {
        let folder = data.join("credentials");
        fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
        let book = Book {
            path: folder.join("book.toml"),
            entries: RwLock::default(),
            read: RwLock::default(),
        };
        book.reload()?;
        Ok(book)
    }

    /// The book of a data folder that has one; nothing is made.
    ///
    /// # Errors
    /// [`CredentialError::None`] and as [`Book::open`].
    pub fn existing(data: &Path) -> Result<Book, CredentialError> {
        let folder = data.join("credentials");
        if !folder.join("book.toml").exists() {
            return Err(CredentialError::None(folder));
        }
        Book::open(data)
    }

    /// The role of a name whose token is right. A name that was added a moment ago is known at once.
    pub fn check(&self, name: &str, token: &[u8]) -> Option<Role> {
        if !self.entries().contains_key(name) {
            self.learn(name);
        }
        let entries = self.entries();
        let entry = entries.get(name)?;
        (entry.token_sha256 == hash(token)).then_some(entry.role)
    }

    /// Takes in a name that stands in the file by now; everything else waits for [`Book::follow`], which says what it changed.
    fn learn(&self, name: &str) {
        let known = *self.read.read().unwrap_or_else(PoisonError::into_inner);
        if stamp(&self.path) == known {
            return;
        }
        let added = load(&self.path).ok().and_then(|mut now| now.remove(name));
        if let Some(entry) = added {
            let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
            Arc::make_mut(&mut entries)
                .entry(name.to_owned())
                .or_insert(entry);
        }
    }

    /// The role of a name.
    pub fn role(&self, name: &str) -> Option<Role> {
        self.entries().get(name).map(|e| e.role)
    }

    /// Every line.
    pub fn entries(&self) -> Arc<Entries> {
        Arc::clone(&self.entries.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the file if it changed, and returns the names whose token or role is another one now, or gone.
    ///
    /// # Errors
    /// [`CredentialError`]; what was known stays.
    pub fn follow(&self) -> Result<Vec<String>, CredentialError> {
        let known = *self.read.read().unwrap_or_else(PoisonError::into_inner);
        if stamp(&self.path) == known {
            return Ok(Vec::new());
        }
        let before = self.entries();
        self.reload()?;
        let now = self.entries();
        let changed = before
            .iter()
            .filter(|(name, entry)| now.get(*name) != Some(entry));
        Ok(changed.map(|(name, _)| name.clone()).collect())
    }

    /// Adds a name and returns its new token.
    ///
    /// # Errors
    /// [`CredentialError::Name`], [`CredentialError::Taken`], [`CredentialError::File`].
    pub fn add(&self, name: &str, role: Role) -> Result<String, CredentialError> {
        if name.parse::<AgentId>().is_err() {
            return Err(CredentialError::Name(name.to_owned()));
        }
        let token = new_token();
        let entry = Entry {
            role,
            token_sha256: hash(token.as_bytes()),
        };
        self.change(|entries| match entries.get(name) {
            Some(taken) => Err(CredentialError::Taken {
                name: name.to_owned(),
                role: taken.role,
            }),
            None => {
                entries.insert(name.to_owned(), entry);
                Ok(())
            }
        })?;
        Ok(token)
    }

    /// Takes a name out; a running hub ends its connections within a second.
    ///
    /// # Errors
    /// [`CredentialError::Unknown`], [`CredentialError::File`].
    pub fn revoke(&self, name: &str) -> Result<(), CredentialError> {
        self.change(|entries| match entries.remove(name) {
            Some(_) => Ok(()),
            None => Err(CredentialError::Unknown(name.to_owned())),
        })
    }

    /// Makes sure that every role has its local credentials file, readable by the owner only, with the broker's address
    /// in it; tokens that exist stay. Returns the roles that got a new token.
    ///
    /// # Errors
    /// [`CredentialError::File`], [`CredentialError::Form`].
    pub fn make_local(
        &self,
        venue: &VenueId,
        host: &str,
        port: u16,
    ) -> Result<Vec<Role>, CredentialError> {
        let mut made = Vec::new();
        for role in LOCAL {
            let path = self.local_path(role);
            let name = format!("local-{role}");
            let token = match read_token(&path) {
                Some(token) if self.check(&name, token.as_bytes()) == Some(role) => token,
                _ => {
                    made.push(role);
                    self.replace(&name, role)?
                }
            };
            let file = Credentials {
                name,
                token,
                role,
                venue: venue.clone(),
                host: host.to_owned(),
                port,
            };
            write_file(&path, &file)?;
        }
        Ok(made)
    }

    /// Where the local credentials of a role lie.
    pub fn local_path(&self, role: Role) -> PathBuf {
        self.path.with_file_name(format!("local-{role}.toml"))
    }

    fn replace(&self, name: &str, role: Role) -> Result<String, CredentialError> {
        let token = new_token();
        let entry = Entry {
            role,
            token_sha256: hash(token.as_bytes()),
        };
        self.change(|entries| {
            entries.insert(name.to_owned(), entry);
            Ok(())
        })?;
        Ok(token)
    }

    /// Changes the file under a lock, whole or not at all, and what is known of it.
    fn change(
        &self,
        change: impl FnOnce(&mut Entries) -> Result<(), CredentialError>,
    ) -> Result<(), CredentialError> {
        let lock_path = self.path.with_file_name("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(failed("open", &lock_path))?;
        lock.lock().map_err(failed("lock", &lock_path))?;
        let mut entries = load(&self.path)?;
        change(&mut entries)?;
        let text = toml::to_string(&entries).expect("names and words are TOML");
        write_private(&self.path, &format!("{HEADING}{text}"))
            .map_err(failed("write", &self.path))?;
        drop(lock);
        self.reload()
    }

    fn reload(&self) -> Result<(), CredentialError> {
        let stamp = stamp(&self.path);
        let entries = Arc::new(load(&self.path)?);
        *self.entries.write().unwrap_or_else(PoisonError::into_inner) = entries;
        *self.read.write().unwrap_or_else(PoisonError::into_inner) = stamp;
        Ok(())
    }
}

/// Roles for which the first start makes a credentials file.
pub const LOCAL: [Role; 6] = [
    Role::Agent,
    Role::Arbiter,
    Role::Chief,
    Role::Technician,
    Role::Viewer,
    Role::Display,
];

const HEADING: &str = "# Who may connect. Change it with `zeitnot-hub credentials`; tokens are not kept, only their SHA-256.\n\n";

/// Writes a credentials file that only its owner may read.
///
/// # Errors
/// [`CredentialError::File`].
pub fn write_file(path: &Path, credentials: &Credentials) -> Result<(), CredentialError> {
    let text = toml::to_string(credentials).expect("credentials are TOML");
    // On a full disk what stands there already can be used.
    if fs::read_to_string(path).is_ok_and(|written| written == text) {
        return Ok(());
    }
    write_private(path, &text).map_err(failed("write", path))
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("part");
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn load(path: &Path) -> Result<Entries, CredentialError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Entries::new()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(CredentialError::Form {
                path: path.to_owned(),
                why: "it is no text".to_owned(),
            });
        }
        Err(source) => return Err(failed("read", path)(source)),
    };
    // Even a book without names has its heading: an empty file is one that was cut.
    if text.trim().is_empty() {
        return Err(CredentialError::Form {
            path: path.to_owned(),
            why: "it is empty".to_owned(),
        });
    }
    toml::from_str(&text).map_err(|error| CredentialError::Form {
        path: path.to_owned(),
        why: error.message().to_owned(),
    })
}

fn read_token(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    toml::from_str::<Credentials>(&text).ok().map(|c| c.token)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

fn new_token() -> String {
    let bits: [u8; 32] = rand::random();
    hex(&bits)
}

fn hash(token: &[u8]) -> String {
    hex(&Sha256::digest(token))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CredentialError {
    let path = path.to_owned();
    move |source| CredentialError::File {
        doing,
        path,
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_opens_and_is_not_kept() {
        let data = tempfile::tempdir().expect("folder");
        let book = Book::open(data.path()).expect("opens");
        let token = book.add("hall-3", Role::Agent).expect("added");
        assert_eq!(token.len(), 64);
        assert_eq!(book.check("hall-3", token.as_bytes()), Some(Role::Agent));
        assert_eq!(book.check("hall-3", b"guess"), None);
        assert_eq!(book.check("hall-4", token.as_bytes()), None);
        assert_eq!(book.check("", b""), None);
        let text = fs::read_to_string(data.path().join("credentials/book.toml")).expect("file");
        assert!(!text.contains(&token));
        let again = Book::open(data.path()).expect("opens");
        assert_eq!(again.check("hall-3", token.as_bytes()), Some(Role::Agent));
    }

    #[test]
    fn what_cannot_be_added_or_revoked_says_why() {
        let data = tempfile::tempdir().expect("folder");
        let book = Book::open(data.path()).expect("opens");
        book.add("a", Role::Agent).expect("added");
        let errors = [
            book.add("a", Role::Display).err(),
            book.add("A b", Role::Agent).err(),
            book.add("", Role::Agent).err(),
            book.revoke("nobody").err(),
        ];
        let codes = errors.map(|e| e.expect("refused").to_string()[..3].to_owned());
        assert_eq!(codes, ["H53", "H52", "H52", "H54"]);
    }

    #[test]
    fn a_book_that_was_emptied_is_not_a_new_one() {
        let data = tempfile::tempdir().expect("folder");
        let none = Book::existing(data.path()).expect_err("none yet");
        assert!(none.to_string().starts_with("H55"), "{none}");
        assert!(!data.path().join("credentials").exists(), "nothing is made");
        let book = Book::open(data.path()).expect("opens");
        let token = book.add("hall-3", Role::Agent).expect("added");
        fs::write(data.path().join("credentials/book.toml"), "").expect("emptied");
        let error = Book::open(data.path()).expect_err("damaged");
        assert!(error.to_string().starts_with("H51"), "{error}");
        assert!(book.follow().is_err());
        assert_eq!(book.check("hall-3", token.as_bytes()), Some(Role::Agent));
    }

    #[test]
    fn a_running_hub_follows_changes_made_by_others() {
        let data = tempfile::tempdir().expect("folder");
        let hub = Book::open(data.path()).expect("opens");
        let command = Book::open(data.path()).expect("opens");
        let token = command.add("sign", Role::Display).expect("added");
        assert_eq!(hub.check("sign", b"another"), None);
        assert_eq!(
            hub.check("sign", token.as_bytes()),
            Some(Role::Display),
            "at once"
        );
        assert_eq!(
            hub.follow().expect("read"),
            [] as [String; 0],
            "new names disturb nobody"
        );
        assert_eq!(hub.check("sign", token.as_bytes()), Some(Role::Display));
        assert_eq!(hub.role("sign"), Some(Role::Display));
        command.revoke("sign").expect("revoked");
        assert_eq!(hub.follow().expect("read"), ["sign"]);
        assert_eq!(hub.check("sign", token.as_bytes()), None);
    }

    #[test]
    fn local_files_are_private_and_keep_their_tokens() {
        let data = tempfile::tempdir().expect("folder");
        let venue: VenueId = "lyon".parse().expect("id");
        let book = Book::open(data.path()).expect("opens");
        let made = book.make_local(&venue, "127.0.0.1", 1883);
        assert_eq!(made.expect("made"), LOCAL);
        let path = book.local_path(Role::Arbiter);
        let mode = fs::metadata(&path).expect("file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let first: Credentials =
            toml::from_str(&fs::read_to_string(&path).expect("text")).expect("form");
        assert_eq!(first.role, Role::Arbiter);
        assert_eq!(
            book.check(&first.name, first.token.as_bytes()),
            Some(Role::Arbiter)
        );
        let made = book.make_local(&venue, "10.0.0.1", 1884);
        assert_eq!(made.expect("made again"), []);
        let second: Credentials =
            toml::from_str(&fs::read_to_string(&path).expect("text")).expect("form");
        assert_eq!((second.token, second.port), (first.token, 1884));
        book.revoke("local-arbiter").expect("revoked");
        let made = book.make_local(&venue, "10.0.0.1", 1884);
        assert_eq!(made.expect("made anew"), [Role::Arbiter]);
        let third: Credentials =
            toml::from_str(&fs::read_to_string(&path).expect("text")).expect("form");
        assert_eq!(
            book.check(&third.name, third.token.as_bytes()),
            Some(Role::Arbiter)
        );
    }
}
