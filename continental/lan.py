"""Where this machine is found on the home network."""

import socket


def lan_address() -> str | None:
    """This machine's IPv4 address on the network that leads outwards; None without a network.

    Connecting a datagram socket sends nothing: the system only chooses the address it would send from.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith(("127.", "0.")) else address


def host_names(address: str) -> list[str]:
    """The names a phone on the same network may use for this machine: its address and its own name."""
    name = socket.gethostname().lower()
    return [address, name, f"{name.split('.')[0]}.local"]
