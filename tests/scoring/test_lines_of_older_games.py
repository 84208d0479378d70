"""A site that was there before its lines were kept gets them with the migration."""

from datetime import date

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from scoring.models import PlayerTotal, Seat
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, league_of
from tests.scoring.test_tallies import finished_game

BEFORE = ("scoring", "0006_archives")


@pytest.mark.django_db(transaction=True)
def test_games_played_before_the_lines_were_kept_are_in_them_after_the_migration() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    finished_game(league, players[:3], "one", "out", 10, 20, on=date(2025, 5, 5))
    finished_game(league, players, "two", 30, "out", 20, 5)
    struck = finished_game(league, players[1:], "three", 30, "out", 20)
    act(struck, "strike", reason="a wrong pack")
    try:
        MigrationExecutor(connection).migrate([BEFORE])
        assert PlayerTotal._meta.db_table not in connection.introspection.table_names()
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    assert_recounted(league)
    assert all(seat.season_id == seat.game.season_id for seat in Seat.objects.select_related("game"))
