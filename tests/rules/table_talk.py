"""Random questions for the referee: legal plays, and legal plays with one thing broken. Everything is seeded."""

from random import Random
from typing import Any

from continental.rules.cards import JOKER, NATURALS
from continental.rules.parameters import RuleSet
from continental.rules.rulesets import load, preset_ids

from .naive_referee import RANKS, SUITS, ladder

FIFTEEN = {"base": "fifteen", "hands": [{"contract": text, "deal": 12} for text in ("2S", "1S 1R", "1P 1S 1R", "2R", "1S 1R6")]}


def rule_sets() -> dict[str, Any]:
    """Every preset as a question names it; what its source lost is filled in."""
    return {name: FIFTEEN if name == "fifteen" else name for name in preset_ids()}


def a_set(rng: Random, rules: RuleSet, size: int) -> list[str]:
    rank = rng.choice(RANKS)
    wilds = [card for card in rules.wild if card == JOKER or card[0] != rank]
    cards = [rank + rng.choice(SUITS) for _ in range(size)]
    return spoil_with_wilds(rng, cards, wilds, [rank] * size)


def a_run(rng: Random, rules: RuleSet, size: int) -> list[str]:
    suit = rng.choice(SUITS)
    _, ranks = rng.choice(list(ladder(rules, size)))
    cards = [rank + suit for rank in ranks]
    laid = spoil_with_wilds(rng, cards, sorted(rules.wild), cards)
    if rng.random() < 0.2:
        laid.reverse()
    if laid == cards and rng.random() < 0.3:
        rng.shuffle(laid)
    return laid


def spoil_with_wilds(rng: Random, cards: list[str], wilds: list[str], values: list[str]) -> list[str]:
    laid = list(cards)
    for place in range(len(laid)):
        if wilds and rng.random() < 0.18:
            wild = JOKER if rng.random() < 0.7 and JOKER in wilds else rng.choice(sorted(wilds))
            laid[place] = f"{wild}={values[place]}" if rng.random() < 0.15 else wild
    return laid


def a_meld(rng: Random, rules: RuleSet, kind: str, least: int, exact: bool) -> list[str]:
    size = least + (0 if exact or kind == "pair" else rng.choice([0, 0, 0, 1, 1, 2]))
    return a_run(rng, rules, min(size, rules.max_run or size)) if kind == "run" else a_set(rng, rules, size)


def break_one_thing(rng: Random, melds: list[list[str]]) -> None:
    meld = rng.choice(melds)
    match rng.randrange(8):
        case 0:
            meld[rng.randrange(len(meld))] = rng.choice(NATURALS)
        case 1 if len(meld) > 1:
            meld.pop(rng.randrange(len(meld)))
        case 2:
            meld.insert(rng.randrange(len(meld) + 1), rng.choice([*NATURALS, JOKER, JOKER]))
        case 3:
            one, other = rng.randrange(len(meld)), rng.randrange(len(meld))
            meld[one], meld[other] = meld[other], meld[one]
        case 4:
            meld[rng.randrange(len(meld))] = JOKER
        case 5 if len(melds) > 1:
            melds.remove(meld)
        case 6:
            melds.append(list(meld))
        case _:
            other_meld = rng.choice(melds)
            if other_meld is not meld and len(other_meld) > 1:
                meld.append(other_meld.pop())
            else:
                rng.shuffle(meld)


def an_opening(rng: Random, name: Any) -> dict[str, Any]:
    """A question with one opening of the rule set, legal or nearly so, and nothing said of the hand held."""
    rules = load(name)
    number = rng.randint(1, len(rules.hands))
    hand = rules.hand(number)
    assert hand.contract is not None
    melds: list[list[str]] = []
    for slot in hand.contract.slots:
        if slot.kind == "run":
            melds.append(a_meld(rng, rules, "run", slot.size or hand.min_run, hand.exact_runs))
        else:
            least = slot.size or (2 if slot.kind == "pair" else rules.min_set)
            melds.append(a_meld(rng, rules, slot.kind, least, hand.exact_sets))
    rng.shuffle(melds)
    if rng.random() < 0.5:
        break_one_thing(rng, melds)
    actions = [{"do": "open", "melds": [" ".join(meld) for meld in melds]}]
    return {"ask": "turn", "rules": name, "players": rng.choice([4, 6]), "hand": number, "actions": actions}


def a_later_turn(rng: Random, name: Any) -> dict[str, Any]:
    """A question of a player who is down: lay-offs and swaps on a table of legal melds, some of them wrong."""
    rules = load(name)
    table = []
    for index in range(rng.randint(1, 3)):
        kind = rng.choice(["set", "run", "run"])
        cards = a_meld(rng, rules, kind, rules.min_set if kind == "set" else rules.min_run, False)
        while not says_what_it_is(cards, kind, rules):
            cards = a_meld(rng, rules, kind, rules.min_set if kind == "set" else rules.min_run, False)
        table.append({"id": f"t{index}", "owner": rng.choice("AB"), "kind": kind, "cards": " ".join(cards)})
    number = next(index for index, hand in enumerate(rules.hands, start=1) if not hand.all_cards and not hand.ends_game)
    return {
        "ask": "turn",
        "rules": name,
        "players": rng.choice([4, 6]),
        "hand": number,
        "table": table,
        "player": "B",
        "opened": ["A", "B"],
        "actions": [an_action(rng, table) for _ in range(rng.choice([1, 1, 1, 2]))],
    }


def says_what_it_is(cards: list[str], kind: str, rules: RuleSet) -> bool:
    """Tell whether a meld can be read as it lies: one card among wild cards is read rising, so it was not laid falling."""
    said = [card.partition("=")[2] or ("" if card in rules.wild else card) for card in cards]
    saying = [(index, card) for index, card in enumerate(said) if card]
    if kind == "set" or len(saying) != 1:
        return bool(saying)
    index, card = saying[0]
    starts = [place - index for place in range(14) if RANKS[place % 13] == card[0]]
    return rules.wrap or any(0 <= start <= 14 - len(cards) for start in starts)


def an_action(rng: Random, table: list[dict[str, Any]]) -> dict[str, Any]:
    target = rng.choice(table)
    cards = target["cards"].split()
    if (rng.random() < 0.3 and target["kind"] == "run") or rng.random() < 0.1:
        action = {"do": "swap", "meld": target["id"], "card": near(rng, cards), "wild_to": rng.choice(table)["id"]}
    else:
        count = rng.choice([1, 1, 1, 2, 3])
        laid = [JOKER if rng.random() < 0.25 else near(rng, cards) for _ in range(count)]
        action = {"do": "layoff", "meld": target["id"], "cards": " ".join(laid)}
    if rng.random() < 0.25:
        action["end"] = rng.choice(["low", "high"])
    return action


def near(rng: Random, cards: list[str]) -> str:
    """A card that has to do with a meld: of a rank in it, next to it, or one between."""
    card = rng.choice(cards)[:2]
    if card == JOKER:
        card = rng.choice([other[:2] for other in cards if other[:2] != JOKER] or ["7H"])
    suit = card[1] if rng.random() < 0.8 else rng.choice(SUITS)
    return RANKS[(RANKS.index(card[0]) + rng.choice([-2, -1, -1, 0, 1, 1, 2])) % 13] + suit
