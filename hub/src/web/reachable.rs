//! Under which address a telephone finds a wall that the hub's own machine shows as `localhost`.

use std::net::{IpAddr, SocketAddr, UdpSocket};

/// The host of a wall's code: as its reader knows it, or this machine's own address where the reader sits at it and the wall listens
/// to others too.
pub(super) fn reachable(host: &str, listener: Option<SocketAddr>) -> String {
    let others = listener.filter(|at| at.ip().is_unspecified());
    let own = others.filter(|_| is_this_machine(host)).zip(own_address());
    own.map_or_else(
        || host.to_owned(),
        |(at, ip)| SocketAddr::new(ip, at.port()).to_string(),
    )
}

fn is_this_machine(host: &str) -> bool {
    let (name, _) = host.rsplit_once(':').unwrap_or((host, ""));
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|ip| ip.is_loopback())
}

/// The address from which this machine would speak to others; nothing is sent for it.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address for documentation: any that is not of this machine does.
    socket.connect("192.0.2.1:9").ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machines_own_reader_is_given_another_address() {
        let everybody: SocketAddr = "0.0.0.0:8080".parse().expect("an address");
        let alone: SocketAddr = "127.0.0.1:8080".parse().expect("an address");
        for host in ["wall.local:8080", "10.0.0.5:8080", "[fe80::1]:8080"] {
            assert_eq!(reachable(host, Some(everybody)), host);
        }
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"] {
            assert_eq!(reachable(host, Some(alone)), host);
            assert_eq!(reachable(host, None), host);
            let given = reachable(host, Some(everybody));
            let want = own_address().map_or(host.to_owned(), |ip| format!("{ip}:8080"));
            assert_eq!(given, want);
        }
    }
}
