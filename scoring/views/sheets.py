"""The pages of house rules: a league's sheets, one sheet laid open, a form to make one, two compared, one out of a link."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from continental.rules import rulesets, sheets
from continental.rules.errors import BadQuestion
from continental.rules.rulesets import RuleSet
from players.choices import chosen
from players.models import League, Player
from players.permissions import Action, actor_of, in_league, may, require
from scoring import messages as words
from scoring import reasons, record, sheet_form, sheet_links, sheet_words
from scoring.entries import whole_number
from scoring.load import Table
from scoring.models import RuleSheet
from scoring.views.common import by, frame, in_game, league_frame, row_of, see_other

_LONGEST_QR = 1500


def _shared(request: HttpRequest, league: League) -> dict[str, Any]:
    return league_frame(request, league, "rules", Action.MANAGE_RULES)


def _sheet(league: League, pk: object) -> RuleSheet:
    return row_of(league.sheets.all(), pk, _("This league has no such rule sheet."))


@require_safe
@in_league(Action.VIEW_LEAGUE)
def sheets_page(request: HttpRequest, league: League) -> HttpResponse:
    """List a league's sheets, newest version first, and the presets that a new one can start from."""
    own = list(league.sheets.prefetch_related("signatures__player"))
    names: dict[str, list[RuleSheet]] = {}
    for sheet in own:
        names.setdefault(sheet.name, []).append(sheet)
    context = {
        **_shared(request, league),
        "sheets": list(names.values()),
        "all_sheets": own,
        "presets": [rulesets.preset(name) for name in rulesets.preset_ids()],
    }
    return render(request, "scoring/sheets.html", context)


# ---------------------------------------------------------------------------------------------------------------------
# One sheet laid open


@dataclass
class Line:
    """One parameter of a sheet as it is read."""

    label: str
    about: str
    value: str
    standard: str
    source: str
    rule: str


def lay_open(base: str, rules: RuleSet) -> list[tuple[sheet_words.Group, list[Line]]]:
    """Give every parameter in words, with what the preset says where that is something else."""
    preset = rulesets.preset(base)
    standard = {item.name: item.value for item in sheets.parameters(preset)}
    known = {item.name: item for item in sheets.parameters(rules)}
    return [(group, [_line(base, known[name], standard[name]) for name in group.names]) for group in sheet_words.GROUPS]


def _line(base: str, item: sheets.Parameter, standard: Any) -> Line:
    found = sheets.provenance(base, item.name)
    unlike = item.value != standard
    return Line(
        str(sheet_words.LABELS[item.name]),
        _(item.about),
        sheet_words.value_words(item.name, item.unit, item.value),
        sheet_words.value_words(item.name, item.unit, standard) if unlike else "",
        _("Agreed by the league") if unlike else sheet_words.source_words(found),
        "" if unlike or found.kind not in {"source", "ruling"} else found.ref,
    )


def hand_lines(rules: RuleSet) -> list[dict[str, Any]]:
    """Give the hands of a sheet as a table shows them."""
    return [
        {
            "number": number,
            "contract": words.contract_words(hand.contract),
            "deal": hand.deal,
            "claims": hand.claims,
            "whole": hand.all_cards or hand.no_discard,
        }
        for number, hand in enumerate(rules.hands, start=1)
    ]


def _share(request: HttpRequest, sheet: RuleSheet) -> dict[str, Any]:
    packed = sheet_links.pack(sheet.title, sheet.base, sheet.overrides, [line["text"] for line in sheet.notes])
    if not packed:
        return {"share": "", "share_qr": ""}
    address = request.build_absolute_uri(f"{reverse('scoring:shared-sheet')}?s={packed}")
    return {"share": address, "share_qr": _qr(address) if len(address) <= _LONGEST_QR else ""}


def _qr(address: str) -> SafeString:
    """Draw an address as a code to scan; segno's SVG holds no text of ours but the squares."""
    code = segno.make(address, error="l", micro=False)
    return SafeString(code.svg_inline(scale=3, border=3, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True))


