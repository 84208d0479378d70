"""What a page of numbers says: its lists of terms and its tables, by the section in which they stand."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from html.parser import HTMLParser


class PageNumbers(HTMLParser):
    """Reads a page: ``terms`` has the large print of each term, ``tables`` the rows of cells under each section's id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.terms: dict[str, str] = {}
        self.small: dict[str, str] = {}
        self.tables: dict[str, list[list[list[str]]]] = defaultdict(list)
        self._section = ""
        self._term = ""
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self._inside.append(tag)
        match tag:
            case "section":
                self._section = known.get("aria-labelledby") or ""
            case "table":
                self.tables[self._section].append([])
            case "tr":
                self.tables[self._section][-1].append([])
            case "td" | "th":
                self.tables[self._section][-1][-1].append("")
            case "dt":
                self._term = ""
            case "dd":
                self.terms[self._term], self.small[self._term] = "", ""
            case "br" | "img" | "input" | "meta" | "link" | "hr":
                self._inside.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass
        if tag == "section":
            self._section = ""

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if not text or text == "≈":
            return
        if "dd" in self._inside:
            said = self.small if "small" in self._inside else self.terms
            said[self._term] = f"{said[self._term]} {text}".strip()
        elif "dt" in self._inside:
            self._term = f"{self._term} {text}".strip()
        elif "td" in self._inside or "th" in self._inside:
            row = self.tables[self._section][-1][-1]
            row[-1] = f"{row[-1]} {text}".strip()

    def rows(self, section: str, at: int = 0) -> list[list[str]]:
        """Give the rows of a table below its head."""
        return self.tables[section][at][1:]


def shown(value: Fraction | int, places: int = 0) -> str:
    """Write a number as a page in English does, halves away from zero."""
    exact = Decimal(Fraction(value).numerator) / Decimal(Fraction(value).denominator)
    return str(exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP))


def points_of(value: Fraction | int) -> str:
    """Write points: whole as they are, others with one decimal."""
    return shown(value, 0 if Fraction(value).denominator == 1 else 1)


def mean_of(values: Sequence[Fraction | int], places: int) -> str:
    return shown(Fraction(sum(values), len(values)), places) if values else "–"


def share_of(part: int, whole: int) -> str:
    return f"{shown(Fraction(100 * part, whole))} %" if whole else "–"
