"""Rows of numbers as pages show them: exact decimals, names that stay text, marks with their words."""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.standing_methods import Standing, Terms
from players.models import League, Player
from scoring.figures import HandFigures, Mean, Meeting, Played
from scoring.models import Game, Season, Seat
from scoring.season import Standings
from scoring.templatetags.scores import mean
from scoring.templatetags.tables import (
    contract_rows,
    meeting_rows,
    own_games,
    people_rows,
    position_rows,
    progress_rows,
    season_rows,
    standing_rows,
)

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


def test_a_line_of_a_season_leads_to_its_table() -> None:
    season = Season(pk=70, name="<i>2026")
    line = Standing(None, HOSTILE, HOSTILE.name, Fraction(9), 4, 4, 2, 490, 7, 1, Fraction(-21, 2), 0)
    assert season_rows([(season, line)], LEAGUE) == (
        '<tr><th scope="row"><a href="/l/home-0/season/70/"><bdi>&lt;i&gt;2026</bdi></a></th><td class="number">–</td>'
        '<td class="number strong">122.5</td><td class="number">4</td><td class="number">1.75</td><td class="number">1</td>'
        '<td class="number">-10.5</td><td class="number">0</td></tr>'
    )


def test_a_contract_has_a_column_for_everybody_only_beside_them() -> None:
    hands = HandFigures(hands=12, points=30, out=2, lowest=0, highest=20)
    row = {"number": 3, "contract": "2 runs & <more>", "figures": HandFigures(), "everybody": hands}
    few = ' <abbr class="mark small-sample" title="few hands: luck weighs more than play">≈</abbr>'
    none = f'<span class="soft">–</span>{few}'
    start = f'<tr><th scope="row">3</th><td>2 runs &amp; &lt;more&gt;</td><td class="number strong">{none}</td>'
    end = '<td class="number">0</td><td class="number">–</td></tr>'
    assert contract_rows([row], beside=False) == f'{start}<td class="number">0</td>{end}'
    assert contract_rows([row], beside=True) == f'{start}<td class="number">0</td><td class="number">2.5</td>{end}'
    assert (
        contract_rows([{**row, "everybody": None}], beside=True)
        == f'{start}<td class="number">0</td><td class="number"></td>{end}'
    )
    assert contract_rows([{**row, "figures": hands}], beside=False).endswith(
        '<td class="number">2</td><td class="number">20</td></tr>'
    )


def test_the_means_of_seats_are_marked_where_they_come_from_little() -> None:
    rows = position_rows([(0, Mean(30, 4, few=5)), (2, Mean(30, 8, few=5))], 2, "<few>")
    assert rows == (
        '<tr><th scope="row">deals</th><td class="number">7.50 <abbr class="mark small-sample" title="&lt;few&gt;">≈</abbr></td>'
        '<td class="number">4</td></tr><tr><th scope="row">2</th><td class="number">3.75</td><td class="number">8</td></tr>'
    )


@pytest.mark.parametrize(
    ("status", "total", "how", "shown"),
    [
        (
            "finished",
            120,
            "complete",
            '01/02/2026</span> <span class="game-result">Puesto 2 de 5 · <span class="number">120</span></span>',
        ),
        (
            "finished",
            0,
            "substituted",
            '<span class="number">0</span> <abbr class="mark" title="sustituida">S</abbr></span>',
        ),
        (
            "void",
            None,
            "",
            '01/02/2026 <span class="tag">∅ anulada</span></span> <span class="game-result"><span class="number soft">35</span>',
        ),
    ],
)
def test_a_game_of_a_player_says_how_it_ended(status: str, total: int | None, how: str, shown: str) -> None:
    game = Game(pk=70, status=status, started_on=date(2026, 2, 1))
    seat = Seat(game=game, total=total, how=how, place=2 if how else None, table_size=5, running=35)
    with override("es"):
        item = own_games([seat])
    assert item.startswith('<li><a class="game-link" href="/g/70/sheet/"><span class="game-date">')
    assert shown in item


def test_progress_has_each_game_with_the_mean_so_far() -> None:
    played = Played(1, 2, 3, date(2026, 2, 1), 0, 4, 1, 0, 90, 6, 7, [])
    assert progress_rows([(played, Fraction(245, 2))]) == (
        '<tr><th scope="row">02/01/2026</th><td class="number">105</td><td class="number">122.5</td></tr>'
    )
