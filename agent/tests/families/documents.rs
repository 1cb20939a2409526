//! The udev rules know every family.

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
