"""A guest at the table and one who looks on by a link: they read what the game is played by, and meet no door that is shut."""

import re
from collections import deque
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from players import people
from players.models import League
from scoring import record
from scoring.models import Game, RuleSheet
from scoring.record import By
from tests.cast import Cast
from tests.scoring.tables import act, game_of, hand
from tests.scoring.test_phones import phone, spectator

pytestmark = pytest.mark.django_db

OPEN_TO_ALL = ("/static/", "/rules/", "/check/", "/sign-in/")
"""Addresses that need no place at any table."""


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game by a sheet with a line of the house, which was ruled at a table that its guests know nothing of."""
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")]
    elsewhere = game_of(cast.league, players)
    line = {"text": "Whoever spills the tea deals.", "game": elsewhere.pk, "ruling": 2}
    sheet = record.add_sheet(cast.league, "With tea", "house", {}, By(), notes=[line])
    game = record.start_game(cast.league, sheet, players, 0, By(), client_id="with-tea")
    hand(game, 1, "out", 10, 20, 30)
    act(game, "count", hand=1, seat=1, kind="points", points="15", reason="miscounted")
    return game


def visitors(game: Game) -> dict[str, Client]:
    return {"guest": phone(game, 1), "watcher": spectator(game), "passer-by": Client()}


def links_on(text: str) -> set[str]:
    return {unescape(found) for found in re.findall(r'<a\b[^>]*\bhref="([^"#]+)', text)}


@pytest.mark.parametrize("who", ["guest", "watcher", "passer-by"])
def test_no_link_leads_a_guest_to_a_door_that_is_shut(game: Game, who: str) -> None:
    League.objects.update(public=who == "passer-by")
    client = visitors(game)[who]
    start = reverse("scoring:table", args=[game.pk])
    seen, waiting = {start}, deque([(start, "the start")])
    shut = {}
    while waiting:
        address, page = waiting.popleft()
        answer = client.get(address)
        if answer.status_code != 200:
            shut[address] = (answer.status_code, page)
        elif "text/html" in answer.headers["Content-Type"]:
            new = {
                link for link in links_on(answer.content.decode()) if link.startswith("/") and not link.startswith(OPEN_TO_ALL)
            }
            waiting.extend((link, address) for link in new - seen)
            seen |= new
    assert shut == {}
    assert reverse("scoring:sheet", args=[game.pk]) in seen
    assert (reverse("scoring:game-sheet", args=[game.pk]) in seen) == (who != "passer-by")


@pytest.mark.parametrize("who", ["guest", "watcher"])
def test_a_guest_reads_the_sheet_and_the_book_of_the_game_and_no_other(cast: Cast, game: Game, who: str) -> None:
    client = visitors(game)[who]
    sheet = client.get(reverse("scoring:game-sheet", args=[game.pk])).content.decode()
    assert "With tea" in sheet
    assert "Whoever spills the tea deals." in sheet
    assert "Whoever spills the tea deals." in client.get(reverse("scoring:game-rules", args=[game.pk])).content.decode()
    other = Game.objects.exclude(pk=game.pk).get()
    for name, number in (("game-sheet", other.pk), ("game-rules", other.pk)):
        assert client.get(reverse(f"scoring:{name}", args=[number])).status_code == 302
    for found in RuleSheet.objects.all():
        assert client.get(reverse("scoring:rule-sheet", args=[cast.league.slug, found.pk])).status_code == 302


@pytest.mark.parametrize(
    ("who", "status"), [("owner", 200), ("scorekeeper", 200), ("member", 200), ("stranger", 404), ("nobody", 302)]
)
def test_who_may_look_at_a_game_may_read_its_sheet(cast: Cast, game: Game, who: str, status: int) -> None:
    client = cast.client(who) if who != "nobody" else Client()
    assert client.get(reverse("scoring:game-sheet", args=[game.pk])).status_code == status


def test_whoever_sees_the_league_is_led_to_the_sheet_in_it_and_to_the_ruling_behind_a_line(cast: Cast, game: Game) -> None:
    client = cast.client("member")
    score_sheet = client.get(reverse("scoring:sheet", args=[game.pk])).content.decode()
    assert reverse("scoring:rule-sheet", args=[cast.league.slug, game.sheet_id]) in links_on(score_sheet)
    other = Game.objects.exclude(pk=game.pk).get()
    pinned = client.get(reverse("scoring:game-sheet", args=[game.pk])).content.decode()
    assert reverse("scoring:rulings", args=[other.pk]) in links_on(pinned)


def test_a_sheet_names_the_preset_it_starts_from_in_words(cast: Cast, game: Game) -> None:
    pinned = cast.client("member").get(reverse("scoring:game-sheet", args=[game.pk])).content.decode()
    assert f"From {game.sheet.base_name}, kept on" in pinned
    assert game.sheet.base_name != game.sheet.base
