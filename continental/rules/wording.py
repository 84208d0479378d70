"""The English sentence of every code the rules give, as data.

The rules answer in codes and parameters. The referee protocol's ``text`` is the sentence with its ``{named}`` places filled;
the site translates the sentence first and fills it afterwards.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from continental.rules.cards import SUITS
from continental.rules.faults import Fault


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for translation without translating it."""
    return sentence


_ = gettext_noop

SENTENCES: Final[Mapping[str, str]] = MappingProxyType({
    # One meld
    "set.mixed": _("A set is cards of one rank: {cards} is not of rank {rank}."),
    "set.spoken": _("The value spoken for {cards} does not belong in this set."),
    "set.short": _("This set needs at least {least} cards and has {size}."),
    "set.max": _("A set may hold at most {most} cards and this one has {size}."),
    "set.suits": _("A set laid when going down may hold each suit only once."),
    "set.naturals": _("A set needs at least {least} natural cards and this one has {naturals}."),
    "pair.short": _("A pair is two cards of one rank."),
    "run.suit": _("A run is cards of one suit: {cards} is not a {suit}."),
    "run.twice": _("A run holds each card once: {cards} stands in it twice."),
    "run.gap": _("The cards do not follow each other: {cards} is no run."),
    "run.short": _("This run needs at least {least} cards and has {size}."),
    "run.max": _("A run holds at most {most} cards and this one would have {size}."),
    "run.ace": _("The ace may not stand there: {cards} goes beyond the end of a run."),
    "run.two-aces": _("An ace stands at one end of a run, never at both."),
    "run.off-ladder": _("There is no place for {cards} beyond the end of a run."),
    "run.wild-misplaced": _("As laid {cards} stands for a card that does not belong there; its place is its value."),
    "meld.exact": _("Exactly {least} cards are wanted in this meld when going down, and it has {size}."),
    "superfluous": _("The meld is right without {cards}, which goes back to the hand."),
    "wild.only": _("{cards} is not wild and stands only for itself."),
    "wild.all": _("A meld may not be made of wild cards alone."),
    "wild.trio": _("Only wild cards may be added to a set of wild cards."),
    "wild.ratio": _("Wild cards may not outnumber natural cards: {wilds} to {naturals}."),
    "wild.limit": _("A meld may hold at most {most} wild cards and this one has {wilds}."),
    "wild.adjacent": _("Two wild cards may not stand side by side in a run."),
    # Melds beside each other
    "open.contract": _("The contract of this hand is {contract}, laid down in one turn."),
    "open.extra-meld": _("The contract does not ask for {cards}: no meld more may be laid."),
    "open.again": _("Who has gone down does not go down again."),
    "open.new-meld": _("After going down no new meld may be laid."),
    "open.before-any": _("Before going down nothing may be put into play."),
    "runs.touching": _("Two runs of one suit may not touch end to end when going down."),
    "runs.same-suit": _("Two runs of one suit may not be laid when going down."),
    "sets.same-rank": _("Two sets must be of different ranks, and both are of rank {rank}."),
    # Laying off
    "layoff.rank": _("{cards} does not belong to a set of rank {rank}."),
    "layoff.gap": _("{cards} does not follow on either end of the run."),
    "layoff.end": _("{cards} does not fit at that end of the run."),
    "layoff.own-meld": _("In the turn of going down only the melds of others may be added to."),
    "layoff.later-turn": _("Laying off starts in a later turn than going down."),
    "layoff.others": _("Only the melds of others may be added to."),
    "layoff.gone": _("That meld was taken back: there is nothing to lay {cards} on."),
    "layoff.none": _("Nothing may be laid off."),
    # Swapping
    "swap.not-run": _("A wild card in a run may not be replaced under these rules."),
    "swap.not-set": _("A wild card in a set may not be replaced."),
    "swap.no-wild": _("There is no wild card in that meld that stands for {cards}."),
    "swap.kept": _("The freed wild card must be played to the table in the same turn, not kept."),
    "swap.discarded": _("The freed wild card must be played to the table, not discarded."),
    "swap.target-another": _("The freed wild card must go to another meld."),
    "swap.target-own-run": _("The freed wild card must go to a run of the same player."),
    "swap.target-same-run": _("The freed wild card must stay in its run."),
    # Turn, discard, going out
    "takeback.earlier": _("Only cards of this turn may be taken back."),
    "takeback.not-laid": _("{cards} was not laid in this turn."),
    "takeback.late": _("After the discard nothing can be taken back."),
    "claim.no-play": _("Who claimed the discard may lay nothing until the next own turn."),
    "claim.no-discard": _("Who claims the discard out of turn does not discard."),
    "turn.after-discard": _("The turn ended with the discard."),
    "turn.no-discard": _("A turn ends with one discard."),
    "out.no-discard": _("The last card must be discarded: keep one back."),
    "out.two-cards": _("The last two cards must both be played; nobody goes out by discarding."),
    "discard.playable": _("{cards} could be played, so it may not be discarded."),
    "discard.just-taken": _("{cards} was just taken from the discards and may not go back in the same turn."),
    "final.left": _("Every card must be in the runs laid, with one discard: {cards} is left over."),
    "final.left-whole": _("Every card must be melded: {cards} is left over."),
    "final.nothing-left": _("One card must be left to discard."),
    "final.no-layoff": _("In this hand nothing is laid off and no wild card swapped."),
    "final.no-discard": _("This hand is melded whole, without a discard."),
    "final.must-go-out": _("Who goes down in this hand must go out in the same turn: {cards} is left over."),
    "final.over": _("The first player to go down ended the hand."),
    "entry.not-held": _("{cards} is not in the hand."),
    # The packs
    "pack.copies": _("{cards} appears {count} times, and {decks} packs hold it {decks} times: check the entry."),
    "pack.one-copy": _("{cards} appears {count} times, and the one pack holds it once: check the entry."),
    "pack.one-joker": _("{count} jokers appear, and the pack holds one: check the entry."),
    "pack.no-joker": _("A joker appears, and this game is played without jokers: check the entry."),
    "pack.jokers": _("{count} jokers appear, and the packs hold {jokers}: check the entry."),
    # Questions
    "ask.kind": _("{cards} can be a set or a run: which is it?"),
    "ask.set-rank": _("{cards} is made of wild cards alone: of which rank is the set?"),
    "ask.run-place": _("{cards} is made of wild cards alone: which suit, and which is the lowest card?"),
    "ask.spoken-again": _("{cards} cannot be what was said: what does it stand for?"),
    "ask.end": _("{cards} fits at both ends of the run: low or high?"),
    "ask.places": _("{cards} can be placed in more than one way: what does each wild card stand for?"),
    # What would be right
    "instead.all": _("All cards laid can lie so."),
    "instead.most": _("At most {used} of the {laid} cards laid can lie so."),
})  # fmt: skip
"""The sentence of every code of melds, openings and turns."""

_SUIT_NAMES: Final = dict(zip(SUITS, (_("spade"), _("heart"), _("diamond"), _("club")), strict=True))


def say(fault: Fault, translate: Callable[[str], str] = gettext_noop) -> str:
    """Give the sentence of a fault, its places filled; in English unless ``translate`` says it otherwise."""
    params: dict[str, object] = {"cards": " ".join(fault.cards), **fault.params}
    suit = params.get("suit")
    if isinstance(suit, str) and suit in _SUIT_NAMES:
        params["suit"] = translate(_SUIT_NAMES[suit])
    return translate(SENTENCES[fault.code]).format_map(params)
