"""The pages of a league: its home, a new game, a season's table, a player."""

from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from continental.rules import deals, draw, rulesets
from continental.rules.cards import CARDS
from continental.rules.errors import BadQuestion
from continental.rules.notation import parse_card
from continental.rules.rulesets import RuleSet
from players import people
from players.choices import NotOffered
from players.models import League, Player
from players.permissions import Action, actor_of, in_league, may
from scoring import load, messages, reasons, record, record_league, season, sheet_words
from scoring.entries import whole_number
from scoring.models import RuleSheet
from scoring.state import Refused
from scoring.views.common import by, league_frame, new_client_id, see_other
from scoring.views.seasons import LINES_ON_A_PAGE, current_season


@require_safe
@in_league(Action.VIEW_LEAGUE)
def league_home(request: HttpRequest, league: League) -> HttpResponse:
    """Show what runs, what is suspended, and the table of the season."""
    shown = current_season(league)
    running = load.running_games(league)
    today = record.today(league)
    context = {
        **league_frame(request, league, "home", Action.MANAGE_LEAGUE),
        "running": [line for line in running if line.game.status == "playing"],
        "suspended": [
            {"line": line, "days": season.days_left(line.game.started_on, today)}
            for line in running
            if line.game.status == "suspended" and not record_league.has_lapsed(line.game, today)
        ],
        "lapsed": [] if request.COOKIES.get(_noted(league)) == str(today.year) else load.lapsed_games(league, today),
        "ended": load.ended_games(league, most=5),
        "season": shown,
        "standings": season.page(shown, 0, LINES_ON_A_PAGE) if shown else None,
    }
    return render(request, "scoring/league.html", context)


def _noted(league: League) -> str:
    """Name the cookie by which a device remembers that it was told what the turn of the year made void."""
    return f"noted-{league.pk}"


@require_POST
@in_league(Action.VIEW_LEAGUE)
def note_lapsed(request: HttpRequest, league: League) -> HttpResponse:
    """Take note of games that the turn of the year made void: on this device, and in their logs if they don't say it yet."""
    record.expire_suspended(league)
    answer = see_other(reverse("scoring:league", args=[league.slug]))
    answer.set_cookie(_noted(league), str(record.today(league).year), max_age=366 * 86400, samesite="Lax", httponly=True)
    return answer


# ---------------------------------------------------------------------------------------------------------------------
# A new game. The form carries the whole state from step to step, so nothing is written before the game starts.

_MOST_SEATS: Final = 20
_STEPS: Final = frozenset({"start", "seat", "add", "unseat", "up", "down", "draw", "site-draw", "dealer", "redraw"})
_RANDOM: Final = SystemRandom()


@dataclass
class Setup:
    """A game being set up, as the form holds it."""

    league: League
    players: list[Player] = field(default_factory=list)
    sheet: str = "house"
    rounds: list[dict[str, str]] = field(default_factory=list)
    typed: dict[str, str] = field(default_factory=dict)
    trouble: str = ""
    status: int = 200
    dealer: int | None = None
    again: list[int] = field(default_factory=list)

    @property
    def rules(self) -> RuleSet:
        return _sheet_rules(self.league, self.sheet)

    def take_round(self, cards: dict[str, str]) -> None:
        """Take a round of the draw; the next one begins with empty fields."""
        self.rounds.append(cards)
        self._forget_typed()

    def forget_rounds(self) -> None:
        self.rounds = []
        self._forget_typed()

    def card_of(self, player: Player) -> str:
        """Give the card that was typed for a player and not taken yet."""
        return self.typed.get(f"card-{player.pk}", "")

    def _forget_typed(self) -> None:
        self.typed = {name: value for name, value in self.typed.items() if not name.startswith("card-")}

    def refuse(self, message: str, status: int = 422) -> None:
        self.trouble, self.status = message, status


def _sheet_rules(league: League, choice: str) -> RuleSet:
    """Give the rules behind a choice of the form: a preset's id, or ``sheet:`` and the key of a league's sheet."""
    if choice.startswith("sheet:"):
        key = whole_number(choice.removeprefix("sheet:"))
        sheet = RuleSheet.objects.filter(league=league, pk=key).first() if key is not None else None
        if sheet is None:
            raise BadQuestion(_("This league has no such rule sheet."), "sheet")
        return sheet.rules
    return rulesets.preset(choice)


