"""From a plan to cards: which copy goes where, what must be spoken, and in which order the turn is played."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from continental.rules.cards import JOKER, RANKS, SUITS, Laid
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.parameters import RuleSet
from continental.rules.solver.answers import LaidMeld, LayOff, Swap
from continental.rules.solver.lines import CORE, LEFT, OWN
from continental.rules.solver.order import Chain, Exchange, Order, Play, Spot
from continental.rules.solver.plan import NewSet, Plan
from continental.rules.solver.quick import Undecided
from continental.rules.solver.scene import Scene
from continental.rules.solver.serving import SWAPPED_IN
from continental.rules.solver.terms import FACE, SUITED
from continental.rules.turn_question import Lying

Table = Sequence[Lying]


class Out(NamedTuple):
    """The melds of the opening, the lay-offs and swaps in order, and every card of the hand that they use."""

    melds: tuple[LaidMeld, ...]
    steps: tuple[LayOff | Swap, ...]
    played: tuple[str, ...]


class _Slot:
    """A place for one card: what it stands for, and which card lies there once it is known."""

    __slots__ = ("card", "core", "freed", "meld", "own", "run", "said", "swapped", "value", "wild")

    def __init__(self, meld: int, value: str, *, card: str | None, core: bool, own: bool, run: bool) -> None:
        self.meld = meld
        self.value = value
        self.card = card
        self.wild = card is None
        self.core = core
        self.own = own
        self.run = run
        self.freed: int | None = None
        """Which of the wild cards that swaps free goes here."""
        self.swapped = False
        """The wild card here goes down and is freed at once."""
        self.said: str | None = None
        """What the player must say of a wild card that would be read as a natural of its own rank."""


_UNREAD: Final = Meld("set", (), (), 0)
"""Stands for a meld that cannot be read: it takes no card."""

_Chain = tuple[int, str, list[_Slot]]
"""What is laid off at an end of a meld: its number, the end, the places outwards."""


class _Freed(NamedTuple):
    """A swap: the meld, the card put in, the wild card freed (that of a slot, where it goes down first) and its place."""

    meld: int
    card: str
    wild: str | _Slot
    place: int

    @property
    def wild_card(self) -> str:
        return self.wild if isinstance(self.wild, str) else self.wild.card or ""


def lay_out(scene: Scene, plan: Plan, rules: RuleSet, table: Table, before: Table | None = None) -> Out:
    """Give the cards of a plan their places.

    Args:
        scene: the cards.
        plan: what goes where.
        rules: the rule set.
        table: the melds of the others.
        before: the same before the swaps that the scene takes for made already (``Scene.loose``).

    Raises:
        Undecided: the plan frees a wild card that has nowhere to go, as one found without regard to that may, or its steps are
            not legal in any order.
    """
    return _Layout(scene, plan, rules, table, table if before is None else before).out()


class _Layout:
    def __init__(self, scene: Scene, plan: Plan, rules: RuleSet, table: Table, before: Table) -> None:
        self.scene = scene
        self.plan = plan
        self.rules = rules
        self.terms = scene.terms
        self.table, self.before = table, before
        self.left = {FACE[suit, rank]: scene.naturals[suit][rank] for suit in range(4) for rank in range(1, 14)}
        self.pool = list(scene.pool)
        self.played: list[str] = []
        self.own: list[tuple[str, list[_Slot]]] = []
        """New melds: kind, and slots in order."""
        self.chains: list[_Chain] = []
        """Lay-offs on table melds: number, end, slots outwards."""
        self.freed: list[_Freed] = []
        self.quotas: dict[tuple[int, int], dict[str, int]] = {}
        self.least_sizes: list[int] = []
        """The least size of each new meld."""
        self.by_another = False
        """A freed wild card may have to go by way of another meld."""

    def out(self) -> Out:
        self._runs()
        self._sets()
        self._give_wilds()
        self._free_loose()
        self._merge_cores()
        melds, ids = self._melds()
        steps = [
            Swap(ids[play.source], play.card, play.cards[0].card, ids[play.meld], play.end)
            if play.card
            else LayOff(ids[play.meld], play.cards, play.end)
            for play in self._in_order(melds)
        ]
        return Out(tuple(melds), tuple(steps), tuple(self.played))

    def _meld(self, number: int) -> Meld:
        meld = self.table[number].meld
        assert meld is not None, "a meld that cannot be read takes no card"
        return meld

    def _owner(self, number: int) -> str | None:
        """Give whose meld it is; ``None`` for one just laid."""
        return self.table[number].owner if number < len(self.table) else None

    # -- runs ------------------------------------------------------------------------------------------------------------

    def _runs(self) -> None:
        for suit, meld, place, kind in self.plan.swaps:
            face = _face(suit, place)
            self._use(face, kind)
            lying = self._meld(meld)
            index = next(
                index
                for index in range(len(lying.cards))
                if lying.wilds >> index & 1 and (lying.low + index - place) % (13 if self.terms.wrap else 99) == 0
            )
            self.freed.append(_Freed(meld, face, lying.cards[index], place))
        for suit, growth in sorted(self.plan.grown, key=lambda item: (item[1].what, item[1].which, item[0])):
            own = growth.what == OWN
            number = len(self.table) + len(self.own) if own else growth.which
            slots = []
            for place, kind, part in growth.cards:
                face = _face(suit, place)
                card = None if kind in "wNX" else self._use(face, kind)
                slots.append(_Slot(number, face, card=card, core=own and part == CORE, own=own, run=True))
                if kind in SWAPPED_IN:
                    self._swap_in(slots[-1], self._use(face, SWAPPED_IN[kind]), place)
            if own:
                if self.terms.exact_runs and self.terms.own_layoff:
                    core = [slot for slot in slots if slot.core]
                    for slot in core[self.terms.runs[growth.which].size :]:
                        slot.core = False
                self.own.append(("run", slots))
                self.least_sizes.append(self.terms.runs[growth.which].size)
            else:
                self.chains.append(
                    (number, "low" if growth.what == LEFT else "high", slots[::-1] if growth.what == LEFT else slots)
                )

    def _swap_in(self, slot: _Slot, card: str, place: int = 0) -> None:
        """Put a card in the place of a wild card that has just gone down."""
        slot.swapped = True
        self.freed.append(_Freed(slot.meld, card, slot, place))

    def _use(self, face: str, kind: str) -> str:
        if kind == "n":
            self.left[face] -= 1
        else:
            self.pool.remove(face)
        self.played.append(face)
        return face

    # -- sets ------------------------------------------------------------------------------------------------------------

    def _sets(self) -> None:
        plan, terms = self.plan, self.terms
        fed = {rank for rank in (item.rank for item in plan.new_sets) if rank}
        new_sets = sorted(plan.new_sets, key=lambda item: (item.slot, -item.pick.core_naturals, item.rank))
        anyhow = terms.repeat_suits and not self.scene.loose
        apart = [([], []) for _ in new_sets] if anyhow else self._draw_apart(new_sets)
        for new, (naturals, selves) in zip(new_sets, apart, strict=True):
            pick = new.pick
            number = len(self.table) + len(self.own)
            cards = naturals + self._draw(new.rank, pick.naturals - len(naturals))
            stood = selves + self._draw_selves(new.rank, pick.selves - len(selves))
            value = RANKS[new.rank - 1] if cards or stood else ""
            down = pick.core_naturals - pick.core_selves
            later, put = self._to_swap(cards[down:], stood[pick.core_selves :], pick.freed)
            slots = [
                _Slot(number, card, card=card, core=index < pick.core_naturals, own=True, run=False)
                for index, card in enumerate([*cards[:down], *stood[: pick.core_selves], *later])
            ]
            wild_slots = [
                _Slot(number, value, card=None, core=index < pick.core_wilds - pick.core_selves, own=True, run=False)
                for index in range(pick.wilds)
            ]
            for slot, card in zip(wild_slots, put, strict=False):
                self._swap_in(slot, card)
            self.own.append((terms.sets[new.slot].kind, slots + wild_slots))
            self.least_sizes.append(terms.sets[new.slot].size)
        gifts: dict[int, int] = {}
        for number, pick in plan.held_sets:
            rank = SUITED[self._meld(number).rank + "S"][1] if self._meld(number).rank else 0
            cards, stood = self._draw(rank, pick.naturals), self._draw_selves(rank, pick.selves)
            lying = self._meld(number)
            wilds = [card for index, card in enumerate(lying.cards) if lying.wilds >> index & 1]
            wilds.sort(key=lambda card: card != JOKER)
            later, put = self._to_swap(cards, stood, pick.freed)
            self.freed += [_Freed(number, card, wild, 0) for card, wild in zip(put, wilds, strict=False)]
            slots = [_Slot(number, card, card=card, core=False, own=False, run=False) for card in later]
            if rank and rank not in fed and self._unlimited():
                gifts.setdefault(rank, number)
            slots += [_Slot(number, lying.rank, card=None, core=False, own=False, run=False) for _ in range(pick.wilds)]
            self.chains.append((number, "", slots))
        for rank, number in gifts.items():
            extra = self._draw_rest(rank)
            chain = next(slots for which, _, slots in self.chains if which == number and _ == "")
            chain[:0] = [_Slot(number, card, card=card, core=False, own=False, run=False) for card in extra]

    def _to_swap(self, cards: list[str], stood: list[str], count: int) -> tuple[list[str], list[str]]:
        """Choose which cards of a set take the place of wild cards, none that was freed itself: the others, and these."""
        later = cards + stood
        put = ([card for card in cards if not self.scene.is_loose(*SUITED[card])] + stood)[:count] if count else []
        for card in put:
            later.remove(card)
        return later, put

    def _unlimited(self) -> bool:
        terms = self.terms
        return not (
            self.scene.unplayable is not None
            or terms.max_set < 60
            or terms.ratio_always
            or terms.wild_limit < 60
            or terms.swap_set
        )

    def _draw_apart(self, new_sets: Sequence[NewSet]) -> list[tuple[list[str], list[str]]]:
        """Take for each set the naturals, and the natural wild cards, that go down: of different suits where these may not
        repeat, for the largest first.
        """
        drawn: list[tuple[list[str], list[str]]] = [([], []) for _ in new_sets]
        naturals = [new.pick.core_naturals - new.pick.core_selves for new in new_sets]
        for index in sorted(range(len(new_sets)), key=lambda index: -naturals[index]):
            drawn[index][0].extend(self._draw(new_sets[index].rank, naturals[index], down=True))
        selves = [new.pick.core_selves for new in new_sets]
        for index in sorted(range(len(new_sets)), key=lambda index: -selves[index]):
            drawn[index][1].extend(self._draw_selves(new_sets[index].rank, selves[index], down=True))
        return drawn

    def _quota(self, rank: int, part: int) -> dict[str, int] | None:
        """Give how many naturals (``part`` 0) or natural wild cards (1) of each face still go to sets, where the plan says so."""
        if (rank, part) not in self.quotas and rank in self.plan.in_sets:
            copies = self.plan.in_sets[rank][part]
            self.quotas[rank, part] = {FACE[suit, rank]: copies[suit] for suit in range(4)}
        return self.quotas.get((rank, part))

    def _draw(self, rank: int, count: int, *, down: bool = False) -> list[str]:
        """Take naturals of a rank, the dearest first, or of the suits of which most are left where they go ``down`` and may not
        repeat a suit.
        """
        if not count:
            return []
        quota = self._quota(rank, 0) or self.left
        suits = [suit for suit in range(4) if not down or not self.scene.is_loose(suit, rank)]
        faces = sorted([FACE[suit, rank] for suit in suits], key=lambda face: -self.scene.weights[face])
        cards = self._take(faces, count, quota, apart=down and not self.terms.repeat_suits)
        for card in cards:
            self.left[card] -= quota is not self.left
        self.played += cards
        return cards

    @staticmethod
    def _take(faces: list[str], count: int, quota: dict[str, int], *, apart: bool) -> list[str]:
        if apart:
            cards = sorted([face for face in faces if quota[face]], key=lambda face: -quota[face])[:count]
        else:
            cards = [face for face in faces for _ in range(quota[face])][:count]
        for card in cards:
            quota[card] -= 1
        return cards

    def _draw_rest(self, rank: int) -> list[str]:
        """Take all naturals of a rank that are left."""
        cards = [FACE[suit, rank] for suit in range(4) for _ in range(self.left[FACE[suit, rank]])]
        cards.sort(key=lambda card: -self.scene.weights[card])
        for card in cards:
            self.left[card] -= 1
        self.played += cards
        return cards

    def _draw_selves(self, rank: int, count: int, *, down: bool = False) -> list[str]:
        """Take natural wild cards of a rank that stand as themselves."""
        if not count:
            return []
        own = [card for card in self.pool if card != JOKER and card[0] == RANKS[rank - 1]]
        quota = self._quota(rank, 1) or dict(Counter(own))
        cards = self._take(list(dict.fromkeys(own)), count, quota, apart=down and not self.terms.repeat_suits)
        for card in cards:
            self.pool.remove(card)
        self.played += cards
        return cards

    # -- wild cards ------------------------------------------------------------------------------------------------------

    def _all_slots(self) -> list[_Slot]:
        return [slot for _, slots in self.own for slot in slots] + [slot for _, _, slots in self.chains for slot in slots]

    def _give_wilds(self) -> None:
        slots = [slot for slot in self._all_slots() if slot.wild]
        self._place_freed([slot for slot in slots if not slot.core])
        hand = self.pool[: len(slots) - len(self.freed)]
        self.played += hand
        self._give_alone(hand)
        open_slots = [slot for slot in slots if slot.freed is None and slot.card is None]
        for slot in open_slots:
            if slot.value in hand:
                slot.card = slot.value
                hand.remove(slot.value)
        jokers_first = sorted(hand, key=lambda card: card != JOKER)
        still_open = [slot for slot in open_slots if slot.card is None]
        for slot in sorted(still_open, key=lambda slot: (not self._lies_alone(slot.meld), slot.run, slot.value == "")):
            alone = self._lies_alone(slot.meld) and slot.value
            others = [card for card in jokers_first if not _is_natural(card, slot.value)] if alone else []
            slot.card = (others or jokers_first)[-1]
            jokers_first.remove(slot.card)
        for slot in slots:
            if slot.freed is not None:
                slot.card = self.freed[slot.freed].wild_card

    def _give_alone(self, hand: list[str]) -> None:
        """Give melds that go down as wild cards alone such cards, if there are, as are not naturals there and outnumbered."""
        for _, slots in self.own if self.terms.ratio_opening else ():
            core = [slot for slot in slots if slot.core]
            if not (all(slot.wild for slot in core) and core[0].value):
                continue
            cards = sorted(hand, key=lambda card: _is_natural(card, core[0].value[0]))[: len(core)]
            turns = [cards[turn:] + cards[:turn] for turn in range(len(cards))]
            fit = [turn for turn in turns if not any(map(_is_natural, turn, [slot.value for slot in core]))]
            for slot, card in zip(core, fit[0] if fit else (), strict=False):
                slot.card = card
                hand.remove(card)

    def _lies_alone(self, number: int) -> bool:
        """Tell whether a meld of the table holds wild cards alone, which no fewer naturals may join."""
        meld = self.table[number].meld if number < len(self.table) else None
        return self.terms.ratio_always and meld is not None and meld.all_wild

    def _place_freed(self, slots: list[_Slot]) -> None:
        """Send every freed wild card to a place it may go to (a matching, found by augmenting paths)."""

        def find(number: int, seen: set[int]) -> bool:
            for index, slot in enumerate(slots):
                if index not in seen and self._fits(self.freed[number], slot):
                    seen.add(index)
                    if slot.freed is None or find(slot.freed, seen):
                        slot.freed = number
                        return True
            return False

        if all(find(number, set()) for number in range(len(self.freed))):
            return
        if self.terms.swap_target != "another-meld" or len(slots) < len(self.freed):
            raise Undecided
        self.by_another = True
        self._lay_less_down()
        for index, slot in enumerate(slots):
            slot.freed = index if index < len(self.freed) else None

    def _lay_less_down(self) -> None:
        """Lay naturals off that could go down as well: each may take the place of a freed wild card that goes on elsewhere."""
        for index, (kind, slots) in enumerate(self.own if self.terms.own_layoff else ()):
            least = self.least_sizes[index]
            core = [slot for slot in slots if slot.core]
            spare = [slot for slot in core if not slot.wild] if kind != "run" else core[::-1]
            for slot in spare[: len(core) - least]:
                if slot.wild:
                    break
                slot.core = False

    def _fits(self, freed: _Freed, slot: _Slot) -> bool:
        return self._may_go(freed.meld, slot.meld)

    def _may_go(self, source: int, goal: int) -> bool:
        """Tell whether a wild card freed from one meld may go to another, by their numbers."""
        target = self.terms.swap_target
        if target == "another-meld":
            return source != goal
        if target == "same-run":
            return source == goal
        return target != "own-run" or (self._is_run(goal) and self._owner(source) == self._owner(goal))

    def _is_run(self, number: int) -> bool:
        new = number - len(self.table)
        return (self._meld(number).kind if new < 0 else self.own[new][0]) == "run"

    def _free_loose(self) -> None:
        """Send every freed wild card that stands as itself to a place of its own face."""
        for item in self.scene.loose:
            freed = _Freed(item.meld, item.card, item.wild, 0)
            slots = [slot for slot in self._all_slots() if slot.card == item.wild and not (slot.wild or slot.core)]
            place = next((slot for slot in slots if slot.freed is None and self._fits(freed, slot)), None)
            if place is None:
                raise Undecided
            place.freed = len(self.freed)
            self.freed.append(freed)
            self.played.remove(item.wild)

    # -- melds -----------------------------------------------------------------------------------------------------------

    def _merge_cores(self) -> None:
        """Lay down at once what may be laid down at once, rather than lay it off afterwards."""
        terms = self.terms
        suits: dict[str, int] = {}
        for kind, slots in self.own:
            if kind == "run":
                suits[slots[0].value[1]] = suits.get(slots[0].value[1], 0) + 1
        for kind, slots in self.own:
            if all(slot.core for slot in slots) or any(slot.freed is not None or slot.swapped for slot in slots):
                continue
            if self.by_another:
                continue
            if (kind == "run" and (terms.exact_runs or (not terms.touching and suits[slots[0].value[1]] > 1))) or (
                kind != "run" and (not terms.repeat_suits or self._exact(kind, slots))
            ):
                continue
            wilds = sum(slot.wild for slot in slots)
            if terms.ratio_opening and wilds > len(slots) - wilds:
                continue
            for slot in slots:
                slot.core = True

    def _exact(self, kind: str, slots: list[_Slot]) -> bool:
        number = slots[0].meld - len(self.table)
        runs = sum(other == "run" for other, _ in self.own)
        order = sorted(self.plan.new_sets, key=lambda item: (item.slot, -item.pick.core_naturals, item.rank))
        return self.terms.sets[order[number - runs].slot].exact

    def _melds(self) -> tuple[list[LaidMeld], dict[int, str]]:
        ranks = {slot.value[0] for kind, slots in self.own if kind != "run" for slot in slots if slot.value}
        ids: dict[int, str] = {number: lying.id for number, lying in enumerate(self.table)}
        taken = set(ids.values())
        melds: list[LaidMeld] = []
        count = 0
        for index in self._laid_in():
            kind, slots = self.own[index]
            count += 1
            while f"m{count}" in taken:
                count += 1
            ids[len(self.table) + index] = f"m{count}"
            if kind != "run" and not any(slot.value for slot in slots):
                self._name_wild_set(slots, ranks)
            elif kind != "run" and not self.terms.repeat_suits:
                self._declare_wild(slots)
            core = [slot for slot in slots if slot.core]
            melds.append(LaidMeld(kind, self._spell(kind, core), tuple(self._value(kind, slot) for slot in core)))  # type: ignore[arg-type]
        return melds, ids

    def _laid_in(self) -> list[int]:
        """Give the new melds in the order in which they go down: sets first."""
        return sorted(range(len(self.own)), key=lambda index: self.own[index][0] == "run")

    @staticmethod
    def _value(kind: str, slot: _Slot) -> str:
        """Give what a card stands for; in a set a wild card stands for the rank alone."""
        card = slot.card or ""
        if not slot.value:
            return card
        if slot.said:
            return slot.said
        natural = kind != "run" and card != JOKER and card[:1] == slot.value
        return card if natural else slot.value

    @staticmethod
    def _declare_wild(slots: list[_Slot]) -> None:
        """Have wild cards of the rank of their set spoken as of another suit, where no suit may be in a set twice (R-90)."""
        for slot in slots:
            card = slot.card or ""
            if slot.core and slot.wild and card != JOKER and card[0] == slot.value:
                slot.said = slot.value + next(suit for suit in SUITS if suit != card[1])

    def _name_wild_set(self, slots: list[_Slot], ranks: set[str]) -> None:
        """Say which rank a set of wild cards stands for, where the rules want it said; where such a set has no rank, name the one
        of which it is read as a set (R-90), or have its cards spoken as of another so that it is not. It must not take a card
        that is to be discarded: a set of no rank takes no natural, nor does one of another rank.
        """
        own = dict.fromkeys([slot.card[0] for slot in slots if slot.card and slot.card != JOKER])
        unplayable = self.scene.unplayable
        if self.terms.bare_set:
            for rank in own if unplayable is None else ():
                if (self.terms.same_rank or rank not in ranks) and self._reads_as(slots, rank):
                    ranks.add(rank)
                    for slot in slots:
                        slot.value = rank
                    return
            for rank in own:
                if (self.terms.same_rank or rank not in ranks) and self._reads_as([slot for slot in slots if slot.core], rank):
                    for slot in slots:
                        if slot.card and slot.card != JOKER:
                            slot.said = next(other for other in RANKS if other not in own)
            return
        unfit = {*ranks, *own, *(unplayable or "")[:1]}
        rank = next(rank for rank in RANKS if rank not in unfit)
        ranks.add(rank)
        for slot in slots:
            slot.value = rank

    def _reads_as(self, slots: list[_Slot], rank: str) -> bool:
        """Tell whether wild cards alone make a set of a rank of which some of them are."""
        terms = self.terms
        selves = [slot.card for slot in slots if slot.card and slot.card != JOKER and slot.card[0] == rank]
        if not selves or len(selves) < terms.set_naturals or (terms.ratio_opening and 2 * len(selves) < len(slots)):
            return False
        return terms.repeat_suits or len(set(selves)) == len(selves)

    def _spell(self, kind: str, slots: list[_Slot]) -> tuple[Laid, ...]:
        """Write a meld down, speaking the values that the place does not say."""
        wild = self.terms.wild
        plain = sum(slot.card not in wild for slot in slots)
        mixed = plain == 1 and bool(self.terms.runs) and bool(self.terms.sets)
        spelt = []
        for slot in slots:
            card = slot.card or ""
            if slot.said:
                spelt.append(Laid(card, slot.said))
            elif card not in wild or not slot.value:
                spelt.append(Laid(card))
            elif kind == "run":
                speak = not plain or mixed or (card != JOKER and (plain == 1 or card != slot.value))
                spelt.append(Laid(card, slot.value if speak else None))
            else:
                speak = (not plain or mixed) and slot.wild and (card == JOKER or card[0] != slot.value)
                spelt.append(Laid(card, slot.value[0] if speak else None))
        return tuple(spelt)

    # -- order of play ---------------------------------------------------------------------------------------------------

    def _in_order(self, melds: Sequence[LaidMeld]) -> list[Play]:
        """Give the steps in an order in which each is legal.

        Raises:
            Undecided: there is none.
        """
        chains = self._chains()
        plays = self._steps(chains)
        if not (self.freed and (self.by_another or _minds_order(self.rules))):
            return plays
        order = self._order(chains, melds)
        if not self.by_another and order.is_legal(plays):
            return plays
        hand = [slot.card or "" for _, _, slots in chains for slot in slots if slot.wild and slot.freed is None]
        found = order.find([Exchange(freed.meld, freed.card) for freed in self.freed], hand)
        if found is None:
            raise Undecided
        return found

    def _order(self, chains: Sequence[_Chain], laid: Sequence[LaidMeld]) -> Order:
        """Give the search for an order."""
        melds = [lying.meld or _UNREAD for lying in self.before]
        new = dict(zip(self._laid_in(), laid, strict=True))
        read = [judge_meld(new[index].cards, self.rules, Wanted(new[index].kind, 1)).meld for index in range(len(new))]
        melds += [meld or _UNREAD for meld in read]
        spots = [
            Chain(
                number,
                end,
                tuple([Spot(slot.card or "", slot.value, slot.wild, slot.freed is not None) for slot in slots]),
            )
            for number, end, slots in chains
        ]
        return Order(self.rules, melds, spots, self._may_go, relays=self.terms.swap_target == "another-meld")

    def _chains(self) -> list[_Chain]:
        chains: list[_Chain] = []
        for index, (kind, slots) in enumerate(self.own):
            number = len(self.table) + index
            if kind != "run":
                chains.append((number, "", [slot for slot in slots if not slot.core]))
                continue
            first = next(place for place, slot in enumerate(slots) if slot.core)
            last = max(place for place, slot in enumerate(slots) if slot.core)
            chains.append((number, "low", slots[:first][::-1]))
            chains.append((number, "high", slots[last + 1 :]))
        chains += self.chains
        chains = self._at_both_ends([chain for chain in chains if chain[2]])
        chains.sort(key=lambda chain: sum(1 if slot.wild else -1 for slot in chain[2]))
        return chains

    def _at_both_ends(self, chains: list[_Chain]) -> list[_Chain]:
        """Lay naturals off at both ends of a run at once where those of either end would be outnumbered."""
        joined: dict[int, _Chain] = {}
        for chain in chains:
            number, end, slots = chain
            plain = not any(slot.wild or slot.freed is not None for slot in slots)
            if end and plain and self._lies_alone(number):
                joined[number] = (number, "", [*joined[number][2], *slots]) if number in joined else chain
        whole = [chain for chain in joined.values() if not chain[1]]
        return [chain for chain in chains if chain[0] not in {number for number, _, _ in whole}] + whole

    def _steps(self, chains: Sequence[_Chain]) -> list[Play]:
        steps: list[Play] = []
        done: set[int] = set()
        places = [0] * len(chains)
        while any(place < len(chain[2]) for place, chain in zip(places, chains, strict=True)):
            moved = False
            for force in (False, True):
                for index, (number, end, slots) in enumerate(chains):
                    if places[index] == len(slots):
                        continue
                    slot = slots[places[index]]
                    if not force and places[index] == 0 and slot.wild and self._waits(number, end, done):
                        continue
                    if slot.freed is not None:
                        freed = self.freed[slot.freed]
                        steps.append(Play(number, end, (Laid(freed.wild_card),), freed.meld, freed.card))
                        done.add(slot.freed)
                        places[index] += 1
                    else:
                        start = places[index]
                        while places[index] < len(slots) and slots[places[index]].freed is None:
                            places[index] += 1
                        part = slots[start : places[index]]
                        steps.append(Play(number, end, self._spell_layoff(part)))
                    moved = True
                    break
                if moved:
                    break
        return steps

    def _waits(self, number: int, end: str, done: set[int]) -> bool:
        """Tell whether the end of a table run still holds a wild card that will be swapped away, beside which no other
        may lie.
        """
        if self.terms.adjacent_wilds or number >= len(self.table) or not end:
            return False
        lying = self._meld(number)
        place = lying.low if end == "low" else lying.high
        return any(
            freed.meld == number and (freed.place - place) % 13 == 0 and index not in done
            for index, freed in enumerate(self.freed)
        )

    def _spell_layoff(self, slots: list[_Slot]) -> tuple[Laid, ...]:
        wild = self.terms.wild
        return tuple(
            Laid(
                slot.card or "",
                slot.value if slot.card in wild and slot.card != JOKER and slot.run and slot.card != slot.value else None,
            )
            for slot in slots
        )


def _minds_order(rules: RuleSet) -> bool:
    """Tell whether steps that lead to a legal table may be illegal on the way: melds only grow, but wild cards come and go."""
    return rules.wild_ratio == "always" or rules.wild_limit is not None or not rules.adjacent_wilds


def _is_natural(card: str, value: str) -> bool:
    """Tell whether a wild card is a natural in a place: the face that belongs there, or any card of the rank in a set."""
    return card != JOKER and card.startswith(value)


def _face(suit: int, place: int) -> str:
    return RANKS[(place - 1) % 13] + SUITS[suit]
