//! `--screenshot`: a screen of the example hall or of a running hub, into a file.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::channel;
use tokio::time::{Instant, timeout_at};

use crate::answer::say;
use crate::example;
use crate::key::{Key, keys};
use crate::link;
use crate::message::Message;
use crate::run::{Clock, Options, dashboard, zone};
use crate::screenshot;
use crate::settings::Settings;

/// Reads `80x24`.
///
/// # Errors
/// When it has another form.
pub(crate) fn size(text: &str) -> anyhow::Result<(u16, u16)> {
    let wrong = || format!("Z30 {text:?} is no size · help: --size 120x40");
    let (columns, rows) = text.split_once('x').with_context(wrong)?;
    let size: (u16, u16) = (
        columns.parse().with_context(wrong)?,
        rows.parse().with_context(wrong)?,
    );
    if !(20..=500).contains(&size.0) || !(6..=300).contains(&size.1) {
        bail!("Z30 {text:?} is too small or too large · help: --size 120x40");
    }
    Ok(size)
}

fn scene(name: &str) -> anyhow::Result<Vec<Key>> {
    let found = example::SCENES.iter().find(|(scene, _)| *scene == name);
    let (_, keys_of) = found.with_context(|| {
        format!("Z31 there is no screen {name:?} · help: `zeitnot --screenshot list` names them")
    })?;
    keys(keys_of).map_err(anyhow::Error::msg)
}

fn empty(size: (u16, u16)) -> Buffer {
    Buffer::empty(Rect::new(0, 0, size.0, size.1))
}

/// A screen of the example.
///
/// # Errors
/// When there is no such screen.
pub(crate) fn of_example(
    settings: &Settings,
    name: &str,
    size: (u16, u16),
) -> anyhow::Result<Buffer> {
    let keys = scene(name)?;
    let mut app = crate::cli::example_app(settings);
    example::stage(name, &mut app);
    app.draw(&mut empty(size));
    example::play(&mut app, &keys);
    let mut buffer = empty(size);
    app.draw(&mut buffer);
    Ok(buffer)
}

/// A screen of a running hub, three seconds after connecting; keys that would ask for a ruling are not pressed.
///
/// # Errors
/// When there is no such screen, or no hub.
pub(crate) async fn of_hub(
    options: Options,
    name: String,
    size: (u16, u16),
) -> anyhow::Result<Buffer> {
    let keys = scene(&name)?;
    let mut app = dashboard(&options)?;
    app.me.read_only = true;
    let clock = Clock::start();
    let (sender, mut inbox) = channel(4096);
    let _hand = link::open(options.target, &app.me.client, &app.language, sender);
    app.update(Message::Zone(zone(clock.now())));
    let until = Instant::now() + Duration::from_secs(3);
    while let Ok(Some(message)) = timeout_at(until, inbox.recv()).await {
        app.update(Message::Tick(clock.now()));
        app.update(message);
    }
    app.draw(&mut empty(size));
    for key in keys {
        app.update(Message::Key(key));
    }
    let mut buffer = empty(size);
    app.draw(&mut buffer);
    Ok(buffer)
}

/// Writes a picture as its file's name says; without a file as text to standard output.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write(picture: &Buffer, file: Option<&Path>) -> anyhow::Result<()> {
    let Some(file) = file else {
        return say(&screenshot::text(picture));
    };
    let text = match file.extension().and_then(|e| e.to_str()) {
        Some("svg") => screenshot::svg(picture),
        Some("txt") => screenshot::text(picture),
        _ => bail!(
            "Z32 {} · help: name it FILE.svg or FILE.txt",
            file.display()
        ),
    };
    std::fs::write(file, text).with_context(|| {
        format!(
            "Z33 cannot write {} · help: choose another folder",
            file.display()
        )
    })
}
