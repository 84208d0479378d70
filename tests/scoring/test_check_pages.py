"""The check pages: the verdict of the referee on its cards, addresses that hold the whole question, and hostile ones."""

import html
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from continental.rules import rulesets
from continental.rules.referee import answer
from players import people
from scoring import check, record, verdicts
from scoring.check import Added, Asked, Row, Setting, TableMeld, read_row
from scoring.record import By
from tests.cast import EVERYBODY, ROLES, Cast
from tests.scoring.tables import act, game_of

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
OPENINGS = json.loads((CASES / "opening.json").read_text("utf-8"))
TURNS = [case for name in ("turn", "extra_turn") for case in json.loads((CASES / f"{name}.json").read_text("utf-8"))]

pytestmark = pytest.mark.django_db


def get(path: str, **more: Any) -> Any:
    return Client().get(path, **more)


def text(found: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(found.content.decode()))


def kind(found: Any) -> str:
    shown = re.search(r'class="verdict verdict--(\w+)"', found.content.decode())
    assert shown
    return shown[1]


def setting(question: dict[str, Any]) -> Setting:
    return Setting(rulesets.load(question["rules"]), question["rules"], question["hand"], question["players"])


def on_page(question: dict[str, Any]) -> Asked | None:
    """Give a worked question as the page would hold it; ``None`` for what the page has no rows for."""
    me = question.get("player", "")
    draw = question.get("draw", {})
    asked = Asked(
        down=me in question.get("opened", []),
        drawn_from="claim" if question.get("claimed") else draw.get("from", ""),
        drawn=read_row("dr", draw.get("card", "")),
    )
    names = {}
    for index, lying in enumerate(question.get("table", [])):
        names[lying["id"]] = index
        asked.table.append(TableMeld.empty(index))
        asked.table[-1].row, asked.table[-1].mine = read_row(f"t{index}", lying["cards"]), lying.get("owner") == me
    opened = False
    played: Counter[str] = Counter()
    for order, action in enumerate(question["actions"]):
        cards = action.get("cards") or action.get("card") or " ".join(action.get("melds", []))
        signed = Counter(card.partition("=")[0] for card in read_row("", cards).text.split())
        if action["do"] == "takeback":
            played -= signed
        else:
            played += signed
        if action["do"] == "open" and not asked.down and order == 0:
            opened = True
            asked.melds = [read_row(f"m{index}", cards) for index, cards in enumerate(action["melds"])]
            asked.additions = [Added(Row(f"a{index}")) for index in range(len(asked.melds))]
        elif action["do"] == "layoff" and action["meld"] in names:
            meld = asked.table[names[action["meld"]]]
            free = meld.more if meld.add.row.text else meld.add
            if meld.more.row.text:
                return None
            free.row, free.end = read_row(free.row.key, action["cards"]), action.get("end", "")
        elif action["do"] == "layoff" and opened and action["meld"] in {f"m{number + 1}" for number in range(len(asked.melds))}:
            added = asked.additions[int(action["meld"][1:]) - 1]
            if added.row.text:
                return None
            added.row, added.end = read_row(added.row.key, action["cards"]), action.get("end", "")
        elif action["do"] == "swap" and action["meld"] in names:
            meld = asked.table[names[action["meld"]]]
            if meld.swap.text or meld.add.row.text:
                return None
            meld.swap, meld.to = read_row(meld.swap.key, action["card"]), action["wild_to"]
            meld.add.end = action.get("end", "")
        elif action["do"] == "meld" and asked.down:
            asked.melds.append(read_row(f"m{len(asked.melds)}", action["cards"]))
            asked.additions.append(Added(Row(f"a{len(asked.additions)}")))
        elif action["do"] == "takeback" and not asked.back.text:
            asked.back, asked.back_earlier = read_row("b", action["cards"]), action["laid"] == "earlier"
        elif action["do"] == "discard" and order == len(question["actions"]) - 1:
            asked.discard = read_row("d", action["card"])
        else:
            return None
    if "held" in question:
        left = Counter(read_row("", question["held"]).text.split())
        if played - left:
            return None
        left -= played
        asked.left, asked.out = read_row("left", " ".join(left.elements())), not left
    return asked


