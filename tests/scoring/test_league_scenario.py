"""A league of twelve people, three seasons and four versions of the house rules: set up, played, corrected, closed, compared.

Every number of its pages is worked out a second time from the raw events, by the plainest code that does it.
"""

from collections import defaultdict
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.urls import reverse
from django.utils.html import escape

from continental.rules.standing_methods import Terms
from players import people
from players.models import Player
from scoring import figures, ledger, ratings, record, record_league, season, tallies
from scoring.models import Event, Game, RuleSheet, Season, Signature
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from scoring.state import GameState, Refused
from scoring.templatetags.scores import mean
from scoring.views.sheets import unlike
from tests.cast import Cast
from tests.scoring.recount import assert_recounted, folded
from tests.scoring.tables import act

pytestmark = pytest.mark.django_db

NAMES = ["Ana", "Ben", "Cai", "Dot", "Eva", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Leo"]
TWO_HANDS = [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}]
VERSIONS: list[dict[str, Any]] = [
    {"hands": TWO_HANDS},
    {"hands": TWO_HANDS, "points": {"JK": 50}},
    {"hands": TWO_HANDS, "points": {"JK": 50}, "swap_set": True},
    {"hands": [*TWO_HANDS, {"contract": "2R", "deal": 9}], "points": {"JK": 50}, "swap_set": True},
]
SEASONS = [
    ("Spring", date(2024, 1, 1), date(2024, 6, 30), Terms("mean-total", 2, 5, 3), Policies()),
    ("Autumn", date(2024, 7, 1), date(2024, 12, 31), Terms("place-points", 2, 0, 0), Policies(guests="unranked")),
    ("Long", date(2025, 1, 1), date(2025, 12, 31), Terms("best-n", best=3), Policies(substitutes="absent")),
]


class Evenings:
    """Plays the league through, with everything that happens to real ones."""

    def __init__(self, cast: Cast, seed: int) -> None:
        self.league, self.random, self.cast = cast.league, Random(seed), cast
        self.players = [people.add_player(cast.league, name) for name in NAMES]
        self.sheets = [record.add_sheet(cast.league, "Ours", "house", overrides, By()) for overrides in VERSIONS]
        for sheet in self.sheets:
            for player in self.random.sample(self.players, 7):
                record.sign_sheet(sheet, player, By())
        for plan in SEASONS:
            record_league.add_season(cast.league, SeasonPlan(*plan))
        self.number = 0

    def play(self, day: date, sheet: RuleSheet) -> Game:
        self.number += 1
        seated = self.random.sample(self.players, self.random.randint(3, 6))
        dealer = self.random.randrange(len(seated))
        game = record.start_game(self.league, sheet, seated, dealer, By(), client_id=f"evening-{self.number}", on=day)
        if self.number % 5 == 0:
            act(game, "role", seat=0, role="guest")
        if self.number % 7 == 0:
            absent = next(player for player in self.players if player not in seated)
            act(game, "role", seat=1, role="substitute", stands_for=absent.pk)
        for number in range(1, len(sheet.rules.hands) + 1):
            self._hand(game, number)
        return game

    def _hand(self, game: Game, number: int) -> None:
        seats = game.seats.count()
        out = self.random.randrange(seats)
        for seat in range(seats):
            if self.random.random() < 0.6:
                act(game, "opened", hand=number, seat=seat)
        for seat in range(seats):
            if seat == out:
                act(game, "count", hand=number, seat=seat, kind="out")
            elif self.random.random() < 0.5:
                cards = " ".join(self.random.choices(["JK", "A", "K", "9", "4", "2"], k=self.random.randint(1, 5)))
                act(game, "count", hand=number, seat=seat, kind="cards", cards=cards)
            elif self.random.random() < 0.1 and seats > 3:
                act(game, "count", hand=number, seat=seat, kind="none")
            else:
                act(game, "count", hand=number, seat=seat, kind="points", points=str(self.random.randint(1, 99)))
        try:
            act(game, "close", hand=number)
        except Refused:
            for seat in range(seats):
                act(game, "count", hand=number, seat=seat, kind="points", points=str(5 + seat))
            act(game, "close", hand=number)


