"""House rules: the form made of the declared parameters, sheets that never change, links that hold a whole sheet, signatures."""

import base64
import json
import re
import zlib
from random import Random
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from continental.rules import rulesets, sheets
from continental.rules.errors import BadQuestion
from players.models import Player
from scoring import record, sheet_form, sheet_links, sheet_words
from scoring.models import RuleSheet, Signature
from scoring.record import By
from scoring.views.leagues import sheet_choices
from scoring.views.sheets import unlike
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def sign_in(cast: Cast, role: str = "owner") -> Client:
    client = Client()
    client.force_login(cast.users[role])
    return client


def typed(base: str = "house", **changes: str) -> dict[str, str]:
    """What a form sends that starts from a preset, with something changed."""
    return {
        **sheet_form.typed_of(rulesets.preset(base), "Ours"),
        **{key.replace("__", "-"): value for key, value in changes.items()},
    }


def test_every_parameter_has_one_place_on_the_form_or_is_not_offered_for_a_reason() -> None:
    placed = [name for group in sheet_words.GROUPS for name in group.names]
    assert sorted([*placed, *sheet_words.NOT_OFFERED]) == sorted(sheets.PARAMETERS)


@pytest.mark.parametrize("parameter", sheets.parameters(rulesets.preset("house")), ids=lambda parameter: parameter.name)
def test_every_parameter_and_choice_has_a_name_for_people(parameter: sheets.Parameter) -> None:
    if parameter.name in {"id", "name", "source", "hand_defaults", "missing_in_source", "borrowed"}:
        return
    assert parameter.name in sheet_words.LABELS
    assert set(parameter.choices) <= set(sheet_words.CHOICES)


@pytest.mark.parametrize("base", rulesets.preset_ids())
def test_a_preset_is_called_by_its_name(base: str) -> None:
    rules = rulesets.preset(base)
    assert sheet_words.game_name(rules) == rules.name
    assert sheet_words.game_name(rulesets.load({"base": base, "name": "Ours"})) == "Ours"


@pytest.mark.parametrize("base", rulesets.preset_ids())
def test_a_form_sent_as_it_came_is_the_preset_itself(base: str) -> None:
    form = sheet_form.read(base, typed(base))
    assert form.overrides == {"name": "Ours"}
    assert not form.trouble


