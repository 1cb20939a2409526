//! Long lists as JSON that is kept from one showing to the next, so that only what changed in them is written again.

use serde::Serialize;

/// The text of one list.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    text: String,
    /// What tells each item from another, and where its text ends.
    items: Vec<(u64, usize)>,
}

impl Joined {
    /// The message with the list in place of the empty list of a field: `"record":[]`. Inside a text the quotation marks are
    /// escaped, so that these bytes stand nowhere else.
    pub(crate) fn fill<'a, I, T: Serialize + 'a>(
        &mut self,
        message: &[u8],
        field: &str,
        items: &'a [I],
        mark: impl Fn(&I) -> u64,
        view: impl Fn(&'a I) -> &'a T,
    ) -> Vec<u8> {
        self.update(items, mark, view);
        let empty = format!("\"{field}\":[]");
        let found = message
            .windows(empty.len())
            .position(|bytes| bytes == empty.as_bytes());
        let end = found.map_or(message.len(), |at| at + empty.len());
        let mut filled = Vec::with_capacity(message.len() + self.text.len());
        filled.extend_from_slice(&message[..end.saturating_sub(1)]);
        if found.is_some() {
            filled.extend_from_slice(self.text.as_bytes());
        }
        filled.extend_from_slice(&message[end.saturating_sub(1)..]);
        filled
    }

    fn update<'a, I, T: Serialize + 'a>(
        &mut self,
        items: &'a [I],
        mark: impl Fn(&I) -> u64,
        view: impl Fn(&'a I) -> &'a T,
    ) {
        let known = self.items.iter().zip(items);
        let same = known
            .take_while(|((known, _), i)| *known == mark(i))
            .count();
        self.items.truncate(same);
        self.text
            .truncate(self.items.last().map_or(0, |(_, end)| *end));
        for item in &items[same..] {
            if !self.text.is_empty() {
                self.text.push(',');
            }
            let json = serde_json::to_string(view(item));
            self.text
                .push_str(&json.expect("every item has a JSON form"));
            self.items.push((mark(item), self.text.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_written_again_and_the_message_is_the_same() {
        let mut joined = Joined::default();
        let lists: [&[u64]; 6] = [&[], &[1], &[1, 2, 3], &[1, 9, 3], &[1], &[4, 4, 4]];
        for list in lists {
            let message = br#"{"name":"\"list\":[]","list":[],"more":[]}"#;
            let got = joined.fill(message, "list", list, |i| *i, |i| i);
            let want = format!(
                r#"{{"name":"\"list\":[]","list":{},"more":[]}}"#,
                serde_json::to_string(list).expect("numbers")
            );
            assert_eq!(String::from_utf8(got).expect("UTF-8"), want);
        }
    }
}
