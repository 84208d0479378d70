"""“Something went wrong”: every path of the decision table through the page, and what a scorebook saves one from answering."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client
from django.urls import reverse

from continental.rules import rulesets
from continental.rules.decisions import KINDS, kinds
from players import people
from scoring import load, wizard
from scoring.models import Game, Ruling
from scoring.offers import offers
from scoring.state import GameState
from tests.cast import Cast
from tests.scoring.tables import act, game_of, hand

HOUSE = rulesets.preset("house")
COUNTS = (-2, -1, 0, 1, 2, 3)


@lru_cache(maxsize=1)
def ways() -> dict[tuple[str, str], tuple[str, str]]:
    """Walk all answers under every preset; give for each path of each kind a preset and an address that lead there."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for preset in rulesets.preset_ids():
        for kind in KINDS:
            for address, step in walk(preset, urlencode({"kind": kind, "go": "1", "rules": preset})):
                assert step.ruling is not None
                found.setdefault((kind, step.ruling.path), (preset, address))
    return found


def walk(preset: str, address: str) -> Iterator[tuple[str, wizard.Step]]:
    rules = rulesets.preset(preset)
    step = wizard.step(dict(parse_qsl(address)), rules)
    if step.ruling is not None:
        yield address, step
    elif step.question is not None and not step.clash:
        asked = step.question
        answers = [option.query for option in asked.options] or [
            urlencode([*step.hidden, (f"f.{asked.name}", number)]) for number in COUNTS if asked.least <= number <= asked.most
        ]
        for answer in answers:
            yield from walk(preset, answer)


def test_the_page_reaches_every_row_of_the_decision_table() -> None:
    rows = {(kind.name, row.path) for kind in kinds().values() for row in kind.rows}
    assert set(ways()) == rows


def text(answer: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_each_path_shows_its_ruling_its_rules_and_what_follows(client: Client, kind: str) -> None:
    for (name, path), (preset, address) in ways().items():
        if name != kind:
            continue
        step = wizard.step(dict(parse_qsl(address)), rulesets.preset(preset))
        assert step.ruling is not None
        shown = text(client.get(f"/wrong/?{address}"))
        said = step.ruling.as_answer()
        assert said["ruling"] in shown
        assert path in shown
        for sentence in said["consequences"]:
            assert sentence in shown
        for rule in step.rules:
            assert rule.words in shown
        assert (step.then is None) == (said["then"] is None)
        if step.then is not None:
            # The chain goes on with what is known, and its next page asks or rules.
            following = client.get(f"/wrong/?{step.then.query}")
            assert following.status_code == 200
            assert 'id="question"' in text(following) or 'id="ruling"' in text(following)


@pytest.mark.django_db
def test_the_first_page_lists_all_eleven_in_both_languages(client: Client) -> None:
    for language in ("en", "es"):
        shown = text(client.get("/wrong/", headers={"accept-language": language}))
        assert all(kind.title.say(language) in shown and kind.about.say(language) in shown for kind in kinds().values())


def test_common_cases_take_at_most_five_taps() -> None:
    for kind in kinds().values():
        for situation in kind.situations:
            query = urlencode([("kind", kind.name), *((f"f.{k}", wizard.write_fact(v)) for k, v in situation.facts.items())])
            # The kind and the situation are two; what the scorebook knows of a game saves another.
            assert 2 + _taps("house", f"{query}&go=1", min) <= 5, (kind.name, situation.label.en)
            assert 2 + _taps("house", f"{query}&go=1", max) <= 6, (kind.name, situation.label.en)


def _taps(preset: str, address: str, which: Callable[[Iterable[int]], int]) -> int:
    """Count the taps of the shortest or the longest way to a ruling."""
    step = wizard.step(dict(parse_qsl(address)), rulesets.preset(preset))
    if step.ruling is not None:
        return 0
    if step.clash:
        return 99 if which is min else 0
    assert step.question is not None
    answers = [option.query for option in step.question.options] or [
        urlencode([*step.hidden, (f"f.{step.question.name}", number)])
        for number in COUNTS
        if step.question.least <= number <= step.question.most
    ]
    return 1 + which([_taps(preset, answer, which) for answer in answers])


@pytest.mark.django_db
def test_answers_that_cannot_all_be_true_are_asked_again_and_not_guessed(client: Client) -> None:
    shown = text(client.get("/wrong/?kind=incorrect-hand&f.ended=no&f.went_out=yes"))
    assert "if the player went out, the hand is over" in shown
    assert 'id="ruling"' not in shown
    assert "f.went_out=no" in shown


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "kind=nonsense",
        "kind=misdeal&f.exposed=-1&f.face_up=1000000000000&f.bad_pack=perhaps",
        "kind=misdeal&f.unknown=yes&ask=nothing",
        "kind=play-out-of-turn&f.drew=" + "x" * 3000,
        "rules=nonsense&hand=x&seat=y",
    ],
)
def test_an_address_made_up_is_read_as_far_as_it_says_something(client: Client, address: str) -> None:
    assert client.get(f"/wrong/?{address}").status_code == 200


# ---------------------------------------------------------------------------------------------------------------------
# With a game


@pytest.fixture
def game(cast: Cast) -> Game:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")]
    made = game_of(cast.league, players)
    hand(made, 1, "out", 10, 20, 30)
    return made


@pytest.mark.django_db
def test_the_league_asks_at_a_table(cast: Cast, game: Game) -> None:
    cast.expects(reverse("scoring:wrong", args=[game.pk]), owner=200, scorekeeper=200, member=200, viewer=200)
    cast.expects(reverse("scoring:rulings", args=[game.pk]), owner=200, scorekeeper=200, member=200, viewer=200)
    cast.expects(reverse("scoring:precedents", args=[cast.league.slug]), owner=200, scorekeeper=200, member=200, viewer=200)


