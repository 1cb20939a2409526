//! The loop at the rim: keys, the hub and time go into the dashboard; orders and pictures come out.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use protocol::{Credentials, Role, Timestamp};
use thiserror::Error;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::app::{App, Me};
use crate::key::{Code, Key};
use crate::language::t;
use crate::link::{self, Hand, Target};
use crate::message::{Effect, Message};
use crate::settings::Settings;
use crate::terminal::{Screen, listen};

/// Time passes in steps of this length.
const TICK: Duration = Duration::from_millis(200);
/// Pictures follow each other no faster than this, but for keys.
const FRAME: Duration = Duration::from_millis(33);
/// Messages taken at once before a picture is drawn.
const BATCH: usize = 2000;

/// Everything the dashboard needs to start.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where the hub is.
    pub target: Target,
    /// What the hub lets us do.
    pub role: Role,
    /// Nothing is ordered.
    pub read_only: bool,
    /// The arbiter's settings.
    pub settings: Settings,
    /// Said once at the beginning, in place of the footer.
    pub welcome: Option<String>,
}

impl Options {
    /// Options for a hub and its credentials, with the usual settings.
    pub fn new(credentials: &Credentials) -> Options {
        Options {
            target: Target {
                host: credentials.host.clone(),
                port: credentials.port,
                name: credentials.name.clone(),
                token: credentials.token.clone(),
                venue: credentials.venue.clone(),
            },
            role: credentials.role,
            read_only: credentials.role == Role::Viewer,
            settings: Settings::default(),
            welcome: None,
        }
    }
}

/// Why the dashboard cannot run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The settings mean nothing.
    #[error("Z10 {0} · help: `zeitnot --print-config` shows every setting")]
    Settings(String),
    /// There is no terminal.
    #[error("Z11 no terminal: {0} · help: run it in a terminal, or with --plain")]
    Terminal(#[from] std::io::Error),
    /// The hub was not reached before the end.
    #[error(
        "Z13 the hub at {0} was never heard; nothing was ordered · help: `zeitnot doctor` says what is wrong"
    )]
    NeverHeard(String),
    /// The thread ended early.
    #[error(
        "Z12 the dashboard ended by a fault of its own · help: start it again; the hub keeps everything"
    )]
    Fault,
}

/// Runs the dashboard until the arbiter quits. Blocks; call it outside of an asynchronous task, or on a blocking thread.
///
/// # Errors
/// [`RunError`] when the settings mean nothing or there is no terminal.
pub fn run(options: Options) -> Result<(), RunError> {
    on_own_thread(|| live(options))?
}

/// Runs a future on a small runtime of its own, so that the caller may have one too.
pub(crate) fn on_own_thread<T, F>(make: impl FnOnce() -> F + Send + 'static) -> Result<T, RunError>
where
    T: Send + 'static,
    F: Future<Output = T>,
{
    let work = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let result = runtime.block_on(make());
        runtime.shutdown_background();
        Ok(result)
    };
    let thread = std::thread::Builder::new().name("dashboard".to_owned());
    thread.spawn(work)?.join().map_err(|_| RunError::Fault)?
}

/// A dashboard for these options, with signs as the terminal can show them.
pub(crate) fn dashboard(options: &Options) -> Result<App, RunError> {
    let me = Me {
        initials: initials(&options.settings.arbiter, &options.target.name),
        role: options.role,
        client: client_name(),
        read_only: options.read_only,
    };
    let mut app = App::new(&options.settings, me).map_err(RunError::Settings)?;
    crate::surroundings::adapt(&mut app, &options.settings);
    Ok(app)
}

fn initials(chosen: &str, name: &str) -> String {
    if !chosen.trim().is_empty() {
        return chosen.trim().chars().take(12).collect();
    }
    let parts = name.split(['-', '_', '.']);
    parts
        .filter_map(|part| part.chars().next())
        .map(|c| c.to_ascii_uppercase())
        .take(4)
        .collect()
}

/// A name for orders and answers that no other dashboard has.
fn client_name() -> protocol::ClientId {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let random = RandomState::new().build_hasher().finish();
    let name = format!("tui-{random:016x}");
    name.parse().expect("hexadecimal digits stand in a topic")
}

/// Our clock: the system's when started, and then steady.
pub(crate) struct Clock {
    started: Instant,
    at: i64,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let ms = since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(0));
        Clock {
            started: Instant::now(),
            at: ms,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        let ms = i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX);
        Timestamp(self.at.saturating_add(ms))
    }
}

