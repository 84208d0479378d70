"""``manage.py referee``: questions in, answers out, one JSON object a line."""

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from django.core.management.base import BaseCommand

from continental.rules.errors import BadQuestion
from continental.rules.referee import LONGEST_LINE, answer_line, write_json

_MOST_BYTES = 4 * LONGEST_LINE


class Command(BaseCommand):
    """Answer every line of standard input on standard output, in order, as it comes."""

    help = (
        "Answers referee questions: one JSON object a line on standard input, one answer a line on standard output. "
        "A line that cannot be read is answered with an error object, and the next line is still answered."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 (Django declares it so)

    def handle(self, **options: object) -> None:
        """Stream until the input ends or nobody reads the output any more."""
        out = sys.stdout.buffer
        try:
            for line in lines(sys.stdin.buffer):
                out.write(answer_bytes(line).encode() + b"\n")
                out.flush()
        except BrokenPipeError:
            # Nobody reads on: let the flush at exit go nowhere instead of failing once more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def lines(source: BinaryIO) -> Iterator[bytes]:
    """Give the lines of ``source`` without their ends; of a line too long to be read, only a beginning that is too long."""
    while line := source.readline(_MOST_BYTES + 1):
        rest = line
        while len(rest) > _MOST_BYTES and not rest.endswith(b"\n"):
            rest = source.readline(_MOST_BYTES + 1)
        yield line.rstrip(b"\r\n")


def answer_bytes(line: bytes) -> str:
    """Answer one line as it was read from a file or a socket."""
    try:
        return answer_line(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return write_json(BadQuestion("the line is not UTF-8 text", f"byte {error.start + 1}").as_dict())