@pytest.mark.parametrize("word", ["JK", "jk", "joker", "Jokers", "★", "comodín", "Comodines"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_joker_among_the_wild_cards_is_written_as_people_write_it(word: str, language: str) -> None:
    with translation.override(language):
        assert "JK" not in typed("contract")["wild"]
        form = sheet_form.read("contract", typed("contract", wild=f"2, {word}"))
    assert form.overrides is not None
    assert rulesets.load({"base": "contract", **form.overrides}).wild == frozenset({"JK", "2S", "2H", "2D", "2C"})


def test_what_is_changed_and_nothing_else_is_kept() -> None:
    form = sheet_form.read("house", typed(points__JK="50", max_run="", wrap="yes", hand__6__all_cards="no"))
    assert form.overrides is not None
    assert set(form.overrides) == {"name", "points", "max_run", "wrap", "hands"}
    rules = rulesets.load({"base": "house", **form.overrides})
    assert (rules.value("JK"), rules.max_run, rules.wrap, rules.hand(7).all_cards) == (50, None, True, False)
    assert rules.hand(6) == rulesets.preset("house").hand(6)


CONTRADICTIONS: Final[list[tuple[dict[str, str], str, str]]] = [
    ({"players_min": "6", "players_max": "4"}, "players_max", "fewer than the fewest"),
    ({"ace": "high", "wrap": "yes"}, "wrap", "only where the ace is high and low"),
    ({"min_run": "9", "max_run": "5"}, "max_run", "shorter than the shortest"),
    ({"wild": "2"}, "wild", "must be among the wild cards"),
    ({"payouts": "3, 1, -3"}, "payouts", "sum to zero"),
    ({"decks": "fixed", "decks__number": "0"}, "decks", "at least one pack"),
    ({"min_set": "many"}, "min_set", "not a whole number"),
    ({"points__more": "A red is 1"}, "points", "like “A red = 1”"),
    ({"decks": "by_players", "decks__number": "four two"}, "decks", "up to 4 players 2"),
    ({"decks": "by_players", "decks__number": "0: 2"}, "decks", "a number of players"),
    ({"decks": "nonsense"}, "decks", "hangs on"),
    ({"min_set": "", "max_set": ""}, "min_set", "not nothing"),
    ({"min_set": "99"}, "min_set", "99 is not between 2 and 8"),
    ({"wild": "JK, X"}, "wild", "is no card"),
    ({"points__more": "X = 1"}, "points", "is no rank"),
    ({"min_set": "4", "max_set": "3"}, "max_set", "smaller than the least"),
    ({"ace": "low", "two_aces": "yes"}, "two_aces", "two aces"),
    ({"set_naturals": "5"}, "set_naturals", "more natural cards"),
    ({"kitty_split": "-1"}, "kitty_split", "below zero"),
]


@pytest.mark.parametrize(("changes", "where", "reason"), CONTRADICTIONS)
def test_a_contradiction_is_refused_at_its_field_with_the_reason_and_what_was_typed_stays(
    changes: dict[str, str], where: str, reason: str
) -> None:
    sent = typed(**changes)
    form = sheet_form.read("house", sent)
    fields = form.fields
    assert form.overrides is None
    assert reason in fields[where].trouble
    for key, value in changes.items():
        name = key.removesuffix("__number").removesuffix("__more")
        if name in fields:
            assert value in {fields[name].value, fields[name].more}


HAND_FLAWS: Final = (
    {"hand__2__contract": "2X"},
    {"hand__2__contract": "1R20"},
    {"hand__2__contract": "1P3"},
    {"hand__2__contract": ""},
    {"hand__2__deal": ""},
    {"hand__2__no_discard": "yes", "hand__2__discard_to_go_out": "yes"},
    {"hand__2__min_run": "9", "max_run": "5"},
    {"hand__2__contract": "1S9", "max_set": "4"},
    {"hand__2__contract": "1R9", "max_run": "5"},
)


@pytest.mark.parametrize("changes", [*(changes for changes, _where, _reason in CONTRADICTIONS), *HAND_FLAWS], ids=str)
def test_every_refusal_of_the_form_is_in_the_readers_language(changes: dict[str, str]) -> None:
    sent = typed(**changes)
    with translation.override("en"):
        said = _refusals(sheet_form.read("house", sent))
    with translation.override("es"):
        spanish = _refusals(sheet_form.read("house", sent))
    assert said
    assert said.keys() == spanish.keys()
    assert not set(said.values()) & set(spanish.values())
    assert all("%" not in words for words in spanish.values())


def _refusals(form: sheet_form.SheetForm) -> dict[str, str]:
    places = [(field.at, field.trouble) for field in form.fields.values()]
    places += [(f"{hand.index}-{hand.at}", hand.trouble) for hand in form.hands]
    return {at: trouble for at, trouble in places if trouble}


def test_a_bad_contract_is_refused_at_its_hand() -> None:
    form = sheet_form.read("house", typed(hand__2__contract="2X"))
    assert "2X" in form.hands[2].trouble
    assert [hand.trouble for hand in form.hands].count("") == 6


def test_a_bad_particular_of_a_hand_is_refused_where_it_was_typed() -> None:
    form = sheet_form.read("house", typed(hand__4__min_run="long"))
    assert (form.hands[4].at, form.particular_trouble) == ("min_run", True)
    assert "not a whole number" in form.hands[4].trouble
    form = sheet_form.read("house", typed(hand__4__deal="many"))
    assert (form.hands[4].at, form.particular_trouble) == ("deal", False)


def test_everything_is_refused_at_once_the_name_too() -> None:
    form = sheet_form.read("house", typed(name=" ", points__K="ten", min_set="many", hand__0__contract=""))
    fields = form.fields
    assert form.name_trouble
    assert form.trouble
    assert (fields["points"].at, fields["min_set"].at, form.hands[0].trouble) == ("points-K", "min_set", "")
    assert sheet_form.read("house", typed(name=" ")).trouble


def test_what_a_newcomer_decides_is_on_three_screens_and_the_rest_is_folded_with_what_differs() -> None:
    form = sheet_form.read("house", typed(min_set="4", max_run="", swap_set="yes"))
    assert [screen.key for screen, _fields in form.screens] == ["table", "hands", "points"]
    offered = [name for group in sheet_words.GROUPS for name in group.names]
    assert sorted(form.fields) == sorted(offered)
    assert sum(len(fields) for _screen, fields in form.screens) + sum(len(fold.fields) for fold in form.folds) == len(offered)
    assert {fold.group.key: fold.unlike for fold in form.folds if fold.unlike} == {"melds": 2, "wild": 1}
    assert not any(fold.open for fold in form.folds)
    assert [fold.group.key for fold in sheet_form.read("house", typed(target="soon")).folds if fold.open] == ["end"]


def test_neither_partnerships_nor_progress_alone_get_in_by_hand() -> None:
    for override in ({"teams": True}, {"progress": "individual"}):
        with pytest.raises(BadQuestion):
            rulesets.load({"base": "house", **override})
    form = sheet_form.read("house", {**typed(), "teams": "yes", "progress": "individual"})
    assert form.overrides == {"name": "Ours"}


def fifteen() -> dict[str, str]:
    """The template of fifteen hands, filled in by a league."""
    filled = typed("fifteen", payouts="6, 2, -3, -5", hands="15")
    for index in range(15):
        filled |= {f"hand-{index}-contract": "1S 1P" if index == 13 else "2S", f"hand-{index}-deal": str(7 + index % 5)}
    for rank in sheet_form.RANKS:
        filled[f"points-{rank}"] = {"A": "15", "JK": "25", "2": "25"}.get(rank, "10" if rank in "TJQK" else rank)
    return filled


def test_fifteen_hands_can_be_filled_in_and_keep_what_the_source_says_of_single_hands() -> None:
    form = sheet_form.read("fifteen", fifteen())
    assert form.overrides is not None, [field.trouble for field in form.fields.values()]
    rules = rulesets.load({"base": "fifteen", **form.overrides})
    assert rules.ready
    assert [rules.hand(number).claims for number in (1, 12, 13, 14)] == [0, 2, 2, 1]
    assert (rules.hand(12).penalty, rules.payouts, rules.buy_cost) == (1, (6, 2, -3, -5), 1)


def test_a_sheet_is_made_on_its_page_and_its_next_version_leaves_it_alone(cast: Cast) -> None:
    owner = sign_in(cast)
    address = reverse("scoring:new-sheet", args=[cast.league.slug])
    assert owner.get(address, {"from": "spanish"}).status_code == 200
    answer = owner.post(address, {**typed(), "from": "house", "points-JK": "50"})
    first = RuleSheet.objects.get()
    assert answer["Location"] == reverse("scoring:rule-sheet", args=[cast.league.slug, first.pk])
    assert owner.get(answer["Location"]).status_code == 200
    owner.post(address, {**sheet_form.typed_of(first.rules, "Ours"), "from": f"sheet:{first.pk}", "twice_around": "no"})
    second = RuleSheet.objects.get(version=2)
    assert (second.name, second.rules.value("JK"), second.rules.twice_around) == ("Ours", 50, False)
    assert RuleSheet.objects.get(pk=first.pk).rules.twice_around
    choices = [value for value, _label in sheet_choices(cast.league)]
    assert {f"sheet:{first.pk}", f"sheet:{second.pk}"} <= set(choices)


def test_a_refused_form_comes_back_as_it_was_typed(cast: Cast) -> None:
    address = reverse("scoring:new-sheet", args=[cast.league.slug])
    answer = sign_in(cast).post(address, {**typed(), "from": "house", "min_run": "eleventy", "name": "Night rules"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'value="eleventy"' in page
    assert 'value="Night rules"' in page
    assert not RuleSheet.objects.exists()


def test_a_hand_is_added_to_the_form_without_keeping_it(cast: Cast) -> None:
    address = reverse("scoring:new-sheet", args=[cast.league.slug])
    page = sign_in(cast).post(address, {**typed(), "from": "house", "do": "more-hands", "min_set": "4"}).content.decode()
    assert 'name="hand-7-contract"' in page
    assert not RuleSheet.objects.exists()


@pytest.mark.parametrize("role", ["scorekeeper", "member", "viewer"])
def test_who_does_not_own_the_league_reads_its_sheets_and_makes_none(cast: Cast, role: str) -> None:
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By())
    client = sign_in(cast, role)
    for name, args in (("rule-sheets", []), ("rule-sheet", [sheet.pk]), ("compare-sheets", []), ("blank-sheet", [sheet.pk])):
        assert client.get(reverse(f"scoring:{name}", args=[cast.league.slug, *args])).status_code == 200
    assert client.post(reverse("scoring:new-sheet", args=[cast.league.slug]), typed()).status_code == 403


def test_a_sheet_is_called_as_people_call_it_and_numbered_where_there_can_be_others(cast: Cast) -> None:
    preset = record.sheet_for(cast.league, "house", By())
    first, second = (record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By()) for _version in range(2))
    lined = record.add_sheet(cast.league, "house", "house", {}, By(), notes=LINES)
    called = ["Continental, house rules", "Ours, version 1", "Ours, version 2", "Continental, house rules, version 2"]
    assert [str(sheet) for sheet in (preset, first, second, lined)] == called
    assert str(record.add_sheet(cast.league, "spanish", "house", {"wrap": True}, By())) == "spanish, version 1"


def test_cards_are_named_as_people_name_them_where_a_sheet_is_laid_open() -> None:
    points = {"2": 5, "T": 10, "A red": 1, "QS": 25, "K": 10, "JK": None}
    assert sheet_words.points_words(points) == [(5, "2"), (10, "10 K"), (1, "A red"), (25, "Q♠"), (None, "joker")]
    assert sheet_words.value_words("wild", "cards", ["JK", "2", "T black"]) == "joker, 2, 10 black"


def test_a_stranger_sees_no_sheet(cast: Cast) -> None:
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By())
    client = sign_in(cast, "stranger")
    assert client.get(reverse("scoring:rule-sheet", args=[cast.league.slug, sheet.pk])).status_code == 404


def test_comparing_shows_the_differences_and_nothing_else(cast: Cast) -> None:
    sheet = record.add_sheet(cast.league, "Ours", "house", {"points": {"JK": 50}, "swap_set": True}, By())
    said = unlike(sheet.rules, rulesets.preset("house"))
    assert [(item.where, item.first, item.second) for item in said] == [
        ("Taking a wild card from a set", "yes", "no"),
        ("Points of the cards: joker", "50 points", "15 points"),
    ]
    page = sign_in(cast).get(reverse("scoring:compare-sheets", args=[cast.league.slug]), {"a": f"sheet:{sheet.pk}", "b": "house"})
    assert "2 points differ" in page.content.decode()


@pytest.mark.parametrize("first", rulesets.preset_ids())
def test_any_preset_can_be_compared_with_the_house(cast: Cast, first: str) -> None:
    page = sign_in(cast).get(reverse("scoring:compare-sheets", args=[cast.league.slug]), {"a": first, "b": "house"})
    assert page.status_code == 200


@pytest.mark.parametrize("base", rulesets.preset_ids())
def test_a_link_holds_the_whole_sheet(base: str) -> None:
    overrides = {"name": "Ours", "wrap": False, "points": {"K": 13}}
    shared = sheet_links.unpack(sheet_links.pack("Ours", base, overrides))
    assert (shared.name, shared.base, shared.overrides) == ("Ours", base, overrides)
    assert shared.rules == rulesets.load({"base": base, **overrides})
    assert shared.lines == ()


@given(st.lists(st.text(max_size=500), max_size=12))
def test_a_link_holds_the_lines_of_the_house_as_a_sheet_keeps_them(lines: list[str]) -> None:
    packed = sheet_links.pack("Ours", "house", {"wrap": True}, lines)
    kept = tuple(line for line in map(sheet_words.house_line, lines) if line)
    assert packed == "" or sheet_links.unpack(packed).lines == kept
    assert packed or sum(map(len, lines)) > 1000


def raw(data: Any) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "not base64 at all!",
        sheet_links.pack("Ours", "house", {"wrap": True})[:-8],
        raw([]),
        raw({"n": "Ours", "b": "house"}),
        raw({"n": "Ours", "b": "nonsense", "o": {}}),
        raw({"n": "Ours", "b": "house", "o": {"id": "magnus"}}),
        raw({"n": "Ours", "b": "house", "o": {"teams": True}}),
        raw({"n": "Ours", "b": "house", "o": {"min_run": 10**9}}),
        raw({"n": "Ours", "b": "house", "o": {"points": "x" * 100_000}}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": "one line"}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": {"text": "one line"}}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": [None]}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": [{"text": "x"}]}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": ["sound", " \u202e "]}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": ["x" * 401]}),
        raw({"n": "Ours", "b": "house", "o": {}, "l": ["x"] * 101}),
        "A" * 9000,
    ],
)
def test_a_link_that_holds_no_sheet_is_refused_with_a_sentence(client: Client, text: str) -> None:
    with pytest.raises(BadQuestion):
        sheet_links.unpack(text)
    answer = client.get(reverse("scoring:shared-sheet"), {"s": text})
    assert answer.status_code == 422


