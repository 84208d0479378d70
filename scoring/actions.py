"""What can be done at a table. Each action takes the state and its event, and changes the state or refuses.

A new kind of action is one more function under ``@action``; a module that holds some is imported by ``scoring.ledger``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from continental.rules import scores, suspension
from scoring import corrections
from scoring.entries import read_entry, read_number
from scoring.state import ACCEPTED, DISPUTED, ENTERED, Amendment, EntryState, GameState, HandState, Logged, Refused

_Action = Callable[[GameState, Logged], None]
ACTIONS: Final[dict[str, _Action]] = {}


def action(kind: str) -> Callable[[_Action], _Action]:
    def register(function: _Action) -> _Action:
        ACTIONS[kind] = function
        return function

    return register


def read_seat(state: GameState, data: Mapping[str, Any]) -> int:
    seat = read_number(data, "seat", -1, 1000)
    if seat not in state.seats:
        raise Refused("seat-unknown", typed=str(seat))
    return seat


def live_hand(state: GameState, data: Mapping[str, Any]) -> HandState:
    """The hand an action at the table is about: it must be the one being played."""
    must_play(state)
    number = read_number(data, "hand", 1, 1000)
    if number != state.hand.number or state.hand.closed:
        raise Refused("hand-over", hand=number, current=state.hand.number)
    return state.hand


def must_play(state: GameState) -> None:
    if state.status != "playing":
        raise Refused(f"game-{state.status}")


@action("start")
def _start(state: GameState, event: Logged) -> None:
    players = tuple(event.data["players"])
    if len(set(players)) != len(players):
        raise Refused("player-twice")
    rules = state.rules
    if len(players) < rules.players_min or (rules.players_max is not None and len(players) > rules.players_max):
        raise Refused("players-count", count=len(players), least=rules.players_min, most=rules.players_max)
    if not rules.ready:
        raise Refused("sheet-not-ready")
    if rules.payouts and len(rules.payouts) != len(players):
        raise Refused("payouts-count", count=len(players), wanted=len(rules.payouts))
    state.players = players
    state.first_dealer = read_number(event.data, "first_dealer", 0, len(players) - 1)
    state.started_on = read_date(event.data)
    state.hands = [HandState(1, state.first_dealer)]


@action("opened")
def _opened(state: GameState, event: Logged) -> None:
    hand, seat = live_hand(state, event.data), read_seat(state, event.data)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    down = bool(event.data.get("on", True))
    if down == (seat in hand.opened):
        return
    if down:
        hand.opened.append(seat)
    else:
        hand.opened.remove(seat)
    # A lay-down that turns out void stops the twice-around it set off (rulebook 4.7.d); the turns taken are no part of a new one.
    hand.turns = 0


@action("stock")
def _stock(state: GameState, event: Logged) -> None:
    hand = live_hand(state, event.data)
    if state.ended_by:
        raise Refused("hand-ended", hand=hand.number)
    _must_be_next(event.data, hand.stock_turned)
    hand.stock_turned += 1


@action("turn")
def _turn(state: GameState, event: Logged) -> None:
    hand = live_hand(state, event.data)
    countdown = state.countdown
    if countdown is None or not countdown.left:
        raise Refused("no-countdown", hand=hand.number)
    _must_be_next(event.data, hand.turns)
    hand.turns += 1


def _must_be_next(data: Mapping[str, Any], done: int) -> None:
    """Refuse a tap from a page that had not heard of another one: the same turn must not be counted twice."""
    if "nth" in data and read_number(data, "nth", 0, 1000) != done + 1:
        raise Refused("stale")


@action("count")
def _count(state: GameState, event: Logged) -> None:
    number, seat = read_number(event.data, "hand", 1, 1000), read_seat(state, event.data)
    hand = next((hand for hand in state.hands if hand.number == number), None)
    if hand is None:
        raise Refused("hand-not-yet", hand=number)
    entry = read_entry(state.rules, event.data)
    if hand.closed:
        if "by_seat" in event.data:
            # A phone that was away while the hand closed; only whoever keeps the score corrects what is closed.
            raise Refused("hand-over", hand=number, current=state.hand.number)
        corrections.must_allow(state, hand, seat, event.reason, corrections.read_agreed(event.data))
        amend(state, hand, seat, replace(entry, rev=event.rev, amended=True), event.reason)
        return
    must_play(state)
    if seat in state.away and entry.kind != "absent":
        raise Refused("seat-away", seat=seat)
    by_seat = read_number(event.data, "by_seat", 0, 1000) if "by_seat" in event.data else None
    # Going out is seen by everybody, so nobody has to accept it.
    accepted = by_seat is None or entry.kind == "out"
    entry = corrections.with_missing(state.rules, entry, hand.short.get(seat, 0))
    hand.entries[seat] = replace(entry, rev=event.rev, by_seat=by_seat, state=ACCEPTED if accepted else ENTERED)


@action("clear")
def _clear(state: GameState, event: Logged) -> None:
    hand, seat = live_hand(state, event.data), read_seat(state, event.data)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    if hand.entries.pop(seat, None) is None:
        raise Refused("nothing-entered", seat=seat)


@action("close")
def _close(state: GameState, event: Logged) -> None:
    hand = live_hand(state, event.data)
    holes = state.open_seats()
    if holes:
        raise Refused("holes", hand=hand.number, seats=holes)
    for code, standing in (("disputed", DISPUTED), ("not-accepted", ENTERED)):
        seats = sorted(seat for seat, entry in hand.entries.items() if entry.state == standing)
        if seats:
            raise Refused(code, hand=hand.number, seats=seats)
    post(state, hand)
    hand.closed = True
    if _last_hand(state):
        state.ended_on = read_date(event.data)
    else:
        _deal_next(state)


def post(state: GameState, hand: HandState) -> None:
    """Work out what the sheet counts for each seat (``house.missing.*``)."""
    result = scores.score_hand([hand.entries[seat].provided for seat in state.seats])
    if result.replay:
        raise Refused("replay-closed" if hand.closed else "replay-needed", hand=hand.number)
    hand.posted = result.seats


def amend(state: GameState, hand: HandState, seat: int, entry: EntryState, reason: str, *, own: bool = False) -> None:
    """Put another entry in the place of one of a closed hand; what it was stays on record."""
    state.amendments.append(Amendment(entry.rev, hand.number, seat, hand.entries[seat], entry, reason.strip(), own))
    hand.entries[seat] = entry
    post(state, hand)
    if state.rules.target is not None and state.ended_on is not None and not state.ended_early and not _last_hand(state):
        # Nobody has reached the target after all, so the game was not over.
        state.ended_on, state.result, state.status = None, None, "playing"
        _deal_next(state)


def _deal_next(state: GameState) -> None:
    state.hands.append(HandState(state.hand.number + 1, _next_dealer(state)))
    _mark_away(state)


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


@action("restart")
def _restart(state: GameState, event: Logged) -> None:
    deal_again(state, live_hand(state, event.data))


def deal_again(state: GameState, hand: HandState) -> None:
    """Deal the hand again: same number, contract and dealer, all its marks and scores void (R-09, R-68)."""
    state.hands[-1] = HandState(hand.number, hand.dealer, hand.attempt + 1)
    _mark_away(state)


@action("leave")
def _leave(state: GameState, event: Logged) -> None:
    """A player leaves for good: not finishing this hand makes a non-finisher (``house.nonfinish.total``, R-79)."""
    seat = read_seat(state, event.data)
    must_play(state)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    if len(state.present) == 1:
        raise Refused("last-player")
    hand = state.hand
    if state.countdown:
        # The turns that the leaver had are none of those the others still have coming.
        order = state.order_after_last_down()
        hand.turns -= sum(order[turn % len(order)] == seat for turn in range(hand.turns))
    state.away.add(seat)
    hand.entries[seat] = EntryState("absent", rev=event.rev)


@action("return")
def _return(state: GameState, event: Logged) -> None:
    """A player who left plays again from this hand on, and stays a non-finisher."""
    seat = read_seat(state, event.data)
    must_play(state)
    if seat not in state.away:
        raise Refused("seat-present", seat=seat)
    state.away.remove(seat)
    state.hand.entries.pop(seat, None)


@action("suspend")
def _suspend(state: GameState, event: Logged) -> None:
    must_play(state)
    if not state.untouched:
        raise Refused("suspend-mid-hand", hand=state.hand.number)
    missing = sorted(set(state.present) - set(event.data.get("consent", [])))
    if missing:
        raise Refused("suspend-consent", seats=missing)
    state.status, state.suspended_on = "suspended", read_date(event.data)
    state.mixed_to = state.hand.number - 1  # the cards are put away


@action("resume")
def _resume(state: GameState, event: Logged) -> None:
    if state.status != "suspended":
        raise Refused("not-suspended")
    verdict = resume_verdict(state, event.data["players"], read_date(event.data))
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


@action("finish")
def _finish(state: GameState, event: Logged) -> None:
    """End the game before its last hand: nobody has a complete total, so it counts nowhere (R-78).

    Where the season's policy lets short nights count, ``least_hands`` says after how many hands.
    """
    if state.status not in {"playing", "suspended"} or state.ended_on is not None:
        raise Refused(f"game-{state.status}")
    state.ended_on = read_date(event.data)
    late = state.status == "suspended" and state.ended_on.year != state.started_on.year
    least = event.data.get("least_hands")
    closed = sum(hand.closed for hand in state.hands)
    enough = isinstance(least, int) and closed >= least and not late
    state.ended_early = "year" if late else "short" if enough else "early"
    state.suspended_on = None


def settle(state: GameState) -> None:
    """Work out the game's end, if it has come: totals, substitutes, void, places (R-83)."""
    if state.ended_on is None:
        state.result = None
        return
    closed = [hand for hand in state.hands if hand.closed]
    rules = state.rules
    if state.ended_early == "short":
        rules = replace(rules, hands=tuple(rules.hand(hand.number) for hand in closed), target=None)
    state.result = scores.score_game(
        rules,
        [[hand.entries[seat].provided for seat in state.seats] for hand in closed],
        players=len(state.players),
        left=state.away,
        hands_out=[sum(seat in hand.out for hand in closed) for seat in state.seats],
        adjustments=[
            *(scores.Adjustment(bonus.seat, bonus.points, bonus.what, bonus.hand) for bonus in state.bonuses),
            *(scores.Adjustment(one.seat, one.points, one.reason, one.hand) for one in state.standing_penalties),
        ],
        late=state.late,
    )
    counts = state.result.finished and not state.result.void and state.ended_early != "struck"
    state.status = "finished" if counts else "void"


def read_date(data: Mapping[str, Any]) -> date:
    return date.fromisoformat(data["on"])
