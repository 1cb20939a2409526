//! Made-up players for the demonstration: every number has a name of its own.

const FAMILIES: &[&str] = &[
    "Okafor",
    "Kuznetsova",
    "Marchetti",
    "Iyer",
    "Novak",
    "Haddad",
    "Sousa",
    "Lindqvist",
    "Brandt",
    "Ferrari",
    "Diallo",
    "Tanaka",
    "Petit",
    "Nowicki",
    "Aubert",
    "Romero",
    "Keller",
    "Virtanen",
    "Papadakis",
    "Moreau",
    "Silva",
    "Jensen",
    "Kovacs",
    "Bauer",
    "Rossi",
    "Dubois",
    "Meier",
    "Andersen",
    "Popescu",
    "Horvat",
    "Costa",
    "Vidal",
    "Fischer-Roth",
    "Laurent",
    "Nagy",
    "Ivanova",
];

/// The name of player `number`: `Okafor, A`, and after the 36th `Okafor, B` …
pub(crate) fn player(number: usize) -> String {
    let letter = |n: usize| char::from(b'A' + u8::try_from(n % 26).expect("below 26"));
    let turn = number / FAMILIES.len();
    let second = if turn < 26 {
        String::new()
    } else {
        format!(".{}", letter(turn / 26 - 1))
    };
    format!(
        "{}, {}{second}",
        FAMILIES[number % FAMILIES.len()],
        letter(turn)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thousand_players_have_two_thousand_names() {
        let names: std::collections::BTreeSet<String> = (0..2000).map(player).collect();
        assert_eq!(names.len(), 2000);
    }
}
