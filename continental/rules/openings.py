"""Going down: do the melds laid make the contract of the hand, and may they lie beside each other?

:func:`judge_opening` is the fast core of a verdict. It finds every fault at once; what would be legal instead, and what
goes back if a fault is found later, is the business of :mod:`continental.rules.remedies`.
"""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from continental.rules.cards import Laid
from continental.rules.faults import Fault
from continental.rules.melds import Meld, Reading, Wanted, fits_size, judge_meld, set_faults, without_rank
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.plain_melds import Limits, limits_of, plain_meld, read_plain

MOST_UNDECIDED: Final = 6
"""So many melds of an opening may be readable both as a set and as a run before the question is put at once."""

WHOLE: Final = -1
"""Stands for the whole opening where the number of a meld is wanted."""


class Opening(NamedTuple):
    """What came of judging an opening.

    Attributes:
        melds: each meld laid as it is read, in the order laid; ``None`` where it cannot be read.
        faults: every fault with the number of its meld, or ``WHOLE``.
        questions: what the player must say first, with the number of the meld.
        wanted: what each meld was judged against.
        extra: the melds that no slot of the contract asks for.
    """

    melds: tuple[Meld | None, ...]
    faults: tuple[tuple[int, Fault], ...]
    questions: tuple[tuple[int, Fault], ...]
    wanted: tuple[Wanted, ...]
    extra: tuple[int, ...] = ()

    @property
    def legal(self) -> bool:
        """Tell whether the player may go down so."""
        return not self.faults and not self.questions


def wanted_melds(rules: RuleSet, hand: HandRule) -> list[Wanted]:
    """Give what the contract of a hand asks for, slot by slot; nothing where melds are free."""
    if hand.contract is None:
        return []
    return [any_meld(slot.kind == "run", rules, hand, slot.size, slot.kind == "pair") for slot in hand.contract.slots]


def any_meld(run: bool, rules: RuleSet, hand: HandRule, size: int | None = None, pair: bool = False) -> Wanted:
    """Give what a run, a set or a pair must be when it is laid in going down; ``size`` is what the contract itself says."""
    if run:
        return Wanted("run", size or hand.min_run, hand.exact_runs, True)
    if pair:
        return Wanted("pair", size or 2, True, True)
    return Wanted("set", size or rules.min_set, hand.exact_sets, True)


def without_first(opening: Opening, count: int) -> Opening:
    """Give what came of judging the melds of an opening but for the first ``count``, which were judged before."""
    if not count:
        return opening
    return Opening(
        opening.melds[count:],
        tuple([(number - count, fault) for number, fault in opening.faults if number >= count]),
        tuple([(number - count, question) for number, question in opening.questions if number >= count]),
        opening.wanted[count:],
        tuple([number - count for number in opening.extra if number >= count]),
    )


class _Asked(NamedTuple):
    """What an opening is judged against.

    Attributes:
        rules: the rule set.
        hand: the hand played.
        melds: how many melds the contract asks for.
        least: the fewest cards of such melds.
        slots: those for sets and those for runs, each with the one that asks for most first.
        easiest: what a set, or a run, must be to have a chance at any slot of its kind.
        surplus: what a set, or a run, must be that no slot asks for.
        limits: ``easiest``, prepared for melds that are plainly what they are.
        contract: what the contract says.
        alike: all slots for sets ask for the same, and all for runs.
        cross: the melds of an opening bear on each other.
    """

    rules: RuleSet
    hand: HandRule
    melds: int
    least: int
    slots: tuple[list[Wanted], list[Wanted]]
    easiest: tuple[Wanted, Wanted]
    surplus: tuple[Wanted, Wanted]
    limits: tuple[Limits, Limits]
    contract: str
    alike: bool
    cross: bool


_MOST_KNOWN: Final = 512
_KNOWN: Final[dict[tuple[int, int], _Asked]] = {}