def test_a_shared_sheet_is_taken_over_by_an_owner_and_by_nobody_else(cast: Cast) -> None:
    text = sheet_links.pack("<b>Theirs</b>", "house", {"wrap": True})
    address = reverse("scoring:shared-sheet")
    page = Client().get(address, {"s": text})
    assert page.status_code == 200
    assert "&lt;b&gt;Theirs&lt;/b&gt;" in page.content.decode()
    assert sign_in(cast, "member").post(address, {"s": text, "league": cast.league.slug}).status_code == 403
    assert not RuleSheet.objects.exists()
    sign_in(cast).post(address, {"s": text, "league": cast.league.slug})
    sheet = RuleSheet.objects.get()
    assert (sheet.name, sheet.rules.wrap) == ("<b>Theirs</b>", True)


def test_a_sheet_is_handed_on_with_its_lines_taken_over_with_them_and_compared_by_them(cast: Cast) -> None:
    lines: list[dict[str, Any]] = [
        {"text": "<b>Bold</b> & loud \u202e", "game": 1, "ruling": 9},
        {"text": "Ties share\nthe kitty."},
    ]
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By(), notes=lines)
    owner = sign_in(cast)
    page = owner.get(reverse("scoring:rule-sheet", args=[cast.league.slug, sheet.pk])).content.decode()
    found = re.search(r'class="share-link" href="[^"?]*\?s=([\w-]+)"', page)
    assert found
    assert "<svg" in page[found.end() :], "it is small enough for a code to scan"
    address = reverse("scoring:shared-sheet")
    shown = Client().get(address, {"s": found[1]}).content.decode()
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; loud</span>" in shown
    assert "Ties share the kitty." in shown
    record.add_sheet(cast.league, "Ours", "house", {}, By(), notes=[{"text": "A line of ours."}])
    owner.post(address, {"s": found[1], "league": cast.league.slug})
    taken = RuleSheet.objects.order_by("-pk")[0]
    assert (taken.version, taken.rules.wrap) == (3, True)
    assert taken.notes == [{"text": "<b>Bold</b> & loud"}, {"text": "Ties share the kitty."}]
    compared = owner.get(
        reverse("scoring:compare-sheets", args=[cast.league.slug]), {"a": f"sheet:{taken.pk}", "b": "house"}
    ).content.decode()
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; loud" in compared


