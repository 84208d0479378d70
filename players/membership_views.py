"""Pages of coming and going: invitations by link, the page behind one, leaving, taking a name out."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from players import joining, membership, throttle
from players.forms import NameInput, show_refusal
from players.models import League, MemberInvitation, Player
from players.permissions import Action, actor_of, in_league
from players.views import show_people


class NewAccountForm(forms.Form):
    """An account for whoever opened an invitation without one."""

    username = NameInput(label=gettext_lazy("Your name"), help_text=gettext_lazy("You sign in with it."))
    password = forms.CharField(
        label=gettext_lazy("Choose a password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=gettext_lazy("At least eight characters."),
    )


def _which_player(league: League, typed: str) -> Player | None:
    """Find the player that somebody says they are; ``None`` for a new one."""
    if not typed:
        return None
    free = Player.objects.filter(league=league, user=None, hidden=False)
    player = free.filter(pk=typed).first() if typed.isascii() and typed.isdecimal() and len(typed) < 12 else None
    if player is None:
        raise ValidationError({"player": _("There is no such player in this league, or somebody else is that player.")})
    return player


@never_cache
@require_POST
@in_league(Action.MANAGE_MEMBERS)
def invite(request: HttpRequest, league: League) -> HttpResponse:
    """Make an invitation; its link is on the page that answers, and nowhere else."""
    try:
        invitation, token = membership.invite(league, request.POST.get("role", ""), actor_of(request).user)
    except ValidationError as error:
        return show_people(request, league, trouble=" ".join(error.messages))
    address = request.build_absolute_uri(reverse("players:invitation", args=[token]))
    context = {"league": league, "invitation": invitation, "address": address, "qr": joining.qr_svg(address, _("Invitation"))}
    return render(request, "players/invite_once.html", context)


@require_POST
@in_league(Action.MANAGE_MEMBERS)
def revoke(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Close a way in."""
    membership.revoke(get_object_or_404(MemberInvitation, league=league, pk=pk))
    messages.success(request, _("That link leads nowhere any more."))
    return redirect("players:people", league.slug)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind an invitation: become a member, with the account one has or a new one."""
    address = request.META.get("REMOTE_ADDR", "")
    found = membership.find(token, address)
    if found is None:
        raise Http404(_("This invitation has run out, or was taken back. Ask for a new one."))
    user = actor_of(request).user
    form = NewAccountForm(request.POST if request.method == "POST" and user is None else None)
    trouble, status = "", 200
    if request.method == "POST" and (user is not None or form.is_valid()):
        try:
            player = _which_player(found.league, request.POST.get("player", ""))
            with transaction.atomic():
                if user is None:
                    throttle.take(membership.NEW_ACCOUNTS, address)
                    user = membership.new_account(**form.cleaned_data, language=get_language() or "")
                membership.accept(found, user, player)
        except ValidationError as error:
            user = actor_of(request).user
            if user is None and hasattr(error, "error_dict") and "player" not in error.error_dict:
                show_refusal(form, error, other="password")
            else:
                trouble = " ".join(error.messages)
            status = 422
        else:
            if actor_of(request).user is None:
                login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Welcome to %(league)s.") % {"league": found.league.name})
            return redirect(found.league)
    elif request.method == "POST":
        status = 422
    context: dict[str, Any] = {
        "invitation": found,
        "invited_to": found.league,
        "form": form,
        "trouble": trouble,
        "chosen": request.POST.get("player", ""),
        "free": list(found.league.players.filter(user=None, hidden=False)),
        "own": user is not None and Player.objects.filter(league=found.league, user=user).exists(),
        "sign_in": f"{reverse('players:sign-in')}?next={request.path}",
    }
    return render(request, "players/invitation.html", context, status=status)


@require_POST
@in_league(Action.VIEW_LEAGUE)
def leave(request: HttpRequest, league: League) -> HttpResponse:
    """Leave a league."""
    user = actor_of(request).user
    if user is None:
        raise Http404
    try:
        membership.leave(league, user)
    except ValidationError as error:
        return show_people(request, league, trouble=" ".join(error.messages))
    messages.success(request, _("You have left %(league)s. Your games stay with the others.") % {"league": league.name})
    return redirect("players:home")


@require_POST
@in_league(Action.MANAGE_LEAGUE)
def anonymise(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Take a person's name out of every game."""
    player = membership.anonymise(get_object_or_404(Player, league=league, pk=pk))
    messages.success(request, _("The name is gone; the games are those of “%(name)s” now.") % {"name": player.name})
    return redirect("players:people", league.slug)
