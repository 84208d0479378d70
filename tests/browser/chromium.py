"""Finds the browser that the tests drive, or installs one: ``python -m tests.browser.chromium`` prints its path."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-liberation", "libatomic1")
"""Debian's packages: the browser, letters for it to draw, and what Playwright's driver is linked with."""

INSTALL_SECONDS = 300


def find(environment: Mapping[str, str] = os.environ) -> str | None:
    """The path of a Chromium: the one ``CHROMIUM`` names, one on the path, or Playwright's own; else None."""
    if named := environment.get("CHROMIUM"):
        return shutil.which(named)
    for command in COMMANDS:
        if path := shutil.which(command, path=environment.get("PATH", os.defpath)):
            return path
    cache = Path(
        environment.get("PLAYWRIGHT_BROWSERS_PATH") or Path(environment.get("HOME", "~")).expanduser() / ".cache/ms-playwright"
    )
    own = [path for path in sorted(cache.glob("chromium-*/chrome-*/*")) if path.name in {"chrome", "Chromium.app"}]
    if own and own[-1].name == "Chromium.app":
        return str(own[-1] / "Contents/MacOS/Chromium")
    return str(own[-1]) if own else None


def _run(*command: str) -> bool:
    print("+", " ".join(command), file=sys.stderr, flush=True)
    try:
        done = subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            timeout=INSTALL_SECONDS,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        return False
    return done.returncode == 0


def usable() -> str | None:
    """The path of a browser that the tests can drive on this machine as it stands; else None."""
    path = find()
    return path if path and _run(sys.executable, "-m", "playwright", "--version") else None


def install() -> str | None:
    """Install a browser by apt where that is allowed, else by Playwright; its path, or None when neither could."""
    if os.geteuid() == 0 and shutil.which("apt-get") and _run("apt-get", "update", "-q"):
        _run("apt-get", "install", "-q", "-y", "--no-install-recommends", *PACKAGES)
        if path := usable():
            return path
    _run(sys.executable, "-m", "playwright", "install", "chromium")
    return usable()


def main() -> int:
    """Print the browser's path. Without one: fail where CI is set, else say that the browser tests will be skipped."""
    path = usable() or install()
    if path:
        print(f"Browser: {path}")
        return 0
    print("No Chromium was found, and none could be installed: set CHROMIUM to the path of one.", file=sys.stderr)
    if os.environ.get("CI"):
        return 1
    print("The browser tests will be skipped.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
