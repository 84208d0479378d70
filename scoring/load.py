"""Reading for the pages: each function runs a bounded number of queries, whatever the number of games."""

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple

from django.db.models import QuerySet

from continental.rules import deals
from continental.rules.rulesets import HandRule, RuleSet
from players import nicknames
from players.models import League, Player
from players.permissions import Sitting
from scoring import acceptance, entries, ledger, messages
from scoring.models import Event, Game, Season, Seat
from scoring.record import EXPIRED, read_log
from scoring.state import Amendment, EntryState, GameState, HandState, Logged


@dataclass(frozen=True)
class Viewer:
    """Who looks at a table: their own seat, if any, and whether they keep the score. By default somebody in the street."""

    seat: int | None = None
    scores: bool = False


@dataclass
class Table:
    """A game as its pages show it: the log folded, the players by seat, and who looks."""

    game: Game
    players: list[Player]
    log: list[Logged]
    state: GameState
    viewer: Viewer = Viewer()

    @property
    def rules(self) -> RuleSet:
        return self.state.rules

    @cached_property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @cached_property
    def sitting(self) -> Sitting:
        """What permissions need to know of the table."""
        accounts = {player.user_id: seat for seat, player in enumerate(self.players) if player.user_id is not None}
        return Sitting(self.game.league, self.game.pk, accounts, acceptance.accepting_seats(self.state))

    def shows(self, hand: int, seat: int) -> tuple[bool, bool]:
        """Tell whether the viewer may see the points of an entry, and whether its cards (``scoring.acceptance``)."""
        return acceptance.content_shown(self.state, hand, seat, viewer=self.viewer.seat, scores=self.viewer.scores)

    @property
    def hand(self) -> HandState:
        return self.state.hand

    @property
    def hand_rule(self) -> HandRule:
        return self.state.hand_rule

    @cached_property
    def deal(self) -> deals.Deal:
        """What is dealt in the current hand."""
        return deals.deal(self.rules, self.hand.number, len(self.players), self.state.first_dealer)

    @property
    def over(self) -> bool:
        return self.state.status in {"finished", "void"}

    @property
    def hands_in_game(self) -> int | None:
        """How many hands the game has; ``None`` where it goes on to a target."""
        return None if self.rules.target is not None else len(self.rules.hands)

    def hand_of(self, number: int) -> HandState | None:
        return next((hand for hand in self.state.hands if hand.number == number), None)

    def contract_of(self, number: int) -> str:
        return messages.contract_words(self.rules.hand(number).contract)

    @cached_property
    def leaders(self) -> list[int]:
        """Seats with the best running total among those that have missed no hand, once a hand is closed."""
        if not self.hand.closed and len(self.state.hands) < 2:
            return []
        whole = [seat for seat in self.state.seats if not self.state.missed(seat)]
        if not whole:
            return []
        best = (min if self.rules.lowest_wins else max)(self.state.running(seat) for seat in whole)
        return [seat for seat in whole if self.state.running(seat) == best]

    @cached_property
    def undo(self) -> tuple[int, str] | None:
        """The revision that “undo” takes back and what that was."""
        event = ledger.undoable(self.log)
        return (event.rev, self.words(event)) if event else None

    @cached_property
    def redo(self) -> tuple[int, str] | None:
        """The undo that can be taken back and what it would bring again."""
        event = ledger.redoable(self.log)
        if event is None:
            return None
        target = next(other for other in self.log if other.rev == event.replaces)
        return event.rev, self.words(target)

    def words(self, event: Logged) -> str:
        """Say what an event did."""
        target = next((other for other in self.log if other.rev == event.replaces), None)
        return messages.event_words(event, self.names, self._entered(event), self.words(target) if target else "")

    def _entered(self, event: Logged) -> EntryState | None:
        """Give what a count event entered, unless the viewer must not know it yet."""
        if event.kind not in {"count", "clash", "decide", "propose"} or event.data.get("stands"):
            return None
        hand = self.hand_of(int(event.data["hand"]))
        open_still = hand is None or not hand.closed
        entry = entries.read_entry(self.rules, event.data)
        if open_still and entry.kind != "out" and ("by_seat" in event.data or not self.viewer.scores):
            return None
        return entry


def game(pk: int) -> Game | None:
    """Find a game with its league, sheet and season: one query."""
    return Game.objects.select_related("league", "sheet", "season").defer("season__snapshot").filter(pk=pk).first()