@pytest.fixture
def evenings(cast: Cast) -> Evenings:
    played = Evenings(cast, 20_240_101)
    games = []
    for at, (_name, starts, _ends, _terms, _policies) in enumerate(SEASONS):
        for evening in range(5):
            sheet = played.sheets[min(3, at + evening // 3)]
            games.append(played.play(starts + timedelta(days=7 * evening), sheet))
    for game in games[2::5]:
        act(game, "count", hand=1, seat=1, kind="points", points="7", reason="a card was counted twice")
    act(games[4], "strike", reason="played with a pack that lacked the nines")
    act(games[9], "strike", reason="struck by mistake")
    act(games[9], "undo", target=Game.objects.get(pk=games[9].pk).rev)
    ratings.switch(cast.league, on=True)
    return played


def plain_lines(states: list[tuple[Game, GameState]], standing: Season) -> dict[int, dict[str, Any]]:
    """Every player's games of a season as the season credits them: total, place, seats, sharing, hands out."""
    lines: dict[int, list[tuple[int, int, int, int, int]]] = defaultdict(list)
    policies = Policies.read(standing.policies)
    for game, state in states:
        if game.season_id != standing.pk:
            continue
        assert state.result is not None
        totals = [total.points for total in state.result.totals if total]
        complete = [total.how == "complete" for total in state.result.totals if total]
        assert all(complete)
        for seat, total in enumerate(totals):
            role, stands_for = state.roles.get(seat, ("player", None))
            whose = policies.credited(state.players[seat], role, stands_for)
            out = sum(hand.entries[seat].kind == "out" for hand in state.hands if hand.closed)
            place = 1 + sum(other < total for other in totals)
            if whose is not None:
                lines[whose].append((total, place, len(totals), totals.count(total), out))
    return {player: {"games": games} for player, games in lines.items()}


def plain_value(terms: Terms, games: list[tuple[int, int, int, int, int]]) -> Fraction:
    """A player's value, worked out as somebody with a pencil would."""
    totals = sorted(total for total, *_rest in games)
    match terms.method:
        case "mean-total":
            kept = totals[: len(totals) - len(totals) // terms.drop_every] if terms.drop_every else totals
            return Fraction(sum(kept), len(kept))
        case "best-n":
            return Fraction(sum(totals[: terms.best]))
        case "place-points":
            points = [
                sum((Fraction(100 * (seats - at), seats - 1) for at in range(place, place + sharing)), Fraction(0)) / sharing
                for _total, place, seats, sharing, _out in games
            ]
            return sum(points, Fraction(0)) / len(points)
    raise AssertionError(terms.method)


def test_every_table_is_what_the_raw_events_give(evenings: Evenings) -> None:
    states = folded(evenings.league)
    assert_recounted(evenings.league)
    for standing in evenings.league.seasons.all():
        terms = Terms.read(standing.terms)
        plain = plain_lines(states, standing)
        table = season.standings(standing)
        games = sum(game.season_id == standing.pk for game, _state in states)
        assert {line.player.pk for line in table.lines} == set(plain)
        values = {player: plain_value(terms, line["games"]) for player, line in plain.items()}
        needed = terms.best if terms.method == "best-n" else terms.qualifying + (games // terms.rising if terms.rising else 0)
        for line in table.lines:
            played = plain[line.player.pk]["games"]
            assert line.value == values[line.player.pk]
            assert line.games == len(played)
            assert line.wins == sum(place == 1 for _total, place, *_rest in played)
            assert line.best == min(total for total, *_rest in played)
            assert line.hands_out == sum(out for *_rest, out in played)
            assert line.mean_place == Fraction(sum(place for _total, place, *_rest in played), len(played))
            assert (line.rank is None) == (len(played) < needed)
        ordered = [values[line.player.pk] for line in table.ranked]
        assert ordered == sorted(ordered, reverse=terms.method == "place-points")
        for line in table.lines:
            own = {item.pk: row for item, row in season.of_player(line.player)}[standing.pk]
            assert own == line


def test_every_number_of_a_players_page_is_what_the_raw_events_give(evenings: Evenings) -> None:
    states = folded(evenings.league)
    for player in evenings.players:
        found = figures.of_player(player)
        mine = [(game, state, state.players.index(player.pk)) for game, state in states if player.pk in state.players]
        results = [state.result for _game, state, _seat in mine]
        totals = [result.totals[seat].points for result, (_g, _s, seat) in zip(results, mine, strict=True) if result]  # type: ignore[union-attr]
        places = [result.places[seat] for result, (_g, _s, seat) in zip(results, mine, strict=True) if result and result.places]
        assert [seat.total for seat in found.seats] == totals
        assert found.wins == places.count(1)
        assert found.mean_total.value == Fraction(sum(totals), len(totals))
        assert found.mean_place.value == Fraction(sum(places), len(places))
        assert found.best_game is not None
        assert found.worst_game is not None
        assert (found.best_game.total, found.worst_game.total) == (min(totals), max(totals))
        assert found.progress == [Fraction(sum(totals[:upto]), upto) for upto in range(1, len(totals) + 1)]
        runs = "".join("w" if place == 1 else "." for place in places)
        assert found.streaks.longest_wins == max(map(len, runs.split(".")))
        assert found.streaks.longest_without == max(map(len, runs.split("w")))
        _check_hands(found, mine)
        _check_meetings(found, mine)


def _check_hands(found: figures.PlayerFigures, mine: list[tuple[Game, GameState, int]]) -> None:
    hands = [(state, hand, seat) for _game, state, seat in mine for hand in state.hands if hand.closed]
    given = [(state, hand, seat, entry.points) for state, hand, seat in hands if (entry := hand.entries[seat]).points is not None]
    assert found.hands.hands == len(given)
    assert found.hands.points == sum(points for *_rest, points in given)
    assert found.hands.out == sum(hand.entries[seat].kind == "out" for _state, hand, seat in hands)
    assert found.hands.substituted == sum(hand.posted[seat].how == "substituted" for _state, hand, seat in hands)
    known = [(hand, seat) for _state, hand, seat in hands if hand.opened]
    assert found.hands.opened_known == len(known)
    assert found.hands.opened == sum(seat in hand.opened or hand.entries[seat].kind == "out" for hand, seat in known)
    counted = [(state, hand.entries[seat]) for state, hand, seat in hands if hand.entries[seat].kind in {"cards", "out"}]
    assert found.hands.jokers == sum(entry.cards.split().count("JK") for _state, entry in counted)
    assert found.hands.jokers_in_play == sum(state.rules.joker_count(len(state.players)) for state, _entry in counted)
    assert found.best_hand is not None
    assert found.worst_hand is not None
    assert found.best_hand.points == min(points for *_rest, points in given)
    assert found.worst_hand.points == max(points for *_rest, points in given)
    by_contract: dict[tuple[int, str], list[int]] = defaultdict(list)
    by_dealer: dict[int, list[int]] = defaultdict(list)
    for state, hand, seat, points in given:
        by_contract[hand.number, str(state.rules.hand(hand.number).contract)].append(points)
        by_dealer[(seat - hand.dealer) % len(state.players)].append(points)
    assert {(line.number, line.contract): line.figures.mean.value for line in found.contracts if line.figures.hands} == {
        key: Fraction(sum(points), len(points)) for key, points in by_contract.items()
    }
    assert {distance: value.value for distance, value in found.by_dealer} == {
        distance: Fraction(sum(points), len(points)) for distance, points in by_dealer.items()
    }
    by_seat: dict[int, list[int]] = defaultdict(list)
    for _game, state, seat in mine:
        assert state.result is not None
        assert state.result.places is not None
        by_seat[seat + 1].append(state.result.places[seat])
    assert {seat: value.value for seat, value in found.by_seat} == {
        seat: Fraction(sum(places), len(places)) for seat, places in by_seat.items()
    }


def _check_meetings(found: figures.PlayerFigures, mine: list[tuple[Game, GameState, int]]) -> None:
    plain: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for _game, state, seat in mine:
        assert state.result is not None
        assert state.result.places is not None
        places = state.result.places
        for other, player in enumerate(state.players):
            if other != seat:
                plain[player][0] += 1
                plain[player][1] += places[seat] < places[other]
                plain[player][2] += places[seat] > places[other]
    assert {item.player.pk: [item.games, item.ahead, item.behind] for item in found.meetings} == dict(plain)
    worst = [line for line in plain.values() if line[0] >= 3 and 2 * line[2] > line[0]]
    assert (found.nemesis is None) == (not worst)
    if found.nemesis:
        assert Fraction(found.nemesis.behind, found.nemesis.games) == max(Fraction(line[2], line[0]) for line in worst)


def test_the_pages_show_those_numbers(evenings: Evenings) -> None:
    client = evenings.cast.client("viewer")
    slug = evenings.league.slug
    for standing in evenings.league.seasons.all():
        page = client.get(reverse("scoring:season", args=[slug, standing.pk])).content.decode()
        table = season.standings(standing)
        for line in table.lines:
            assert f">{mean(line.value, table.decimals)}</td>" in page
            assert line.player.name in page
        assert escape(table.rules[0]) in page
        assert client.get(reverse("scoring:statistics", args=[slug]), {"season": standing.pk}).status_code == 200
    for player in evenings.players:
        page = client.get(reverse("scoring:player", args=[slug, player.pk])).content.decode()
        found = figures.of_player(player)
        assert found.mean_total.value is not None
        assert f"<dd>{mean(found.mean_total.value, 1)}<small>" in page


def test_four_versions_are_compared_pinned_and_signed(evenings: Evenings) -> None:
    first, second, third, fourth = evenings.sheets
    assert [sheet.version for sheet in evenings.sheets] == [1, 2, 3, 4]
    assert [item.where for item in unlike(first.rules, second.rules)] == ["Points of the cards: JK"]
    assert [item.where for item in unlike(second.rules, third.rules)] == ["Taking a wild card from a set"]
    assert [item.where for item in unlike(third.rules, fourth.rules)] == ["Hands"]
    assert set(Game.objects.filter(league=evenings.league).values_list("sheet__version", flat=True)) == {1, 2, 3, 4}
    assert Signature.objects.filter(sheet__league=evenings.league).count() == 28


def test_the_seasons_are_closed_and_amended_and_the_all_time_table_adds_them_up(evenings: Evenings) -> None:
    for standing in list(evenings.league.seasons.order_by("starts")):
        record_league.close_season(standing, evenings.cast.owner, date(2026, 1, 1))
    spring = evenings.league.seasons.get(name="Spring")
    before = season.closed(spring)
    assert before is not None
    assert not before.amended
    game = spring.games.filter(status="finished").first()
    assert game is not None
    act(game, "count", hand=1, seat=0, kind="points", points="499", reason="agreed by all")
    after = season.closed(Season.objects.get(pk=spring.pk))
    assert after is not None
    assert after.standings.lines == before.standings.lines
    assert after.amended
    table, _more = season.all_time(evenings.league)
    lines = [line for item in evenings.league.seasons.all() for line in season.standings(item).lines]
    for row in table.lines:
        mine = [line for line in lines if line.player == row.player]
        assert row.value == Fraction(sum(line.total for line in mine), sum(line.games for line in mine))
        assert row.games == sum(line.games for line in mine)


def test_rebuilding_everything_changes_nothing(evenings: Evenings) -> None:
    assert sum(record.rebuild(pk) for pk in Game.objects.values_list("pk", flat=True)) == 0
    kept = [season.snapshot_of(item) for item in evenings.league.seasons.all()]
    tallies.recount_league(evenings.league)
    assert [season.snapshot_of(item) for item in evenings.league.seasons.all()] == kept
    assert Event.objects.filter(game__league=evenings.league, kind="strike").count() == 2
    assert Player.objects.filter(league=evenings.league).count() >= 12
    assert ledger.fold(evenings.sheets[0].rules, record.read_log(Game.objects.filter(sheet=evenings.sheets[0])[0])).hands
