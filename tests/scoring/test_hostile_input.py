"""What no form of ours sends, and somebody will: every page answers with a sentence, and nothing is half written."""

from typing import Any, Final

import pytest
from django.test import Client

from players.models import Invitation
from scoring import record
from scoring.models import Entry, Event, Game, Ruling
from scoring.record import By
from scoring.state import Refused
from tests.scoring import tables

pytestmark = pytest.mark.django_db

ODD: Final = ["", "7\0", "9" * 5000, "٣", "sheet:" + "9" * 5000, "é" * 500]


@pytest.fixture
def table() -> tuple[Client, Game]:
    owner, game, _finished = tables.eight_at_a_table()
    client = Client(raise_request_exception=False)
    client.force_login(owner)
    return client, game


def _send(client: Client, path: str, fields: dict[str, Any]) -> None:
    answer = client.post(path, fields)
    assert answer.status_code < 500, (path, {name: str(value)[:20] for name, value in fields.items()})


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_field_of_an_action_breaks_the_page_or_the_log(table: tuple[Client, Game], odd: str) -> None:
    client, game = table
    plain = {"do": "count", "page": "count", "hand": "5", "seat": "1", "client_id": "odd", "kind": "cards", "cards": "7H"}
    for name in [
        *plain,
        "points",
        "missing",
        "reason",
        "seen",
        "nth",
        "target",
        "of",
        "consent",
        "players",
        "present",
        "entry-kind",
    ]:
        for do in ("count", "suspend", "resume", "undo", "accept"):
            _send(client, f"/g/{game.pk}/do/", {**plain, "do": do, "client_id": f"{name}-{do}", name: odd})
    _send(client, f"/g/{game.pk}/more/reseat/", {"move": f"up:{odd}", "players": odd})
    assert record.rebuild(game.pk) == 0
    assert all(len(str(event.data)) < 1000 for event in Event.objects.filter(game=game))


@pytest.mark.parametrize("odd", [*ODD, "99999999999", "1"], ids=range(len(ODD) + 2))
def test_a_ruling_hangs_on_no_cards_that_were_never_read(table: tuple[Client, Game], odd: str) -> None:
    client, game = table
    ruling = {"do": "ruling", "page": "wrong", "kind": "misdeal", "own": "1", "words": "Deal again.", "reason": "seen"}
    _send(client, f"/g/{game.pk}/do/", {**ruling, "hand": "5", "client_id": "odd", "evidence": odd})
    if "\0" not in odd:
        assert Ruling.objects.get().evidence is None


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_field_of_a_new_game_breaks_the_page(table: tuple[Client, Game], odd: str) -> None:
    client, game = table
    seated = [str(player) for player in game.seats.values_list("player", flat=True)]
    plain: dict[str, Any] = {"players": seated, "sheet": "house", "round": "AS,KS", "first_dealer": "0", "client_id": "new"}
    for do in ("start", "draw", f"seat:{odd}", f"dealer:{odd}", f"up:{odd}", odd):
        for name in [*plain, "name", "do"]:
            _send(client, f"/l/{game.league.slug}/new-game/", {**plain, "do": do, name: odd})


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_question_in_an_address_breaks_a_page(table: tuple[Client, Game], odd: str) -> None:
    client, game = table
    league = f"/l/{game.league.slug}/"
    pages = ["", "season/", "rules/", "rules/new/", "rules/compare/", f"rules/{game.sheet.pk}/paper/", "people/", "new-game/"]
    for path in [league + page for page in pages] + [
        f"/g/{game.pk}/",
        f"/g/{game.pk}/count/",
        f"/g/{game.pk}/history/",
        "/j/",
        "/",
    ]:
        answer = client.get(path, dict.fromkeys(("seat", "players", "from", "a", "b", "s", "code", "next", "season"), odd))
        assert answer.status_code < 500, path


def test_a_paper_sheet_has_as_many_columns_as_people_can_sit(table: tuple[Client, Game]) -> None:
    client, game = table
    answer = client.get(f"/l/{game.league.slug}/rules/{game.sheet.pk}/paper/", {"players": "0004000000"})
    assert len(answer.context["columns"]) == 6


def test_a_nul_in_an_address_is_turned_away_before_the_database_sees_it(table: tuple[Client, Game]) -> None:
    client, game = table
    assert Invitation.objects.count() == 0
    for path in ("/j/%00/", "/w/%00/", f"/l/{game.league.slug}/?x=%00"):
        assert client.get(path).status_code == 400, path


@pytest.mark.parametrize("said", ["x" * 401, "a\0b", "\ud800"])
def test_a_text_that_no_database_keeps_is_refused_in_words(table: tuple[Client, Game], said: str) -> None:
    game = table[1]
    for data in ({"kind": "cards", "cards": "7H", "points": said}, {"kind": "cards", "cards": "7H", "more": [said]}):
        with pytest.raises(Refused, match="text-unreadable"):
            record.apply(game.pk, "count", {"hand": 5, "seat": 0, **data}, By(), client_id="odd")


@pytest.mark.parametrize("typed", ["1_0", "٣", "３", "³", "++5", "+-5", "-", "+", "1 0", "5.0", "0x5", "5e0", "9" * 12])
def test_what_is_no_plain_number_is_refused_in_words_and_never_guessed(table: tuple[Client, Game], typed: str) -> None:
    client, game = table
    before = Event.objects.count()
    for field in ("hand", "seat", "missing"):
        form = {"do": "count", "page": "count", "hand": "5", "seat": "0", "kind": "cards", "cards": "7H", field: typed}
        answer = client.post(f"/g/{game.pk}/do/", {**form, "client_id": f"odd-{field}"})
        assert (answer.status_code, answer.context["trouble"].message != "") == (422, True), field
    assert Event.objects.count() == before
    assert client.get(f"/g/{game.pk}/photos/", {"hand": typed}).context["hand_number"] == 5


@pytest.mark.parametrize(("typed", "missing"), [("2", 2), ("+2", 2), (" 2 ", 2), ("02", 2), ("-0", 0)])
def test_a_number_may_have_a_sign_as_points_may(table: tuple[Client, Game], typed: str, missing: int) -> None:
    client, game = table
    form = {"do": "count", "page": "count", "hand": "5", "seat": "0", "kind": "points", "points": "+15", "missing": typed}
    assert client.post(f"/g/{game.pk}/do/", {**form, "client_id": "sign"}).status_code == 303
    entry = Entry.objects.get(hand__game=game, hand__number=5, seat__number=0)
    assert (entry.points, entry.missing) == (15 + 10 * missing, missing)


def test_a_hand_written_with_zeros_is_still_the_same_hand(table: tuple[Client, Game]) -> None:
    game = table[1]
    tables.act(game, "count", hand=5, seat=0, kind="points", points="10")
    again = record.apply(
        game.pk, "count", {"hand": "05", "seat": "+0", "kind": "points", "points": "10"}, By(), client_id="again"
    )
    assert again.unchanged
