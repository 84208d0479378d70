"""Counting a hand, substituting a score that was not given, adding up a game, and placing the players.

The order of computation is always the same (R-83): hand substitutes, then totals of all hands, then which totals are
complete, then game substitutes or a void game, then places. Four things stay apart all the way: a score of 0, a hand not
entered, a score not given (:data:`None`), and a hand not played (:data:`ABSENT`).

The scorebook's way through this module::

    hand = score_hand([20, 45, 70, None])          # HandScore; hand.seats[3] is SeatScore(115, "substituted", from_seats=(2, 1))
    game = score_game(rules, [[20, 45], [0, 30]])  # GameResult: totals, places, winners, void, running
    left = count_cards(rules, ["7H", "JK"], missing=1).points

Seats are numbered from 0 in the order of play. Points are penalty points: with ``rules.lowest_wins`` the fewest win.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from continental.rules.catching_up import LateJoiner, catch_up
from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet

Absent: TypeAlias = Literal["absent"]
ABSENT: Final[Absent] = "absent"
"""Stands for the score of a player who did not play the hand: neither a score nor a missing one (R-67)."""

Entry: TypeAlias = int | Absent | None
"""What is known of one player's hand: points, ``None`` (played, but gave no score) or :data:`ABSENT`."""

How: TypeAlias = Literal["given", "substituted", "absent", "missing"]


# ---------------------------------------------------------------------------------------------------------------------
# One player's cards


@dataclass(frozen=True, slots=True)
class Part:
    """What one card, or the charge for missing cards, adds to a count.

    Attributes:
        card: the card counted; ``None`` for the charge.
        points: its points.
        missing: how many cards the charge is for; 0 for a card.
    """

    card: str | None
    points: int
    missing: int = 0


@dataclass(frozen=True, slots=True)
class CardCount:
    """The points of the cards left in one hand, and what each part gave, in the order of the cards."""

    points: int
    parts: tuple[Part, ...]


def count_cards(rules: RuleSet, cards: Iterable[str], missing: int = 0) -> CardCount:
    """Count the cards left in a hand (``house.score.count``), with the charge for each missing card (``house.hand.end-too-few``).

    Args:
        rules: the rule set whose card values hold.
        cards: cards in the two-letter form.
        missing: how many cards the hand was short; charged besides the cards held (R-62).

    Raises:
        BadQuestion: a card has no points under this rule set; ``at`` is ``rules.points``, or ``cards`` for a joker in a
            game without jokers.
    """
    parts = []
    for card in cards:
        points = rules.value(card)
        if points is None:
            if card == "JK" and not rules.has_jokers:
                raise BadQuestion("there are no jokers in this game", "cards")
            raise BadQuestion(
                f"the points of {card} are not in the source of “{rules.id}”: enter them before play", "rules.points"
            )
        parts.append(Part(card, points))
    if missing:
        parts.append(Part(None, missing * rules.missing_card, missing))
    return CardCount(sum(part.points for part in parts), tuple(parts))