@require_safe
@in_league(Action.VIEW_LEAGUE)
def sheet_page(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Show one version of a sheet: hands, points, everything else, who signed, and how to hand it on."""
    sheet = _sheet(league, pk)
    signatures = list(sheet.signatures.select_related("player"))
    signed = {signature.player_id for signature in signatures}
    shared = _shared(request, league)
    user = actor_of(request).user
    unsigned = [player for player in league.players.filter(hidden=False) if player.pk not in signed]
    context = {
        **shared,
        "sheet": sheet,
        "rules": sheet.rules,
        "groups": lay_open(sheet.base, sheet.rules),
        "hands": hand_lines(sheet.rules),
        "unlike": sheets.differences(rulesets.preset(sheet.base), sheet.rules),
        "versions": list(league.sheets.filter(name=sheet.name).exclude(pk=sheet.pk)),
        "signatures": [(item, _may_sign(request, league, item.player)) for item in signatures],
        "unsigned": [player for player in unsigned if shared["may_score"] or (user is not None and player.user_id == user.pk)],
        "unsigned_count": len(unsigned),
        "games": sheet.games.count(),
        "open": [str(sheet_words.LABELS[name]) for name in sheet.rules.still_open],
        **_share(request, sheet),
    }
    return render(request, "scoring/rule_sheet.html", context)


@require_safe
@in_game(Action.VIEW_GAME)
def pinned_sheet(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the sheet that a game is played by to whoever may look at the game, and nothing else of the league."""
    sheet = table.game.sheet
    context = {
        **frame(request, table),
        "page": "rules",
        "sheet": sheet,
        "groups": lay_open(sheet.base, sheet.rules),
        "hands": hand_lines(sheet.rules),
        "unlike": sheets.differences(rulesets.preset(sheet.base), sheet.rules),
    }
    return render(request, "scoring/pinned_sheet.html", context)


def _may_sign(request: HttpRequest, league: League, player: Player) -> bool:
    actor = actor_of(request)
    own = actor.user is not None and player.user_id == actor.user.pk
    return own or may(actor, Action.SCORE, league)


@require_POST
@in_league(Action.VIEW_LEAGUE)
def sign_sheet(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Put a player's name under a sheet, or take it back: whoever keeps score does, or the player's own account."""
    sheet = _sheet(league, pk)
    players = Player.objects.filter(league=league)
    player = row_of(players, request.POST.get("player", ""), _("There is no such player in this league."))
    if not _may_sign(request, league, player):
        require(request, Action.SCORE, league)
    record.sign_sheet(sheet, player, by(request), signs=chosen(request.POST, "do", ("sign", "withdraw"), "sign") == "sign")
    table = whole_number(request.POST.get("table", ""))
    if table is not None and sheet.games.filter(pk=table).exists():
        return see_other(reverse("scoring:manage", args=[table]) + "#signatures")
    return see_other(reverse("scoring:rule-sheet", args=[league.slug, sheet.pk]) + "#signatures")


@require_safe
@in_league(Action.VIEW_LEAGUE)
def blank_sheet(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    """Show a score sheet for paper: contracts, deals and card values filled in, columns for names left empty."""
    sheet = _sheet(league, pk)
    asked = whole_number(request.GET.get("players", ""))
    rules = sheet.rules
    least, most = rules.players_min, min(rules.players_max or 12, 12)
    columns = asked if asked is not None and least <= asked <= most else min(6, most)
    context = {
        **_shared(request, league),
        "sheet": sheet,
        "rules": rules,
        "hands": hand_lines(rules),
        "columns": range(columns),
        "choices": range(least, most + 1),
        "values": [(points, cards) for points, cards in sheet_words.points_words(rules.points) if points is not None],
        "decks": rules.deck_count(columns),
        "jokers": rules.joker_count(columns),
    }
    return render(request, "scoring/blank_sheet.html", context)


# ---------------------------------------------------------------------------------------------------------------------
# Making one


@dataclass(frozen=True)
class _Start:
    """What a sheet starts from: a preset, or a sheet of the league, which has a name and lines of the house."""

    base: str
    rules: RuleSet
    label: str
    name: str = ""
    notes: Sequence[Mapping[str, Any]] = ()


def _start(league: League, start: str) -> _Start:
    """Find what a form starts from: a preset's id, or ``sheet:`` and the key of one of the league's."""
    if start.startswith("sheet:"):
        sheet = _sheet(league, start.removeprefix("sheet:"))
        return _Start(sheet.base, sheet.rules, str(sheet), sheet.name, sheet.notes)
    try:
        rules = rulesets.preset(start)
    except BadQuestion as error:
        raise Http404(_("There is no such preset.")) from error
    return _Start(start, rules, sheet_words.game_name(rules))


def _kept_lines(typed: Mapping[str, str], ticked: Sequence[str], notes: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Tell of each line of the house whether it goes into the next version: what was not asked about stays."""
    return [str(number) in ticked or "lines" not in typed for number in range(len(notes))]


@require_http_methods(["GET", "HEAD", "POST"])
@in_league(Action.MANAGE_RULES)
def new_sheet(request: HttpRequest, league: League) -> HttpResponse:
    """Make a sheet, or the next version of one: from a preset or from another sheet."""
    source = request.POST.get("from", "") or request.GET.get("from", "house")
    start = _start(league, source)
    base, status = start.base, 200
    typed = {key: value for key, value in request.POST.items() if isinstance(value, str)}
    kept = _kept_lines(typed, request.POST.getlist("line"), start.notes)
    if request.method != "POST":
        form = sheet_form.start(base, start.rules, start.name)
    else:
        match chosen(request.POST, "do", ("keep", "more-hands", "fewer-hands", "so-many-hands"), "keep"):
            case "more-hands" | "fewer-hands" | "so-many-hands" as step:
                form = sheet_form.add_hands(base, typed, {"more-hands": 1, "fewer-hands": -1}.get(step, 0))
                status = 422 if form.trouble else 200
            case _:
                form = sheet_form.read(base, typed)
                if form.ok and form.overrides is not None:
                    notes = [note for note, stays in zip(start.notes, kept, strict=True) if stays] if start.name else None
                    sheet = record.add_sheet(league, form.name, base, form.overrides, by(request), notes=notes)
                    messages.success(request, _("%(sheet)s is kept, and will not change again.") % {"sheet": sheet})
                    return redirect("scoring:rule-sheet", league.slug, sheet.pk)
                status = 422
    context = {
        **_shared(request, league),
        "form": form,
        "start": source,
        "start_label": start.label,
        "lines": list(zip(start.notes, kept, strict=True)),
        "next_version": bool(start.name),
        "lacks": [str(sheet_words.LABELS[key]) for key in form.preset.missing_in_source],
    }
    return render(request, "scoring/new_sheet.html", context, status=status)


# ---------------------------------------------------------------------------------------------------------------------
# Two compared, one shared


@dataclass
class Unlike:
    """One parameter in which two sheets differ."""

    where: str
    about: str
    first: str
    second: str


def unlike(first: RuleSet, second: RuleSet) -> list[Unlike]:
    """Give what differs between two sheets, in words, and nothing else."""
    return [_unlike(item) for item in sheets.differences(first, second)]


def _unlike(item: sheets.Difference) -> Unlike:
    name = item.at.rpartition(".")[2] if item.at.startswith("hands[") else item.at
    if item.at == "hands":
        return Unlike(str(sheet_words.LABELS["hands"]), _(item.about), str(item.first), str(item.second))
    values = [sheet_words.value_words(name, item.unit, value) for value in (item.first, item.second)]
    if name == "contract":
        values = [value or _("any melds") for value in (item.first, item.second)]
    return Unlike(sheet_words.place_words(item.at), _(item.about), *values)


def unlike_lines(first: Sequence[str], second: Sequence[str]) -> list[Unlike]:
    """Give the lines of the house that stand on one of two sheets only."""
    where, nothing = _("Line of the house"), "–"
    gone = [Unlike(where, "", line, nothing) for line in first if line not in second]
    return gone + [Unlike(where, "", nothing, line) for line in second if line not in first]


@dataclass(frozen=True)
class _Compared:
    """One side of a comparison."""

    name: str
    rules: RuleSet
    lines: list[str]


def _compared(league: League, choice: str) -> _Compared:
    start = _start(league, choice)
    return _Compared(start.label, start.rules, [line["text"] for line in start.notes])


@require_safe
@in_league(Action.VIEW_LEAGUE)
def compare_sheets(request: HttpRequest, league: League) -> HttpResponse:
    """Show only the differences between two sheets or presets."""
    choices = [(f"sheet:{sheet.pk}", str(sheet)) for sheet in league.sheets.all()]
    choices += [(name, sheet_words.game_name(rulesets.preset(name))) for name in rulesets.preset_ids()]
    first, second = request.GET.get("a") or choices[0][0], request.GET.get("b") or "house"
    left, right = _compared(league, first), _compared(league, second)
    context = {
        **_shared(request, league),
        "choices": choices,
        "first": first,
        "second": second,
        "first_name": left.name,
        "second_name": right.name,
        "differences": unlike(left.rules, right.rules) + unlike_lines(left.lines, right.lines),
    }
    return render(request, "scoring/compare_sheets.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def shared_sheet(request: HttpRequest) -> HttpResponse:
    """Show the sheet that a link holds, and take it over into a league whose rules one may manage."""
    text = request.POST.get("s") or request.GET.get("s", "")
    actor = actor_of(request)
    leagues = [league for league in League.objects.filter(pk__in=actor.roles) if may(actor, Action.MANAGE_RULES, league)]
    try:
        shared = sheet_links.unpack(text)
    except BadQuestion as error:
        return render(request, "scoring/shared_sheet.html", {"trouble": reasons.say(error)}, status=422)
    if request.method == "POST":
        league = League.objects.filter(slug=request.POST.get("league", "")).first()
        require(request, Action.MANAGE_RULES, league)
        assert league is not None
        overrides = {**shared.overrides, "name": shared.name}
        sheet = record.add_sheet(league, shared.name, shared.base, overrides, by(request), notes=shared.notes)
        messages.success(request, _("%(sheet)s is in %(league)s now.") % {"sheet": sheet, "league": league})
        return redirect("scoring:rule-sheet", league.slug, sheet.pk)
    context = {
        "shared": shared,
        "text": text,
        "leagues": leagues,
        "preset": rulesets.preset(shared.base),
        "differences": unlike(rulesets.preset(shared.base), shared.rules),
        "hands": hand_lines(shared.rules),
        "groups": lay_open(shared.base, shared.rules),
    }
    return render(request, "scoring/shared_sheet.html", context)
