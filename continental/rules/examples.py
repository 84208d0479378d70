"""A worked example of each hand's contract, as cards to draw: what going down looks like under a sheet.

The source's photographs of its seven hands are lost (``house.photos``). These examples are legal under every preset and
any league's contracts: sets of different ranks from the king down, runs of different suits from the three up, and from the
second hand on one joker where the sheet has jokers.
"""

from dataclasses import dataclass
from typing import Final

from continental.rules.cards import HIGH_ACE, JOKER, LOW_ACE, RANK_OF_PLACE
from continental.rules.contracts import Slot
from continental.rules.parameters import HandRule, RuleSet

_SUITS: Final = "HSDC"
_SET_RANKS: Final = "KQJT9876"
_FIRST_PLACE: Final = 3
_SECOND_ROUND: Final = 9
_DISCARDS: Final = ("8C", "8D", "8S", "9C")
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Example:
    """One way to go down: the contract, its melds as card lists, and the last discard where going down must be going out."""

    contract: str
    melds: tuple[tuple[str, ...], ...]
    discard: str | None

    @property
    def cards(self) -> int:
        """Give the number of cards laid down."""
        return sum(map(len, self.melds))


def example(rules: RuleSet, number: int) -> Example | None:
    """Give an example for hand ``number``, or ``None`` where melds are free and nothing has to be met.

    Raises:
        BadQuestion: the game has no such hand.
    """
    hand = rules.hand(number)
    if hand.contract is None:
        return None
    melds: list[tuple[str, ...]] = []
    sizes = _sizes(rules, hand, hand.contract.slots)
    seen = {"set": 0, "run": 0, "pair": 0}
    for slot, size in zip(hand.contract.slots, sizes, strict=True):
        if slot.kind == "run":
            melds.append(_run(rules, seen["run"], size))
        else:
            melds.append(_set(seen["set"] + seen["pair"], size))
        seen[slot.kind] += 1
    if number > 1 and _has_jokers(rules) and hand.contract.slots[-1].kind != "pair":
        melds[-1] = _with_joker(melds[-1], hand.contract.slots[-1])
    last = (hand.all_cards or hand.must_go_out) and rules.needs_discard(hand) and not hand.no_discard
    discard = next((card for card in _DISCARDS if not any(card in meld for meld in melds)), None) if last else None
    return Example(str(hand.contract), tuple(melds), discard)


def _sizes(rules: RuleSet, hand: HandRule, slots: tuple[Slot, ...]) -> list[int]:
    """Give the least sizes, the runs lengthened in turn where the hand has to be laid down whole."""
    least = {"set": rules.min_set, "run": hand.min_run, "pair": _PAIR}
    sizes = [slot.size or least[slot.kind] for slot in slots]
    if not (hand.all_cards or hand.no_discard) or hand.deal is None:
        return sizes
    held_after_drawing = hand.deal + 1
    spare = held_after_drawing - (0 if hand.no_discard else 1) - sum(sizes)
    runs = [place for place, slot in enumerate(slots) if slot.kind == "run" and not hand.exact_runs]
    for turn in range(max(0, spare) if runs else 0):
        sizes[runs[turn % len(runs)]] += 1
    return sizes


def _run(rules: RuleSet, index: int, size: int) -> tuple[str, ...]:
    """Give the run number ``index``: the first four of different suits, the next four higher up in the same suits."""
    highest = HIGH_ACE - 1 if rules.ace == "low" else HIGH_ACE
    wanted = _FIRST_PLACE if index < len(_SUITS) else _SECOND_ROUND
    first = max(LOW_ACE, min(wanted, highest - size + 1))
    return tuple(RANK_OF_PLACE[place] + _SUITS[index % len(_SUITS)] for place in range(first, first + size))


def _set(index: int, size: int) -> tuple[str, ...]:
    return tuple(_SET_RANKS[index] + _SUITS[place % len(_SUITS)] for place in range(size))


def _has_jokers(rules: RuleSet) -> bool:
    return JOKER in rules.wild and rules.wild_limit != 0 and rules.joker_count(rules.players_min) > 0


def _with_joker(meld: tuple[str, ...], slot: Slot) -> tuple[str, ...]:
    """Put a joker into the middle of a run, where its place names it, or at the end of a set."""
    place = 1 if slot.kind == "run" else len(meld) - 1
    return (*meld[:place], JOKER, *meld[place + 1 :])
