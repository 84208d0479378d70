"""A league from outside the games: the turn of the year, pennies, strangers, coming and going."""

import threading
from datetime import UTC, date, datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from continental.rules import money, rulesets
from continental.rules.errors import BadQuestion
from players import membership, people
from players.models import League, MemberInvitation, Membership, Player, User
from scoring import load, ratings, record, sheet_form
from scoring.models import Event, Game, PlayerSeason, Rating, Seat
from scoring.record import By
from scoring.state import Refused
from tests.cast import Cast
from tests.factories import UserFactory
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, game_of, hand, league_of
from tests.scoring.test_seasons import game_on
from tests.scoring.test_sheets import fifteen
from tests.scoring.test_tallies import finished_game, short_game

pytestmark = pytest.mark.django_db

NEW_YEAR_IN_MADRID = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)


def suspended_game(league: League, players: list[Player]) -> Game:
    game = short_game(league, players, "suspended")
    hand(game, 1, *([10] * len(players)))
    act(game, "suspend", consent=list(range(len(players))))
    return Game.objects.get(pk=game.pk)


# ---------------------------------------------------------------------------------------------------------------------
# The turn of the year


def test_a_suspended_game_says_how_many_days_it_has_left(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    with time_machine.travel(datetime(2026, 12, 29, 12, tzinfo=UTC)):
        suspended_game(cast.league, players)
        page = cast.client("viewer").get(reverse("scoring:league", args=[cast.league.slug])).content.decode()
    assert "2 days left" in page


def test_on_new_year_in_the_leagues_own_zone_it_is_void_for_whoever_looks_and_looking_writes_nothing(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    with time_machine.travel(datetime(2026, 12, 31, 22, 30, tzinfo=UTC)):
        game = suspended_game(cast.league, players)
        assert "today is the last day" in cast.client("viewer").get(f"/l/{cast.league.slug}/").content.decode()
    with time_machine.travel(NEW_YEAR_IN_MADRID):
        client = cast.client("viewer")
        before = Event.objects.count()
        assert "Void since 1 January" in client.get(f"/l/{cast.league.slug}/").content.decode()
        assert "since 1 January it is void" in client.get(reverse("scoring:table", args=[game.pk])).content.decode()
        assert Event.objects.count() == before
        with pytest.raises(Refused, match="resume-void"):
            act(game, "resume", players=[player.pk for player in players])


def test_who_was_told_is_not_told_again_and_the_log_says_it_once(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    with time_machine.travel(datetime(2026, 12, 1, 12, tzinfo=UTC)):
        game = suspended_game(cast.league, players)
    with time_machine.travel(NEW_YEAR_IN_MADRID):
        first, second = cast.client("viewer"), cast.client("member")
        for _time in range(2):
            first.post(reverse("scoring:note-lapsed", args=[cast.league.slug]))
        assert "Void since 1 January" not in first.get(f"/l/{cast.league.slug}/").content.decode()
        assert "Void since 1 January" in second.get(f"/l/{cast.league.slug}/").content.decode()
        game.refresh_from_db()
        assert game.status == "void"
        assert Event.objects.filter(game=game, kind="finish").count() == 1
        assert not record.expire_suspended(cast.league)
        assert load.table(game).state.ended_early == "year"


def test_the_first_game_of_the_new_year_writes_it_down_and_a_game_of_this_year_stays_suspended() -> None:
    league, players = league_of("Ana", "Ben")
    with time_machine.travel(datetime(2026, 12, 1, 12, tzinfo=UTC)):
        old = suspended_game(league, players)
    with time_machine.travel(datetime(2027, 1, 2, 12, tzinfo=UTC)):
        new = short_game(league, players, "new")
        act(new, "suspend", consent=[0, 1])
        short_game(league, players, "newer")
    assert Game.objects.get(pk=old.pk).status == "void"
    assert Game.objects.get(pk=new.pk).status == "suspended"


# ---------------------------------------------------------------------------------------------------------------------
# Pennies

FIFTEEN = rulesets.load({"base": "fifteen", "payouts": [6, 2, -3, -5]})


@pytest.mark.parametrize(
    ("buys", "places", "kitty", "payouts"),
    [
        ((3, 4, 0, 0), (1, 2, 3, 4), (5, 2, 0, 0), (6, 2, -3, -5)),
        ((0, 0, 0, 0), (4, 3, 2, 1), (0, 0, 0, 0), (-5, -3, 2, 6)),
        ((1, 0, 0, 0), (2, 1, 3, 4), (0, 1, 0, 0), (2, 6, -3, -5)),
        ((5, 0, 0, 0), (1, 1, 3, 4), (3, 2, 0, 0), (4, 4, -3, -5)),
        ((0, 0, 0, 8), (1, 2, 2, 4), (6, 1, 1, 0), (6, 0, -1, -5)),
        ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1), (0, 0, 0, 0)),
    ],
)
def test_the_kitty_and_the_payouts_come_out_to_the_last_penny(
    buys: tuple[int, ...], places: tuple[int, ...], kitty: tuple[int, ...], payouts: tuple[int, ...]
) -> None:
    """R-96, R-97: the second gets a third rounded down, the winner the rest."""
    purses = money.settle(FIFTEEN, buys, places)
    assert tuple(purse.kitty for purse in purses) == kitty
    assert tuple(purse.payout for purse in purses) == payouts
    assert sum(purse.net for purse in purses) == 0


def test_a_void_game_gives_every_penny_back() -> None:
    assert [purse.net for purse in money.settle(FIFTEEN, (3, 1, 0, 2), None)] == [0, 0, 0, 0]


def test_payouts_are_for_as_many_as_they_name() -> None:
    with pytest.raises(BadQuestion, match="for 4 players, and 3 play"):
        money.settle(FIFTEEN, (0, 0, 0), (1, 2, 3))


def fifteen_game() -> Game:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    overrides = sheet_form.read("fifteen", fifteen()).overrides
    assert overrides is not None
    sheet = record.add_sheet(league, "Pennies", "fifteen", overrides, By())
    return record.start_game(league, sheet, players, 0, By(), client_id="fifteen")


def test_fifteen_hands_with_pennies_are_played_bought_and_settled(cast: Cast) -> None:
    game = fifteen_game()
    for number in range(1, 16):
        if number == 1:
            with pytest.raises(Refused, match="buys-used-up"):
                act(game, "buy", hand=1, seat=0)
        if number in {12, 13}:
            for seat in (0, 0, 1):
                act(game, "buy", hand=number, seat=seat)
            with pytest.raises(Refused, match="buys-used-up"):
                act(game, "buy", hand=number, seat=0)
        if number == 14:
            act(game, "buy", hand=14, seat=3)
            act(game, "buy", hand=14, seat=2)
            act(game, "undo", target=Game.objects.get(pk=game.pk).rev)
        hand(game, number, "out", 10, 20, 30)
    assert Game.objects.get(pk=game.pk).status == "finished"
    # The kitty holds 7: the second gets 2, the winner 5; the payouts are 6, 2, −3, −5.
    assert list(game.seats.values_list("net", flat=True)) == [5 + 6 - 4, 2 + 2 - 2, -3, -5 - 1]
    assert sum(net or 0 for net in game.seats.values_list("net", flat=True)) == 0
    assert_recounted(game.league)
    Membership.objects.create(user=cast.users["stranger"], league=game.league, role="owner")
    page = cast.client("stranger").get(reverse("scoring:sheet", args=[game.pk])).content.decode()
    assert "7 pennies were in the kitty" in page


def test_the_table_page_sells_buys_where_the_hand_has_them(cast: Cast) -> None:
    game = fifteen_game()
    Membership.objects.create(user=cast.users["stranger"], league=game.league, role="owner")
    client = cast.client("stranger")
    assert "Nobody may buy in this hand" in client.get(reverse("scoring:table", args=[game.pk])).content.decode()


def test_the_same_tap_on_buy_counts_once() -> None:
    game = fifteen_game()
    for number in range(1, 12):
        hand(game, number, "out", 10, 20, 30)
    act(game, "buy", hand=12, seat=0, nth=1)
    with pytest.raises(Refused, match="stale"):
        act(game, "buy", hand=12, seat=0, nth=1)


def test_no_penny_is_bought_where_none_is_played_for() -> None:
    league, players = league_of("Ana", "Ben")
    game = short_game(league, players, "one")
    with pytest.raises(Refused, match="no-money"):
        act(game, "buy", hand=1, seat=0)


def test_claims_are_counted_where_a_hand_limits_them(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai")]
    game = game_of(cast.league, players, "shanghai")
    client, path = cast.client("owner"), reverse("scoring:table", args=[game.pk])
    assert "2 each in this hand" in client.get(path).content.decode()
    act(game, "claim", hand=1, seat=1, nth=1)
    with pytest.raises(Refused, match="stale"):
        act(game, "claim", hand=1, seat=1, nth=1)
    act(game, "claim", hand=1, seat=1)
    with pytest.raises(Refused, match="claims-used-up"):
        act(game, "claim", hand=1, seat=1)
    act(game, "claim", hand=1, seat=0)
    act(game, "redeal", hand=1)
    act(game, "claim", hand=1, seat=1)
    assert game.hands.get(number=1).buys == [1]
    assert record.rebuild(game.pk) == 0


@pytest.mark.parametrize("preset", ["house", "basic"])
def test_claims_without_a_limit_are_not_counted(cast: Cast, preset: str) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai")]
    game = game_of(cast.league, players, preset)
    with pytest.raises(Refused, match="claims-not-counted"):
        act(game, "claim", hand=1, seat=0)
    assert 'id="claims"' not in cast.client("owner").get(reverse("scoring:table", args=[game.pk])).content.decode()


def test_a_table_of_another_size_than_the_payouts_does_not_start() -> None:
    game = fifteen_game()
    players = list(Player.objects.filter(league=game.league))[:3]
    with pytest.raises(Refused, match="payouts-count"):
        record.start_game(game.league, game.sheet, players, 0, By(), client_id="three")


# ---------------------------------------------------------------------------------------------------------------------
# Strangers


def test_strangers_read_nicknames_and_initials_on_every_page_of_a_public_league(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Annabella Maria Quintero", "Bartholomew")]
    Player.objects.filter(pk=players[0].pk).update(nickname="Speedy")
    game = game_on(cast.league, players, date(2026, 3, 3), 10, 20)
    game_on(cast.league, players, date(2026, 3, 4), 30, 20)
    League.objects.filter(pk=cast.league.pk).update(public=True)
    slug = cast.league.slug
    pages = [
        reverse("scoring:league", args=[slug]),
        reverse("scoring:season", args=[slug]),
        reverse("scoring:all-time", args=[slug]),
        reverse("scoring:statistics", args=[slug]),
        reverse("scoring:player", args=[slug, players[0].pk]),
        reverse("scoring:sheet", args=[game.pk]),
        reverse("scoring:history", args=[game.pk]),
        reverse("scoring:season-csv", args=[slug, game.season_id]),
        reverse("scoring:games-csv", args=[slug]),
        reverse("players:people", args=[slug]),
    ]
    for who in ("anonymous", "stranger"):
        for path in pages:
            text = cast.client(who).get(path).content.decode()
            assert "Annabella" not in text, path
            assert "Bartholomew" not in text, path
            assert "Speedy" in text, path
    text = cast.client("viewer").get(pages[1]).content.decode()
    assert "Annabella Maria Quintero" in text
    assert "Bartholomew" in text


def test_a_league_that_is_not_public_shows_a_stranger_nothing(cast: Cast) -> None:
    for name in ("season", "statistics", "all-time", "seasons", "rule-sheets", "games-csv"):
        cast.expects(reverse(f"scoring:{name}", args=[cast.league.slug]), owner=200, scorekeeper=200, member=200, viewer=200)


def test_the_whole_archive_is_for_the_owner(cast: Cast) -> None:
    cast.expects(reverse("scoring:league-json", args=[cast.league.slug]), owner=200, scorekeeper=403, member=403, viewer=403)


# ---------------------------------------------------------------------------------------------------------------------
# Coming and going


def test_a_link_makes_a_member_of_an_account(cast: Cast) -> None:
    answer = cast.client("owner").post(reverse("players:invite", args=[cast.league.slug]), {"role": "scorekeeper"})
    token = answer.content.decode().partition("/invitation/")[2].partition("/")[0]
    assert token not in str(list(MemberInvitation.objects.values()))
    stranger = cast.client("stranger")
    path = reverse("players:invitation", args=[token])
    assert stranger.get(path).status_code == 200
    for _time in range(2):
        assert stranger.post(path).status_code == 302
    joined = Membership.objects.get(league=cast.league, user=cast.users["stranger"])
    assert joined.role == "scorekeeper"
    assert MemberInvitation.objects.get().used == 1
    assert Player.objects.filter(league=cast.league, user=cast.users["stranger"]).count() == 1


def test_somebody_without_an_account_makes_one_and_says_who_they_are(cast: Cast, client: Client) -> None:
    player = people.add_player(cast.league, "Zoe")
    _invitation, token = membership.invite(cast.league, "member", cast.owner)
    path = reverse("players:invitation", args=[token])
    refused = client.post(path, {"username": "Zoe", "password": "123", "player": player.pk})
    assert refused.status_code == 422
    assert not User.objects.filter(username="Zoe").exists()
    assert client.post(path, {"username": "Zoe", "password": "una partida larga", "player": player.pk}).status_code == 302
    player.refresh_from_db()
    assert player.user is not None
    assert player.user.username == "Zoe"
    assert client.get(f"/l/{cast.league.slug}/").status_code == 200


def test_a_link_that_was_taken_back_or_ran_out_leads_nowhere(cast: Cast, client: Client) -> None:
    invitation, token = membership.invite(cast.league, "member", cast.owner)
    path = reverse("players:invitation", args=[token])
    with time_machine.travel(invitation.expires, tick=False):
        assert client.get(path).status_code == 404
    cast.client("owner").post(reverse("players:revoke-invitation", args=[cast.league.slug, invitation.pk]))
    assert client.get(path).status_code == 404


def test_guessing_links_is_slowed_down(client: Client) -> None:
    answers = [client.get(reverse("players:invitation", args=[f"guess-{number}"])).status_code for number in range(21)]
    assert answers[0] == 404
    assert answers[-1] == 429


def test_a_link_never_takes_a_role_away_and_never_makes_an_owner(cast: Cast) -> None:
    invitation, _token = membership.invite(cast.league, "viewer", cast.owner)
    membership.accept(invitation, cast.owner, None)
    assert Membership.objects.get(league=cast.league, user=cast.owner).role == "owner"
    answer = cast.client("owner").post(reverse("players:invite", args=[cast.league.slug]), {"role": "owner"})
    assert answer.status_code == 422
    assert MemberInvitation.objects.count() == 1


def test_only_who_manages_members_invites(cast: Cast) -> None:
    path = reverse("players:invite", args=[cast.league.slug])
    cast.expects(path, {"role": "member"}, owner=200, scorekeeper=403, member=403, viewer=403)


def test_a_member_leaves_and_the_last_owner_stays(cast: Cast) -> None:
    path = reverse("players:leave", args=[cast.league.slug])
    cast.client("member").post(path)
    assert not Membership.objects.filter(league=cast.league, user=cast.users["member"]).exists()
    cast.client("owner").post(path)
    assert Membership.objects.filter(league=cast.league, user=cast.owner).exists()


def test_input_58_a_person_is_made_anonymous_and_no_game_breaks(cast: Cast) -> None:
    """Nothing is deleted with a person."""
    players = [people.add_player(cast.league, name) for name in ("Annabella", "Ben")]
    game = game_on(cast.league, players, date(2026, 3, 3), 10, 20)
    user = UserFactory.create()
    people.give_account(players[0], user)
    before = list(Seat.objects.values_list("game", "number", "total", "place"))
    path = reverse("players:anonymise", args=[cast.league.slug, players[0].pk])
    assert cast.client("scorekeeper").post(path).status_code == 403
    cast.client("owner").post(path)
    player = Player.objects.get(pk=players[0].pk)
    assert (player.name, player.user, player.hidden) == ("Former player 1", None, True)
    assert list(Seat.objects.values_list("game", "number", "total", "place")) == before
    assert record.rebuild(game.pk) == 0
    page = cast.client("owner").get(reverse("scoring:season", args=[cast.league.slug])).content.decode()
    assert "Annabella" not in page
    assert "Former player 1" in page


def test_two_people_can_be_made_anonymous(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    assert [membership.anonymise(player).name for player in players] == ["Former player 1", "Former player 2"]


# ---------------------------------------------------------------------------------------------------------------------
# Ratings


def rated(league: League) -> dict[str, float]:
    ratings.refresh(league)
    return {rating.player.name: rating.mu for rating in Rating.objects.filter(book__league=league).select_related("player")}


def test_input_56_with_a_tie_for_the_first_place_ratings_do_not_rise_down_the_table() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot", "Eva")
    ratings.switch(league, on=True)
    finished_game(league, players, "one", 10, 10, 30, 40, 50)
    found = list(rated(league).values())
    assert found == sorted(found, reverse=True)
    assert found[0] == found[1] > found[2]


def test_input_57_the_order_of_seats_decides_no_rating() -> None:
    first, players = league_of("Ana", "Ben", "Cai")
    second, twins = league_of("Ana", "Ben", "Cai", slug="Friday")
    for league in (first, second):
        ratings.switch(league, on=True)
    finished_game(first, players, "one", 10, 10, 30)
    finished_game(second, twins[::-1], "two", 30, 10, 10)
    assert rated(first) == pytest.approx(rated(second))


def test_input_55_a_game_struck_out_leaves_the_ratings_of_a_history_without_it() -> None:
    first, players = league_of("Ana", "Ben", "Cai")
    second, twins = league_of("Ana", "Ben", "Cai", slug="Friday")
    for league in (first, second):
        ratings.switch(league, on=True)
    for number in range(10):
        totals = (number, 20 - number, 7)
        game = finished_game(first, players, f"g{number}", *totals)
        if number == 3:
            rated(first)
            struck = game
        else:
            finished_game(second, twins, f"g{number}", *totals)
    act(struck, "strike", reason="a wrong pack")
    assert rated(first) == pytest.approx(rated(second))


def test_a_league_that_does_not_rate_shows_none_and_the_switch_is_the_owners(cast: Cast) -> None:
    path = reverse("scoring:switch-ratings", args=[cast.league.slug])
    cast.expects(path, {"on": "1"}, owner=302, scorekeeper=403, member=403, viewer=403)
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    game_on(cast.league, players, date(2026, 3, 3), 10, 20)
    page = reverse("scoring:statistics", args=[cast.league.slug])
    assert "does not rate" in cast.client("owner").get(page).content.decode()
    cast.client("owner").post(path, {"on": "1"})
    assert Rating.objects.count() == 0
    assert "Bradley-Terry" in cast.client("viewer").get(page).content.decode()
    assert Rating.objects.count() == 2


def test_a_long_history_is_replayed_beside_the_request(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    ratings.switch(cast.league, on=True)
    game_on(cast.league, players, date(2026, 3, 3), 10, 20)
    started: list[str] = []
    monkeypatch.setattr(ratings, "AT_ONCE", 0)
    monkeypatch.setattr(threading.Thread, "start", lambda thread: started.append(thread.name))
    page = cast.client("viewer").get(reverse("scoring:statistics", args=[cast.league.slug])).content.decode()
    assert "being worked out anew" in page
    assert len(started) == 1
    ratings._WORKING.clear()
    assert not Rating.objects.exists()


# ---------------------------------------------------------------------------------------------------------------------
# The desk of a table


def test_joining_roles_and_striking_work_from_the_pages(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")]
    game = short_game(cast.league, players[:3], "one")
    client = cast.client("scorekeeper")
    assert "Somebody joins" in client.get(reverse("scoring:manage", args=[game.pk])).content.decode()
    do = reverse("scoring:do", args=[game.pk])
    send = {"page": "manage"}
    assert client.post(do, {**send, "client_id": "a", "do": "join", "player": players[3].pk}).status_code == 303
    assert game.seats.count() == 4
    client.post(do, {**send, "client_id": "b", "do": "role", "seat": "1", "role": "guest", "stands_for": players[3].pk})
    assert game.seats.get(number=1).role == "guest"
    hand(game, 1, "out", 10, 20, 30)
    hand(game, 2, "out", 10, 20, 30)
    sheet = client.get(reverse("scoring:sheet", args=[game.pk])).content.decode()
    assert "sat here as a guest" in sheet
    client.post(do, {"page": "sheet", "client_id": "c", "do": "strike", "reason": "wrong pack"})
    assert not PlayerSeason.objects.exists()
    assert "struck from the books" in client.get(reverse("scoring:sheet", args=[game.pk])).content.decode()


def test_a_stranger_to_the_league_can_neither_join_nor_be_stood_for() -> None:
    league, players = league_of("Ana", "Ben")
    _other, (zoe,) = league_of("Zoe", slug="Friday")
    game = short_game(league, players, "one")
    for kind, data in (("join", {"player": zoe.pk}), ("role", {"seat": 0, "role": "substitute", "stands_for": zoe.pk})):
        with pytest.raises(Refused, match="player-unknown"):
            act(game, kind, **data)
