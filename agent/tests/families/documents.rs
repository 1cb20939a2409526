//! README and udev rules know every family.

#[test]
fn the_readme_says_what_the_program_says_of_every_family() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"))
        .expect("a README");
    for driver in agent::devices::DRIVERS {
        let about = driver.about();
        let row = format!(
            "| `{}` {} | {} | {} |",
            driver.family(),
            about.names,
            about.connection,
            about.checked_against
        );
        assert!(
            readme.lines().any(|line| line == row),
            "the README lacks\n{row}"
        );
    }
}

#[test]
fn the_udev_rules_know_every_board_that_has_usb_numbers() {
    let rules = include_str!("../../packaging/70-eboards.rules");
    for driver in agent::devices::DRIVERS {
        for (vendor, product) in driver.about().usb {
            let vendor = format!("{{idVendor}}==\"{vendor:04x}\"");
            let product = product.map_or(String::new(), |product| format!("\"{product:04x}\""));
            let known = |line: &str| line.contains(&vendor) && line.contains(&product);
            assert!(
                rules.lines().any(known),
                "{} {vendor} {product}",
                driver.family()
            );
        }
    }
}
