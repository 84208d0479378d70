"""Who may do what, for the whole cast."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.test import RequestFactory

from players.models import League, Player
from players.permissions import NOBODY, Action, Actor, SignInNeeded, actor_of, may, require
from tests.cast import EVERYBODY, SIGN_IN, Cast
from tests.factories import PlayerFactory

LOOK = {"VIEW_LEAGUE", "VIEW_GAME"}
INSIDE = LOOK | {"SEE_PHOTOS"}
SCORE = INSIDE | {"SCORE", "MANAGE_PLAYERS", "TAP", "PLAY_SEAT", "ACCEPT"}
EVERYTHING = {action.name for action in Action}

pytestmark = pytest.mark.django_db


def actor(cast: Cast, who: str) -> Actor:
    return NOBODY if who == "anonymous" else Actor.of_user(cast.users[who])


def request_of(cast: Cast, who: str) -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = AnonymousUser() if who == "anonymous" else cast.users[who]
    return request


def allowed(cast: Cast, who: str, league: League) -> set[str]:
    return {action.name for action in Action if may(actor(cast, who), action, league)}


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("owner", EVERYTHING),
        ("scorekeeper", SCORE),
        ("member", INSIDE),
        ("viewer", INSIDE),
        ("stranger", set()),
        ("anonymous", set()),
    ],
)
def test_each_role_may_do_what_it_says_and_no_more(cast: Cast, who: str, expected: set[str]) -> None:
    assert allowed(cast, who, cast.league) == expected


@pytest.mark.parametrize("who", ["stranger", "anonymous"])
def test_a_public_league_lets_everybody_look_and_nobody_write(cast: Cast, who: str) -> None:
    cast.league.public = True
    assert allowed(cast, who, cast.league) == LOOK


def test_an_owner_is_nobody_in_the_league_of_others(cast: Cast) -> None:
    other = League.objects.exclude(pk=cast.league.pk).get()
    assert allowed(cast, "owner", other) == set()


def test_an_account_that_was_closed_is_nobody(cast: Cast) -> None:
    cast.owner.is_active = False
    assert actor_of(request_of(cast, "owner")) == NOBODY


def test_roles_are_read_once_a_request(cast: Cast, django_assert_num_queries: pytest.FixtureRequest) -> None:
    request = request_of(cast, "owner")
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert all(may(actor_of(request), action, cast.league) for action in Action)


def test_what_one_may_not_see_does_not_exist(cast: Cast) -> None:
    with pytest.raises(Http404):
        require(request_of(cast, "stranger"), Action.SCORE, cast.league)


def test_what_one_sees_but_may_not_do_is_refused(cast: Cast) -> None:
    with pytest.raises(PermissionDenied, match="role"):
        require(request_of(cast, "viewer"), Action.SCORE, cast.league)


@pytest.mark.parametrize("exists", [True, False])
def test_nobody_is_asked_to_sign_in_whether_or_not_the_league_exists(cast: Cast, exists: bool) -> None:
    with pytest.raises(SignInNeeded):
        require(request_of(cast, "anonymous"), Action.VIEW_LEAGUE, cast.league if exists else None)


@pytest.mark.parametrize("who", [who for who in EVERYBODY if who != "anonymous"])
def test_a_league_that_does_not_exist_is_missing_for_all_who_signed_in(cast: Cast, who: str) -> None:
    with pytest.raises(Http404):
        require(request_of(cast, who), Action.VIEW_LEAGUE, None)


def test_the_people_page_is_for_those_who_may_look(cast: Cast) -> None:
    cast.expects(f"/l/{cast.league.slug}/people/", owner=200, scorekeeper=200, member=200, viewer=200)


def test_the_people_page_of_a_public_league_is_for_all(cast: Cast) -> None:
    League.objects.filter(pk=cast.league.pk).update(public=True)
    path = f"/l/{cast.league.slug}/people/"
    cast.expects(path, owner=200, scorekeeper=200, member=200, viewer=200, stranger=200, anonymous=200)


def test_in_a_public_league_a_stranger_is_refused_what_anonymous_must_sign_in_for(cast: Cast) -> None:
    League.objects.filter(pk=cast.league.pk).update(public=True)
    path = f"/l/{cast.league.slug}/people/add/"
    cast.expects(path, {"name": "Ben"}, owner=302, scorekeeper=302, member=403, viewer=403, stranger=403, anonymous=SIGN_IN)


def test_scorekeepers_add_players(cast: Cast) -> None:
    path = f"/l/{cast.league.slug}/people/add/"
    cast.expects(path, {"name": "Ben"}, owner=302, scorekeeper=302, member=403, viewer=403)


def test_scorekeepers_edit_players(cast: Cast) -> None:
    player = PlayerFactory.create(league=cast.league)
    path = f"/l/{cast.league.slug}/people/{player.pk}/edit/"
    cast.expects(path, owner=200, scorekeeper=200, member=403, viewer=403)
    cast.expects(path, {"name": "Benito"}, owner=302, scorekeeper=302, member=403, viewer=403)


def test_a_player_is_not_reached_through_another_league(cast: Cast) -> None:
    elsewhere = PlayerFactory.create()
    path = f"/l/{cast.league.slug}/people/{elsewhere.pk}/edit/"
    cast.expects(path, owner=404, scorekeeper=404, member=403, viewer=403)
    assert Player.objects.get(pk=elsewhere.pk).name == elsewhere.name


def test_only_the_owner_makes_accounts(cast: Cast) -> None:
    path = f"/l/{cast.league.slug}/members/add/"
    cast.expects(path, {"username": "Ben", "role": "viewer"}, owner=200, scorekeeper=403, member=403, viewer=403)


def test_only_the_owner_changes_roles_passwords_and_members(cast: Cast) -> None:
    member = cast.users["member"].memberships.get()
    path = f"/l/{cast.league.slug}/members/{member.pk}/"
    cast.expects(path, owner=200, scorekeeper=403, member=403, viewer=403)
    cast.expects(path, {"role": "owner"}, owner=302, scorekeeper=403, member=403, viewer=403)
    cast.expects(path + "password/", {}, owner=200, scorekeeper=403, member=403, viewer=403)
    cast.expects(path + "remove/", {}, owner=302, scorekeeper=403, member=403, viewer=403)


def test_only_the_owner_sees_the_accounts(cast: Cast) -> None:
    path = f"/l/{cast.league.slug}/people/"
    seen = {who: b"Add an account" in cast.client(who).get(path).content for who in EVERYBODY}
    assert seen == {who: who == "owner" for who in EVERYBODY}


def test_only_the_owner_changes_the_league(cast: Cast) -> None:
    path = f"/l/{cast.league.slug}/settings/"
    cast.expects(path, owner=200, scorekeeper=403, member=403, viewer=403)
    cast.expects(path, {"name": "Friday", "timezone": "UTC"}, owner=302, scorekeeper=403, member=403, viewer=403)


def test_everybody_with_an_account_may_start_a_league(cast: Cast) -> None:
    cast.expects("/new-league/", owner=200, scorekeeper=200, member=200, viewer=200, stranger=200)


def test_a_fragment_asked_for_by_htmx_leads_the_whole_page_to_sign_in(cast: Cast) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/l/thursday/"}
    answer = cast.client("anonymous").post(f"/l/{cast.league.slug}/people/add/", {"name": "Ben"}, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["HX-Redirect"] == "/sign-in/?next=http%3A//testserver/l/thursday/"


def test_a_refused_page_says_so_in_a_sentence(cast: Cast) -> None:
    answer = cast.client("viewer").get(f"/l/{cast.league.slug}/settings/")
    assert "The owner of the league can change your role." in answer.content.decode()
