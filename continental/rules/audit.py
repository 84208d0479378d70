"""The deck audit: what to ask before the entries of a hand are believed, all cards in hands and on the table put together.

It asks and never forbids: tables do strange things.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from continental.rules.cards import CARDS, JOKER, NATURALS
from continental.rules.deals import cards_each, pack
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.patterns import faces_of

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Entered:
    """What one player's entry says.

    Attributes:
        points: the score entered or counted; ``None`` where no score was given or the hand was not played.
        cards: the cards or keypad keys it was counted from (``7H``, ``7``, ``A red``, ``JK``); ``None`` where points were typed.
        missing: cards the hand was short.
    """

    points: int | None
    cards: tuple[str, ...] | None = None
    missing: int = 0

    @property
    def nothing_left(self) -> bool:
        """Tell whether the player held no card at the end."""
        return not self.cards if self.cards is not None else self.points == 0


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """One thing to ask.

    Attributes:
        code: its sentence in ``wording_scores.SCORES`` and its concept in ``cites``.
        seats: the seats concerned, in order.
        params: the parameters of the sentence.
    """

    code: str
    seats: tuple[int, ...]
    params: Mapping[str, object] = field(default_factory=lambda: _NOTHING)


def audit_hand(
    rules: RuleSet,
    hand: int,
    players: int,
    entries: Sequence[Entered],
    *,
    laid: Sequence[str] = (),
    out: int | None = None,
    nobody_out: bool = False,
) -> tuple[AuditQuestion, ...]:
    """Look over the entries of one hand.

    Args:
        rules: the rule set.
        hand: number of the hand, counted from 1.
        players: how many sit at the table: it decides the packs.
        entries: one a seat; seats not entered yet may be left out at the end, or stand as ``Entered(None)``.
        laid: the cards known to lie on the table at the end of the hand (``7H``, ``JK``), as far as somebody read them.
        out: the seat that the table saw go out, if any.
        nobody_out: the hand is known to have ended without anyone going out.

    Returns:
        Everything worth asking, the packs first, then seat by seat, then who went out; empty for an ordinary hand.
    """
    rule = rules.hand(hand)
    return (
        *_ask_about_packs(rules, players, entries, laid),
        *_ask_about_sum(rules, players, entries, laid),
        *_ask_about_seats(rules, rule, players, entries),
        *_ask_who_is_out(players, entries, out, nobody_out=nobody_out),
    )


def most_cards(rules: RuleSet, rule: HandRule, players: int) -> int:
    """Give the most cards one hand can hold: the deal and all claims allowed, and never more than the packs."""
    all_cards = len(pack(rules, players))
    if rule.claims is None:
        return all_cards
    return min(all_cards, cards_each(rules, rule, players) + (1 + rule.penalty) * rule.claims)


def can_be_points(rules: RuleSet, points: int, cards: int) -> bool:
    """Tell whether a score can be the sum of the points of at most so many cards, held or charged as missing.

    A bonus for going down and out in one turn, or for an exact cut, may be part of it.
    """
    values = {value for card, value in rules.card_values.items() if value is not None and (card != JOKER or rules.has_jokers)}
    if any(value is None for card, value in rules.card_values.items() if card != JOKER or rules.has_jokers):
        return True
    sums, offset = _sums(frozenset(values | {rules.missing_card}), min(cards, _MOST_SUMMED))
    bonuses = {0, rules.out_in_one_turn, rules.exact_cut, rules.out_in_one_turn + rules.exact_cut}
    return any(points - bonus + offset >= 0 and sums >> (points - bonus + offset) & 1 for bonus in bonuses)


_MOST_SUMMED: Final = 60


@lru_cache(maxsize=64)
def _sums(values: frozenset[int], cards: int) -> tuple[int, int]:
    """Give all sums of at most ``cards`` values as the bits of a number, and the bit that stands for the sum 0."""
    offset = cards * -min(0, *values, 0)
    sums = 1 << offset
    for _ in range(cards):
        grown = sums
        for value in values:
            grown |= sums << value if value >= 0 else sums >> -value
        if grown == sums:
            break
        sums = grown
    return sums, offset


_PACKS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "joker": ("audit.jokers", "audit.jokers-laid"),
        "card": ("audit.cards", "audit.cards-laid"),
        "all": ("audit.all-cards", "audit.all-cards-laid"),
    }
)
"""What is asked about cards in hands alone, and what where some of them lie on the table."""


def _ask_about_packs(rules: RuleSet, players: int, entries: Sequence[Entered], laid: Sequence[str]) -> Iterator[AuditQuestion]:
    held = Counter(code for entry in entries for code in entry.cards or ())
    lying, whole = Counter(laid), _whole(rules, players)
    for pattern in _patterns({*held, *lying}):
        faces = frozenset(faces_of(pattern))
        on_table = _count_among(faces, lying)
        count, most = _count_among(faces, held) + on_table, sum(whole[face] for face in faces)
        if count > most:
            seats = tuple(seat for seat, entry in enumerate(entries) if _count_among(faces, Counter(entry.cards or ())))
            codes = _PACKS["joker" if pattern == JOKER else "card"]
            yield _too_many(codes, seats, on_table, {"card": pattern, "count": count, "most": most})
    count, most = held.total() + lying.total(), whole.total()
    if count > most:
        yield _too_many(_PACKS["all"], tuple(range(len(entries))), lying.total(), {"count": count, "most": most})


def _too_many(codes: tuple[str, str], seats: tuple[int, ...], on_table: int, params: Mapping[str, object]) -> AuditQuestion:
    in_hands, with_table = codes
    if not on_table:
        return AuditQuestion(in_hands, seats, params)
    return AuditQuestion(with_table, seats, {**params, "laid": on_table})


def _whole(rules: RuleSet, players: int) -> Counter[str]:
    """Count the cards of all packs by face."""
    jokers = rules.joker_count(players)
    return Counter(dict.fromkeys(NATURALS, rules.deck_count(players)) | ({JOKER: jokers} if jokers else {}))


def _count_among(faces: frozenset[str], codes: Counter[str]) -> int:
    """Count the cards whose every possible face is among ``faces``: a 7 of unknown suit is among the sevens alone."""
    return sum(number for code, number in codes.items() if faces.issuperset(faces_of(code)))


def _ask_about_sum(rules: RuleSet, players: int, entries: Sequence[Entered], laid: Sequence[str]) -> Iterator[AuditQuestion]:
    """Ask where all scores together are more than the cards that can be in hands are worth, whether counted or typed."""
    left = _whole(rules, players)
    left.subtract(laid)
    values = {card: rules.value(card) for card in left}
    if any(value is None for value in values.values()):
        return
    most = sum(max(0, values[card] or 0) * max(0, number) for card, number in left.items())
    points = sum(entry.points - entry.missing * rules.missing_card for entry in entries if entry.points is not None)
    if points > most:
        yield AuditQuestion("audit.all-points", tuple(range(len(entries))), {"points": points, "most": most})


def _patterns(codes: set[str]) -> list[str]:
    """Give the patterns under which cards are counted, jokers last: each its own, and the whole rank where a suit is unknown."""
    unsure = {code[0] for code in codes if code not in CARDS}
    return sorted(
        codes | {code[0] for code in codes if code != JOKER and code[0] in unsure}, key=lambda code: (code == JOKER, code)
    )


def _ask_about_seats(rules: RuleSet, rule: HandRule, players: int, entries: Sequence[Entered]) -> Iterator[AuditQuestion]:
    most = most_cards(rules, rule, players)
    for seat, entry in enumerate(entries):
        if entry.cards is not None and len(entry.cards) + entry.missing > most:
            yield AuditQuestion("audit.hand-size", (seat,), {"count": len(entry.cards) + entry.missing, "most": most})
        if entry.cards is None and entry.points is not None and not can_be_points(rules, entry.points, most):
            yield AuditQuestion("audit.points", (seat,), {"points": entry.points})


def _ask_who_is_out(players: int, entries: Sequence[Entered], out: int | None, *, nobody_out: bool) -> Iterator[AuditQuestion]:
    empty = [seat for seat, entry in enumerate(entries) if entry.points is not None and entry.nothing_left]
    short = [seat for seat in empty if entries[seat].missing]
    for seat in short:
        yield AuditQuestion("audit.out-short", (seat,), {"missing": entries[seat].missing})
    if out is not None and out < len(entries) and out not in empty and entries[out].points is not None:
        yield AuditQuestion("audit.out-with-cards", (out,), {"points": entries[out].points})
    if len(empty) > 1:
        yield AuditQuestion("audit.several-out", tuple(empty), {"count": len(empty)})
    everyone_known = len(entries) == players and all(entry.points is not None for entry in entries)
    if not empty and everyone_known and out is None and not nobody_out:
        yield AuditQuestion("audit.nobody-out", ())
