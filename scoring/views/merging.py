"""Two players that are one person: putting them together, giving a guest an account, and taking it back."""

from django.contrib import messages as notes
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players import merging, people
from players.models import League, Merge, Player, User
from players.permissions import Action, in_league
from scoring import messages
from scoring.entries import whole_number
from scoring.models import Game
from scoring.record_people import merge_players, take_back_merge
from scoring.state import Refused
from scoring.views.common import by, see_other


@require_http_methods(["GET", "HEAD", "POST"])
@in_league(Action.MANAGE_MEMBERS)
def same_person(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Show who this player may be, and do what is chosen: merge, give an account, or take a merge back."""
    player = Player.objects.filter(league=league, pk=pk).first()
    if player is None:
        raise Http404(_("There is no such player in this league."))
    trouble = ""
    if request.method == "POST":
        try:
            _do(request, league, player)
        except Refused as refused:
            trouble = messages.refusal(refused.code, refused.params)
        except ValidationError as error:
            trouble = " ".join(error.messages)
        else:
            notes.success(request, _("Saved."))
            return see_other(reverse("scoring:same-person", args=[league.slug, pk]))
    others = Player.objects.filter(league=league, hidden=False).exclude(pk=pk)
    accounts = User.objects.filter(memberships__league=league).exclude(players__league=league)
    context = {
        "league": league,
        "place": "people",
        "player": player,
        "trouble": trouble,
        "do": request.POST.get("do", ""),
        "chosen": request.POST.get("chosen", ""),
        "others": others if not player.hidden else [],
        "accounts": accounts if player.user_id is None and not player.hidden else [],
        "merges": [merge for merge in merging.standing(league) if player in {merge.kept, merge.gone}],
        "games": Game.objects.filter(seats__player=player).count(),
    }
    return render(request, "scoring/same_person.html", context, status=422 if trouble else 200)


def _do(request: HttpRequest, league: League, player: Player) -> None:
    chosen = request.POST.get("chosen", "")
    number = whole_number(chosen, 15) or 0
    match request.POST.get("do"):
        case "merge":
            kept = Player.objects.filter(league=league, pk=number).first()
            if kept is None:
                raise Refused("merge-other", player=str(player))
            merge_players(kept, player, by(request))
        case "claim":
            account = User.objects.filter(memberships__league=league, pk=number).first()
            if account is None or Player.objects.filter(league=league, user=account).exists():
                raise Refused("merge-two-accounts", player=str(player), other=str(account or "?"))
            people.give_account(player, account)
        case "part":
            merged = Merge.objects.select_related("kept", "gone", "league").filter(league=league, pk=number).first()
            if merged is None:
                raise Refused("undo-gone")
            take_back_merge(merged)
        case _:
            raise Refused("action-unknown", typed=request.POST.get("do", "")[:40])
