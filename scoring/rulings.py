"""Rulings on what went wrong, and what they do to the scorebook: every effect an event of its own, listed, and undone alone.

An effect hangs on its ruling and on the deal it is about. When either is taken back it is void, never in the way; when the
hand is dealt again, what hung on the deal before goes with it. Penalties stay out of the hands, so that counting anew, as
often as one likes, leaves them where they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from continental.rules.decisions import KINDS
from continental.rules.errors import BadQuestion
from continental.rules.irregularities import Ruling, consider
from scoring import corrections
from scoring.actions import ACTIONS, action, deal_again, live_hand, must_play, read_seat
from scoring.entries import read_number, read_text
from scoring.state import EntryState, GameState, HandState, Logged, Penalty, Refused, RulingState, Task

MOST_PENALTY: Final = 1000
MOST_WORDS: Final = 400
TASKS: Final = frozenset({"discard-only", "draw-only", "owed-joker", "returned-cards", "detached-cards"})

_Effect = Callable[[GameState, Logged], None]


def effect(kind: str) -> Callable[[_Effect], _Effect]:
    """Register an action that a ruling asks for: void, instead of refused, once what it hangs on is gone."""

    def register(function: _Effect) -> _Effect:
        @action(kind)
        def done(state: GameState, event: Logged) -> None:
            _carry_out(function, state, event)

        _OF_RULINGS.add(kind)
        return function

    return register


_OF_RULINGS: Final[set[str]] = set()


def act(state: GameState, event: Logged) -> None:
    """Do what an event says. An everyday action that a ruling asked for hangs on it like every other effect."""
    if "ruling" in event.data and event.kind not in _OF_RULINGS:
        _carry_out(ACTIONS[event.kind], state, event)
    else:
        ACTIONS[event.kind](state, event)


def _carry_out(function: _Effect, state: GameState, event: Logged) -> None:
    gone = _gone(state, event)
    if gone:
        _void(state, event, gone)
        return
    try:
        function(state, event)
    except Refused as refusal:
        _void(state, event, refusal.code, **refusal.params)
        return
    ruling = state.rulings.get(event.data.get("ruling", 0))
    if ruling is not None:
        state.rulings[ruling.rev] = replace(ruling, effects=(*ruling.effects, event.rev))


def _gone(state: GameState, event: Logged) -> str:
    """Say what an effect hung on that is no longer there; empty where all is."""
    if "ruling" in event.data and event.data["ruling"] not in state.rulings:
        return "ruling-gone"
    if event.data.get("hand") in (None, ""):
        return ""
    number = read_number(event.data, "hand", 1, 1000)
    hand = state.hand_numbered(number)
    return "hand-gone" if hand is None or event.data.get("attempt", hand.attempt) != hand.attempt else ""


def _void(state: GameState, event: Logged, code: str, **params: Any) -> None:
    if event.rev == state.newest:
        raise Refused(code, **params)
    state.voided[event.rev] = code


@action("ruling")
def _ruling(state: GameState, event: Logged) -> None:
    """Keep what was decided: by the rule book, or by the table's own will and then with a reason."""
    if _gone(state, event):
        _void(state, event, "hand-gone")
        return
    data = event.data
    kind = read_text(data, "kind")
    if kind not in KINDS:
        raise Refused("ruling-kind", typed=kind[:40])
    number = read_number(data, "hand", 1, 1000) if data.get("hand") not in (None, "") else None
    facts = data.get("facts", {})
    try:
        found = consider(kind, facts, state.rules, state.rules.hand(number) if number else None)
    except BadQuestion as error:
        raise Refused("ruling-facts", detail=error.message) from error
    own = bool(data.get("own"))
    words = read_text(data, "words").strip()[:MOST_WORDS]
    if own and not (words and event.reason.strip()):
        raise Refused("own-ruling")
    if not own and not isinstance(found, Ruling):
        raise Refused("ruling-open")
    evidence = data.get("evidence")
    state.rulings[event.rev] = RulingState(
        rev=event.rev,
        kind=kind,
        path=found.path if isinstance(found, Ruling) else "",
        facts=facts,
        hand=number,
        seats=tuple(seat for seat in data.get("seats", []) if seat in state.seats),
        own=own,
        words=words if own else "",
        reason=event.reason.strip(),
        evidence=evidence if evidence in state.evidence else None,
    )


