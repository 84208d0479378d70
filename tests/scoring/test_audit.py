"""The deck audit at a table: cards left in hands and cards read on the table are looked over together before a hand closes."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players import people
from scoring import evidence, load
from scoring.models import Evidence, Game
from tests.cast import Cast
from tests.scoring.tables import act, game_of
from tests.scoring.test_ledger import Log

pytestmark = pytest.mark.django_db


def read(log: Log, cards: str, **data: Any) -> Log:
    melds = [{"row": "t0", "cards": cards}]
    return log(
        "evidence", **{"hand": 1, "photo": "", "melds": melds, "verdict": "empty", "reasons": [], "lying": cards.split(), **data}
    )


def on_table(log: Log) -> str:
    return " ".join(evidence.on_table(log.state()))


def test_of_each_player_the_last_reading_counts() -> None:
    log = read(read(Log(3), "7H 7D 7S", seat=0), "9C 9D 9S", seat=1)
    assert on_table(log) == "7D 7H 7S 9C 9D 9S"
    assert on_table(read(log, "7H 7D 7C", seat=0)) == "7C 7D 7H 9C 9D 9S"


def test_a_card_that_two_readings_show_is_one_card() -> None:
    log = read(read(Log(3), "7H 7D 7S", seat=0), "7H 7D 7S 7S 9C")
    assert on_table(log) == "7D 7H 7S 7S 9C"


def test_a_hand_dealt_again_has_an_empty_table() -> None:
    log = read(Log(3), "7H 7D 7S")("restart", hand=1)
    assert on_table(log) == ""
    assert on_table(read(log, "9C 9D 9S")) == "9C 9D 9S"


def test_cards_read_as_evidence_alone_and_nonsense_are_not_counted() -> None:
    assert on_table(read(Log(3), "7H 7D 7S", lying=[])) == ""
    assert on_table(read(Log(3), "7H 7D 7S", lying=["7H", "nonsense", 7])) == "7H"


@pytest.fixture
def game(cast: Cast) -> Game:
    return game_of(cast.league, [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")])


def text(answer: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def keep(client: Client, game: Game, query: str, **fields: str) -> Any:
    form = {"do": "evidence", "page": "photos", "client_id": f"e{Evidence.objects.count()}", "query": query, **fields}
    return client.post(reverse("scoring:do", args=[game.pk]), form)


def test_the_host_is_asked_and_not_forbidden_where_hands_and_table_hold_too_much(host: Client, game: Game) -> None:
    assert "count them when the packs are looked over" in text(
        host.get(reverse("scoring:game-check", args=[game.pk]) + "?lies=1")
    )
    assert keep(host, game, "hand=1&t=9C+9D+9S&t=4H+5H+JK%3D6H", lies="1").status_code == 303
    assert evidence.on_table(load.table(game).state) == ("4H", "5H", "9C", "9D", "9S", "JK")
    for seat, cards in enumerate(("", "9C 9C", "JK JK", "5")):
        act(game, "count", hand=1, seat=seat, kind="cards" if cards else "out", cards=cards)
    assert "6 cards on the table are read" in text(host.get(reverse("scoring:count", args=[game.pk])))
    close = {"do": "close", "page": "count", "hand": "1"}
    answer = host.post(reverse("scoring:do", args=[game.pk]), {**close, "client_id": "c"})
    assert answer.status_code == 409
    asked = text(answer)
    assert "\u2068Ben\u2069: The hands and the table hold 9♣ 3 times, 1 of them on the table, and the packs only 2 times" in asked
    assert "\u2068Cai\u2069: The hands and the table hold 3 jokers, 1 of them on the table, and the packs only 2" in asked
    assert reverse("scoring:rule", args=["R-17"]) in asked
    assert not Game.objects.get(pk=game.pk).hands.get(number=1).closed
    assert host.post(reverse("scoring:do", args=[game.pk]), {**close, "client_id": "d", "confirmed": "1"}).status_code == 303
    assert Game.objects.get(pk=game.pk).hands.get(number=1).closed


def test_what_is_left_drawn_taken_back_or_kept_of_jokers_lies_not_on_the_table(host: Client, game: Game) -> None:
    turn = "t=4H+5H+JK%3D6H&s=6H&sw=hand&l=7H&t=2C+2D+2S+2H&from=stock&dr=3C&b=2H&bl=earlier&d=KS&left=QS+QD"
    keep(host, game, f"hand=1&{turn}", lies="1")
    assert evidence.on_table(load.table(game).state) == ("2C", "2D", "2S", "4H", "5H", "6H", "7H", "KS")


def test_what_cannot_be_read_or_is_nothing_is_not_kept(host: Client, game: Game) -> None:
    for query, sentence in (("hand=1&m=7H+ZZ", "cannot be read"), ("hand=1", "No cards are entered"), ("t=9C+9D+9S", "No cards")):
        answer = keep(host, game, query)
        assert (answer.status_code, sentence in text(answer)) == (422, True)
    assert keep(host, game, "hand=1", lies="1").status_code == 422
    assert not Evidence.objects.exists()
