"""What would be legal instead while the turn is open, and what goes back when a fault is found later."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, islice, product
from typing import Any, Final

from continental.rules.arrangements import arrangements, spell, without_superfluous
from continental.rules.cards import Laid
from continental.rules.faults import Fault
from continental.rules.layoffs import extend
from continental.rules.melds import Wanted
from continental.rules.notation import format_cards, sort_cards
from continental.rules.openings import WHOLE, Opening, ReadMelds, fewest_cards, judge_opening, too_few, wrong_by_themselves
from continental.rules.solver import Budget, CardsToLay, TooLarge, open_with_all
from continental.rules.takebacks import without_taken_back
from continental.rules.turn import Played, cards_of, play
from continental.rules.turn_question import Action, TurnQuestion

_MOST_CHOICES: Final = 200
"""So many choices of melds are tried before an opening counts as wholly wrong; real openings have a handful."""

_MOST_SUBSETS: Final = 100
"""So many choices of cards to leave out are tried one by one, for the sake of leaving out those laid last."""

_MOST_STEPS: Final = 4_000
"""Steps spent on the best of all choices, after some fifteen milliseconds: what players lay down takes half at most."""

_MOST_STEPS_IN_ORDER: Final = 1000
"""Where the quick way cannot tell, so many steps are spent on that order."""

_Melds = tuple[tuple[Laid, ...], ...]


class _Openings:
    """What was found out about openings of one question: both remedies ask for the same ones.

    Attributes:
        standings: what stands of the opening, by the cards that must stay in hand.
    """

    def __init__(self, asked: TurnQuestion, played: Played) -> None:
        self.rules = asked.rules
        self.hand = asked.hand
        self.standings: dict[int, _Melds | None] = {}
        self._judged: dict[_Melds, Opening] = {}
        if played.opening is not None and played.opening_action is not None and asked.hand.contract is not None:
            self._judged[played.opening_action.melds] = played.opening

    def judge(self, melds: _Melds) -> Opening:
        opening = self._judged.get(melds)
        if opening is None:
            opening = self._judged[melds] = judge_opening(melds, self.rules, self.hand)
        return opening


def remedies(
    asked: TurnQuestion, played: Played, say: Callable[[Fault], str]
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Say what helps against an illegal turn.

    Returns:
        What would be legal while the turn is open: ``{"melds", "left", "text"}`` with the melds as they would be typed, or
        ``None`` where no lay-down of the cards is legal. And what happens when the fault is found after the turn (R-45 to
        R-48): ``{"return": cards, "stands": bool}``, where ``stands`` tells whether the player is down then, or ``None``
        where nothing was laid.
    """
    openings = _Openings(asked, played)
    return _Open(asked, played, openings).instead(say), _Later(asked, played, openings).if_found()


class _Remedy:
    """What both remedies know of the turn."""

    def __init__(self, asked: TurnQuestion, played: Played, openings: _Openings) -> None:
        self.openings = openings
        self.asked = asked
        self.rules = asked.rules
        self.hand = asked.hand
        self.played = played
        self.live = without_taken_back(asked.actions)[0]
        self.opening = played.opening_action

    @property
    def keep(self) -> int:
        """Give how many cards must stay in hand for the discard."""
        return 0 if self.hand.no_discard or not (self.rules.needs_discard(self.hand) or self.hand.all_cards) else 1

    def fits_hand(self, used: int) -> bool:
        """Tell whether going down with so many cards leaves what the end of the turn asks for."""
        if self.asked.held is None:
            return True
        room = len(self.asked.held) - self.keep
        return used == room if self.hand.all_cards else used <= room

    def standing(self, laid: _Melds, keep: int) -> _Melds | None:
        """Give the part of an opening that is right as laid: extra melds and superfluous cards left out, the last laid first."""
        standings = self.openings.standings
        if keep not in standings:
            standings[keep] = self._find_standing(laid, keep)
        return standings[keep]

    def _find_standing(self, laid: _Melds, keep: int) -> _Melds | None:
        count = len(self.hand.contract.slots) if self.hand.contract else len(laid)
        if len(laid) < count:
            return None
        best: tuple[int, _Melds] | None = None
        trimmed: dict[tuple[int, Wanted], tuple[tuple[Laid, ...], tuple[str, ...]] | None] = {}
        read: ReadMelds | None = None
        for numbers in islice(combinations(range(len(laid)), count), _MOST_CHOICES):
            chosen = tuple([laid[number] for number in numbers])
            opening = self.played.opening if len(chosen) == len(laid) else None
            if opening is None:
                read = read or ReadMelds(laid, self.rules, self.hand)
                opening = read.judge(numbers)
            wrong = wrong_by_themselves(opening)
            rest: list[tuple[Laid, ...]] = []
            gone = 0
            for place, (number, aim) in enumerate(zip(numbers, opening.wanted, strict=True)):
                if place not in wrong:
                    rest.append(laid[number])
                    continue
                if (number, aim) not in trimmed:
                    trimmed[number, aim] = without_superfluous(laid[number], self.rules, aim)
                part = trimmed[number, aim]
                if part is None:
                    break
                rest.append(part[0])
                gone += len(part[1])
            else:
                if best is not None and gone >= best[0]:
                    continue
                for kept in [tuple(rest)] if gone >= keep else self._one_less(tuple(rest)):
                    again = opening if kept == chosen else self.openings.judge(kept)
                    if not again.faults:
                        best = gone, kept
                        break
        return best[1] if best else None

    def _one_less(self, melds: _Melds) -> Iterator[_Melds]:
        """Leave out one card, the last laid first, where its meld may be right without it."""
        for number in range(len(melds) - 1, -1, -1):
            for index in range(len(melds[number]) - 1, -1, -1):
                shorter = melds[number][:index] + melds[number][index + 1 :]
                if not too_few(shorter, self.rules, self.hand):
                    yield (*melds[:number], shorter, *melds[number + 1 :])


