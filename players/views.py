"""Pages of people: the first table, signing in, leagues, players and members."""

from collections.abc import Collection

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth_views
from django.contrib.auth.forms import PasswordChangeForm
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from players import membership, people, throttle
from players.choices import chosen
from players.context import SUITS, SUITS_COOKIE, THEME_COOKIE, THEMES
from players.forms import (
    AddAccountForm,
    AddPlayerForm,
    LeagueForm,
    NewLeagueForm,
    PasswordForm,
    PlayerForm,
    RoleForm,
    SetUpForm,
    SignInForm,
    show_refusal,
)
from players.locks import keep
from players.middleware import wait_sentence
from players.models import League, Membership, Player, User
from players.names import fold_name
from players.permissions import Action, SignInNeeded, actor_of, in_league, may, may_create_league

YEAR = 365 * 24 * 60 * 60
PAGE = ["GET", "HEAD", "POST"]
"""What a page with a form is asked by."""


def _status(*forms: BaseForm | None) -> int:
    """Give the status of a page by its forms: one that is shown again with what is wrong in it was not accepted."""
    return 422 if any(form is not None and form.errors for form in forms) else 200


@require_http_methods(PAGE)
def home(request: HttpRequest) -> HttpResponse:
    """The front door: the first table of a new installation, or the way to one's league."""
    if people.is_new_installation():
        return set_up(request)
    actor = actor_of(request)
    leagues = list(League.objects.filter(pk__in=actor.roles)) if actor.signed_in else list(League.objects.filter(public=True))
    if actor.signed_in and len(leagues) == 1:
        return redirect(leagues[0])
    return render(request, "players/home.html", {"leagues": leagues, "may_create": may_create_league(actor)})


@sensitive_post_parameters("password")
def set_up(request: HttpRequest) -> HttpResponse:
    """Make the first account with its league, and sign in with it."""
    form = SetUpForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        typed = form.cleaned_data
        try:
            user = people.set_up_table(**typed, language=get_language() or "")
        except ValidationError as error:
            show_refusal(form, error, other="password", username="name")
        else:
            if user is None:
                messages.info(request, _("Somebody has just set up this table. Sign in, or ask them for an account."))
                return redirect("players:sign-in")
            login(request, user)
            messages.success(request, _("Your table is ready. Add the other players, or start a game."))
            return redirect(user.memberships.get().league)
    return render(request, "players/set_up.html", {"form": form}, status=_status(form))


@method_decorator(require_http_methods(PAGE), name="dispatch")
class SignIn(auth_views.LoginView):
    """Sign in, a few tries at a time."""

    template_name = "players/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        address = request.META.get("REMOTE_ADDR", "")
        name = fold_name(request.POST.get("username", ""))
        try:
            throttle.take(throttle.SIGN_IN_ADDRESS, address)
            throttle.take(throttle.SIGN_IN, address, name)
        except throttle.TooManyTries as problem:
            form = SignInForm(request, initial={"username": request.POST.get("username", "")})
            answer = self.render_to_response(self.get_context_data(form=form, wait=wait_sentence(problem)), status=429)
            answer["Retry-After"] = str(problem.seconds)
            return answer
        answer = super().post(request, *args, **kwargs)
        if isinstance(answer, HttpResponseRedirect):
            throttle.clear(throttle.SIGN_IN, address, name)
            throttle.give_back(throttle.SIGN_IN_ADDRESS, address)
        return answer

    def form_invalid(self, form: SignInForm) -> HttpResponse:  # type: ignore[override]
        return self.render_to_response(self.get_context_data(form=form), status=_status(form))

    def form_valid(self, form: SignInForm) -> HttpResponse:  # type: ignore[override]
        answer = super().form_valid(form)
        user = form.get_user()
        if isinstance(user, User):
            _remember(answer, settings.LANGUAGE_COOKIE_NAME, user.language)
            if THEME_COOKIE not in self.request.COOKIES:
                _remember(answer, THEME_COOKIE, user.theme)
        return answer