def _asked(rules: RuleSet, hand: HandRule) -> _Asked:
    """Prepare what a hand asks for. Known hands are found by identity: hashing a rule set takes longer than judging."""
    key = id(rules), id(hand)
    known = _KNOWN.get(key)
    if known is not None and known.rules is rules and known.hand is hand:
        return known
    slots = sorted(wanted_melds(rules, hand), key=lambda slot: (-slot.least, slot.exact))
    sets = [slot for slot in slots if slot.kind != "run"]
    runs = [slot for slot in slots if slot.kind == "run"]
    surplus = any_meld(False, rules, hand), any_meld(True, rules, hand)
    easiest = _easiest(sets, surplus[0]), _easiest(runs, surplus[1])
    if len(_KNOWN) >= _MOST_KNOWN:
        _KNOWN.clear()
    known = _KNOWN[key] = _Asked(
        rules=rules,
        hand=hand,
        melds=len(slots),
        least=sum(map(_least, slots)),
        slots=(sets, runs),
        easiest=easiest,
        surplus=surplus,
        limits=(limits_of(rules, easiest[0]), limits_of(rules, easiest[1])),
        contract=str(hand.contract or ""),
        alike=len(set(sets)) < 2 and len(set(runs)) < 2,
        cross=not (rules.touching_runs and rules.same_suit_runs and rules.same_rank_sets),
    )
    return known


def _easiest(slots: Sequence[Wanted], surplus: Wanted) -> Wanted:
    if not slots:
        return surplus
    if len(set(slots)) == 1:
        return slots[0]
    return Wanted(surplus.kind, min(map(_least, slots)), False, True)


def _least(wanted: Wanted) -> int:
    return wanted.least


def judge_opening(laid: Sequence[Sequence[Laid]], rules: RuleSet, hand: HandRule) -> Opening:
    """Judge the melds with which a player goes down.

    Args:
        laid: the melds, each in the order laid.
        rules: the rule set.
        hand: the hand that is played.
    """
    return ReadMelds(laid, rules, hand).judge(range(len(laid)))


def _leans(naturals: Sequence[str]) -> int:
    """Tell what cards look more like: above 0 a set, as every set does, below 0 a run, as every run does."""
    ranks = [card[0] for card in naturals]
    suits = [card[1] for card in set(naturals)]
    most_alike = max(map(ranks.count, ranks)) if len(set(ranks)) < len(ranks) else 1
    return most_alike - max(map(suits.count, suits))


_SET: Final = (False,)
_RUN: Final = (True,)
_EITHER: Final = (False, True)


