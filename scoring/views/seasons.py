"""The pages of seasons: setting one up, trying a method on games that were played, the table with its reasons, closing."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.contrib import messages as toasts
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from continental.rules.errors import BadQuestion
from continental.rules.standing_methods import METHODS, WARNED, Terms, must_be
from players.choices import chosen
from players.models import League
from players.permissions import Action, in_league
from scoring import load, messages, method_words, policies, preview, reasons, record, record_league, season, why
from scoring.entries import whole_number
from scoring.models import PlayerSeason, Season, Seat
from scoring.policies import Policies
from scoring.record_league import SeasonPlan
from scoring.season import Standings
from scoring.state import Refused
from scoring.views.common import Trouble, by, league_frame, row_of

_REASONS_ON_THE_PAGE = 600
"""Games behind a table up to which every row's reasons stand on its page; beyond it they are a link away."""
LINES_ON_A_PAGE = 50
_GAMES_ON_THE_PAGE = 30


def _shared(request: HttpRequest, league: League) -> dict[str, Any]:
    return league_frame(request, league, "season", Action.MANAGE_SEASON)


def season_of(league: League, pk: object) -> Season:
    return row_of(league.seasons.all(), pk, _("There is no such season in this league."))


def current_season(league: League) -> Season | None:
    """Give the season of today, or the newest that has begun, or the first that will."""
    today = record.today(league)
    return (
        league.seasons.filter(starts__lte=today, ends__gte=today).first()
        or league.seasons.filter(starts__lte=today).first()
        or league.seasons.last()
    )


@require_safe
@in_league(Action.VIEW_LEAGUE)
def season_page(request: HttpRequest, league: League, pk: int | None = None) -> HttpResponse:
    """Show a season's table, why everybody stands there, and its games; the running season where none is named."""
    return _season(request, league, current_season(league) if pk is None else season_of(league, pk))


def _season(request: HttpRequest, league: League, shown: Season | None, trouble: Trouble | None = None) -> HttpResponse:
    seasons = list(league.seasons.defer("snapshot"))
    context = {**_shared(request, league), "season": shown, "seasons": seasons, "trouble": trouble}
    if shown is not None:
        context |= _table_context(shown, request.GET.get("why", ""), first_of(request))
        context["games"] = load.ended_games(league, shown, most=_GAMES_ON_THE_PAGE)
        context["today"] = record.today(league)
        context["policies"] = policy_lines(Policies.read(shown.policies), Terms.read(shown.terms))
    return render(request, "scoring/season.html", context, status=trouble.status if trouble else 200)


def first_of(request: HttpRequest) -> int:
    """Read which line of a table a page begins with; what is no number is the first."""
    return whole_number(request.GET.get("from", ""), 6) or 0


def _table_context(shown: Season, asked: str, first: int) -> dict[str, Any]:
    sizes = season.sizes(shown)
    everybody = sum(seats * games for seats, games in sizes.items()) <= _REASONS_ON_THE_PAGE
    # The whole table is put in order only for what looks at all of it: reasons, and what was amended since it was closed.
    table = season.ordered(shown, sizes) if everybody or asked or shown.closed_at else None
    closed = season.closed(shown, table, first=first, most=LINES_ON_A_PAGE)
    told = None if table is None else table.whole() if everybody else table.around(whole_number(asked) or 0)
    if told and everybody:
        live = told.page(first, LINES_ON_A_PAGE)
    else:
        live = table.page(first, LINES_ON_A_PAGE) if table else season.page(shown, first, LINES_ON_A_PAGE, sizes)
    wanted = [line for line in told.lines if everybody or str(line.player.pk) == asked] if told else []
    behind = season.why(shown, [line.player.pk for line in wanted]) if wanted else {}
    standings = closed.standings if closed else live
    return {
        "standings": standings,
        "first": first,
        "next": first + LINES_ON_A_PAGE if standings.more else None,
        "live": live,
        "closed": closed,
        "reasons": [why.answer(told, line, behind.get(line.player.pk, [])) for line in wanted] if told else [],
        "substituted": any(game.seat.how == Seat.How.SUBSTITUTED for own in behind.values() for game in own),
        "reasons_apart": not everybody,
        "comparable": season.comparable_words(live.terms, list(sizes)),
    }


