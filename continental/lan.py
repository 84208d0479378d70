"""Where this machine is found on the home network."""

import contextlib
import ipaddress
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


def only_here(host: str) -> bool:
    """Tell whether a host, as it stands in an address, leads every machine to itself: no phone gets anywhere by it."""
    name = host.removeprefix("[").partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return name == "localhost" or name.endswith(".localhost")


def host_names(address: str) -> list[str]:
    """The names a phone on the same network may use for this machine: its address and its own name."""
    name = socket.gethostname().lower()
    return [address, name, f"{name.split('.')[0]}.local"]
