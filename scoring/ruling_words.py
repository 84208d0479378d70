"""Sentences about rulings, disputes and corrections: what stands against them, and what an event of theirs did."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as mark

from continental.rules.decisions import KINDS, kinds
from scoring.state import Logged

REFUSALS: Final[dict[str, str]] = {
    "agreement-needed": mark(
        "Hand %(hand)s is mixed: its scores change only if everybody agrees, and %(seats)s has not (house.error.mixed, 4.10.c)."
    ),
    "disputed-stands": mark(
        "Hand %(hand)s is mixed and the score of %(seat)s was disputed: it stands (house.error.agreed, 4.10.d)."
    ),
    "hand-open": mark("Hand %(hand)s is still open: count it again."),
    "hand-mixed": mark("Hand %(hand)s can't be opened again: the next hand has begun."),
    "hand-gone": mark("The hand this is about was taken back or dealt again."),
    "ruling-gone": mark("The ruling this hangs on was taken back."),
    "dispute-reason": mark("Say what is disputed."),
    "not-disputed": mark("The score of %(seat)s is not disputed."),
    "decision-reason": mark("Say why: the decision on the score of %(seat)s stays on record."),
    "nothing-changes": mark("That is what stands for %(seat)s already."),
    "proposal-gone": mark("That proposal has been settled or taken back."),
    "ruling-kind": mark("Choose what went wrong first."),
    "ruling-facts": mark("The answers can't be read: %(detail)s."),
    "ruling-open": mark("Another question still decides: answer it first."),
    "own-ruling": mark("A ruling of the table's own needs its words and a reason."),
    "penalty-zero": mark("A penalty of 0 points changes nothing."),
    "penalty-reason": mark("Say what the penalty is for."),
    "no-bonus": mark("The rule sheet of this game gives no such bonus."),
    "bonus-taken": mark("%(seat)s has this bonus of the hand already: take it back first."),
    "not-out": mark("%(seat)s is not marked as out in hand %(hand)s."),
    "photo-none": mark("No photo came along: take one or choose one."),
    "photo-bytes": mark("The photo is larger than %(most)s MB. Send it in a smaller size."),
    "photo-pixels": mark("The photo has more than %(most)s million pixels. Send it in a smaller size."),
    "photo-heic": mark(
        "This is a HEIC photo, which only some devices can read. On an iPhone choose Settings, Camera, Formats, Most Compatible; "
        "or send a screenshot of the photo."
    ),
    "photo-unreadable": mark("That is no photo: JPEG, PNG and WebP can be read."),
    "photo-broken": mark("The photo breaks off or is damaged. Nothing was kept; send it again."),
    "photo-about": mark("Say what the photo shows."),
    "photo-elsewhere": mark("That photo belongs to no hand of this game."),
    "effect-gone": mark("The table has gone on, and what was ticked cannot be done any more: look at the ruling once more."),
    "ruling-seat": mark("Say first who it is about: the scorebook does something for that player."),
    "evidence-empty": mark("No cards are entered yet."),
    "evidence-unread": mark("Some of these cards cannot be read: mend them first, then keep them."),
    "task-gone": mark("That is done already."),
}

TASKS: Final[dict[str, str]] = {
    "discard-only": mark("%(seat)s discards without drawing; nothing may be laid"),
    "draw-only": mark("%(seat)s draws without discarding; nothing may be laid"),
    "owed-joker": mark("%(seat)s plays the freed joker at the start of the next turn"),
    "returned-cards": mark("%(seat)s has cards back from the table"),
    "detached-cards": mark("Cards on the table lie detached and stay"),
}


def task_words(what: str, seat: str) -> str:
    """Say what is to be done at the table."""
    return _(TASKS[what]) % {"seat": seat}


def kind_title(kind: str) -> str:
    """Name a kind of irregularity."""
    return kinds()[kind].title.say(get_language() or "en") if kind in KINDS else kind


def event_words(event: Logged, params: Mapping[str, Any], entry: str) -> str | None:
    """Say what an event did; ``None`` where it is none of this kind.

    Args:
        params: ``hand`` and ``seat`` as they are named in a sentence.
        entry: what the event would enter, in words.
    """
    data = event.data
    words = {**params, "what": entry}
    match event.kind:
        case "ruling":
            words |= {"kind": kind_title(str(data.get("kind"))), "words": data.get("words", "")}
            return (
                _("Ruling of the table's own: %(kind)s: %(words)s") % words if data.get("own") else _("Ruling: %(kind)s") % words
            )
        case "penalty":
            points = int(data["points"])
            return ngettext("%(seat)s: %(points)s point by ruling", "%(seat)s: %(points)s points by ruling", abs(points)) % {
                **words,
                "points": f"{points:+d}",
            }
        case "short":
            count = int(data["count"])
            return ngettext(
                "Hand %(hand)s, %(seat)s: %(count)s card short by ruling",
                "Hand %(hand)s, %(seat)s: %(count)s cards short by ruling",
                count,
            ) % {**words, "count": count}
        case "skip":
            count = int(data["count"])
            return ngettext(
                "%(count)s turn of the twice-around lost by ruling", "%(count)s turns of the twice-around lost by ruling", count
            ) % {"count": count}
        case "redeal":
            return _("Hand %(hand)s is dealt again by ruling") % words
        case "replay":
            return _("Hand %(hand)s is played again by ruling") % words
        case "reopen":
            return _("Hand %(hand)s is open again: %(seat)s was short") % words
        case "task":
            return task_words(str(data["what"]), str(params["seat"]))
        case "taskdone":
            return _("Done at the table, as ruled")
        case "photo":
            return _("Hand %(hand)s: a photo is added") % words
        case "evidence":
            return _("Hand %(hand)s: cards read and judged") % words
        case "dispute":
            return _("Hand %(hand)s, %(seat)s: count disputed") % words
        case "decide":
            if data.get("stands"):
                return _("Hand %(hand)s, %(seat)s: the disputed count stands") % words
            if data.get("own"):
                return _("Hand %(hand)s, %(seat)s: decided, %(what)s, as the table's own ruling") % words
            return _("Hand %(hand)s, %(seat)s: decided, %(what)s") % words
        case "propose":
            return _("Hand %(hand)s, %(seat)s: %(what)s proposed") % words
        case "agree":
            return _("%(seat)s agrees to a correction") % words
        case "decline":
            return _("%(seat)s does not agree to a correction: the score stands") % words
    return None