# ---------------------------------------------------------------------------------------------------------------------
# One hand of all players


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One player's score of one hand.

    Attributes:
        points: penalty points; ``None`` where there is no score (absent, or missing in a hand that must be replayed).
        how: ``given``; ``substituted`` (the two highest of the others); ``absent``; ``missing`` (a replay is due).
        from_seats: the two seats whose scores a substitute adds up, the higher first.
    """

    points: int | None
    how: How
    from_seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HandScore:
    """The scores of one hand by seat, and whether the hand must be replayed for want of scores (``house.missing.replay``)."""

    seats: tuple[SeatScore, ...]
    replay: bool


def score_hand(entries: Sequence[Entry]) -> HandScore:
    """Give every player a score for one hand that was played to its end.

    A score that was not given becomes the sum of the two highest scores given by others (``house.missing.hand``). Only
    given scores feed it (R-64), a zero counts as a score (R-66), equal scores count twice (R-70), and several missing
    scores get the same sum (R-65). With fewer than two given scores the hand is replayed.

    Args:
        entries: points, ``None`` or :data:`ABSENT`, one a seat.
    """
    given = sorted(
        ((entry, seat) for seat, entry in enumerate(entries) if isinstance(entry, int)), key=lambda pair: (-pair[0], pair[1])
    )
    replay = len(given) < 2 and None in entries
    highest = tuple(seat for _, seat in given[:2])
    substitute = sum(points for points, _ in given[:2])
    seats: list[SeatScore] = []
    for entry in entries:
        if isinstance(entry, int):
            seats.append(SeatScore(entry, "given"))
        elif entry == ABSENT:
            seats.append(SeatScore(None, "absent"))
        elif replay:
            seats.append(SeatScore(None, "missing"))
        else:
            seats.append(SeatScore(substitute, "substituted", highest))
    return HandScore(tuple(seats), replay)


def points_of(scores: Iterable[SeatScore]) -> list[int]:
    """Give the points of those who have a score."""
    return [score.points for score in scores if score.points is not None]


# ---------------------------------------------------------------------------------------------------------------------
# A game


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points put on one player's total by a ruling, a bonus or a penalty, kept apart from the hands.

    It changes no hand score and so feeds no hand substitute; it is part of the total that a game substitute adds up.

    Attributes:
        seat: whose total.
        points: added to it; negative for a bonus.
        reason: what it is for, as the scorebook's own code or words.
        hand: the hand it belongs to, counted from 1; ``None`` for the game as a whole.
    """

    seat: int
    points: int
    reason: str = ""
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """One player's total of a finished game.

    Attributes:
        points: the total.
        how: ``complete``, or ``substituted``: the sum of the two highest complete totals (``house.nonfinish.total``).
        from_seats: the two seats whose totals a substitute adds up, the higher first.
    """

    points: int
    how: Literal["complete", "substituted"]
    from_seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameResult:
    """What the hands of a game come to.

    Attributes:
        hands: every hand with its substitutes.
        running: the sum of each player's hand scores and adjustments so far; ``None`` before any.
        finished: all hands of the game are played and none waits for a replay.
        void: the game counts nowhere (``house.nonfinish.void``): somebody did not finish, and fewer than two totals are
            complete. Known before the end when fewer than two players can still finish.
        totals: by seat; ``None`` for everyone until the game is finished, and for a non-finisher of a void game.
        places: by seat, ties sharing a place (1, 1, 3); ``None`` as a whole while nobody can be placed.
        winners: the seats in the first place.
        replays: numbers of the hands to be replayed, counted from 1.
        hands_out: hands each seat went out in: its given scores of 0, unless the caller knew better.
    """

    hands: tuple[HandScore, ...]
    running: tuple[int | None, ...]
    finished: bool
    void: bool
    totals: tuple[SeatTotal | None, ...]
    places: tuple[int, ...] | None
    winners: tuple[int, ...]
    replays: tuple[int, ...]
    hands_out: tuple[int, ...]


