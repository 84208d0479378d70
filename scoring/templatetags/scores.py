"""Numbers of the scorebook in templates."""

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import get_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from continental.rules.cards import CARDS
from continental.rules.standings import Points
from continental.templatetags.table import card_name
from scoring import season
from scoring.sheet_words import face

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


_CARDS = {face(card): card for card in CARDS}
_FACE = re.compile(r"(?<![^\s(=])((?:10|[2-9JQKA])[♠♥♦♣]|★)(?![^\s),=])")


@register.filter
def spoken(words: str) -> SafeString:
    """Let the cards in a sentence be read out by their names: a screen reader says of 9♣ what the sign looks like."""
    parts = _FACE.split(words)
    written = format_html_join("", "{}", ((_read_out(part) if place % 2 else part,) for place, part in enumerate(parts)))
    return written if len(parts) == 1 else format_html("<span>{}</span>", written)


def _read_out(shown: str) -> SafeString:
    return format_html(
        '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', shown, card_name(_CARDS[shown])
    )


@register.filter
def item(mapping: Mapping[str, Any], key: str) -> Any:
    """Give what a mapping holds under a key that the template has in a variable; empty text where there is nothing."""
    return mapping.get(key, "")


@register.filter
def signed(value: int) -> str:
    """Show points with their sign: +50, −10."""
    return f"{value:+d}".replace("-", "\u2212")
