"""Sentences for codes: what stands against an action, what an event did, what the audit asks, why a row is marked.

The rules and the ledger speak in codes and parameters; this is the one place that turns them into the reader's language.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.utils.translation import gettext_noop as mark

from continental.rules.audit import AuditQuestion
from continental.rules.contracts import Contract, Slot
from continental.rules.wording_scores import SCORES
from scoring import reasons, ruling_words, sheet_words
from scoring.sheet_words import face
from scoring.state import EntryState, Logged

REFUSALS: Final[dict[str, str]] = {
    # Translators: sentences shown when something can't be done; they say what stands against it.
    "player-twice": mark("A player can sit on one seat only."),
    "player-of-another-league": mark("%(player)s plays in another league."),
    "players-count": mark("This rule sheet is for %(range)s players; %(count)s are seated."),
    "sheet-not-ready": mark("This rule sheet still lacks what its source has lost: fill in its hands and points before play."),
    "seat-unknown": mark("There is no seat %(typed)s at this table."),
    "seat-away": mark("%(seat)s has left the table."),
    "seat-present": mark("%(seat)s is at the table already."),
    "last-player": mark("%(game)s needs at least one player at the table: end the game instead."),
    "hand-over": mark("Hand %(hand)s is over: the table plays hand %(current)s. Nothing was changed."),
    "hand-not-yet": mark("Hand %(hand)s has not been dealt yet."),
    "hand-ended": mark("Hand %(hand)s has ended: count the cards."),
    "no-countdown": mark("The twice-around is not running in hand %(hand)s."),
    "game-suspended": mark("The game is suspended: resume it first."),
    "game-finished": mark("The game is finished. Earlier hands can be corrected on the score sheet."),
    "game-void": mark("The game is void and counts nowhere."),
    "reason-needed": mark("Hand %(hand)s is closed: say why its score changes."),
    "merge-other": mark("%(player)s can only be put together with another player of this league."),
    "merge-again": mark("%(player)s, or the other one, stands under another player already: part those two first."),
    "merge-one-game": mark("%(player)s and %(other)s sit in one game together, so they are two people."),
    "merge-two-accounts": mark("%(player)s and %(other)s have two accounts: take one of them away first."),
    "entry-changed": mark("%(seat)s has counted again meanwhile: look at the new count first."),
    "entry-of-the-scorer": mark("Whoever keeps the score entered this for %(seat)s: say so at the table."),
    "disputed": mark("Hand %(hand)s cannot close: the count of %(seats)s is disputed."),
    "not-accepted": mark("Hand %(hand)s cannot close: the neighbour has not accepted the count of %(seats)s yet."),
    "nothing-entered": mark("Nothing was entered for %(seat)s."),
    "holes": mark("Hand %(hand)s cannot close: still open for %(seats)s."),
    "replay-needed": mark(
        "Hand %(hand)s must be played again: fewer than two others gave a score, so nothing adds up (house.missing.replay)."
    ),
    "replay-closed": mark(
        "This would leave hand %(hand)s with fewer than two scores given: it would be played again (house.missing.replay)."
    ),
    "suspend-mid-hand": mark("A game is suspended between hands only: finish hand %(hand)s first (house.suspend.between-hands)."),
    "suspend-consent": mark("A game is suspended by consent of all: %(seats)s has not agreed (house.suspend.between-hands)."),
    "not-suspended": mark("The game is not suspended."),
    "resume-wait": mark("Everybody who was playing must be there to go on (house.resume.all-present)."),
    "resume-reseat": mark("Sit in the same order round the table as before, from whichever seat you start (house.resume.seats)."),
    "resume-void": mark("The game started in another calendar year and cannot be resumed: it is void (house.resume.same-year)."),
    "points-unreadable": mark("“%(typed)s” is no number of points; write 25, or a sum such as 10+15."),
    "points-out-of-range": mark("“%(typed)s” is more than any hand can hold (%(most)s points)."),
    "cards-unreadable": mark("The cards cannot be read: %(detail)s."),
    "cards-too-many": mark("%(count)s cards are more than any hand can hold; at most %(most)s are read."),
    "cards-none": mark("No cards are entered. If nothing was left in the hand, choose “went out”."),
    "out-with-points": mark("Who went out has no cards left and scores 0; “%(typed)s” was entered."),
    "none-with-points": mark("“Gave no score” has no points; “%(typed)s” was entered."),
    "absent-with-points": mark("“Did not play” has no points; “%(typed)s” was entered."),
    "kind-unknown": mark("Choose what was handed in: cards, points, went out, no score, or did not play."),
    "number-unreadable": mark("“%(typed)s” is not a whole number from %(least)s to %(most)s."),
    "text-unreadable": mark("That can't be kept: it is longer than %(most)s characters, or holds signs that are no text."),
    "action-unknown": mark("There is no action “%(typed)s”."),
    "stale": mark("Somebody was quicker: the table has moved on. This is how it stands now; nothing was counted twice."),
    "number-taken": mark("This form was sent before, for something else. Nothing was changed; try again."),
    "undo-gone": mark("That has been taken back already, or was never done."),
    "undo-leaned-on": mark("That cannot be taken back alone: what came after leans on it. Undo the later steps first."),
    "payouts-count": mark("The payouts of this rule sheet are for %(wanted)s players; %(count)s are seated."),
    "join-mid-hand": mark("Somebody new joins between hands only: finish hand %(hand)s first."),
    "late-refused": mark("In the season %(season)s nobody joins after the first hand."),
    "player-unknown": mark("There is no such player in this league."),
    "role-unknown": mark("Choose what the player is here: a player of the league, a guest or a substitute."),
    "substitute-for-present": mark("A substitute sits for somebody who is not at the table."),
    "substitute-twice": mark("Somebody else sits here for the same player."),
    "no-money": mark("No pennies are played for under this rule sheet."),
    "claims-not-counted": mark("Claims are counted only in hands that limit them."),
    "claims-used-up": mark("%(seat)s may claim no more in hand %(hand)s: %(most)s at most."),
    "buys-used-up": mark("%(seat)s may buy no more in hand %(hand)s: %(most)s at most (fifteen.buy.count)."),
    "strike-reason": mark("Say why the game is struck from the books."),
    "season-direction": mark(
        "The games of the season %(season)s are won the other way round: the lowest and the highest total don't mix in one table."
    ),
    "season-name": mark("Give the season a name of at most %(most)s letters."),
    "season-name-taken": mark("There is a season called %(season)s already."),
    "season-dates": mark("The last day is before the first."),
    "season-overlap": mark(
        "These dates overlap those of the season %(season)s (%(starts)s to %(ends)s): every day has one season."
    ),
    "season-closed": mark("The season %(season)s is closed and stays as it is."),
    "season-begun": mark(
        "The season %(season)s has begun: how it is counted was agreed before its first game and stays. "
        "Make the next season with other terms."
    ),
    "season-games-outside": mark("Games of this season were played from %(first)s to %(last)s: they must stay inside its dates."),
    "season-not-over": mark("The season %(season)s runs until %(ends)s and can be closed from the day after on."),
    "season-running": mark("Games of the season %(season)s are being played (%(count)s): finish or end them first."),
    "clash": mark("Two entries for %(seat)s differ: %(standing)s stands on the sheet, %(offered)s was entered here."),
} | ruling_words.REFUSALS


def refusal(code: str, params: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Say what stands against an action.

    Args:
        names: the players' names by seat; parameters that are seats are shown by them.
    """
    values = {key: str(value) for key, value in params.items()}
    if "detail" in values:
        values["detail"] = reasons.say_within(values["detail"])
    for key in ("seat", "seats"):
        if key in params:
            seats = params[key] if isinstance(params[key], list) else [params[key]]
            values[key] = join([_name(names, seat) for seat in seats])
    if code == "players-count":
        most = params.get("most")
        values["range"] = f"{params['least']}–{most}" if most else _("%(least)s or more") % params
    if code == "last-player":
        values["game"] = _("A game")
    return _(REFUSALS[code]) % values


