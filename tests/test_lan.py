"""Where this machine is found on the home network."""

import socket
from typing import Any

import pytest

from continental import lan


class Probe:
    """A socket of a machine whose address is ``own``; without one it is on no network."""

    def __init__(self, own: str | None) -> None:
        self.own = own

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *problem: Any) -> None:
        pass

    def connect(self, address: tuple[str, int]) -> None:
        if self.own is None:
            raise OSError("Network is unreachable")

    def getsockname(self) -> tuple[str | None, int]:
        return (self.own, 50000)


@pytest.mark.parametrize(
    ("own", "found"), [("192.0.2.7", "192.0.2.7"), (None, None), ("127.0.0.1", None), ("127.0.1.1", None), ("0.0.0.0", None)]
)
def test_the_address_is_that_of_the_network_that_leads_outwards(
    own: str | None, found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", lambda family, kind: Probe(own))
    assert lan.lan_address() == found


def test_a_phone_may_call_this_machine_by_its_address_or_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen.home.arpa")
    assert lan.host_names("192.0.2.7") == ["192.0.2.7", "kitchen.home.arpa", "kitchen.local"]


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1:8000", True),
        ("127.8.9.10", True),
        ("[::1]:8000", True),
        ("localhost", True),
        ("table.localhost:8000", True),
        ("192.168.1.20:8000", False),
        ("[2001:db8::7]", False),
        ("kitchen.local:8000", False),
        ("localhost.example.org", False),
    ],
)
def test_an_address_that_leads_every_machine_to_itself_is_known(host: str, here: bool) -> None:
    assert lan.only_here(host) is here