def test_a_sheet_that_says_too_much_for_a_link_says_so(cast: Cast) -> None:
    random = Random(1)
    notes = [{"text": "".join(random.choices("abcdefghijklmnopqrstuvwxyz ", k=400))} for _line in range(100)]
    sheet = record.add_sheet(cast.league, "Ours", "house", {}, By(), notes=notes)
    page = sign_in(cast).get(reverse("scoring:rule-sheet", args=[cast.league.slug, sheet.pk])).content.decode()
    assert "says too much for a link" in page
    assert 'class="share-link"' not in page


def test_players_sign_a_sheet_once_and_may_take_it_back(cast: Cast) -> None:
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By())
    player = Player.objects.create(league=cast.league, name="Zoe")
    address = reverse("scoring:sign-sheet", args=[cast.league.slug, sheet.pk])
    keeper = sign_in(cast, "scorekeeper")
    for _time in range(2):
        assert keeper.post(address, {"player": player.pk}).status_code == 303
    assert Signature.objects.get().player == player
    assert sign_in(cast, "member").post(address, {"player": player.pk, "do": "withdraw"}).status_code == 403
    keeper.post(address, {"player": player.pk, "do": "withdraw"})
    assert not Signature.objects.exists()


def test_a_member_signs_for_themselves(cast: Cast) -> None:
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By())
    player = Player.objects.create(league=cast.league, name="Zoe", user=cast.users["member"])
    sign_in(cast, "member").post(reverse("scoring:sign-sheet", args=[cast.league.slug, sheet.pk]), {"player": player.pk})
    assert Signature.objects.get().player == player


