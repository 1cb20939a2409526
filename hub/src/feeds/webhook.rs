//! Tells an address every board that changes: one `HallBoard` as JSON each, the same as on the hall's topics.

use super::delivery::each;
use super::{Delivery, Feed, FeedsConfig, Post, Subject, Target};

/// The messages.
pub(super) struct Webhook;

impl Feed for Webhook {
    fn name(&self) -> &'static str {
        "webhook"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = config.webhook.iter();
        each(
            self.name(),
            config,
            own.map(|own| (own.name.as_str(), &own.audience)),
        )
    }

    fn deliveries(
        &self,
        boards: &[Subject],
        config: &FeedsConfig,
        target: &Target,
    ) -> Vec<Delivery> {
        let Some(own) = config.webhook.get(target.index) else {
            return Vec::new();
        };
        let post = |board: &Subject| {
            let bytes = protocol::encode::<protocol::HallBoard>(board);
            Delivery::Post(Post {
                about: format!("round {} board {}", board.round, board.table),
                url: own.url.clone(),
                token_file: own.token_file.clone(),
                content_type: "application/json",
                content: String::from_utf8(bytes).expect("JSON is UTF-8"),
            })
        };
        boards.iter().map(post).collect()
    }
}
