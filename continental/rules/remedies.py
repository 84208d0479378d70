"""What would be legal instead while the turn is open, and what goes back when a fault is found later."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import Any, Final

from continental.rules.arrangements import arrangements, spell, without_superfluous
from continental.rules.cards import Laid
from continental.rules.layoffs import extend
from continental.rules.melds import Wanted
from continental.rules.notation import format_cards, sort_cards
from continental.rules.openings import WHOLE, judge_opening
from continental.rules.solver import TooLarge, lay_down
from continental.rules.takebacks import without_taken_back
from continental.rules.turn import Played, cards_of, play
from continental.rules.turn_question import Action, TurnQuestion
from continental.rules.wording import SENTENCES

_MOST_CHOICES: Final = 600
"""So many choices of melds are tried before an opening counts as wholly wrong; real openings have a handful."""

_Melds = tuple[tuple[Laid, ...], ...]


# ---------------------------------------------------------------------------------------------------------------------
# While the turn is open


def instead(asked: TurnQuestion, played: Played) -> dict[str, Any] | None:
    """Give a legal lay-down of the cards laid, or of as many of them as possible.

    Returns:
        ``{"melds", "left", "text"}`` with the melds as they would be typed; ``None`` where no lay-down is legal.
    """
    action = played.opening_action
    if action is None or asked.claimed or _beyond_repair(played, action):
        return None
    pool = [card for meld in action.melds for card in meld]
    whole = asked.hand.all_cards or asked.hand.no_discard
    others = [item for item in _other_cards(asked) if whole]
    pool += others
    melds = _rearranged(asked, action.melds) if not others and _fits_hand(asked, len(pool)) else None
    if melds is None:
        melds = _most(asked, action.melds, [item.card for item in pool])
    if melds is None or not _legal(asked, melds):
        return None
    used = Counter(item.card for meld in melds for item in meld)
    laid = Counter(card for live in without_taken_back(asked.actions)[0] if live.do != "discard" for card in cards_of(live))
    left = sort_cards((laid - used).elements())
    counts = {"used": used.total(), "laid": laid.total()}
    code = "instead.most" if left else "instead.all"
    return {"melds": [format_cards(meld) for meld in melds], "left": left, "text": SENTENCES[code].format_map(counts)}


def _beyond_repair(played: Played, action: Action) -> bool:
    """Tell whether the fault is not in how the cards lie: the card is not held, or the hand is over."""
    concepts = {note.fault.concept for note in played.faults if note.action in (None, action.number)}
    return bool(concepts & {"entry.not-held", "final.ends-game", "claim.no-play"})


def _other_cards(asked: TurnQuestion) -> list[Laid]:
    """Give the cards laid this turn beside the opening."""
    live, _ = without_taken_back(asked.actions)
    return [item for action in live if action.do in {"layoff", "meld"} for meld in action.melds for item in meld]


def _keep(asked: TurnQuestion) -> int:
    """Give how many cards must stay in hand for the discard."""
    hand = asked.hand
    return 0 if hand.no_discard or not (hand.discard_to_go_out or hand.all_cards) else 1


def _fits_hand(asked: TurnQuestion, used: int) -> bool:
    """Tell whether going down with so many cards leaves what the end of the turn asks for."""
    if asked.held is None:
        return True
    room = len(asked.held) - _keep(asked)
    return used == room if asked.hand.all_cards or asked.hand.no_discard else used <= room


def _rearranged(asked: TurnQuestion, laid: _Melds) -> _Melds | None:
    """Let every card stay in its meld and move as few melds as possible."""
    opening = judge_opening(laid, asked.rules, asked.hand)
    if opening.extra or any(number == WHOLE for number, _ in opening.faults):
        return None
    options: list[list[tuple[bool, tuple[Laid, ...]]]] = []
    for meld, wanted in zip(laid, opening.wanted, strict=True):
        ways = [(False, meld)]
        ways += [(True, spell(way)) for way in arrangements(meld, asked.rules, wanted)]
        options.append(ways)
    choices = islice(product(*options), _MOST_CHOICES)
    moved = sorted(choices, key=lambda choice: (sum(way[0] for way in choice), [not way[0] for way in choice]))
    for choice in moved:
        melds = tuple([way[1] for way in choice])
        if judge_opening(melds, asked.rules, asked.hand).legal:
            return melds
    return None


def _most(asked: TurnQuestion, laid: _Melds, pool: Sequence[str]) -> _Melds | None:
    """Lay down as many cards of the pool as possible, in the player's own layout if that loses none."""
    spare = 0 if asked.held is None else len(asked.held) - len(pool)
    keep = 0 if asked.held is None else max(0, _keep(asked) - spare)
    best = _largest(asked, pool, keep)
    if best is None:
        return None
    own = _standing(asked, laid, keep)
    return own if own is not None and sum(map(len, own)) == sum(map(len, best)) else best