def policy_lines(agreed: Policies, terms: Terms) -> list[str]:
    """Say a season's policies, and where one of them sits ill with the method of its table."""
    short = method_words.short_nights(agreed) or [str(policies.SHORT_NIGHTS[agreed.short_nights])]
    if agreed.short_nights == "counts" and terms.by_points:
        short.append(_("A short night has fewer points, and this table goes by points: it helps whoever was there."))
    return [
        str(policies.SUBSTITUTES[agreed.substitutes]),
        str(policies.GUESTS[agreed.guests]),
        " ".join(short),
        str(policies.LATE_JOINERS[agreed.late_joiners]),
    ]


@require_safe
@in_league(Action.VIEW_LEAGUE)
def all_time_page(request: HttpRequest, league: League) -> HttpResponse:
    """Show the table of all seasons, a page of it at a time."""
    first = first_of(request)
    table = season.all_time(league, first=first)
    further = first + season.PAGE if table.more else None
    context = {**_shared(request, league), "standings": table, "first": first, "next": further}
    return render(request, "scoring/all_time.html", context)


# ---------------------------------------------------------------------------------------------------------------------
# Setting up


@dataclass
class Planning:
    """A season being set up, as its form holds it."""

    typed: dict[str, str]
    troubles: dict[str, str] = field(default_factory=dict)
    plan: SeasonPlan | None = None
    preview: list[tuple[str, Standings | None, str]] = field(default_factory=list)


_NUMBERS = ("qualifying", "rising", "drop_every", "best")
_POLICIES = ("substitutes", "guests", "short_nights", "late_joiners")


def _typed_of(terms: Terms, agreed: Policies, name: str, starts: date, ends: date) -> dict[str, str]:
    numbers = {key: str(getattr(terms, key)) for key in _NUMBERS}
    chosen = {key: str(getattr(agreed, key)) for key in (*_POLICIES, "short_hands")}
    return {"name": name, "starts": starts.isoformat(), "ends": ends.isoformat(), "method": terms.method, **numbers, **chosen}


def _read(typed: Mapping[str, str]) -> Planning:
    """Read the form; what cannot be is refused at its field."""
    planning = Planning(dict(typed))
    days = {key: _day(typed.get(key, ""), key, planning) for key in ("starts", "ends")}
    data: dict[str, Any] = {"method": typed.get("method", "")}
    for key in _NUMBERS:
        text = typed.get(key, "").strip()
        number = whole_number(text, 5)
        data[key] = text if number is None else number
    terms = None
    try:
        terms = Terms.read(data)
        must_be(terms)
    except BadQuestion as error:
        planning.troubles[error.at.removeprefix("terms.")] = reasons.say(error)
    chosen = {}
    for key, words in zip(_POLICIES, _POLICY_WORDS, strict=True):
        chosen[key] = typed.get(key, "")
        if chosen[key] not in words:
            planning.troubles[key] = _("Choose one of these.")
    hands = whole_number(typed.get("short_hands", "").strip(), 3)
    if hands is None or not 1 <= hands <= 60:
        planning.troubles["short_hands"] = _("A number of hands from 1 to 60.")
    if not planning.troubles:
        assert terms is not None
        assert days["starts"] is not None
        assert days["ends"] is not None
        assert hands is not None
        agreed = Policies(**chosen, short_hands=hands)
        planning.plan = SeasonPlan(typed.get("name", ""), days["starts"], days["ends"], terms, agreed)
    return planning


_POLICY_WORDS = (policies.SUBSTITUTES, policies.GUESTS, policies.SHORT_NIGHTS, policies.LATE_JOINERS)


def _day(text: str, key: str, planning: Planning) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or not 1900 <= day.year <= 2200:
        planning.troubles[key] = _("A day such as 2026-01-31.")
        return None
    return day


