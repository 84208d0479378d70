"""``manage.py referee`` as a stream."""

import io
import json
import subprocess
import sys
from pathlib import Path

from continental.rules.referee import answer
from scoring.management.commands.referee import _MOST_BYTES, answer_bytes, lines

ROOT = Path(__file__).parents[2]
COUNT = {"ask": "count", "rules": "house", "cards": "7H JK", "missing": 0}


def stream(text: bytes) -> list[bytes]:
    return list(lines(io.BytesIO(text)))


def test_every_line_is_given_without_its_end_also_the_last() -> None:
    assert stream(b"one\ntwo\r\n\nfour") == [b"one", b"two", b"", b"four"]
    assert stream(b"") == []


def test_a_huge_line_is_cut_and_the_next_is_whole() -> None:
    first, second = stream(b"[" * (3 * _MOST_BYTES) + b"\n{}")
    assert len(first) == _MOST_BYTES + 1
    assert second == b"{}"
    assert "too long" in json.loads(answer_bytes(first))["error"]


def test_a_line_of_just_the_most_bytes_is_whole() -> None:
    assert stream(b"x" * _MOST_BYTES + b"\n{}") == [b"x" * _MOST_BYTES, b"{}"]


def test_a_line_that_is_not_text_is_an_error_with_its_place() -> None:
    assert json.loads(answer_bytes(b'{"ask": "\xff"}')) == {"error": "the line is not UTF-8 text", "at": "byte 10"}


def test_the_command_answers_every_line_in_order_and_one_by_one() -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "referee"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as command:
        assert command.stdin is not None
        assert command.stdout is not None
        for sent in (COUNT, {"ask": "nonsense"}, COUNT | {"missing": 3}):
            command.stdin.write(json.dumps(sent).encode() + b"\n")
            command.stdin.flush()
            assert json.loads(command.stdout.readline()) == answer(sent)
        command.stdin.write(b"\xff\n\nnonsense\n" + json.dumps(COUNT).encode())
        command.stdin.close()
        *bad, good = command.stdout.read().splitlines()
        assert [set(json.loads(line)) for line in bad] == [{"error", "at"}] * 3
        assert json.loads(good) == answer(COUNT)
    assert command.returncode == 0


def test_the_command_ends_quietly_when_nobody_reads_on() -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "referee"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdin is not None
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdin.write(b"{}\n")
        command.stdin.flush()
        command.stdout.readline()
        command.stdout.close()
        command.stdin.write(b"{}\n")
        command.stdin.close()
        assert command.stderr.read() == b""
    assert command.returncode == 0
