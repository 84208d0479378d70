"""Reading the cards of a photo: the photo beside the pad, the verdict with every tap, and all of it kept as evidence."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.permissions import Action, actor_of, may_at
from scoring import check as check_rows
from scoring import record
from scoring.check import LONGEST_ADDRESS
from scoring.load import Table
from scoring.models import Evidence, Photo
from scoring.state import Refused
from scoring.views import check
from scoring.views.common import by, go_on, in_game, page
from scoring.views.photos import found_photo, may_see


@require_safe
@in_game(Action.SEE_PHOTOS)
def transcribe(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Show a photo and the pad; what is tapped is judged under the sheet and the contract of the photo's hand."""
    photo = found_photo(table, name)
    query = request.GET.copy()
    query.setdefault("hand", str(photo.hand))
    # Whose cards they are is known of the photo; whether that player was down then is for the reader to say, not the table now.
    query.pop("who", None)
    request.GET = query  # type: ignore[assignment]
    if getattr(request, "htmx", False) or len(request.META.get("QUERY_STRING", "")) > LONGEST_ADDRESS:
        answer = check.check_page(request, table, request.path)
        if "HX-Replace-Url" in answer:
            answer["HX-Replace-Url"] = f"{request.path}?{query.urlencode()}"
        return answer
    context = {
        **check.check_context(request, table, request.path),
        "photo": photo,
        "query": query.urlencode(),
        "spots": query.get("spots", ""),
        "seat": photo.seat,
        "may_keep": may_at(actor_of(request), Action.TAP, table.sitting),
    }
    # The pad's frame asks which page it is.
    context |= {"page": "check"}
    return page(request, "transcribe", table, context)


def keep_evidence(request: HttpRequest, table: Table, client_id: str) -> HttpResponse:
    """Keep the cards as they were read, with their spots on the photo and the verdict.

    Raises:
        Refused: no cards, cards that can't be read, or a photo of another game.
    """
    post = request.POST
    query = QueryDict(post.get("query", "")[:LONGEST_ADDRESS])
    setting = check.setting_of(request, query, table)
    asked, verdict = check.judged(query, setting, table)
    lies = post.get("lies") == "1"
    rows = [row for row in asked.rows if row.text]
    if verdict.kind == "unread":
        raise Refused("evidence-unread")
    if not rows or (verdict.kind == "empty" and not lies):
        raise Refused("evidence-empty")
    spots = _spots(post.get("spots", ""))
    name = post.get("photo", "")
    data: dict[str, Any] = {
        "hand": setting.hand,
        "seat": _seat(table, name, asked.who),
        "photo": name,
        "lying": check_rows.lying(asked, setting.rules.wild) if lies else [],
        "melds": [{"row": row.key, "cards": row.text, "spot": spots.get(row.key)} for row in rows],
        "query": query.urlencode(),
        "verdict": verdict.kind,
        "reasons": [reason.rule_id for reason in verdict.reasons],
    }
    outcome = record.apply(table.game.pk, "evidence", data, by(request, table), client_id=client_id)
    target = reverse("scoring:evidence", args=[table.game.pk, outcome.rev])
    return go_on(request, target)


def _seat(table: Table, photo: str, who: str) -> int | None:
    """Tell whose cards they are: the photo's, or those of the player whose turn was judged."""
    if photo in table.state.photos:
        return table.state.photos[photo].seat
    return int(who) if who else None


def _spots(text: str) -> dict[str, list[float]]:
    """Read the spots that the page wrote: ``m0:0.25:0.5``, in parts of the photo's width and height."""
    spots: dict[str, list[float]] = {}
    for word in text.split()[:20]:
        row, _colon, place = word.partition(":")
        try:
            at = [float(part) for part in place.split(":")]
        except ValueError:
            continue
        if len(at) == 2 and all(0 <= part <= 1 for part in at):
            spots[row[:6]] = at
    return spots


@require_safe
@in_game(Action.SEE_PHOTOS)
def show_evidence(request: HttpRequest, table: Table, rev: int) -> HttpResponse:
    """Show cards that were read, beside their photo, with the verdict then and the way to a ruling."""
    kept = Evidence.objects.filter(game=table.game, rev=rev).first()
    if kept is None:
        raise Http404(_("There is no such photo here, or it has been deleted."))
    photo = Photo.objects.filter(game=table.game, name=kept.photo).first() if kept.photo else None
    query = QueryDict(kept.query)
    _asked, verdict = check.judged(query, check.setting_of(request, query, table), table)
    # On this page the melds are numbered as they are listed, whatever their rows were called.
    spots = [(number, meld["spot"]) for number, meld in enumerate(kept.melds) if meld.get("spot")]
    context = {
        "ticket": "",
        "kept": kept,
        "photo": photo if photo is not None and may_see(table, photo) else None,
        "spots": " ".join(f"m{number}:{across}:{down}" for number, (across, down) in spots),
        "whose": table.names[kept.seat] if kept.seat is not None else "",
        "lying": bool(table.state.evidence[rev].lying),
        "verdict": verdict,
        "later": verdict.answer.get("if_found_later") if verdict.kind == "illegal" else None,
        "ask": _ask(kept, verdict.answer.get("if_found_later")),
    }
    return page(request, "evidence", table, context)


def _ask(kept: Evidence, later: dict[str, Any] | None) -> str:
    """Give the address of the ruling on these cards, with what the verdict settles of its questions."""
    known = [("kind", "illegal-meld"), ("hand", str(kept.hand)), ("evidence", str(kept.rev))]
    if kept.seat is not None:
        known.append(("seat", str(kept.seat)))
    if later is None:
        return urlencode(known)
    no = [(f"f.{name}", "no") for name in ("same_turn", "after_claim", "swap_wrong", "joker_kept")]
    return urlencode([*known, *no, ("f.correct_without_card", "yes" if later["stands"] else "no"), ("go", "1")])
