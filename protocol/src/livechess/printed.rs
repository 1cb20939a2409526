//! JSON as LiveChess prints it, which one of its readers searches for.

use serde::Serialize;

/// JSON with line breaks and ` : ` after names, as that program prints it.
pub fn printed(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let form = Jackson(serde_json::ser::PrettyFormatter::new());
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, form);
    value
        .serialize(&mut writer)
        .expect("names, numbers and lists");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// As the usual printer, but for the space before the colon.
struct Jackson<'a>(serde_json::ser::PrettyFormatter<'a>);

impl serde_json::ser::Formatter for Jackson<'_> {
    fn begin_array<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.begin_array(w)
    }
    fn end_array<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_array(w)
    }
    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.0.begin_array_value(w, first)
    }
    fn end_array_value<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_array_value(w)
    }
    fn begin_object<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.begin_object(w)
    }
    fn end_object<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_object(w)
    }
    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.0.begin_object_key(w, first)
    }
    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        w.write_all(b" : ")
    }
    fn end_object_value<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_object_value(w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_printed_as_its_readers_expect() {
        #[derive(Serialize)]
        struct Small {
            board: Option<u8>,
            list: Vec<u8>,
        }
        let text = printed(&Small {
            board: None,
            list: vec![1],
        });
        assert_eq!(
            text,
            "{\n  \"board\" : null,\n  \"list\" : [\n    1\n  ]\n}"
        );
    }
}
