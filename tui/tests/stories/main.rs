//! Stories: keys against the hub of the example, then what stands on the screen and what was ordered.

use protocol::{Answer, OrderBody};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::app::App;
use tui::example;
use tui::key::keys;
use tui::message::{Effect, Heard, Message};
use tui::settings::Settings;

mod alerts;
mod decisions;
mod orders;
mod places;
mod trust;

struct Desk {
    app: App,
    orders: Vec<OrderBody>,
}

impl Desk {
    fn open() -> Desk {
        let mut app = example::app(&Settings::default());
        app.draw(&mut Buffer::empty(Rect::new(0, 0, 80, 24)));
        Desk {
            app,
            orders: Vec::new(),
        }
    }

    /// Presses keys, 0.4 s each; the hub answers, and what was not a preview is kept.
    fn press(&mut self, text: &str) -> &mut Desk {
        for key in keys(text).expect("keys") {
            self.wait(400);
            let effects = self.app.update(Message::Key(key));
            self.answer(effects);
        }
        self
    }

    fn wait(&mut self, ms: u64) {
        let now = self.app.now.after(ms);
        self.app.update(Message::Tick(now));
        for heard in example::heard().into_iter().take(1) {
            if let Heard::Presence { mut presence, .. } = heard {
                presence.now = now;
                let live = Heard::Presence {
                    presence,
                    live: true,
                };
                self.app.update(Message::Heard(live));
            }
        }
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Send(order) = effect {
                if !order.preview {
                    self.orders.push(order.body.clone());
                }
                self.hear(example::answer(&order));
            }
        }
    }

    fn hear(&mut self, answer: Answer) {
        let effects = self
            .app
            .update(Message::Heard(Heard::Answer(Box::new(answer))));
        self.answer(effects);
    }

    fn screen(&mut self) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        self.app.draw(&mut buffer);
        tui::screenshot::text(&buffer)
    }

    #[track_caller]
    fn sees(&mut self, text: &str) -> &mut Desk {
        let screen = self.screen();
        assert!(
            screen.contains(text),
            "{text:?} is not to be seen:\n{screen}"
        );
        self
    }

    #[track_caller]
    fn sees_no(&mut self, text: &str) -> &mut Desk {
        let screen = self.screen();
        assert!(!screen.contains(text), "{text:?} is to be seen:\n{screen}");
        self
    }
}
