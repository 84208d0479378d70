"""The head of a page is written once for all who see the same in it, and for nobody else."""

import re
from collections.abc import Iterator
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from players.models import League
from players.templatetags import masthead
from tests.cast import EVERYBODY, Cast
from tests.factories import LeagueFactory, MembershipFactory

pytestmark = pytest.mark.django_db

_COOKIES: tuple[dict[str, str], ...] = ({}, {"django_language": "es"}, {"theme": "dark"}, {"suits": "four"})


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """A request leaves its language to the thread."""
    with translation.override("en"):
        yield


def _head(page: str) -> str:
    """The head without the token of its forms, which is new at each request."""
    (head,) = re.findall(r'<header class="masthead">.*</header>', page, re.DOTALL)
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w{64}"', r"\1", head)


def _everywhere(cast: Cast, *, kept: bool) -> list[str]:
    """Read the head that everybody sees, with each cookie, on pages of the league and of none; anew each time, or kept."""
    masthead._kept.cache_clear()
    heads = []
    paths = [reverse("players:home"), reverse("scoring:check")]
    paths += [reverse(name, args=[cast.league.slug]) for name in ("scoring:league", "scoring:season", "players:people")]
    for who, cookies, path in product(EVERYBODY, _COOKIES, paths):
        client = cast.client(who)
        for name, value in cookies.items():
            client.cookies[name] = value
        for _time in range(2 if kept else 1):
            heads.append(_head(client.get(path, {"q": "a&b"}, follow=True).content.decode()))
            for user in cast.users.values():
                assert (f"<bdi>{user.username}</bdi>" in heads[-1]) == (user == cast.users.get(who))
            if not kept:
                masthead._kept.cache_clear()
    return heads[1::2] if kept else heads


def test_a_kept_head_is_the_head_that_the_page_would_have_written(cast: Cast) -> None:
    MembershipFactory.create(user=cast.users["member"], league=LeagueFactory.create(name="Friday"), role="owner")
    cast.league.public = True
    cast.league.save()
    anew = _everywhere(cast, kept=False)
    assert len(set(anew)) > 60
    assert _everywhere(cast, kept=True) == anew


def test_a_league_that_is_called_otherwise_is_so_in_the_next_head(cast: Cast) -> None:
    client, path = cast.client("owner"), reverse("scoring:league", args=[cast.league.slug])
    assert '<bdi class="menu__name">Thursday</bdi>' in client.get(path).content.decode()
    League.objects.update(name="Ana & Ben")
    assert '<bdi class="menu__name">Ana &amp; Ben</bdi>' in client.get(path).content.decode()


def test_a_form_of_a_kept_head_has_the_token_of_its_own_page(cast: Cast) -> None:
    path = reverse("scoring:check")
    for _browser in range(2):
        client = Client(enforce_csrf_checks=True)
        page = client.get(path, {"cards": '"><b>'}).content.decode()
        assert '"><b>' not in _head(page)
        (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page))
        sent = {"language": "es", "next": path, "csrfmiddlewaretoken": token}
        assert client.post(reverse("players:language"), sent).status_code == 302
        assert client.post(reverse("players:language"), {**sent, "csrfmiddlewaretoken": "a" * 64}).status_code == 403
