"""A naive referee's assistant: tries every meld and every lay-off one after another, for hands small enough to bear it.

It shares no code with the solver: melds are enumerated card by card and the limits are read straight from the rule set.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from continental.rules.cards import JOKER, RANKS, SUITS
from continental.rules.parameters import HandRule, RuleSet


class Piece(NamedTuple):
    """A card on the table: the card, the rank it stands for, and whether it serves as a wild card."""

    card: str
    rank: str
    wild: bool


class BruteMeld(NamedTuple):
    """A meld on the table: its kind, its cards, its suit and lowest place (runs), its rank (sets; "" for bare wild
    cards), who laid it.
    """

    kind: str
    pieces: tuple[Piece, ...]
    suit: str = ""
    low: int = 0
    rank: str = ""
    own: bool = False
    owner: str = ""


Hand = tuple[str, ...]


class Brute:
    """Everything that can be done with a hand under a rule set."""

    def __init__(self, rules: RuleSet, hand: HandRule) -> None:
        self.rules = rules
        self.hand = hand
        self.layoff = rules.layoff_later if hand.contract is None else rules.layoff_opening
        """Where melds are free nobody goes down, so that every turn is a later one."""

    # -- limits

    def rank_at(self, place: int) -> str | None:
        if self.rules.wrap:
            return RANKS[(place - 1) % 13]
        if place == 1:
            return "A" if self.rules.ace in ("both", "low") else None
        if place == 14:
            return "A" if self.rules.ace in ("both", "high") else None
        return RANKS[place - 1] if 1 < place < 14 else None

    def may_lie(self, meld: BruteMeld, opening: bool) -> bool:
        rules = self.rules
        size = len(meld.pieces)
        wilds = sum(piece.wild for piece in meld.pieces)
        naturals = size - wilds
        if rules.wild_limit is not None and wilds > rules.wild_limit:
            return False
        if naturals and wilds > naturals and (rules.wild_ratio == "always" or (opening and rules.wild_ratio == "opening")):
            return False
        if meld.kind == "run":
            if rules.max_run is not None and size > rules.max_run:
                return False
            high = meld.low + size - 1
            if not rules.wrap:
                if self.rank_at(meld.low) is None or self.rank_at(high) is None:
                    return False
                if meld.low == 1 and high == 14 and not rules.two_aces:
                    return False
            if not rules.adjacent_wilds and any(a.wild and b.wild for a, b in zip(meld.pieces, meld.pieces[1:], strict=False)):
                return False
            return bool(naturals) or rules.all_wild == "declared"
        if rules.max_set is not None and size > rules.max_set:
            return False
        if not naturals:
            return rules.all_wild == "sets" or (rules.all_wild == "declared" and not rules.set_naturals)
        if not meld.rank:
            return False
        if naturals < rules.set_naturals:
            return False
        if opening and not rules.set_repeat_suits:
            suits = [piece.card[1] for piece in meld.pieces if not piece.wild]
            return len(set(suits)) == len(suits)
        return True

    # -- melds that can be laid

    def sets(self, cards: Hand, least: int, exact: bool, kind: str) -> Iterator[tuple[BruteMeld, Hand]]:
        for size in range(least, least + 1 if exact else len(cards) + 1):
            for chosen in {tuple(sorted(part)) for part in combinations(cards, size)}:
                left = _minus(cards, chosen)
                plain = {card[0] for card in chosen if card not in self.rules.wild}
                if len(plain) > 1:
                    continue
                ranks = plain or set(RANKS)
                for rank in sorted(ranks):
                    for pieces in self._as_rank(chosen, rank):
                        if not plain and self.rules.all_wild == "sets" and all(piece.wild for piece in pieces):
                            continue
                        meld = BruteMeld(kind, pieces, rank=rank, own=True)
                        if self.may_lie(meld, True):
                            yield meld, left
                if not plain and self.rules.all_wild == "sets":
                    meld = BruteMeld(kind, tuple(Piece(card, "", True) for card in chosen), own=True)
                    if self.may_lie(meld, True):
                        yield meld, left

    def _as_rank(self, chosen: Hand, rank: str) -> Iterator[tuple[Piece, ...]]:
        """Give the ways to lay cards as a rank: a wild card of it is natural, or declared wild where suits may not repeat."""
        own = [card != JOKER and card in self.rules.wild and card[0] == rank for card in chosen]
        free = 0 if self.rules.set_repeat_suits else sum(own)
        for declared in product((False, True), repeat=free):
            said = iter(declared)
            yield tuple(
                Piece(card, rank, card in self.rules.wild and (not mine or (free > 0 and next(said))))
                for card, mine in zip(chosen, own, strict=True)
            )

    def runs(self, cards: Hand, least: int, exact: bool) -> Iterator[tuple[BruteMeld, Hand]]:
        for suit in SUITS:
            for low in range(1, 15):
                if self.rank_at(low) is not None and not (self.rules.wrap and low == 14):
                    yield from self._run(cards, suit, low, (), least, exact)

    def _run(
        self, cards: Hand, suit: str, low: int, pieces: tuple[Piece, ...], least: int, exact: bool
    ) -> Iterator[tuple[BruteMeld, Hand]]:
        if len(pieces) >= least:
            meld = BruteMeld("run", pieces, suit, low, own=True)
            if self.may_lie(meld, True):
                yield meld, cards
            if exact:
                return
        rank = self.rank_at(low + len(pieces))
        if rank is None or (self.rules.max_run is not None and len(pieces) >= self.rules.max_run):
            return
        for card in sorted(set(cards)):
            if card == rank + suit or card in self.rules.wild:
                piece = Piece(card, rank, card != rank + suit)
                yield from self._run(_minus(cards, (card,)), suit, low, (*pieces, piece), least, exact)

    def openings(self, cards: Hand) -> Iterator[tuple[tuple[BruteMeld, ...], Hand]]:
        hand, rules = self.hand, self.rules
        if hand.contract is None:
            yield from self._free(tuple(sorted(cards)), ())
            return
        slots = [
            (slot.kind, slot.size or {"run": hand.min_run, "set": rules.min_set, "pair": 2}[slot.kind])
            for slot in hand.contract.slots
        ]
        seen = set()
        for melds, left in self._slots(tuple(sorted(cards)), slots, ()):
            key = (tuple(sorted(melds)), left)
            if key not in seen:
                seen.add(key)
                yield melds, left

    def _slots(
        self, cards: Hand, slots: Sequence[tuple[str, int]], melds: tuple[BruteMeld, ...]
    ) -> Iterator[tuple[tuple[BruteMeld, ...], Hand]]:
        if not slots:
            if self.side_by_side(melds):
                yield from self._free(cards, melds) if self.rules.extra_melds_opening else [(melds, cards)]
            return
        kind, least = slots[0]
        found = (
            self.runs(cards, least, self.hand.exact_runs)
            if kind == "run"
            else self.sets(cards, least, kind == "pair" or self.hand.exact_sets, kind)
        )
        same = (
            len(slots) < len(self.hand.contract.slots) and melds and self._same_slot(len(melds)) if self.hand.contract else False
        )
        for meld, left in found:
            if not same or meld >= melds[-1]:
                yield from self._slots(left, slots[1:], (*melds, meld))

    def _same_slot(self, number: int) -> bool:
        slots = self.hand.contract.slots if self.hand.contract else ()
        return slots[number] == slots[number - 1]

    def _free(self, cards: Hand, melds: tuple[BruteMeld, ...]) -> Iterator[tuple[tuple[BruteMeld, ...], Hand]]:
        yield melds, cards
        rules, hand = self.rules, self.hand
        sets = self.sets(cards, rules.min_set, hand.exact_sets, "set")
        for meld, left in [*sets, *self.runs(cards, hand.min_run, hand.exact_runs)]:
            if self.side_by_side((*melds, meld)):
                yield from self._free(left, tuple(sorted((*melds, meld))))

    def side_by_side(self, melds: Sequence[BruteMeld]) -> bool:
        rules = self.rules
        for one, other in combinations(melds, 2):
            if one.kind == "run" and other.kind == "run" and one.suit == other.suit:
                if not rules.same_suit_runs:
                    return False
                if not rules.touching_runs and self.touching(one, other):
                    return False
            if one.rank and one.rank == other.rank and not rules.same_rank_sets:
                return False
        return True

    def touching(self, one: BruteMeld, other: BruteMeld) -> bool:
        """Tell whether one run ends where the other begins; runs that share a place overlap, and do not touch."""
        circle = 13 if self.rules.wrap else 99
        places = [{(run.low + step) % circle for step in range(len(run.pieces))} for run in (one, other)]
        if places[0] & places[1]:
            return False
        return any((low.low + len(low.pieces) - high.low) % circle == 0 for low, high in ((one, other), (other, one)))

    def can_open_with_all(self, cards: Hand) -> bool:
        return any(not left and melds for melds, left in self.openings(cards))

    def most_laid(self, cards: Hand) -> int:
        return max((len(cards) - len(left) for melds, left in self.openings(cards) if melds), default=0)

    # -- the whole turn

    def ends(
        self, cards: Hand, table: tuple[BruteMeld, ...]
    ) -> Iterator[tuple[tuple[BruteMeld, ...], tuple[BruteMeld, ...], Hand]]:
        """Give every opening with every table that lay-offs and swaps can make of it, and the cards left."""
        hand = self.hand
        seen: set[tuple[tuple[BruteMeld, ...], Hand]] = set()
        for melds, left in self.openings(cards):
            start = (tuple(sorted((*table, *melds))), left)
            stack = [start]
            while stack:
                state = stack.pop()
                if state in seen:
                    continue
                seen.add(state)
                if all(self.may_lie(meld, False) for meld in state[0]):
                    yield melds, state[0], state[1]
                if hand.all_cards or self.layoff == "none":
                    continue
                stack.extend(self._further(state))

    def _further(self, state: tuple[tuple[BruteMeld, ...], Hand]) -> Iterator[tuple[tuple[BruteMeld, ...], Hand]]:
        table, left = state
        for number, meld in enumerate(table):
            if meld.own and self.layoff != "any":
                continue
            for card in sorted(set(left)):
                for bigger in self.added(meld, card):
                    yield _replace(table, number, bigger), _minus(left, (card,))
        for number, meld in enumerate(table if all(self.may_lie(meld, False) for meld in table) else ()):
            if not (self.rules.swap_run if meld.kind == "run" else self.rules.swap_set and meld.rank):
                continue
            for index, piece in enumerate(meld.pieces):
                if not piece.wild:
                    continue
                for card in sorted(set(left)):
                    if card == JOKER or card[0] != piece.rank or (meld.kind == "run" and card[1] != meld.suit):
                        continue
                    changed = meld._replace(
                        pieces=(*meld.pieces[:index], Piece(card, piece.rank, False), *meld.pieces[index + 1 :])
                    )
                    if meld.kind != "run":
                        changed = changed._replace(pieces=tuple(sorted(changed.pieces)))
                    middle = list(table)
                    middle[number] = changed
                    rest = _minus(left, (card,))
                    for goal, other in enumerate(middle):
                        if other.own and self.layoff != "any":
                            continue
                        if not self.may_go(number, goal, middle):
                            continue
                        for bigger in self.added(other, piece.card):
                            swapped = _replace(tuple(middle), goal, bigger)
                            if all(self.may_lie(meld, False) for meld in swapped):
                                yield swapped, rest

    def may_go(self, number: int, goal: int, table: Sequence[BruteMeld]) -> bool:
        target = self.rules.swap_target
        if target == "another-meld":
            return number != goal
        if target == "same-run":
            return number == goal
        same_owner = table[goal].own == table[number].own and table[goal].owner == table[number].owner
        return target != "own-run" or (table[goal].kind == "run" and same_owner)

    def added(self, meld: BruteMeld, card: str) -> list[BruteMeld]:
        """Give the melds that one more card can make."""
        wild = card in self.rules.wild
        if meld.kind != "run":
            if not meld.rank:
                return [meld._replace(pieces=tuple(sorted((*meld.pieces, Piece(card, "", True)))))] if wild else []
            if card[0] == meld.rank and card != JOKER:
                return [meld._replace(pieces=tuple(sorted((*meld.pieces, Piece(card, meld.rank, False)))))]
            return [meld._replace(pieces=tuple(sorted((*meld.pieces, Piece(card, meld.rank, True)))))] if wild else []
        found = []
        below, above = self.rank_at(meld.low - 1), self.rank_at(meld.low + len(meld.pieces))
        if below is not None and (wild or card == below + meld.suit):
            piece = Piece(card, below, card != below + meld.suit)
            low = meld.low - 1 or 13 if self.rules.wrap else meld.low - 1
            found.append(meld._replace(pieces=(piece, *meld.pieces), low=low))
        if above is not None and (wild or card == above + meld.suit):
            found.append(meld._replace(pieces=(*meld.pieces, Piece(card, above, card != above + meld.suit))))
        limit = self.rules.max_run or 99
        return [bigger for bigger in found if len(bigger.pieces) <= limit]

    def best(self, cards: Hand, table: tuple[BruteMeld, ...]) -> tuple[int, int] | None:
        """Give the fewest points left after the discard, and with how few cards; ``None`` if there is no legal turn."""
        hand, rules = self.hand, self.rules
        best: tuple[int, int] | None = None
        known = None not in [rules.value(card) for card in cards]
        for melds, after, left in self.ends(cards, table):
            if not melds and len(left) == len(cards):
                continue
            outcomes: list[Hand] = [()] if hand.no_discard and not left else []
            if not hand.no_discard:
                outcomes = [_minus(left, (card,)) for card in set(left) if self._may_discard(card, after)]
                if rules.play_last_two:
                    outcomes = [rest for rest in outcomes if rest]
                if not left and not rules.needs_discard(hand) and not hand.all_cards:
                    outcomes.append(())
                if hand.all_cards or hand.must_go_out:
                    outcomes = [rest for rest in outcomes if not rest]
            for rest in outcomes:
                score = (sum(rules.value(card) or 0 for card in rest) if known else 0, len(rest))
                if best is None or score < best:
                    best = score
        return best

    def _may_discard(self, card: str, table: tuple[BruteMeld, ...]) -> bool:
        rules = self.rules
        if rules.discard != "not-playable" or self.hand.all_cards or self.layoff == "none":
            return True
        for meld in table:
            if meld.own and self.layoff != "any":
                continue
            if any(self.may_lie(bigger, False) for bigger in self.added(meld, card)):
                return False
        return True


def _replace(table: tuple[BruteMeld, ...], number: int, meld: BruteMeld) -> tuple[BruteMeld, ...]:
    return tuple(sorted((*table[:number], meld, *table[number + 1 :])))


@lru_cache(maxsize=100_000)
def _minus(cards: Hand, out: tuple[str, ...]) -> Hand:
    left = Counter(cards)
    left.subtract(out)
    return tuple(sorted(left.elements()))
