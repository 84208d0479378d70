"""A scorebook of its own: games read from their raw events by the plainest code that does it.

Nothing of ``scoring`` or ``continental.rules`` has a part in it, so that what the pages say is worked out twice. It knows the
house's values of the cards, and the kinds of events that a scenario uses; any other one stops it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import groupby
from math import ceil
from typing import Any

VALUES = {**dict.fromkeys("234567", 5), **dict.fromkeys(["8", "9", "T", "J", "Q", "K"], 10), "A": 15, "JK": 15}


@dataclass
class PlainHand:
    """One hand: who was seen to go down, what each seat handed in, and what the sheet counts."""

    number: int
    dealer: int
    opened: set[int] = field(default_factory=set)
    kinds: dict[int, str] = field(default_factory=dict)
    points: dict[int, int | None] = field(default_factory=dict)
    jokers: dict[int, int] = field(default_factory=dict)
    closed: bool = False

    def posted(self, seat: int) -> int | None:
        """The points on the sheet: one's own, the two highest of the others, or none for who did not play."""
        if self.kinds[seat] != "none":
            return self.points[seat]
        return sum(sorted((points for points in self.points.values() if points is not None), reverse=True)[:2])


@dataclass
class PlainGame:
    """One game, told by its events. ``scales``: its season counts a short night as a full one."""

    pk: int
    season: int
    started_on: date
    sheet: Mapping[str, Any]
    scales: bool = False
    players: list[int] = field(default_factory=list)
    hands: list[PlainHand] = field(default_factory=list)
    away: set[int] = field(default_factory=set)
    roles: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    late: dict[int, tuple[int, str]] = field(default_factory=dict)
    suspended: bool = False
    short: bool = False
    struck: bool = False

    @property
    def closed(self) -> list[PlainHand]:
        return [hand for hand in self.hands if hand.closed]

    @property
    def over(self) -> bool:
        return self.short or len(self.closed) == len(self.sheet["hands"])

    @property
    def jokers(self) -> int:
        """One in each pack, and a pack for every two players."""
        return ceil(len(self.players) / 2)

    def complete(self, seat: int) -> bool:
        """Whether the player played every hand that counts; who left after the last of a short night did."""
        first = self.late[seat][0] if seat in self.late and self.late[seat][1] else 1
        return all(hand.kinds[seat] != "absent" for hand in self.closed if hand.number >= first)

    def own_total(self, seat: int) -> int:
        total = sum(hand.posted(seat) or 0 for hand in self.closed)
        if seat in self.late and self.late[seat][1]:
            first, how = self.late[seat]
            for hand in self.closed[: first - 1]:
                scores = [points for other in hand.kinds if (points := hand.posted(other)) is not None]
                total += max(scores) if how == "worst" else ceil(Fraction(sum(scores), len(scores)))
        return total

    @property
    def counts(self) -> bool:
        return self.over and not self.struck and sum(map(self.complete, range(len(self.players)))) >= 2

    @property
    def totals(self) -> list[int]:
        whole = sorted((self.own_total(seat) for seat in range(len(self.players)) if self.complete(seat)), reverse=True)
        return [self.own_total(seat) if self.complete(seat) else whole[0] + whole[1] for seat in range(len(self.players))]

    def as_counted(self, seat: int) -> Fraction:
        """A total as the season counts it: of all the hands, where so many points came from those played."""
        if self.short and self.scales:
            return Fraction(self.totals[seat], len(self.closed)) * len(self.sheet["hands"])
        return Fraction(self.totals[seat])

    @property
    def places(self) -> list[int]:
        best = min(total for seat, total in enumerate(self.totals) if self.complete(seat))
        order = [(not self.complete(seat) or total != best, total) for seat, total in enumerate(self.totals)]
        return [1 + sum(other < mine for other in order) for mine in order]

    def outs(self, seat: int) -> int:
        return sum(hand.kinds[seat] == "out" for hand in self.closed)


def read(game: PlainGame, events: Sequence[Mapping[str, Any]]) -> PlainGame:
    """Tell a game by its events; what was taken back did not happen."""
    undone: set[int] = set()
    for event in reversed(events):
        if event["kind"] == "undo" and event["rev"] not in undone:
            undone.add(event["replaces"])
    for event in events:
        if event["rev"] not in undone and event["kind"] != "undo":
            _take(game, event["kind"], event["data"])
    return game