def sheet_choices(league: League) -> list[tuple[str, str]]:
    """Give the sheets a game can be played by: the league's own, then the presets that lack nothing."""
    own = [(f"sheet:{sheet.pk}", str(sheet)) for sheet in league.sheets.all() if sheet.overrides and sheet.rules.ready]
    presets = [rulesets.preset(name) for name in rulesets.preset_ids()]
    return [*own, *((rules.id, sheet_words.game_name(rules)) for rules in presets if rules.ready)]


@require_http_methods(["GET", "HEAD", "POST"])
@in_league(Action.SCORE)
def new_game(request: HttpRequest, league: League) -> HttpResponse:
    """Seat the players, draw for the deal, start."""
    setup = _read_setup(request, league)
    step, _colon, which = request.POST.get("do", "").partition(":")
    if step and step not in _STEPS:
        raise NotOffered("do", step)
    if request.method == "POST" and not setup.trouble:
        if step == "start":
            answer = _start(request, setup)
            if answer is not None:
                return answer
        else:
            _take_step(request, setup, step, which)
    _resolve_draw(setup)
    return render(request, "scoring/new_game.html", _setup_context(request, setup), status=setup.status)


def _read_setup(request: HttpRequest, league: League) -> Setup:
    post = request.POST
    keys = [key for key in dict.fromkeys(post.getlist("players")) if whole_number(key, 11) is not None]
    known = {str(player.pk): player for player in Player.objects.filter(league=league, pk__in=keys[:_MOST_SEATS])}
    setup = Setup(league, [known[key] for key in keys if key in known], post.get("sheet", "house"))
    setup.typed = {key: value for key, value in post.items() if isinstance(value, str)}
    if len(known) != len(set(post.getlist("players"))):
        setup.refuse(_("A player on the list is not in this league, or there are too many. Look at the order once more."))
    try:
        setup.rules  # noqa: B018  (reading it is the check)
    except BadQuestion as error:
        setup.sheet = "house"
        setup.refuse(reasons.say(error))
    for line in post.getlist("round"):
        cards = dict(zip(map(str, range(len(setup.players))), line.split(","), strict=False))
        setup.rounds.append({seat: card for seat, card in cards.items() if card in CARDS})
    return setup


def _take_step(request: HttpRequest, setup: Setup, step: str, which: str) -> None:
    players = setup.players
    chosen = next((player for player in players if str(player.pk) == which), None)
    match step:
        case "seat":
            _seat_player(setup, which)
        case "add":
            _add_player(request, setup)
        case "unseat" if chosen:
            players.remove(chosen)
        case "up" | "down" if chosen:
            place = players.index(chosen)
            other = place - 1 if step == "up" else place + 1
            if 0 <= other < len(players):
                players[place], players[other] = players[other], players[place]
        case "draw" | "site-draw":
            _draw(request, setup, by_site=step == "site-draw")
        case "dealer" if (dealer := whole_number(which)) is not None and dealer < len(players):
            setup.dealer = dealer
        case "redraw":
            setup.forget_rounds()
    if step in {"seat", "add", "unseat", "up", "down"}:
        # Who draws what belongs to the seats as they were; cards that were typed and not drawn yet stay.
        setup.rounds = []


def _seat_player(setup: Setup, which: str) -> None:
    key = whole_number(which)
    player = Player.objects.filter(league=setup.league, pk=key, hidden=False).first() if key is not None else None
    if player is None:
        setup.refuse(_("There is no such player in this league."), 404)
    elif player not in setup.players:
        if len(setup.players) >= _MOST_SEATS:
            setup.refuse(_("A table has at most %(count)s seats.") % {"count": _MOST_SEATS})
        else:
            setup.players.append(player)


def _add_player(request: HttpRequest, setup: Setup) -> None:
    if not may(actor_of(request), Action.MANAGE_PLAYERS, setup.league):
        setup.refuse(_("Your role in this league does not allow adding players."), 403)
        return
    try:
        player = people.add_player(setup.league, setup.typed.get("name", ""))
    except ValidationError as error:
        setup.refuse(" ".join(error.messages))
    else:
        setup.typed["name"] = ""
        _seat_player(setup, str(player.pk))


