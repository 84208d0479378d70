"""Late joiners, on the terms that the season agreed on before its first game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.catching_up import CATCH_UPS, LateJoiner, catch_up
from players.models import League, Player
from scoring import record, record_league
from scoring.models import Game, Season, Seat
from scoring.record import By
from tests.cast import Cast
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, hand, league_of

pytestmark = pytest.mark.django_db

THREE_HANDS = {"hands": [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}, {"contract": "2R", "deal": 9}]}


def three_hands(league: League, players: list[Player], terms: str) -> Game:
    """A game whose season has these terms for late joiners."""
    sheet = league.sheets.filter(name="Short").first() or record.add_sheet(league, "Short", "house", THREE_HANDS, By())
    game = record.start_game(league, sheet, players, 0, By(), client_id=f"{terms}-{league.games.count()}")
    Season.objects.filter(pk=game.season_id).update(policies={"late_joiners": terms})
    return game


CATCH_UP = {"worst": 40 + 30, "mean": 24 + 17}
"""Hands of 10, 20, 40 and of 0, 20, 30: the worst of each, and the means of each, rounded up."""


def late_game(league: League, players: list[Player], terms: str) -> Game:
    """Three play two hands of three; two more join before the last one."""
    game = three_hands(league, players[:3], terms)
    hand(game, 1, 10, 20, 40)
    hand(game, 2, "out", 20, 30)
    act(game, "join", player=players[3].pk)
    act(game, "join", player=players[4].pk)
    return game


@pytest.mark.parametrize("terms", ["worst", "mean"])
def test_input_42_two_late_joiners_of_one_hand_catch_up_by_the_same_points_and_play_a_whole_game(terms: str) -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot", "Eva")
    game = late_game(league, players, terms)
    hand(game, 3, 5, 5, 5, "out", 50)
    totals = list(Seat.objects.filter(game=game).order_by("number").values_list("total", "how"))
    assert totals[3:] == [(CATCH_UP[terms], "complete"), (CATCH_UP[terms] + 50, "complete")]
    assert [total for total, _how in totals[:3]] == [15, 45, 75]
    assert Seat.objects.get(game=game, number=0).place == 1
    assert record.rebuild(game.pk) == 0
    assert_recounted(league)


def test_a_late_joiner_who_caught_up_may_win_and_who_leaves_again_did_not_finish() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot", "Eva")
    won = late_game(league, players, "mean")
    hand(won, 3, 50, 50, 50, "out", 50)
    assert Seat.objects.get(game=won, place=1).player == players[3]
    left = late_game(league, players[1:] + players[:1], "worst")
    act(left, "leave", seat=4)
    hand(left, 3, 5, 5, "out", 5, "absent")
    assert Seat.objects.get(game=left, number=4).how == "substituted"


def test_what_a_late_joiner_gets_follows_a_correction_of_the_hands_missed() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot", "Eva")
    game = late_game(league, players, "worst")
    act(game, "count", hand=1, seat=2, kind="points", points="90", reason="misread")
    assert Seat.objects.get(game=game, number=3).running == 90 + 30


def test_the_terms_of_a_season_and_not_the_phone_say_what_a_late_joiner_gets() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    game = three_hands(league, players[:3], "non-finisher")
    hand(game, 1, 10, 20, 40)
    act(game, "join", player=players[3].pk, catch_up="mean")
    assert Seat.objects.get(game=game, number=3).running == 0


@pytest.mark.parametrize(("method", "warned"), [("mean-total", True), ("place-points", False)])
def test_a_table_by_points_says_that_a_short_night_helps_whoever_was_there(cast: Cast, method: str, *, warned: bool) -> None:
    season = record_league.season_on(cast.league, record.today(cast.league))
    season.policies, season.terms = {"short_nights": "counts"}, {"method": method}
    season.save()
    page = cast.client("viewer").get(f"/l/{cast.league.slug}/season/").content.decode()
    assert ("it helps whoever was there" in page) == warned


@given(
    hands=st.lists(st.lists(st.integers(-10, 200), min_size=2, max_size=6), min_size=1, max_size=6),
    first=st.integers(2, 8),
    lowest_wins=st.booleans(),
)
def test_catching_up_by_the_worst_is_never_better_than_by_the_mean_nor_than_anybody_was(
    hands: list[list[int]], first: int, lowest_wins: bool
) -> None:
    worst, mean = (catch_up(hands, LateJoiner(first, how), lowest_wins=lowest_wins) for how in CATCH_UPS)
    sign = 1 if lowest_wins else -1
    assert sign * worst >= sign * mean
    size = min(map(len, hands))
    for seat in range(size):
        assert sign * worst >= sign * sum(points[seat] for points in hands[: first - 1])


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ("non-finisher", "the sum of the two highest complete ones"),
        ("worst", "the worst score that anybody has in it"),
        ("mean", "the mean of the scores in it"),
        ("refused", "Nobody joins after the first hand"),
    ],
)
def test_the_table_reads_the_terms_before_somebody_joins_and_the_sheet_shows_what_they_gave(
    cast: Cast, terms: str, said: str
) -> None:
    players = [Player.objects.create(league=cast.league, name=name) for name in ("Ana", "Ben", "Cai", "Dot")]
    game = three_hands(cast.league, players[:3], terms)
    hand(game, 1, 10, 20, 40)
    client = cast.client("scorekeeper")
    page = client.get(f"/g/{game.pk}/more/").content.decode()
    assert said in page
    assert (f'<option value="{players[3].pk}">Dot' in page) == (terms != "refused")
    if terms in CATCH_UPS:
        act(game, "join", player=players[3].pk)
        sheet = client.get(f"/g/{game.pk}/sheet/").content.decode()
        assert "hand 1, joined late" in sheet
        assert {"worst": "+40", "mean": "+24"}[terms] in sheet
