"""Two at once, in threads with connections of their own, on SQLite and on PostgreSQL: no errors, and the books stay right."""

import json
import threading
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from players import joining, membership, people
from players.models import Device, League, Membership, Player, User
from scoring import archive, archive_reading, record, record_archive, record_league, record_rulings
from scoring.archive_spots import Flaw
from scoring.models import Event, Game, RuleSheet, Season
from scoring.record import By
from scoring.record_people import merge_players, take_back_merge
from scoring.state import Refused
from tests.factories import MembershipFactory, UserFactory
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, league_of

pytestmark = pytest.mark.django_db(transaction=True)
_ids: Iterator[int] = iter(range(10**9))
RULING = {"kind": "misdeal", "facts": {}, "hand": 1, "own": True, "words": "Ten points.", "seats": [1]}
PENALTY = [("penalty", {"seat": 1, "points": "10", "hand": 1})]
REFUSALS = (Refused, ValidationError, record.Asks, Flaw, joining.SeatTaken)


def together(*deeds: Callable[[], Any]) -> list[Any]:
    """Do all of it at the same moment; give what each gave, or how it was refused. Any other exception fails the test."""
    gate = threading.Barrier(len(deeds))
    given: list[Any] = [None] * len(deeds)
    broken: list[BaseException] = []

    def run(place: int, deed: Callable[[], Any]) -> None:
        try:
            gate.wait()
            given[place] = deed()
        except REFUSALS as refusal:
            given[place] = refusal
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told below
            broken.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, deed)) for place, deed in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not broken, broken
    return given


def do(game: Game, kind: str, /, **data: Any) -> Any:
    return record.apply(game.pk, kind, data, By(), client_id=f"race-{next(_ids)}", reason="agreed", confirmed=True)


def assert_books_are_right(league: League) -> None:
    for game in Game.objects.filter(league=league):
        assert record.rebuild(game.pk) == 0
        revisions = list(Event.objects.filter(game=game).values_list("rev", flat=True))
        assert revisions == list(range(1, len(revisions) + 1))
    assert_recounted(league)


@pytest.fixture
def table() -> tuple[League, list[Player], RuleSheet]:
    league, players = league_of("Ana", "Ben", "Cai", "Eva", "Eve")
    return league, players, record.add_sheet(league, "Short", "house", {"hands": [{"contract": "2S", "deal": 10}]}, By())


def start(table: tuple[League, list[Player], RuleSheet], *seats: int) -> Game:
    league, players, sheet = table
    return record.start_game(league, sheet, [players[seat] for seat in seats], 0, By(), client_id=f"start-{next(_ids)}")


def counted(game: Game) -> Game:
    """Count the only hand of a game, so that closing it ends the game."""
    act(game, "count", hand=1, seat=0, kind="out")
    for seat in (1, 2):
        act(game, "count", hand=1, seat=seat, kind="points", points=str(10 * seat))
    return game


def _start_under(league: League, players: list[Player], preset: str, name: str) -> Game:
    sheet = record.sheet_for(league, preset, By())
    return record.start_game(league, sheet, players[:3], 0, By(), client_id=f"{name}-{preset}")


def test_games_end_while_two_players_become_one_and_others_start(table: tuple[League, list[Player], RuleSheet]) -> None:
    league, players, _sheet = table
    for _round in range(4):
        first, second = counted(start(table, 0, 1, 3)), counted(start(table, 0, 1, 4))
        preset = ["basic", "continental", "spanish", "may-i"][_round]
        merged, *_others = together(
            lambda: merge_players(players[3], players[4], By()),
            partial(do, first, "close", hand=1),
            partial(do, second, "close", hand=1),
            partial(record_rulings.rule, second.pk, RULING, PENALTY, By(), client_id="ruled", reason="so"),
            partial(_start_under, league, players, preset, "one"),
            partial(_start_under, league, players, preset, "two"),
        )
        assert RuleSheet.objects.filter(league=league, base=preset).count() == 1
        assert_books_are_right(league)
        take_back_merge(merged)
        assert_books_are_right(league)


def test_nobody_sits_down_beside_the_one_they_are_becoming(table: tuple[League, list[Player], RuleSheet]) -> None:
    league, players, _sheet = table
    for _round in range(4):
        game, other = start(table, 0, 1, 3), start(table, 0, 1, 2)
        merged, *_joined = together(
            lambda: merge_players(players[3], players[4], By()),
            partial(do, game, "join", player=players[4].pk),
            partial(do, other, "join", player=players[4].pk),
        )
        assert_books_are_right(league)
        do(game, "opened", hand=1, seat=0)
        if not isinstance(merged, Refused):
            take_back_merge(merged)
            assert_books_are_right(league)


def test_one_action_sent_by_many_counts_once(table: tuple[League, list[Player], RuleSheet]) -> None:
    game = start(table, 0, 1, 2)
    count = {"hand": 1, "seat": 0, "kind": "points", "points": "10"}
    outcomes = together(*[lambda: record.apply(game.pk, "count", count, By(), client_id="once")] * 6)
    assert [outcome.rev for outcome in outcomes] == [2] * 6
    assert sum(not outcome.repeated for outcome in outcomes) == 1


