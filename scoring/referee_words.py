"""The referee's sentences in the reader's language, with cards as people write them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as mark

from continental.rules import wording
from continental.rules.audit import AuditQuestion
from continental.rules.contracts import Contract
from continental.rules.faults import Fault
from scoring import messages
from scoring.sheet_words import face


def ask(question: AuditQuestion, names: Sequence[str]) -> str:
    """Ask the table what the deck audit found odd."""
    params = dict(question.params)
    if isinstance(params.get("card"), str):
        params["card"] = face(str(params["card"]))
    return messages.question(replace(question, params=params), names)


def say(fault: Fault) -> str:
    """Say what is wrong with a play."""
    params: dict[str, Any] = dict(fault.params)
    for name in ("card", "rank"):
        if params.get(name):
            params[name] = face(params[name])
    if "contract" in params:
        params["contract"] = messages.contract_words(Contract.parse(str(params["contract"])))
    return wording.say(fault._replace(cards=tuple(map(face, fault.cards)), params=params), _)


TROUBLES: Final[dict[str, str]] = {
    "card": mark("“%(typed)s” is not a card. Cards are written 7H, 10♣ or JK, and JK=7H for a joker whose value was said."),
    "one-card": mark("One card belongs here, not %(count)s."),
    "spoken": mark("“%(typed)s” says a value, which means nothing here."),
    "many-cards": mark("%(count)s cards are more than any table holds; at most %(most)s are read."),
    "many-melds": mark("More melds than any table holds: at most %(most)s are read."),
    "long": mark("This address is too long to be a question: at most %(most)s characters are read."),
    "no-set": mark("These cards are no set that could lie on the table."),
    "no-run": mark("These cards are no run that could lie on the table."),
    "wild-unsaid": mark("Say what the wild cards on the table stand for: JK=7H."),
    "too-large": mark("These cards can be laid in more ways than are searched. Leave some of the wild cards out."),
    "packs": mark("The packs of %(players)s players do not hold %(card)s that often: check the cards."),
    "not-ready": mark("These rules still lack their hands: a league fills them in on a rule sheet of its own."),
    "unread": mark("This question cannot be read: %(detail)s."),
}


def trouble(code: str, **params: Any) -> str:
    """Say why a question cannot be asked so."""
    return _(TROUBLES[code]) % params
