"""Charts as SVG, drawn by the server. Every chart stands beside a table with the same numbers.

Nothing hangs on colour: lines differ in dash and mark, and colours come from a palette that colour-blind people can tell apart
(Okabe and Ito). The style sheet gives the colours, so charts follow the theme and print in black.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final
from xml.etree import ElementTree as ET

from django.utils.safestring import SafeString

WIDTH: Final = 640
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 12, 12, 28
DASHES: Final = ("", "7 4", "2 3", "10 3 2 3", "14 4", "5 2 1 2")
MARKS: Final = ("circle", "square", "triangle", "diamond", "cross", "bar")
MOST_SERIES: Final = len(DASHES)


@dataclass(frozen=True)
class Bar:
    """One bar: its short label, its value (``None``: there is none, which is not 0), and one to compare it with."""

    label: str
    value: Fraction | None
    other: Fraction | None = None


def bars(rows: Sequence[Bar], label: str) -> SafeString:
    """Draw bars from a common line.

    Args:
        label: what the chart shows, for those who don't see it.
    """
    height = 220
    values = [float(value) for row in rows for value in (row.value, row.other) if value is not None]
    scale = _Scale(min([0.0, *values]), max([0.0, *values]), height)
    svg = _svg(height, label)
    _grid(svg, scale)
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(rows))
    for at, row in enumerate(rows):
        x = _LEFT + at * step
        if row.value is not None:
            _bar(svg, "bar", x + step * 0.2, step * 0.6, scale, float(row.value))
        if row.other is not None:
            _bar(svg, "bar-other", x + step * 0.12, step * 0.76, scale, float(row.other))
        _text(svg, x + step / 2, height - 10, row.label, "middle")
    return _done(svg)


def lines(series: Sequence[Sequence[Fraction | None]], label: str) -> SafeString:
    """Draw up to six lines over the same steps, counted from 1; a gap (``None``) is a gap."""
    height = 260
    values = [float(value) for points in series for value in points if value is not None]
    scale = _Scale(min(values, default=0.0), max(values, default=1.0), height)
    svg = _svg(height, label)
    _grid(svg, scale)
    steps = max((len(points) for points in series), default=1)
    width = (WIDTH - _LEFT - _RIGHT - 16) / max(1, steps - 1)
    for number, points in enumerate(series[:MOST_SERIES]):
        run: list[tuple[float, float]] = []
        for at, value in enumerate([*points, None]):
            if value is not None:
                run.append((_LEFT + 8 + at * width, scale.y(float(value))))
                continue
            _run(svg, number, run)
            run = []
    for at in sorted({0, (steps - 1) // 2, steps - 1}):
        _text(svg, _LEFT + 8 + at * width, height - 10, str(at + 1), "middle")
    return _done(svg)


def key(number: int) -> SafeString:
    """Draw the sample of a line for the list of names beside its chart."""
    svg = ET.Element("svg", {"viewBox": "0 0 36 14", "aria-hidden": "true"})
    _run(svg, number, [(2, 7), (18, 7), (34, 7)], marks=1)
    return _done(svg)


class _Scale:
    """From values to heights, with round numbers at the grid lines."""

    def __init__(self, low: float, high: float, height: int) -> None:
        span = (high - low) or 1.0
        self.step = _round_step(span / 4)
        self.low = floor(low / self.step) * self.step
        self.high = max(ceil(high / self.step) * self.step, self.low + self.step)
        self.height = height

    def y(self, value: float) -> float:
        room = self.height - _TOP - _BOTTOM
        return _TOP + room * (self.high - value) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [self.low + at * self.step for at in range(count + 1)]


def _round_step(span: float) -> float:
    power = 10.0 ** floor(log10(span))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= span * 0.999)


def _svg(height: int, label: str) -> ET.Element:
    return ET.Element("svg", {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria-label": label})


def _grid(svg: ET.Element, scale: _Scale) -> None:
    for tick in scale.ticks:
        y = _n(scale.y(tick))
        ET.SubElement(svg, "line", {"class": "grid", "x1": str(_LEFT), "x2": str(WIDTH - _RIGHT), "y1": y, "y2": y})
        _text(svg, _LEFT - 6, scale.y(tick) + 4, f"{tick:g}", "end")
    axis = _n(scale.y(max(scale.low, min(0.0, scale.high))))
    ET.SubElement(svg, "line", {"class": "axis", "x1": str(_LEFT), "x2": str(WIDTH - _RIGHT), "y1": axis, "y2": axis})


def _bar(svg: ET.Element, style: str, x: float, width: float, scale: _Scale, value: float) -> None:
    top, bottom = sorted((scale.y(value), scale.y(0.0)))
    box = {"class": style, "x": _n(x), "y": _n(top), "width": _n(width), "height": _n(max(1.0, bottom - top))}
    ET.SubElement(svg, "rect", box)


def _run(svg: ET.Element, number: int, points: Sequence[tuple[float, float]], marks: int | None = None) -> None:
    if not points:
        return
    path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
    line = {"class": f"line c{number}", "points": path}
    if DASHES[number]:
        line["stroke-dasharray"] = DASHES[number]
    ET.SubElement(svg, "polyline", line)
    every = max(1, len(points) // 12)
    marked = [points[len(points) // 2]] if marks == 1 else [*points[:-1:every], points[-1]]
    for x, y in marked:
        _mark(svg, number, x, y)


def _mark(svg: ET.Element, number: int, x: float, y: float) -> None:
    shape = MARKS[number]
    style = f"dot f{number}"
    r = 4.5
    if shape == "circle":
        ET.SubElement(svg, "circle", {"class": style, "cx": _n(x), "cy": _n(y), "r": _n(r)})
        return
    shapes: dict[str, list[tuple[float, float]]] = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "triangle": [(0, -1.2), (1.1, 1), (-1.1, 1)],
        "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
        "cross": [(-1.2, -0.4), (-0.4, -0.4), (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4),
                  (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4)],
        "bar": [(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)],
    }  # fmt: skip
    path = " ".join(f"{_n(x + r * dx)},{_n(y + r * dy)}" for dx, dy in shapes[shape])
    ET.SubElement(svg, "polygon", {"class": style, "points": path})


def _text(svg: ET.Element, x: float, y: float, text: str, anchor: str) -> None:
    ET.SubElement(svg, "text", {"x": _n(x), "y": _n(y), "text-anchor": anchor}).text = text


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _done(svg: ET.Element) -> SafeString:
    """Write an element out; ElementTree escapes every text and attribute in it."""
    return SafeString(ET.tostring(svg, encoding="unicode"))