def test_the_page_gives_the_verdict_of_every_worked_case_that_it_can_hold() -> None:
    held = 0
    for case in [*OPENINGS, *TURNS]:
        asked = on_page(case["request"])
        where = setting(case["request"])
        if asked is None or asked.empty or (where.whole and "held" not in case["request"]):
            continue
        held += 1
        shown = verdicts.judge(where, check.read_asked(QueryDict(asked.query().urlencode())))
        wanted = answer(case["request"])["verdict"]
        assert {"building": "illegal"}.get(shown.kind, shown.kind) == wanted, case["case"]
    assert held > 150


def test_the_address_holds_the_whole_question() -> None:
    query = QueryDict(
        "m=7H+7D&m=&m=JK%3D8H&t=4H+JK+6H+7H&ma=7S&ma=&ma=JK&mae=&mae=&mae=low&to=mine&l=8H&le=high&l2=3H&le2=low"
        "&s=5H&sw=t1&from=claim&dr=7H&b=7D&bl=earlier&d=2C&left=3C+4C&out=1&down=1"
    )
    asked = check.read_asked(query)
    again = check.read_asked(QueryDict(asked.query().urlencode()))
    assert again == asked
    assert asked.query().urlencode() == query.urlencode()


@pytest.mark.parametrize("path", ["/check/", "/check/hand/", "/rules/", "/rules/house/", "/rules/rule/R-09/", "/api/v1/referee"])
def test_nobody_needs_an_account(path: str) -> None:
    assert get(path).status_code == 200


def test_a_fault_is_marked_on_its_card_with_the_rule_to_be_read() -> None:
    page = get("/check/?hand=1&m=7H+7D+8S&m=KC+KD+KH")
    assert kind(page) == "illegal"
    assert "A set is cards of one rank: 8♠ is not of rank 7." in text(page)
    assert '"cards": {"2": [1]}' in text(page)
    assert reverse("scoring:rule", args=["house.set.definition"]) in text(page)


def test_instead_is_a_question_that_is_legal() -> None:
    page = get("/check/?hand=2&m=7H+7D+7S&m=4H+6H+JK+7H")
    found = re.search(r'href="(/check/\?[^"]*)" hx-get="[^"]*" hx-target="#check"[^>]*>Lay it so', page.content.decode())
    assert kind(page) == "illegal"
    assert found
    assert kind(get(html.unescape(found[1]))) == "legal"


def test_what_is_only_short_of_cards_is_not_called_wrong() -> None:
    assert kind(get("/check/?hand=1&m=7H+7D")) == "building"


def test_a_question_of_the_referee_has_answers_to_tap() -> None:
    page = get("/check/?hand=1&down=1&t=4H+5H+6H+7H&l=JK&d=2C")
    assert kind(page) == "unclear"
    hrefs = re.findall(r'<a class="btn" href="([^"]*)"[^>]*>At the (?:low|high) end', page.content.decode())
    assert len(hrefs) == 2
    assert {kind(get(html.unescape(href))) for href in hrefs} == {"legal"}


def test_a_joker_is_swapped_from_the_table() -> None:
    assert kind(get("/check/?hand=3&down=1&t=4H+JK+6H+7H&t=9S+TS+JS+QS&s=5H&s=&sw=t2&sw=&le=&le=high&d=2C")) in {
        "legal",
        "unclear",
    }
    assert kind(get("/check/?hand=3&down=1&t=4H+JK+6H+7H&s=5H&sw=hand&d=2C")) == "illegal"


def test_cards_that_the_packs_do_not_hold_are_to_be_checked() -> None:
    page = get("/check/?hand=1&players=4&m=7H+7H+7H&m=KC+KD+KH")
    assert kind(page) == "impossible"
    assert '"cards": {"0": [1], "1": [1], "2": [1]}' in text(page)


def test_a_hand_that_can_go_down_is_laid_out_and_one_that_cannot_is_said_to() -> None:
    assert kind(get("/check/hand/?hand=1&c=7H+7D+7S+KC+KD+KH+2C")) == "legal"
    assert "No: there is no way" in text(get("/check/hand/?hand=1&c=7H+7D+8S+KC+KD+KH+2C"))


