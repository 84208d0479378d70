"""The state of a table, as the fold over its events builds it up: players, hands, entries, and where the game stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from continental.rules import scores
from continental.rules.catching_up import LateJoiner, catch_up
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


ENTERED: Final = "entered"
ACCEPTED: Final = "accepted"
DISPUTED: Final = "disputed"
RULED: Final = "ruled"
FINAL: Final = "final"


@dataclass(frozen=True, slots=True)
class EntryState:
    """What one seat handed in. ``points`` is ``None`` exactly where no score was given or no hand was played.

    ``state`` is ``entered`` until the neighbour has accepted, which nobody needs to where whoever keeps the score made the
    entry; ``by_seat`` is the seat whose own phone made it, ``objection`` what stands against it, and ``rival`` another count that
    a second phone sent for the same seat: both are shown until the table decides.
    """

    kind: str
    points: int | None = None
    cards: str = ""
    parts: str = ""
    missing: int = 0
    rev: int = 0
    amended: bool = False
    state: str = ACCEPTED
    by_seat: int | None = None
    objection: str = ""
    rival: "EntryState | None" = None

    @property
    def provided(self) -> scores.Entry:
        """The entry as the rules read it: points, nothing given, or not played."""
        return scores.ABSENT if self.kind == "absent" else self.points

    @property
    def value(self) -> tuple[str, int | None, str, str, int]:
        """What was handed in, whoever wrote it and whenever."""
        return self.kind, self.points, self.cards, self.parts, self.missing


@dataclass(frozen=True, slots=True)
class Task:
    """Something that a ruling leaves to be done at the table, shown there until it is: turns of correction, a joker to play."""

    rev: int
    what: str
    seat: int | None
    left: int = 1


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that the table put on one total by a ruling of its own; never part of a hand's score."""

    rev: int
    seat: int
    points: int
    reason: str
    hand: int | None = None
    attempt: int = 0


BONUSES: Final = ("out_in_one_turn", "exact_cut")
"""Parameters of a sheet that give points for what happens at the table, beside the cards left in hand."""


class Bonus(NamedTuple):
    """Points that a player earned in a hand beside the count, by a parameter of the sheet."""

    hand: int
    seat: int
    what: str
    points: int


@dataclass(frozen=True, slots=True)
class RulingState:
    """A ruling as it was given.

    Attributes:
        path: the row of the decision table that the facts lead to; empty where they lead to none.
        own: the table decided otherwise than the rule book, or without it; ``words`` is then its decision.
        effects: the events that did what it asks for.
    """

    rev: int
    kind: str
    path: str
    facts: Mapping[str, Any]
    hand: int | None
    seats: tuple[int, ...]
    own: bool
    words: str
    reason: str
    evidence: int | None
    effects: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Amendment:
    """A score that was changed after its hand was closed: what it was, what it is, and why."""

    rev: int
    hand: int
    seat: int
    old: "EntryState"
    new: "EntryState"
    reason: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class PhotoState:
    """A photo that belongs to the game: of which hand, of whose cards, and of what (``scoring.evidence.ABOUT``)."""

    rev: int
    name: str
    hand: int
    seat: int | None
    about: str
    by_seat: int | None = None