class ReadMelds:
    """Melds of an opening, each read once against each slot however often some of them are judged together."""

    __slots__ = ("_asked", "_kinds", "_laid", "_plain", "_readings")

    def __init__(self, laid: Sequence[Sequence[Laid]], rules: RuleSet, hand: HandRule) -> None:
        """Prepare the melds: see :func:`judge_opening`."""
        self._asked = asked = _asked(rules, hand)
        self._laid = laid
        as_set, as_run = asked.limits
        self._plain = [plain_meld(meld, as_set, as_run) for meld in laid]
        self._readings: dict[tuple[int, Wanted], Reading] = {}
        self._kinds: dict[int, tuple[bool, ...]] = {}

    def judge(self, numbers: Sequence[int]) -> Opening:
        """Judge some of the melds as an opening, as :func:`judge_opening` does."""
        if self._asked.alike and len(numbers) == self._asked.melds:
            opening = self._fitting(numbers)
            if opening is not None:
                return opening
        kinds = []
        for number in numbers:
            meld, _ = self._plain[number]
            kinds.append(self._may_be(number) if meld is None else _RUN if meld.kind == "run" else _SET)
        if _EITHER in kinds:
            return self._judge_undecided(numbers, kinds)
        return self._judge_as(numbers, [run for (run,) in kinds])

    def _fitting(self, numbers: Sequence[int]) -> Opening | None:
        """Judge as many melds as the contract asks for, each plain or hidden by wild cards; ``None`` where they are not right.

        A hidden meld must be a set if the runs of the contract are there, and a run if the sets are.
        """
        asked = self._asked
        melds: list[Meld | None] = []
        hidden: list[int] = []
        missing = len(asked.slots[True])
        for place, number in enumerate(numbers):
            meld, right = self._plain[number]
            if not right:
                return None
            if meld is None:
                hidden.append(place)
            elif meld.kind == "run":
                missing -= 1
            melds.append(meld)
        if missing not in {0, len(hidden)} or len(hidden) > MOST_UNDECIDED:
            return None
        for place in hidden:
            reading = self._read(numbers[place], asked.easiest[missing > 0])
            if not reading.legal:
                return None
            melds[place] = reading.meld
        if asked.cross and cross_faults(melds, asked.rules):
            return None
        wanted = [asked.easiest[meld is not None and meld.kind == "run"] for meld in melds]
        return Opening(tuple(melds), (), (), tuple(wanted))

    def _may_be(self, number: int) -> tuple[bool, ...]:
        """Tell what a meld that is not plain may be, ``False`` a set and ``True`` a run; what it surely is not is left out."""
        kinds = self._kinds.get(number)
        if kinds is None:
            kinds = self._kinds[number] = self._find_kinds(number)
        return kinds

    def _find_kinds(self, number: int) -> tuple[bool, ...]:
        asked = self._asked
        wild = asked.rules.wild
        naturals = [card for card, _ in self._laid[number] if card not in wild]
        if len(naturals) > 1:
            lean = _leans(naturals)
            if lean > 0:
                return _SET
            return _RUN if lean < 0 and naturals[0][0] != naturals[1][0] else _EITHER
        may_be_set, may_be_run = [self._may_lie(number, wanted) for wanted in asked.easiest]
        return _EITHER if may_be_set == may_be_run else _SET if may_be_set else _RUN

    def _may_lie(self, number: int, wanted: Wanted) -> bool:
        """Tell whether a meld is right in a slot, or would be if its player said more."""
        if not fits_size(len(self._laid[number]), wanted):
            return False
        reading = self._read(number, wanted)
        return reading.legal or reading.question is not None

    def _read(self, number: int, wanted: Wanted) -> Reading:
        """Read a meld against a slot."""
        key = number, wanted
        reading = self._readings.get(key)
        if reading is None:
            meld, right = self._plain[number]
            if meld is None or right:
                reading = judge_meld(self._laid[number], self._asked.rules, wanted)
            else:
                reading = read_plain(meld, self._asked.rules, wanted)
            self._readings[key] = reading
        return reading

    def _judge_undecided(self, numbers: Sequence[int], options: Sequence[tuple[bool, ...]]) -> Opening:
        """Take the readings that fit the contract; where several do, the player must say (R-13)."""
        if options.count(_EITHER) > MOST_UNDECIDED:
            options = [option[:1] if place > MOST_UNDECIDED else option for place, option in enumerate(options)]
        ways = sorted([(_mismatches(runs, self._asked), order, runs) for order, runs in enumerate(product(*options))])
        fitting: list[tuple[Sequence[bool], Opening]] = []
        best: Opening | None = None
        least = (0, 0, 0)
        for mismatches, order, runs in ways:
            if best is not None and (mismatches, 0, 0 if fitting else order) > least:
                break
            opening = self._judge_as(numbers, runs)
            strain = len(opening.faults), _spoken_against(opening), order
            if best is None or strain < least:
                best, least = opening, strain
            if strain[:2] == (0, 0):
                fitting.append((runs, opening))
        assert best is not None
        if len(fitting) < 2:
            return best
        kinds = zip(*[runs for runs, _ in fitting], strict=True)
        differing = [place for place, found in enumerate(kinds) if len(set(found)) > 1]
        questions = [(place, Fault("ask.kind", "ask.kind", _cards(self._laid[numbers[place]]))) for place in differing]
        return fitting[0][1]._replace(questions=tuple(questions))

    def _judge_as(self, numbers: Sequence[int], runs: Sequence[bool]) -> Opening:
        """Judge melds of which it is settled which are runs."""
        asked = self._asked
        rules = asked.rules
        laid = [self._laid[number] for number in numbers]
        faults: list[tuple[int, Fault]] = []
        questions: list[tuple[int, Fault]] = []
        wanted, extra = _match(runs, laid, asked)
        if asked.contract:
            missing = asked.melds - len(laid) + len(extra)
            if missing:
                faults.append((WHOLE, Fault("open.contract", "open.contract", (), {"contract": asked.contract})))
            if not rules.extra_melds_opening:
                faults += [(place, _extra_meld(laid[place])) for place in extra[missing:]]
        melds: list[Meld | None] = []
        for place, (number, aim) in enumerate(zip(numbers, wanted, strict=True)):
            meld, right = self._plain[number]
            if right and meld is not None and fits_size(len(laid[place]), aim):
                melds.append(meld if meld.kind == aim.kind else meld._replace(kind=aim.kind))
                continue
            reading = self._read(number, aim)
            melds.append(reading.meld)
            if reading.faults:
                faults += [(place, fault) for fault in reading.faults]
            if reading.question is not None:
                questions.append((place, reading.question))
        if asked.cross:
            if rules.all_wild == "sets" and not rules.same_rank_sets:
                _part_sets_of_wilds(melds, wanted, rules)
            faults += cross_faults(melds, rules)
        return Opening(tuple(melds), tuple(faults), tuple(questions), tuple(wanted), tuple(extra))


