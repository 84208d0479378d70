"""Why an archive is not read in, in a sentence that names the place in the file."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as mark

from continental.rules.errors import BadQuestion
from scoring import messages
from scoring.archive_spots import Flaw
from scoring.reasons import kind, say

FLAWS: Final[dict[str, str]] = {
    "no-file": mark("No file came along: choose the archive of a league."),
    "too-large": mark(
        "The file has %(size)s MB, and a page reads at most %(most)s. A league as large is read in by a command: "
        "manage.py read_archive."
    ),
    "empty": mark("The file is empty."),
    "encoding": mark("The file is no text in UTF-8: byte %(byte)s is the first that cannot be read."),
    "broken": mark("The file breaks off or is damaged: it cannot be read from line %(line)s, character %(column)s, on."),
    "too-deep": mark("The file is nested too deep to be the archive of a league."),
    "unkept": mark("There is something that can't be kept: half a character, a null byte, or a number without end."),
    "no-archive": mark("This is not the archive of a league."),
    "version": mark("The archive is of a version that is unknown here; version %(reads)s is read."),
    "here-already": mark("This league is on this site already; its archive is not read in twice."),
    "no-object": mark("An object is wanted here, not %(found)s."),
    "no-list": mark("A list is wanted here, not %(found)s."),
    "no-text": mark("A text is wanted here, not %(found)s."),
    "no-number": mark("A whole number from %(least)s to %(most)s is wanted here, not %(found)s."),
    "no-flag": mark("True or false is wanted here, not %(found)s."),
    "no-day": mark("A day such as 2026-01-31 is wanted here, not %(found)s."),
    "no-moment": mark("A time such as 2026-01-31T20:15:00+00:00 is wanted here, not %(found)s."),
    "no-uid": mark("This is not the mark by which a league is known."),
    "no-zone": mark("“%(found)s” is not a time zone such as Europe/Madrid."),
    "no-name": mark("A name needs at least one visible letter, digit or sign."),
    "no-fraction": mark("A fraction is two whole numbers."),
    "no-spot": mark("A spot on a photo is two numbers."),
    "text-length": mark("The text has %(count)s characters; from %(least)s to %(most)s are allowed here."),
    "too-many": mark("The list has %(count)s members; at most %(most)s are read."),
    "missing": mark("“%(name)s” is missing here."),
    "unknown": mark("“%(name)s” is not known here."),
    "none-of": mark("“%(found)s” is none of: %(known)s."),
    "twice": mark("This is there twice."),
    "out-of-order": mark("The number is %(found)s where %(number)s is due: something was taken out, added or moved."),
    "no-player": mark("There is no player %(found)s in this file."),
    "no-season": mark("There is no season %(found)s in this file."),
    "no-sheet": mark("There is no rule sheet %(found)s in this file."),
    "no-game": mark("There is no game %(found)s in this file."),
    "merge": mark("These two cannot be one person: one of them stands under another player, or is not hidden."),
    "dates": mark("The last day is before the first."),
    "overlap": mark("The season begins before the season %(season)s is over, or they are out of order."),
    "snapshot": mark("A season that is closed has its table, and one that is open has none."),
    "outside": mark("The day is outside the season %(season)s."),
    "other-day": mark("The log says that the game started on another day."),
    "no-events": mark("A game has at least the event that starts it."),
    "replaces": mark("An undo says which event it takes back, and nothing else does."),
    "event-unreadable": mark("An event “%(kind)s” does not look like this."),
    "differs": mark("The file says %(file)s, and what else is in it comes to %(here)s."),
}


def sentence(flaw: Flaw) -> str:
    """Say why an archive is not read in, and that nothing of it was."""
    why = _why(flaw)
    if flaw.place:
        why = _("At %(place)s: %(why)s") % {"place": flaw.place, "why": why}
    return why + " " + _("Nothing was read in.")


def _why(flaw: Flaw) -> str:
    params: dict[str, Any] = flaw.params
    if flaw.code == "refused":
        return messages.refusal(params["because"], params["values"])
    if flaw.code == "detail":
        return say(BadQuestion(params["detail"], flaw.place))
    return _(FLAWS[flaw.code]) % {name: kind(value) for name, value in params.items()}
