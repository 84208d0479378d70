"""``ask: turn`` of the referee protocol: may this be played, why not, what instead, and what if it is found later."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from continental.rules.cards import JOKER
from continental.rules.citing import cite
from continental.rules.faults import Fault
from continental.rules.notation import sort_cards
from continental.rules.remedies import remedies
from continental.rules.takebacks import without_taken_back
from continental.rules.turn import Note, cards_of, play
from continental.rules.turn_question import Lying, TurnQuestion, read_turn
from continental.rules.wording import say

_Say = Callable[[Fault], str]


def answer_turn(question: Mapping[str, Any], say: _Say = say) -> dict[str, Any]:
    """Answer a question ``ask: turn`` of the referee protocol.

    Args:
        question: the question.
        say: puts a fault into words; by default the protocol's own, in English.

    Raises:
        BadQuestion: the question cannot be read.
    """
    asked = read_turn(question)
    wrong_pack = list(_impossible(asked))
    if wrong_pack:
        table = [_shown(lying) for lying in asked.table]
        reasons = [_reason(asked, Note(None, None, fault), say) for fault in wrong_pack]
        return _answer("impossible", reasons, table)
    played = play(asked)
    verdict = played.verdict
    notes = played.faults if verdict == "illegal" else played.questions
    result = _answer(verdict, [_reason(asked, note, say) for note in notes], [_shown(lying) for lying in played.table.values()])
    if verdict == "unclear":
        result["question"] = " ".join(say(note.fault) for note in played.questions)
    if verdict == "illegal":
        result["instead"], result["if_found_later"] = remedies(asked, played, say)
    if played.held is not None:
        out = verdict == "legal" and not played.left and not asked.claimed
        first_down = verdict == "legal" and asked.hand.ends_game and played.opened_now
        result |= {"goes_out": out, "ends_game": first_down or (out and asked.last_hand), "held": played.left}
    return result


def _answer(verdict: str, reasons: list[dict[str, Any]], melds: list[dict[str, Any]]) -> dict[str, Any]:
    return {"verdict": verdict, "reasons": reasons, "melds": melds, "instead": None, "if_found_later": None}


def _reason(asked: TurnQuestion, note: Note, say: _Say) -> dict[str, Any]:
    return {
        "rule": cite(asked.rules.id, note.fault.concept)[0],
        "text": say(note.fault),
        "action": note.action,
        "meld": note.meld,
        "cards": list(note.fault.cards),
    }


def _shown(lying: Lying) -> dict[str, Any]:
    meld = lying.meld
    shown: dict[str, Any] = {"id": lying.id, "owner": lying.owner, "kind": None, "cards": None, "as": None}
    if meld is not None:
        shown |= {"kind": meld.kind, "cards": " ".join(meld.cards), "as": list(meld.values)}
    return shown


def _impossible(asked: TurnQuestion) -> Iterator[Fault]:
    """Find cards of which more appear than the packs hold (R-17): on the table, held, and laid where no hand is given."""
    played = [card for action in without_taken_back(asked.actions)[0] for card in cards_of(action)]
    seen = Counter(played if asked.held is None else asked.held)
    if asked.held is not None:
        for card, count in Counter(played).items():
            seen[card] = max(seen[card], count)
    for lying in asked.table:
        for card in lying.meld.cards if lying.meld else ():
            seen[card] += 1
    decks = asked.rules.deck_count(asked.players)
    jokers = asked.rules.joker_count(asked.players)
    if seen[JOKER] > jokers:
        code = {0: "pack.no-joker", 1: "pack.one-joker"}.get(jokers, "pack.jokers")
        yield Fault("pack.jokers-copies", code, (JOKER,), {"count": seen[JOKER], "jokers": jokers})
    for card in sort_cards([card for card, count in seen.items() if count > decks and card != JOKER]):
        code = "pack.one-copy" if decks == 1 else "pack.copies"
        yield Fault("pack.copies", code, (card,), {"count": seen[card], "decks": decks})
