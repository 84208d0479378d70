"""Names: what is kept, what goes, and when two are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.names import clean_name, fold_name

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "=1+1",
    "'; DROP TABLE players; --",
    "👨‍👩‍👧 Los Pérez",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "אבא שלי",
    "می‌خواهم",
    "M" * 60,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_script_sign_or_direction_is_taken_from_a_name(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ana \t Belén\n", "Ana Belén"),
        ("Ana\x00\x1b[31m", "Ana[31m"),
        ("\u202eanA\u202c", "anA"),
        ("\u2066Ana\u2069", "Ana"),
        ("Ana\u200b", "Ana"),
        ("A\u0301ngel", "Ángel"),
        ("Ana\u2028Ben", "Ana Ben"),
        ("\ud800Ana", "Ana"),
    ],
)
def test_what_cannot_be_seen_goes(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    "typed", ["", "   ", "\x00", "\u200d\u200c", "\u202e\u202c", "\u0301", "\ufe0f", "\u3164", "\u2800 \u115f"]
)
def test_a_name_in_which_nothing_can_be_seen_is_empty(typed: str) -> None:
    assert clean_name(typed) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ángel", "áNGEL"),
        ("Straße", "STRASSE"),
        ("Ana  B", "ana b"),
        ("Ａｎａ", "Ana"),
        ("Jose\u0301", "José"),
        ("♥️", "♥"),
    ],
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


def test_an_accent_makes_another_name() -> None:
    assert fold_name("José") != fold_name("Jose")


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean_name(clean_name(text)) == clean_name(text)


@given(st.text())
def test_a_name_that_can_be_seen_can_be_compared(text: str) -> None:
    assert bool(fold_name(text)) == bool(clean_name(text))


@given(st.text())
def test_a_name_is_compared_as_it_is_stored(text: str) -> None:
    assert fold_name(clean_name(text)) == fold_name(text)
