"""What lies on a table, for templates: playing cards as the site draws them, with a name for those who listen.

``{% card "7H" %}`` draws one face, ``{% fan "7H 8H JK=9H" %}`` an overlapping row of them; both load with css/table.css.
"""

from typing import Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from continental.rules.cards import JOKER, Laid, rank_of, suit_of
from continental.rules.notation import parse_laid

register = template.Library()

RANK_NAMES: Final = {
    "A": gettext_lazy("ace"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
    "T": "10",
}
SUIT_NAMES: Final = {
    "S": gettext_lazy("spades"),
    "H": gettext_lazy("hearts"),
    "D": gettext_lazy("diamonds"),
    "C": gettext_lazy("clubs"),
}


def card_name(card: str) -> str:
    """Give a card's name in the page's language: “7 of hearts”, “joker”; a rank alone is named as such."""
    if card == JOKER:
        return _("joker")
    rank = str(RANK_NAMES.get(rank_of(card), card[0]))
    suit = suit_of(card) if len(card) > 1 else None
    return _("%(rank)s of %(suit)s") % {"rank": rank, "suit": SUIT_NAMES[suit]} if suit else rank


def laid_name(laid: Laid) -> str:
    """Give the name of a card as it lies: “joker as 9 of hearts”."""
    if laid.spoken is None:
        return card_name(laid.card)
    return _("%(card)s as %(value)s") % {"card": card_name(laid.card), "value": card_name(laid.spoken)}


_FACE: Final = (
    '<svg class="face face--{suit}" viewBox="0 0 50 70" role="img" aria-label="{name}">'
    '<rect x=".5" y=".5" width="49" height="69" rx="5"/>'
    '<text x="{x}" y="21" font-size="21" text-anchor="middle"{squeeze}>{rank}</text>'
    '<use href="{suits}#{suit}" x="3" y="25" width="14" height="14"/>'
    '<use href="{suits}#{suit}" x="19" y="37" width="27" height="27"/>'
    "{spoken}</svg>"
)
_SPOKEN: Final = '<text x="33" y="21" font-size="15" text-anchor="middle">{rank}{sign}</text>'
_TEN: Final = SafeString(' textLength="18" lengthAdjust="spacingAndGlyphs"')
_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def _printed(card: str) -> str:
    return "10" if card[0] == "T" else card[0]


def draw(laid: Laid) -> SafeString:
    """Draw one card as SVG. A wild card that stands for another shows it in its corner."""
    joker = laid.card == JOKER
    spoken = SafeString()
    if laid.spoken is not None:
        sign = _SIGNS[laid.spoken[1]] if len(laid.spoken) > 1 else ""
        spoken = format_html(_SPOKEN, rank=_printed(laid.spoken), sign=sign)
    rank = "" if joker else _printed(laid.card)
    return format_html(
        _FACE,
        suit=JOKER if joker else laid.card[1],
        name=laid_name(laid),
        x=11,
        squeeze=_TEN if rank == "10" else "",
        rank=rank or "★",
        suits=static("img/suits.svg"),
        spoken=spoken,
    )


@register.simple_tag
def card(text: str) -> SafeString:
    """Draw one card: ``7H``, ``JK``, ``JK=7H``."""
    (laid,) = parse_laid(text)
    return draw(laid)


@register.simple_tag
def fan(text: str, label: str = "") -> SafeString:
    """Draw a row of cards that overlaps where it must, as a list with an accessible name."""
    cards = format_html_join("", "<li>{}</li>", ((draw(laid),) for laid in parse_laid(text)))
    return format_html('<ul class="fan"{}>{}</ul>', format_html(' aria-label="{}"', label) if label else "", cards)


@register.filter
def card_label(text: str) -> str:
    """Name a card in words, for labels."""
    return card_name(text)
