"""The referee's pages: check melds, and whether a hand could have gone down. They need no account and write nothing."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from continental.rules import rulesets, sheets
from continental.rules.contracts import Slot
from continental.rules.errors import BadQuestion
from continental.rules.notation import format_cards
from continental.rules.openings import wanted_melds
from continental.rules.referee import answer as ask
from players.permissions import Action
from scoring import check, messages, verdicts
from scoring import referee_words as words
from scoring.check import Asked, Row, Setting, TableMeld
from scoring.load import Table
from scoring.views.common import frame, in_game

_FREE_ROWS: Final = 2
"""Rows for melds where the contract does not say how many."""
_USUAL_PLAYERS: Final = 4


@dataclass
class MeldRow:
    """A row of the page for one meld of the opening, with what the contract wants there."""

    row: Row
    kind: str
    label: str


def _number(text: str, least: int, most: int, otherwise: int) -> int:
    return max(least, min(most, int(text))) if text.isascii() and text.isdecimal() and len(text) < 4 else otherwise


def playable() -> list[rulesets.RuleSet]:
    """Give the presets whose hands are known, in the order in which they are offered."""
    return [found for found in map(rulesets.preset, rulesets.preset_ids()) if found.hands]


def setting_of(query: QueryDict, table: Table | None) -> Setting:
    if table is not None:
        hand = _number(query.get("hand", ""), 1, _hands(table.rules), table.hand.number)
        return Setting(table.rules, sheets.to_data(table.rules), hand, len(table.players))
    known = {rules.id: rules for rules in playable()}
    name = query.get("rules", "")
    rules = known.get(name) or known["house"]
    hand = _number(query.get("hand", ""), 1, _hands(rules), 1)
    return Setting(rules, rules.id, hand, _number(query.get("players", ""), 2, check.MOST_PLAYERS, _USUAL_PLAYERS))


def _hands(rules: rulesets.RuleSet) -> int:
    return len(rules.hands) if rules.target is None else 99


def _address(page: str, setting: Setting, query: QueryDict, table: Table | None) -> str:
    """Give the address that holds the whole question."""
    whole = QueryDict(mutable=True)
    if table is None:
        whole["rules"], whole["hand"], whole["players"] = setting.rules.id, str(setting.hand), str(setting.players)
    elif setting.hand != table.hand.number:
        whole["hand"] = str(setting.hand)
    for name, values in query.lists():
        whole.setlist(name, values)
    path = reverse(f"scoring:{page}") if table is None else reverse(f"scoring:game-{page}", args=[table.game.pk])
    return f"{path}?{whole.urlencode()}" if whole else path


def _shared(request: HttpRequest, page: str, setting: Setting, table: Table | None) -> dict[str, Any]:
    rules = setting.rules
    hands = [(number, messages.contract_words(rules.hand(number).contract)) for number in range(1, min(_hands(rules), 30) + 1)]
    return {
        "setting": setting,
        "page": page,
        **(frame(request, table) if table else {}),
        "presets": playable(),
        "hands": hands,
        "contract": messages.contract_words(setting.hand_rule.contract),
        "players_choice": range(2, check.MOST_PLAYERS + 1),
        "whole": setting.whole,
        "wild": format_cards(sorted(rules.wild)),
    }


def _too_long(request: HttpRequest, page: str, table: Table | None) -> HttpResponse | None:
    if len(request.META.get("QUERY_STRING", "")) <= check.LONGEST_ADDRESS:
        return None
    setting = setting_of(QueryDict(), table)
    context = {
        **_shared(request, page, setting, table),
        **(_rows(setting, Asked(), "") if page == "check" else {"hand": Row("c"), "table_rows": _table_rows([])}),
        "asked": Asked(),
        "verdict": verdicts.Verdict("unread", troubles=[words.trouble("long", most=check.LONGEST_ADDRESS)]),
        "arranged": Arranged(troubles=[words.trouble("long", most=check.LONGEST_ADDRESS)]),
        "address": _address(page, setting, QueryDict(), table),
    }
    return _answer(request, page, context, 414)


def _answer(request: HttpRequest, page: str, context: dict[str, Any], status: int) -> HttpResponse:
    """Answer with the page, or to htmx with the part that it asked for."""
    name = {"check": "check", "check-hand": "check_hand"}[page]
    part = getattr(request.htmx, "target", "") if getattr(request, "htmx", False) else ""  # type: ignore[attr-defined]
    template = {"verdict": f"scoring/_{name}_verdict.html", "check": f"scoring/_{name}.html"}.get(
        part or "", f"scoring/{name}.html"
    )
    # htmx swaps only what went well; a question that is too long is shown in its place like any other answer.
    answer = render(request, template, context, status=422 if part and status == 414 else status)
    if part:
        answer["HX-Replace-Url"] = context["address"]
    return answer


# ---------------------------------------------------------------------------------------------------------------------
# Check melds


def _rows(setting: Setting, asked: Asked, more: str) -> dict[str, Any]:
    """Give the rows of the page: one for each meld of the contract, and as many as are used beyond."""
    rule = setting.hand_rule
    slots = rule.contract.slots if rule.contract and not asked.down else ()
    count = max(len(slots), len(asked.melds), 1 if asked.down else 0 if slots else _FREE_ROWS) + (more == "m")
    wanted = wanted_melds(setting.rules, rule)
    rows = []
    for index in range(min(count, check.MOST_MELDS)):
        row = asked.melds[index] if index < len(asked.melds) else Row(f"m{index}")
        slot = slots[index] if index < len(slots) else None
        rows.append(MeldRow(row, slot.kind if slot else "any", _label(slot, wanted[index].least if slot else 0)))
    return {"meld_rows": rows, "table_rows": _table_rows(asked.table, 1 + (more == "t")), "may_add": not slots}


def _table_rows(table: Sequence[TableMeld], spare: int = 1) -> list[TableMeld]:
    """Give the melds on the table, and some empty ones to enter more."""
    first = len(table)
    free = range(first, min(first + spare, check.MOST_ON_TABLE))
    return [
        *table,
        *(TableMeld(Row(f"t{index}"), add=Row(f"l{index}"), swap=Row(f"s{index}")) for index in free),
    ]


def _label(slot: Slot | None, least: int) -> str:
    if slot is None:
        return _("Set or run")
    if slot.kind == "pair":
        return _("Pair")
    if slot.kind == "set":
        return ngettext("Set, from %(least)s card", "Set, from %(least)s cards", least) % {"least": least}
    return ngettext("Run, from %(least)s card", "Run, from %(least)s cards", least) % {"least": least}


def check_page(request: HttpRequest, table: Table | None) -> HttpResponse:
    """Show the rows of melds and the verdict on them."""
    return _too_long(request, "check", table) or _answer(request, "check", check_context(request, table), 200)


def check_context(request: HttpRequest, table: Table | None) -> dict[str, Any]:
    """Give what the rows of melds and the verdict on them are drawn from."""
    setting = setting_of(request.GET, table)
    asked, verdict = judged(request.GET, setting, table)
    return {
        **_shared(request, "check", setting, table),
        **_rows(setting, asked, request.GET.get("more", "")),
        "asked": asked,
        "verdict": verdict,
        "marks_json": _marks(asked.rows),
        "address": _address("check", setting, asked.query(), table),
        "instead": _address("check", setting, verdict.instead.query(), table) if verdict.instead else "",
        "choices": [(choice, _address("check", setting, choice.asked.query(), table)) for choice in verdict.choices],
        "seats": _seats(table),
    }


def judged(query: QueryDict, setting: Setting, table: Table | None) -> tuple[Asked, verdicts.Verdict]:
    """Read the melds of an address and judge them."""
    asked = check.read_asked(query)
    if table is not None and asked.who:
        asked.who = asked.who if asked.who.isdecimal() and int(asked.who) in table.state.seats else ""
        asked.down = bool(asked.who) and int(asked.who) in table.hand.opened
    return asked, verdicts.judge(setting, asked)


def _marks(rows: Iterable[Row]) -> str:
    """Write what is marked on each row, for the script that draws the rows."""
    marked = {row.key: {"row": row.faulty, "cards": row.marks, "trouble": row.trouble} for row in rows}
    return json.dumps({key: marks for key, marks in marked.items() if any(marks.values())})


def _seats(table: Table | None) -> list[tuple[str, str, bool]]:
    if table is None:
        return []
    return [(str(seat), table.names[seat], seat in table.hand.opened) for seat in table.state.present]


@require_safe
def check_melds(request: HttpRequest) -> HttpResponse:
    """Check melds without a game: the rule set and the hand are chosen on the page."""
    return check_page(request, None)


@require_safe
@in_game(Action.VIEW_GAME)
def game_check(request: HttpRequest, table: Table) -> HttpResponse:
    """Check melds at a table: the sheet, the hand, the players and who is down are known."""
    return check_page(request, table)


# ---------------------------------------------------------------------------------------------------------------------
# Could I have gone down?


@dataclass
class Arranged:
    """The best that a hand can do, as the page shows it."""

    answer: dict[str, Any] | None = None
    troubles: Sequence[str] = ()

    @property
    def possible(self) -> bool:
        return bool(self.answer and self.answer["possible"])


def _arrange(setting: Setting, hand: Row, table: Sequence[TableMeld]) -> Arranged:
    if hand.trouble or any(meld.row.trouble for meld in table):
        return Arranged()
    if not hand.cards:
        return Arranged()
    found = ask(check.arrange_question(setting, hand, table))
    if "error" in found:
        sentence = check.refused(BadQuestion(found["error"], found["at"]), setting, table)
        return Arranged(troubles=[sentence] if sentence else [])
    for layoff in found["layoffs"]:
        layoff["meld_number"] = layoff["meld"][1:] if layoff["meld"].startswith("t") else ""
    return Arranged(found)


def hand_page(request: HttpRequest, table: Table | None) -> HttpResponse:
    """Show a hand of cards and the best that it can do."""
    refused = _too_long(request, "check-hand", table)
    if refused is not None:
        return refused
    setting = setting_of(request.GET, table)
    hand = check.read_row("c", request.GET.get("c", ""), spoken=False)
    on_table = check.read_table(request.GET)
    arranged = _arrange(setting, hand, on_table)
    query = Asked(table=on_table).query()
    if hand.text:
        query["c"] = hand.text
    played = _played(setting, arranged, on_table)
    context = {
        **_shared(request, "check-hand", setting, table),
        "hand": hand,
        "table_rows": _table_rows(on_table, 1 + (request.GET.get("more") == "t")),
        "arranged": arranged,
        "marks_json": _marks([hand, *(meld.row for meld in on_table)]),
        "left_cards": format_cards(arranged.answer["left"]) if arranged.answer else "",
        "address": _address("check-hand", setting, query, table),
        "as_turn": _address("check", setting, played.query(), table) if played else "",
    }
    return _answer(request, "check-hand", context, 200)


def _played(setting: Setting, arranged: Arranged, table: Sequence[TableMeld]) -> Asked | None:
    """Give the best play as a question of the other page, where its verdict can be read."""
    if not arranged.possible or arranged.answer is None or arranged.answer["swaps"]:
        return None
    answer = arranged.answer
    if any(not layoff["meld_number"] for layoff in answer["layoffs"]):
        return None
    melds = list(table)
    for layoff in answer["layoffs"]:
        index = int(layoff["meld_number"]) - 1
        added = " ".join(filter(None, [melds[index].add.text, layoff["cards"]]))
        meld = melds[index]
        melds[index] = TableMeld(meld.row, meld.mine, check.read_row(f"l{index}", added), layoff.get("end", meld.end))
    left = format_cards(answer["left"])
    return Asked(
        melds=[check.read_row(f"m{index}", meld["cards"]) for index, meld in enumerate(answer["melds"])],
        table=melds,
        discard=check.read_row("d", answer["discard"] or ""),
        left=check.read_row("left", left),
        out=not left,
    )


@require_safe
def check_hand(request: HttpRequest) -> HttpResponse:
    """Arrange a hand without a game."""
    return hand_page(request, None)


@require_safe
@in_game(Action.VIEW_GAME)
def game_check_hand(request: HttpRequest, table: Table) -> HttpResponse:
    """Arrange a hand at a table."""
    return hand_page(request, table)