@pytest.mark.parametrize(
    "query",
    [
        "hand=1&c=7H+7D+7S+KC+KD+KH+2C+9S",
        "hand=1&c=7H+7D+7S+KC+KD+KH+5H+2C&t=4H+JK+6H+7H&t=9S+TS+JS+QS",
        "hand=1&c=7H+7D+7S+KC+KD+KH+8H+3H+2H+2C&t=4H+5H+6H+7H",
        "rules=carioca&hand=1&c=7H+7D+7S+7C+KC+KD+KH+KS+2C+9S",
    ],
)
def test_the_best_play_is_judged_legal_on_the_other_page(query: str) -> None:
    page = get(f"/check/hand/?{query}")
    found = re.search(r'href="([^"]*)">See it judged', page.content.decode())
    assert found
    judged = get(html.unescape(found[1]))
    assert kind(judged) == "legal"
    assert check.read_asked(QueryDict(html.unescape(found[1]).partition("?")[2])).left.text == " ".join(
        answer(question_of(query))["left"]
    )


def question_of(query: str) -> dict[str, Any]:
    asked = QueryDict(query)
    table = [
        {"id": f"t{number}", "owner": "other", "kind": "run", "cards": cards}
        for number, cards in enumerate(asked.getlist("t"), start=1)
    ]
    rules = asked.get("rules", "house")
    return {"ask": "arrange", "rules": rules, "players": 4, "hand": 1, "use": "best", "cards": asked["c"], "table": table}


def test_several_jokers_laid_off_may_go_to_both_ends() -> None:
    page = get("/check/?hand=1&down=1&t=4H+5H+6H+7H&l=JK+JK&d=2C")
    assert kind(page) == "unclear"
    hrefs = [html.unescape(href) for href in re.findall(r'<li><a class="btn" href="([^"]*)"', page.content.decode())]
    assert [("le=low" in href, "le=high" in href, "le2=high" in href) for href in hrefs] == [
        (True, False, False),
        (False, True, False),
        (True, False, True),
    ]
    assert {kind(get(href)) for href in hrefs} == {"legal"}


def test_a_discard_just_taken_and_a_claim_are_judged() -> None:
    rules = next(name for name in rulesets.preset_ids() if rulesets.preset(name).discard == "not-just-taken")
    own = f"/check/?rules={rules}&hand=1&left=3C&d=2C&from="
    assert kind(get(f"{own}discard&dr=2C")) == "illegal"
    assert kind(get(f"{own}stock&dr=2C")) == "legal"
    claimed = get("/check/?rules=house&hand=1&d=2C&from=claim&dr=7H")
    assert kind(claimed) == "illegal"
    assert "Who claims the discard out of turn does not discard." in text(claimed)


def test_cards_laid_in_an_earlier_turn_stay_on_the_table() -> None:
    earlier = get("/check/?hand=1&down=1&t=4H+5H+6H+7H&b=7H&bl=earlier&d=2C")
    assert kind(earlier) == "illegal"
    assert '"b"' in html.unescape(earlier.content.decode())
    assert kind(get("/check/?hand=1&m=7H+7D+7S+8S&m=KC+KD+KH&b=8S&left=8S&d=2C")) == "legal"


def test_a_leagues_own_sheet_is_asked_by_those_who_may_read_it(cast: Cast) -> None:
    sheet = record.add_sheet(cast.league, "Grandmother’s", "house", {"min_set": 4}, By(user=cast.owner))
    address = f"/check/?rules=sheet-{sheet.pk}&hand=1&m=7H+7D+7S&m=KC+KD+KH+KS&d=2C"
    for who in EVERYBODY:
        verdict = "building" if who in ROLES else "legal"
        page = cast.client(who).get(address)
        assert kind(page) == verdict, who
        assert ("Grandmother’s" in page.content.decode()) is (verdict == "building")


@pytest.mark.parametrize("preset", [rules.id for rules in map(rulesets.preset, rulesets.preset_ids()) if rules.hands])
def test_every_preset_is_checked_and_read(preset: str) -> None:
    for hand in range(1, len(rulesets.preset(preset).hands) + 1):
        assert get(f"/check/?rules={preset}&hand={hand}&m=7H+7D+JK&m=3S+4S+5S+6S&d=2C").status_code == 200
    assert get(f"/rules/{preset}/?with=house").status_code == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("m=" + "7H+" * 10_000, 414),
        ("m=" + "7H+" * 1_900, 200),
        ("m=7X", 200),
        ("m=%00", 400),
        ("m=" + "JK+" * 100, 200),
        ("&".join(["m=JK+JK+JK"] * 40), 200),
        ("&".join(["t=JK"] * 40), 200),
        ("hand=0&players=-1&rules=nonsense", 200),
        ("hand=9999999999999999999999&players=x", 200),
        ("m=7H=8H", 200),
        ("d=2C+3C", 200),
        ("t=2C+9D+KS&l=3H", 200),
        ("s=5H&t=4H+JK+6H&sw=t99", 200),
        ("who=%F0%9F%83%8F", 200),
        ("c=" + "JK+" * 61, 200),
        ("more=x", 200),
    ],
)
@pytest.mark.parametrize("path", ["/check/", "/check/hand/"])
def test_hostile_addresses_get_a_sentence(path: str, query: str, status: int) -> None:
    page = get(f"{path}?{query}")
    assert page.status_code == status
    assert len(page.content) < 400_000