def _largest(asked: TurnQuestion, pool: Sequence[str], keep: int) -> _Melds | None:
    """Give the lay-down of most cards that leaves at least ``keep`` of the pool in hand; ``None`` if there is none."""
    try:
        best = lay_down(pool, asked.rules, asked.hand)
        if best is None or len(best.left) >= keep:
            return best and tuple([meld.cards for meld in best.melds])
        shorter = [lay_down(_without_one(pool, card), asked.rules, asked.hand) for card in dict.fromkeys(pool)]
    except TooLarge:
        return None
    found = min([way for way in shorter if way is not None], key=lambda way: len(way.left), default=None)
    return found and tuple([meld.cards for meld in found.melds])


def _without_one(cards: Sequence[str], card: str) -> list[str]:
    rest = list(cards)
    rest.remove(card)
    return rest


def _legal(asked: TurnQuestion, melds: _Melds) -> bool:
    """Play the turn with these melds and a discard, and see whether it is legal."""
    actions = [Action(0, "open", melds)]
    if asked.held is not None:
        left = Counter(asked.held)
        left.subtract(item.card for meld in melds for item in meld)
        rest = list(left.elements())
        discards = [card for action in asked.actions if action.do == "discard" for card in cards_of(action) if left[card] > 0]
        if rest and not asked.hand.no_discard:
            choices = [*discards, *dict.fromkeys(rest)]
            return any(
                play(asked._replace(actions=(*actions, Action(1, "discard", ((Laid(card),),))))).verdict == "legal"
                for card in choices
            )
    return play(asked._replace(actions=tuple(actions))).verdict == "legal"


# ---------------------------------------------------------------------------------------------------------------------
# Found after the turn


def if_found_later(asked: TurnQuestion, played: Played) -> dict[str, Any] | None:
    """Say what goes back to the hand when an illegal play is found after the turn (R-45 to R-48).

    Returns:
        ``{"return": cards, "stands": bool}``: ``stands`` tells whether the player is down then; ``None`` where nothing was laid.
    """
    live, _ = without_taken_back(asked.actions)
    laying = [action for action in live if action.do != "discard"]
    if not laying:
        return None
    down = asked.hand.contract is None or asked.player in asked.opened
    if asked.claimed or (asked.hand.ends_game and asked.opened):
        return _goes_back([card for action in laying for card in cards_of(action)], down)
    back: list[str] = []
    for action in laying:
        if action == played.opening_action and asked.hand.contract is not None:
            standing = _opening_that_stands(asked, played, action)
            if standing is None:
                return _goes_back([card for done in laying for card in cards_of(done)], False)
            back += standing
            down = True
        elif not down:
            back += cards_of(action)
        else:
            back += _wrong_cards(asked, played, action)
    if any(note.fault.concept == "out.discard" for note in played.faults) and not back:
        back += cards_of(laying[-1])[-1:]
    return _goes_back(back, down)


def _goes_back(cards: Sequence[str], stands: bool) -> dict[str, Any]:
    return {"return": list(cards), "stands": stands}