@method_decorator(require_http_methods(PAGE), name="dispatch")
class ChangePassword(auth_views.PasswordChangeView):
    """Change one's own password; the old one is asked for, a few tries at a time."""

    template_name = "players/password.html"
    form_class = PasswordForm
    success_url = reverse_lazy("players:home")

    def post(self, request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        throttle.take(throttle.PASSWORD, str(request.user.pk))
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=_status(form))

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        answer = super().form_valid(form)
        throttle.clear(throttle.PASSWORD, str(self.request.user.pk))
        messages.success(self.request, _("Your password is changed. Other devices are signed out."))
        return answer


def _remember(answer: HttpResponseBase, cookie: str, value: str) -> None:
    """Keep a choice of the page's look on the device, where the page's script can read it too."""
    if value:
        answer.set_cookie(cookie, value, max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)


def _back(request: HttpRequest) -> str:
    """Give the page to go back to: only ever a page of this site."""
    for url in (request.POST.get("next"), request.META.get("HTTP_REFERER")):
        if url and url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure()):
            return url
    return reverse("players:home")


@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """Change the language of the pages, on this device and for the account."""
    spoken = chosen(request.POST, "language", dict(settings.LANGUAGES))
    answer = set_language(request)
    if isinstance(request.user, User) and spoken:
        User.objects.filter(pk=request.user.pk).update(language=spoken)
    return answer


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Change the colours of the pages, on this device and for the account."""
    answer, colours = _take_look(request, "theme", THEME_COOKIE, THEMES)
    if colours and isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=colours)
    return answer


@require_POST
def suits(request: HttpRequest) -> HttpResponse:
    """Choose two colours for the four suits or four, on this device."""
    answer, _suits = _take_look(request, "suits", SUITS_COOKIE, SUITS)
    return answer


def _take_look(request: HttpRequest, name: str, cookie: str, known: Collection[str]) -> tuple[HttpResponse, str]:
    """Keep a choice of the page's look on this device.

    Returns:
        the way back to the page, and what was chosen; empty where that is nothing.
    """
    look = chosen(request.POST, name, known)
    answer = HttpResponseRedirect(_back(request))
    _remember(answer, cookie, look)
    return answer, look


@require_http_methods(PAGE)
def new_league(request: HttpRequest) -> HttpResponse:
    """Start a further league."""
    actor = actor_of(request)
    if actor.user is None or not may_create_league(actor):
        raise SignInNeeded
    form = NewLeagueForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            league = people.create_league(owner=actor.user, **form.cleaned_data)
        except ValidationError as error:
            show_refusal(form, error)
        else:
            return redirect(league)
    return render(request, "players/new_league.html", {"form": form}, status=_status(form))


@require_http_methods(PAGE)
@in_league(Action.MANAGE_LEAGUE)
def league_settings(request: HttpRequest, league: League) -> HttpResponse:
    """What the league is called, its time zone, and whether it is public."""
    form = LeagueForm(request.POST if request.method == "POST" else None, instance=league)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("players:league-settings", league.slug)
    return render(request, "players/league_settings.html", {"league": league, "form": form}, status=_status(form))


@in_league(Action.VIEW_LEAGUE)
@require_safe
def people_page(request: HttpRequest, league: League) -> HttpResponse:
    """All players, and, for those who manage them, the members."""
    return show_people(request, league)


def show_people(
    request: HttpRequest,
    league: League,
    *,
    add_player: AddPlayerForm | None = None,
    add_account: AddAccountForm | None = None,
    trouble: str = "",
) -> HttpResponse:
    """Show the people of a league, with what was refused on their page.

    Args:
        trouble: why something was refused that is no field of these forms.
    """
    actor = actor_of(request)
    manages_members = may(actor, Action.MANAGE_MEMBERS, league)
    players = list(league.players.select_related("user"))
    context = {
        "league": league,
        "place": "people",
        "players": [player for player in players if not player.hidden],
        "hidden_players": [player for player in players if player.hidden],
        "manages_players": may(actor, Action.MANAGE_PLAYERS, league),
        "manages_members": manages_members,
        "members": list(league.memberships.select_related("user")) if manages_members else [],
        "add_player": add_player or AddPlayerForm(),
        "add_account": (add_account or AddAccountForm(league)) if manages_members else None,
        "account_open": add_account is not None,
        "trouble": trouble,
        "invitations": membership.open_invitations(league) if manages_members else [],
        "is_member": actor.role_in(league) is not None,
    }
    return render(request, "players/people.html", context, status=422 if trouble else _status(add_player, add_account))


@require_POST
@in_league(Action.MANAGE_PLAYERS)
def add_player(request: HttpRequest, league: League) -> HttpResponse:
    """Add a player by name."""
    form = AddPlayerForm(request.POST)
    if form.is_valid():
        try:
            player = people.add_player(league, form.cleaned_data["name"])
        except ValidationError as error:
            show_refusal(form, error)
        else:
            messages.success(request, _("%(name)s is at the table.") % {"name": player.name})
            return redirect("players:people", league.slug)
    return show_people(request, league, add_player=form)


@require_http_methods(PAGE)
@in_league(Action.MANAGE_PLAYERS)
def edit_player(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Rename, hide or show a player."""
    player = get_object_or_404(Player, league=league, pk=pk)
    form = PlayerForm(request.POST if request.method == "POST" else None, instance=player)
    if form.is_valid():
        try:
            keep(form.save(commit=False))
        except ValidationError as error:
            show_refusal(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("players:people", league.slug)
    name = Player.objects.values_list("name", flat=True).get(pk=pk)
    may_anonymise = may(actor_of(request), Action.MANAGE_LEAGUE, league)
    context = {"league": league, "place": "people", "form": form, "name": name, "player": player, "may_anonymise": may_anonymise}
    return render(request, "players/edit_player.html", context, status=_status(form))


@never_cache
@require_POST
@in_league(Action.MANAGE_MEMBERS)
def add_account(request: HttpRequest, league: League) -> HttpResponse:
    """Make an account; its password is on the page that answers, and nowhere else."""
    form = AddAccountForm(league, request.POST)
    if form.is_valid():
        try:
            user, password = people.add_account(league, **form.cleaned_data)
        except ValidationError as error:
            show_refusal(form, error)
        else:
            return _show_password(request, league, user, password)
    return show_people(request, league, add_account=form)


def _show_password(request: HttpRequest, league: League, user: User, password: str) -> HttpResponse:
    address = request.build_absolute_uri(reverse("players:sign-in"))
    return render(
        request, "players/password_once.html", {"league": league, "account": user, "password": password, "address": address}
    )


@require_http_methods(PAGE)
@in_league(Action.MANAGE_MEMBERS)
def edit_member(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Change a member's role."""
    member = _member(league, pk)
    form = RoleForm(request.POST if request.method == "POST" else None, initial={"role": member.role})
    if form.is_valid():
        try:
            people.change_role(member, form.cleaned_data["role"])
        except ValidationError as error:
            show_refusal(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("players:people", league.slug)
    return _show_member(request, league, member, form)


def _show_member(
    request: HttpRequest, league: League, member: Membership, form: RoleForm | None = None, trouble: str = ""
) -> HttpResponse:
    owner = actor_of(request).user
    context = {
        "league": league,
        "place": "people",
        "form": form or RoleForm(initial={"role": member.role}),
        "member": member,
        "can_reset": owner is not None and people.may_reset_password(owner, member.user),
        "trouble": trouble,
    }
    return render(request, "players/edit_member.html", context, status=422 if trouble else _status(form))


@require_POST
@in_league(Action.MANAGE_MEMBERS)
def remove_member(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """End a membership; the player and the games stay."""
    member = _member(league, pk)
    try:
        people.remove_member(member)
    except ValidationError as error:
        return _show_member(request, league, member, trouble=" ".join(error.messages))
    messages.success(request, _("%(name)s is no longer a member.") % {"name": member.user.username})
    return redirect("players:people", league.slug)


@never_cache
@require_POST
@in_league(Action.MANAGE_MEMBERS)
def reset_password(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Give a member who forgot the password a temporary one."""
    member = _member(league, pk)
    owner = actor_of(request).user
    if owner is None or not people.may_reset_password(owner, member.user):
        trouble = _("This account also belongs to leagues of others: only its holder can change its password.")
        return _show_member(request, league, member, trouble=trouble)
    return _show_password(request, league, member.user, people.reset_password(member.user))


def _member(league: League, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("user"), league=league, pk=pk)
