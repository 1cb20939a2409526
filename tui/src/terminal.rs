//! The terminal: raw mode and back, whatever happens; keys and mouse as messages.

use std::io::{self, Stdout, Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent,
    KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc::Sender;

use crate::app::App;
use crate::key::{Code, Key};
use crate::message::Message;

static RAW: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// Columns of the terminal; none where there is none.
pub fn columns() -> Option<usize> {
    let size = crossterm::terminal::size().ok()?;
    Some(usize::from(size.0)).filter(|columns| *columns > 0)
}

/// The terminal while it is ours; dropping it gives it back.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal; a panic gives it back before anything is printed.
    ///
    /// # Errors
    /// The system's, when there is no terminal.
    pub fn take(mouse: bool) -> io::Result<Screen> {
        HOOK.call_once(restore_on_panic);
        enable_raw_mode()?;
        RAW.store(true, Ordering::SeqCst);
        execute!(stdout(), EnterAlternateScreen)?;
        if mouse {
            execute!(stdout(), EnableMouseCapture)?;
        }
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(Screen { terminal })
    }

    /// Draws the dashboard.
    ///
    /// # Errors
    /// The system's, when the terminal is gone.
    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let drawn = app.draw(frame.buffer_mut());
            if let Some(cursor) = drawn.cursor {
                frame.set_cursor_position(cursor);
            }
        })?;
        Ok(())
    }

    /// Sounds the terminal's bell.
    ///
    /// # Errors
    /// The system's, when the terminal is gone.
    pub fn bell(&mut self) -> io::Result<()> {
        let mut out = stdout();
        out.write_all(b"\x07")?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore_on_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        restore();
        usual(panic);
    }));
}

fn restore() {
    if RAW.swap(false, Ordering::SeqCst) {
        let mut out = stdout();
        // The terminal may be gone; there is nobody left to tell.
        let _gone = execute!(
            out,
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            crossterm::cursor::Show
        );
        let _gone = disable_raw_mode();
    }
}

/// Reads keys until the receiver is gone; runs on a thread of its own.
pub fn listen(sender: &Sender<Message>) {
    while !sender.is_closed() {
        match event::poll(Duration::from_millis(250)) {
            Ok(false) => continue,
            Ok(true) => {}
            Err(_) => return,
        }
        let Ok(event) = event::read() else { return };
        let message = message(&event);
        if let Some(message) = message
            && sender.blocking_send(message).is_err()
        {
            return;
        }
    }
}

fn message(event: &Event) -> Option<Message> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => self::key(key).map(Message::Key),
        Event::Mouse(mouse) => self::mouse(*mouse),
        Event::Resize(columns, rows) => Some(Message::Resize(*columns, *rows)),
        _ => None,
    }
}

fn key(event: &KeyEvent) -> Option<Key> {
    let code = match event.code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        _ => return None,
    };
    if event.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    Some(Key {
        code,
        ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
    })
}

fn mouse(event: MouseEvent) -> Option<Message> {
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Message::Click(event.column, event.row)),
        MouseEventKind::ScrollDown => Some(Message::Wheel(1)),
        MouseEventKind::ScrollUp => Some(Message::Wheel(-1)),
        _ => None,
    }
}
