"""The quick way to lay every card in one opening, or to prove that it cannot be done.

All cards must be laid, so every natural whose rank no set takes must lie in a run. The search asks first which suits could hold
the runs: outside them there may be no more ranks than sets, which refuses nearly every hand at once. With the ranks of the sets
fixed it takes a natural that no run covers yet, and tries every run through it, as long as the wild cards last.

Limits on wild cards within one meld are left out of account here. That can only allow too much: "impossible" is final, and an
opening found is checked against the limits; where it breaks one, the exact search decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Final

from continental.rules.cards import JOKER, RANKS, Laid
from continental.rules.solver.answers import LaidMeld, LayDown
from continental.rules.solver.terms import ENDLESS, FACE, SUITED, Terms

_NIBBLE: Final = 4
_SHIFT: Final = (0, *[_NIBBLE * rank for rank in range(1, 14)], _NIBBLE)
"""Where the count of the card on a place (1 to 14) lies in a packed number."""
_ONE: Final = tuple([1 << shift for shift in _SHIFT])
_SEVERAL: Final = sum(14 << shift for shift in _SHIFT[1:14])
"""Bits that are set where a face is there more than once."""
_NO_ACE: Final = ~(15 << _SHIFT[1])
_SPOT: Final = {face: (suit, 1 << _SHIFT[rank], rank) for face, (suit, rank) in SUITED.items()}

Run = tuple[int, int, int]
"""A run found: suit, first place, last place (above 13 when it passes through the ace)."""


class Undecided(Exception):
    """The quick way cannot tell."""


@dataclass(frozen=True, slots=True)
class Quick:
    """What the quick way needs to know of the terms."""

    terms: Terms
    sets: int
    set_size: int
    exact_sets: bool
    runs: int
    run_size: int
    exact_runs: bool
    lowest: int
    highest: int
    longest: int
    suits: tuple[tuple[int, ...], ...]
    """The suits left without a run, for every way to choose where the runs may lie."""
    bare: bool = False
    """The hand holds natural wild cards, which are naturals in their own place: what looks like wild cards alone may be legal."""


def quick_of(terms: Terms) -> Quick | None:
    """Prepare the quick way; ``None`` where the contract is too unusual for it."""
    if len(terms.runs) > 1 or len(terms.sets) > 1 or terms.max_set < ENDLESS or terms.wrap:
        return None
    if any(slot.count is None for slot in terms.runs) or any(slot.count is None for slot in terms.sets):
        return None
    runs = terms.runs[0].count or 0 if terms.runs else 0
    sets = terms.sets[0].count or 0 if terms.sets else 0
    return Quick(
        terms=terms,
        sets=sets,
        set_size=terms.sets[0].size if sets else 0,
        exact_sets=bool(sets) and terms.sets[0].exact,
        runs=runs,
        run_size=terms.runs[0].size if runs else 0,
        exact_runs=terms.exact_runs,
        lowest=terms.places[0],
        highest=terms.places[-1],
        longest=min(terms.max_run, 13 if terms.one_ace else 14),
        suits=tuple(combinations(range(4), max(0, 4 - runs))),
    )


def cover(quick: Quick, cards: Sequence[str]) -> LayDown | None:
    """Lay all the cards.

    Returns:
        The opening; ``None`` where there is none.

    Raises:
        Undecided: an opening was found that breaks a limit on wild cards, so that the exact search must decide.
    """
    size = len(cards)
    if size < quick.sets * quick.set_size + quick.runs * quick.run_size:
        return None
    wild = quick.terms.wild
    packed = [0, 0, 0, 0]
    ranks_in = [0, 0, 0, 0]
    count = [0] * 14
    wilds = 0
    bare = False
    for card in cards:
        if card in wild:
            wilds += 1
            bare = bare or card != JOKER
        else:
            suit, one, rank = _SPOT[card]
            packed[suit] += one
            ranks_in[suit] |= 1 << rank
            count[rank] += 1
    found = _find(quick if bare is quick.bare else replace(quick, bare=bare), packed, ranks_in, count, wilds)
    if found is None:
        return None
    return _lay(quick, cards, packed, wilds, *found)


def _find(
    quick: Quick, packed: list[int], ranks_in: list[int], count: list[int], wilds: int
) -> tuple[tuple[int, ...], list[Run], list[tuple[int, ...]]] | None:
    """Find the ranks of the sets and the runs."""
    seen: set[tuple[int, ...]] | None = None
    sets = quick.sets
    inside = ranks_in[0] | ranks_in[1] | ranks_in[2] | ranks_in[3]
    for outside in quick.suits:
        needed = 0
        for suit in outside:
            needed |= ranks_in[suit]
        fixed = needed.bit_count()
        if fixed > sets:
            continue
        if fixed == sets:
            choices: Iterator[tuple[int, ...]] | tuple[tuple[int, ...]] = (_ranks_of(needed),)
        else:
            choices = _set_ranks(quick, _ranks_of(needed), inside, count, wilds)
        for chosen in choices:
            if seen is None:
                seen = {chosen}
            elif chosen in seen:
                continue
            else:
                seen.add(chosen)
            runs = _with_ranks(quick, chosen, packed, count, wilds)
            if runs is not None:
                return chosen, *runs
    return None


@lru_cache(maxsize=1 << 14)
def _ranks_of(bits: int) -> tuple[int, ...]:
    """Give the ranks whose bits are set."""
    return tuple([rank for rank in range(1, 14) if bits >> rank & 1])


def _set_ranks(quick: Quick, fixed: tuple[int, ...], inside: int, count: list[int], wilds: int) -> Iterator[tuple[int, ...]]:
    """Give every choice of ranks for the sets (0 for a set of wild cards alone) that takes all the ranks that must be taken."""
    size = quick.set_size
    more = quick.sets - len(fixed)
    spare = wilds
    for rank in fixed:
        if count[rank] < size:
            spare -= size - count[rank]
    if spare < 0:
        return
    same = quick.terms.same_rank
    options = [rank for rank in _ranks_of(inside) if size - count[rank] <= spare and (same or rank not in fixed)]
    bare = (quick.terms.all_wild_set or quick.bare) and wilds >= size
    if same:
        choices: Iterator[tuple[int, ...]] = combinations_with_replacement([*options, 0] if bare else options, more)
    else:
        choices = combinations(options + [0] * (min(more, wilds // size) if bare else 0), more)
    for choice in choices:
        yield tuple(sorted(fixed + choice))


def _with_ranks(
    quick: Quick, chosen: tuple[int, ...], packed: list[int], count: list[int], wilds: int
) -> tuple[list[Run], list[tuple[int, ...]]] | None:
    """Find the runs that take every natural of another rank than those chosen."""
    mask = surplus = before = 0
    budget = wilds
    size = quick.set_size
    for rank in chosen:
        if rank and rank == before:
            shift = _SHIFT[rank]
            have = surplus >> shift & 15
            surplus -= min(have, size) << shift
            budget -= max(0, size - have)
        elif rank:
            mask |= 15 << _SHIFT[rank]
            spare = count[rank] - size
            if spare > 0:
                surplus += spare << _SHIFT[rank]
            else:
                budget += spare
        else:
            budget -= size
        before = rank
    if budget < 0:
        return None
    keep = ~mask
    must = [pack & keep for pack in packed]
    if not quick.runs:
        if any(must) or (quick.exact_sets and (surplus or budget)):
            return None
        return [], []
    return _Runs(quick, [pack & mask for pack in packed] if mask else [0, 0, 0, 0]).search(must, surplus, budget)


class _Runs:
    """The search for runs once the ranks of the sets are fixed."""

    __slots__ = ("marks", "quick", "runs", "spare", "unsure")

    def __init__(self, quick: Quick, spare: list[int]) -> None:
        self.quick = quick
        self.spare = spare
        """Naturals of the sets' ranks, which a run may borrow as long as there is a surplus of the rank."""
        self.runs: list[Run] = []
        self.marks: list[tuple[int, ...]] = []
        """For each run what lies on each of its places: 0 a wild card, 1 a natural."""
        self.unsure = False
        """A run of wild cards alone was refused that could have borrowed a natural from a set."""

    def search(self, must: list[int], surplus: int, budget: int) -> tuple[list[Run], list[tuple[int, ...]]] | None:
        """Cover every natural in ``must`` with runs, at the cost of no more than ``budget`` wild cards."""
        if self._cover(must, surplus, budget):
            return self.runs, self.marks
        if self.unsure:
            raise Undecided
        return None

    def _cover(self, must: list[int], surplus: int, budget: int) -> bool:
        quick = self.quick
        left = quick.runs - len(self.runs)
        need = 0
        where = -1
        for suit in (0, 1, 2, 3):
            pack = must[suit]
            if pack:
                where = suit
                need += 1
                if pack & _SEVERAL:
                    need += 1
        if need > left:
            return False
        if not left:
            return self._complete(surplus, budget)
        if where < 0:
            for suit in (0, 1, 2, 3):
                for place in range(quick.lowest, quick.highest + 2 - quick.run_size):
                    if self._through(suit, place, must, surplus, budget, free=True):
                        return True
            return False
        pack = must[where]
        if pack & _NO_ACE:
            pack &= _NO_ACE
            return self._through(where, ((pack & -pack).bit_length() - 1) // _NIBBLE, must, surplus, budget)
        return (quick.lowest == 1 and self._through(where, 1, must, surplus, budget)) or (
            quick.highest == 14 and self._through(where, 14, must, surplus, budget)
        )

    def _through(self, suit: int, place: int, must: list[int], surplus: int, budget: int, *, free: bool = False) -> bool:
        """Try every run of a suit that covers a place below which no natural waits; ``free``: only runs that begin there."""
        quick = self.quick
        beside = [(low, high) for other, low, high in self.runs if other == suit]
        if beside and not quick.terms.same_suit:
            return False
        low = place
        below: tuple[int, ...] = ()
        pack, spare, over, money = must[suit], self.spare[suit], surplus, budget
        while True:
            if self._upwards(suit, low, place, below, (pack, spare, over, money), must, beside):
                return True
            low -= 1
            if free or low < quick.lowest:
                return False
            one, shift = _ONE[low], _SHIFT[low]
            if pack >> shift & 15:
                pack -= one
                below = (1, *below)
            elif spare >> shift & 15 and over >> shift & 15:
                spare -= one
                over -= one
                below = (1, *below)
            elif money:
                money -= 1
                below = (0, *below)
            else:
                return False

    def _upwards(
        self,
        suit: int,
        low: int,
        place: int,
        below: tuple[int, ...],
        state: tuple[int, int, int, int],
        must: list[int],
        beside: list[tuple[int, int]],
    ) -> bool:
        """Try every last place of a run that begins at ``low``, those that cost least first, and the longest of these."""
        quick = self.quick
        pack, spare, over, money = state
        marks = [*below]
        ends: list[tuple[int, int, tuple[int, ...], int, int, int]] = []
        least = quick.run_size
        top = min(quick.highest, low + (least if quick.exact_runs else quick.longest) - 1)
        enough = low + least - 1
        for high in range(place, top + 1):
            shift = _SHIFT[high]
            if pack >> shift & 15:
                pack -= 1 << shift
                marks.append(1)
            elif spare >> shift & 15 and over >> shift & 15:
                spare -= 1 << shift
                over -= 1 << shift
                marks.append(1)
            elif money:
                money -= 1
                marks.append(0)
            else:
                break
            if high >= enough:
                ends.append((-money, -high, tuple(marks), pack, spare, over))
        if not ends:
            return False
        if len(ends) > 1:
            ends.sort()
        touching = quick.terms.touching
        before = self.spare[suit]
        for lost, end, laid, pack, spare, over in ends:
            if 1 not in laid and not (quick.terms.all_wild_run or quick.bare):
                self.unsure = self.unsure or any(before >> _SHIFT[spot] & 15 for spot in range(low, 1 - end))
                continue
            if beside and not touching and any(top + 1 == low or 1 - end == bottom for bottom, top in beside):
                continue
            self.spare[suit] = spare
            self.runs.append((suit, low, -end))
            self.marks.append(laid)
            rest = must.copy()
            rest[suit] = pack
            if self._cover(rest, over, -lost):
                return True
            self.runs.pop()
            self.marks.pop()
            self.spare[suit] = before
        return False

    def _complete(self, surplus: int, budget: int) -> bool:
        """See whether what is left over finds a place: in the sets, or at the ends of the runs."""
        quick = self.quick
        if quick.sets and not quick.exact_sets:
            return True
        if surplus:
            return False
        return not budget or self._lengthen(budget)

    def _lengthen(self, budget: int) -> bool:
        """Lay the wild cards left over at the ends of the runs."""
        quick = self.quick
        if quick.exact_runs:
            return False
        for number, (suit, low, high) in enumerate(self.runs):
            for new_low, new_high, first in ((low, high + 1, False), (low - 1, high, True)):
                if new_low < quick.lowest or new_high > quick.highest or new_high - new_low >= quick.longest:
                    continue
                if not quick.terms.touching and any(
                    other != number and run[0] == suit and (run[2] + 1 == new_low or new_high + 1 == run[1])
                    for other, run in enumerate(self.runs)
                ):
                    continue
                before = self.runs[number], self.marks[number]
                self.runs[number] = (suit, new_low, new_high)
                self.marks[number] = (0, *before[1]) if first else (*before[1], 0)
                if budget == 1 or self._lengthen(budget - 1):
                    return True
                self.runs[number], self.marks[number] = before
        return False


# ---------------------------------------------------------------------------------------------------------------------
# From what was found to cards


def _lay(
    quick: Quick,
    cards: Sequence[str],
    packed: list[int],
    wilds: int,
    chosen: tuple[int, ...],
    runs: list[Run],
    marks: list[tuple[int, ...]],
) -> LayDown:
    """Give the cards their places, and check the limits on wild cards."""
    terms = quick.terms
    pool: list[str] = []
    if wilds:
        wild = terms.wild
        pool = [card for card in cards if card in wild]
        if wilds > 1:
            pool.sort(key=JOKER.__eq__)
    laid_runs: list[LaidMeld] = []
    rows: list[tuple[Run, list[str | None]]] = []
    for run, laid in zip(runs, marks, strict=True):
        suit, low, high = run
        for place, natural in enumerate(laid, start=low):
            if natural:
                packed[suit] -= _ONE[place]
        if 0 not in laid:
            laid_runs.append(LaidMeld("run", _LAID_PLACES[suit][low : high + 1], _PLACES[suit][low : high + 1]))
            continue
        row: list[str | None] = []
        for face, natural in zip(_PLACES[suit][low : high + 1], laid, strict=True):
            own = not natural and face in pool
            if own:
                pool.remove(face)
            row.append(face if natural or own else None)
        rows.append((run, row))
    for run, row in rows:
        laid_runs.append(_run_meld(run, [card or pool.pop() for card in row], quick))
    if not chosen:
        if pool:
            raise Undecided
        return LayDown(tuple(laid_runs), ())
    size = quick.set_size
    sets: list[list[str]] = []
    for number, rank in enumerate(chosen):
        meld: list[str] = []
        if rank:
            shift = _SHIFT[rank]
            faces = SUITED_FACES[rank]
            for suit in (0, 1, 2, 3):
                copies = packed[suit] >> shift & 15
                if copies:
                    meld += [faces[suit]] * copies
            later = chosen[number + 1 :].count(rank)
            if later:
                del meld[max(size, len(meld) - size * later) :]
                for card in meld:
                    packed[_SPOT[card][0]] -= 1 << shift
        sets.append(meld)
    for meld in sets:
        while len(meld) < size:
            meld.append(pool.pop())
    for card in pool:
        target = next((meld for meld in sets if _set_holds([*meld, card], quick)), None)
        if target is None:
            raise Undecided
        target.append(card)
    used = {RANKS[rank - 1] for rank in chosen if rank} if wilds else None
    return LayDown((*[_set_meld(rank, meld, quick, used) for rank, meld in zip(chosen, sets, strict=True)], *laid_runs), ())


_LAID: Final = {face: Laid(face) for face in (*SUITED, JOKER)}
_PLACES: Final = [tuple([FACE[suit, (place - 1) % 13 + 1] for place in range(28)]) for suit in range(4)]
"""The faces on the places of each suit; place 0 is never used."""
_LAID_PLACES: Final = [tuple([_LAID[face] for face in faces]) for faces in _PLACES]


SUITED_FACES: Final = {rank: [FACE[suit, rank] for suit in range(4)] for rank in range(1, 14)}


def _set_holds(cards: list[str], quick: Quick) -> bool:
    terms = quick.terms
    if quick.exact_sets and len(cards) > quick.set_size:
        return False
    wilds = sum(card in terms.wild for card in cards)
    naturals = len(cards) - wilds
    if wilds > terms.wild_limit:
        return False
    if not naturals:
        return terms.all_wild_set and (terms.bare_set or not terms.set_naturals)
    if not terms.repeat_suits:
        plain = [card for card in cards if card not in terms.wild]
        if len({card[1] for card in plain}) < len(plain):
            return False
    return naturals >= terms.set_naturals and (not terms.ratio_opening or wilds <= naturals)


def _set_meld(rank: int, cards: list[str], quick: Quick, used: set[str] | None) -> LaidMeld:
    terms = quick.terms
    if used is None and terms.repeat_suits:
        return LaidMeld("set", tuple([_LAID[card] for card in cards]), tuple(cards))
    if not _set_holds(cards, quick):
        raise Undecided
    plain = sum(card not in terms.wild for card in cards)
    if plain:
        letter = RANKS[rank - 1]
        values = [card if card not in terms.wild or (card != JOKER and card[0] == letter) else letter for card in cards]
        speak = plain == 1 and quick.runs
        laid = [Laid(card, letter if speak and value == letter else None) for card, value in zip(cards, values, strict=True)]
        return LaidMeld("set", tuple(laid), tuple(values))
    if terms.bare_set:
        if any(card != JOKER for card in cards):
            raise Undecided
        return LaidMeld("set", tuple([Laid(card) for card in cards]), tuple(cards))
    own = {card[0] for card in cards if card != JOKER}
    used = set() if used is None else used
    letter = next(letter for letter in RANKS if letter not in used and letter not in own)
    used.add(letter)
    return LaidMeld("set", tuple([Laid(card, letter) for card in cards]), (letter,) * len(cards))


def _run_meld(run: Run, cards: list[str], quick: Quick) -> LaidMeld:
    terms = quick.terms
    suit, low, _ = run
    values = tuple([FACE[suit, (low + index - 1) % 13 + 1] for index in range(len(cards))])
    if cards == list(values) and not terms.wild & set(cards):
        return LaidMeld("run", tuple([Laid(card) for card in cards]), values)
    stand_in = [card != value for card, value in zip(cards, values, strict=True)]
    wilds = sum(stand_in)
    naturals = len(cards) - wilds
    if (
        wilds > terms.wild_limit
        or (not naturals and not terms.all_wild_run)
        or (terms.ratio_opening and naturals and wilds > naturals)
        or (not terms.adjacent_wilds and any(a and b for a, b in pairwise(stand_in)))
    ):
        raise Undecided
    plain = sum(card not in terms.wild for card in cards)
    laid = []
    for card, value in zip(cards, values, strict=True):
        unclear = plain == 1 and (quick.sets or card != JOKER)
        speak = card in terms.wild and (not plain or unclear or (card != JOKER and card != value))
        laid.append(Laid(card, value if speak else None))
    return LaidMeld("run", tuple(laid), values)