def test_what_cannot_be_read_is_named_where_it_stands() -> None:
    assert "“7X” is not a card." in text(get("/check/?m=7H+7X"))
    assert "too long to be a question" in text(get("/check/?m=" + "7H+" * 10_000))


def test_a_tap_is_answered_with_the_verdict_alone_and_its_address() -> None:
    part = get(
        "/check/?rules=house&hand=1&players=4&m=7H&m=&t=&to=&l=&le=", headers={"HX-Request": "true", "HX-Target": "verdict"}
    )
    assert part.content.strip().startswith(b'<section id="verdict"')
    assert part["HX-Replace-Url"] == "/check/?rules=house&hand=1&players=4&m=7H"


def test_the_league_checks_at_its_own_table(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")]
    game = game_of(cast.league, players)
    act(game, "opened", hand=1, seat=1)
    for name in ("game-check", "game-check-hand", "game-rules"):
        cast.expects(reverse(f"scoring:{name}", args=[game.pk]), owner=200, scorekeeper=200, member=200, viewer=200)
    page = cast.client("member").get(reverse("scoring:game-check", args=[game.pk]) + "?who=1&m=7H+7D+7S")
    assert "After going down no new meld may be laid." in text(page)
    table = text(cast.client("member").get(reverse("scoring:table", args=[game.pk])))
    assert "Easily forgotten" in table
    assert reverse("scoring:game-check", args=[game.pk]) in table


def test_every_rule_that_is_a_reminder_is_on_the_table_page_of_its_game() -> None:
    from continental.rules import catalogue  # noqa: PLC0415 - only this test asks it
    from scoring.templatetags.rulebook import reminders  # noqa: PLC0415

    rules = rulesets.preset("house")
    shown = {rule.id for place in catalogue.REMINDER_PLACES for rule in reminders(rules, place)}
    held = [item for item in catalogue.holding(rules) if item.status != "changed"]
    assert shown == {item.rule.id for item in held if item.rule.home == "reminder"} != set()


# ---------------------------------------------------------------------------------------------------------------------
# The rule book


def test_every_rule_has_a_page_and_stands_in_the_book_of_its_game() -> None:
    from continental.rules import catalogue  # noqa: PLC0415 - only this test asks it

    for rule_id in catalogue.rules():
        assert get(reverse("scoring:rule", args=[rule_id])).status_code == 200
    book = get("/rules/house/").content.decode()
    assert all(f'id="{item.rule.id}"' in book for item in catalogue.holding(rulesets.preset("house")))


def test_the_book_is_searched_in_the_readers_language() -> None:
    assert 'id="house.joker.implied"' in text(get("/rules/house/?q=house.joker.implied"))
    assert "rules say “joker”" in text(get("/rules/house/?q=joker"))
    assert "0 rules say" in text(get("/rules/house/?q=xyzzy"))
    with override("es"):
        assert "comod" in text(get("/rules/house/?q=comodin", headers={"Accept-Language": "es"}))


def test_a_rule_or_a_book_that_does_not_exist_is_not_found() -> None:
    assert get("/rules/rule/nonsense/").status_code == 404
    assert get("/rules/nonsense/").status_code == 404


def test_a_leagues_sheet_has_its_own_book(cast: Cast) -> None:
    game = game_of(cast.league, [people.add_player(cast.league, name) for name in ("Ana", "Ben")])
    path = reverse("scoring:sheet-book", args=[cast.league.slug, game.sheet_id])
    cast.expects(path, owner=200, scorekeeper=200, member=200, viewer=200)


def test_four_colours_are_kept_on_the_device() -> None:
    client = Client()
    assert client.post(reverse("players:suits"), {"suits": "four", "next": "/check/"}).status_code == 302
    assert 'class="four-colour"' in client.get("/check/").content.decode()
    client.post(reverse("players:suits"), {"suits": "nonsense"})
    assert 'class="four-colour"' in client.get("/check/").content.decode()