# ---------------------------------------------------------------------------------------------------------------------
# Lines of the house: what the league decided for itself


LINES: list[dict[str, Any]] = [
    {"text": "Nobody sulks over a card too many.", "game": 1, "ruling": 9},
    {"text": "Ties share the kitty."},
]


def with_lines(cast: Cast, name: str = "Ours") -> RuleSheet:
    return record.add_sheet(cast.league, name, "house", {"wrap": True}, By(), notes=LINES)


def test_the_lines_of_the_house_stand_on_the_sheet_and_in_its_rule_book_and_are_found_there(cast: Cast) -> None:
    sheet, client = with_lines(cast), sign_in(cast)
    for page in ("rule-sheet", "sheet-book"):
        shown = client.get(reverse(f"scoring:{page}", args=[cast.league.slug, sheet.pk])).content.decode()
        assert all(line["text"] in shown for line in LINES)
        assert f"{reverse('scoring:rulings', args=[1])}#ruling-9" in shown
    found = client.get(reverse("scoring:sheet-book", args=[cast.league.slug, sheet.pk]) + "?q=SULKS+card").content.decode()
    assert LINES[0]["text"] in found
    assert LINES[1]["text"] not in found


def test_a_comparison_names_the_lines_that_only_one_sheet_has(cast: Cast) -> None:
    first = with_lines(cast)
    second = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By(), notes=LINES[:1])
    path = reverse("scoring:compare-sheets", args=[cast.league.slug])
    shown = sign_in(cast).get(f"{path}?a=sheet:{first.pk}&b=sheet:{second.pk}").content.decode()
    assert "1 point differs" in shown
    assert LINES[1]["text"] in shown
    assert LINES[0]["text"] not in shown


