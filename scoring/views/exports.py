"""What a league can take away: files to download."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from players.models import League
from players.permissions import Action, in_league
from scoring import archive, csv_files
from scoring.views.seasons import season_of


def _file(text: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_safe
@in_league(Action.VIEW_LEAGUE)
def season_csv(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Give a season's table as CSV."""
    season = season_of(league, pk)
    return _file(csv_files.standings_csv(season), f"{league.slug}-{slugify(season.name) or season.pk}.csv")


@require_safe
@in_league(Action.VIEW_LEAGUE)
def games_csv(request: HttpRequest, league: League) -> HttpResponse:
    """Give every hand of every game as CSV."""
    return _file(csv_files.games_csv(league), f"{league.slug}-games.csv")


@require_safe
@in_league(Action.MANAGE_LEAGUE)
def league_json(request: HttpRequest, league: League) -> HttpResponse:
    """Give everything the league has as JSON."""
    answer = JsonResponse(archive.league_data(league), json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{league.slug}.json"'
    return answer