def score_game(
    rules: RuleSet,
    hands: Sequence[Sequence[Entry]],
    *,
    players: int | None = None,
    left: Collection[int] = (),
    hands_out: Sequence[int] | None = None,
    adjustments: Iterable[Adjustment] = (),
    late: Mapping[int, LateJoiner] = MappingProxyType({}),
) -> GameResult:
    """Add up a game: substitutes, totals, a void game, places.

    Args:
        rules: how many hands the game has (or its target), whether the lowest total wins, and what parts equal totals.
        hands: the entries of each hand that was played to its end, in order, one list a hand and one entry a seat.
        players: number of seats; needed only before the first hand.
        left: seats whose players left for good.
        hands_out: hands each seat went out in, for the tie-break; if not said, its scores of 0.
        adjustments: points beside the hands.
        late: seats that joined late on agreed terms: what they get for the hands missed is part of a complete total.

    Raises:
        BadQuestion: lists of different lengths, more hands than the game has, or a seat that does not exist.
    """
    seats = range(_seat_count(hands, players))
    for seat in left:
        if seat not in seats:
            raise BadQuestion(f"there is no seat {seat}", "left")
    scored = tuple(score_hand(hand) for hand in hands)
    extra = [0] * len(seats)
    for adjustment in adjustments:
        if adjustment.seat not in seats:
            raise BadQuestion(f"there is no seat {adjustment.seat}", "adjustments")
        extra[adjustment.seat] += adjustment.points
    for seat, joiner in late.items():
        extra[seat] += catch_up([points_of(hand.seats) for hand in scored], joiner, lowest_wins=rules.lowest_wins)
    running = tuple(_running(scored, seat, extra[seat]) for seat in seats)
    replays = tuple(number for number, hand in enumerate(scored, start=1) if hand.replay)
    finished = _finished(rules, scored, running) and not replays
    first = {seat: late[seat].first if seat in late else 1 for seat in seats}
    whole = [
        seat
        for seat in seats
        if all(hand.seats[seat].how != "absent" for hand in scored[first[seat] - 1 :]) and (finished or seat not in left)
    ]
    void = len(whole) < 2
    totals = _totals(running, whole, len(seats)) if finished else (None,) * len(seats)
    out = tuple(hands_out) if hands_out is not None else tuple(_zeros(scored, seat) for seat in seats)
    places = None
    if finished and not void:
        places = _places(rules, [total for total in totals if total is not None], out)
    winners = tuple(seat for seat in seats if places and places[seat] == 1)
    return GameResult(scored, running, finished, void, totals, places, winners, replays, out)


def hands_of_game(rules: RuleSet, hands: Sequence[Sequence[Entry]]) -> int | None:
    """Give the number of hands after which the game is over; ``None`` while play to a target has not reached it.

    For a game of a fixed number of hands that is this number, whatever has been played.
    """
    if rules.target is None:
        return len(rules.hands)
    sums = [0] * max(map(len, hands), default=0)
    for number, hand in enumerate(map(score_hand, hands), start=1):
        for seat, score in enumerate(hand.seats):
            sums[seat] += score.points or 0
        if max(sums) >= rules.target:
            return number
    return None


def _seat_count(hands: Sequence[Sequence[Entry]], players: int | None) -> int:
    count = len(hands[0]) if players is None and hands else players or 0
    for index, hand in enumerate(hands):
        if len(hand) != count:
            raise BadQuestion(f"{len(hand)} scores for {count} players", f"hands[{index}]")
    return count


def _running(hands: Sequence[HandScore], seat: int, extra: int) -> int | None:
    points = [score.points for hand in hands if (score := hand.seats[seat]).points is not None]
    return sum(points) + extra if points or extra else None


def _zeros(hands: Sequence[HandScore], seat: int) -> int:
    return sum(hand.seats[seat] == SeatScore(0, "given") for hand in hands)


def _finished(rules: RuleSet, hands: Sequence[HandScore], running: Sequence[int | None]) -> bool:
    if rules.target is not None:
        return any(points is not None and points >= rules.target for points in running)
    return bool(rules.hands) and len(hands) == len(rules.hands)


def _totals(running: Sequence[int | None], whole: Sequence[int], seats: int) -> tuple[SeatTotal | None, ...]:
    complete = {seat: running[seat] or 0 for seat in whole}
    highest = sorted(complete, key=lambda seat: (-complete[seat], seat))[:2]
    substitute = None
    if len(highest) == 2:
        substitute = SeatTotal(sum(complete[seat] for seat in highest), "substituted", tuple(highest))
    return tuple(SeatTotal(complete[seat], "complete") if seat in complete else substitute for seat in range(seats))


def _places(rules: RuleSet, totals: Sequence[SeatTotal], hands_out: Sequence[int]) -> tuple[int, ...]:
    """Place the players: the best complete total wins, a non-finisher never does (R-73), equals share (R-71)."""
    sign = 1 if rules.lowest_wins else -1
    by_hands_out = rules.tie_break == "hands-out"
    rank = [(sign * total.points, -out if by_hands_out else 0) for total, out in zip(totals, hands_out, strict=True)]
    best = min(key for key, total in zip(rank, totals, strict=True) if total.how == "complete")
    order = [(total.how != "complete" or key != best, key) for key, total in zip(rank, totals, strict=True)]
    return tuple(1 + sum(other < mine for other in order) for mine in order)