# ---------------------------------------------------------------------------------------------------------------------
# While the turn is open


class _Open(_Remedy):
    """The turn is still open: the player may lay the same cards otherwise."""

    def instead(self, say: Callable[[Fault], str]) -> dict[str, Any] | None:
        if self.opening is None or self.asked.claimed or self._beyond_repair(self.opening):
            return None
        laid = self.opening.melds
        pool = [item.card for meld in laid for item in meld]
        others = self._other_cards(pool) if self.hand.all_cards else []
        pool += others
        spare = 0 if self.asked.held is None else len(self.asked.held) - len(pool)
        keep = 0 if self.asked.held is None else max(0, self.keep - spare)
        melds = self._rearranged(laid) if not others and not keep else None
        melds = melds or self._most(laid, pool, keep)
        if melds is None or not self._legal(melds):
            return None
        played = [card for action in self.live if action.do != "discard" for card in cards_of(action)]
        used = [item.card for meld in melds for item in meld]
        left = sort_cards(_less(played, used))
        counts = {"used": len(used), "laid": len(played)}
        code = "instead.most" if left else "instead.all"
        return {"melds": [format_cards(meld) for meld in melds], "left": left, "text": say(Fault("", code, (), counts))}

    def _beyond_repair(self, action: Action) -> bool:
        """Tell whether the fault is not in how the cards lie: the card is not held, or the hand is over."""
        concepts = {note.fault.concept for note in self.played.faults if note.action in (None, action.number)}
        return bool(concepts & {"entry.not-held", "final.ends-game"})

    def _other_cards(self, opening: Sequence[str]) -> list[str]:
        """Give the cards laid this turn beside the opening, as far as the player holds them."""
        others = [card for action in self.live if action.do in {"layoff", "meld"} for card in cards_of(action)]
        return others if self.asked.held is None else _shared(others, _less(self.asked.held, opening))

    def _rearranged(self, laid: _Melds) -> _Melds | None:
        """Let every card stay in its meld and move as few melds as possible."""
        opening = self.played.opening or self.openings.judge(laid)
        if opening.legal:
            return laid
        if opening.extra or any(number == WHOLE for number, _ in opening.faults):
            return None
        if all(item.card not in self.rules.wild for meld in laid for item in meld):
            return None
        wild = self.rules.wild
        for_good = any(fault.concept in {"runs.same-suit", "sets.same-rank"} for _, fault in opening.faults)
        if for_good and all(any(item.card not in wild for item in meld) for meld in laid):
            return None
        wrong = wrong_by_themselves(opening)
        options: list[list[tuple[bool, tuple[Laid, ...]]]] = [[(False, meld)] for meld in laid]
        for number in sorted(range(len(laid)), key=lambda number: number not in wrong):
            ways = [(True, spell(way)) for way in arrangements(laid[number], self.rules, opening.wanted[number])]
            if number not in wrong:
                options[number] += ways
            elif ways:
                options[number] = ways
            else:
                return None
        choices = islice(product(*options), _MOST_CHOICES)
        moved = sorted(choices, key=lambda choice: (sum(way[0] for way in choice), [not way[0] for way in choice]))
        for choice in moved:
            melds = tuple([way[1] for way in choice])
            if self.openings.judge(melds).legal:
                return melds
        return None

    def _most(self, laid: _Melds, pool: Sequence[str], keep: int) -> _Melds | None:
        """Lay down as many cards of the pool as possible, in the player's own layout if that loses none."""
        least = fewest_cards(self.rules, self.hand)
        if len(pool) - keep < least:
            return None
        own = self.standing(laid, keep)
        if own is not None and not self.openings.judge(own).legal:
            own = None  # as laid it leaves open what a wild card stands for
        out = len(pool) - (sum(map(len, own)) if own else least - 1)
        try:
            return self._with_fewer_out(pool, keep, out) or own
        except TooLarge:
            return own

    def _with_fewer_out(self, pool: Sequence[str], keep: int, out: int) -> _Melds | None:
        """Lay down so many cards that fewer than ``out`` of the pool are left, the last laid left out first."""
        to_lay = CardsToLay(pool, self.rules, self.hand)
        least = max(keep, to_lay.must_leave())
        one_by_one = 0 if self.rules.wrap or len(pool) > _MOST_SUBSETS else 2
        with suppress(TooLarge):
            quick = Budget(_MOST_STEPS_IN_ORDER)
            while least < min(out, one_by_one):
                may = not least or to_lay.may_leave(least)
                melds = self._leave_out(pool, least, quick) if may else None
                if melds is not None:
                    return melds
                least += 1
        best = self._largest(to_lay, pool, keep, (least, out - 1))
        if best is not None and not self.rules.wrap:
            with suppress(TooLarge):
                return self._leave_out(pool, len(pool) - sum(map(len, best)), Budget(_MOST_STEPS_IN_ORDER)) or best
        return best

    def _leave_out(self, pool: Sequence[str], count: int, budget: Budget) -> _Melds | None:
        """Lay down all but so many cards of the pool, trying not too many choices of them."""
        for rest in islice(_choices(pool, len(pool) - count), _MOST_SUBSETS):
            whole = open_with_all(rest, self.rules, self.hand, budget)
            if whole is not None:
                return tuple([meld.cards for meld in whole.melds])
        return None

    def _largest(self, to_lay: CardsToLay, pool: Sequence[str], keep: int, out: tuple[int, int]) -> _Melds | None:
        """Give the lay-down of most cards that leaves at least ``keep`` of the pool in hand, and as many as ``out`` says;
        ``None`` if there is none.
        """
        if out[1] < out[0]:
            return None
        budget = Budget(_MOST_STEPS)
        best = to_lay.lay_down(*out, budget)
        if best is not None and len(best.left) < keep:
            choices = _choices(pool, len(pool) - keep)
            ways = [CardsToLay(rest, self.rules, self.hand).lay_down(budget=budget) for rest in choices]
            best = min([way for way in ways if way is not None], key=lambda way: len(way.left), default=None)
        return best and tuple([meld.cards for meld in best.melds])

    def _legal(self, melds: _Melds) -> bool:
        """Play the turn with these melds and a discard, and see whether it is legal."""
        if self.asked.held is None and not self.hand.must_go_out:
            return self.openings.judge(melds).legal
        held = self.asked.held or ()
        if len(held) > sum(map(len, melds)) and self._ends_with_any_discard():
            return self.openings.judge(melds).legal
        actions = (Action(0, "open", melds),)
        rest = _less(held, [item.card for meld in melds for item in meld])
        if not rest or self.hand.no_discard:
            return play(self.asked._replace(actions=actions)).verdict == "legal"
        first = [card for action in self.live if action.do == "discard" for card in cards_of(action) if card in rest]
        turns = [(*actions, Action(1, "discard", ((Laid(card),),))) for card in dict.fromkeys([*first, *rest])]
        return any(play(self.asked._replace(actions=turn)).verdict == "legal" for turn in turns)

    def _ends_with_any_discard(self) -> bool:
        """Tell whether any card left may be discarded after going down, and any number of them kept."""
        rules, hand = self.rules, self.hand
        bound = hand.all_cards or hand.must_go_out or hand.no_discard or rules.play_last_two
        return rules.discard == "any" and hand.contract is not None and not bound