@require_http_methods(["GET", "HEAD", "POST"])
@in_league(Action.MANAGE_SEASON)
def plan_season(request: HttpRequest, league: League, pk: int | None = None) -> HttpResponse:
    """Set up a season or change one, and try its method on seasons that were played; only “keep” writes."""
    standing = None if pk is None else season_of(league, pk)
    begun = standing is not None and standing.games.exists()
    status = 200
    if request.method == "POST":
        planning = _read({key: value for key, value in request.POST.items() if isinstance(value, str)})
        if planning.plan is not None and chosen(request.POST, "do", ("keep", "try"), "try") == "keep":
            try:
                kept = (
                    record_league.add_season(league, planning.plan)
                    if standing is None
                    else record_league.change_season(standing, planning.plan)
                )
            except Refused as refused:
                planning.troubles[_FIELDS.get(refused.code, "")] = messages.refusal(refused.code, refused.params)
            else:
                toasts.success(request, _("The season %(name)s is set up.") % {"name": kept.name})
                return redirect("scoring:season", league.slug, kept.pk)
        status = 422 if planning.troubles else 200
    else:
        planning = _read(_start_of(league, standing))
    tried = _tried(league, request)
    if planning.plan is not None and tried is not None:
        planning.preview = _previews(planning.plan, tried)
    context = {
        **_shared(request, league),
        "season": standing,
        "begun": begun,
        "typed": planning.typed,
        "troubles": planning.troubles,
        "trouble": planning.troubles.get("", ""),
        "methods": [(key, method_words.NAMES[key], method_words.ABOUT[key], key in WARNED) for key in METHODS],
        "policies": list(zip(_POLICIES, _POLICY_TITLES, [list(words.items()) for words in _POLICY_WORDS], strict=True)),
        "previews": planning.preview,
        "past": list(league.seasons.filter(lines__isnull=False).distinct()),
        "tried": tried,
    }
    return render(request, "scoring/plan_season.html", context, status=status)


_POLICY_TITLES = (
    gettext_lazy("Substitutes"),
    gettext_lazy("Guests"),
    gettext_lazy("Short nights"),
    gettext_lazy("Late joiners"),
)
_FIELDS = {
    "season-name": "name",
    "season-name-taken": "name",
    "season-dates": "ends",
    "season-overlap": "starts",
    "season-games-outside": "ends",
}


def _start_of(league: League, standing: Season | None) -> dict[str, str]:
    """Give what the form starts from: the season itself, or the next calendar year on the terms of the newest season."""
    if standing is not None:
        return _typed_of(
            Terms.read(standing.terms), Policies.read(standing.policies), standing.name, standing.starts, standing.ends
        )
    newest = league.seasons.first()
    year = record.today(league).year if newest is None else newest.ends.year + 1
    terms = Terms.read(newest.terms) if newest else Terms()
    agreed = Policies.read(newest.policies) if newest else Policies()
    name = record_league.free_name(league, str(year))
    return _typed_of(terms, agreed, name, date(year, 1, 1), date(year, 12, 31))


def _tried(league: League, request: HttpRequest) -> Season | None:
    """Find the season whose games the methods are tried on: the one asked for, or the newest with a table."""
    asked = whole_number(request.POST.get("tried", ""), 11)
    with_games = league.seasons.filter(pk__in=PlayerSeason.objects.values("season"))
    chosen = with_games.filter(pk=asked).first() if asked is not None else None
    return chosen or with_games.first()


def _previews(plan: SeasonPlan, tried: Season) -> list[tuple[str, Standings | None, str]]:
    """Give the table that the chosen method would have made, and beside it what the others would have, in one line each."""
    games = preview.of(tried, plan.policies)
    others: list[tuple[str, Standings | None, str]] = [
        (str(method_words.NAMES[method]), None, _in_a_line(games.by(replace(plan.terms, method=method))))
        for method in METHODS
        if method != plan.terms.method
    ]
    return [(str(method_words.NAMES[plan.terms.method]), games.by(plan.terms), ""), *others]


def _in_a_line(table: Standings) -> str:
    ranked = table.ranked[:12]
    return ", ".join(f"{line.rank}. \u2068{line.player.name}\u2069" for line in ranked) or _("Nobody has enough games.")


@require_POST
@in_league(Action.MANAGE_SEASON)
def close_season(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Close a season."""
    standing = season_of(league, pk)
    try:
        record_league.close_season(standing, by(request).user, record.today(league))
    except Refused as refused:
        return _season(request, league, standing, Trouble(409, messages.refusal(refused.code, refused.params)))
    toasts.success(request, _("The season %(name)s is closed: its table stays as it is now.") % {"name": standing.name})
    return redirect("scoring:season", league.slug, standing.pk)


@require_safe
@in_league(Action.VIEW_LEAGUE)
def seasons_page(request: HttpRequest, league: League) -> HttpResponse:
    """List the seasons, with how each is counted."""
    seasons = [
        {"season": item, "method": method_words.NAMES[Terms.read(item.terms).method], "today": record.today(league)}
        for item in league.seasons.defer("snapshot")
    ]
    return render(request, "scoring/seasons.html", {**_shared(request, league), "seasons": seasons})
