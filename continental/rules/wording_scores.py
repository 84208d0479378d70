"""The English sentence of every reason about counts, scores, totals and suspension: data, with ``{named}`` parameters."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from continental.rules.wording import gettext_noop

_ = gettext_noop

SCORES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "score.count": _("The cards left in the hand count against their player."),
        "score.missing-cards": _("Cards missing: {missing}, at {each} points each."),
        "score.substitute": _("No score was given: it is the sum of the two highest scores of the others, {first} and {second}."),
        "score.substitute.zero": _("A zero is a score, and counts among the two highest."),
        "score.substitute.equal": _("Two equal scores are two scores."),
        "score.substitute.several": _("Each missing score gets the same sum; a substitute never feeds another."),
        "score.absent": _("Who did not play the hand gave no score and misses none."),
        "score.replay": _("Fewer than two scores were given, so the hand is replayed."),
        "total.substitute": _(
            "Not every hand was played: the total is the sum of the two highest complete totals, {first} and {second}."
        ),
        "total.void": _("Somebody did not finish and there are not two complete totals: everything in this game is discarded."),
        "total.hand-substitute": _("A total with a substituted hand is complete all the same."),
        "place.shared": _("Equal totals share a place."),
        "place.hands-out": _("Equal totals are parted by the hands gone out."),
        "place.nonfinisher": _("Who did not finish is placed by the total posted, but cannot win."),
        "size.claims": _("Each claim adds the discard to the hand, and penalty cards: {penalty}."),
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
        # What the deck audit asks: it never forbids
        "audit.jokers": _("The hands hold {count} jokers, and the packs only {most}: are they right?"),
        "audit.cards": _("The hands hold {card} {count} times, and the packs only {most} times: are they right?"),
        "audit.all-cards": _("The hands hold {count} cards, and the packs only {most}: are they right?"),
        "audit.jokers-laid": _(
            "The hands and the table hold {count} jokers, {laid} of them on the table, and the packs only {most}: are they right?"
        ),
        "audit.cards-laid": _(
            "The hands and the table hold {card} {count} times, {laid} of them on the table, and the packs only {most} times: "
            "are they right?"
        ),
        "audit.all-cards-laid": _(
            "The hands and the table hold {count} cards, {laid} of them on the table, and the packs only {most}: are they right?"
        ),
        "audit.all-points": _(
            "The scores add up to {points} points, and all cards that can be in the hands are worth only {most}: are they right?"
        ),
        "audit.hand-size": _("{count} cards are more than one hand can hold, which is {most}: is it right?"),
        "audit.points": _("No cards add up to {points} points under this sheet: is it right?"),
        "audit.nobody-out": _("Nobody has gone out: did the hand end without it?"),
        "audit.several-out": _("Only one player can go out, and {count} have no cards left: is it right?"),
        "audit.out-with-cards": _("Who went out has no cards left, and {points} points are entered: is it right?"),
        "audit.out-short": _("Who goes out and is found short takes back the cards of that turn, and play goes on."),
    }
)
