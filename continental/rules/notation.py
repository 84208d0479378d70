"""Reading and writing cards and card lists as people type them."""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Final

from continental.rules.cards import CARDS, JOKER, NATURALS, RANKS, Laid
from continental.rules.errors import BadQuestion

MAX_LIST: Final = 400
"""Longest card list that is read: more than four packs with jokers. Longer input is refused, not searched."""

MAX_TEXT: Final = 4000

_SUIT_SIGNS: Final = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})
_SEPARATORS: Final = re.compile(r"[\s,;]+")
_JOKER_WORDS: Final = frozenset({"JK", "JOKER", "*", "★", "☆", "🃏"})


def _face(token: str) -> str | None:
    text = token.translate(_SUIT_SIGNS).replace("\ufe0e", "").replace("\ufe0f", "").upper()
    if text in _JOKER_WORDS:
        return JOKER
    if text.startswith("10"):
        text = "T" + text[2:]
    return text if text in CARDS else None


@lru_cache(maxsize=4096)
def _read_token(token: str) -> Laid | str:
    """Read one token; a string is the reason it cannot be read."""
    head, equals, tail = token.partition("=")
    card = _face(head)
    if card is None:
        return f"“{token[:20]}” is not a card"
    if not equals:
        return Laid(card)
    spoken = _face(tail)
    if spoken is None or spoken == JOKER:
        rank = "T" if tail == "10" else tail.upper()
        if len(rank) == 1 and rank in RANKS:
            return Laid(card, rank)
        return f"“{token[:20]}” names no value that a wild card can stand for"
    return Laid(card, spoken)


_TOKENS: Final = {
    **{card: Laid(card) for card in CARDS},
    **{f"{JOKER}={value}": Laid(JOKER, value) for value in (*NATURALS, *RANKS)},
}
"""What the two-letter form writes for every card, and for every value a joker may be spoken as."""


def parse_laid(text: str, at: str = "cards") -> tuple[Laid, ...]:
    """Read a card list in which wild cards may carry a spoken value (``JK=7H``).

    Args:
        text: cards parted by spaces, commas or line ends; ranks in either case, ``10`` or ``T``, suit letters or
            signs, jokers as ``JK``, ``JOKER``, ``*`` or ``★``.
        at: the place of the list in the question, for the error.

    Raises:
        BadQuestion: a token is no card; it names the token and its number in the list, counted from 1.
    """
    if len(text) > MAX_TEXT:
        raise BadQuestion(f"the list is too long: {len(text)} characters, at most {MAX_TEXT} are read", at)
    with suppress(KeyError):
        plain = tuple([_TOKENS[token] for token in text.split()])
        if len(plain) <= MAX_LIST:
            return plain
    tokens = [token for token in _SEPARATORS.split(text) if token]
    if len(tokens) > MAX_LIST:
        raise BadQuestion(f"the list is too long: {len(tokens)} cards, at most {MAX_LIST} are read", at)
    laid: list[Laid] = []
    for number, token in enumerate(tokens, start=1):
        read = _read_token(token)
        if isinstance(read, str):
            raise BadQuestion(f"{read} (card {number} of {len(tokens)})", at)
        laid.append(read)
    return tuple(laid)


def parse_cards(text: str, at: str = "cards") -> tuple[str, ...]:
    """Read a card list in which no value is spoken, such as the cards left in a hand.

    Raises:
        BadQuestion: a token is no card, or speaks a value.
    """
    laid = parse_laid(text, at)
    cards: list[str] = []
    for card, spoken in laid:
        if spoken is not None:
            raise BadQuestion(f"“{card}={spoken}” speaks a value, which means nothing here (card {len(cards) + 1})", at)
        cards.append(card)
    return tuple(cards)


def parse_card(text: str, at: str = "card") -> str:
    """Read exactly one card."""
    cards = parse_cards(text, at)
    if len(cards) != 1:
        raise BadQuestion(f"one card is wanted here, not {len(cards)}", at)
    return cards[0]


def format_cards(cards: Iterable[str | Laid]) -> str:
    """Write cards in the two-letter form, parted by spaces: the inverse of :func:`parse_laid`."""
    return " ".join([card if isinstance(card, str) else card.card if card.spoken is None else str(card) for card in cards])


_ORDER: Final = {card: place for place, card in enumerate((*NATURALS, JOKER))}


def sort_cards(cards: Iterable[str]) -> list[str]:
    """Sort cards by suit (spades, hearts, diamonds, clubs) and rank, ace low, jokers last."""
    return sorted(cards, key=_ORDER.__getitem__)