def test_every_seat_counts_at_once_and_two_close(table: tuple[League, list[Player], RuleSheet]) -> None:
    game = start(table, 0, 1, 2)
    together(*[lambda at=seat: do(game, "count", hand=1, seat=at, kind="points", points=str(at)) for seat in range(3)])
    closed = together(*[lambda: do(game, "close", hand=1)] * 3)
    assert sorted(isinstance(one, Refused) for one in closed) == [False, True, True]
    together(
        lambda: do(game, "undo", target=5),
        lambda: do(game, "count", hand=1, seat=1, kind="points", points="40", agreed=[0, 1, 2]),
    )
    assert_books_are_right(table[0])


def test_a_season_closes_while_a_correction_lands(table: tuple[League, list[Player], RuleSheet]) -> None:
    league = table[0]
    game = counted(start(table, 0, 1, 2))
    do(game, "close", hand=1)
    season = Season.objects.get()
    together(
        lambda: record_league.close_season(season, None, season.ends + timedelta(days=1)),
        lambda: do(game, "count", hand=1, seat=1, kind="points", points="45", agreed=[0, 1, 2]),
    )
    season.refresh_from_db()
    assert season.snapshot is not None
    assert {line["total"] for line in season.snapshot["lines"]} in ({0, 10, 20}, {0, 45, 20})
    assert_books_are_right(league)


def test_of_two_who_take_the_same_name_one_is_told_so() -> None:
    league, _players = league_of("Ana")
    added = together(*[lambda: people.add_player(league, "Ben")] * 4)
    assert sum(isinstance(one, Player) for one in added) == 1
    made = together(*[lambda: people.add_account(league, username="Dot", role="viewer", player=None)] * 4)
    assert User.objects.filter(username="Dot").count() == sum(isinstance(one, tuple) for one in made) == 1


def test_leagues_of_one_name_get_addresses_of_their_own() -> None:
    owners = [UserFactory.create() for _number in range(4)]
    made = together(*[lambda who=owner: people.create_league(owner=who, name="Friday", timezone="UTC") for owner in owners])
    assert len({league.slug for league in made}) == 4


def test_of_two_who_say_they_are_the_same_player_one_is() -> None:
    league, (ana, *_others) = league_of("Ana")
    users = [UserFactory.create() for _number in range(4)]
    claimed = together(*[lambda who=user: people.give_account(Player.objects.get(pk=ana.pk), who) for user in users])
    assert sum(one is None for one in claimed) == 1
    winner = users[next(place for place, one in enumerate(claimed) if one is None)]
    assert league.players.get(pk=ana.pk).user == winner


def test_of_two_owners_who_go_at_once_one_stays_and_no_role_is_given_to_who_has_left(
    table: tuple[League, list[Player], RuleSheet],
) -> None:
    league = table[0]
    for _round in range(4):
        Membership.objects.filter(league=league).delete()
        ana, ben = (MembershipFactory.create(league=league, role="owner") for _owner in range(2))
        together(
            partial(membership.leave, league, ana.user),
            partial(membership.leave, league, ben.user),
            partial(people.change_role, ana, "viewer"),
        )
        assert Membership.objects.filter(league=league, role="owner").count() == 1
    with pytest.raises(ValidationError, match="left the league"):
        people.change_role(Membership(pk=2**31, league=league, user=UserFactory.create()), "owner")


def test_of_all_phones_that_take_a_seat_at_once_one_has_it(table: tuple[League, list[Player], RuleSheet]) -> None:
    game = start(table, 0, 1, 2)
    codes = together(*[lambda: joining.seat_code(game.league, game.pk, None)] * 4)
    assert len({code.code for code in codes}) == 1
    taken = together(*[lambda: joining.sit_down(codes[0], 1)] * 4)
    assert sum(isinstance(one, str) for one in taken) == 1
    move = joining.move_code(game.league, game.pk, 1, None)
    together(*[lambda: joining.sit_down(move, 1)] * 3, lambda: joining.sit_down(codes[0], 1))
    assert Device.objects.filter(table=game.pk, seat=1, revoked=None).count() == 1


def test_an_archive_read_in_by_several_at_once_is_one_league(table: tuple[League, list[Player], RuleSheet]) -> None:
    do(counted(start(table, 0, 1, 2)), "close", hand=1)
    data = archive.league_data(table[0])
    data["league"]["uid"] = str(uuid.uuid4())
    read = archive_reading.read(json.dumps(data).encode())
    owners = [UserFactory.create() for _number in range(3)]
    made = together(*[lambda who=owner: record_archive.read_in(read, who) for owner in owners])
    assert sum(isinstance(one, League) for one in made) == 1
    assert League.objects.count() == 2
    for league in League.objects.all():
        assert_books_are_right(league)
