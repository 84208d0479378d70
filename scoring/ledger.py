"""From the log of a game to the state of its table: a pure fold over events.

An event that does not fit the state it meets is refused with a code and its parameters (``scoring.messages`` has the
sentence). Nothing is ever patched: taking an event back means folding the others again, so undo restores the dealer,
the contract, the opened marks and the totals together, or refuses as a whole.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, NamedTuple

from continental.rules import scores, suspension
from continental.rules.errors import BadQuestion
from continental.rules.keypad import count_keys
from continental.rules.rulesets import HandRule, RuleSet


class Refused(Exception):
    """An action that the state of the table does not allow.

    Args:
        code: what stands against it, a key of ``scoring.messages.REFUSALS``.
        params: what the sentence names: a seat, a hand, what was typed.
    """

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


class Logged(NamedTuple):
    """One event as the fold reads it."""

    rev: int
    kind: str
    data: Mapping[str, Any]
    reason: str = ""
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class EntryState:
    """What one seat handed in. ``points`` is ``None`` exactly where no score was given or no hand was played."""

    kind: str
    points: int | None = None
    cards: str = ""
    parts: str = ""
    missing: int = 0
    rev: int = 0
    amended: bool = False

    @property
    def provided(self) -> scores.Entry:
        """The entry as the rules read it: points, nothing given, or not played."""
        return scores.ABSENT if self.kind == "absent" else self.points

    @property
    def value(self) -> tuple[str, int | None, str, str, int]:
        """What was handed in, whoever wrote it and whenever."""
        return self.kind, self.points, self.cards, self.parts, self.missing


@dataclass(slots=True)
class HandState:
    """One deal: who deals, who is down, what is counted."""

    number: int
    dealer: int
    attempt: int = 1
    stock_turned: int = 0
    opened: list[int] = field(default_factory=list)
    turns: int = 0
    entries: dict[int, EntryState] = field(default_factory=dict)
    closed: bool = False
    posted: tuple[scores.SeatScore, ...] = ()

    @property
    def out(self) -> list[int]:
        """The seats entered as having gone out; a sound hand has one, or none."""
        return sorted(seat for seat, entry in self.entries.items() if entry.kind == "out")


class Countdown(NamedTuple):
    """The twice-around: turns left, whose turn is next, and who has the last one."""

    left: int
    total: int
    next_seat: int
    last_seat: int


@dataclass(slots=True)
class GameState:
    """A table as its log tells it."""

    rules: RuleSet
    players: tuple[int, ...] = ()
    first_dealer: int = 0
    started_on: date = date.min
    away: set[int] = field(default_factory=set)
    hands: list[HandState] = field(default_factory=list)
    status: str = "playing"
    suspended_on: date | None = None
    ended_on: date | None = None
    ended_early: str = ""
    result: scores.GameResult | None = None
    rev: int = 0

    @property
    def seats(self) -> range:
        return range(len(self.players))

    @property
    def present(self) -> list[int]:
        """Seats whose player is at the table."""
        return [seat for seat in self.seats if seat not in self.away]

    @property
    def hand(self) -> HandState:
        """The hand being played, or the last one."""
        return self.hands[-1]

    @property
    def hand_rule(self) -> HandRule:
        return self.rules.hand(self.hand.number)

    @property
    def untouched(self) -> bool:
        """Whether the table stands between hands: nothing has happened in the current one."""
        hand = self.hand
        entered = [entry for entry in hand.entries.values() if entry.kind != "absent"]
        return not (hand.opened or hand.stock_turned or hand.turns or entered or hand.closed)

    def running(self, seat: int) -> int:
        """Points posted in closed hands so far."""
        return sum(hand.posted[seat].points or 0 for hand in self.hands if hand.closed)

    def open_seats(self) -> list[int]:
        """Seats from which the current hand still wants something."""
        return [seat for seat in self.present if seat not in self.hand.entries]

    def left_of(self, seat: int) -> int:
        """The next present seat to the left."""
        count = len(self.players)
        return next(other for step in range(1, count + 1) if (other := (seat + step) % count) not in self.away)

    @property
    def countdown(self) -> Countdown | None:
        """The twice-around where it runs (``house.twice-around.*``, R-35)."""
        hand, rule = self.hand, self.hand_rule
        if not self.rules.twice_around or rule.all_cards or hand.out or hand.closed:
            return None
        if not self.present or not set(self.present) <= set(hand.opened):
            return None
        last = next(seat for seat in reversed(hand.opened) if seat not in self.away)
        order = [self.left_of(last)]
        while order[-1] != last:
            order.append(self.left_of(order[-1]))
        total = 2 * len(order)
        return Countdown(max(0, total - hand.turns), total, order[hand.turns % len(order)], last)

    @property
    def ended_by(self) -> str:
        """Why the current hand is over and waits for the count: ``out``, ``stock``, ``twice-around``, or empty."""
        if self.hand.out:
            return "out"
        if self.hand.stock_turned > self.rules.stock_turnovers:
            return "stock"
        countdown = self.countdown
        return "twice-around" if countdown and not countdown.left else ""


# ---------------------------------------------------------------------------------------------------------------------
# Reading what a client sent


def read_sum(text: str) -> tuple[int, str]:
    """Read typed points: a number, or a sum such as ``10+15``.

    Returns:
        The points, and the text with its spaces gone, to be kept as it was meant.

    Raises:
        Refused: nothing that adds up, or more than any hand could hold.
    """
    compact = re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).replace("\u2212", "-")
    if not re.fullmatch(r"[+-]?[0-9]{1,5}(?:[+-][0-9]{1,5})*", compact, re.ASCII) or len(compact) > MOST_PARTS:
        raise Refused("points-unreadable", typed=text[:40])
    points = sum(int(part) for part in re.findall(r"[+-]?[0-9]+", compact))
    if abs(points) > MOST_POINTS:
        raise Refused("points-out-of-range", typed=text[:40], most=MOST_POINTS)
    return points, compact.removeprefix("+")


def split_keys(text: str) -> list[str]:
    """Part a list of keypad keys (``7``, ``A red``, ``7H``, ``JK``) as it was tapped or typed; the inverse joins with spaces.

    Raises:
        Refused: more cards than any hand holds.
    """
    keys = [" ".join(match.split()) for match in _KEY.findall(text)]
    if len(keys) > MOST_CARDS:
        raise Refused("cards-too-many", count=len(keys), most=MOST_CARDS)
    return [_WRITTEN.get(key.upper(), key if " " in key else key.upper().translate(_SUIT_SIGNS)) for key in keys]


_KEY: Final = re.compile(r"[^\s,;]+\s+(?:red|black)\b|[^\s,;]+")
_WRITTEN: Final = {"JOKER": "JK", "*": "JK", "★": "JK"}
_SUIT_SIGNS: Final = str.maketrans("♠♥♦♣", "SHDC")
MOST_CARDS: Final = 90
MOST_PARTS: Final = 100
MOST_POINTS: Final = 5000
MOST_MISSING: Final = 30


def read_entry(rules: RuleSet, data: Mapping[str, Any]) -> EntryState:
    """Turn what was entered for a seat into an entry with its points under the sheet.

    Raises:
        Refused: cards or points that cannot be read, or that contradict the kind of entry.
    """
    kind = _text(data, "kind")
    missing = _number(data, "missing", 0, MOST_MISSING) if data.get("missing") not in (None, "") else 0
    if kind == "cards":
        try:
            keys = split_keys(_text(data, "cards"))
            points = count_keys(rules, keys, missing).points
        except BadQuestion as error:
            raise Refused("cards-unreadable", detail=error.message) from error
        if not keys and not missing:
            raise Refused("cards-none")
        return EntryState("cards", points, " ".join(keys), "", missing)
    if kind == "points":
        points, parts = read_sum(_text(data, "points"))
        return EntryState("points", points + missing * rules.missing_card, "", parts, missing)
    if kind in {"out", "none", "absent"}:
        typed = _text(data, "points").strip() or _text(data, "cards").strip()
        if typed not in ("", "0"):
            raise Refused(f"{kind}-with-points", typed=typed[:40])
        return EntryState(kind, 0 if kind == "out" else None)
    raise Refused("kind-unknown", typed=kind[:40])


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else str(value)


def _number(data: Mapping[str, Any], key: str, least: int, most: int) -> int:
    value = data.get(key)
    try:
        number = int(value) if isinstance(value, int | str) and len(str(value)) < 12 else None
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise Refused("number-unreadable", what=key, typed=str(value)[:40], least=least, most=most)
    return number


def _date(data: Mapping[str, Any]) -> date:
    return date.fromisoformat(data["on"])


# ---------------------------------------------------------------------------------------------------------------------
# Actions. Each takes the state and the event, and changes the state or refuses.

_Action = Callable[[GameState, Logged], None]
ACTIONS: Final[dict[str, _Action]] = {}


def _action(kind: str) -> Callable[[_Action], _Action]:
    def register(function: _Action) -> _Action:
        ACTIONS[kind] = function
        return function

    return register


def _seat(state: GameState, data: Mapping[str, Any]) -> int:
    seat = _number(data, "seat", -1, 1000)
    if seat not in state.seats:
        raise Refused("seat-unknown", typed=str(seat))
    return seat


def _live_hand(state: GameState, data: Mapping[str, Any]) -> HandState:
    """The hand an action at the table is about: it must be the one being played."""
    _must_play(state)
    number = _number(data, "hand", 1, 1000)
    if number != state.hand.number or state.hand.closed:
        raise Refused("hand-over", hand=number, current=state.hand.number)
    return state.hand


def _must_play(state: GameState) -> None:
    if state.status != "playing":
        raise Refused(f"game-{state.status}")


@_action("start")
def _start(state: GameState, event: Logged) -> None:
    players = tuple(event.data["players"])
    if len(set(players)) != len(players):
        raise Refused("player-twice")
    rules = state.rules
    if len(players) < rules.players_min or (rules.players_max is not None and len(players) > rules.players_max):
        raise Refused("players-count", count=len(players), least=rules.players_min, most=rules.players_max)
    if not rules.ready:
        raise Refused("sheet-not-ready")
    state.players = players
    state.first_dealer = _number(event.data, "first_dealer", 0, len(players) - 1)
    state.started_on = _date(event.data)
    state.hands = [HandState(1, state.first_dealer)]


@_action("opened")
def _opened(state: GameState, event: Logged) -> None:
    hand, seat = _live_hand(state, event.data), _seat(state, event.data)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    down = event.data.get("on", True)
    if down and seat not in hand.opened:
        hand.opened.append(seat)
    elif not down and seat in hand.opened:
        hand.opened.remove(seat)
    # A lay-down that turns out void stops the twice-around it set off (rulebook 4.7.d); the turns taken are no part of a new one.
    hand.turns = 0


@_action("stock")
def _stock(state: GameState, event: Logged) -> None:
    hand = _live_hand(state, event.data)
    if state.ended_by:
        raise Refused("hand-ended", hand=hand.number)
    _must_be_next(event.data, hand.stock_turned)
    hand.stock_turned += 1


@_action("turn")
def _turn(state: GameState, event: Logged) -> None:
    hand = _live_hand(state, event.data)
    countdown = state.countdown
    if countdown is None or not countdown.left:
        raise Refused("no-countdown", hand=hand.number)
    _must_be_next(event.data, hand.turns)
    hand.turns += 1


def _must_be_next(data: Mapping[str, Any], done: int) -> None:
    """Refuse a tap from a page that had not heard of another one: the same turn must not be counted twice."""
    if "nth" in data and _number(data, "nth", 0, 1000) != done + 1:
        raise Refused("stale")


@_action("count")
def _count(state: GameState, event: Logged) -> None:
    number, seat = _number(event.data, "hand", 1, 1000), _seat(state, event.data)
    hand = next((hand for hand in state.hands if hand.number == number), None)
    if hand is None:
        raise Refused("hand-not-yet", hand=number)
    entry = read_entry(state.rules, event.data)
    if hand.closed:
        if not event.reason.strip():
            raise Refused("reason-needed", hand=number)
        hand.entries[seat] = replace(entry, rev=event.rev, amended=True)
        _post(state, hand)
        return
    _must_play(state)
    if seat in state.away and entry.kind != "absent":
        raise Refused("seat-away", seat=seat)
    hand.entries[seat] = replace(entry, rev=event.rev)


@_action("clear")
def _clear(state: GameState, event: Logged) -> None:
    hand, seat = _live_hand(state, event.data), _seat(state, event.data)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    if hand.entries.pop(seat, None) is None:
        raise Refused("nothing-entered", seat=seat)


@_action("close")
def _close(state: GameState, event: Logged) -> None:
    hand = _live_hand(state, event.data)
    holes = state.open_seats()
    if holes:
        raise Refused("holes", hand=hand.number, seats=holes)
    _post(state, hand)
    hand.closed = True
    if _last_hand(state):
        state.ended_on = _date(event.data)
    else:
        state.hands.append(HandState(hand.number + 1, _next_dealer(state)))
        _mark_away(state)


def _post(state: GameState, hand: HandState) -> None:
    """Work out what the sheet counts for each seat (``house.missing.*``)."""
    result = scores.score_hand([hand.entries[seat].provided for seat in state.seats])
    if result.replay:
        raise Refused("replay-closed" if hand.closed else "replay-needed", hand=hand.number)
    hand.posted = result.seats


def _last_hand(state: GameState) -> bool:
    rules = state.rules
    if rules.target is not None:
        return any(state.running(seat) >= rules.target for seat in state.seats)
    return state.hand.number == len(rules.hands)


def _next_dealer(state: GameState) -> int:
    """The deal passes to the left, past empty seats; of two players the winner may deal (``basic.dealer``)."""
    hand = state.hand
    if state.rules.dealer_rule == "winner-of-two" and len(state.present) == 2 and len(hand.out) == 1:
        return hand.out[0]
    return state.left_of(hand.dealer)


def _mark_away(state: GameState) -> None:
    for seat in state.away:
        state.hand.entries[seat] = EntryState("absent")


@_action("restart")
def _restart(state: GameState, event: Logged) -> None:
    """Deal the hand again: same number, contract and dealer, all its marks and scores void (R-09, R-68)."""
    hand = _live_hand(state, event.data)
    state.hands[-1] = HandState(hand.number, hand.dealer, hand.attempt + 1)
    _mark_away(state)


@_action("leave")
def _leave(state: GameState, event: Logged) -> None:
    """A player leaves for good: not finishing this hand makes a non-finisher (``house.nonfinish.total``, R-79)."""
    seat = _seat(state, event.data)
    _must_play(state)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    if len(state.present) == 1:
        raise Refused("last-player")
    state.away.add(seat)
    hand = state.hand
    hand.opened = [other for other in hand.opened if other != seat]
    hand.entries[seat] = EntryState("absent", rev=event.rev)


@_action("return")
def _return(state: GameState, event: Logged) -> None:
    """A player who left plays again from this hand on, and stays a non-finisher."""
    seat = _seat(state, event.data)
    _must_play(state)
    if seat not in state.away:
        raise Refused("seat-present", seat=seat)
    state.away.remove(seat)
    state.hand.entries.pop(seat, None)


@_action("suspend")
def _suspend(state: GameState, event: Logged) -> None:
    _must_play(state)
    if not state.untouched:
        raise Refused("suspend-mid-hand", hand=state.hand.number)
    missing = sorted(set(state.present) - set(event.data.get("consent", [])))
    if missing:
        raise Refused("suspend-consent", seats=missing)
    state.status, state.suspended_on = "suspended", _date(event.data)


@_action("resume")
def _resume(state: GameState, event: Logged) -> None:
    if state.status != "suspended":
        raise Refused("not-suspended")
    verdict = resume_verdict(state, event.data["players"], _date(event.data))
    if verdict != "resume":
        raise Refused(f"resume-{verdict}")
    state.status, state.suspended_on = "playing", None


def resume_verdict(state: GameState, now: Sequence[int], on: date) -> str:
    """Judge a resumption: ``resume``, ``wait`` (someone absent), ``reseat`` or ``void`` (``house.resume.*``).

    Args:
        now: players as they sit today, clockwise. Those who left before the suspension are not waited for.
        on: today in the league's zone.
    """
    seats = [str(state.players[seat]) for seat in state.present]
    return suspension.judge_resumption(state.started_on, on, seats, [str(player) for player in now]).verdict


@_action("finish")
def _finish(state: GameState, event: Logged) -> None:
    """End the game before its last hand: nobody has a complete total, so it counts nowhere (R-78)."""
    if state.status not in {"playing", "suspended"} or state.ended_on is not None:
        raise Refused(f"game-{state.status}")
    state.ended_on = _date(event.data)
    late = state.status == "suspended" and state.ended_on.year != state.started_on.year
    state.ended_early = "year" if late else "early"
    state.suspended_on = None


def _settle(state: GameState) -> None:
    """Work out the game's end, if it has come: totals, substitutes, void, places (R-83)."""
    if state.ended_on is None:
        return
    closed = [hand for hand in state.hands if hand.closed]
    state.result = scores.score_game(
        state.rules,
        [[hand.entries[seat].provided for seat in state.seats] for hand in closed],
        players=len(state.players),
        left=state.away,
        hands_out=[sum(seat in hand.out for hand in closed) for seat in state.seats],
    )
    state.status = "finished" if state.result.finished and not state.result.void else "void"


# ---------------------------------------------------------------------------------------------------------------------
# The fold


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
    state = GameState(rules)
    for event in active(log):
        ACTIONS[event.kind](state, event)
        _settle(state)
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
