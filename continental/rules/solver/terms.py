"""The parameters of one hand of a rule set, flattened to what the search asks for at every card."""

from dataclasses import dataclass, field
from functools import lru_cache

from continental.rules.cards import JOKER, RANKS, SUITS
from continental.rules.rulesets import HandRule, RuleSet

ENDLESS = 60
"""Stands for “no limit” where a number is compared: more cards than any meld can hold."""

Suited = tuple[int, int]
"""A natural face as a pair of numbers: suit 0–3 in the order of ``SUITS``, rank 1 (ace) to 13 (king)."""

FACE: dict[Suited, str] = {(suit, rank): RANKS[rank - 1] + SUITS[suit] for suit in range(4) for rank in range(1, 14)}
SUITED: dict[str, Suited] = {face: suited for suited, face in FACE.items()}


@dataclass(frozen=True, slots=True)
class RunSlot:
    """A kind of run to lay down: its least length, and how many of them (``None``: as many as one likes)."""

    size: int
    count: int | None


@dataclass(frozen=True, slots=True)
class SetSlot:
    """A kind of set to lay down: its least size, whether that is also its greatest when going down, how many (``None``: any)."""

    size: int
    exact: bool
    count: int | None
    kind: str = "set"


@dataclass(frozen=True, slots=True)
class Terms:
    """What one player may lay in the turn of going down.

    Attributes:
        runs: the run slots, longest first; sets: the set and pair slots.
        exact_runs: runs have exactly their least length when going down.
        own_layoff: the player's new melds may be added to in the same turn.
        others_layoff: the melds of others may be added to in the turn of going down.
        places: the places of a run in order: 1 (low ace) to 14 (high ace), or 1 to 13 in a circle.
        max_run: greatest length; one_ace: a run cannot hold both aces.
        ratio_opening, ratio_always: wild cards may not outnumber naturals when going down, at any time.
        wild_limit: most wild cards in one meld.
        all_wild_run, all_wild_set, bare_set: a run, a set of only wild cards; such a set has no rank and takes wild cards only.
        limited: some limit on wild cards hangs on which meld holds them.
    """

    runs: tuple[RunSlot, ...]
    sets: tuple[SetSlot, ...]
    exact_runs: bool
    own_layoff: bool
    others_layoff: bool
    places: tuple[int, ...]
    wrap: bool
    max_run: int
    one_ace: bool
    max_set: int
    wild_limit: int
    ratio_opening: bool
    ratio_always: bool
    set_naturals: int
    adjacent_wilds: bool
    all_wild_run: bool
    all_wild_set: bool
    bare_set: bool
    touching: bool
    same_suit: bool
    same_rank: bool
    repeat_suits: bool
    swap_run: bool
    swap_set: bool
    swap_target: str
    wild: frozenset[str]
    all_cards: bool
    no_discard: bool
    must_go_out: bool
    discard_to_go_out: bool
    not_playable: bool
    key: int = field(init=False, repr=False, compare=False)
    """The hash, worked out once: terms are looked up at every step, and those of one game's hands differ in little."""

    def __post_init__(self) -> None:
        """Work out the hash."""
        slots = self.runs, self.sets, self.exact_runs, self.own_layoff, self.others_layoff, self.not_playable, self.all_cards
        limits = (
            self.places,
            self.max_run,
            self.max_set,
            self.wild_limit,
            self.wild,
            self.same_suit,
            self.same_rank,
            self.touching,
        )
        object.__setattr__(self, "key", hash((*slots, *limits, self.swap_run, self.swap_set, self.swap_target)))

    def __hash__(self) -> int:
        return self.key

    @property
    def limited(self) -> bool:
        """Tell whether which meld holds a wild card matters."""
        return (
            self.ratio_opening
            or self.ratio_always
            or self.wild_limit < ENDLESS
            or self.set_naturals > 0
            or not self.adjacent_wilds
            or not self.all_wild_run
        )


@lru_cache(maxsize=512)
def terms_of(rules: RuleSet, hand: HandRule) -> Terms:
    """Flatten a rule set for one of its hands."""
    runs: dict[int, int] = {}
    sets: dict[tuple[int, bool, str], int] = {}
    free = hand.contract is None or rules.extra_melds_opening
    for slot in hand.contract.slots if hand.contract else ():
        if slot.kind == "run":
            size = slot.size or hand.min_run
            runs[size] = runs.get(size, 0) + 1
        elif slot.kind == "pair":
            key = (slot.size or 2, True, "pair")
            sets[key] = sets.get(key, 0) + 1
        else:
            key = (slot.size or rules.min_set, hand.exact_sets, "set")
            sets[key] = sets.get(key, 0) + 1
    run_slots = [RunSlot(size, count) for size, count in sorted(runs.items(), reverse=True)]
    set_slots = [SetSlot(size, exact, count, kind) for (size, exact, kind), count in sorted(sets.items(), reverse=True)]
    if free:
        run_slots.append(RunSlot(hand.min_run, None))
        set_slots.append(SetSlot(rules.min_set, hand.exact_sets, None))
    if rules.wrap:
        places: tuple[int, ...] = tuple(range(1, 14))
    else:
        places = tuple(range(1 if rules.ace != "high" else 2, 15 if rules.ace != "low" else 14))
    max_run = ENDLESS if rules.max_run is None else rules.max_run
    layoff = rules.layoff_later if hand.contract is None else rules.layoff_opening
    return Terms(
        runs=tuple(run_slots),
        sets=tuple(set_slots),
        exact_runs=hand.exact_runs,
        own_layoff=layoff == "any" and not hand.all_cards,
        others_layoff=layoff != "none" and not hand.all_cards,
        places=places,
        wrap=rules.wrap,
        max_run=max_run,
        one_ace=not rules.wrap and not (rules.two_aces and max_run > 13),
        max_set=ENDLESS if rules.max_set is None else rules.max_set,
        wild_limit=ENDLESS if rules.wild_limit is None else rules.wild_limit,
        ratio_opening=rules.wild_ratio != "free",
        ratio_always=rules.wild_ratio == "always",
        set_naturals=rules.set_naturals,
        adjacent_wilds=rules.adjacent_wilds,
        all_wild_run=rules.all_wild == "declared",
        all_wild_set=rules.all_wild != "no",
        bare_set=rules.all_wild == "sets",
        touching=rules.touching_runs,
        same_suit=rules.same_suit_runs,
        same_rank=rules.same_rank_sets,
        repeat_suits=rules.set_repeat_suits,
        swap_run=rules.swap_run,
        swap_set=rules.swap_set,
        swap_target=rules.swap_target,
        wild=rules.wild | {JOKER} if JOKER in rules.wild else rules.wild,
        all_cards=hand.all_cards,
        no_discard=hand.no_discard,
        must_go_out=hand.must_go_out,
        discard_to_go_out=rules.needs_discard(hand),
        not_playable=rules.discard == "not-playable",
    )
