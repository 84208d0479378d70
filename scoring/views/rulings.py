"""The rulings of a game and of a league, and a ruling that becomes a line of the house rules."""

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from continental.rules.decisions import kinds
from players.models import League
from players.permissions import Action, actor_of, in_league, may
from scoring import precedents, record_rulings, sheet_words, wizard
from scoring.load import Table
from scoring.models import Ruling
from scoring.precedents import Precedent
from scoring.views.common import Trouble, by, in_game, page, see_other
from scoring.wizard import PREFIX, Option, write_fact


@dataclass(frozen=True)
class EffectLine:
    """One effect of a ruling, as it is listed."""

    rev: int
    words: str
    void: bool


@dataclass(frozen=True)
class RulingLine:
    """One ruling of a game, with what it did, whom it is about, and what it leads on to."""

    precedent: Precedent
    names: list[str]
    effects: list[EffectLine]
    then: Option | None = None


def rulings_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show what was ruled in a game: one query beside the table's own."""
    lines = [_line(table, row) for row in Ruling.objects.filter(game=table.game).order_by("-rev")]
    # What a ruling leads on to is asked while it is the last one.
    lines[:1] = [replace(line, then=_next(table, line.precedent.row)) for line in lines[:1]]
    context = {
        "rulings": lines,
        "may_make_rule": may(actor_of(request), Action.MANAGE_RULES, table.game.league),
    }
    return page(request, "rulings", table, context, trouble)


def _next(table: Table, row: Ruling) -> Option | None:
    """Give the way to the kind that a ruling leads on to, if it does."""
    query = {"kind": row.kind, "go": "1", **{PREFIX + name: write_fact(value) for name, value in row.known_facts.items()}}
    if row.hand is not None:
        query["hand"] = str(row.hand)
    if row.seats:
        query["seat"] = str(row.seats[0])
    step = wizard.step(query, table.rules, language=get_language() or "en")
    return None if row.own else step.then or step.again


def _line(table: Table, row: Ruling) -> RulingLine:
    done = [event for event in table.log if event.rev in row.effects]
    return RulingLine(
        precedents.in_words(row, table.rules),
        [table.names[seat] for seat in row.seats],
        [EffectLine(event.rev, table.words(event), event.rev in table.state.voided) for event in done],
    )


@require_safe
@in_game(Action.VIEW_GAME)
def show_rulings(request: HttpRequest, table: Table) -> HttpResponse:
    return rulings_page(request, table)


@require_safe
@in_league(Action.VIEW_LEAGUE)
def show_precedents(request: HttpRequest, league: League) -> HttpResponse:
    """Search what the league decided."""
    words, kind = request.GET.get("q", "")[:100], request.GET.get("kind", "")
    context = {
        "league": league,
        "place": "rulings",
        "words": words,
        "kind": kind,
        "kinds": [(name, item.title.say(get_language() or "en")) for name, item in kinds().items()],
        "found": precedents.search(league, words, kind),
    }
    return render(request, "scoring/precedents.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@in_game(Action.MANAGE_RULES)
def house_rule(request: HttpRequest, table: Table, rev: int) -> HttpResponse:
    """Turn a ruling into a line of the house rules: the next version of a sheet, for the games that begin after it."""
    row = Ruling.objects.filter(game=table.game, rev=rev).first()
    if row is None:
        raise Http404
    precedent = precedents.in_words(row, table.rules)
    typed = request.POST.get("line", "") if request.method == "POST" else precedent.decision
    line = sheet_words.house_line(typed)
    kept = 0 < len(line) <= sheet_words.MOST_LINE
    if request.method == "POST" and kept:
        made = record_rulings.add_house_line(table.game, rev, line, by(request))
        return see_other(reverse("scoring:rule-sheet", args=[table.game.league.slug, made.pk]) + "#house-lines")
    context = {
        "league": table.game.league,
        "precedent": precedent,
        "sheet": record_rulings.newest_sheet(table.game),
        "line": typed,
        "trouble": ""
        if kept
        else _("Write what will stand on the sheet, in at most %(count)s letters.") % {"count": sheet_words.MOST_LINE},
        "rev": rev,
        "game": table.game,
    }
    return render(request, "scoring/house_rule.html", context, status=200 if request.method != "POST" else 422)
