"""The sets of a play: of which ranks new ones may be, and how the cards that runs leave are shared out among all of them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from continental.rules.solver.binding import frees_sets
from continental.rules.solver.budget import Budget
from continental.rules.solver.scene import Scene
from continental.rules.solver.serving import DIGIT, MASK, Places
from continental.rules.solver.sets import TO_NATURAL, TO_WILD, BySuit, HeldSet, OwnSet, Share, by_suit, shares, without
from continental.rules.solver.terms import FACE, SUITED, Terms

Chosen = dict[int, tuple[tuple[int, OwnSet], ...]]
"""The ranks of the new sets, and the slots laid in each."""


class RankCounts(NamedTuple):
    """How many cards of each rank are held: pure naturals, and natural wild cards where these are told from others."""

    naturals: Sequence[int]
    selves: Sequence[int]


def rank_choices(scene: Scene, hand: RankCounts, budget: Budget) -> Iterator[Chosen]:
    """Give every way to choose the ranks of the new sets: rank → the slots laid in it."""
    terms = scene.terms
    wilds = len(scene.pool)
    ranks = []
    for rank in range(1, 14):
        have = hand.naturals[rank] + hand.selves[rank]
        if have and any(hand.naturals[rank] + wilds >= slot.size for slot in terms.sets):
            ranks.append(rank)
    if terms.all_wild_set and wilds:
        ranks.append(0)
    options = []
    for number, slot in enumerate(terms.sets):
        own = OwnSet(slot.size, slot.exact)
        if slot.count is None:
            most = scene.size // slot.size
            options.append(
                [[(rank, number, own) for rank in chosen] for count in range(most + 1) for chosen in _draw(terms, ranks, count)]
            )
        else:
            options.append([[(rank, number, own) for rank in chosen] for chosen in _draw(terms, ranks, slot.count)])
    for choice in product(*options):
        budget.spend(1)
        by_rank: dict[int, list[tuple[int, OwnSet]]] = {}
        for rank, number, own in (item for part in choice for item in part):
            by_rank.setdefault(rank, []).append((number, own))
        if not terms.same_rank and any(len(items) > 1 for rank, items in by_rank.items() if rank):
            continue
        need = sum(
            max(0, sum(own.size for _, own in items) - (hand.naturals[rank] if rank else 0)) for rank, items in by_rank.items()
        )
        if need <= wilds:
            yield {rank: tuple(items) for rank, items in sorted(by_rank.items())}


def _draw(terms: Terms, ranks: list[int], count: int) -> Iterator[tuple[int, ...]]:
    if terms.same_rank:
        return combinations_with_replacement(ranks, count)
    if 0 in ranks:
        named = [rank for rank in ranks if rank]
        return ((*chosen, *([0] * bare)) for bare in range(count + 1) for chosen in combinations(named, count - bare))
    return combinations(ranks, count)


class SetCost(NamedTuple):
    """What a way of filling the sets costs: as a packed cost does, and ``used``, the wild cards spent in all."""

    used: int = 0
    core: int = 0
    selves: int = 0
    freed: int = 0
    strain: int = 0
    owners: int = 0


class SetWay(NamedTuple):
    worth: int
    chosen: tuple[tuple[int, Share], ...]


class Sharing:
    """Shares the cards of a scene out among sets."""

    def __init__(
        self,
        scene: Scene,
        hand: RankCounts,
        held: Mapping[int, Sequence[tuple[int, HeldSet]]],
        places: Places,
        cap: int,
        *,
        fine: bool,
        unplayable: str | None,
    ) -> None:
        """Prepare.

        Args:
            scene: the cards and the table.
            hand: how many cards of each rank there are.
            held: the sets of the table by rank, with their melds.
            places: where the numbers of a packed cost lie.
            cap: wild cards that can be had at most.
            fine: cards are told apart by suit.
            unplayable: the card that no set may be able to take any more.
        """
        self.scene = scene
        self.hand = hand
        self.held = held
        self.places = places
        self.cap = cap
        self.fine = fine
        self.unplayable = unplayable
        self.owner = {item.meld: item.owner for item in scene.sets}
        self.frees = frees_sets(scene)

    def _left(self, rank: int, cost: int) -> BySuit:
        """Give the naturals of a rank that runs have not taken, by suit (as one number where suits do not matter)."""
        if self.fine:
            return self._minus(self.scene.naturals, self.places.taken, rank, cost)
        return (self.hand.naturals[rank] - (cost >> self.places.taken[0, rank] & MASK), 0, 0, 0)

    def _selves_left(self, rank: int, cost: int) -> BySuit:
        """Give the natural wild cards of a rank that do not stand as themselves in runs, likewise."""
        if not self.hand.selves[rank]:
            return (0, 0, 0, 0)
        if self.fine:
            return self._minus(self.scene.natural_wilds, self.places.selves, rank, cost)
        return (self.hand.selves[rank] - (cost >> self.places.selves[0, rank] & MASK), 0, 0, 0)

    def _loose(self, rank: int, left: BySuit) -> BySuit:
        """Give those of the naturals of a rank that must be laid off, by suit."""
        if not self.scene.loose or not rank:
            return (0, 0, 0, 0)
        firm = [0 if self.scene.is_loose(suit, rank) else count for suit, count in enumerate(left)]
        return without(left, (firm[0], firm[1], firm[2], firm[3]))

    def _closed(self, rank: int) -> int:
        """Say as what the card to be discarded would fit on the sets of a rank."""
        card = self.unplayable
        if card is None:
            return 0
        natural = card in SUITED and SUITED[card][1] == rank
        return (TO_NATURAL if natural else 0) | (TO_WILD if card in self.scene.terms.wild else 0)

    @staticmethod
    def _minus(held: Sequence[Sequence[int]], places: Mapping[tuple[int, int], int], rank: int, cost: int) -> BySuit:
        spades, hearts, diamonds, clubs = [held[suit][rank] - (cost >> places[suit, rank] & MASK) for suit in range(4)]
        return spades, hearts, diamonds, clubs

    def share(self, chosen: Chosen, tracked: frozenset[int], runs: int) -> list[tuple[SetCost, SetWay]]:
        """Give every useful way to share cards among all sets, with what it costs, and what it leaves behind.

        Args:
            chosen: the ranks of the new sets.
            tracked: the ranks of which cards are shared out here.
            runs: the packed cost of the runs, which says what they took.
        """
        ways: dict[SetCost, SetWay] = {SetCost(): SetWay(0, ())}
        for rank in sorted(set(chosen) | set(self.held)):
            own = tuple(item for _, item in chosen.get(rank, ()))
            held = tuple(item for _, item in self.held.get(rank, ()))
            left = self._left(rank, runs) if rank in tracked else (0, 0, 0, 0)
            if min(left) < 0:
                return []
            selves = self._selves_left(rank, runs) if rank in tracked else (0, 0, 0, 0)
            loose = self._loose(rank, left)
            strange = len(self.scene.pool) - self.hand.selves[rank]
            found = shares(self.scene.terms, own, held, left, selves, self.cap, self._closed(rank), loose, self.frees, strange)
            if self.fine:
                found = self._in_suits(rank, found, len(own), left, selves, loose)
            later: dict[SetCost, SetWay] = {}
            for cost, way in ways.items():
                for share in found:
                    if cost.used + share.used > self.cap:
                        continue
                    if self.scene.cover and share.naturals < sum(left):
                        continue
                    worth = way.worth + self._worth_of(rank, left, share) - sum(self._weights_of(rank, left))
                    new = self._cost(cost, rank, share, len(own))
                    old = later.get(new)
                    if old is None or old.worth < worth:
                        later[new] = SetWay(worth, (*way.chosen, (rank, share)))
            ways = later
        return list(ways.items())

    def _cost(self, cost: SetCost, rank: int, share: Share, own: int) -> SetCost:
        """Add what one rank's sets cost."""
        strain, owners = cost.strain, cost.owners
        if share.freed and self.scene.terms.swap_target in ("another-meld", "own-run"):
            of = [self.scene.player] * own + [self.owner[meld] for meld, _ in self.held.get(rank, ())]
            for owner, pick in zip(of, share.picks, strict=True):
                if pick.freed and self.scene.terms.swap_target == "another-meld":
                    strain = max(strain, pick.freed + pick.laid_off)
                elif pick.freed:
                    owners += pick.freed << DIGIT * (2 * owner + 1)
        return SetCost(
            cost.used + share.used,
            cost.core + share.core,
            cost.selves + self._packed_selves(rank, share),
            cost.freed + share.freed,
            strain,
            owners,
        )

    def _packed_selves(self, rank: int, share: Share) -> int:
        """Write the natural wild cards that stand as themselves as a packed cost does."""
        if share.stood is None:
            return share.selves << self.places.selves[0, rank] if share.selves else 0
        return sum(count << self.places.selves[suit, rank] for suit, count in enumerate(share.stood) if count)

    def _in_suits(
        self, rank: int, found: Sequence[Share], own: int, left: BySuit, selves: BySuit, loose: BySuit
    ) -> tuple[Share, ...]:
        """Say of each way which suits it takes: of the naturals the dearest beside those that must be laid off, of the natural
        wild cards any that will do.
        """
        firm = without(left, loose)
        weights = self.scene.weights
        told: list[Share] = []
        for share in found:
            apart: tuple[int, ...] = ()
            apart_selves: tuple[int, ...] = ()
            if not self.scene.terms.repeat_suits:
                apart = tuple(sorted(pick.core_naturals - pick.core_selves for pick in share.picks[:own]))
                apart_selves = tuple(sorted(pick.core_selves for pick in share.picks[:own]))
            put = max(
                by_suit(firm, share.naturals - sum(loose), apart),
                key=lambda way: sum(count * weights[FACE[suit, rank]] for suit, count in enumerate(way) if count),
            )
            put = put[0] + loose[0], put[1] + loose[1], put[2] + loose[2], put[3] + loose[3]
            told += [share._replace(put=put, stood=stood) for stood in by_suit(selves, share.selves, apart_selves)]
        return tuple(told)

    def _worth_of(self, rank: int, left: BySuit, share: Share) -> int:
        """Give the worth of the naturals of a rank that go to its sets, the dearest first where suits do not matter."""
        if not share.naturals:
            return 0
        if share.put is not None:
            return sum(self._weights_of(rank, share.put))
        return sum(self._weights_of(rank, left)[: share.naturals])

    def _weights_of(self, rank: int, copies: BySuit) -> list[int]:
        """Give what each of these naturals of a rank is worth."""
        weights = self.scene.weights
        if self.fine:
            return [weights[FACE[suit, rank]] for suit in range(4) for _ in range(copies[suit])] if rank else []
        suit = next((suit for suit in range(4) if self.scene.naturals[suit][rank]), 0)
        return [weights[FACE[suit, rank]]] * copies[0] if copies[0] else []