def _take(game: PlainGame, kind: str, data: Mapping[str, Any]) -> None:
    match kind:
        case "start":
            game.players = list(data["players"])
            game.hands = [PlainHand(1, data["first_dealer"])]
        case "opened":
            game.hands[-1].opened.add(data["seat"])
        case "count":
            _count(game, game.hands[data["hand"] - 1], data)
        case "close":
            game.hands[-1].closed = True
            if len(game.hands) < len(game.sheet["hands"]):
                _deal(game)
        case "leave":
            game.away.add(data["seat"])
            game.hands[-1].kinds[data["seat"]] = "absent"
            game.hands[-1].points[data["seat"]] = None
            game.hands[-1].opened.discard(data["seat"])
        case "join":
            seat = len(game.players)
            game.players.append(data["player"])
            for hand in game.closed:
                hand.kinds[seat], hand.points[seat] = "absent", None
            game.late[seat] = (len(game.closed) + 1, data["catch_up"])
        case "role":
            game.roles[data["seat"]] = (data["role"], data.get("stands_for"))
        case "finish":
            in_time = not game.suspended or date.fromisoformat(data["on"]).year == game.started_on.year
            game.short = in_time and data.get("least_hands") is not None and len(game.closed) >= data["least_hands"]
        case "suspend" | "resume":
            game.suspended = kind == "suspend"
        case "strike":
            game.struck = True
        case _:
            raise AssertionError(f"the scenario has no {kind}")


def _deal(game: PlainGame) -> None:
    dealer = (game.hands[-1].dealer + 1) % len(game.players)
    while dealer in game.away:
        dealer = (dealer + 1) % len(game.players)
    hand = PlainHand(len(game.hands) + 1, dealer)
    for seat in game.away:
        hand.kinds[seat], hand.points[seat] = "absent", None
    game.hands.append(hand)


def _count(game: PlainGame, hand: PlainHand, data: Mapping[str, Any]) -> None:
    seat, kind = data["seat"], data["kind"]
    cards = data.get("cards", "").split()
    hand.kinds[seat] = kind
    hand.jokers.pop(seat, None)
    values = {**VALUES, **game.sheet.get("points", {})}
    match kind:
        case "out":
            hand.points[seat], hand.jokers[seat] = 0, 0
        case "cards":
            hand.points[seat], hand.jokers[seat] = sum(values[card] for card in cards), cards.count("JK")
        case "points":
            hand.points[seat] = int(data["points"])
        case _:
            hand.points[seat] = None


# ---------------------------------------------------------------------------------------------------------------------
# What the pages show, from games in the order in which they were played


@dataclass
class Played:
    """One player's seat in one counted game."""

    game: PlainGame
    seat: int

    @property
    def total(self) -> Fraction:
        return self.game.as_counted(self.seat)

    @property
    def place(self) -> int:
        return self.game.places[self.seat]

    def hands(self) -> Iterable[PlainHand]:
        return (hand for hand in self.game.closed if hand.kinds[self.seat] != "absent")


def of_player(games: Iterable[PlainGame], player: int) -> list[Played]:
    return [Played(game, game.players.index(player)) for game in games if game.counts and player in game.players]


def longest(wins: Iterable[bool]) -> int:
    """The longest run of what is true."""
    return max((len(list(run)) for true, run in groupby(wins) if true), default=0)


def comeback(played: Iterable[Played]) -> int:
    """The most that a winner was ever behind whoever led then."""
    worst = 0
    for one in played:
        if one.place != 1:
            continue
        for upto in range(1, len(one.game.closed)):
            hands = one.game.closed[:upto]
            sums = {
                seat: sum(hand.posted(seat) or 0 for hand in hands)
                for seat in range(len(one.game.players))
                if all(hand.posted(seat) is not None for hand in hands)
            }
            if one.seat in sums:
                worst = max(worst, sums[one.seat] - min(sums.values()))
    return worst


@dataclass
class Hands:
    """The hands of some seats, added up."""

    given: list[int] = field(default_factory=list)
    out: int = 0
    substituted: int = 0
    opened: int = 0
    opened_known: int = 0
    jokers: int = 0
    in_play: int = 0


def add_up(seats: Iterable[tuple[PlainGame, PlainHand, int]]) -> Hands:
    found = Hands()
    for game, hand, seat in seats:
        points = hand.points[seat]
        if points is not None:
            found.given.append(points)
        found.out += hand.kinds[seat] == "out"
        found.substituted += hand.kinds[seat] == "none"
        if hand.opened:
            found.opened_known += 1
            found.opened += seat in hand.opened or hand.kinds[seat] == "out"
        if seat in hand.jokers:
            found.jokers += hand.jokers[seat]
            found.in_play += game.jokers
    return found
