"""Whole games from real packs, played by simple players: for demonstrations, and to try the referee on what happens at tables.

Players keep what fits together, go down when they can, lay off what fits, and claim a discard that helps. Whatever they do is
put to the referee first, so every turn is a legal one, and no card is ever made up: all of them come from the packs of the
deal. The source of chance is the caller's.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from continental.rules.cards import JOKER, PLACE_OF_RANK
from continental.rules.deals import cards_each, pack
from continental.rules.notation import format_cards, sort_cards
from continental.rules.referee import answer
from continental.rules.rulesets import HandRule, RuleSet, load
from continental.rules.solver import BestPlay, LayOff, TooLarge, best_play
from continental.rules.turn_question import read_table

_NEAR: Final = 2
_MOST_ROUNDS: Final = 200


@dataclass(frozen=True, slots=True)
class SimulatedTurn:
    """One turn as it was put to the referee, and what the referee answered."""

    seat: int
    question: Mapping[str, Any]
    verdict: Mapping[str, Any]


@dataclass(slots=True)
class SimulatedHand:
    """One hand from the deal to its end.

    Attributes:
        number: counted from 1.
        dealer: the seat that dealt.
        opened: seats in the order in which they went down.
        out: the seat that went out; ``None`` where nobody did.
        ended: ``out``, ``stock`` or ``twice-around``.
        stock_turned: how often the stock ran out.
        twice_around: turns used of the twice-around.
        claims: claims of the discard by seat.
        left: the cards left in each hand.
        table: the melds on the table at the end, as the referee gave them.
        pile: the cards of stock and discards at the end.
        turns: every turn.
    """

    number: int
    dealer: int
    opened: list[int] = field(default_factory=list)
    out: int | None = None
    ended: str = ""
    stock_turned: int = 0
    twice_around: int = 0
    claims: Counter[int] = field(default_factory=Counter)
    left: list[list[str]] = field(default_factory=list)
    table: list[dict[str, Any]] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    turns: list[SimulatedTurn] = field(default_factory=list)


def play_game(rules: str | Mapping[str, Any], players: int, random: Random, first_dealer: int = 0) -> list[SimulatedHand]:
    """Play all hands of a game.

    Args:
        rules: a preset's id or a base with overrides, of a game with a fixed number of hands.
        players: how many sit at the table.
        random: where all chance comes from.
        first_dealer: the seat that deals the first hand.
    """
    hands = range(1, len(load(rules).hands) + 1)
    return [play_hand(rules, number, players, random, (first_dealer + number - 1) % players) for number in hands]


def play_hand(rules: str | Mapping[str, Any], number: int, players: int, random: Random, dealer: int = 0) -> SimulatedHand:
    """Play one hand from the deal to its end."""
    return _Hand(rules, number, players, random, dealer).play()


class _Hand:
    """A hand being played."""

    def __init__(self, rules: str | Mapping[str, Any], number: int, players: int, random: Random, dealer: int) -> None:
        self.spec = rules
        self.rules: RuleSet = load(rules)
        self.rule: HandRule = self.rules.hand(number)
        self.players = players
        self.now = SimulatedHand(number, dealer)
        cards = list(pack(self.rules, players))
        random.shuffle(cards)
        each = cards_each(self.rules, self.rule, players)
        self.hands = [cards[seat * each : (seat + 1) * each] for seat in range(players)]
        rest = cards[players * each :]
        self.discards = [rest.pop()]
        self.stock = deque(rest)
        self.dead = False
        """Whether what lies in the discard pile is dead for the player in turn."""

    def play(self) -> SimulatedHand:
        seat = (self.now.dealer + 1) % self.players
        for _turn in range(_MOST_ROUNDS * self.players):
            self._turn(seat)
            if self.now.ended:
                break
            if self._twice_around_is_over():
                self.now.ended = "twice-around"
                break
            seat = (seat + 1) % self.players
        self.now.left = [sort_cards(hand) for hand in self.hands]
        self.now.pile = [*self.stock, *self.discards]
        return self.now

    # -- Drawing ---------------------------------------------------------------------------------------------------------

    def _turn(self, seat: int) -> None:
        drawn, source = self._draw(seat)
        if drawn is None:
            self.now.ended = "stock"
            return
        last = self.now.stock_turned > self.rules.stock_turnovers
        while not self._finish(seat, drawn, source):
            self._take_two(seat)
        if not self.now.ended and last:
            # Who took the last card of the stock finished the turn; now the hand ends.
            self.now.ended = "stock"

    def _draw(self, seat: int) -> tuple[str | None, str]:
        """Take the discard if it helps, let others claim it if not, and draw from the stock."""
        top = self.discards[-1] if self.discards and not self.dead else None
        if top is not None and self._helps(seat, top):
            self.discards.pop()
            self.hands[seat].append(top)
            return top, "discard"
        if top is not None:
            self._offer(seat, top)
        card = self._from_stock()
        if card is not None:
            self.hands[seat].append(card)
        return card, "stock"

    def _offer(self, seat: int, top: str) -> None:
        """Let the nearest to the left claim the discard, with its penalty cards (``house.claim.*``, R-50, R-54)."""
        for step in range(1, self.players):
            other = (seat + step) % self.players
            limit = self.rule.claims
            if limit is not None and self.now.claims[other] >= limit:
                continue
            if other in self._down() or not self._helps(other, top) or len(self.stock) <= self.rule.penalty:
                continue
            self.discards.pop()
            self.hands[other].append(top)
            self.hands[other].extend(self.stock.popleft() for _card in range(self.rule.penalty))
            self.now.claims[other] += 1
            self.dead = self.rules.claims_dead_pile
            return

    def _from_stock(self) -> str | None:
        """Draw; an empty stock is turned over without shuffling, dead cards and all (``house.stock.first``, R-55)."""
        if not self.stock and self.now.stock_turned <= self.rules.stock_turnovers:
            self._turn_over()
        if not self.stock:
            return None
        card = self.stock.popleft()
        if not self.stock:
            self._turn_over()
        return card

    def _turn_over(self) -> None:
        self.now.stock_turned += 1
        if self.now.stock_turned <= self.rules.stock_turnovers:
            self.stock.extend(self.discards[:-1])
            del self.discards[:-1]

    # -- Playing ---------------------------------------------------------------------------------------------------------

    def _down(self) -> Sequence[int]:
        return self.now.opened

    def _going_down(self, seat: int) -> list[dict[str, Any]]:
        lying = read_table(self.now.table, self.rules)
        try:
            play = best_play(self.hands[seat], self.rules, self.rule, lying)
        except TooLarge:
            return []
        if not play.possible or not play.melds:
            return []
        return _actions(play)

    def _lay_offs(self, seat: int) -> list[dict[str, Any]]:
        """Lay off one card after the other, the dearest first, as long as the referee lets them lie."""
        actions: list[dict[str, Any]] = []
        hand = sorted(self.hands[seat], key=lambda card: (-(self.rules.value(card) or 0), card))
        keep = 1 if self.rules.needs_discard(self.rule) else 0
        moved = True
        while moved and len(hand) > keep:
            moved = False
            for card in list(dict.fromkeys(hand)):
                found = self._place(seat, actions, card)
                if found and len(hand) > keep:
                    actions.append(found)
                    hand.remove(card)
                    moved = True
        return actions

    def _place(self, seat: int, actions: list[dict[str, Any]], card: str) -> dict[str, Any] | None:
        for meld in self.now.table:
            if not _may_fit(card, meld, self.rules.wild):
                continue
            for end in ({}, {"end": "high"}, {"end": "low"}):
                action = {"do": "layoff", "meld": meld["id"], "cards": card, **end}
                if self._ask(seat, [*actions, action])["verdict"] == "legal":
                    return action
        return None

    def _finish(self, seat: int, drawn: str, source: str) -> bool:
        """Play what can be played with a discard the referee takes, or only discard; tell whether there was one to take."""
        held = format_cards(self.hands[seat])
        draw = {"from": source, "card": drawn}
        best = self._lay_offs(seat) if seat in self._down() else self._going_down(seat)
        for actions in (best, []):
            for discard in self._discards(seat, actions):
                question = self._question(seat, [*actions, *discard], held=held, draw=draw)
                verdict = answer(question)
                if verdict["verdict"] == "legal":
                    self._carry_out(seat, question, verdict)
                    return True
        return False

    def _take_two(self, seat: int) -> None:
        """Take the top discard and the top stock card: every card could be played, so none may be discarded
        (``contract.discard.none``).
        """
        assert self.rules.discard == "not-playable", self.hands[seat]
        card = self._from_stock()
        taken = [self.discards.pop()] if self.discards else []
        assert card is not None or taken, "no card is left to take"
        self.hands[seat].extend([*taken, *([card] if card else [])])

    def _discards(self, seat: int, actions: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
        if any(action["do"] == "discard" for action in actions):
            return [[]]
        left = Counter(self.hands[seat])
        for action in actions:
            for text in action.get("melds", [action.get("cards", "")]):
                left.subtract(token.partition("=")[0] for token in text.split())
        order = sorted(left.elements(), key=lambda card: (self._worth(card, seat), -(self.rules.value(card) or 0), card))
        discards: list[list[dict[str, Any]]] = [[{"do": "discard", "card": card}] for card in dict.fromkeys(order)]
        return discards or [[]]

    def _carry_out(self, seat: int, question: dict[str, Any], verdict: Mapping[str, Any]) -> None:
        self.now.turns.append(SimulatedTurn(seat, question, verdict))
        if any(action["do"] == "open" for action in question["actions"]):
            self.now.opened.append(seat)
        elif self._all_down_before():
            self.now.twice_around += 1
        self.now.table = [dict(meld) for meld in verdict["melds"]]
        self.hands[seat] = str(verdict["held"]).split() if isinstance(verdict["held"], str) else list(verdict["held"])
        self.discards.extend(action["card"] for action in question["actions"] if action["do"] == "discard")
        self.dead = False
        if verdict["goes_out"]:
            self.now.out, self.now.ended = seat, "out"

    def _all_down_before(self) -> bool:
        return self.rules.twice_around and not self.rule.all_cards and len(self.now.opened) == self.players

    def _twice_around_is_over(self) -> bool:
        return self._all_down_before() and self.now.twice_around >= 2 * self.players

    def _ask(self, seat: int, actions: list[dict[str, Any]]) -> Mapping[str, Any]:
        return answer(self._question(seat, actions))

    def _question(self, seat: int, actions: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        return {
            "ask": "turn",
            "rules": self.spec,
            "players": self.players,
            "hand": self.now.number,
            "table": self.now.table,
            "player": str(seat),
            "opened": [str(other) for other in self.now.opened],
            "actions": actions,
            **more,
        }

    # -- Judging cards -----------------------------------------------------------------------------------------------------

    def _helps(self, seat: int, card: str) -> bool:
        """Whether a player who is not down wants the card: a wild one, or one that makes three or more of something."""
        if seat in self._down():
            return False
        return card in self.rules.wild or self._fits(card, self.hands[seat]) >= 2 * _NEAR

    def _worth(self, card: str, seat: int) -> int:
        """How little a card is to be discarded."""
        if card in self.rules.wild:
            return 99
        if seat in self._down():
            return 0
        others = list(self.hands[seat])
        others.remove(card)
        return self._fits(card, others)

    def _fits(self, card: str, others: Sequence[str]) -> int:
        same_rank = sum(other[0] == card[0] for other in others if other != JOKER)
        near = {other for other in others if other != JOKER and other[1] == card[1] and 0 < _gap(other, card) <= _NEAR}
        wants_sets = self.rule.contract is None or any(slot.kind != "run" for slot in self.rule.contract.slots)
        wants_runs = self.rule.contract is None or any(slot.kind == "run" for slot in self.rule.contract.slots)
        return 2 * same_rank * wants_sets + 2 * len(near) * wants_runs


def _gap(one: str, other: str) -> int:
    return abs(PLACE_OF_RANK[one[0]] - PLACE_OF_RANK[other[0]])


def _may_fit(card: str, meld: Mapping[str, Any], wild: frozenset[str]) -> bool:
    """Tell whether it is worth asking the referee."""
    values = meld["as"] if isinstance(meld["as"], list) else str(meld["as"]).split()
    if card in wild:
        return True
    if meld["kind"] == "run":
        return any(value[1:] == card[1] for value in values)
    return any(value[0] == card[0] for value in values)


def _actions(play: BestPlay) -> list[dict[str, Any]]:
    """Write a best play as the actions of a turn."""
    actions: list[dict[str, Any]] = [{"do": "open", "melds": [format_cards(meld.cards) for meld in play.melds]}]
    for step in play.steps:
        if isinstance(step, LayOff):
            end = {"end": step.end} if step.end else {}
            actions.append({"do": "layoff", "meld": step.meld, "cards": format_cards(step.cards), **end})
        else:
            end = {"end": step.end} if step.end else {}
            actions.append({"do": "swap", "meld": step.meld, "card": step.card, "wild_to": step.wild_to, **end})
    if play.discard is not None:
        actions.append({"do": "discard", "card": play.discard})
    return actions
