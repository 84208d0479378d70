"""The lock, and the requirement files exported from it for plain pip."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ;\\]+)(?: ; (?P<marker>[^\\]+?))? \\$")
HASH = re.compile(r"^ {4}--hash=(?P<hash>sha256:[0-9a-f]{64})(?: \\)?$")

Pins = dict[str, tuple[str, set[str]]]


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def locked() -> dict[str, dict[str, Any]]:
    """The lock's packages by name, but for those that it holds in two versions: only measurements need one of these."""
    packages = load("uv.lock")["package"]
    times = Counter(package["name"] for package in packages)
    return {package["name"]: package for package in packages if times[package["name"]] == 1}


def pins(name: str) -> Pins:
    """The version and the hashes of each package that the requirement file ``name`` pins."""
    found: Pins = {}
    hashes: set[str] = set()
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if pin := PIN.match(line):
            hashes = set()
            found[pin["name"]] = (pin["version"], hashes)
        else:
            entry = HASH.match(line)
            assert entry, f"{name}: neither a pin nor a hash: {line}"
            hashes.add(entry["hash"])
    return found


def reached(roots: list[dict[str, Any]], locked: dict[str, dict[str, Any]]) -> set[str]:
    """The names of all packages that the dependencies ``roots`` bring, each with the extras asked for."""
    open_ends = [(root["name"], tuple(root.get("extra", ()))) for root in roots]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while open_ends:
        end = open_ends.pop()
        if end in seen:
            continue
        seen.add(end)
        package = locked[end[0]]
        wanted = package.get("dependencies", []) + [
            dependency for extra in end[1] for dependency in package.get("optional-dependencies", {}).get(extra, [])
        ]
        open_ends += [(dependency["name"], tuple(dependency.get("extra", ()))) for dependency in wanted]
    return {name for name, _extras in seen}


def wanted(file: str, locked: dict[str, dict[str, Any]]) -> Pins:
    project = locked["continental"]
    roots = project["dependencies"] + (project["dev-dependencies"]["dev"] if file == "requirements-dev.txt" else [])
    return {name: (locked[name]["version"], hashes(locked[name])) for name in reached(roots, locked)}


def hashes(package: dict[str, Any]) -> set[str]:
    """The hashes of all files of a locked package."""
    files = [*package.get("wheels", []), package.get("sdist")]
    return {file["hash"] for file in files if file}


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_a_requirement_file_holds_exactly_what_the_lock_says(file: str, locked: dict[str, dict[str, Any]]) -> None:
    assert pins(file) == wanted(file, locked), "run `make lock`"


def test_the_lock_was_made_from_the_project_file_as_it_stands(locked: dict[str, dict[str, Any]]) -> None:
    project, metadata = load("pyproject.toml"), locked["continental"]["metadata"]

    def plain(requirement: str) -> tuple[str, str]:
        name, specifier = re.fullmatch(r"([a-z0-9-]+)(?:\[[a-z,-]+\])?(.*)", requirement, re.ASCII).groups()  # type: ignore[union-attr]
        return name, specifier

    def of_lock(entries: list[dict[str, Any]]) -> set[tuple[str, str]]:
        return {(entry["name"], entry.get("specifier", "")) for entry in entries}

    assert of_lock(metadata["requires-dist"]) == set(map(plain, project["project"]["dependencies"])), "run `make lock`"
    for group, requirements in project["dependency-groups"].items():
        assert of_lock(metadata["requires-dev"][group]) == set(map(plain, requirements)), "run `make lock`"
    assert load("uv.lock")["requires-python"] == project["project"]["requires-python"]


def test_every_package_comes_from_one_public_index(locked: dict[str, dict[str, Any]]) -> None:
    sources = {str(package["source"]) for package in locked.values() if package["name"] != "continental"}
    assert len(sources) == 1
    addresses = set(re.findall(r"\w+://[^\s\"]+", (ROOT / "uv.lock").read_text(encoding="utf-8")))
    assert [address for address in addresses if not re.match(r"https://[a-z.]+\.(?:org|com)/", address)] == []


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_a_requirement_file_names_no_index(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