@dataclass(frozen=True, slots=True)
class EvidenceState:
    """Cards as they were read, each meld with its spot on the photo, and the verdict they got.

    ``attempt`` is the deal of the hand at which they were read; ``lying`` holds the cards that lie so on the table when the hand
    ends, where the reader said that they do: the deck audit counts them with those left in hands.
    """

    rev: int
    hand: int
    attempt: int
    seat: int | None
    photo: str
    melds: tuple[Mapping[str, Any], ...]
    query: str
    verdict: str
    reasons: tuple[str, ...]
    lying: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction that waits until every player of the game has agreed."""

    rev: int
    hand: int
    seat: int
    entry: "EntryState"
    reason: str
    agreed: frozenset[int] = frozenset()


@dataclass(slots=True)
class HandState:
    """One deal: who deals, who is down, what is counted.

    ``disputed`` holds the seats whose count was ever disputed, however that ended; ``short`` the cards that a ruling found
    missing in a hand; ``tasks`` what rulings leave to be done; ``bonuses`` who earned which bonus of the sheet.
    """

    number: int
    dealer: int
    attempt: int = 1
    stock_turned: int = 0
    opened: list[int] = field(default_factory=list)
    turns: int = 0
    entries: dict[int, EntryState] = field(default_factory=dict)
    closed: bool = False
    posted: tuple[scores.SeatScore, ...] = ()
    buys: list[int] = field(default_factory=list)
    disputed: set[int] = field(default_factory=set)
    short: dict[int, int] = field(default_factory=dict)
    tasks: list[Task] = field(default_factory=list)
    bonuses: dict[str, int] = field(default_factory=dict)

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
    """A table as its log tells it.

    ``newest`` is the last event of the log being folded: what fits no more is void, unless it is only now being done.
    ``joined`` has the first hand of each seat that was taken after the first; ``late`` the terms, where some were agreed on.
    ``voided`` says of events that count no more why. Hands up to ``mixed_to`` were put away when the game was suspended.
    """

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
    roles: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    joined: dict[int, int] = field(default_factory=dict)
    late: dict[int, LateJoiner] = field(default_factory=dict)
    result: scores.GameResult | None = None
    rev: int = 0
    newest: int = 0
    mixed_to: int = 0
    rulings: dict[int, RulingState] = field(default_factory=dict)
    penalties: list[Penalty] = field(default_factory=list)
    proposals: dict[int, Proposal] = field(default_factory=dict)
    voided: dict[int, str] = field(default_factory=dict)
    amendments: list[Amendment] = field(default_factory=list)
    photos: dict[str, PhotoState] = field(default_factory=dict)
    evidence: dict[int, EvidenceState] = field(default_factory=dict)

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
    def counts_claims(self) -> bool:
        """Whether claims of the current hand are counted: they cost nothing, but the hand limits them."""
        return bool(self.hand_rule.claims) and not self.rules.buy_cost

    @property
    def untouched(self) -> bool:
        """Whether the table stands between hands: nothing has happened in the current one."""
        hand = self.hand
        entered = [entry for entry in hand.entries.values() if entry.kind != "absent"]
        return not (hand.opened or hand.stock_turned or hand.turns or entered or hand.closed)

    def running(self, seat: int) -> int:
        """Points of the closed hands and their bonuses, those for hands missed by agreement, and the table's own penalties."""
        hands = sum(hand.posted[seat].points or 0 for hand in self.hands if hand.closed)
        hands += sum(bonus.points for bonus in self.bonuses if bonus.seat == seat)
        return hands + self.caught_up(seat) + sum(penalty.points for penalty in self.standing_penalties if penalty.seat == seat)

    @property
    def bonuses(self) -> list[Bonus]:
        """Bonuses of the closed hands. Who turns out not to have gone out has gone down and out in no turn at all."""
        return [
            Bonus(hand.number, seat, what, getattr(self.rules, what))
            for hand in self.hands
            if hand.closed
            for what, seat in sorted(hand.bonuses.items())
            if what != "out_in_one_turn" or seat in hand.out
        ]

    def caught_up(self, seat: int) -> int:
        """Points that a late joiner gets for the hands missed, where the season's terms say so; 0 for everybody else."""
        if seat not in self.late:
            return 0
        played = [scores.points_of(hand.posted) for hand in self.hands if hand.closed]
        return catch_up(played, self.late[seat], lowest_wins=self.rules.lowest_wins)

    def missed(self, seat: int) -> bool:
        """Whether the player did not play some hand to its end, other than those that the season's terms make up for."""
        first = self.joined.get(seat, 1) if seat in self.late else 1
        return seat in self.away or any(
            hand.entries[seat].kind == "absent" for hand in self.hands if hand.closed and hand.number >= first
        )

    @property
    def standing_penalties(self) -> list[Penalty]:
        """Penalties that count: of the game as a whole, and of hands that were not dealt again since."""
        deals = {(hand.number, hand.attempt) for hand in self.hands}
        return [penalty for penalty in self.penalties if penalty.hand is None or (penalty.hand, penalty.attempt) in deals]

    def hand_numbered(self, number: int) -> HandState | None:
        """Give the hand of a number, once it was dealt."""
        return next((hand for hand in self.hands if hand.number == number), None)

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
        order = self.order_after_last_down()
        total = 2 * len(order)
        return Countdown(max(0, total - hand.turns), total, order[hand.turns % len(order)], order[-1])

    def order_after_last_down(self) -> list[int]:
        """Give the present seats in order of play, from the one after the last to go down, who may have left since."""
        last, count = self.hand.opened[-1], len(self.players)
        return [seat for step in range(1, count + 1) if (seat := (last + step) % count) not in self.away]

    @property
    def ended_by(self) -> str:
        """Why the current hand is over and waits for the count: ``out``, ``stock``, ``twice-around``, or empty."""
        if self.hand.out:
            return "out"
        if self.hand.stock_turned > self.rules.stock_turnovers:
            return "stock"
        countdown = self.countdown
        return "twice-around" if countdown and not countdown.left else ""
