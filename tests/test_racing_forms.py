"""Whole requests at the same moment, in threads with connections of their own, on SQLite and on PostgreSQL.

One of two who want the same thing gets it and the other a sentence, nobody an error, and the books stay right.
"""

import os
import sys
import traceback
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from django.core.signals import got_request_exception
from django.http import HttpResponse
from django.urls import reverse

from scoring.models import Event, Game, RuleSheet, Season
from tests.cast import assemble
from tests.forms import Page
from tests.scoring.tables import act, game_of, hand
from tests.test_every_form import Browser, Deed, Everything, browser, deeds, everything
from tests.test_races import assert_books_are_right, together

pytestmark = pytest.mark.django_db(transaction=True)

LONG: Final = "CONTINENTAL_LONG" in os.environ
"""In the long run (``CONTINENTAL_LONG=1``) many more forms are sent at once; it takes minutes."""


@pytest.fixture
def world(db: None, settings: Any, tmp_path: Any) -> Everything:
    settings.PHOTO_DIR = tmp_path / "photos"
    return everything(assemble())


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """Collect what breaks while a request is answered."""
    found: list[str] = []

    def note(**_signal: Any) -> None:
        found.append("".join(traceback.format_exception(*sys.exc_info())[-3:]))

    got_request_exception.connect(note)
    yield found
    got_request_exception.disconnect(note)
    assert not found, "\n".join(found)


def post(client: Browser, address: str, **sent: Any) -> HttpResponse:
    pairs = [(name, one) for name, value in sent.items() for one in (value if isinstance(value, list) else [value])]
    body = "&".join(f"{name}={one}" for name, one in pairs)
    return client.ask("POST", address, body.encode(), "application/x-www-form-urlencoded")


def said(answer: HttpResponse) -> str:
    return " ".join(Page(answer.content.decode(), "/").alerts)


def one_wins(answers: list[HttpResponse], *, lost: int = 409) -> None:
    """Assert that one of the answers leads on, and that all others say why they do not."""
    assert sorted(answer.status_code for answer in answers) == [303, *[lost] * (len(answers) - 1)]
    assert all(said(answer) for answer in answers if answer.status_code == lost)


def at_table(world: Everything, game: int, *forms: dict[str, Any]) -> list[HttpResponse]:
    """Send several forms of a game at the same moment, each by a phone of its own."""
    address = reverse("scoring:do", args=[game])
    numbered = [{"client_id": f"{game}-{Event.objects.count()}-{place}", **form} for place, form in enumerate(forms)]
    return together(*[partial(post, browser(world, "owner"), address, **form) for form in numbered])


def fresh(world: Everything) -> Game:
    """Give a game with one closed hand and an untouched one."""
    game = game_of(world.cast.league, [seat.player for seat in world.game.seats.order_by("number")])
    hand(game, 1, "out", 10, 20, 30)
    return game


def test_of_phones_that_count_one_seat_differently_one_is_kept_and_all_are_shown(world: Everything, errors: list[str]) -> None:
    for _round in range(3):
        game = fresh(world).pk
        count = {"do": "count", "page": "count", "hand": "2", "seat": "1", "seen": "0", "kind": "points"}
        answers = at_table(world, game, *[count | {"points": str(points)} for points in (15, 25, 35)])
        one_wins(answers)
        assert Event.objects.filter(game=game, kind="count", data__hand=2).count() == 1
    assert_books_are_right(world.cast.league)


def test_of_two_who_end_or_suspend_or_count_at_once_the_second_is_told_how_it_stands(
    world: Everything, errors: list[str]
) -> None:
    finish, suspend = {"do": "finish", "page": "manage"}, {"do": "suspend", "page": "manage", "consent": ["0", "1", "2", "3"]}
    count = {"do": "count", "page": "count", "hand": "2", "seat": "1", "kind": "points", "points": "15"}
    undo = {"do": "undo", "page": "sheet"}
    pairs: list[list[dict[str, Any]]] = [
        [finish, finish], [suspend, suspend], [finish, suspend], [suspend, count], [finish, count], [undo, count],
    ]  # fmt: skip
    for pair in pairs:
        game = fresh(world)
        target = {"target": str(Event.objects.filter(game=game).latest("rev").rev)}
        forms = [form | target if form is undo else form for form in pair]
        answers = at_table(world, game.pk, *forms)
        assert all(answer.status_code in {303, 409, 422} for answer in answers), forms
        assert any(answer.status_code == 303 for answer in answers), forms
        assert all(said(answer) for answer in answers if answer.status_code != 303), forms
    assert_books_are_right(world.cast.league)