@pytest.mark.parametrize(
    ("sent", "kept"),
    [({"lines": "shown", "line": ["1"]}, LINES[1:]), ({"lines": "shown"}, []), ({}, LINES), ({"name": "Theirs"}, LINES)],
)
def test_the_next_version_has_the_lines_that_were_left_ticked(cast: Cast, sent: dict[str, Any], kept: list[Any]) -> None:
    sheet = with_lines(cast)
    path = reverse("scoring:new-sheet", args=[cast.league.slug])
    shown = sign_in(cast).get(f"{path}?from=sheet:{sheet.pk}").content.decode()
    assert shown.count('name="line"') == 2
    form = {**typed(), "from": f"sheet:{sheet.pk}", "do": "keep", **sent}
    assert sign_in(cast).post(path, form).status_code == 302
    assert RuleSheet.objects.order_by("-pk")[0].notes == kept


def test_a_sheet_leads_to_its_rule_book(cast: Cast) -> None:
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By())
    client = sign_in(cast, "viewer")
    book = reverse("scoring:sheet-book", args=[cast.league.slug, sheet.pk])
    assert f'href="{book}"' in client.get(reverse("scoring:rule-sheet", args=[cast.league.slug, sheet.pk])).content.decode()
    assert client.get(book).status_code == 200


