"""Whether a suspended game may go on (``house.resume.*``, R-77 to R-81)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from continental.rules.errors import BadQuestion

Verdict = Literal["resume", "wait", "reseat", "void"]


@dataclass(frozen=True, slots=True)
class Resumption:
    """What stands in the way of going on, if anything.

    Attributes:
        verdict: ``resume``; ``wait`` (somebody is absent); ``reseat``; ``void`` (another calendar year: the game counts nowhere).
        absent: players of the game who are not there.
        strangers: people at the table who are not in the game.
        rotated: everybody sits in the same cyclic order, but not in the same chair, which is as good (R-80).
        between_hands: the game stopped where it may; if not, the hand it stopped in is dealt again.
    """

    verdict: Verdict
    absent: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    rotated: bool = False
    between_hands: bool = True


def judge_resumption(
    started: date, on: date, seats: Sequence[str], now: Sequence[str], *, between_hands: bool = True
) -> Resumption:
    """Judge whether a suspended game may be resumed. The calendar year decides first, then presence, then the seats.

    Args:
        started: the day the game started, by the clock of that place (R-77).
        on: the day it would go on.
        seats: the players in the order of play.
        now: the people at the table today, in the order of play.
        between_hands: whether the game was suspended between hands.

    Raises:
        BadQuestion: the day is before the start, or a name stands twice in one list.
    """
    if on < started:
        raise BadQuestion(f"{on} is before the game started on {started}", "on")
    _refuse_twins(seats, "seats")
    _refuse_twins(now, "now")
    if on.year != started.year:
        return Resumption("void", between_hands=between_hands)
    absent = tuple(name for name in seats if name not in now)
    strangers = tuple(name for name in now if name not in seats)
    if absent:
        return Resumption("wait", absent, strangers, between_hands=between_hands)
    if strangers or not same_circle(seats, now):
        return Resumption("reseat", (), strangers, between_hands=between_hands)
    return Resumption("resume", rotated=tuple(seats) != tuple(now), between_hands=between_hands)


def same_circle(seats: Sequence[str], now: Sequence[str]) -> bool:
    """Tell whether two lists of different names are one circle: a rotation is, a mirror is not (R-80)."""
    if len(seats) != len(now) or not seats or seats[0] not in now:
        return not seats and not now
    turn = list(now).index(seats[0])
    return list(seats) == [*now[turn:], *now[:turn]]


def _refuse_twins(names: Sequence[str], at: str) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise BadQuestion(f"“{name[:40]}” is there twice", f"{at}[{index}]")
