"""From the log of a game to the state of its table: a pure fold over events.

An event that does not fit the state it meets is refused with a code and its parameters (``scoring.messages`` has the
sentence). Nothing is ever patched: taking an event back means folding the others again, so undo restores the dealer,
the contract, the opened marks and the totals together, or refuses as a whole.
"""

from collections.abc import Iterable, Iterator, Sequence

from continental.rules.rulesets import RuleSet
from scoring import acceptance, bonuses, disputes, evidence, league_actions, rulings  # noqa: F401 (their actions are registered by importing them)
from scoring.actions import settle
from scoring.state import GameState, Logged, Refused


def active(events: Sequence[Logged]) -> list[Logged]:
    """Give the events that count: those not taken back, and no undo itself. An undo may be taken back too."""
    undone: set[int] = set()
    kept: list[Logged] = []
    for event in reversed(events):
        if event.rev in undone:
            continue
        if event.kind == "undo":
            assert event.replaces is not None
            undone.add(event.replaces)
        else:
            kept.append(event)
    return kept[::-1]


def fold(rules: RuleSet, events: Iterable[Logged]) -> GameState:
    """Give the state of the table after ``events``, oldest first.

    Raises:
        Refused: an event does not fit the state that the ones before it left.
    """
    log = list(events)
    state = GameState(rules, newest=log[-1].rev if log else 0)
    for event in active(log):
        rulings.act(state, event)
        settle(state)
    state.rev = log[-1].rev if log else 0
    return state


def undoable(events: Sequence[Logged]) -> Logged | None:
    """Give the event that “undo” takes back next: the last one that counts, but never the start of the game."""
    counting = active(events)
    return counting[-1] if len(counting) > 1 else None


def redoable(events: Sequence[Logged]) -> Logged | None:
    """Give the undo that can itself be taken back: only while nothing has happened since, and no redo of a redo."""
    if not events or events[-1].kind != "undo":
        return None
    last = events[-1]
    target = next(event for event in events if event.rev == last.replaces)
    return None if target.kind == "undo" else last


def undo_target(events: Sequence[Logged], target: object) -> int:
    """Give the revision that an undo takes back: an event that counts, or the undo that can itself be taken back.

    Raises:
        Refused: it was taken back before, was never done, or is the start of the game.
    """
    redo = redoable(events)
    taken_back = {event.rev for event in active(events) if event.kind != "start"}
    if redo is not None and target == redo.rev:
        return redo.rev
    if not isinstance(target, int) or target not in taken_back:
        raise Refused("undo-gone")
    return target


def replay(rules: RuleSet, events: Sequence[Logged]) -> Iterator[GameState]:
    """Give the state after each event in turn: every one must fit the table as it was when it was done.

    A fold says only whether the log as a whole makes sense; this is for a log that another scorebook wrote.

    Raises:
        Refused: the event after the last state that was given does not fit.
    """
    state = fold(rules, events[:1])
    yield state
    for count, event in enumerate(events[1:], start=1):
        if event.kind == "undo":
            undo_target(events[:count], event.replaces)
            state = fold(rules, events[: count + 1])
        else:
            state.newest = event.rev
            rulings.act(state, event)
            settle(state)
            state.rev = event.rev
        yield state