/// Seconds east of Greenwich, at this moment and place.
pub(crate) fn zone(now: Timestamp) -> i32 {
    let at = jiff::Timestamp::from_millisecond(now.0).unwrap_or_default();
    jiff::tz::TimeZone::system().to_offset(at).seconds()
}

async fn live(options: Options) -> Result<(), RunError> {
    let mut app = dashboard(&options)?;
    let (sender, receiver) = channel(4096);
    let screen = Screen::take(options.settings.mouse)?;
    let welcome = options.welcome;
    let hand = link::open(
        options.target,
        &app.me.client,
        &app.language,
        sender.clone(),
    );
    end_on_signals(&sender)?;
    std::thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || listen(&sender))?;
    let mut desk = Desk {
        screen,
        hand,
        clock: Clock::start(),
        drawn: Instant::now(),
    };
    app.update(Message::Tick(desk.clock.now()));
    if let Some(words) = welcome {
        app.say(words);
    }
    desk.work(&mut app, receiver).await
}

/// A program told to end gives the terminal back first.
fn end_on_signals(sender: &Sender<Message>) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [SignalKind::terminate(), SignalKind::hangup()] {
        let mut told = signal(kind)?;
        let sender = sender.clone();
        tokio::spawn(async move {
            told.recv().await;
            let quit = Key {
                code: Code::Char('c'),
                ctrl: true,
            };
            // Without a receiver the program has ended already.
            let _ended = sender.send(Message::Key(quit)).await;
        });
    }
    Ok(())
}

/// Writes a card where the dashboard was started, and says where that is.
pub(crate) fn write_card(app: &mut App, name: &str, text: &str) {
    let folder = std::env::current_dir().unwrap_or_default();
    let file = folder.join(name);
    match std::fs::write(&file, text) {
        Ok(()) => app.say(t!(app.language, "written: {}", file.display())),
        Err(why) => app.complain(t!(
            app.language,
            "{} is not written: {}",
            file.display(),
            why
        )),
    }
}

struct Desk {
    screen: Screen,
    hand: Hand,
    clock: Clock,
    drawn: Instant,
}

impl Desk {
    async fn work(&mut self, app: &mut App, mut inbox: Receiver<Message>) -> Result<(), RunError> {
        app.update(Message::Zone(zone(self.clock.now())));
        self.draw(app)?;
        loop {
            let wait = if app.is_dirty() { FRAME } else { TICK };
            let first = match tokio::time::timeout(wait, inbox.recv()).await {
                Ok(None) => return Ok(()),
                Ok(Some(message)) => Some(message),
                Err(_) => None,
            };
            let Some(keyed) = self.take(app, first, &mut inbox)? else {
                return Ok(());
            };
            if app.is_dirty() && (keyed || self.drawn.elapsed() >= FRAME) {
                self.draw(app)?;
            }
        }
    }

    /// Takes what has come; none when the arbiter quits, else whether a key was among it.
    fn take(
        &mut self,
        app: &mut App,
        first: Option<Message>,
        inbox: &mut Receiver<Message>,
    ) -> Result<Option<bool>, RunError> {
        let now = self.clock.now();
        app.update(Message::Tick(now));
        if app.is_dirty() && now.0 % 60_000 < 1000 {
            app.update(Message::Zone(zone(now)));
        }
        let mut keyed = false;
        let more = std::iter::from_fn(|| inbox.try_recv().ok());
        for message in first.into_iter().chain(more).take(BATCH) {
            keyed |= matches!(
                message,
                Message::Key(_) | Message::Click(..) | Message::Resize(..)
            );
            for effect in app.update(message) {
                match effect {
                    Effect::Quit => return Ok(None),
                    Effect::Bell => self.screen.bell()?,
                    Effect::Write(name, text) => write_card(app, &name, &text),
                    Effect::Send(order) => {
                        if let Err(why) = self.hand.send(&order) {
                            let words = t!(app.language, "not sent: {}", why);
                            app.complain(words);
                        }
                    }
                }
            }
            if keyed {
                break;
            }
        }
        Ok(Some(keyed))
    }

    fn draw(&mut self, app: &mut App) -> Result<(), RunError> {
        self.screen.draw(app)?;
        self.drawn = Instant::now();
        Ok(())
    }
}
