"""What a phone reminds its player of: dealing, playing first, counting, accepting, and who may claim the discard."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from continental.rules.parameters import HandRule, RuleSet
from scoring import acceptance, messages
from scoring.load import Table


def own(table: Table) -> str:
    """Say what the viewer's own seat should do now; empty where there is nothing, or no seat."""
    seat, state, hand = table.viewer.seat, table.state, table.hand
    if seat is None or seat in state.away or state.status != "playing" or hand.closed:
        return ""
    offered, _disputed = acceptance.waiting_seats(state)
    for other in offered:
        if other != seat and state.left_of(other) == seat:
            return _("Look at %(player)s’s cards and accept the count.") % {"player": table.names[other]}
    if state.ended_by:
        return "" if seat in hand.entries else _("Count your cards.")
    countdown = state.countdown
    if countdown is not None:
        return _("It is your turn in the twice-around.") if countdown.next_seat == seat else ""
    if not state.untouched:
        return ""
    if seat == hand.dealer:
        cards = table.deal.cards_each
        return ngettext("You deal: %(count)d card each.", "You deal: %(count)d cards each.", cards) % {"count": cards}
    return _("You play first.") if seat == state.left_of(hand.dealer) else ""


def claims(table: Table) -> str:
    """Say who may claim the discard out of turn, and for how many penalty cards; nothing while no discard can be claimed."""
    rule, rules, state = table.hand_rule, table.rules, table.state
    if state.status != "playing" or state.ended_by or rule.claims == 0:
        return ""
    said = [_who_claims(rule, rules)]
    if not rules.claims_after_opening:
        said.append(_("Who is down claims no more."))
    return " ".join(said)


def _who_claims(rule: HandRule, rules: RuleSet) -> str:
    who = {
        "nearest-left": _("of several the next in order of play gets it"),
        "first-caller": _("of several the first to call gets it"),
        "current-then-nearest": _("the player in turn goes first, then the next in order of play"),
    }[rules.claim_priority]
    price = ngettext("%(count)d penalty card", "%(count)d penalty cards", rule.penalty) % {"count": rule.penalty}
    if rule.claims is None:
        return _("Anyone may claim the discard, for %(price)s; %(who)s.") % {"price": price, "who": who}
    return ngettext(
        "Anyone may claim the discard %(count)d time, for %(price)s; %(who)s.",
        "Anyone may claim the discard %(count)d times, for %(price)s; %(who)s.",
        rule.claims,
    ) % {"count": rule.claims, "price": price, "who": who}


def result(table: Table) -> str:
    """Say what the last closed hand brought and how it stands, to be read out."""
    closed = [hand for hand in table.state.hands if hand.closed]
    if not closed:
        return ""
    hand = closed[-1]
    scores = [
        _("%(player)s %(points)s")
        % {"player": table.names[seat], "points": _("nothing") if score.points is None else score.points}
        for seat, score in enumerate(hand.posted)
    ]
    words = _("Hand %(number)s: %(scores)s.") % {"number": hand.number, "scores": ", ".join(scores)}
    leaders = messages.join([table.names[seat] for seat in table.leaders])
    if not leaders:
        return words
    return f"{words} " + (_("%(names)s wins.") if table.over else _("%(names)s leads.")) % {"names": leaders}
