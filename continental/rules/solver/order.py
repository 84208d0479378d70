"""In which order a turn is played: each lay-off and each swap must be legal when it is made, not just what lies there in the end.

A freed wild card must be played at once. Where it may not come back to its meld, it can still do so by way of another one: it is
laid off there in the place of a natural, which then takes its place in turn.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from continental.rules.cards import JOKER, Laid
from continental.rules.layoffs import extend, new_faults, swap_wild
from continental.rules.melds import Meld
from continental.rules.parameters import RuleSet

MOST_LOOKED_AT: Final = 2_000
"""Positions that are looked at before an order is given up: those of a legal turn are a few dozen."""


class Spot(NamedTuple):
    """A place for a card that is laid off: the card (for a wild card only which is preferred), what it stands for, whether it is
    wild there, and whether it must be freed first.
    """

    card: str
    value: str
    wild: bool
    freed: bool


class Chain(NamedTuple):
    """Cards to lay off on one meld, in the order laid: the number of the meld, the end of a run, the places."""

    meld: int
    end: str
    spots: tuple[Spot, ...]


class Exchange(NamedTuple):
    """A card to put in the place of a wild card: the number of the meld, the card."""

    meld: int
    card: str


class Play(NamedTuple):
    """A step: cards laid off on a meld, or with ``source`` a card put there and the wild card that it frees laid off."""

    meld: int
    end: str
    cards: tuple[Laid, ...]
    source: int = -1
    card: str = ""


_Melds = tuple[Meld, ...]


class Order:
    """The search for an order."""

    def __init__(
        self,
        rules: RuleSet,
        melds: Sequence[Meld],
        chains: Sequence[Chain],
        fits: Callable[[int, int], bool],
        *,
        relays: bool,
    ) -> None:
        """Prepare.

        Args:
            rules: the rules.
            melds: the melds before the first step, those just laid last.
            chains: what is to be laid off.
            fits: tells whether a wild card freed from one meld may go to another, by their numbers.
            relays: a freed wild card may go on to a third meld if a natural takes its place.
        """
        self.rules = rules
        self.melds = tuple(melds)
        self.chains = chains
        self.fits = fits
        self.relays = relays
        self.hopeless: set[object] = set()

    def is_legal(self, plays: Sequence[Play]) -> bool:
        """Tell whether the steps can be played in this order."""
        melds: _Melds | None = self.melds
        for step in plays:
            melds = melds and (self._swap(melds, step) if step.card else self._lay_off(melds, step))
        return melds is not None

    def find(self, exchanges: Sequence[Exchange], hand: Sequence[str]) -> list[Play] | None:
        """Give the steps in a legal order; ``None`` if none is found.

        Args:
            exchanges: the swaps to make.
            hand: the wild cards of the hand to lay off as wild cards.
        """
        return self._further(self.melds, (0,) * len(self.chains), tuple(sorted(exchanges)), tuple(sorted(hand)))

    def _further(
        self, melds: _Melds, places: tuple[int, ...], exchanges: tuple[Exchange, ...], hand: tuple[str, ...]
    ) -> list[Play] | None:
        if not exchanges and all(place == len(chain.spots) for place, chain in zip(places, self.chains, strict=True)):
            return []
        state = melds, places, exchanges, hand
        if state in self.hopeless or len(self.hopeless) > MOST_LOOKED_AT:
            return None
        for number, (place, chain) in enumerate(zip(places, self.chains, strict=True)):
            for play, count, swapped, left in self._steps(melds, chain, place, exchanges, hand):
                after = self._swap(melds, play) if play.card else self._lay_off(melds, play)
                if after is None:
                    continue
                rest = self._further(after, (*places[:number], place + count, *places[number + 1 :]), swapped, left)
                if rest is not None:
                    return [play, *rest]
        self.hopeless.add(state)
        return None

    def _steps(
        self, melds: _Melds, chain: Chain, place: int, exchanges: tuple[Exchange, ...], hand: tuple[str, ...]
    ) -> list[tuple[Play, int, tuple[Exchange, ...], tuple[str, ...]]]:
        """Give what may come next in a chain, with the places it fills, and the swaps and wild cards of the hand left then."""
        found: list[tuple[Play, int, tuple[Exchange, ...], tuple[str, ...]]] = []
        cards: list[Laid] = []
        left = list(hand)
        for spot in chain.spots[place:]:
            if (spot.freed and not spot.wild) or (spot.wild and not left):
                break
            card = spot.card if not spot.wild or spot.card in left else left[0]
            if spot.wild:
                left.remove(card)
            cards.append(self._spoken(spot, card))
            found.insert(0, (Play(chain.meld, chain.end, tuple(cards)), len(cards), exchanges, tuple(left)))
        if place == len(chain.spots):
            return found
        spot = chain.spots[place]
        passes = not (spot.wild or spot.freed or spot.card == JOKER) and self._may_swap(melds[chain.meld])
        if not (spot.wild or spot.freed or (passes and self.relays)):
            return found
        for number, exchange in enumerate(exchanges):
            freed = swap_wild(melds[exchange.meld], exchange.card)
            if freed is None or not self.fits(exchange.meld, chain.meld):
                continue
            if spot.freed and not spot.wild and freed[1] != spot.card:
                continue
            laid = (Laid(freed[1]),)
            more = (Exchange(chain.meld, spot.card),) if passes else ()
            rest = tuple(sorted((*exchanges[:number], *exchanges[number + 1 :], *more)))
            found.append((Play(chain.meld, chain.end, laid, exchange.meld, exchange.card), 1, rest, hand))
        return found

    def _spoken(self, spot: Spot, card: str) -> Laid:
        """Lay a card on a place: a natural wild card that stands for another card of a run is spoken."""
        speak = card in self.rules.wild and card != JOKER and len(spot.value) == 2 and card != spot.value
        return Laid(card, spot.value if speak else None)

    def _may_swap(self, meld: Meld) -> bool:
        return self.rules.swap_run if meld.kind == "run" else self.rules.swap_set and meld.rank != ""

    def _lay_off(self, melds: _Melds, play: Play) -> _Melds | None:
        reading = extend(melds[play.meld], play.cards, self.rules, play.end or None)
        if not reading.legal or reading.meld is None:
            return None
        return (*melds[: play.meld], reading.meld, *melds[play.meld + 1 :])

    def _swap(self, melds: _Melds, play: Play) -> _Melds | None:
        swapped = swap_wild(melds[play.source], play.card)
        if swapped is None or swapped[1] != play.cards[0].card or new_faults(melds[play.source], swapped[0], self.rules):
            return None
        return self._lay_off((*melds[: play.source], swapped[0], *melds[play.source + 1 :]), play)
