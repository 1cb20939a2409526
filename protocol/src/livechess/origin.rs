//! Which pages of other sites a browser may let in.

/// Sites whose pages work with electronic boards, let in unless an operator says otherwise.
pub const ORIGINS: [&str; 4] = [
    "https://lichess.org",
    "https://www.chess.com",
    "https://chess.com",
    "https://live.chess.com",
];

/// Whether a request with this `Origin` may come in: programs that send none, pages of this very address, and those on the list.
pub fn allowed(origin: Option<&str>, host: Option<&str>, list: &[String]) -> bool {
    let Some(origin) = origin else {
        return true;
    };
    let own = host.is_some_and(|host| origin.strip_prefix("http://") == Some(host));
    own || list.iter().any(|known| fits(origin, known))
}

/// Whether a text can stand in such a list: as browsers say where a page comes from, `https://lichess.org`, `https://*.chess.com`.
pub fn is_origin(text: &str) -> bool {
    let Some((scheme, place)) = text.split_once("://") else {
        return false;
    };
    let place = place.strip_prefix("*.").unwrap_or(place);
    let (name, port) = match place.rsplit_once(':') {
        Some((name, port)) if !name.ends_with(':') && !port.ends_with(']') => (name, Some(port)),
        _ => (place, None),
    };
    let is_written = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.[]:".contains(c);
    ["http", "https"].contains(&scheme)
        && !name.is_empty()
        && name.chars().all(is_written)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

fn fits(origin: &str, known: &str) -> bool {
    match known.split_once("://*.") {
        Some((scheme, domain)) => {
            let name = origin
                .strip_prefix(scheme)
                .and_then(|o| o.strip_prefix("://"));
            name.and_then(|n| n.strip_suffix(domain))
                .is_some_and(|n| n.len() > 1 && n.ends_with('.'))
        }
        None => origin == known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_browser_says_is_no_origin() {
        let rows = [
            ("https://lichess.org", true),
            ("https://*.chess.com", true),
            ("http://localhost:3000", true),
            ("http://[::1]:8080", true),
            ("http://[::1]", true),
            ("http://192.168.1.7", true),
            ("lichess.org", false),
            ("*", false),
            ("", false),
            ("https://", false),
            ("https://*.", false),
            ("https://*", false),
            ("https://lichess.org/", false),
            ("https://lichess.org/broadcast", false),
            ("https://Lichess.org", false),
            ("https://lichess.org:port", false),
            ("ftp://lichess.org", false),
            ("null", false),
        ];
        for (text, want) in rows {
            assert_eq!(is_origin(text), want, "{text}");
        }
    }

    #[test]
    fn only_those_on_the_list_come_in() {
        let list = [
            "https://lichess.org".to_owned(),
            "https://*.chess.com".to_owned(),
        ];
        let rows = [
            (None, true),
            (Some("https://lichess.org"), true),
            (Some("https://lichess.org.evil.example"), false),
            (Some("http://lichess.org"), false),
            (Some("https://www.chess.com"), true),
            (Some("https://chess.com"), false),
            (Some("https://evilchess.com"), false),
            (Some("https://.chess.com"), false),
            (Some("null"), false),
            (Some("http://hub.local:1982"), true),
            (Some("http://hub.local:8080"), false),
        ];
        for (origin, want) in rows {
            assert_eq!(
                allowed(origin, Some("hub.local:1982"), &list),
                want,
                "{origin:?}"
            );
        }
    }
}
