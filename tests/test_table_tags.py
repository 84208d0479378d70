"""Playing cards in templates: drawn faces, and names for those who listen."""

import re

import pytest
from django.template import Context, Template
from django.utils.translation import override

from continental.rules.cards import CARDS
from continental.rules.notation import parse_laid
from continental.templatetags.table import card_name, draw, laid_name


def render(source: str, **values: str) -> str:
    return Template("{% load table %}" + source).render(Context(values))


def label(svg: str) -> str:
    found = re.search(r'aria-label="([^"]*)"', svg)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("card", "name"),
    [
        ("7H", "7 of hearts"),
        ("TS", "10 of spades"),
        ("AD", "ace of diamonds"),
        ("QC", "queen of clubs"),
        ("JK", "joker"),
        ("7", "7"),
        ("K", "king"),
    ],
)
def test_a_card_is_named_as_people_say_it(card: str, name: str) -> None:
    assert card_name(card) == name


def test_every_card_has_a_name_of_its_own() -> None:
    assert len({card_name(card) for card in CARDS}) == len(CARDS) == 53


@pytest.mark.parametrize(
    ("text", "name"),
    [("JK=9H", "joker as 9 of hearts"), ("JK=9", "joker as 9"), ("2S=7H", "2 of spades as 7 of hearts")],
)
def test_a_wild_card_says_what_it_stands_for(text: str, name: str) -> None:
    assert laid_name(parse_laid(text)[0]) == name


def test_cards_have_spanish_names() -> None:
    with override("es"):
        assert [card_name(card) for card in ("7H", "AS", "JC", "JK")] == [
            "7 de corazones",
            "as de picas",
            "jota de tréboles",
            "comodín",
        ]


def test_a_drawn_card_shows_its_rank_and_suit_and_has_its_name() -> None:
    svg = render('{% card "TH" %}')
    assert label(svg) == "10 of hearts"
    assert ">10</text>" in svg
    assert svg.count("suits.svg#H") == 2


def test_a_joker_shows_what_it_stands_for_where_a_fan_leaves_it_free() -> None:
    svg = str(draw(parse_laid("JK=9H")[0]))
    assert ">9</text>" in svg
    assert svg.index("#H") < svg.index("#JK")


def test_a_fan_is_a_list_with_a_name() -> None:
    html = render("{% fan cards label %}", cards="AS 2H JK", label="Three <cards>")
    assert html.startswith('<ul class="fan" aria-label="Three &lt;cards&gt;">')
    assert html.count("<li>") == 3
