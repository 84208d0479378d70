"""What a method and policies would make of games that were played."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.db.models import QuerySet

from continental.rules.standing_methods import Line, Result, Terms, order, score
from continental.rules.standings import Sums, as_counted
from players import merging
from players.models import Player
from scoring import ledger, record_league
from scoring.models import Event, Game, Hand, Season, Seat
from scoring.policies import Policies
from scoring.season import Standings
from scoring.state import Logged


@dataclass(frozen=True)
class Tried:
    """The games of a season as other policies would have counted them, read once for any number of methods.

    Attributes:
        results: by player, the oldest game first.
        games: how many count.
    """

    people: dict[int, Player]
    results: dict[int, list[Result]]
    games: int
    lowest_wins: bool
    policies: Policies

    def by(self, terms: Terms) -> Standings:
        """Give the table that a method would have made."""
        lines = [self._line(player, own, terms) for player, own in self.results.items()]
        table = order(terms, lines, self.games, lowest_wins=self.lowest_wins)
        return Standings(table, terms, self.games, self.lowest_wins, self.policies)

    def _line(self, player: int, results: Sequence[Result], terms: Terms) -> Line[Player]:
        value = score(terms, results, lowest_wins=self.lowest_wins)
        return Line(self.people[player], self.people[player].name, Sums.of(results), value.value, len(value.counted))


def of(season: Season, policies: Policies) -> Tried:
    """Read the games of a season under policies of one's choice: four queries, and two more where games ended early."""
    played = list(_played(season, policies))
    results: dict[int, list[Result]] = {}
    for *_when, credited, result in sorted(played, key=lambda one: one[:3]):
        if credited is not None:
            results.setdefault(credited, []).append(result)
    games = len({game for _day, game, *_rest in played})
    return Tried(Player.objects.in_bulk(results), results, games, season.lowest_wins is not False, policies)


_Played = tuple[object, int, int, int | None, Result]
"""Day, game and seat, in the order in which games are counted; then whose line it is, and the result."""


def _played(season: Season, policies: Policies) -> Iterator[_Played]:
    """Give every result; games that ended early are played back from their logs, since the policies decide what they are."""
    early = set(Hand.objects.filter(game__in=_over(season), closed=False).values_list("game", flat=True))
    rows = Seat.objects.filter(season=season, total__isnull=False).order_by().values_list(*_WHEN, *_WHOSE, *_RESULT)
    for day, game, number, player, role, stands_for, *result in rows:
        if game not in early:
            yield day, game, number, policies.credited(player, role, stands_for), Result(*result)
    if early:
        yield from _played_back(_over(season).filter(pk__in=early).select_related("sheet"), policies)


_WHEN: Final = ("game__started_on", "game", "number")
_WHOSE: Final = ("player", "role", "stands_for")
_RESULT: Final = ("total", "place", "table_size", "sharing", "hands_out")


def _over(season: Season) -> QuerySet[Game]:
    return season.games.filter(status__in=[Game.Status.FINISHED, Game.Status.VOID])


def _played_back(games: Iterable[Game], policies: Policies) -> Iterator[_Played]:
    by_key = {game.pk: game for game in games}
    rows = Event.objects.filter(game__in=by_key).order_by("game", "rev")
    fields = ("game", "rev", "kind", "data", "reason", "replaces")
    for key, events in groupby(rows.values_list(*fields), key=lambda row: row[0]):
        game = by_key[key]
        log = [_by_policy(Logged(*event[1:]), policies) for event in events]
        state = ledger.fold(game.sheet.rules, log)
        if state.status != "finished" or state.result is None or state.result.places is None:
            continue
        one_for, places = merging.stands_for(game.league_id), state.result.places
        scaled = record_league.scaling(state, policies)
        for seat, (player, total) in enumerate(zip(state.players, state.result.totals, strict=True)):
            assert total is not None
            credited = policies.credited(player, *state.roles.get(seat, ("player", None)))
            result = Result(
                as_counted(total.points, *scaled),
                places[seat],
                len(places),
                places.count(places[seat]),
                state.result.hands_out[seat],
            )
            yield game.started_on, key, seat, None if credited is None else one_for.get(credited, credited), result


def _by_policy(event: Logged, policies: Policies) -> Logged:
    """Give the end of a game as it would have been recorded under these policies."""
    if event.kind != "finish":
        return event
    said = {name: value for name, value in event.data.items() if name != "least_hands"}
    return event._replace(data=said | ({} if policies.least_hands is None else {"least_hands": policies.least_hands}))
