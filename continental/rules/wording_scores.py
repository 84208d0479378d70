"""The English sentence of every reason about counts, scores, totals and suspension: data, with ``{named}`` parameters."""

from typing import Final


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for translation; it is translated where it is shown."""
    return sentence


_ = gettext_noop

SCORES: Final[dict[str, str]] = {
    "score.count": _("The cards left in the hand count against their player."),
    "score.missing-cards": _("{missing} missing cards at {each} points each."),
    "score.substitute": _("No score was given: it is the sum of the two highest scores of the others, {first} and {second}."),
    "score.substitute.zero": _("A zero is a score, and counts among the two highest."),
    "score.substitute.equal": _("Two equal scores are two scores."),
    "score.substitute.several": _("Each missing score gets the same sum; a substitute never feeds another."),
    "score.absent": _("Who did not play the hand gave no score and misses none."),
    "score.replay": _("Fewer than two scores were given, so the hand is replayed."),
    "total.substitute": _(
        "Not every hand was played to completion: the total is the sum of the two highest complete totals, {first} and {second}."
    ),
    "total.void": _("Somebody did not finish and there are not two complete totals: everything in this game is discarded."),
    "total.hand-substitute": _("A total with a substituted hand is complete all the same."),
    "place.shared": _("Equal totals share a place."),
    "place.hands-out": _("Equal totals are parted by the hands gone out."),
    "place.nonfinisher": _("Who did not finish is placed by the total posted, but cannot win."),
    "size.claims": _("A claim adds the discard and {penalty} penalty cards to the hand."),
    "size.returned": _("Cards returned from the table are held again."),
    "size.expected": _("Dealt, plus claims, less cards laid, plus cards returned; own turns draw one and discard one."),
    "resume.year": _("A suspended game goes on only in the calendar year in which it started: {started}."),
    "resume.void": _("Nobody finished it, so the game is void."),
    "resume.absent": _("All players must be there; absent: {names}."),
    "resume.strangers": _("Not in this game: {names}."),
    "resume.seats": _("The players must sit in the same relative positions: {names}."),
    "resume.rotated": _("Everybody has moved round together, which is the same seating."),
    "resume.dealer": _("The next dealer in rotation deals."),
    "resume.mid-hand": _("A game is suspended only between hands: the hand in which it stopped is dealt again."),
}
