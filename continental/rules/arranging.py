"""The referee's answer to ``arrange``: can these cards go down at all, and what is the best play?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from continental.rules.cards import JOKER
from continental.rules.errors import BadQuestion
from continental.rules.notation import format_cards, parse_cards, sort_cards
from continental.rules.parameters import RuleSet
from continental.rules.reading import one_of, question_keys, read_hand_number, read_players, text
from continental.rules.rulesets import load
from continental.rules.solver import BestPlay, LaidMeld, LayOff, Swap, TooLarge, best_play, open_with_all
from continental.rules.turn_question import Lying, read_table

Answer = dict[str, Any]

MOST_CARDS: Final = 45
"""Most cards in a hand that is arranged: more than any deal with all its penalty cards."""

_TOO_LARGE: Final = "too large: these cards can be laid in more ways than are searched"


def answer_arrange(question: Mapping[str, Any]) -> Answer:
    """Answer ``arrange``.

    With ``use`` ``"all"`` every card must be in the opening: where the hand also asks for a discard, that card is not to be
    among ``cards``. With ``"best"`` the cards are all that is held after drawing; they go down if they can, and the cards
    laid off on ``table``, kept to discard and left over are those that leave the fewest points.

    Returns:
        ``possible``, ``melds``, ``layoffs``, ``swaps``, ``discard``, ``left``, ``points`` (of the cards left, the discard
        not among them; null where the league has yet to enter a card's points) and ``actions``: the whole turn as the
        question ``turn`` takes it.

    Raises:
        BadQuestion: what cannot be read, cards that the packs do not hold, or more than can be searched.
    """
    asked = question_keys(question, ("rules", "players", "hand", "cards", "use"), ("table",))
    rules = load(asked["rules"])
    players = read_players(asked)
    hand = rules.hand(read_hand_number(asked))
    cards = _read_cards(asked["cards"])
    use = one_of(asked["use"], "use", ("all", "best"))
    table = read_table(asked.get("table", []), rules)
    _check_packs(cards, table, rules, players)
    try:
        if use == "all":
            found = open_with_all(cards, rules, hand)
            play = BestPlay(False, (), (), None, tuple(sort_cards(cards)), _points(cards, rules))
            if found is not None:
                play = BestPlay(True, found.melds, (), None, (), 0)
        else:
            play = best_play(cards, rules, hand, table)
    except TooLarge:
        raise BadQuestion(_TOO_LARGE, "cards") from None
    return arranged(play, {lying.id for lying in table})


def _read_cards(value: object) -> tuple[str, ...]:
    cards = parse_cards(text(value, "cards", 100_000, least=0), "cards")
    if len(cards) > MOST_CARDS:
        raise BadQuestion(f"too large: {len(cards)} cards, at most {MOST_CARDS} are arranged", "cards")
    return cards


def _check_packs(cards: Sequence[str], table: Sequence[Lying], rules: RuleSet, players: int) -> None:
    """Refuse more copies of a card than the packs hold."""
    decks, jokers = rules.deck_count(players), rules.joker_count(players)
    seen = Counter(cards)
    for lying in table:
        seen.update(lying.meld.cards if lying.meld else ())
    for card, count in seen.items():
        most = jokers if card == JOKER else decks
        if count > most:
            raise BadQuestion(f"{card} is there {count} times, and the packs of {players} players hold it {most} times", "cards")


def _points(cards: Sequence[str], rules: RuleSet) -> int | None:
    values = [rules.value(card) for card in cards]
    return None if None in values else sum(value or 0 for value in values)


def arranged(play: BestPlay, taken: set[str]) -> Answer:
    """Write a play as the answer of the protocol; ``taken`` are the names that melds on the table have."""
    melds = []
    count = 0
    for meld in play.melds:
        count += 1
        while f"m{count}" in taken:
            count += 1
        melds.append(_meld(f"m{count}", meld))
    layoffs = [_layoff(step) for step in play.steps if isinstance(step, LayOff)]
    swaps = [_swap(step) for step in play.steps if isinstance(step, Swap)]
    actions: list[Answer] = [{"do": "open", "melds": [meld["cards"] for meld in melds]}] if melds else []
    actions += [
        {"do": "layoff", **_layoff(step)} if isinstance(step, LayOff) else {"do": "swap", **_swap(step)} for step in play.steps
    ]
    if play.discard is not None:
        actions.append({"do": "discard", "card": play.discard})
    return {
        "possible": play.possible,
        "melds": melds,
        "layoffs": layoffs,
        "swaps": swaps,
        "discard": play.discard,
        "left": list(play.left),
        "points": play.points,
        "actions": actions if play.possible or play.steps else [],
    }


def _meld(name: str, meld: LaidMeld) -> Answer:
    return {"id": name, "kind": meld.kind, "cards": format_cards(meld.cards), "as": list(meld.values)}


def _layoff(step: LayOff) -> Answer:
    layoff = {"meld": step.meld, "cards": format_cards(step.cards)}
    return {**layoff, "end": step.end} if step.end else layoff


def _swap(step: Swap) -> Answer:
    swap = {"meld": step.meld, "card": step.card, "wild_to": step.wild_to}
    return {**swap, "end": step.end} if step.end else swap
