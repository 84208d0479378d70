"""The quick search for runs that take every natural left to them, once the ranks of the sets are fixed.

Where each suit that still holds naturals must be one run, its run is known: from its lowest card to its highest. Else the search
takes a natural that no run covers yet, and tries every run through it, as long as the wild cards last.
"""

from continental.rules.solver.quick import Quick, Undecided
from continental.rules.solver.tally import ACE, COUNT, HIGH_ACE, NO_ACE, ON, PLACE, SEVERAL, SHIFT, faces_of
from continental.rules.solver.terms import ENDLESS

Run = tuple[int, int, int, int]
"""A run found: its suit, its first and last place (14 is the high ace), and one card for each natural in it."""


class Chains:
    """One search for runs."""

    __slots__ = ("floor", "quick", "runs", "spare", "unsure")

    def __init__(self, quick: Quick, spare: list[int]) -> None:
        self.quick = quick
        self.spare = spare
        """Naturals of the sets' ranks, which a run may borrow as long as there is a surplus of the rank."""
        self.runs: list[Run] = []
        self.floor = (0, 0)
        """Suit and first place below which no run is laid that no natural calls for."""
        self.unsure = False
        """A run of wild cards alone was refused that could have borrowed a natural from a set."""

    def search(self, must: list[int], surplus: int, budget: int) -> list[Run] | None:
        """Cover every natural in ``must`` with runs, at the cost of no more than ``budget`` wild cards.

        Args:
            must: the naturals by suit.
            surplus: how many naturals of each rank the sets can spare.
            budget: the wild cards that the sets do not need.
        """
        if self._cover(must, surplus, budget):
            return self.runs
        if self.unsure:
            raise Undecided
        return None

    def _cover(self, must: list[int], surplus: int, budget: int) -> bool:
        left = self.quick.runs - len(self.runs)
        suits = []
        several = 0
        for suit in (0, 1, 2, 3):
            pack = must[suit]
            if pack:
                suits.append(suit)
                if pack & SEVERAL:
                    several += 1
        need = len(suits) + several
        if need > left or (several and not self.quick.terms.same_suit):
            return False
        if not left:
            return self._complete(surplus, budget)
        if need == left and not several and not any(run[0] in suits for run in self.runs):
            if self._one_each(suits, must, surplus, budget):
                return True
            if not surplus or self._wilds_needed(suits, must, surplus) > budget:
                return False
        if not suits:
            return self._anywhere(must, surplus, budget)
        suit = suits[0]
        pack = must[suit] & NO_ACE
        if pack:
            return self._through(suit, PLACE[(pack & -pack).bit_length()], must, surplus, budget)
        return (self.quick.lowest == 1 and self._through(suit, 1, must, surplus, budget)) or (
            self.quick.highest == 14 and self._through(suit, 14, must, surplus, budget)
        )

    def _one_each(self, suits: list[int], must: list[int], surplus: int, budget: int) -> bool:
        """Lay one run in each of these suits, from the lowest natural to the highest, without what the sets can spare."""
        quick = self.quick
        before = len(self.runs)
        for suit in suits:
            low, high, pack = self._shortest(must[suit])
            size = high - low + 1
            if size < quick.run_size:
                size = quick.run_size
                high = min(quick.highest, low + size - 1)
                low = high - size + 1
            budget -= size - pack.bit_count()
            if budget < 0 or size > quick.longest:
                break
            self.runs.append((suit, low, high, pack))
        else:
            if self._complete(surplus, budget):
                return True
        del self.runs[before:]
        return False

    def _shortest(self, pack: int) -> tuple[int, int, int]:
        """Give the first and the last place of the shortest run that holds these naturals, and where they lie in it."""
        low, high = PLACE[(pack & -pack).bit_length()], PLACE[pack.bit_length()]
        if low > 1 or self.quick.highest < 14:
            return low, high, pack
        rest = pack ^ ACE
        lowest = PLACE[(rest & -rest).bit_length()] if rest else 14
        if self.quick.lowest > 1 or 14 - lowest < high - 1:
            return lowest, 14, rest | HIGH_ACE
        return low, high, pack

    def _wilds_needed(self, suits: list[int], must: list[int], surplus: int) -> int:
        """Say how many wild cards one run in each of these suits needs, if each could borrow all that the sets can spare."""
        lent = faces_of(surplus)
        wilds = 0
        for suit in suits:
            low, high, pack = self._shortest(must[suit])
            if high - low >= self.quick.longest:
                return ENDLESS
            gaps = max(high - low + 1, self.quick.run_size) - pack.bit_count()
            wilds += max(0, gaps - (faces_of(self.spare[suit]) & lent).bit_count())
        return wilds

    def _anywhere(self, must: list[int], surplus: int, budget: int) -> bool:
        """Lay a run although no natural calls for it; the order of such runs does not matter."""
        quick = self.quick
        lent = faces_of(surplus)
        before = self.floor
        for suit in range(before[0], 4):
            if (faces_of(self.spare[suit]) & lent).bit_count() + budget >= quick.run_size:
                for place in range(quick.lowest, quick.highest + 2 - quick.run_size):
                    self.floor = suit, place
                    if self.floor >= before and self._through(suit, place, must, surplus, budget, free=True):
                        return True
        self.floor = before
        return False

    def _through(self, suit: int, place: int, must: list[int], surplus: int, budget: int, *, free: bool = False) -> bool:
        """Try every run of a suit that covers a place below which no natural waits; ``free``: only runs that begin there."""
        quick = self.quick
        beside = [run for run in self.runs if run[0] == suit]
        if beside and not quick.terms.same_suit:
            return False
        low = place
        below = 0
        pack, spare, over, money = must[suit], self.spare[suit], surplus, budget
        while True:
            if self._upwards(suit, low, place, (below, pack, spare, over, money), must, beside):
                return True
            low -= 1
            if free or low < quick.lowest:
                return False
            shift = SHIFT[low]
            if pack >> shift & COUNT:
                pack -= 1 << shift
                below |= ON[low]
            elif spare >> shift & COUNT and over >> shift & COUNT:
                spare -= 1 << shift
                over -= 1 << shift
                below |= ON[low]
            elif money:
                money -= 1
            else:
                return False

    def _upwards(
        self,
        suit: int,
        low: int,
        place: int,
        state: tuple[int, int, int, int, int],
        must: list[int],
        beside: list[Run],
    ) -> bool:
        """Try every last place of a run that begins at ``low``, those that cost least first, and the longest of these."""
        quick = self.quick
        naturals, pack, spare, over, money = state
        ends: list[tuple[int, int, int, int, int, int]] = []
        enough = low + quick.run_size - 1
        touching = quick.terms.touching
        for high in range(place, min(quick.highest, low + quick.longest - 1) + 1):
            shift = SHIFT[high]
            if pack >> shift & COUNT:
                pack -= 1 << shift
                naturals |= ON[high]
            elif spare >> shift & COUNT and over >> shift & COUNT:
                spare -= 1 << shift
                over -= 1 << shift
                naturals |= ON[high]
            elif money:
                money -= 1
            else:
                break
            if high >= enough and (touching or money or not self._strands(high, pack, spare)):
                ends.append((-money, -high, naturals, pack, spare, over))
        if not ends:
            return False
        if len(ends) > 1:
            ends.sort()
        before = self.spare[suit]
        for lost, end, naturals, pack, spare, over in ends:
            run = (suit, low, -end, naturals)
            if not naturals and not (quick.terms.all_wild_run or quick.bare):
                self.unsure = self.unsure or any(before >> SHIFT[at] & COUNT for at in range(low, 1 - end))
                continue
            if beside and not touching and any(_touch(run, other) for other in beside):
                continue
            self.spare[suit] = spare
            self.runs.append(run)
            rest = must.copy()
            rest[suit] = pack
            if self._cover(rest, over, -lost):
                return True
            self.runs.pop()
            self.spare[suit] = before
        return False

    def _strands(self, high: int, pack: int, spare: int) -> bool:
        """Tell whether a run that ends here leaves a natural beside it that only a touching run could take."""
        return high < 13 and bool(pack >> SHIFT[high + 1] & COUNT) and not (pack | spare) >> SHIFT[high] & COUNT

    def _complete(self, surplus: int, budget: int) -> bool:
        """See whether what is left over finds a place: in the sets, or at the ends of the runs."""
        quick = self.quick
        if quick.sets and not quick.exact_sets:
            return True
        return not surplus and (not budget or self._lengthen(budget))

    def _lengthen(self, budget: int) -> bool:
        """Lay the wild cards left over at the ends of the runs."""
        quick = self.quick
        for number, run in enumerate(self.runs):
            suit, low, high, naturals = run
            for new_low, new_high in ((low, high + 1), (low - 1, high)):
                if new_low < quick.lowest or new_high > quick.highest or new_high - new_low >= quick.longest:
                    continue
                longer = (suit, new_low, new_high, naturals)
                beside = (other for other in self.runs if other is not run and other[0] == suit)
                if not quick.terms.touching and any(_touch(longer, other) for other in beside):
                    continue
                self.runs[number] = longer
                if budget == 1 or self._lengthen(budget - 1):
                    return True
                self.runs[number] = run
        return False


def _touch(one: Run, other: Run) -> bool:
    return one[2] + 1 == other[1] or other[2] + 1 == one[1]
