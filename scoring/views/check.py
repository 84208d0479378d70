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
from players.permissions import Action, actor_of, may
from scoring import check, messages, verdicts
from scoring import referee_words as words
from scoring.check import Added, Asked, Row, Setting, TableMeld
from scoring.entries import whole_number
from scoring.load import Table
from scoring.models import RuleSheet
from scoring.views.common import frame, in_game

_FREE_ROWS: Final = 2
"""Rows for melds where the contract does not say how many."""
_USUAL_PLAYERS: Final = 4
_WHOLE_TABLE: Final = 3
"""Empty rows for more melds where the whole table is read."""
_SHEET: Final = "sheet-"
"""How an address begins to name a league's own sheet; what follows is its key."""


@dataclass
class MeldRow:
    """A row of the page for one meld of the opening, with what the contract wants there."""

    row: Row
    kind: str
    label: str
    add: Added
    lays_on: bool
    """Whether the page has a row for what is laid off on the new meld."""


def _number(text: str, least: int, most: int, otherwise: int) -> int:
    number = whole_number(text, 3)
    return otherwise if number is None else max(least, min(most, number))


def playable() -> list[rulesets.RuleSet]:
    """Give the presets whose hands are known, in the order in which they are offered."""
    return [found for found in map(rulesets.preset, rulesets.preset_ids()) if found.hands]


def own_sheets(request: HttpRequest) -> list[RuleSheet]:
    """Give the newest version of each house-rule sheet that the visitor's leagues have."""
    actor = actor_of(request)
    if not actor.roles:
        return []
    newest: dict[tuple[int, str], RuleSheet] = {}
    for sheet in RuleSheet.objects.filter(league__in=actor.roles).select_related("league").order_by("version"):
        if may(actor, Action.VIEW_LEAGUE, sheet.league):
            newest[sheet.league_id, sheet.name] = sheet
    return sorted(newest.values(), key=lambda sheet: (sheet.league.name, sheet.name))


def _sheet_of(request: HttpRequest, key: str) -> RuleSheet | None:
    """Find a league's own sheet by its key in an address, where the visitor may read it; older versions too."""
    number = whole_number(key.removeprefix(_SHEET), 9) if key.startswith(_SHEET) else None
    if number is None:
        return None
    sheet = RuleSheet.objects.select_related("league").filter(pk=number).first()
    return sheet if sheet and may(actor_of(request), Action.VIEW_LEAGUE, sheet.league) else None


def setting_of(request: HttpRequest, query: QueryDict, table: Table | None) -> Setting:
    """Read under which rules an address asks: those of the table, a league's own that the visitor may read, or a preset."""
    if table is not None:
        hand = _number(query.get("hand", ""), 1, _hands(table.rules), table.hand.number)
        return Setting(table.rules, sheets.to_data(table.rules), hand, len(table.players))
    known = {rules.id: rules for rules in playable()}
    key = query.get("rules", "")
    sheet = _sheet_of(request, key)
    rules = sheet.rules if sheet else known.get(key) or known["house"]
    hand = _number(query.get("hand", ""), 1, _hands(rules), 1)
    players = _number(query.get("players", ""), 2, check.MOST_PLAYERS, _USUAL_PLAYERS)
    return Setting(rules, sheets.to_data(rules) if sheet else rules.id, hand, players, key if sheet else rules.id)


def _hands(rules: rulesets.RuleSet) -> int:
    return len(rules.hands) if rules.target is None else 99


def _address(page: str, setting: Setting, query: QueryDict, table: Table | None, here: str = "") -> str:
    """Give the address that holds the whole question.

    Args:
        here: the page on which it is asked, where that is another one than the check page.
    """
    whole = QueryDict(mutable=True)
    if table is None:
        whole["rules"], whole["hand"], whole["players"] = setting.key, str(setting.hand), str(setting.players)
    elif here or setting.hand != table.hand.number:
        whole["hand"] = str(setting.hand)
    for name, values in query.lists():
        whole.setlist(name, values)
    path = here or (reverse(f"scoring:{page}") if table is None else reverse(f"scoring:game-{page}", args=[table.game.pk]))
    return f"{path}?{whole.urlencode()}" if whole else path


def _shared(request: HttpRequest, page: str, setting: Setting, table: Table | None) -> dict[str, Any]:
    rules = setting.rules
    hands = [(number, messages.contract_words(rules.hand(number).contract)) for number in range(1, min(_hands(rules), 30) + 1)]
    return {
        "setting": setting,
        "page": page,
        **(frame(request, table) if table else {}),
        "presets": [] if table else playable(),
        "own_sheets": [] if table else [(f"{_SHEET}{sheet.pk}", sheet) for sheet in own_sheets(request)],
        "hands": hands,
        "contract": messages.contract_words(setting.hand_rule.contract),
        "players_choice": range(2, check.MOST_PLAYERS + 1),
        "whole": setting.whole,
        "wild": format_cards(sorted(rules.wild)),
    }


def _too_long(request: HttpRequest, page: str, table: Table | None) -> HttpResponse | None:
    if len(request.META.get("QUERY_STRING", "")) <= check.LONGEST_ADDRESS:
        return None
    setting = setting_of(request, QueryDict(), table)
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


