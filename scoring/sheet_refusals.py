"""Why a rule sheet is refused, in the reader's language: the sentences of the rules, and where their values stand in them."""

import re
from functools import cache
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as mark

from continental.rules.errors import BadQuestion

REASONS: Final = (
    # Translators: why a rule sheet cannot be; each becomes a sentence of its own.
    mark("“%(typed)s” is not a whole number"),
    mark("a whole number is wanted, not nothing"),
    mark("%(typed)s is not between %(least)s and %(most)s"),
    mark("choose what the number hangs on"),
    mark("write the table like “4: 2, 8: 3”: up to 4 players 2, up to 8 players 3"),
    mark("a table from a number of players to a number is wanted"),
    mark("write “%(typed)s” like “A red = 1”"),
    mark("%(typed)s is no card, rank or rank of one colour"),
    mark("%(typed)s is no rank, rank of one colour or card"),
    mark("the list is too long: %(count)s things, at most %(most)s are read"),
    mark("“%(typed)s” is not a contract such as “2S 1R”"),
    mark("“%(typed)s” asks for a meld of %(size)s cards"),
    mark("“%(typed)s” gives a pair a size: a pair is two cards"),
    mark("a contract such as “2S 1R” is wanted where melds are not free"),
    mark("the number of cards to deal is missing"),
    mark("a hand melded whole has no card left to discard"),
    mark("no run may be longer than %(most)s"),
    mark("the contract asks for a set of %(size)s, and none may be larger than %(most)s"),
    mark("the contract asks for a run of %(size)s, and none may be larger than %(most)s"),
    mark("the most players are fewer than the fewest"),
    mark("a game needs at least one pack"),
    mark("there are jokers in the packs, so “JK” must be among the wild cards"),
    mark("the greatest set is smaller than the least"),
    mark("the longest run is shorter than the shortest"),
    mark("a run can pass through the ace only where the ace is high and low"),
    mark("a run can hold two aces only where the ace is high and low"),
    mark("a set cannot need more natural cards than it has"),
    mark("what the places get and pay must sum to zero"),
    mark("a share of the kitty is not below zero"),
    mark("this link holds no rule sheet"),
    mark("this link holds no whole rule sheet"),
    mark("this link holds no rule sheet, or lost a part of it"),
    mark("the lines of the house in this link cannot be read"),
)


def say(error: BadQuestion) -> str:
    """Say why something was refused, as a sentence in the reader's language where it is known there."""
    known = next(((reason, found) for reason, pattern in _patterns() if (found := pattern.fullmatch(error.message))), None)
    words = _(known[0]) % known[1].groupdict() if known and known[1].groupdict() else _(error.message)
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give each sentence with the pattern that finds its values."""
    return tuple((reason, re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(reason)), re.DOTALL)) for reason in REASONS)


_PLACE: Final = re.compile(r"%\\\((\w+)\\\)s")
