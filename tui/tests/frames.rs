//! Golden frames: every screen and dialog at three sizes, in colour, without, and in ASCII, as text to be read in a review.
//!
//! `UPDATE_FRAMES=1 cargo test -p tui --test frames` writes them anew.

use std::fs;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use tui::example;
use tui::glyphs::Glyphs;
use tui::key::keys;
use tui::settings::{Settings, ThemeChoice};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 20)];

fn picture(
    (name, scene): (&str, &str),
    size: (u16, u16),
    theme: ThemeChoice,
    glyphs: Glyphs,
) -> Buffer {
    let settings = Settings {
        theme,
        ..Settings::default()
    };
    let mut app = example::app(&settings);
    example::stage(name, &mut app);
    app.look.glyphs = glyphs;
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    app.draw(&mut buffer);
    example::play(&mut app, &keys(scene).expect("keys of the scene"));
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    app.draw(&mut buffer);
    buffer
}

fn lines(buffer: &Buffer, cell: impl Fn(u16, u16) -> String) -> Vec<String> {
    let area = buffer.area;
    let row = |y| (0..area.width).map(|x| cell(x, y)).collect::<String>();
    (0..area.height)
        .map(|y| row(y).trim_end().to_owned())
        .collect()
}

fn text(buffer: &Buffer) -> Vec<String> {
    lines(buffer, |x, y| buffer[(x, y)].symbol().to_owned())
}

/// One letter for each cell: r red, y yellow, c cyan, m magenta, g green, d grey; upper case when reversed; `b` bold, `u` underlined, `i` dim.
fn styles(buffer: &Buffer) -> Vec<String> {
    lines(buffer, |x, y| {
        let cell = &buffer[(x, y)];
        let letter = match cell.fg {
            Color::Red => 'r',
            Color::Yellow => 'y',
            Color::Cyan => 'c',
            Color::Magenta => 'm',
            Color::Green => 'g',
            Color::DarkGray => 'd',
            _ if cell.modifier.contains(Modifier::UNDERLINED) => 'u',
            _ if cell.modifier.contains(Modifier::BOLD) => 'b',
            _ if cell.modifier.contains(Modifier::DIM) => 'i',
            _ => ' ',
        };
        match (cell.modifier.contains(Modifier::REVERSED), letter) {
            (true, ' ') => "#".to_owned(),
            (true, letter) => letter.to_ascii_uppercase().to_string(),
            (false, letter) => letter.to_string(),
        }
    })
}

fn golden(scene: (&str, &str), size: (u16, u16)) -> String {
    let colour = picture(scene, size, ThemeChoice::Terminal, Glyphs::Unicode);
    let none = picture(scene, size, ThemeChoice::Mono, Glyphs::Unicode);
    let ascii = picture(scene, size, ThemeChoice::Mono, Glyphs::Ascii);
    assert_eq!(text(&colour), text(&none), "colour changes no letter");
    let part = |title: &str, lines: Vec<String>| format!("== {title}\n{}\n", lines.join("\n"));
    [
        part("text", text(&colour)),
        part("styles in colour", styles(&colour)),
        part("styles without colour", styles(&none)),
        part("ascii", text(&ascii)),
    ]
    .concat()
}

#[test]
fn every_screen_looks_as_reviewed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("screens");
    let update = std::env::var_os("UPDATE_FRAMES").is_some();
    let mut wrong = Vec::new();
    for (name, scene) in example::SCENES {
        for size in SIZES {
            let file = folder.join(format!("{name}-{}x{}.snap", size.0, size.1));
            let now = golden((name, scene), size);
            if update {
                fs::write(&file, &now).expect("screens/ can be written");
            }
            let kept = fs::read_to_string(&file).unwrap_or_default();
            if kept != now {
                wrong.push(format!("{name} at {}x{}:\n{now}", size.0, size.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_screen_can_be_drawn_at_every_size() {
    let odd = [
        (1, 1),
        (20, 6),
        (21, 7),
        (33, 9),
        (40, 12),
        (60, 8),
        (79, 19),
        (80, 20),
        (81, 60),
        (119, 40),
        (120, 39),
        (199, 50),
        (200, 60),
        (250, 80),
    ];
    for (name, scene) in example::SCENES {
        let mut app = example::app(&Settings::default());
        example::stage(name, &mut app);
        example::play(&mut app, &keys(scene).expect("keys of the scene"));
        for (columns, rows) in odd {
            app.draw(&mut Buffer::empty(Rect::new(0, 0, columns, rows)));
        }
    }
}

#[test]
fn ascii_frames_hold_nothing_but_ascii() {
    for (name, scene) in example::SCENES {
        for size in SIZES {
            for line in text(&picture(
                (name, scene),
                size,
                ThemeChoice::Mono,
                Glyphs::Ascii,
            )) {
                assert!(line.is_ascii(), "{name}: {line}");
            }
        }
    }
}