def join(words: Sequence[str]) -> str:
    """Join names as a sentence lists them: Ana, Ben and Cai."""
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}


def _name(names: Sequence[str], seat: object) -> str:
    """Name a seat; the name is isolated, so that one written from right to left leaves the sentence round it in order."""
    if isinstance(seat, int) and 0 <= seat < len(names):
        return f"\u2068{names[seat]}\u2069"
    return _("seat %(number)s") % {"number": seat}


# ---------------------------------------------------------------------------------------------------------------------
# Contracts in words


def contract_words(contract: Contract | None) -> str:
    """Say what a contract asks for: “2 sets + 1 run”, “1 run of 7”."""
    if contract is None:
        return _("any melds")
    parts: list[str] = []
    seen: list[Slot] = []
    for slot in contract.slots:
        if slot in seen:
            continue
        seen.append(slot)
        count = contract.slots.count(slot)
        words = {
            "set": ngettext("%(count)s set", "%(count)s sets", count),
            "run": ngettext("%(count)s run", "%(count)s runs", count),
            "pair": ngettext("%(count)s pair", "%(count)s pairs", count),
        }[slot.kind] % {"count": count}
        parts.append(words if slot.size is None else _("%(melds)s of %(size)s") % {"melds": words, "size": slot.size})
    return " + ".join(parts)


