"""What the table is told of the discard that lies there: who may claim it, how often, and for how many cards."""

import pytest

from scoring import load, record, reminders
from scoring.record import By
from tests.scoring.tables import league_of

pytestmark = pytest.mark.django_db


def told(base: str, **overrides: object) -> str:
    league, players = league_of("Ana", "Ben", "Cai")
    sheet = record.add_sheet(league, "Ours", base, overrides, By())
    return reminders.claims(load.table(record.start_game(league, sheet, players, 0, By(), client_id="reminded")))


def test_the_table_is_told_who_may_claim_and_what_it_costs() -> None:
    assert told("house") == "Anyone may claim the discard, for 1 penalty card; of several the next in order of play gets it."
    assert told("shanghai") == (
        "Anyone may claim the discard 2 times, for 2 penalty cards; of several the next in order of play gets it."
    )
    assert told("magnus").endswith("of several the first to call gets it.")
    assert told("basic") == ""


def test_where_claims_end_with_going_down_the_table_is_told() -> None:
    assert told("liverpool", claims_after_opening=False).endswith("Who is down claims no more.")
    assert "no more" not in told("liverpool")
