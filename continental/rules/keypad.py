"""The keys on which people enter the cards left in a hand: ranks, and colours or suits only where the points hang on them."""

from collections.abc import Iterable
from dataclasses import dataclass

from continental.rules.cards import JOKER, RANKS, SUITS
from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet
from continental.rules.patterns import faces_of, read_pattern
from continental.rules.scores import CardCount, Part


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what it enters (``7``, ``A red``, ``AH`` or ``JK``) and the points of such a card, ``None`` if still open."""

    code: str
    points: int | None


def keypad(rules: RuleSet) -> tuple[Key, ...]:
    """Give the fewest keys on which every card of the game has points of its own, the two first and the joker last."""
    keys: list[Key] = []
    for rank in (*RANKS[1:], RANKS[0]):
        for codes in ((rank,), (f"{rank} red", f"{rank} black"), tuple(rank + suit for suit in SUITS)):
            if all(len(_values(rules, code)) == 1 for code in codes):
                keys += [Key(code, *_values(rules, code)) for code in codes]
                break
    if rules.has_jokers:
        keys.append(Key(JOKER, rules.value(JOKER)))
    return tuple(keys)


def count_keys(rules: RuleSet, codes: Iterable[str], missing: int = 0) -> CardCount:
    """Count a hand entered on the keypad; whole faces (``7H``) may stand among the keys.

    Args:
        rules: the rule set whose card values hold.
        codes: keys, in the order tapped.
        missing: how many cards the hand was short.

    Raises:
        BadQuestion: no card, a rank whose points hang on the suit, or points still to be entered; ``at`` is ``cards[2]``.
    """
    parts = []
    for index, code in enumerate(codes):
        pattern = read_pattern(code)
        if pattern is None or (pattern == JOKER and not rules.has_jokers):
            raise BadQuestion(f"“{code[:20]}” is no card of this game", f"cards[{index}]")
        values = _values(rules, pattern)
        points = next(iter(values))
        if len(values) > 1:
            raise BadQuestion(f"the points of {pattern} hang on its suit: say which", f"cards[{index}]")
        if points is None:
            raise BadQuestion(f"the points of {pattern} still have to be entered in the rule sheet", f"cards[{index}]")
        parts.append(Part(pattern, points))
    if missing:
        parts.append(Part(None, missing * rules.missing_card, missing))
    return CardCount(sum(part.points for part in parts), tuple(parts))


def _values(rules: RuleSet, pattern: str) -> set[int | None]:
    return {rules.value(card) for card in faces_of(pattern)}
