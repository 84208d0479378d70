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
    '<text x="11" y="21" font-size="21" text-anchor="middle"{squeeze}>{index}</text>'
    '<use href="{suits}#{index_suit}" x="3.5" y="25" width="15" height="15"/>'
    '<use href="{suits}#{suit}" x="19" y="37" width="27" height="27"/>{own}</svg>'
)
_OWN_RANK: Final = '<text x="38" y="34" font-size="14" text-anchor="middle">{rank}</text>'
_SQUEEZE: Final = SafeString(' textLength="18" lengthAdjust="spacingAndGlyphs"')


def _printed(card: str) -> str:
    if card == JOKER:
        return "★"
    return "10" if card[0] == "T" else card[0]


def draw(laid: Laid) -> SafeString:
    """Draw one card as SVG: its index at the corner that a fan leaves free, its own suit large below.

    A wild card shows there what it stands for, and below what it is.
    """
    suit = suit_of(laid.card) or JOKER
    shown = laid.card if laid.spoken is None else laid.spoken
    index = _printed(shown)
    wild_natural = laid.spoken is not None and laid.card != JOKER
    return format_html(
        _FACE,
        suit=suit,
        name=laid_name(laid),
        index=index,
        squeeze=_SQUEEZE if index == "10" else "",
        index_suit=shown[1] if shown != JOKER and len(shown) > 1 else suit,
        suits=static("img/suits.svg"),
        own=format_html(_OWN_RANK, rank=_printed(laid.card)) if wild_natural else "",
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
