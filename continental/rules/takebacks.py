"""Changing one's mind: cards of this turn may be taken back until the discard, and no others."""

from collections.abc import Sequence

from continental.rules.cards import Laid
from continental.rules.faults import Fault
from continental.rules.turn_question import Action

_LAID: Sequence[str] = ("open", "meld", "layoff", "swap")


def without_taken_back(actions: Sequence[Action]) -> tuple[list[Action], list[tuple[int, Fault]]]:
    """Play the take-backs of a turn: what was taken back counts as never laid (R-43).

    Returns:
        The actions that remain, without take-backs; and each take-back that was refused, with its fault.
    """
    if "takeback" not in [action.do for action in actions]:
        return list(actions), []
    live: list[Action] = []
    refused: list[tuple[int, Fault]] = []
    for action in actions:
        if action.do != "takeback":
            live.append(action)
            continue
        cards = tuple([item.card for item in action.melds[0]])
        if action.to == "earlier":
            refused.append((action.number, Fault("takeback", "takeback.earlier", cards)))
        elif any(done.do == "discard" for done in live):
            refused.append((action.number, Fault("takeback", "takeback.late", cards)))
        else:
            missing = [card for card in cards if not _take_back(live, card)]
            if missing:
                refused.append((action.number, Fault("takeback", "takeback.not-laid", tuple(missing))))
    return live, refused


def _take_back(live: list[Action], card: str) -> bool:
    """Take one card out of the latest action that laid it; a swap is undone whole."""
    for index in range(len(live) - 1, -1, -1):
        action = live[index]
        if action.do not in _LAID:
            continue
        for number, meld in enumerate(action.melds):
            if all(item.card != card for item in meld):
                continue
            rest = _without(meld, card)
            melds = (*action.melds[:number], *([rest] if rest else []), *action.melds[number + 1 :])
            if melds:
                live[index] = action._replace(melds=melds)
            else:
                del live[index]
            return True
    return False


def _without(meld: tuple[Laid, ...], card: str) -> tuple[Laid, ...]:
    last = max(index for index, item in enumerate(meld) if item.card == card)
    return meld[:last] + meld[last + 1 :]