def _spoken_against(opening: Opening) -> int:
    """Count the values spoken that reading an opening so goes against."""
    return sum([question.concept == "joker.spoken" for _, question in opening.questions])


def _mismatches(runs: Sequence[bool], asked: _Asked) -> int:
    """Count the faults that the contract finds in so many sets and runs, whatever their cards."""
    if not asked.contract:
        return 0
    count = sum(runs)
    sets, slots = asked.slots
    missing = count < len(slots) or len(runs) - count < len(sets)
    return missing + (0 if asked.rules.extra_melds_opening else max(0, len(runs) - asked.melds))


def _part_sets_of_wilds(melds: list[Meld | None], wanted: Sequence[Wanted], rules: RuleSet) -> None:
    """Read sets whose cards are all wild as sets of no rank where another set has the rank that their cards bear (R-90)."""
    ranks: set[str] = set()
    wild_sets: list[tuple[bool, int, Meld]] = []
    for number, meld in enumerate(melds):
        if meld is not None and meld.rank:
            if any(card not in rules.wild for card in meld.cards):
                ranks.add(meld.rank)
            else:
                bare = without_rank(meld.cards, meld.kind)
                wild_sets.append((not set_faults(bare, rules, wanted[number]), number, bare))
    for may_be_bare, number, bare in sorted(wild_sets, key=lambda item: item[0]):
        meld = melds[number]
        if meld is not None and meld.rank in ranks and may_be_bare:
            melds[number] = bare
        elif meld is not None:
            ranks.add(meld.rank)


def _extra_meld(laid: Sequence[Laid]) -> Fault:
    return Fault("open.no-new-melds", "open.extra-meld", _cards(laid))


def _cards(laid: Sequence[Laid]) -> tuple[str, ...]:
    return tuple([card for card, _ in laid])