def _less(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    """Give the cards without those that are gone."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def _shared(cards: Sequence[str], others: Sequence[str]) -> list[str]:
    """Give those of the cards that are among the others too, each as often as there."""
    left = list(others)
    shared = []
    for card in cards:
        if card in left:
            left.remove(card)
            shared.append(card)
    return shared


def _choices(pool: Sequence[str], count: int) -> Iterator[Sequence[str]]:
    """Give every choice of ``count`` of the cards, the last laid left out first; equal choices once."""
    seen: set[tuple[str, ...]] = set()
    for rest in combinations(pool, count):
        face = tuple(sorted(rest))
        if face not in seen:
            seen.add(face)
            yield rest


# ---------------------------------------------------------------------------------------------------------------------
# Found after the turn


class _Later(_Remedy):
    """The fault is found when the turn is over: what was wrong goes back to the hand."""

    def if_found(self) -> dict[str, Any] | None:
        laying = [action for action in self.live if action.do != "discard"]
        if not laying:
            return None
        down = self.hand.contract is None or self.asked.player in self.asked.opened
        if self.asked.claimed or (self.hand.ends_game and self.asked.opened):
            return _goes_back([card for action in laying for card in cards_of(action)], down)
        back: list[str] = []
        names = iter(self.played.own)
        gone: set[str] = set()
        for action in laying:
            if action == self.opening and self.hand.contract is not None:
                from_opening = self._from_opening(action)
                if from_opening is None:
                    return _goes_back([card for done in laying for card in cards_of(done)], False)
                returned = from_opening
                down = True
            elif not down or action.meld in gone:
                returned = list(cards_of(action))
            else:
                returned = self._wrong_cards(action)
            back += returned
            if action.do in {"open", "meld"} and action is not laying[-1]:
                # What was laid off on a meld that goes back as a whole has nothing left to lie on.
                gone |= {name for meld, name in zip(action.melds, names, strict=False) if _holds(returned, meld)}
        if not back and any(note.fault.concept == "out.discard" for note in self.played.faults):
            back += cards_of(laying[-1])[-1:]
        return _goes_back(back, down)

    def _from_opening(self, action: Action) -> list[str] | None:
        """Give the cards of an opening that go back so that the rest stands; ``None`` where it falls as a whole."""
        whole = {note.fault.concept for note in self.played.faults if note.action is None}
        unfinished = bool(whole & {"final.all-cards", "final.must-go-out"})
        empty = self.asked.held is not None and not self.played.left and not self.played.discards
        alone = all(done.do in {"open", "discard"} for done in self.live)
        keep = 1 if empty and (unfinished or (alone and "out.discard" in whole)) else 0
        if unfinished and not keep:
            return None
        opening = self.played.opening
        rest = action.melds if opening is not None and not opening.faults and not keep else self.standing(action.melds, keep)
        if rest is None or (self.hand.all_cards and not self.fits_hand(sum(map(len, rest)))):
            return None
        return _removed(action.melds, rest)

    def _wrong_cards(self, action: Action) -> list[str]:
        """Give the cards that a faulty lay-off, new meld or swap sends back."""
        concepts = {note.fault.concept for note in self.played.faults if note.action == action.number}
        cards = list(cards_of(action))
        if not concepts or concepts == {"swap.replay"}:
            return []
        if action.do == "layoff" and not concepts & _NOT_ALLOWED:
            return self._not_fitting(action) or cards
        if action.do == "meld" and not concepts & _NOT_ALLOWED:
            for wanted in (Wanted("set", self.rules.min_set), Wanted("run", self.hand.min_run)):
                trimmed = without_superfluous(action.melds[0], self.rules, wanted)
                if trimmed is not None:
                    return list(trimmed[1])
        if action == self.opening:
            return [card for meld in action.melds for card in self._wrong_in_free_meld(meld)]
        return cards

    def _wrong_in_free_meld(self, laid: tuple[Laid, ...]) -> list[str]:
        """Give the cards of a freely laid meld that go back: the superfluous ones, or all of it."""
        parts = [
            without_superfluous(laid, self.rules, wanted)
            for wanted in (Wanted("set", self.rules.min_set), Wanted("run", self.hand.min_run))
        ]
        return list(min([part[1] for part in parts if part is not None], key=len, default=[item.card for item in laid]))

    def _not_fitting(self, action: Action) -> list[str]:
        """Give the cards of a lay-off that do not fit where the others do."""
        target = next((lying.meld for lying in self.asked.table if lying.id == action.meld), None)
        laid = action.melds[0]
        if target is None or len(laid) > _MOST_LAID_OFF:
            return []
        for count in range(1, len(laid)):
            for out in combinations(range(len(laid) - 1, -1, -1), count):
                rest = [item for index, item in enumerate(laid) if index not in out]
                if extend(target, rest, self.rules, action.end).legal:
                    return [laid[index].card for index in sorted(out)]
        return []


_MOST_LAID_OFF: Final = 6
_NOT_ALLOWED: Final = frozenset(
    {"open.before-any", "open.no-new-melds", "layoff.opening", "layoff.existing", "final.all-cards", "turn.end-discard"}
)


def _goes_back(cards: Sequence[str], stands: bool) -> dict[str, Any]:
    return {"return": list(cards), "stands": stands}


def _holds(cards: Sequence[str], meld: Sequence[Laid]) -> bool:
    return Counter(item.card for item in meld) <= Counter(cards)


def _removed(laid: _Melds, rest: _Melds) -> list[str]:
    """Give the cards laid that are not in what stands, in the order laid."""
    stays = [item.card for meld in rest for item in meld]
    back: list[str] = []
    for meld in laid:
        for card, _ in meld:
            if card in stays:
                stays.remove(card)
            else:
                back.append(card)
    return back