def _rows(setting: Setting, asked: Asked, more: str, *, spare: int = 1) -> dict[str, Any]:
    """Give the rows of the page: one for each meld of the contract, and as many as are used beyond."""
    rule = setting.hand_rule
    slots = rule.contract.slots if rule.contract and not asked.down else ()
    count = max(len(slots), len(asked.melds), 1 if asked.down else 0 if slots else _FREE_ROWS) + (more == "m")
    wanted = wanted_melds(setting.rules, rule)
    rows = []
    for index in range(min(count, check.MOST_MELDS)):
        row = asked.melds[index] if index < len(asked.melds) else Row(f"m{index}")
        slot = slots[index] if index < len(slots) else None
        add = asked.additions[index] if index < len(asked.additions) else Added(Row(f"a{index}"))
        lays_on = bool(add.row.text) or rule.exact_sets or rule.exact_runs
        rows.append(MeldRow(row, slot.kind if slot else "any", _label(slot, wanted[index].least if slot else 0), add, lays_on))
    return {
        "meld_rows": rows,
        "any_lays_on": any(row.lays_on for row in rows),
        "table_rows": _table_rows(asked.table, spare + (more == "t")),
        "may_add": not slots,
    }


def _table_rows(table: Sequence[TableMeld], spare: int = 1) -> list[TableMeld]:
    """Give the melds on the table, and some empty ones to enter more."""
    first = len(table)
    free = range(first, min(first + spare, check.MOST_ON_TABLE))
    return [*table, *(TableMeld.empty(index) for index in free)]


def _label(slot: Slot | None, least: int) -> str:
    if slot is None:
        return _("Set or run")
    if slot.kind == "pair":
        return _("Pair")
    if slot.kind == "set":
        return ngettext("Set, from %(least)s card", "Set, from %(least)s cards", least) % {"least": least}
    return ngettext("Run, from %(least)s card", "Run, from %(least)s cards", least) % {"least": least}


def check_page(request: HttpRequest, table: Table | None, here: str = "") -> HttpResponse:
    """Show the rows of melds and the verdict on them."""
    return _too_long(request, "check", table) or _answer(request, "check", check_context(request, table, here), 200)


def check_context(request: HttpRequest, table: Table | None, here: str = "") -> dict[str, Any]:
    """Give what the rows of melds and the verdict on them are drawn from.

    Args:
        here: the page on which they stand, where that is another one than the check page.
    """
    setting = setting_of(request, request.GET, table)
    asked, verdict = judged(request.GET, setting, table)

    whole_table = table is not None and request.GET.get("lies") == "1"

    def address(question: Asked) -> str:
        return _address("check", setting, question.query(), table, here)

    return {
        **_shared(request, "check", setting, table),
        **_rows(setting, asked, request.GET.get("more", ""), spare=_WHOLE_TABLE if whole_table else 1),
        "asked": asked,
        "verdict": verdict,
        "marks_json": _marks(asked.rows),
        "address": address(asked),
        "instead": address(verdict.instead) if verdict.instead else "",
        "choices": [(choice, address(choice.asked)) for choice in verdict.choices],
        "seats": _seats(table),
        "query": f"hand={setting.hand}&{asked.query().urlencode()}",
        "lies": whole_table,
        "whole_table": whole_table,
    }


def judged(query: QueryDict, setting: Setting, table: Table | None) -> tuple[Asked, verdicts.Verdict]:
    """Read the melds of an address and judge them."""
    asked = check.read_asked(query)
    if table is not None and asked.who:
        seat = whole_number(asked.who, 3)
        asked.who = asked.who if seat in table.state.seats else ""
        asked.down = seat in table.hand.opened
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
    setting = setting_of(request, request.GET, table)
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
    """Give the best play as a question of the other page, where its verdict can be read.

    ``None`` where a meld takes more in this turn than that page has rows for.
    """
    if not arranged.possible or arranged.answer is None:
        return None
    best = arranged.answer
    melds = [check.read_row(f"m{index}", meld["cards"]) for index, meld in enumerate(best["melds"])]
    own = [Added(Row(f"a{index}")) for index in range(len(melds))]
    lying = [meld.untouched() for meld in table]
    for swap in best["swaps"]:
        meld = lying[int(swap["meld"][1:]) - 1]
        if meld.swap.text or swap.get("end"):
            return None
        meld.swap, meld.to = check.read_row(meld.swap.key, swap["card"]), swap["wild_to"]
    for layoff in best["layoffs"]:
        place = int(layoff["meld"][1:]) - 1
        rows = [own[place]] if layoff["meld"].startswith("m") else [lying[place].add, lying[place].more]
        if not _lay(rows, layoff["cards"], layoff.get("end") or ""):
            return None
    left = format_cards(best["left"])
    return Asked(
        melds=melds,
        additions=own,
        table=lying,
        discard=check.read_row("d", best["discard"] or ""),
        left=check.read_row("left", left),
        out=not left,
    )


def _lay(rows: Sequence[Added], cards: str, end: str) -> bool:
    """Lay cards off in the first row that is free or goes to the same end; tell whether there was one."""
    for added in rows:
        if not added.row.text or added.end == end:
            added.row, added.end = check.read_row(added.row.key, " ".join(filter(None, [added.row.text, cards]))), end
            return True
    return False


@require_safe
def check_hand(request: HttpRequest) -> HttpResponse:
    """Arrange a hand without a game."""
    return hand_page(request, None)


@require_safe
@in_game(Action.VIEW_GAME)
def game_check_hand(request: HttpRequest, table: Table) -> HttpResponse:
    """Arrange a hand at a table."""
    return hand_page(request, table)
