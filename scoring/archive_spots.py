"""One value of an archive and the place where it stands: what it must be is asked of it, and a refusal names the place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import Any, Final

from continental.rules.reading import shown
from scoring.state import Refused


class Flaw(Exception):
    """Something in an archive that cannot be read in.

    Args:
        place: where in the document, such as ``games[3].events[7].kind``; empty for the document as a whole.
        code: what is wrong, a key of ``scoring.archive_words.FLAWS``, or ``refused`` for what a table refused.
        params: what the sentence names.
    """

    def __init__(self, place: str, code: str, **params: Any) -> None:
        super().__init__(place, code, params)
        self.place, self.code, self.params = place, code, params

    @classmethod
    def of(cls, place: str, refusal: Refused) -> "Flaw":
        """Give what a table refused as a flaw of the file that asks for it."""
        return cls(place, "refused", because=refusal.code, values=refusal.params)


@dataclass(frozen=True, slots=True)
class Spot:
    """A value and its place. Every reader gives the value as what it should be, or raises :class:`Flaw`."""

    value: Any
    place: str = ""

    def flaw(self, code: str, **params: Any) -> Flaw:
        return Flaw(self.place, code, **params)

    def object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.flaw("no-object", found=shown(self.value))
        return self.value

    def fields(self, *names: str, maybe: tuple[str, ...] = ()) -> dict[str, "Spot"]:
        """Give the parts of an object that has these, some of those it may have, and no others."""
        value = self.object()
        for name in names:
            if name not in value:
                raise self.flaw("missing", name=name)
        for name in value:
            if name not in names and name not in maybe:
                raise self.flaw("unknown", name=name[:40])
        return {name: self.part(name) for name in (*names, *maybe) if name in value}

    def part(self, name: str) -> "Spot":
        return Spot(self.object().get(name), f"{self.place}.{name}" if self.place else name)

    def each(self, most: int) -> Iterator["Spot"]:
        if not isinstance(self.value, list):
            raise self.flaw("no-list", found=shown(self.value))
        if len(self.value) > most:
            raise self.flaw("too-many", count=len(self.value), most=most)
        return (Spot(value, f"{self.place}[{at}]") for at, value in enumerate(self.value))

    def text(self, most: int, least: int = 0) -> str:
        if not isinstance(self.value, str):
            raise self.flaw("no-text", found=shown(self.value))
        if not least <= len(self.value) <= most:
            raise self.flaw("text-length", count=len(self.value), least=least, most=most)
        return self.value

    def whole(self, least: int, most: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            raise self.flaw("no-number", found=shown(self.value), least=least, most=most)
        return self.value

    def whole_or_none(self, least: int, most: int) -> int | None:
        return None if self.value is None else self.whole(least, most)

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.flaw("no-flag", found=shown(self.value))
        return self.value

    def day(self) -> date:
        try:
            return date.fromisoformat(self.text(10))
        except ValueError:
            raise self.flaw("no-day", found=shown(self.value)) from None

    def moment(self) -> datetime:
        try:
            at = datetime.fromisoformat(self.text(40))
        except ValueError:
            raise self.flaw("no-moment", found=shown(self.value)) from None
        if at.tzinfo is None:
            raise self.flaw("no-moment", found=shown(self.value))
        return at

    def moment_or_none(self) -> datetime | None:
        return None if self.value is None else self.moment()

    def must_be_kept(self) -> None:
        """Refuse what no database keeps, however deep it lies: half a character, a null byte, a number without end."""
        match self.value:
            case str() if _UNKEPT.search(self.value):
                raise self.flaw("unkept")
            case float() if not isfinite(self.value):
                raise self.flaw("unkept")
            case int() if abs(self.value) > _LARGEST:
                raise self.flaw("unkept")
            case list():
                for at, value in enumerate(self.value):
                    Spot(value, f"{self.place}[{at}]").must_be_kept()
            case dict():
                for name, value in self.value.items():
                    Spot(name, self.place).must_be_kept()
                    Spot(value, f"{self.place}.{name[:40]}" if self.place else name[:40]).must_be_kept()


_UNKEPT: Final = re.compile("[\x00\ud800-\udfff]")
_LARGEST: Final = 2**62


def first_difference(file: Any, here: Any, place: str = "") -> Flaw | None:
    """Find where what the site made of an archive is not what the archive says."""
    if isinstance(file, dict) and isinstance(here, dict) and file.keys() == here.keys():
        pairs = [(file[name], here[name], f"{place}.{name}" if place else name) for name in file]
    elif isinstance(file, list) and isinstance(here, list) and len(file) == len(here):
        pairs = [(one, other, f"{place}[{at}]") for at, (one, other) in enumerate(zip(file, here, strict=True))]
    else:
        same = type(file) is type(here) and file == here
        return None if same else Flaw(place, "differs", file=shown(file), here=shown(here))
    return next((found for pair in pairs if (found := first_difference(*pair))), None)