def _draw(request: HttpRequest, setup: Setup, *, by_site: bool) -> None:
    """Take one round of the draw: the cards typed, or cards the site draws and puts back."""
    _resolve_draw(setup)
    drawing = setup.again if setup.rounds else list(range(len(setup.players)))
    if not drawing or len(setup.players) < 2:
        return
    if by_site:
        drawn = draw.draw_cards(setup.rules, len(setup.players), drawing, _RANDOM)
        setup.take_round({str(seat): card for seat, card in drawn.items()})
        return
    cards: dict[str, str] = {}
    for seat in drawing:
        try:
            cards[str(seat)] = parse_card(setup.card_of(setup.players[seat]))
        except BadQuestion as error:
            detail = reasons.say_within(error.message)
            setup.refuse(_("%(player)s: %(detail)s.") % {"player": setup.players[seat], "detail": detail})
            return
    setup.take_round(cards)


def _resolve_draw(setup: Setup) -> None:
    """Work out from the rounds who deals, or who draws again (``house.deal.draw-high``, R-05)."""
    if setup.dealer is not None or not setup.rounds:
        return
    rounds = [{int(seat): card for seat, card in round_.items()} for round_ in setup.rounds]
    try:
        drawn = draw.judge_rounds(setup.rules, len(setup.players), rounds)
    except BadQuestion:
        # The rounds came with the form; if they do not fit its seats, the draw starts afresh.
        setup.rounds = []
    else:
        setup.dealer, setup.again = drawn.dealer, list(drawn.redraw)


def _start(request: HttpRequest, setup: Setup) -> HttpResponse | None:
    dealer = whole_number(setup.typed.get("first_dealer", ""))
    client_id = setup.typed.get("client_id", "")
    if dealer is None or dealer >= len(setup.players) or not 0 < len(client_id) <= record.LONGEST_ID:
        setup.refuse(_("Draw for the deal first, or say who deals."))
        return None
    try:
        if setup.sheet.startswith("sheet:"):
            sheet = RuleSheet.objects.get(pk=int(setup.sheet.removeprefix("sheet:")))
        else:
            sheet = record.sheet_for(setup.league, setup.sheet, by(request))
        game = record.start_game(setup.league, sheet, setup.players, dealer, by(request), client_id=client_id, draw=setup.rounds)
    except BadQuestion as error:
        setup.refuse(reasons.say(error))
        return None
    except Refused as refused:
        setup.dealer = dealer
        setup.refuse(messages.refusal(refused.code, refused.params, [player.name for player in setup.players]))
        return None
    return see_other(reverse("scoring:table", args=[game.pk]))


def _first_deal(setup: Setup) -> deals.Deal | None:
    try:
        return deals.deal(setup.rules, 1, len(setup.players), min(setup.dealer or 0, len(setup.players) - 1))
    except BadQuestion as error:
        setup.refuse(reasons.say(error))
        return None


def _setup_context(request: HttpRequest, setup: Setup) -> dict[str, Any]:
    seated = {player.pk for player in setup.players}
    count = len(setup.players)
    drawing = [setup.players[seat] for seat in setup.again] if setup.rounds else setup.players
    enough = count >= setup.rules.players_min and (setup.rules.players_max is None or count <= setup.rules.players_max)
    return {
        **league_frame(request, setup.league, "new-game", Action.MANAGE_LEAGUE),
        "setup": setup,
        "bench": [player for player in Player.objects.filter(league=setup.league, hidden=False) if player.pk not in seated],
        "sheets": sheet_choices(setup.league),
        "enough": enough,
        "rules": setup.rules,
        "deal": _first_deal(setup) if enough else None,
        "dealer_name": setup.players[setup.dealer].name if setup.dealer is not None and setup.dealer < count else "",
        "first_name": setup.players[(setup.dealer + 1) % count].name if setup.dealer is not None and count else "",
        "rounds": [
            [(setup.players[int(seat)].name, card) for seat, card in round_.items() if int(seat) < count]
            for round_ in setup.rounds
        ],
        "round_fields": [",".join(round_.get(str(seat), "") for seat in range(count)) for round_ in setup.rounds],
        "drawing": [(player, setup.card_of(player)) for player in drawing],
        "cards_typed": any(map(setup.card_of, drawing)),
        "client_id": new_client_id(),
    }