def _match(runs: Sequence[bool], laid: Sequence[Sequence[Laid]], asked: _Asked) -> tuple[list[Wanted], list[int]]:
    """Give each meld a slot of its kind: the longest meld the slot that asks for most, the later of equals left over. Where more
    melds may be laid, those that could not be laid without a slot come first.
    """
    more = asked.rules.extra_melds_opening
    if asked.alike and not more:
        return _match_alike(runs, asked)
    wanted = [asked.surplus[run] for run in runs]
    filled = [False] * len(laid)
    for run in (False, True):
        slots, surplus = asked.slots[run], asked.surplus[run]
        waiting = [number for number, kind in enumerate(runs) if kind == run]
        if more or len(set(slots)) > 1:
            waiting.sort(key=lambda number: (more and fits_size(len(laid[number]), surplus), -len(laid[number])))
        for slot in slots[: len(waiting)]:
            number = next((number for number in waiting if fits_size(len(laid[number]), slot)), waiting[0])
            waiting.remove(number)
            wanted[number] = slot
            filled[number] = True
    return wanted, [] if all(filled) else [number for number, done in enumerate(filled) if not done]


def _match_alike(runs: Sequence[bool], asked: _Asked) -> tuple[list[Wanted], list[int]]:
    """Give each meld a slot of its kind where all of these ask for the same."""
    free = [len(slots) for slots in asked.slots]
    wanted: list[Wanted] = []
    extra: list[int] = []
    for number, run in enumerate(runs):
        if free[run]:
            free[run] -= 1
            wanted.append(asked.easiest[run])
        else:
            wanted.append(asked.surplus[run])
            extra.append(number)
    return wanted, extra


def cross_faults(melds: Sequence[Meld | None], rules: RuleSet) -> list[tuple[int, Fault]]:
    """Check the melds of one opening against each other: touching runs (R-18, R-25), equal suits, equal ranks."""
    faults: list[tuple[int, Fault]] = []
    if not (rules.touching_runs and rules.same_suit_runs):
        runs = [(number, meld) for number, meld in enumerate(melds) if meld is not None and meld.kind == "run"]
        for (_, one), (number, other) in combinations(runs, 2):
            if one.suit == other.suit:
                if not rules.same_suit_runs:
                    faults.append((number, Fault("runs.same-suit", "runs.same-suit", other.cards, {"suit": one.suit})))
                if not rules.touching_runs and touching(one, other, rules.wrap):
                    faults.append((number, Fault("runs.touching", "runs.touching", one.cards + other.cards)))
    if not rules.same_rank_sets:
        seen: set[str] = set()
        for number, meld in enumerate(melds):
            if meld is not None and meld.rank:
                if meld.rank in seen:
                    faults.append((number, Fault("sets.same-rank", "sets.same-rank", meld.cards, {"rank": meld.rank})))
                seen.add(meld.rank)
    return faults


def fewest_cards(rules: RuleSet, hand: HandRule) -> int:
    """Give how many cards the contract of a hand asks for at least; 0 where melds are free."""
    return _asked(rules, hand).least


def too_few(laid: Sequence[Laid], rules: RuleSet, hand: HandRule) -> bool:
    """Tell whether a meld has too few cards to be any that a player may lay in going down."""
    asked = _asked(rules, hand)
    kinds = (True,) if len({card[0] for card, _ in laid if card not in rules.wild}) > 1 else (False, True)
    slots = [asked.easiest[run] for run in kinds] + [asked.surplus[run] for run in kinds if rules.extra_melds_opening]
    return len(laid) < min(map(_least, slots))


_BESIDE: Final = frozenset({"runs.same-suit", "runs.touching", "sets.same-rank"})
"""What is wrong only with two melds beside each other."""


def wrong_by_themselves(opening: Opening) -> set[int]:
    """Give the numbers of the melds that could not lie even if they were alone."""
    return {number for number, fault in opening.faults if number != WHOLE and fault.concept not in _BESIDE}


def touching(one: Meld, other: Meld, wrap: bool = False) -> bool:
    """Tell whether one run ends where the other begins, counted on final places (R-18)."""
    if not wrap:
        return one.high + 1 == other.low or other.high + 1 == one.low
    shared = {value[0] for value in one.values} & {value[0] for value in other.values}
    return not shared and ((one.high + 1 - other.low) % 13 == 0 or (other.high + 1 - one.low) % 13 == 0)
