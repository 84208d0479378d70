"""Why the rules refuse what somebody typed is said in the reader's language, whichever page it was typed on."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.test import Client
from django.utils import translation

from continental.rules import contracts, deals, keypad, notation, parameters, reading, rulesets, standing_methods
from continental.rules.errors import BadQuestion
from scoring import reasons, sheet_form, sheet_links
from scoring.models import Game
from tests.scoring import tables

READ_BY_A_PAGE: Final = (
    contracts, deals, keypad, notation, parameters, reading, rulesets, sheet_form, sheet_links, standing_methods,
)  # fmt: skip
"""The modules that read what a form holds. What the rest refuse, only the referee's protocol can ask."""
PLACE: Final = re.compile(r"%\(\w+\)s")


def refusals() -> Iterator[str]:
    """Give every message with which these modules refuse something, with ``7`` for each value in it."""
    for module in READ_BY_A_PAGE:
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BadQuestion":
                words = node.args[0]
                if isinstance(words, ast.Constant):
                    yield str(words.value)
                elif isinstance(words, ast.JoinedStr):
                    parts = [str(part.value) if isinstance(part, ast.Constant) else "7" for part in words.values]
                    yield "".join(parts)


def test_every_refusal_that_a_page_can_show_is_known_in_the_other_language() -> None:
    found = {text for text in refusals() if not text.startswith("7 (card")}
    assert len(found) > 60
    with translation.override("es"):
        # The kinds of a slot have sentences of their own, since an article hangs on each.
        assert sorted(text for text in found if reasons.say_within(text) == text and "asks for a 7 of 7" not in text) == []


@pytest.mark.parametrize("reason", reasons.REASONS)
def test_every_reason_is_found_again_in_what_it_says(reason: str) -> None:
    said = PLACE.sub("7", reason)
    with translation.override("en"):
        assert reasons.say_within(said) == said


def test_a_value_that_is_not_quoted_is_said_in_the_readers_language_too() -> None:
    with translation.override("es"):
        assert reasons.say(BadQuestion("a whole number is wanted, not a list", "x")).endswith("una lista.")


@pytest.fixture
def table(db: None) -> tuple[Client, Game]:
    owner, game, _finished = tables.eight_at_a_table()
    client = Client()
    client.force_login(owner)
    client.cookies["django_language"] = "es"
    return client, game


@pytest.mark.parametrize("cards", ["blue", "7H=8H", "7H 8H", "", "JK=JK"])
def test_a_card_drawn_for_the_deal_that_is_none_is_refused_in_the_readers_language(
    table: tuple[Client, Game], cards: str
) -> None:
    client, game = table
    seated = [str(pk) for pk in game.seats.values_list("player", flat=True)[:4]]
    drawn = {f"card-{pk}": cards for pk in seated}
    answer = client.post(f"/l/{game.league.slug}/new-game/", {"players": seated, "sheet": "house", "do": "draw", **drawn})
    assert answer.status_code == 422
    assert re.search("no es una carta|se dice un valor|una sola carta|no indica ningún valor", answer.context["setup"].trouble)


@pytest.mark.parametrize("cards", ["blue", "7X"])
def test_cards_of_a_count_that_are_none_are_refused_in_the_readers_language(table: tuple[Client, Game], cards: str) -> None:
    client, game = table
    count = {"do": "count", "page": "count", "hand": "5", "seat": "0", "client_id": "x", "kind": "cards", "cards": cards}
    answer = client.post(f"/g/{game.pk}/do/", count)
    assert answer.status_code == 422
    assert "no es una carta de este juego" in answer.context["trouble"].message


def test_a_sheet_that_is_none_is_refused_in_the_readers_language(table: tuple[Client, Game]) -> None:
    client, game = table
    answer = client.post(f"/l/{game.league.slug}/new-game/", {"players": [], "sheet": "nonsense", "do": "draw"})
    assert (answer.status_code, "nonsense" in answer.context["setup"].trouble) == (422, True)
    assert "there is no" not in answer.context["setup"].trouble
