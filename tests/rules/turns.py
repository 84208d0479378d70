"""Short ways to ask the referee about a turn."""

from typing import Any

from continental.rules.referee import answer

RUN = "4H 5H 6H 7H"
NINES = "9C 9D 9S"


def opening(*melds: str, rules: Any = "house", hand: int = 1, players: int = 4, **more: Any) -> dict[str, Any]:
    """Go down with these melds and nothing else."""
    return turn({"do": "open", "melds": list(melds)}, rules=rules, hand=hand, players=players, opened=[], **more)


def turn(*actions: dict[str, Any], rules: Any = "house", hand: int = 1, players: int = 4, **more: Any) -> dict[str, Any]:
    """Ask about a turn of player B, who is down unless said otherwise."""
    question = {"ask": "turn", "rules": rules, "players": players, "hand": hand, "player": "B", "opened": ["A", "B"]}
    return answer({**question, "actions": list(actions), **more})


def table(*melds: str, owner: str = "A") -> list[dict[str, str]]:
    """Melds t1, t2, … on the table; a meld of one rank is a set."""
    laid = []
    for number, cards in enumerate(melds, start=1):
        ranks = {card[0] for card in cards.split() if not card.startswith("JK")}
        laid.append({"id": f"t{number}", "owner": owner, "kind": "set" if len(ranks) == 1 else "run", "cards": cards})
    return laid


def lay_off(cards: str, meld: str = "t1", end: str | None = None) -> dict[str, Any]:
    return {"do": "layoff", "meld": meld, "cards": cards} | ({"end": end} if end else {})


def swap(card: str, wild_to: str, meld: str = "t1", end: str | None = None) -> dict[str, Any]:
    return {"do": "swap", "meld": meld, "card": card, "wild_to": wild_to} | ({"end": end} if end else {})


def discard(card: str) -> dict[str, Any]:
    return {"do": "discard", "card": card}


def rules_of(given: dict[str, Any]) -> list[str]:
    return [reason["rule"] for reason in given["reasons"]]


def lying(given: dict[str, Any], name: str) -> dict[str, Any]:
    """One meld of the table after the turn."""
    return next(meld for meld in given["melds"] if meld["id"] == name)
