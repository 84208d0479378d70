"""“Something went wrong”: with a game, whose scorebook answers what it knows, and without one."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from continental.rules import rulesets
from continental.rules.decisions import FactValue
from players.permissions import Action
from scoring import corrections, precedents, record, record_rulings, sheet_words, wizard
from scoring.entries import whole_number
from scoring.load import Table
from scoring.offers import Offer, offers, seat_in_question
from scoring.state import HandState, Refused
from scoring.views.common import Trouble, by, go_on, in_game, page


@require_safe
def show_wrong(request: HttpRequest) -> HttpResponse:
    """Ask and rule without a game, under a preset."""
    rules = wizard.rules_of(request.GET.get("rules", ""))
    step = wizard.step(request.GET.dict(), rules, language=_language())
    presets = [(name, sheet_words.game_name(rulesets.preset(name))) for name in rulesets.preset_ids()]
    return render(request, "scoring/wrong.html", {**_words(step), "step": step, "rules": rules, "presets": presets, "game": None})


def wrong_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Ask and rule at a table; what its scorebook knows is not asked."""
    query = _query(request)
    step = _step(table, query)
    hand = _hand_of(table, query)
    listed = offers(step.ruling, table.state, hand) if step.ruling else []
    seat = _seat_of(table, query)
    context = {
        **_words(step),
        "step": step,
        "rules": table.rules,
        "hand": hand,
        "hands": [other.number for other in table.state.hands],
        "seats": list(zip(table.state.seats, table.names, strict=True)),
        "seat": seat_in_question(listed, hand) if seat is None else seat,
        "offers": listed,
        "wants_seat": any(offer.wants_seat for offer in listed),
        "earlier": precedents.on_question(table.game.league, step.kind.name, step.ruling.path)
        if step.ruling and step.kind
        else [],
        "evidence": _evidence(table, query),
    }
    return page(request, "wrong", table, context, trouble)


@require_safe
@in_game(Action.VIEW_GAME)
def show_table_wrong(request: HttpRequest, table: Table) -> HttpResponse:
    return wrong_page(request, table)


def _language() -> str:
    return get_language() or "en"


def _query(request: HttpRequest) -> dict[str, str]:
    sent = request.POST if request.method == "POST" else request.GET
    return {name: value for name, value in sent.items() if isinstance(value, str)}


def _step(table: Table, query: Mapping[str, str]) -> wizard.Step:
    hand = _hand_of(table, query)
    known = facts_of(table, hand if query.get("hand") else None, _seat_of(table, query))
    return wizard.step(query, table.rules, table.rules.hand(hand.number), table=known, language=_language())


def _hand_of(table: Table, query: Mapping[str, str]) -> HandState:
    return next((hand for hand in table.state.hands if str(hand.number) == query.get("hand")), table.state.hand)


def _seat_of(table: Table, query: Mapping[str, str]) -> int | None:
    return next((seat for seat in table.state.seats if str(seat) == query.get("seat")), None)


def _evidence(table: Table, query: Mapping[str, str]) -> int | None:
    """Give the cards read that the ruling is about, by the event that kept them; ``None`` for any that this game has not."""
    rev = whole_number(query.get("evidence", ""))
    return rev if rev in table.state.evidence else None


def _words(step: wizard.Step) -> dict[str, Any]:
    """Give what the page says of a step beside the step itself."""
    numbers: list[int] = []
    if step.question is not None and not step.question.options:
        numbers = [number for number in (-3, -2, -1, 0, 1, 2, 3, 4) if step.question.least <= number <= step.question.most]
        # A difference of none is no difference: the rule book says so, and the page need not offer it.
        if step.question.least < 0:
            numbers.remove(0)
    return {
        "step_title": step.kind.title.say(_language()) if step.kind else "",
        "answer": step.ruling.as_answer(_language()) if step.ruling else None,
        "numbers": numbers,
    }


def facts_of(table: Table, asked: HandState | None, seat: int | None) -> Mapping[str, Mapping[str, FactValue]]:
    """Give what the scorebook knows of each kind's facts.

    Args:
        asked: the hand in question, where one was named; else the one on the table.
        seat: the seat in question, if any.
    """
    state = table.state
    hand = asked or state.hand
    known: dict[str, dict[str, FactValue]] = {
        "suspension": {
            "between_hands": state.untouched,
            "same_year": record.today(table.game.league).year == state.started_on.year,
        },
        "score-error": {},
        "end-of-hand": {},
        "incorrect-hand": {},
        "illegal-meld": {},
        "misdeal": {},
    }
    if asked is not None or not state.untouched:
        known["illegal-meld"]["hand_scored"] = known["misdeal"]["hand_scored"] = hand.closed
    if state.ended_by and not hand.closed:
        known["incorrect-hand"]["ended"] = True
    if hand.stock_turned:
        known["end-of-hand"]["times"] = hand.stock_turned + 1
    if asked is not None:
        known["score-error"]["mixed"] = corrections.mixed(state, hand)
    if seat is not None:
        others = [other for other in state.seats if other != seat]
        known["suspension"]["complete_totals"] = sum(not table.state.missed(other) for other in others)
        if asked is not None:
            given = [hand.entries[other].points for other in others if other in hand.entries]
            known["score-error"]["provided_others"] = sum(points is not None for points in given)
            known["score-error"]["disputed"] = seat in hand.disputed
    return known


# ---------------------------------------------------------------------------------------------------------------------
# Recording a ruling


def give_ruling(request: HttpRequest, table: Table, client_id: str) -> HttpResponse:
    """Record the ruling that the page shows, and what was ticked of its effects.

    Raises:
        Refused: as ``record_rulings.rule`` does.
    """
    post, query = request.POST, _query(request)
    step = _step(table, query)
    hand, seat = _hand_of(table, query), _seat_of(table, query)
    if post.get("hand", "") not in {"", str(hand.number)}:
        raise Refused("hand-not-yet", hand=post["hand"][:40])
    if seat is None and post.get("seat"):
        raise Refused("seat-unknown", typed=post["seat"][:40])
    own = post.get("own") == "1"
    ruling: dict[str, Any] = {"kind": query.get("kind", ""), "facts": step.facts, "hand": hand.number, "own": own}
    ruling["seats"] = [] if seat is None else [seat]
    ruling["words"] = post.get("words", "")
    evidence = _evidence(table, query)
    if evidence is not None:
        ruling["evidence"] = evidence
    listed = offers(step.ruling, table.state, hand) if step.ruling else []
    ticked = post.getlist("effect")
    if not own and not {offer.name for offer in listed if offer.event}.issuperset(ticked):
        raise Refused("effect-gone")
    if seat is None and not own and any(offer.wants_seat and offer.name in ticked for offer in listed):
        raise Refused("ruling-seat")
    effects = [
        (offer.event, _effect_data(offer, seat, post.get("count", "")))
        for offer in listed
        if offer.event and offer.name in ticked and not own
    ]
    if own and post.get("penalty", "").strip() not in {"", "0"}:
        effects.append(("penalty", {"seat": seat, "points": post["penalty"].strip(), "hand": hand.number}))
    record_rulings.rule(table.game.pk, ruling, effects, by(request, table), client_id=client_id, reason=post.get("reason", ""))
    target = reverse("scoring:rulings", args=[table.game.pk])
    return go_on(request, target)


def _effect_data(offer: Offer, seat: int | None, count: str) -> dict[str, Any]:
    data = dict(offer.data)
    if offer.wants_seat:
        data["seat"] = seat
    if offer.wants_count:
        data["count"] = count or "1"
    return data
