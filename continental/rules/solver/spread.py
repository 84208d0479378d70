"""From the ranks of the sets and the runs that were found to cards on the table, under all limits on wild cards."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from continental.rules.cards import JOKER, RANKS, Laid
from continental.rules.solver.answers import LaidMeld, LayDown
from continental.rules.solver.chains import Run
from continental.rules.solver.quick import Quick, Undecided
from continental.rules.solver.tally import ACE, COLUMN, HIGH_ACE, ON, SHIFT, SUIT_BITS, column_cards, rank_count
from continental.rules.solver.terms import FACE, SUITED

LAID: Final = {face: Laid(face) for face in (*SUITED, JOKER)}
FACES: Final = [tuple([FACE[suit, (place - 1) % 13 + 1] for place in range(28)]) for suit in range(4)]
"""The faces on the places of each suit; place 0 is never used."""
_PURE_RUNS: Final = {
    (suit, low, high): LaidMeld("run", tuple([LAID[face] for face in FACES[suit][low : high + 1]]), FACES[suit][low : high + 1])
    for suit in range(4)
    for low in range(1, 15)
    for high in range(low, 15)
}


def spread(quick: Quick, cards: Sequence[str], tally: int, chosen: tuple[int, ...], runs: Sequence[Run]) -> LayDown:
    """Give the cards their places.

    Args:
        quick: the terms.
        cards: the cards, all of which are laid; tally: the same, counted.
        chosen: the ranks of the sets, 0 for a set of wild cards alone.
        runs: the runs.

    Raises:
        Undecided: a limit on the wild cards of one meld is broken.
    """
    wilds = rank_count(tally, 0)
    laid: list[LaidMeld] = []
    gaps: list[Run] = []
    for run in runs:
        suit, low, high, naturals = run
        if naturals.bit_count() > high - low:
            laid.append(_PURE_RUNS[suit, low, high])
        else:
            gaps.append(run)
        if naturals & HIGH_ACE:
            naturals ^= HIGH_ACE | ACE
        tally -= naturals << suit * SUIT_BITS
    if quick.bare and chosen and not quick.terms.repeat_suits:
        raise Undecided
    if quick.bare:
        pool = sorted([card for card in cards if card in quick.terms.wild], key=JOKER.__eq__)
        rows = [(run, _own_places(run, pool)) for run in gaps]
        laid += [_bare_run(run, [card or pool.pop() for card in row], quick) for run, row in rows]
        sets = _bare_sets(quick, tally, chosen, pool)
    else:
        for run in gaps:
            wilds -= run[2] - run[1] + 1 - run[3].bit_count()
            laid.append(_run_with_jokers(run, quick))
        sets = _sets(quick, tally, chosen, wilds)
    if sets and quick.terms.sets[0].kind == "pair":
        sets = [meld._replace(kind="pair") for meld in sets]
    return LayDown((*sets, *laid), ())


# -- runs ---------------------------------------------------------------------------------------------------------------


def _run_with_jokers(run: Run, quick: Quick) -> LaidMeld:
    """Lay a run in which jokers fill the gaps."""
    suit, low, high, naturals = run
    if not quick.loose:
        _check_run(naturals.bit_count(), [place for place in range(low, high + 1) if not naturals & ON[place]], quick)
    return _joker_run(suit, low, high, naturals, naturals.bit_count() <= (1 if quick.sets else 0))


@lru_cache(maxsize=1 << 12)
def _joker_run(suit: int, low: int, high: int, naturals: int, spoken: bool) -> LaidMeld:
    cards, values = _PURE_RUNS[suit, low, high][1:]
    laid = [
        card if naturals & ON[place] else Laid(JOKER, card.card) if spoken else LAID[JOKER]
        for place, card in enumerate(cards, start=low)
    ]
    return LaidMeld("run", tuple(laid), values)


def _check_run(naturals: int, wild_at: list[int], quick: Quick) -> None:
    """Hold a run to the limits on wild cards."""
    terms = quick.terms
    wilds = len(wild_at)
    if (
        wilds > terms.wild_limit
        or (not naturals and not terms.all_wild_run)
        or (terms.ratio_opening and naturals and wilds > naturals)
        or (not terms.adjacent_wilds and any(one + 1 == other for one, other in pairwise(wild_at)))
    ):
        raise Undecided


def _own_places(run: Run, pool: list[str]) -> list[str | None]:
    """Give what is known to lie on the places of a run: the naturals, and natural wild cards in places of their own."""
    suit, low, high, naturals = run
    row: list[str | None] = []
    for place in range(low, high + 1):
        face = FACES[suit][place]
        if naturals & ON[place]:
            row.append(face)
        elif face in pool:
            pool.remove(face)
            row.append(face)
        else:
            row.append(None)
    return row


def _bare_run(run: Run, cards: list[str], quick: Quick) -> LaidMeld:
    """Lay a run of a hand that holds natural wild cards: what they stand for is spoken."""
    terms = quick.terms
    suit, low, high, _ = run
    values = FACES[suit][low : high + 1]
    wild_at = [index for index, (card, value) in enumerate(zip(cards, values, strict=True)) if card != value]
    _check_run(len(cards) - len(wild_at), wild_at, quick)
    plain = sum(card not in terms.wild for card in cards)
    unclear = plain == 1 and quick.sets
    laid = []
    for card, value in zip(cards, values, strict=True):
        other = card != JOKER and (plain == 1 or card != value)
        speak = card in terms.wild and (not plain or unclear or other)
        laid.append(Laid(card, value if speak else None))
    return LaidMeld("run", tuple(laid), values)


# -- sets ---------------------------------------------------------------------------------------------------------------


def _sets(quick: Quick, tally: int, chosen: tuple[int, ...], jokers: int) -> list[LaidMeld]:
    """Lay the sets: the naturals of their ranks and jokers."""
    plain = quick.terms.repeat_suits and quick.terms.set_naturals <= quick.set_size
    if not jokers and plain and len(set(chosen)) == len(chosen):
        return [_pure_set(rank, tally >> SHIFT[rank] & COLUMN) for rank in chosen]
    naturals = _set_naturals(quick, tally, chosen)
    spoken = quick.runs > 0
    melds = []
    used: list[int] = [*chosen]
    for rank, cards, wilds in zip(chosen, naturals, _share_out(quick, naturals, jokers), strict=True):
        if cards:
            melds.append(_joker_set(rank, cards, wilds, spoken and len(cards) == 1))
        else:
            melds.append(_wild_set([JOKER] * wilds, quick, used))
    return melds


def _bare_sets(quick: Quick, tally: int, chosen: tuple[int, ...], pool: list[str]) -> list[LaidMeld]:
    """Lay the sets of a hand that holds natural wild cards."""
    naturals = _set_naturals(quick, tally, chosen)
    melds = []
    used: list[int] = [*chosen]
    for rank, cards, count in zip(chosen, naturals, _share_out(quick, naturals, len(pool)), strict=True):
        wilds = [pool.pop() for _ in range(count)]
        if not cards:
            melds.append(_wild_set(wilds, quick, used))
            continue
        letter = RANKS[rank - 1]
        own = [card != JOKER and card[0] == letter for card in wilds]
        speak = len(cards) == 1 and quick.runs
        laid = [Laid(card, letter if speak and not natural else None) for card, natural in zip(wilds, own, strict=True)]
        values = [card if natural else letter for card, natural in zip(wilds, own, strict=True)]
        melds.append(LaidMeld("set", (*[LAID[card] for card in cards], *laid), (*cards, *values)))
    return melds


def _set_naturals(quick: Quick, tally: int, chosen: tuple[int, ...]) -> list[tuple[str, ...]]:
    """Give each set the naturals of its rank; of two sets of one rank the first keeps what the other does not need."""
    naturals = []
    for number, rank in enumerate(chosen):
        cards = column_cards(rank, tally >> SHIFT[rank] & COLUMN) if rank else ()
        if rank in chosen[number + 1 :]:
            later = quick.set_size * chosen[number + 1 :].count(rank)
            cards = cards[: max(quick.set_size, len(cards) - later)]
            for card in cards:
                tally -= 1 << SUITED[card][0] * SUIT_BITS + SHIFT[rank]
        naturals.append(cards)
    return naturals


def _share_out(quick: Quick, naturals: list[tuple[str, ...]], wilds: int) -> list[int]:
    """Say how many wild cards each set gets: what it needs, and of those left over what the limits allow, the first set first."""
    size = quick.set_size
    given = []
    for cards in naturals:
        need = size - len(cards)
        given.append(max(0, need))
    spare = wilds - sum(given)
    if spare and given and quick.loose and not quick.exact_sets:
        given[0] += spare
        return given
    for _ in range(spare):
        target = next((number for number, cards in enumerate(naturals) if _holds(cards, given[number] + 1, quick)), None)
        if target is None:
            raise Undecided
        given[target] += 1
    if not (quick.loose or all(_holds(cards, count, quick) for cards, count in zip(naturals, given, strict=True))):
        raise Undecided
    return given


def _holds(naturals: tuple[str, ...], wilds: int, quick: Quick) -> bool:
    """Tell whether the limits allow a set of so many wild cards beside these naturals."""
    plain = len(naturals)
    if quick.exact_sets and plain + wilds > quick.set_size:
        return False
    terms = quick.terms
    if wilds > terms.wild_limit:
        return False
    if not plain:
        return terms.all_wild_set and (terms.bare_set or not terms.set_naturals)
    if not terms.repeat_suits and len({card[1] for card in naturals}) < plain:
        return False
    return plain >= terms.set_naturals and (not terms.ratio_opening or wilds <= plain)


@lru_cache(maxsize=1 << 12)
def _pure_set(rank: int, column: int) -> LaidMeld:
    cards = column_cards(rank, column)
    return LaidMeld("set", tuple([LAID[card] for card in cards]), cards)


@lru_cache(maxsize=1 << 12)
def _joker_set(rank: int, naturals: tuple[str, ...], jokers: int, spoken: bool) -> LaidMeld:
    letter = RANKS[rank - 1]
    joker = Laid(JOKER, letter) if spoken else LAID[JOKER]
    return LaidMeld("set", (*[LAID[card] for card in naturals], *[joker] * jokers), (*naturals, *[letter] * jokers))


def _wild_set(wilds: list[str], quick: Quick, used: list[int]) -> LaidMeld:
    """Lay a set of wild cards alone; ``used`` are the ranks that other sets have."""
    if quick.terms.bare_set:
        if any(card != JOKER for card in wilds):
            raise Undecided
        return LaidMeld("set", tuple([LAID[card] for card in wilds]), tuple(wilds))
    own = {card[0] for card in wilds if card != JOKER}
    rank = next(rank for rank in range(1, 14) if rank not in used and RANKS[rank - 1] not in own)
    used.append(rank)
    letter = RANKS[rank - 1]
    return LaidMeld("set", tuple([Laid(card, letter) for card in wilds]), (letter,) * len(wilds))