def test_of_two_who_resume_or_undo_or_close_one_does(world: Everything, errors: list[str]) -> None:
    resumed = fresh(world)
    players = [str(pk) for pk in resumed.seats.order_by("number").values_list("player", flat=True)]
    act(resumed, "suspend", consent=[0, 1, 2, 3])
    resume = {"do": "resume", "page": "manage", "players": players, "present": players}
    assert sorted(answer.status_code for answer in at_table(world, resumed.pk, resume, resume)) in ([303, 409], [303, 422])
    game = fresh(world)
    last = str(Event.objects.filter(game=game).latest("rev").rev)
    one_wins(at_table(world, game.pk, *[{"do": "undo", "page": "sheet", "target": last}] * 3))
    one_wins(at_table(world, game.pk, *[{"do": "close", "page": "count", "hand": "1", "confirmed": "1"}] * 3))
    assert_books_are_right(world.cast.league)


def test_a_form_that_two_taps_send_twice_counts_once(world: Everything, errors: list[str]) -> None:
    game = fresh(world)
    opened = {"do": "opened", "page": "table", "hand": "2", "seat": "1", "on": "1", "client_id": "twice"}
    assert [answer.status_code for answer in at_table(world, game.pk, *[opened] * 4)] == [303] * 4
    assert Event.objects.filter(game=game, kind="opened", data__hand=2).count() == 1
    before = Game.objects.count()
    address = reverse("scoring:new-game", args=[world.cast.league.slug])
    players = [str(pk) for pk in game.seats.order_by("number").values_list("player", flat=True)]
    start = {"do": "start", "players": players, "sheet": "house", "first_dealer": "0", "client_id": "twice"}
    answers = together(*[partial(post, browser(world, "owner"), address, **start)] * 4)
    assert len({answer.headers["Location"] for answer in answers}) == 1
    assert Game.objects.count() == before + 1


def test_a_season_closes_once_and_a_correction_beside_it_is_in_its_table_or_marked(world: Everything, errors: list[str]) -> None:
    league = world.cast.league
    for game in Game.objects.filter(season=world.season).exclude(status__in=["finished", "void"]):
        act(game, "finish")
    season = Season.objects.get(pk=world.season.pk)
    # The season is over: its last day was moved to before today, as the turn of the year would.
    Season.objects.filter(pk=season.pk).update(starts="2020-01-01", ends="2020-12-31")
    close = reverse("scoring:close-season", args=[league.slug, season.pk])
    correct = reverse("scoring:do", args=[world.game.pk])
    count = {"do": "count", "page": "correct", "hand": "1", "seat": "2", "kind": "points", "points": "45", "agreed": "all"}
    answers = together(
        *[partial(post, browser(world, "owner"), close)] * 2,
        partial(post, browser(world, "owner"), correct, **count, reason="recounted", client_id="correct"),
    )
    assert [answer.status_code for answer in answers] == [302, 302, 303]
    season.refresh_from_db()
    assert season.snapshot is not None
    assert_books_are_right(league)


def test_sheets_of_one_name_made_at_once_are_versions_of_it(world: Everything, errors: list[str]) -> None:
    address = reverse("scoring:new-sheet", args=[world.cast.league.slug])
    page = Page(browser(world, "owner").ask("GET", address).content.decode(), address)
    form = next(form for form in page.forms if "hands" in form.names)
    sent = [*((name, "Zoe" if name == "name" else value) for name, value in form.sent()), ("do", "keep")]
    answers = together(*[partial(browser(world, "owner").send, form, sent) for _one in range(3)])
    assert {answer.status_code for answer in answers} == {302}
    versions = list(RuleSheet.objects.filter(name="Zoe").values_list("version", flat=True))
    assert sorted(versions) == [1, 2, 3]


@pytest.mark.parametrize("seed", range(6 if LONG else 1))
def test_any_forms_sent_at_once_break_nothing(world: Everything, errors: list[str], seed: int) -> None:
    random = Random(20260101 + seed)
    sendable = [deed for deed in deeds(world) if deed.form.method == "post" and not deed.form.action.endswith("/rules/new/")]
    for _round in range(60 if LONG else 15):
        together_now = random.sample(sendable, 3)
        together_now += random.choices(together_now, k=1)
        answers = together(*[partial(_send, world, deed) for deed in together_now])
        assert max(answer.status_code for answer in answers) < 500, [str(deed) for deed in together_now]
    for league in {game.league for game in Game.objects.select_related("league")}:
        assert_books_are_right(league)


def _send(world: Everything, deed: Deed) -> HttpResponse:
    return browser(world, deed.who).send(deed.form, deed.pairs)
