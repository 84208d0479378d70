"""Numbers of the scorebook in templates."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import get_format

from continental.rules.standings import Points
from scoring import season

register = template.Library()


@register.filter
def mean(value: Fraction, places: int) -> str:
    """Show an exact mean with ``places`` decimals, halves away from zero, in the reader's notation."""
    return decimal(*value.as_integer_ratio(), places)


def decimal(over: int, under: int, places: int) -> str:
    """Show the quotient of two whole numbers, the second above 0, as :func:`mean` does."""
    whole = (2 * abs(over) * 10**places + under) // (2 * under)
    text = f"{whole:0{places + 1}d}"
    sign = "-" if over < 0 and whole else ""
    return f"{sign}{text[:-places]}{get_format('DECIMAL_SEPARATOR')}{text[-places:]}" if places else sign + text


@register.filter
def points(value: Points) -> str:
    """Show points: whole ones as they are, those of a scaled short night with one decimal."""
    return str(value) if value.denominator == 1 else decimal(*value.as_integer_ratio(), 1)


@register.filter
def resumed_until(started_on: date) -> date:
    """Give the last day on which a game that began on this one may be resumed, to be written as any other day."""
    return season.last_day(started_on)


_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@register.filter
def face(card: str) -> str:
    """Show a card as people write it: 10♥, A♠, and a star for the joker."""
    if card == "JK":
        return "★"
    return card[0].replace("T", "10") + _SIGNS[card[1]]


@register.filter
def item(mapping: Mapping[str, Any], key: str) -> Any:
    """Give what a mapping holds under a key that the template has in a variable; empty text where there is nothing."""
    return mapping.get(key, "")


@register.filter
def signed(value: int) -> str:
    """Show points with their sign: +50, −10."""
    return f"{value:+d}".replace("-", "\u2212")
