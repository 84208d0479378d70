"""The unit tests of the ES modules, each file by Node's own runner."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "js"
FILES = sorted(FOLDER.rglob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(FOLDER)) for file in FILES])
def test_every_test_of_a_module_passes(file: Path) -> None:
    node = shutil.which("node")
    if node is None:
        reason = "Node.js is not installed, so the modules' own tests were not run"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run([node, "--test", file], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
