"""Why the rules refuse what was typed, in the reader's language: their sentences, and where the values stand in them.

The rules give their refusals in English, for the protocol and the log. Whatever of them a page shows comes through here.
"""

import re
from functools import cache
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as mark

from continental.rules.errors import BadQuestion

REASONS: Final = (
    # Translators: why something cannot be; each becomes a sentence of its own, or stands after a colon.
    mark("there is no rule set %(typed)s"),
    mark("there is no parameter %(typed)s"),
    mark("the parameter “%(typed)s” is missing"),
    mark("the rule set is the id of a preset, or an object with “base”"),
    mark("the rule set is not plain data"),
    mark("the rule set is nested too deeply"),
    mark("the rule set is too long: at most %(most)s characters are read"),
    mark("“base” names the preset that the rule set starts from"),
    mark("a number is wanted, or how it hangs on the players"),
    mark("“%(typed)s” is not a whole number"),
    mark("a whole number is wanted, not nothing"),
    mark("a whole number is wanted, not %(typed)s"),
    mark("yes or no (true or false) is wanted, not %(typed)s"),
    mark("%(typed)s is none of: %(known)s"),
    mark("a text is wanted, not %(typed)s"),
    mark("a text of %(least)s to %(most)s characters is wanted, not one of %(count)s"),
    mark("a list is wanted, not %(typed)s"),
    mark("an object is wanted, not %(typed)s"),
    mark("the keys of an object are texts"),
    mark("the key %(typed)s is not known here"),
    mark("the key “%(typed)s” is missing"),
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
    mark("this scorebook moves all players on to the next hand together"),
    mark("this scorebook scores players one by one"),
    mark("a player who drops a game for every game played has none left"),
    mark("there is no seat %(typed)s at a table of %(count)s"),
    mark("%(decks)s packs are too few to deal %(each)s cards to each of %(count)s players"),
    mark("the rules do not say how many cards %(count)s players get"),
    mark("the hands of “%(typed)s” are not in the source: enter them before play"),
    mark("there is no hand %(typed)s: this game has %(count)s"),
    mark("“%(typed)s” is not a card (card %(number)s of %(count)s)"),
    mark("“%(typed)s” names no value that a wild card can stand for (card %(number)s of %(count)s)"),
    mark("“%(typed)s” speaks a value, which means nothing here (card %(number)s)"),
    mark("one card is wanted here, not %(count)s"),
    mark("the list is too long: %(count)s characters, at most %(most)s are read"),
    mark("the list is too long: %(count)s cards, at most %(most)s are read"),
    mark("“%(typed)s” is no card of this game"),
    mark("the points of %(typed)s hang on its suit: say which"),
    mark("the points of %(typed)s still have to be entered in the rule sheet"),
    mark("this link holds no rule sheet"),
    mark("this link holds no whole rule sheet"),
    mark("this link holds no rule sheet, or lost a part of it"),
    mark("the lines of the house in this link cannot be read"),
)


KINDS: Final = (
    mark("a list"),
    mark("an object"),
    mark("nothing"),
    mark("yes or no"),
    mark("a number that large"),
    mark("a broken number"),
    mark("a thing of another kind"),
)
"""What ``continental.rules.reading.shown`` says of a value that it does not quote."""


def say(error: BadQuestion) -> str:
    """Say why something was refused, as a sentence in the reader's language where it is known there."""
    words = say_within(error.message)
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def say_within(message: str) -> str:
    """Say the message of a refusal as a part of a sentence, such as stands after a colon."""
    known = next(((reason, found) for reason, pattern in _patterns() if (found := pattern.fullmatch(message))), None)
    if known is None:
        return message
    return _(known[0]) % {name: kind(value) for name, value in known[1].groupdict().items()}


def kind(value: object) -> object:
    """Say what a value is that is not quoted; any other is given as it came."""
    return _(value) if isinstance(value, str) and value in KINDS else value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give each sentence with the pattern that finds its values."""
    return tuple((reason, re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(reason)), re.DOTALL)) for reason in REASONS)


_PLACE: Final = re.compile(r"%\\\((\w+)\\\)s")
