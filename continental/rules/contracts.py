"""Contracts: what a hand asks a player to lay down in one turn, written ``2S 1R``."""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from continental.rules.errors import BadQuestion

MeldKind = Literal["set", "run", "pair"]
_SLOT_LETTER: Final[dict[str, MeldKind]] = {"S": "set", "R": "run", "P": "pair"}
_KIND_LETTER: Final = {kind: letter for letter, kind in _SLOT_LETTER.items()}


@dataclass(frozen=True, slots=True)
class Slot:
    """One meld that a contract asks for: its kind and, where the contract itself says so, its least size in cards."""

    kind: MeldKind
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Contract:
    """What a hand asks a player to lay down in one turn, as slots in the order they are written."""

    slots: tuple[Slot, ...]

    @classmethod
    def parse(cls, text: str, at: str = "contract") -> "Contract":
        """Read ``2S 1R``, ``2S1R``, ``1R7`` (a run of at least seven) or ``1P`` (a pair).

        Raises:
            BadQuestion: the text is no contract, asks for nothing, or asks for more than eight melds.
        """
        compact = re.sub(r"[\s,+]+", " ", text.strip().upper())
        slots: list[Slot] = []
        position = 0
        for match in _SLOT.finditer(compact):
            if match.start() != position:
                break
            position = match.end()
            kind = _SLOT_LETTER[match["kind"]]
            size = int(match["size"]) if match["size"] else None
            if size is not None and not 2 <= size <= 14:
                raise BadQuestion(f"“{text[:40]}” asks for a meld of {size} cards", at)
            if kind == "pair" and size is not None:
                raise BadQuestion(f"“{text[:40]}” gives a pair a size: a pair is two cards", at)
            slots.extend([Slot(kind, size)] * int(match["count"]))
        if position != len(compact) or not 1 <= len(slots) <= MAX_SLOTS:
            raise BadQuestion(f"“{text[:40]}” is not a contract such as “2S 1R”", at)
        return cls(tuple(slots))

    def __str__(self) -> str:
        parts = []
        for slot, alike in groupby(self.slots):
            parts.append(f"{len(list(alike))}{_KIND_LETTER[slot.kind]}{slot.size or ''}")
        return " ".join(parts)


_SLOT: Final = re.compile(r"(?P<count>[1-8]) ?(?P<kind>[SRP])(?P<size>\d{1,2})?(?: |(?=\d)|$)", re.ASCII)
MAX_SLOTS: Final = 8