def test_a_template_opens_what_its_source_has_lost_and_shows_fifteen_empty_hands_at_one_tap(cast: Cast) -> None:
    client = sign_in(cast)
    address = reverse("scoring:new-sheet", args=[cast.league.slug])
    page = client.get(address, {"from": "fifteen"}).content.decode()
    assert page.count("to be filled in") == 3
    assert 'class="fold" open>' in page
    filled = {**typed("fifteen", hands="15", payouts="6, 2, -3, -5"), "from": "fifteen", "do": "so-many-hands"}
    page = client.post(address, filled).content.decode()
    assert 'name="hand-14-contract"' in page
    assert 'name="hand-15-contract"' not in page
    assert 'value="6, 2, -3, -5"' in page
    assert not RuleSheet.objects.exists()


def test_the_rules_of_a_game_are_signed_at_its_table_one_tap_each(cast: Cast) -> None:
    players = [Player.objects.create(league=cast.league, name=name) for name in ("Ana", "Ben")]
    sheet = record.add_sheet(cast.league, "Ours", "house", {"wrap": True}, By())
    game = record.start_game(cast.league, sheet, players, 0, By(), client_id="signed")
    keeper = sign_in(cast, "scorekeeper")
    more = reverse("scoring:manage", args=[game.pk])
    assert "Nobody has signed" in keeper.get(more).content.decode()
    address = reverse("scoring:sign-sheet", args=[cast.league.slug, sheet.pk])
    answer = keeper.post(address, {"player": players[0].pk, "do": "sign", "table": game.pk})
    assert answer["Location"] == f"{more}#signatures"
    page = keeper.get(more).content.decode()
    assert "Signed by <bdi>Ana</bdi>." in page
    assert f'name="player" value="{players[1].pk}"' in page
    elsewhere = keeper.post(address, {"player": players[1].pk, "do": "sign", "table": "999999"})
    assert elsewhere["Location"].endswith(f"/rules/{sheet.pk}/#signatures")


@pytest.mark.parametrize("many", ["twelve", "", " ", "1e3", "-3", "99", "٣", "7.5"])
@pytest.mark.parametrize("do", ["keep", "so-many-hands", "more-hands", "fewer-hands"])
def test_a_number_of_hands_that_is_none_takes_no_hand_away(cast: Cast, many: str, do: str) -> None:
    before = RuleSheet.objects.count()
    sent = typed(name="Ours", hands=many, hand__6__deal="11")
    answer = cast.client("owner").post(f"/l/{cast.league.slug}/rules/new/", {"from": "house", "do": do, **sent})
    form = answer.context["form"]
    assert (answer.status_code, RuleSheet.objects.count()) == (422, before)
    assert form.fields["hands"].trouble
    assert (len(form.hands), form.hands[6].deal) == (7, "11")
    assert f'name="hands" value="{many}"' in answer.content.decode()


@pytest.mark.parametrize("many", ["7", " 7 ", "+7", "07"])
def test_a_number_of_hands_may_be_written_as_people_write_it(many: str) -> None:
    form = sheet_form.read("house", typed(hands=many))
    assert form.ok
    assert "hands" not in (form.overrides or {})


def test_a_yes_or_no_of_a_hand_that_is_neither_is_refused_there() -> None:
    form = sheet_form.read("house", typed(hand__2__ends_game="perhaps"))
    assert form.overrides is None
    assert (form.hands[2].at, "perhaps" in form.hands[2].trouble) == ("ends_game", True)
