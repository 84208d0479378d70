"""What the table is told of the discard that lies there: who may claim it, how often, and for how many cards."""

from typing import Any

import pytest

from scoring import load, record, reminders
from scoring.record import By
from tests.scoring.tables import act, game_of, league_of

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


@pytest.mark.parametrize(
    "happening",
    [
        [("count", {"hand": 1, "seat": 1, "kind": "out"})],
        [("stock", {"hand": 1})] * 2,
        [("suspend", {"consent": [0, 1, 2]})],
    ],
    ids=["out", "stock", "suspended"],
)
def test_nobody_is_told_to_claim_where_no_discard_is_left_to_claim(happening: list[tuple[str, dict[str, Any]]]) -> None:
    game = game_of(*league_of("Ana", "Ben", "Cai"))
    assert reminders.claims(load.table(game))
    for kind, data in happening:
        act(game, kind, **data)
    assert reminders.claims(load.table(game)) == ""
