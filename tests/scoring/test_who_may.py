"""Who gets in where: a table of every address of a game, so that a new one cannot be left out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.urls.resolvers import URLPattern

from players import joining, people
from scoring import urls
from scoring.models import Photo, Ruling
from tests.cast import EVERYBODY, Cast
from tests.scoring.tables import act, game_of, hand
from tests.scoring.test_phones import phone, spectator
from tests.scoring.test_photos import picture, send

pytestmark = pytest.mark.django_db

OWNER: Final = frozenset({"owner"})
SCORES: Final = OWNER | {"scorekeeper"}
AT_THE_TABLE: Final = SCORES | {"seat"}
INSIDE: Final = AT_THE_TABLE | {"member", "viewer"}
LOOKS: Final = INSIDE | {"watcher"}
OUTSIDE: Final[Mapping[str, int]] = {"stranger": 404, "anonymous": 302, "elsewhere": 302, "revoked": 403}
"""What those get who may not know that the game exists: no such page, the way to sign in, or that their seat is gone."""

MAY_READ: Final = {
    "table": LOOKS,
    "count": AT_THE_TABLE,
    "sheet": LOOKS,
    "history": LOOKS,
    "board": LOOKS,
    "correct": SCORES,
    "manage": SCORES,
    "phones": SCORES,
    "photos": INSIDE,
    "photo": INSIDE,
    "photo-file": INSIDE,
    "transcribe": INSIDE,
    "evidence": INSIDE,
    "wrong": LOOKS,
    "rulings": LOOKS,
    "house-rule": OWNER,
    "game-check": LOOKS,
    "game-check-hand": LOOKS,
    "game-rules": LOOKS,
    "game-sheet": LOOKS,
}
MAY_WRITE: Final = {"do": SCORES, "reseat": SCORES, "phones": SCORES, "house-rule": OWNER}
"""Who may send an empty form; what a seat may do at ``do`` depends on the action, and stands in ``test_phones``."""
OF_NOBODY_ELSE: Final = {"leave-seat"}
"""What concerns nothing but the phone that asks."""


def addresses() -> dict[str, URLPattern]:
    return {
        str(item.name): item
        for item in urls.urlpatterns
        if isinstance(item, URLPattern) and str(item.pattern).startswith("g/<int:pk>/")
    }


@pytest.fixture
def visitors(cast: Cast, settings: Any, tmp_path: Path) -> tuple[dict[str, Client], dict[str, Any]]:
    """Everybody who may come to a game, and what the addresses of that game hold."""
    settings.PHOTO_DIR = tmp_path / "photos"
    game = game_of(cast.league, [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")])
    other = game_of(cast.league, [people.add_player(cast.league, name) for name in ("Eva", "Fay")])
    hand(game, 1, "out", 10, 20, 30)
    send(cast.client("owner"), game, picture())
    melds = [{"row": "m0", "cards": "7H 7S 7D"}]
    rev = act(game, "evidence", hand=1, photo="", melds=melds, verdict="legal", reasons=[], query="").rev
    Ruling.objects.create(
        league=cast.league, game=game, rev=rev, at=game.created_at, kind="misdeal", path="agreed", facts={}, hand=1
    )
    clients = {who: cast.client(who) for who in EVERYBODY}
    clients |= {"seat": phone(game, 1), "watcher": spectator(game), "revoked": phone(game, 2), "elsewhere": phone(other, 0)}
    joining.revoke_seat(game.pk, 2)
    return clients, {"pk": game.pk, "number": 1, "name": Photo.objects.get().name, "rev": rev}


def test_every_address_of_a_game_stands_in_the_table() -> None:
    assert set(addresses()) == {*MAY_READ, *MAY_WRITE, *OF_NOBODY_ELSE}


@pytest.mark.parametrize(
    ("method", "name", "let_in"),
    [("get", name, let_in) for name, let_in in MAY_READ.items()] + [("post", name, let_in) for name, let_in in MAY_WRITE.items()],
)
def test_who_gets_in(visitors: tuple[dict[str, Client], dict[str, Any]], method: str, name: str, let_in: frozenset[str]) -> None:
    clients, parts = visitors
    held = {part: parts[part] for part in addresses()[name].pattern.converters}
    path = reverse(f"scoring:{name}", kwargs=held)
    answers = {who: getattr(client, method)(path).status_code for who, client in clients.items()}
    expected = {who: OUTSIDE.get(who, 403) for who in clients if who not in let_in}
    assert {who: answers[who] for who in expected} == expected
    assert {who: answers[who] in {200, 400, 422} for who in let_in} == dict.fromkeys(let_in, True)


@pytest.mark.parametrize("who", ["seat", "watcher", "revoked", "elsewhere"])
def test_a_phone_without_an_account_sees_no_page_of_the_league(
    cast: Cast, visitors: tuple[dict[str, Client], dict[str, Any]], who: str
) -> None:
    clients, _parts = visitors
    names = [
        str(item.name)
        for item in urls.urlpatterns
        if isinstance(item, URLPattern)
        and str(item.pattern).startswith("l/<slug:slug>/")
        and set(item.pattern.converters) == {"slug"}
    ]
    assert "league" in names
    for name in dict.fromkeys(names):
        answer = clients[who].get(reverse(f"scoring:{name}", args=[cast.league.slug]))
        assert answer.status_code in {302, 405}, name