def table(found: Game) -> Table:
    """Read a table: two queries."""
    players = list(Player.objects.filter(seats__game=found).order_by("seats__number"))
    log = read_log(found)
    return Table(found, players, log, ledger.fold(found.sheet.rules, log))


@dataclass
class Change:
    """One line of a game's history."""

    event: Event
    words: str
    taken_back: bool = False


def history(shown: Table) -> list[Change]:
    """Read what happened, newest first: one query."""
    counting = {event.rev for event in ledger.active(shown.log)}
    rows = Event.objects.filter(game=shown.game).select_related("user").order_by("-rev")
    logged = {event.rev: event for event in shown.log}
    return [
        Change(row, shown.words(logged[row.rev]), taken_back=row.kind != "undo" and row.rev not in counting)
        for row in rows
        if row.rev in logged
    ]


@dataclass
class Corrected:
    """A score that was changed after its hand was closed, with who did it and when."""

    amendment: Amendment
    name: str
    old: str
    new: str
    event: Event
    season_closed: bool


def amendments(shown: Table) -> list[Corrected]:
    """Read what was corrected after its hand was closed, oldest first: one query, and none where nothing was."""
    changed = shown.state.amendments
    if not changed:
        return []
    rows = Event.objects.filter(game=shown.game, rev__in=[item.rev for item in changed]).select_related("user")
    events = {row.rev: row for row in rows}
    closed_at = shown.game.season.closed_at
    return [
        Corrected(
            amendment=item,
            name=shown.names[item.seat],
            old=messages.entry_words(item.old),
            new=messages.entry_words(item.new),
            event=event,
            season_closed=closed_at is not None and event.at > closed_at,
        )
        for item in changed
        if (event := events.get(item.rev)) is not None
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Lists of games


def lapsed_games(league: League, today: date) -> list["GameLine"]:
    """Games that the turn of this year made void: those that say so already, and those that only the date does."""
    games = league.games.order_by()
    said = games.filter(status=Game.Status.VOID, ended_on__year=today.year, events__client_id=EXPIRED)
    due = games.filter(status=Game.Status.SUSPENDED, started_on__lt=today.replace(month=1, day=1))
    # Each by an index of its own: asked for either at once, the database walks all games of the league.
    keys = list(said.values_list("pk", flat=True).union(due.values_list("pk", flat=True)))
    return _with_seats(Game.objects.filter(pk__in=keys)) if keys else []


class SeatLine(NamedTuple):
    """A seat of a game in a list: who sat there, and what they came to."""

    name: str
    number: int
    place: int | None
    running: int
    total: int | None


@dataclass
class GameLine:
    """A game in a list, with its seats in order."""

    game: Game
    seats: list[SeatLine] = field(default_factory=list)

    @property
    def by_place(self) -> list[SeatLine]:
        return sorted(self.seats, key=lambda seat: (seat.place or 99, seat.number))


def _with_seats(games: QuerySet[Game]) -> list[GameLine]:
    lines = {found.pk: GameLine(found) for found in games}
    if lines:
        seats = Seat.objects.filter(game__in=list(lines)).order_by("number")
        for game, name, nickname, *rest in seats.values_list("game", "player__name", "player__nickname", *SeatLine._fields[1:]):
            lines[game].seats.append(SeatLine(nicknames.as_read(name, nickname), *rest))
    return list(lines.values())


def running_games(league: League) -> list[GameLine]:
    """Games being played or suspended, newest first."""
    return _with_seats(league.games.filter(status__in=[Game.Status.PLAYING, Game.Status.SUSPENDED]))


def ended_games(league: League, season: Season | None = None, most: int = 20) -> list[GameLine]:
    """The newest finished and void games."""
    # Told by what they are not, so that the database walks the newest games and does not collect all that ended.
    games = league.games.exclude(status__in=[Game.Status.PLAYING, Game.Status.SUSPENDED])
    return _with_seats((games if season is None else games.filter(season=season))[:most])


def games_of(player: Player, season: Season | None = None, most: int = 200, first: int = 0) -> list[Seat]:
    """A player's seats with their games, newest first, void ones included: what a list of them shows."""
    seats = Seat.objects.filter(player=player) if season is None else Seat.objects.filter(player=player, season=season)
    shown = seats.only("total", "running", "place", "table_size", "how", "game__started_on", "game__status")
    return list(shown.select_related("game").order_by("-game__started_on", "-game_id")[first : first + most])
