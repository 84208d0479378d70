"""What a counted game says of its seats beside their totals, kept on them: a player's page then reads no hand of any game."""

from typing import Any

from scoring.state import GameState


def of_seat(state: GameState, seat: int) -> dict[str, Any]:
    """Give the fields of a seat that are worked out from the hands: nothing, as long as the game does not count."""
    if state.status != "finished" or state.result is None or state.result.places is None:
        return {"by_dealer": [], "behind": 0, "behind_after": 0}
    behind, after = _comeback(state, seat) if state.result.places[seat] == 1 else (0, 0)
    return {"by_dealer": _by_dealer(state, seat), "behind": behind, "behind_after": after}


def _by_dealer(state: GameState, seat: int) -> list[list[int]]:
    """Give, for each number of seats after the dealer, the points of those hands and how many had a score."""
    size = len(state.players)
    sums = [[0, 0] for _distance in range(size)]
    for hand in state.hands:
        entry = hand.entries.get(seat)
        if hand.closed and entry is not None and entry.points is not None:
            group = sums[(seat - hand.dealer) % size]
            group[0] += entry.points
            group[1] += 1
    return sums


def _comeback(state: GameState, seat: int) -> tuple[int, int]:
    """Give by how much a seat was behind whoever led at its worst moment, and after which hand; zeros, if it never was."""
    sign = 1 if state.rules.lowest_wins else -1
    closed = [hand for hand in state.hands if hand.closed]
    sums = dict.fromkeys(closed[0].entries, 0)
    worst = (0, 0)
    for hand in closed[:-1]:
        # Whoever has no score in a hand is not compared from there on: nothing is not 0.
        posted = {other: hand.posted[other].points for other in sums.keys() & hand.entries.keys()}
        sums = {other: sums[other] + sign * points for other, points in posted.items() if points is not None}
        if seat not in sums:
            break
        worst = max(worst, (sums[seat] - min(sums.values()), hand.number), key=lambda moment: moment[0])
    return worst
