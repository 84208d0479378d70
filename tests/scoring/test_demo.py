"""The demonstration league: what it holds could have happened."""

from collections import Counter

import pytest
from django.core.management import call_command

from players.models import League, User
from scoring import record
from scoring.models import Entry, Game

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(capsys: pytest.CaptureFixture[str]) -> League:
    call_command("demo", games=4)
    assert "Sign in as demo with the password" in capsys.readouterr().out
    return League.objects.get()


def test_the_demonstration_has_finished_suspended_and_running_games_dealt_from_real_packs(league: League) -> None:
    statuses = Counter(Game.objects.filter(league=league).values_list("status", flat=True))
    assert statuses == {"finished": 4, "suspended": 1, "playing": 1}
    for game in Game.objects.filter(league=league):
        assert record.rebuild(game.pk) == 0
        for hand in game.hands.all():
            entries = Entry.objects.filter(hand=hand)
            assert sum(entry.kind == "out" for entry in entries) <= 1
            jokers = sum(entry.cards.split().count("JK") for entry in entries)
            assert jokers <= game.jokers
            faces = Counter(card for entry in entries for card in entry.cards.split() if card != "JK")
            assert all(number <= game.decks for number in faces.values())
    assert Entry.objects.filter(hand__game__league=league, kind="cards").count() > 20


def test_the_first_account_gets_the_demonstration(capsys: pytest.CaptureFixture[str]) -> None:
    owner = User.objects.create_user(username="Ana")
    call_command("demo", games=0)
    assert League.objects.get().memberships.get().user == owner
    assert "password" not in capsys.readouterr().out
