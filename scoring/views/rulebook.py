"""The rule book: every rule of a rule set in words, to be searched, linked to and compared. It needs no account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from continental.rules import catalogue, rulesets
from continental.rules.catalogue import Chapter, Holding, Rule
from continental.rules.errors import BadQuestion
from continental.rules.examples import example
from continental.rules.notation import format_cards
from continental.rules.parameters import RuleSet
from continental.rules.texts import Text
from players.models import League
from players.permissions import Action, in_league
from scoring import messages, sheet_words
from scoring.load import Table
from scoring.models import RuleSheet
from scoring.record_rulings import plain
from scoring.views.common import frame, in_game
from scoring.views.sheets import unlike

_LONGEST_SEARCH = 200


@dataclass
class Shown:
    """A chapter with those of its rules that are shown."""

    chapter: Chapter
    rules: tuple[Holding, ...]
    source: Text


@dataclass
class WorkedHand:
    """A hand of the game with an example of going down in it, drawn."""

    number: int
    contract: str
    melds: list[str]
    discard: str


def _hands(rules: RuleSet) -> list[WorkedHand]:
    hands = []
    for number in range(1, len(rules.hands) + 1):
        shown = example(rules, number)
        if shown is not None:
            contract = messages.contract_words(rules.hand(number).contract)
            hands.append(WorkedHand(number, contract, [format_cards(meld) for meld in shown.melds], shown.discard or ""))
    return hands


def _searched(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:_LONGEST_SEARCH].strip()


def _book(request: HttpRequest, rules: RuleSet, name: str, notes: Sequence[Mapping[str, Any]] = (), **more: Any) -> HttpResponse:
    """Show the book of a rule set, and what the league decided for itself; of a search, only what was found."""
    words = _searched(request)
    lines = [line for line in notes if all(word in plain(line["text"]) for word in plain(words).split())]
    chapters = catalogue.book(rules)
    if words:
        held = [item.rule for _chapter, items in chapters for item in items]
        found = {rule.id for rule in catalogue.search(words, get_language() or "en", held)}
        chapters = tuple((chapter, tuple(item for item in items if item.rule.id in found)) for chapter, items in chapters)
    shown = [Shown(chapter, items, catalogue.SOURCES[chapter.source]) for chapter, items in chapters if items]
    other = request.GET.get("with", "")
    compared = rulesets.preset(other) if other in rulesets.preset_ids() else None
    context = {
        "rules": rules,
        "name": name,
        "names": catalogue.names(rules.id),
        "words": words,
        "chapters": shown,
        "lines": lines,
        "found": sum(len(part.rules) for part in shown) + len(lines),
        "hands": [] if words else _hands(rules),
        "presets": [rulesets.preset(known) for known in rulesets.preset_ids()],
        "compared": compared,
        "differences": unlike(rules, compared) if compared else [],
        **more,
    }
    return render(request, "scoring/rule_book.html", context)


@require_safe
def rule_books(request: HttpRequest) -> HttpResponse:
    """List the games whose rules are known, and search them all at once."""
    words = _searched(request)
    found = catalogue.search(words, get_language() or "en") if words else ()
    presets = [(rulesets.preset(name), catalogue.names(name)) for name in rulesets.preset_ids()]
    return render(request, "scoring/rule_books.html", {"presets": presets, "words": words, "found": found})


@require_safe
def rule_book(request: HttpRequest, name: str) -> HttpResponse:
    """Show the rules of a preset."""
    try:
        rules = rulesets.preset(name)
    except BadQuestion as error:
        raise Http404(_("There is no such preset.")) from error
    return _book(request, rules, sheet_words.game_name(rules))


@require_safe
@in_league(Action.VIEW_LEAGUE)
def sheet_book(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Show the rules of a league's sheet."""
    sheet = RuleSheet.objects.filter(league=league, pk=pk).first()
    if sheet is None:
        raise Http404(_("This league has no such rule sheet."))
    return _book(request, sheet.rules, str(sheet), sheet.notes, league=league, sheet=sheet, may_see_league=True)


@require_safe
@in_game(Action.VIEW_GAME)
def game_book(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the rules by which a game is played."""
    return _book(request, table.rules, str(table.game.sheet), table.game.sheet.notes, page="rules", **frame(request, table))


@require_safe
def one_rule(request: HttpRequest, rule_id: str) -> HttpResponse:
    """Show one rule, where it was written down, and the rules of other games that say the same."""
    found = catalogue.rules().get(rule_id)
    if found is None:
        raise Http404(_("There is no rule of that name."))
    context = {
        "found": found,
        "source": catalogue.SOURCES[found.source],
        "twins": catalogue.twins(rule_id),
        "holds": [rulesets.preset(name) for name in catalogue.presets_of(found)],
        "chapter": _chapter_of(found),
    }
    return render(request, "scoring/rule.html", context)


def _chapter_of(rule: Rule) -> Text:
    return next(chapter.title for chapter in catalogue.chapters() if chapter.name == rule.chapter)
