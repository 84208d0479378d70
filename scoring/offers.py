"""What the scorebook can do about a ruling: each effect of the decision table as an event, or as the page where it is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from continental.rules.decisions import effect_types
from continental.rules.irregularities import Ruling
from scoring.state import GameState, HandState


@dataclass(frozen=True)
class Offer:
    """One effect, as the page of a ruling offers it.

    Attributes:
        name: the effect's type in the decision table.
        event: the kind of event that does it; empty where a page or the table itself does.
        data: what the event says already; ``seat`` is added where ``wants_seat``, ``count`` where ``wants_count``.
        page: the page on which it is done.
        note: what to say where nothing is recorded.
    """

    name: str
    title: str
    event: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    wants_seat: bool = False
    wants_count: bool = False
    page: str = ""
    note: str = ""


_TASKS: Final = {"owed-joker": "owed-joker", "returned-cards": "returned-cards", "detach-cards": "detached-cards"}
_PAGES: Final = {
    "amend-score": "correct",
    "void-game": "manage",
    "suspend-game": "manage",
    "resume-game": "manage",
    "end-hand": "count",
}


def offers(ruling: Ruling, state: GameState, hand: HandState) -> list[Offer]:
    """List what the scorebook can do about a ruling, in the order of the decision table."""
    found = [_offer(effect, state, hand) for effect in ruling.effects]
    # A twice-around stops by itself when its last player is no longer down, which is an effect of its own.
    return [offer for offer in found if offer.name not in {"stop-twice-around", "note"}]


def seat_in_question(listed: Sequence[Offer], hand: HandState) -> int | None:
    """Give the seat that an effect can only be about: to open a hand again concerns whoever went out."""
    reopens = any(offer.event == "reopen" for offer in listed)
    return hand.out[0] if reopens and len(hand.out) == 1 else None


def _offer(effect: Mapping[str, Any], state: GameState, hand: HandState) -> Offer:
    name = effect["type"]
    title = effect_types()[name].title.say(get_language() or "en")
    on_table = hand is state.hand and not hand.closed and state.status == "playing"
    where = {"hand": hand.number}
    if name in _PAGES:
        return Offer(name, title, page=_PAGES[name] if name != "amend-score" or hand.closed else "count")
    if name == "reopen-hand" and not hand.out:
        return Offer(name, title, note=_("Nobody is marked as out in this hand, so it is open."))
    if name == "reopen-hand":
        return Offer(name, title, "reopen", where, wants_seat=True)
    if name == "missing-cards" and not hand.closed:
        return Offer(name, title, "short", {**where, "count": effect["count"]}, wants_seat=True)
    if name == "substitute-total":
        return Offer(name, title, "leave", {}, wants_seat=True)
    if not on_table:
        return Offer(name, title, note=_("This hand is over: nothing is left to record."))
    match name:
        case "skip-turns" if state.countdown and state.countdown.left:
            return Offer(name, title, "skip", where, wants_count=True)
        case "skip-turns":
            return Offer(name, title, note=_("The twice-around is not running, so there is nothing to mark."))
        case "correction-turns":
            return Offer(name, title, "task", {**where, "what": effect["turn"], "count": effect["count"]}, wants_seat=True)
        case "redeal":
            return Offer(name, title, "redeal", where)
        case "replay-hand":
            return Offer(name, title, "replay", where)
        case "substitute-score":
            return Offer(name, title, "count", {**where, "kind": "none"}, wants_seat=True)
        case "turn-stock":
            return Offer(name, title, "stock", where)
        case "unopen":
            return Offer(name, title, "opened", {**where, "on": False}, wants_seat=True)
        case "detach-cards":
            return Offer(name, title, "task", {**where, "what": _TASKS[name]})
        case "owed-joker" | "returned-cards":
            return Offer(name, title, "task", {**where, "what": _TASKS[name]}, wants_seat=True)
        case "start-twice-around":
            return Offer(name, title, note=_("It starts by itself once everybody is marked as down on the table page."))
    return Offer(name, title, note=_("Done at the table."))
