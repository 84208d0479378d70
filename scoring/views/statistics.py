"""The pages of numbers: a league's, a player's; charts with the tables they are drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from continental.rules.contracts import Contract
from players.choices import chosen
from players.models import League, Player
from players.permissions import Action, in_league
from scoring import charts, feats, figures, league_figures, load, messages, ratings, season
from scoring.charts import Bar
from scoring.entries import whole_number
from scoring.figures import ContractFigures, Mean
from scoring.league_figures import TableFigures
from scoring.models import PlayerHand, Season, SeasonHand
from scoring.views.common import league_frame
from scoring.views.seasons import season_of


def _chosen(request: HttpRequest, league: League) -> tuple[Season | None, list[Season]]:
    """Find the season asked for; ``None`` for all of them."""
    asked = request.GET.get("season", "")
    seasons = list(league.seasons.filter(lowest_wins__isnull=False).defer("snapshot"))
    chosen = next((season for season in seasons if str(season.pk) == asked), None)
    return chosen or (season_of(league, asked) if asked else None), seasons


_GAMES_ON_A_PAGE = 30


@dataclass(frozen=True)
class Key:
    """One name in the key of a chart."""

    player: Player
    sample: SafeString
    values: list[Fraction]


def contract_rows(own: list[ContractFigures], others: list[ContractFigures]) -> list[dict[str, Any]]:
    """Lay the hands of a player beside those of everybody."""
    everybody = {(line.number, line.contract): line.figures for line in others}
    return [
        {
            "number": line.number,
            "contract": messages.contract_words(Contract.parse(line.contract) if line.contract else None),
            "label": f"{line.number}",
            "figures": line.figures,
            "everybody": everybody.get((line.number, line.contract)),
        }
        for line in own
    ]


def _contract_chart(rows: list[dict[str, Any]], label: str) -> SafeString:
    bars = [
        Bar(row["label"], row["figures"].mean.value, row["everybody"].mean.value if row["everybody"] else None) for row in rows
    ]
    return charts.bars(bars, label)


def _positions(tables: Sequence[TableFigures]) -> list[tuple[str, list[str], list[tuple[TableFigures, list[Mean]]]]]:
    """Give the two tables of mean places, each with its title, the labels of its columns and its rows."""
    widest = max((table.seats for table in tables), default=0)
    after = [str(distance) if distance else _("deals") for distance in range(widest)]
    return [
        (_("By seat"), [str(seat + 1) for seat in range(widest)], [(table, table.by_seat) for table in tables]),
        (_("Seats after the first dealer"), after, [(table, table.by_dealer) for table in tables]),
    ]


@require_safe
@in_league(Action.VIEW_LEAGUE)
def statistics_page(request: HttpRequest, league: League) -> HttpResponse:
    """Show a league's numbers: of one season, or of all."""
    chosen, seasons = _chosen(request, league)
    found = league_figures.of_league(league, chosen)
    rows = contract_rows(found.contracts, [])
    keys: list[Key] = []
    if chosen is not None:
        leading = [line.player for line in season.page(chosen, 0, charts.MOST_SERIES).lines]
        runs = league_figures.progress_of(chosen, leading)
        keys = [Key(player, charts.key(at), run) for at, (player, run) in enumerate(zip(leading, runs, strict=True))]
    book = ratings.look(league)
    context = {
        **league_frame(request, league, "statistics", Action.MANAGE_SEASON),
        "season": chosen,
        "seasons": seasons,
        "found": found,
        "feats": feats.of_league(league, chosen),
        "most_for_feats": feats.MOST_GAMES,
        "rows": rows,
        "contract_chart": _contract_chart(rows, _("Mean penalty points by hand")) if rows else "",
        "positions": _positions(found.tables),
        "keys": keys,
        "progress_chart": charts.lines([key.values for key in keys], _("Mean total after each game")) if keys else "",
        "steps": range(1, max((len(key.values) for key in keys), default=0) + 1),
        "book": book,
        "ratings": list(book.ratings.select_related("player")[:60]) if book else [],
        "rates": book is not None,
    }
    return render(request, "scoring/statistics.html", context)


@require_safe
@in_league(Action.VIEW_LEAGUE)
def player_page(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Show a player: the numbers, whom they met, the games."""
    player = Player.objects.filter(league=league, pk=pk).first()
    if player is None:
        raise Http404(_("There is no such player in this league."))
    chosen, seasons = _chosen(request, league)
    lowest_wins = not any(item.lowest_wins is False for item in ([chosen] if chosen else seasons))
    found = figures.of_player(player, chosen, lowest_wins=lowest_wins)
    everybody = figures.by_contract(_everybodys_lines(league, chosen, player))
    rows = contract_rows(found.contracts, everybody)
    first = whole_number(request.GET.get("games", ""), 6) or 0
    games = load.games_of(player, chosen, most=_GAMES_ON_A_PAGE + 1, first=first)
    context = {
        **league_frame(request, league, "player", Action.MANAGE_SEASON),
        "player": player,
        "season": chosen,
        "season_list": seasons,
        "seasons": season.of_player(player),
        "found": found,
        "comeback": feats.of_player(player, chosen),
        "rows": rows,
        "contract_chart": _contract_chart(rows, _("Mean penalty points by hand, beside everybody's")) if rows else "",
        "progress_chart": charts.lines([found.progress], _("Mean total after each game")) if len(found.progress) > 1 else "",
        "progress": list(zip(found.seats, found.progress, strict=True))[-_GAMES_ON_A_PAGE:],
        "games": games[:_GAMES_ON_A_PAGE],
        "older": first + _GAMES_ON_A_PAGE if len(games) > _GAMES_ON_A_PAGE else None,
    }
    return render(request, "scoring/player.html", context)


def _everybodys_lines(league: League, chosen: Season | None, player: Player) -> QuerySet[SeasonHand]:
    """Give the lines of everybody in the newest season of a player, or in the chosen one: what one is compared with."""
    if chosen is not None:
        return SeasonHand.objects.filter(season=chosen)
    newest = PlayerHand.objects.filter(season__league=league, player=player).order_by("-season__starts").values("season")[:1]
    return SeasonHand.objects.filter(season=newest)


@require_POST
@in_league(Action.MANAGE_LEAGUE)
def switch_ratings(request: HttpRequest, league: League) -> HttpResponse:
    """Switch a league's ratings on or off."""
    ratings.switch(league, on=chosen(request.POST, "on", ("0", "1"), "0") == "1")
    return redirect("scoring:statistics", league.slug)
