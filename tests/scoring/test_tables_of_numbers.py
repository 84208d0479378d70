"""Rows of numbers as pages show them: exact decimals, names that stay text, marks with their words."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.standing_methods import Standing, Terms
from players.models import League, Player
from scoring.figures import HandFigures, Meeting
from scoring.season import Standings
from scoring.templatetags.scores import mean
from scoring.templatetags.tables import meeting_rows, people_rows, standing_rows

LEAGUE = League(pk=1, name="Home", slug="home-0")
HOSTILE = Player(pk=70, name="<b>Ana & Co")
HEAD = '<th scope="row"><a href="/l/home-0/player/70/"><bdi>&lt;b&gt;Ana &amp; Co</bdi></a></th>'


@given(over=st.integers(-(10**6), 10**6), under=st.integers(1, 500), places=st.integers(0, 3))
def test_a_mean_is_rounded_exactly_with_halves_away_from_zero(over: int, under: int, places: int) -> None:
    with localcontext() as exact:
        exact.prec = 60
        wanted = (Decimal(over) / under).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    with override("es"):
        shown = mean(Fraction(over, under), places)
    assert shown == str(wanted or abs(wanted)).replace(".", ",")


def test_a_line_of_a_table_has_its_place_its_numbers_and_what_was_left_out() -> None:
    line = Standing(1, HOSTILE, HOSTILE.name, Fraction(245, 2), 3, 2, 0, 400, 5, 1, -10, 4)
    table = Standings((line,), Terms(), 3)
    assert standing_rows(table, table.ranked, LEAGUE) == (
        '<tr><td class="number">1 <span aria-hidden="true">★</span></td>' + HEAD + '<td class="number strong">122.5</td>'
        '<td class="number">3 <abbr class="mark" title="1 game left out">−1</abbr></td><td class="number">1.67</td>'
        '<td class="number">1</td><td class="number">-10</td><td class="number">4</td></tr>'
    )


@pytest.mark.parametrize(("method", "cells"), [("mean-total", 7), ("mean-place", 7), ("plain-sum", 8)])
def test_a_line_has_a_cell_for_every_column_of_its_method(method: str, cells: int) -> None:
    line = Standing(None, HOSTILE, HOSTILE.name, Fraction(9), 1, 1, 2, 9, 1, 1, 9, 0)
    table = Standings((line,), Terms.read({"method": method}), 3)
    row = standing_rows(table, table.unranked, LEAGUE)
    assert row.count("<td") == cells
    assert row.startswith('<tr><td class="number">–</td>')


def test_what_nobody_kept_track_of_is_a_dash_and_few_hands_are_marked() -> None:
    row = people_rows([(HOSTILE, 2, HandFigures(hands=4, points=10, out=1))], LEAGUE)
    assert row.startswith(f'<tr>{HEAD}<td class="number">2</td><td class="number strong">2.5 <abbr')
    assert '<td class="number">1 <span class="soft">25 %</span></td><td class="number"><span class="soft">–</span></td>' in row
    assert row.endswith('<td class="number">–</td><td class="number">0</td></tr>')


def test_a_meeting_of_few_games_is_marked_in_the_readers_language() -> None:
    with override("es"):
        row = meeting_rows([Meeting(HOSTILE, 3, 1, 2, -40)], LEAGUE)
    assert row.startswith(f'<tr>{HEAD}<td class="number">3 <abbr class="mark small-sample" title="pocas partidas')
    assert row.endswith(
        '<td class="number">1</td><td class="number">2</td><td class="number">0</td><td class="number">-40</td></tr>'
    )