# ---------------------------------------------------------------------------------------------------------------------
# What an event did


def faces(cards: Iterable[str]) -> str:
    """Write several cards."""
    return " ".join(map(face, cards))


def entry_words(entry: EntryState) -> str:
    """Say what was handed in: “35 points”, “went out”, “gave no score”."""
    match entry.kind:
        case "out":
            return _("went out")
        case "none":
            return _("gave no score")
        case "absent":
            return _("did not play")
    words = ngettext("%(count)s point", "%(count)s points", entry.points or 0) % {"count": entry.points}
    if entry.kind == "cards" and entry.cards:
        words = f"{words} ({faces(entry.cards.split())})"
    elif "+" in entry.parts or "-" in entry.parts[1:]:
        words = f"{words} ({entry.parts})"
    if entry.missing:
        words += ", " + ngettext("%(count)s card short", "%(count)s cards short", entry.missing) % {"count": entry.missing}
    return words


def event_words(event: Logged, names: Sequence[str], entry: EntryState | None = None, target: str = "") -> str:
    """Say what an event did, in a phrase that fits a history and an undo button.

    Args:
        entry: what a count event entered.
        target: for an undo, the phrase of what it takes back.
    """
    data = event.data
    params: dict[str, Any] = {"hand": data.get("hand", ""), "seat": _name(names, _as_seat(data.get("seat")))}
    match event.kind:
        case "start":
            return _("The game starts; %(dealer)s deals first") % {"dealer": _name(names, data["first_dealer"])}
        case "opened" if data.get("on", True):
            return _("%(seat)s has gone down") % params
        case "opened":
            return _("%(seat)s has not gone down after all") % params
        case "stock":
            return _("The stock ran out in hand %(hand)s") % params
        case "turn":
            return _("A turn of the twice-around in hand %(hand)s") % params
        case "count":
            what = entry_words(entry) if entry else _("count entered")
            return _("Hand %(hand)s, %(seat)s: %(what)s") % {**params, "what": what}
        case "clash":
            what = entry_words(entry) if entry else _("another count entered")
            return _("Hand %(hand)s, %(seat)s: a second phone says %(what)s") % {**params, "what": what}
        case "clear":
            return _("Hand %(hand)s, %(seat)s: entry removed") % params
        case "accept":
            return _("Hand %(hand)s, %(seat)s: count accepted") % params
        case "object":
            return _("Hand %(hand)s, %(seat)s: count disputed") % params
        case "close":
            return _("Hand %(hand)s is closed") % params
        case "restart":
            return _("Hand %(hand)s is dealt again") % params
        case "leave":
            return _("%(seat)s leaves the table") % params
        case "return":
            return _("%(seat)s is back at the table") % params
        case "suspend":
            return _("The game is suspended")
        case "resume":
            return _("The game goes on")
        case "finish":
            return _("The game is ended before its last hand")
        case "join":
            return _("%(seat)s joins the table") % {"seat": _name(names, _as_seat(data.get("as_seat")))}
        case "role":
            role = {"player": _("a player of the league"), "guest": _("a guest"), "substitute": _("a substitute")}[data["role"]]
            return _("%(seat)s sits here as %(role)s") % {**params, "role": role}
        case "bonus" if data.get("on", True):
            return _("Hand %(hand)s: %(seat)s earns a bonus (%(what)s)") % {**params, "what": sheet_words.LABELS[data["what"]]}
        case "bonus":
            return _("Hand %(hand)s: %(seat)s has not earned the bonus after all") % params
        case "buy":
            return _("Hand %(hand)s: %(seat)s buys the discard") % params
        case "claim":
            return _("Hand %(hand)s: %(seat)s claims the discard") % params
        case "strike":
            return _("The game is struck from the books")
        case "undo":
            return _("Taken back: %(what)s") % {"what": target}
    told = ruling_words.event_words(event, params, entry_words(entry) if entry else "")
    assert told is not None, event.kind
    return told


