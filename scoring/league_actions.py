"""What a league lets happen at a table beside play: late joiners, guests and substitutes, pennies, games struck out."""

from continental.rules.catching_up import CATCH_UPS, LateJoiner
from continental.rules.scores import SeatScore
from scoring.actions import action, read_date, read_seat
from scoring.entries import read_number, read_text
from scoring.state import EntryState, GameState, Logged, Refused

ROLES = ("player", "guest", "substitute")


@action("join")
def _join(state: GameState, event: Logged) -> None:
    """Somebody sits down between the last seat and the first, and plays from the hand that is about to begin (R-74).

    ``catch_up`` is what the season's terms give for the hands missed, if anything (``continental.rules.catching_up``).
    """
    if state.status != "playing":
        raise Refused(f"game-{state.status}")
    player = read_number(event.data, "player", 1, 2**62)
    if player in state.players:
        raise Refused("player-twice")
    if not state.untouched:
        raise Refused("join-mid-hand", hand=state.hand.number)
    rules, count = state.rules, len(state.players) + 1
    if rules.players_max is not None and count > rules.players_max:
        raise Refused("players-count", count=count, least=rules.players_min, most=rules.players_max)
    if rules.payouts and len(rules.payouts) != count:
        raise Refused("payouts-count", count=count, wanted=len(rules.payouts))
    seat = len(state.players)
    state.players = (*state.players, player)
    for hand in state.hands:
        if hand.closed:
            hand.entries[seat] = EntryState("absent", rev=event.rev)
            hand.posted = (*hand.posted, SeatScore(None, "absent"))
            state.joined[seat] = hand.number + 1
    how = event.data.get("catch_up")
    if seat in state.joined and how in CATCH_UPS:
        state.late[seat] = LateJoiner(state.joined[seat], how)


@action("role")
def _role(state: GameState, event: Logged) -> None:
    """Say in what part a player sits here: for the league, as a guest, or for somebody who is not there. Of this game alone."""
    seat = read_seat(state, event.data)
    role = read_text(event.data, "role")
    if role not in ROLES:
        raise Refused("role-unknown", typed=role[:40])
    stands_for = None
    if role == "substitute":
        stands_for = read_number(event.data, "stands_for", 1, 2**62)
        if stands_for in state.players:
            raise Refused("substitute-for-present")
        if any(other == ("substitute", stands_for) for at, other in state.roles.items() if at != seat):
            raise Refused("substitute-twice")
    state.roles[seat] = (role, stands_for)


@action("buy")
def _buy(state: GameState, event: Logged) -> None:
    """A player buys the discard for pennies (``fifteen.buy.*``)."""
    _take_discard(state, event, "no-money" if not state.rules.buy_cost else "", "buys-used-up")


@action("claim")
def _claim(state: GameState, event: Logged) -> None:
    """A player takes the discard out of turn where a hand limits how often (``shanghai.claim.twice``)."""
    _take_discard(state, event, "" if state.counts_claims else "claims-not-counted", "claims-used-up")


def _take_discard(state: GameState, event: Logged, refused: str, used_up: str) -> None:
    seat = read_seat(state, event.data)
    number = read_number(event.data, "hand", 1, 1000)
    if state.status != "playing":
        raise Refused(f"game-{state.status}")
    hand = state.hand
    if number != hand.number or hand.closed:
        raise Refused("hand-over", hand=number, current=hand.number)
    if refused:
        raise Refused(refused)
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    done = len(hand.buys)
    if "nth" in event.data and read_number(event.data, "nth", 0, 1000) != done + 1:
        raise Refused("stale")
    most = state.hand_rule.claims
    if most is not None and hand.buys.count(seat) >= most:
        raise Refused(used_up, hand=hand.number, seat=seat, most=most)
    hand.buys.append(seat)


@action("strike")
def _strike(state: GameState, event: Logged) -> None:
    """Strike a game from the books: it stays to be read, and counts nowhere."""
    if not event.reason.strip():
        raise Refused("strike-reason")
    if state.ended_early == "struck":
        raise Refused("game-void")
    state.ended_early = "struck"
    state.suspended_on = None
    if state.ended_on is None:
        state.ended_on = read_date(event.data)
