"""Suspended games and the turn of the year, by the clock of the place where the league plays (R-77, R-78)."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from players.models import League, Player
from scoring import record, season
from scoring.models import Event, Game
from scoring.record import By
from scoring.state import Refused
from tests.cast import Cast
from tests.factories import LeagueFactory
from tests.scoring.tables import act, hand

pytestmark = pytest.mark.django_db

ZONES = [
    "Pacific/Kiritimati",  # the first to have a new year
    "Pacific/Auckland",  # summer time at New Year
    "Asia/Kathmandu",  # a quarter of an hour off
    "Europe/Madrid",
    "America/Santiago",  # summer time at New Year, south of the equator and west of Greenwich
    "America/St_Johns",
    "Pacific/Pago_Pago",  # the last
]
SHORT = {"hands": [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}]}


def at(zone: str, year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    """The moment at which the clocks of a zone show a local time."""
    return datetime(year, month, day, hour, minute, second, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def suspended_in(league: League, key: str = "one") -> Game:
    """A game of two, one hand played, suspended now."""
    players = [Player.objects.get_or_create(league=league, name=name)[0] for name in ("Ana", "Ben")]
    sheet = league.sheets.first() or record.add_sheet(league, "Short", "house", SHORT, By())
    game = record.start_game(league, sheet, players, 0, By(), client_id=key)
    hand(game, 1, 10, "out")
    act(game, "suspend", consent=[0, 1])
    return Game.objects.get(pk=game.pk)


def in_zone(cast: Cast, zone: str) -> League:
    League.objects.filter(pk=cast.league.pk).update(timezone=zone)
    return League.objects.get(pk=cast.league.pk)


@pytest.mark.parametrize("zone", ZONES)
def test_in_the_last_minute_of_the_year_a_game_can_go_on_and_in_the_first_of_the_next_it_is_void(cast: Cast, zone: str) -> None:
    league = in_zone(cast, zone)
    with time_machine.travel(at(zone, 2026, 11, 3, 20), tick=False):
        game = suspended_in(league)
    viewer, players = cast.client("viewer"), [seat.player_id for seat in game.seats.order_by("number")]
    with time_machine.travel(at(zone, 2026, 12, 31, 23, 59, 30), tick=False):
        assert "today is the last day" in viewer.get(f"/l/{league.slug}/").content.decode()
        assert not record.expire_suspended(league)
        act(game, "resume", players=players)
        act(game, "suspend", consent=[0, 1])
    with time_machine.travel(at(zone, 2027, 1, 1, 0, 0, 30), tick=False):
        page = viewer.get(f"/l/{league.slug}/").content.decode()
        assert "Void since 1 January" in page
        assert "today is the last day" not in page
        assert "since 1 January it is void" in viewer.get(f"/g/{game.pk}/").content.decode()
        with pytest.raises(Refused, match="resume-void"):
            act(game, "resume", players=players)
        assert record.expire_suspended(league) == [game.pk]
    game.refresh_from_db()
    assert (game.status, game.ended_on) == ("void", date(2027, 1, 1))


def test_at_one_moment_the_year_is_over_in_one_league_and_not_in_the_other() -> None:
    east, west = (LeagueFactory.create(timezone=zone) for zone in ("Pacific/Auckland", "Pacific/Pago_Pago"))
    with time_machine.travel(datetime(2026, 12, 1, 12, tzinfo=UTC), tick=False):
        games = [suspended_in(league) for league in (east, west)]
    with time_machine.travel(datetime(2026, 12, 31, 12, tzinfo=UTC), tick=False):
        assert [record.today(league) for league in (east, west)] == [date(2027, 1, 1), date(2026, 12, 31)]
        assert [record.expire_suspended(league) for league in (east, west)] == [[games[0].pk], []]
    # Pago Pago is a day behind Auckland, and a day ahead of nobody: its own midnight comes 23 or 24 hours later.
    with time_machine.travel(at("Pacific/Pago_Pago", 2027, 1, 1), tick=False):
        assert record.expire_suspended(west) == [games[1].pk]


def test_the_day_on_which_a_game_starts_is_the_leagues_own() -> None:
    """By the clock of the server it is still 2026, in Auckland the new year is half a day old."""
    league = LeagueFactory.create(timezone="Pacific/Auckland")
    with time_machine.travel(datetime(2026, 12, 31, 22, tzinfo=UTC), tick=False):
        game = suspended_in(league)
    assert game.started_on == date(2027, 1, 1)
    assert game.season.name == "2027"
    with time_machine.travel(datetime(2027, 12, 31, 10, 59, tzinfo=UTC), tick=False):
        assert not record.expire_suspended(league)
    with time_machine.travel(datetime(2027, 12, 31, 11, 1, tzinfo=UTC), tick=False):
        assert record.expire_suspended(league) == [game.pk]


@pytest.mark.parametrize(
    ("zone", "night", "left"),
    [
        ("America/Santiago", (2026, 9, 6), 116),  # no midnight: the clocks go from 23:59 to 01:00
        ("Pacific/Auckland", (2026, 4, 5), 270),  # an hour twice
        ("Europe/Madrid", (2026, 3, 29), 277),
        ("Europe/Madrid", (2026, 10, 25), 67),
        ("Europe/Madrid", (2028, 2, 29), 306),
    ],
)
def test_a_night_of_23_or_25_hours_takes_one_day_off(cast: Cast, zone: str, night: tuple[int, int, int], left: int) -> None:
    league = in_zone(cast, zone)
    with time_machine.travel(at(zone, night[0], 1, 2, 20), tick=False):
        suspended_in(league)
    for moment, days in [(at(zone, *night, 12) - timedelta(days=1), left + 1), (at(zone, *night, 12), left)]:
        with time_machine.travel(moment, tick=False):
            assert f"{days} days left" in cast.client("viewer").get(f"/l/{league.slug}/").content.decode()


@given(start=st.dates(date(1990, 1, 1), date(2100, 12, 31)), later=st.integers(0, 800))
def test_days_left_and_being_void_never_contradict_each_other(start: date, later: int) -> None:
    today = start + timedelta(days=later)
    left = season.days_left(start, today)
    assert (left >= 0) == (today.year == start.year)
    if left >= 0:
        assert today + timedelta(days=left) == date(start.year, 12, 31)


def test_a_game_played_across_midnight_goes_on_and_is_told_that_suspending_it_now_would_end_it(cast: Cast) -> None:
    league = in_zone(cast, "Europe/Madrid")
    with time_machine.travel(at("Europe/Madrid", 2026, 12, 31, 22), tick=False):
        game = suspended_in(league)
        act(game, "resume", players=[seat.player_id for seat in game.seats.order_by("number")])
    with time_machine.travel(at("Europe/Madrid", 2027, 1, 1, 0, 20), tick=False):
        assert not record.expire_suspended(league)
        assert "suspended now, it could not be resumed" in cast.client("scorekeeper").get(f"/g/{game.pk}/more/").content.decode()
        hand(game, 2, "out", 20)
    game.refresh_from_db()
    assert (game.status, game.season.name, game.ended_on) == ("finished", "2026", date(2027, 1, 1))


def test_every_player_is_told_once_on_each_of_their_devices_and_the_log_says_it_once(cast: Cast) -> None:
    league = in_zone(cast, "Pacific/Pago_Pago")
    with time_machine.travel(at("Pacific/Pago_Pago", 2026, 12, 1, 12), tick=False):
        game = suspended_in(league)
    with time_machine.travel(at("Pacific/Pago_Pago", 2027, 3, 5, 12), tick=False):
        for device in [cast.client(who) for who in ("owner", "scorekeeper", "member", "viewer")]:
            assert "Void since 1 January" in device.get(f"/l/{league.slug}/").content.decode()
            assert device.post(f"/l/{league.slug}/noted/").status_code == 303
            assert "Void since 1 January" not in device.get(f"/l/{league.slug}/").content.decode()
    assert Event.objects.filter(game=game, kind="finish").count() == 1