def _opening_that_stands(asked: TurnQuestion, played: Played, action: Action) -> list[str] | None:
    """Give the cards of an opening that go back so that the rest stands; ``None`` where it falls as a whole."""
    opening = played.opening
    whole = {note.fault.concept for note in played.faults if note.action is None} & {"final.all-cards", "final.must-go-out"}
    keep = 1 if whole and not played.left and not played.discards else 0
    if opening is not None and not opening.faults and not keep and not whole:
        return []
    if whole and not keep:
        return None
    rest = _standing(asked, action.melds, keep)
    if rest is None or (asked.hand.all_cards and keep and not _fits_hand(asked, sum(map(len, rest)))):
        return None
    return _removed(action.melds, rest)


def _removed(laid: _Melds, rest: _Melds) -> list[str]:
    left = Counter(item.card for meld in rest for item in meld)
    back: list[str] = []
    for meld in reversed(laid):
        for item in reversed(meld):
            if left[item.card] > 0:
                left[item.card] -= 1
            else:
                back.insert(0, item.card)
    return back


def _standing(asked: TurnQuestion, laid: _Melds, keep: int) -> _Melds | None:
    """Give the part of an opening that is right as laid: extra melds and superfluous cards left out, the last laid first."""
    count = len(asked.hand.contract.slots) if asked.hand.contract else len(laid)
    if len(laid) < count:
        return None
    found: list[tuple[int, _Melds]] = []
    for chosen in islice(combinations(laid, count), _MOST_CHOICES):
        opening = judge_opening(chosen, asked.rules, asked.hand)
        trimmed = [without_superfluous(meld, asked.rules, wanted) for meld, wanted in zip(chosen, opening.wanted, strict=True)]
        rest = tuple([part[0] for part in trimmed if part is not None])
        if len(rest) == count:
            gone = sum(len(part[1]) for part in trimmed if part is not None)
            for kept in [rest] if gone >= keep else _one_less(rest):
                if not judge_opening(kept, asked.rules, asked.hand).faults:
                    found.append((gone, kept))
                    break
    return min(found, key=lambda way: way[0])[1] if found else None


def _one_less(melds: _Melds) -> Iterator[_Melds]:
    """Leave out one card, the last laid first."""
    for number in range(len(melds) - 1, -1, -1):
        for index in range(len(melds[number]) - 1, -1, -1):
            shorter = melds[number][:index] + melds[number][index + 1 :]
            yield (*melds[:number], shorter, *melds[number + 1 :])


def _wrong_cards(asked: TurnQuestion, played: Played, action: Action) -> list[str]:
    """Give the cards that a faulty lay-off, new meld or swap sends back."""
    faults = [note.fault for note in played.faults if note.action == action.number]
    cards = list(cards_of(action))
    concepts = {fault.concept for fault in faults}
    if not faults or concepts == {"swap.replay"}:
        return []
    if action.do == "layoff" and not concepts & _NOT_ALLOWED:
        return _not_fitting(asked, action) or cards
    if action.do == "meld" and not concepts & _NOT_ALLOWED:
        for wanted in (Wanted("set", asked.rules.min_set), Wanted("run", asked.hand.min_run)):
            trimmed = without_superfluous(action.melds[0], asked.rules, wanted)
            if trimmed is not None:
                return list(trimmed[1])
    return cards


_NOT_ALLOWED: Final = frozenset(
    {"open.before-any", "open.no-new-melds", "layoff.opening", "layoff.existing", "final.all-cards", "turn.end-discard"}
)


def _not_fitting(asked: TurnQuestion, action: Action) -> list[str]:
    """Give the cards of a lay-off that do not fit where the others do."""
    target = next((lying.meld for lying in asked.table if lying.id == action.meld), None)
    laid = action.melds[0]
    if target is None or len(laid) > 6:
        return []
    for count in range(1, len(laid)):
        for out in combinations(range(len(laid) - 1, -1, -1), count):
            rest = [item for index, item in enumerate(laid) if index not in out]
            if extend(target, rest, asked.rules, action.end).legal:
                return [laid[index].card for index in sorted(out)]
    return []