def _hand_of(state: GameState, data: Mapping[str, Any]) -> HandState:
    hand = state.hand_numbered(read_number(data, "hand", 1, 1000))
    assert hand is not None
    return hand


@effect("penalty")
def _penalty(state: GameState, event: Logged) -> None:
    """Points on one total, by the table's own decision; negative for a bonus."""
    seat = read_seat(state, event.data)
    points = read_number(event.data, "points", -MOST_PENALTY, MOST_PENALTY)
    if not points:
        raise Refused("penalty-zero")
    if not event.reason.strip():
        raise Refused("penalty-reason")
    hand = None if event.data.get("hand") in (None, "") else _hand_of(state, event.data)
    state.penalties.append(
        Penalty(event.rev, seat, points, event.reason.strip(), hand.number if hand else None, hand.attempt if hand else 0)
    )


@effect("short")
def _short(state: GameState, event: Logged) -> None:
    """Cards missing at the count (``house.hand.end-too-few``): charged now, or as soon as the hand is counted."""
    seat = read_seat(state, event.data)
    hand = _hand_of(state, event.data)
    hand_count = read_number(event.data, "count", 1, 30)
    if hand.closed:
        raise Refused("hand-over", hand=hand.number, current=state.hand.number)
    hand.short[seat] = hand_count
    if seat in hand.entries:
        hand.entries[seat] = replace(corrections.with_missing(state.rules, hand.entries[seat], hand_count), rev=event.rev)


@effect("skip")
def _skip(state: GameState, event: Logged) -> None:
    """Turns lost in between count as used in the twice-around (``house.oot.stands``)."""
    hand = live_hand(state, event.data)
    countdown = state.countdown
    if countdown is None or not countdown.left:
        raise Refused("no-countdown", hand=hand.number)
    hand.turns += min(read_number(event.data, "count", 1, 100), countdown.left)


@effect("redeal")
def _redeal(state: GameState, event: Logged) -> None:
    """A misdeal or a wrong pack: the hand is dealt again by the same dealer (``house.redeal.*``)."""
    deal_again(state, live_hand(state, event.data))


@effect("replay")
def _replay(state: GameState, event: Logged) -> None:
    """Too few scores were given: the hand is played again (``house.missing.replay``)."""
    deal_again(state, live_hand(state, event.data))


@effect("reopen")
def _reopen(state: GameState, event: Logged) -> None:
    """The player who went out was short: the hand is open again and its scores are struck out (``house.hand.goer-short``).

    A closed hand can be opened again until its cards are mixed; so can the last one of the game, as long as that is all
    that has happened. Turns of the twice-around that were played stay played: the cards laid go back, the turn does not.
    """
    seat = read_seat(state, event.data)
    hand = _hand_of(state, event.data)
    if hand.closed:
        last = hand is state.hands[-1] and state.status in {"finished", "void"} and not state.ended_early
        if corrections.mixed(state, hand) and not last:
            raise Refused("hand-mixed", hand=hand.number)
        if hand is not state.hands[-1]:
            state.hands.pop()
        state.ended_on, state.status = None, "playing"
        hand.closed, hand.posted = False, ()
    must_play(state)
    if seat not in hand.out:
        raise Refused("not-out", seat=seat, hand=hand.number)
    hand.entries = {other: EntryState("absent") for other in state.away}


@effect("task")
def _task(state: GameState, event: Logged) -> None:
    """Something to be done at the table, shown there until it is: turns of correction, a joker owed, cards that went back."""
    hand = live_hand(state, event.data)
    what = read_text(event.data, "what")
    if what not in TASKS:
        raise Refused("action-unknown", typed=what[:40])
    seat = read_seat(state, event.data) if event.data.get("seat") not in (None, "") else None
    left = read_number(event.data, "count", 1, 99) if "count" in event.data else 1
    hand.tasks.append(Task(event.rev, what, seat, left))


@effect("taskdone")
def _task_done(state: GameState, event: Logged) -> None:
    """One turn of a task was taken, or the whole of it is done."""
    hand = live_hand(state, event.data)
    of = read_number(event.data, "of", 0, 10**9)
    task = next((task for task in hand.tasks if task.rev == of), None)
    if task is None:
        raise Refused("task-gone")
    if "nth" in event.data and read_number(event.data, "nth", 0, 1000) != task.left:
        raise Refused("stale")
    at = hand.tasks.index(task)
    hand.tasks[at : at + 1] = [replace(task, left=task.left - 1)] if task.left > 1 else []