@pytest.mark.django_db
def test_scorekeepers_record_a_ruling(cast: Cast, game: Game) -> None:
    form = {"do": "ruling", "page": "wrong", "client_id": "r", "kind": "score-error", "f.missing": "no", "f.late_score": "no"}
    form |= {"f.mixed": "no", "hand": "2"}
    cast.expects(reverse("scoring:do", args=[game.pk]), form, owner=303, scorekeeper=303, member=403, viewer=403)


@pytest.mark.django_db
def test_what_the_scorebook_knows_is_not_asked(cast: Cast, game: Game) -> None:
    client = cast.client("owner")
    page = reverse("scoring:wrong", args=[game.pk])
    shown = text(client.get(f"{page}?kind=score-error&hand=1&seat=1&f.missing=no&f.late_score=no"))
    assert "Count again and enter the right score" in shown
    assert "from the scorebook" in shown
    act(game, "opened", hand=2, seat=0)
    shown = text(client.get(f"{page}?kind=score-error&hand=1&seat=1&f.missing=no&f.late_score=no"))
    assert "Do all players of the game agree to the correction?" in shown
    act(game, "count", hand=2, seat=0, kind="out")
    assert "Is the hand over?" not in text(client.get(f"{page}?kind=incorrect-hand&go=1")).partition('id="known"')[0]
    shown = text(client.get(f"{page}?kind=incorrect-hand&go=1&ask=ended"))
    assert 'id="question">Is the hand over?' in shown


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_each_path_at_a_table_offers_what_the_scorebook_can_do(cast: Cast, game: Game, kind: str) -> None:
    client = cast.client("owner")
    for (name, _path), (_preset, address) in ways().items():
        if name == kind:
            answer = client.get(f"{reverse('scoring:wrong', args=[game.pk])}?{address}")
            assert answer.status_code == 200


def _set_table(game: Game, path: str) -> None:
    """Bring the second hand to where the ruling of a path can be about it: Ben out, or everybody down."""
    if path == "4.5.e":
        act(game, "count", hand=2, seat=1, kind="out")
    elif path in {"4.1.a", "4.1.b", "4.7.d"}:
        for seat in range(4):
            act(game, "opened", hand=2, seat=seat)


def _standing(game: Game) -> GameState:
    """Give the state of a game, leaving out when it came about."""
    return replace(load.table(Game.objects.get(pk=game.pk)).state, rev=0, newest=0, voided={})


def _at_home() -> Iterator[tuple[str, str]]:
    """Give the paths that the same answers lead to under the rules of the game below."""
    for (kind, path), (_preset, address) in ways().items():
        ruling = wizard.step(dict(parse_qsl(address)), HOUSE, HOUSE.hand(2)).ruling
        if ruling is not None and ruling.path == path:
            yield kind, path


AT_HOME = list(_at_home())


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "path"), AT_HOME, ids=[path for _kind, path in AT_HOME])
def test_each_ruling_does_what_it_offers_leads_on_and_is_taken_back_whole(cast: Cast, game: Game, kind: str, path: str) -> None:
    client, do = cast.client("owner"), reverse("scoring:do", args=[game.pk])
    _set_table(game, path)
    before = _standing(game)
    asked = {**dict(parse_qsl(ways()[kind, path][1])), "hand": "2", "seat": "1"}
    step = wizard.step(asked, HOUSE, HOUSE.hand(2))
    assert step.ruling is not None
    listed = [offer for offer in offers(step.ruling, before, before.hand) if offer.event]
    form = {**asked, "do": "ruling", "page": "wrong", "client_id": "r", "count": "2", "effect": [item.name for item in listed]}
    assert client.post(do, form).status_code == 303
    ruling = Ruling.objects.get()
    assert (ruling.path, len(ruling.effects)) == (path, len(listed))
    after = _standing(game)
    assert (replace(after, rulings={}) != before) == bool(listed)
    shown = text(client.get(reverse("scoring:rulings", args=[game.pk])))
    follows = step.then or step.again
    assert (f"Go on with: {follows.label}" in shown) if follows else ("Go on with" not in shown)
    assert client.post(do, {"do": "undo", "page": "rulings", "client_id": "u", "target": str(ruling.rev)}).status_code == 303
    assert not Ruling.objects.exists()
    assert _standing(game) == before


@pytest.mark.django_db
def test_who_it_is_about_is_asked_in_words_where_the_scorebook_does_something_for_them(cast: Cast, game: Game) -> None:
    form = {"do": "ruling", "page": "wrong", "client_id": "r", "kind": "incorrect-hand", "f.ended": "yes", "hand": "2"}
    form |= {"f.went_out": "no", "f.difference": "-2", "effect": "missing-cards"}
    answer = cast.client("owner").post(reverse("scoring:do", args=[game.pk]), form)
    assert (answer.status_code, "Say first who it is about" in text(answer)) == (422, True)


@pytest.mark.django_db
def test_to_open_a_hand_again_is_about_whoever_went_out(cast: Cast, game: Game) -> None:
    page = f"{reverse('scoring:wrong', args=[game.pk])}?kind=incorrect-hand&go=1&f.ended=yes&f.went_out=yes&f.difference=-1"
    assert "Nobody is marked as out in this hand" in text(cast.client("owner").get(page))
    act(game, "count", hand=2, seat=2, kind="out")
    assert 'name="seat" value="2" checked' in text(cast.client("owner").get(page))