def _as_seat(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


# ---------------------------------------------------------------------------------------------------------------------
# Marks on the score sheet, each with the rule behind it

MARKS: Final[dict[str, tuple[str, Any]]] = {
    "substituted": (
        "house.missing.hand",
        gettext_lazy("gave no score: the two highest scores of the others in this hand, added up"),
    ),
    "cards-short": ("house.hand.end-too-few", gettext_lazy("short of cards: the charge for them is in the points")),
    "absent": ("R-67", gettext_lazy("did not play this hand")),
    "amended": ("house.error.agreed", gettext_lazy("corrected after the hand was closed")),
    "total-substituted": (
        "house.nonfinish.total",
        gettext_lazy("did not play every hand to its end: the two highest complete totals of the others, added up"),
    ),
    "void": ("house.nonfinish.void", gettext_lazy("fewer than two players have a complete total: the game counts nowhere")),
    "year": (
        "house.resume.same-year",
        gettext_lazy("not resumed in the calendar year in which it started: nobody finished, so the game counts nowhere"),
    ),
    "struck": ("R-72", gettext_lazy("struck from the books: it stays to be read, and counts nowhere")),
    "short": ("R-78", gettext_lazy("ended before the last hand: nobody has a complete total, so the game counts nowhere")),
}

SHORT_NIGHT: Final = gettext_lazy("ended before the last hand: by the season's policy the hands played count")

ENDED: Final[dict[str, tuple[str, Any]]] = {
    "out": ("house.score.count", gettext_lazy("A player is out: everybody else counts the cards left in hand.")),
    "stock": ("house.stock.second", gettext_lazy("The stock ran out a second time: the hand ends, and everybody counts.")),
    "twice-around": ("house.score.count", gettext_lazy("The twice-around is used up: the hand ends, and everybody counts.")),
}


def question(asked: AuditQuestion, names: Sequence[str]) -> str:
    """Ask the table what the audit of a hand found odd, and about whom."""
    sentence = _(SCORES[asked.code]).format(**asked.params)
    if not asked.seats or len(asked.seats) == len(names):
        return sentence
    return _("%(players)s: %(question)s") % {"players": join([_name(names, seat) for seat in asked.seats]), "question": sentence}
