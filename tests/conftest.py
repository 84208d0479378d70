"""What every test may use, and what none may do."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone, translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests.cast import Cast, assemble

BROWSER_TESTS = Path(__file__).parent / "browser"

# A busy machine is no reason to fail: neither how long a test takes nor how long its examples take to make is judged.
hypothesis_settings.register_profile("quick", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
hypothesis_settings.register_profile("ci", hypothesis_settings.get_profile("quick"), derandomize=True, database=None)
hypothesis_settings.register_profile("thorough", hypothesis_settings.get_profile("quick"), max_examples=2000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "quick"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests, and run them last: while Playwright runs, its thread can't run a loop of another's."""
    for item in items:
        if BROWSER_TESTS in item.path.parents and "chromium_path" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


def pytest_runtest_teardown() -> None:
    """Speak the language and the time of the settings again: the last page that a test asked for had its own."""
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Refuse every connection that would leave this machine."""
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: Any) -> None:
        inet = self.family in {socket.AF_INET, socket.AF_INET6} and self.type == socket.SOCK_STREAM
        if inet and address[0] not in {"localhost", "127.0.0.1", "::1"}:
            pytest.fail(f"A test tried to connect to {address[0]}.")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_here)
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    """One league with somebody of each role, a stranger, and nobody."""
    return assemble()
