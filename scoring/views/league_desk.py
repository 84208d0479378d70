"""What a league adds to the pages of a game: who may join, guests and substitutes, pennies, striking a game out."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from continental.rules import money
from players.models import Player
from scoring import bonuses, messages, method_words, record, record_league, sheet_words
from scoring.load import Table
from scoring.models import Seat, Signature
from scoring.policies import LATE_JOINERS, Policies
from scoring.state import Bonus


def for_table(table: Table) -> dict[str, Any]:
    """Give the table its penny buys where any are played for, or its claims where the hand limits them."""
    rules, hand, most = table.rules, table.hand, table.hand_rule.claims
    taken = [hand.buys.count(seat) for seat in table.state.seats]
    takers = [
        {"seat": seat, "name": table.names[seat], "count": taken[seat]}
        for seat in table.state.present
        if most is None or taken[seat] < most
    ]
    return {
        "bonuses": for_bonuses(table),
        "buys": takers if rules.buy_cost else None,
        "claimers": takers if table.state.counts_claims else None,
        "next_buy": len(hand.buys) + 1,
        "most_buys": most,
        "kitty": sum(len(other.buys) for other in table.state.hands) * rules.buy_cost,
    }


def for_bonuses(table: Table) -> list[dict[str, Any]]:
    """Give the bonuses of the sheet that can be tapped in this hand."""
    return [
        {
            "what": offer.what,
            "label": sheet_words.LABELS[offer.what],
            "points": offer.points,
            "seats": [(seat, table.names[seat]) for seat in offer.seats],
            "has": offer.has,
            "has_name": table.names[offer.has] if offer.has is not None else "",
        }
        for offer in bonuses.offered(table.state)
    ]


def extra_lines(table: Table) -> list[dict[str, Any]]:
    """Give the score sheet the points beside the hands: what late joiners got, and the bonuses of the sheet."""
    state = table.state
    late = [(_missed_words(state.joined[seat] - 1), seat, state.caught_up(seat)) for seat in state.late]
    earned = [(_bonus_words(bonus), bonus.seat, bonus.points) for bonus in state.bonuses]
    return [
        {"words": words, "points": points, "cells": [seat == other for other in state.seats]}
        for words, seat, points in late + earned
    ]


def _bonus_words(bonus: Bonus) -> str:
    return _("Hand %(number)s: %(what)s") % {"number": bonus.hand, "what": sheet_words.LABELS[bonus.what]}


def _missed_words(missed: int) -> str:
    return ngettext("hand 1, joined late", "hands 1–%(missed)s, joined late", missed) % {"missed": missed}


def for_manage(table: Table) -> dict[str, Any]:
    """Give the people who may join, in what part everybody sits here, and who has signed the rules: three queries."""
    state = table.state
    people = list(Player.objects.filter(league=table.game.league_id, hidden=False).exclude(pk__in=state.players))
    full = table.rules.players_max is not None and len(state.players) >= table.rules.players_max
    late = any(hand.closed for hand in state.hands)
    agreed = Policies.read(table.game.season.policies)
    signed = set(Signature.objects.filter(sheet=table.game.sheet_id).values_list("player", flat=True))
    refused = late and agreed.late_joiners == "refused"
    roles = [state.roles.get(seat, ("player", None)) for seat in state.seats]
    return {
        "may_join": [] if full or refused or not state.untouched or table.rules.payouts else people,
        "absent": people,
        "parts": [
            {"seat": seat, "name": table.names[seat], "role": role, "stands_for": stands_for}
            for seat, (role, stands_for) in enumerate(roles)
        ],
        "roles": Seat.Role.choices,
        "signed": [player for player in table.players if player.pk in signed],
        "unsigned": [player for player in table.players if player.pk not in signed],
        "late": late,
        "late_terms": str(LATE_JOINERS[agreed.late_joiners]),
        "late_refused": refused,
        "short_nights": method_words.short_nights(agreed),
        "counts_now": (
            agreed.least_hands is not None
            and sum(hand.closed for hand in state.hands) >= agreed.least_hands
            and not record_league.has_lapsed(table.game, record.today(table.game.league))
        ),
    }


def for_sheet(table: Table) -> dict[str, Any]:
    """Give the score sheet its pennies, and the word for a night that was cut short and counts all the same."""
    state = table.state
    notes: dict[str, Any] = {"purses": None, "short_night": "", "parts_note": _parts(table)}
    if state.status == "finished" and state.ended_early == "short":
        notes["short_night"] = _short_words(table)
    if money.plays_for_money(table.rules) and table.over:
        notes["purses"] = list(zip(table.names, record_league.settle(state), strict=True))
        notes["kitty"] = sum(purse.paid for _name, purse in notes["purses"])
    return notes


def _short_words(table: Table) -> str:
    """Say of a short night that counts how it does."""
    words = str(messages.SHORT_NIGHT)
    played, hands = record_league.scaling(table.state, Policies.read(table.game.season.policies))
    if played != hands:
        said = {"hands": hands, "played": played}
        words += ". " + _("The season's table counts these totals × %(hands)s ÷ %(played)s, as of a full game") % said
    return words


def _parts(table: Table) -> list[str]:
    words = {"guest": _("%(name)s sat here as a guest"), "substitute": _("%(name)s sat here as a substitute")}
    said = [
        words[role] % {"name": f"\u2068{table.names[seat]}\u2069"}
        for seat, (role, _for) in sorted(table.state.roles.items())
        if role in words
    ]
    joined = [
        _("%(name)s joined in hand %(hand)s") % {"name": f"\u2068{table.names[seat]}\u2069", "hand": hand}
        for seat, hand in sorted(table.state.joined.items())
    ]
    return [*said, *joined]
