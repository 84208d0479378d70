"""The parameters of a rule set: every point on which published rules disagree, declared once with its unit and meaning.

Code that plays, judges or scores reads these fields and never asks which game it is.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from continental.rules.cards import JOKER, NATURALS, is_red
from continental.rules.contracts import Contract
from continental.rules.errors import BadQuestion


@dataclass(frozen=True, slots=True)
class HandRule:
    """What is particular to one hand (deal) of the game.

    Attributes:
        contract: the melds to lay down; ``None`` where melds are free (basic rummy).
        deal: cards dealt to each player; ``None`` where it hangs on the number of players (see ``RuleSet.deal_by_players``).
        claims: how often one player may claim the discard in this hand; ``None`` for no limit.
        penalty: penalty cards drawn with each claim.
        all_cards: opening must use every card in the hand, with nothing laid off (``house.final.all-cards``).
        must_go_out: opening must end in going out, lay-offs allowed.
        discard_to_go_out: the last card must be a discard; ``False``: melding everything also ends the hand.
        no_discard: the hand must be melded whole, without a discard.
        ends_game: the first player to open ends hand and game.
        exact_sets: opening sets must have exactly the least size.
        exact_runs: opening runs must have exactly the least size.
        min_run: least length of a run in this hand, in cards.
    """

    contract: Contract | None
    deal: int | None
    claims: int | None
    penalty: int
    all_cards: bool
    must_go_out: bool
    discard_to_go_out: bool
    no_discard: bool
    ends_game: bool
    exact_sets: bool
    exact_runs: bool
    min_run: int


@dataclass(frozen=True, slots=True)
class Count:
    """A number of packs or jokers that hangs on the number of players (``house.decks.formula`` and its relatives)."""

    kind: Literal["fixed", "half-of-players", "per-deck", "players-less-one", "by-players"]
    number: int = 0
    table: tuple[tuple[int, int], ...] = ()

    def __call__(self, players: int, decks: int) -> int:
        """Give the number for a table of ``players`` (and, for jokers, ``decks`` packs)."""
        match self.kind:
            case "half-of-players":
                return max(self.number, -(-players // 2))
            case "per-deck":
                return self.number * decks
            case "players-less-one":
                return max(0, players - 1)
            case "by-players":
                return next((number for most, number in self.table if players <= most), self.table[-1][1])
            case _:
                return self.number


def about(unit: str, sentence: str, *, choices: tuple[str, ...] = (), least: int = 0, most: int = 0) -> dict[str, Any]:
    """Say of a parameter: its unit, what it means in a sentence, and the values it may take."""
    return {"unit": unit, "about": sentence, "choices": choices, "least": least, "most": most}


def param(
    unit: str, sentence: str, default: Any = MISSING, *, choices: tuple[str, ...] = (), least: int = 0, most: int = 0
) -> Any:
    """Declare a parameter that a rule set may leave unsaid."""
    metadata = about(unit, sentence, choices=choices, least=least, most=most)
    return field(metadata=metadata) if default is MISSING else field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """Every parameter of a game of the family, as data (rulebook section 2)."""

    id: str = param("text", "Short name of the preset the sheet starts from.")
    name: str = param("text", "What people call this game.")
    source: str = param("text", "Where the rules were written down.")
    # Table and packs
    players_min: int = param("players", "Fewest players.", 2, least=2, most=30)
    players_max: int | None = param("players", "Most players; empty for no limit.", None, least=2, most=60)
    decks: Count = field(metadata=about("decks", "Packs of 52 cards."))
    jokers: Count = field(metadata=about("cards", "Jokers in all packs together."))
    wild: frozenset[str] = param("cards", "Cards that are wild.", frozenset({JOKER}))
    direction: str = param("choice", "Which way deal and play go.", "clockwise", choices=("clockwise", "counter-clockwise"))
    first_dealer: str = param("choice", "Whose draw deals first.", "high-card", choices=("high-card", "low-card"))
    dealer_rule: str = param("choice", "Who deals next.", "left", choices=("left", "winner-of-two"))
    deal_by_players: tuple[tuple[int, int], ...] = param("cards", "Cards dealt where they hang on the number of players.", ())
    # Hands
    hands: tuple[HandRule, ...] = param("hands", "The hands of a game in order, each with its contract.", ())
    all_cards: bool = param("yes/no", "Going down must use every card in the hand.", False)
    must_go_out: bool = param("yes/no", "Going down must end in going out.", False)
    no_discard: bool = param("yes/no", "The hand must be melded whole, without a discard.", False)
    ends_game: bool = param("yes/no", "The first player to go down ends the game.", False)
    hand_defaults: tuple[tuple[int, Mapping[str, Any]], ...] = param(
        "hands", "What a source says of single hands whose contract it lost, by the number of the hand.", ()
    )
    missing_in_source: tuple[str, ...] = param("names", "Parameters a lost source leaves open: to be filled in before play.", ())
    # Melds
    min_set: int = param("cards", "Least size of a set.", 3, least=2, most=8)
    max_set: int | None = param("cards", "Greatest size of a set; empty for no limit.", None, least=2, most=60)
    min_run: int = param("cards", "Least length of a run.", 4, least=2, most=13)
    exact_sets: bool = param("yes/no", "Sets laid when going down have exactly the least size.", False)
    exact_runs: bool = param("yes/no", "Runs laid when going down have exactly the least size.", False)
    max_run: int | None = param("cards", "Greatest length of a run; empty for no limit.", 13, least=3, most=60)
    ace: str = param("choice", "Where an ace may stand in a run.", "both", choices=("both", "high", "low"))
    two_aces: bool = param("yes/no", "A long run may hold a low and a high ace, each its own card.", False)
    wrap: bool = param("yes/no", "A run may pass through the ace (Q-K-A-2).", False)
    wild_limit: int | None = param("cards", "Most wild cards in one meld; empty for no limit.", None, least=0, most=20)
    wild_ratio: str = param(
        "choice", "When wild cards may not outnumber natural cards in a meld.", "free", choices=("free", "opening", "always")
    )
    set_naturals: int = param("cards", "Least natural cards in a set.", 0, least=0, most=8)
    adjacent_wilds: bool = param("yes/no", "Two wild cards may stand side by side in a run.", True)
    all_wild: str = param("choice", "Melds made only of wild cards.", "no", choices=("no", "declared", "sets"))
    touching_runs: bool = param("yes/no", "One player's runs of one suit may touch end to end when going down.", True)
    same_suit_runs: bool = param("yes/no", "One player may go down with two runs of one suit.", True)
    same_rank_sets: bool = param("yes/no", "One player may go down with two sets of one rank.", True)
    set_repeat_suits: bool = param("yes/no", "A set laid when going down may hold a suit twice.", True)
    extra_melds_opening: bool = param("yes/no", "More melds than the contract asks for may be laid when going down.", False)
    extra_melds_later: bool = param("yes/no", "New melds may be laid after going down.", False)
    # Lay-offs and wild cards on the table
    layoff_opening: str = param(
        "choice", "Melds on which a player may lay off in the turn of going down.", "any", choices=("any", "others", "none")
    )
    layoff_later: str = param(
        "choice", "Melds on which a player may lay off in later turns.", "any", choices=("any", "others", "none")
    )
    swap_run: bool = param("yes/no", "A wild card in a run may be replaced by the card it stands for.", False)
    swap_set: bool = param("yes/no", "A wild card in a set may be replaced.", False)
    swap_target: str = param(
        "choice",
        "Where a freed wild card must be played.",
        "any",
        choices=("any", "another-meld", "own-run", "same-run"),
    )
    # Claims and discards
    claims: int | None = param(
        "claims", "Claims of the discard a player may make in a hand; empty for no limit.", None, least=0, most=20
    )
    claim_penalty: int = param("cards", "Penalty cards drawn with each claim.", 1, least=0, most=5)
    claim_priority: str = param(
        "choice", "Who gets a claimed discard.", "nearest-left", choices=("nearest-left", "first-caller", "current-then-nearest")
    )
    claim_discarder: bool = param("yes/no", "The player who discarded may claim the card back, last of all.", True)
    claims_dead_pile: bool = param("yes/no", "After a claim the rest of the discard pile is dead.", True)
    claims_after_opening: bool = param("yes/no", "A player who has gone down may still claim.", True)
    discard: str = param(
        "choice", "Cards that may not be discarded.", "any", choices=("any", "not-playable", "not-just-taken", "shanghai-call")
    )
    discard_binds_unopened: bool = param("yes/no", "The ban on playable discards also binds players who are not down.", False)
    # End of the hand
    discard_to_go_out: bool = param("yes/no", "The last card must be a discard.", True)
    play_last_two: bool = param("yes/no", "The last two cards must both be played; nobody goes out by discarding.", False)
    twice_around: bool = param("yes/no", "When all are down and nobody is out, each has two more turns.", False)
    stock_turnovers: int = param("times", "How often the stock is turned over before the hand ends.", 1, least=0, most=9)
    # Points
    points: Mapping[str, int | None] = param("points", "Penalty points of a card left in hand, by rank, colour or face.")
    missing_card: int = param("points", "Points for each card missing from a hand at the count.", 10, least=0, most=1000)
    lowest_wins: bool = param("yes/no", "The lowest total wins.", True)
    tie_break: str = param("choice", "What parts equal totals.", "shared", choices=("shared", "hands-out"))
    borrowed: tuple[str, ...] = param("names", "Chapters taken from the house rules because the source has none.", ())
    # Extras of single variants
    out_in_one_turn: int = param("points", "Points for going down and out in one turn.", 0, least=-1000, most=1000)
    exact_cut: int = param("points", "Points for the player who cuts exactly the cards of the deal.", 0, least=-1000, most=1000)
    buy_cost: int = param("pennies", "Price of a claim, paid to the kitty.", 0, least=0, most=10000)
    kitty_split: tuple[int, ...] = param("parts", "Shares of the kitty by place, such as 2 and 1.", ())
    payouts: tuple[int, ...] = param("pennies", "What each place gets or pays; they sum to zero.", ())
    progress: str = param("choice", "Who moves on to the next contract.", "together", choices=("together", "individual"))
    teams: bool = param("yes/no", "Players sit in partnerships.", False)
    target: int | None = param(
        "points", "The game ends when a player reaches this total; empty for a fixed number of hands.", None, least=1, most=100000
    )

    def __hash__(self) -> int:
        return hash((self.id, self.name, self.hands))

    def hand(self, number: int, at: str = "hand") -> HandRule:
        """Give the rule of hand ``number`` (counted from 1).

        Raises:
            BadQuestion: the game has no such hand, or its contract still has to be entered by the league.
        """
        if not self.hands:
            raise BadQuestion(f"the hands of “{self.id}” are not in the source: enter them before play", at)
        if self.target is not None and number >= 1:
            return self.hands[(number - 1) % len(self.hands)]
        if not 1 <= number <= len(self.hands):
            raise BadQuestion(f"there is no hand {number}: this game has {len(self.hands)}", at)
        return self.hands[number - 1]

    def needs_discard(self, hand: HandRule) -> bool:
        """Tell whether a player goes out of ``hand`` by a discard alone (R-37), and not by playing the last two cards (R-84)."""
        return hand.discard_to_go_out and not self.play_last_two

    def deck_count(self, players: int) -> int:
        """Give the number of packs for a table of ``players``."""
        return self.decks(players, 0)

    def joker_count(self, players: int) -> int:
        """Give the number of jokers in all packs together."""
        return self.jokers(players, self.deck_count(players))

    def value(self, card: str) -> int | None:
        """Give the penalty points of one card left in hand; ``None`` where the league has yet to enter it."""
        return self.card_values[card]

    @cached_property
    def card_values(self) -> Mapping[str, int | None]:
        """Give the points of every face, the most particular line of ``points`` winning: face, colour, rank."""
        values: dict[str, int | None] = {}
        for card in (*NATURALS, JOKER):
            keys = (JOKER,) if card == JOKER else (card, f"{card[0]} {'red' if is_red(card) else 'black'}", card[0])
            values[card] = next((self.points[key] for key in keys if key in self.points), None)
        return MappingProxyType(values)

    @property
    def has_jokers(self) -> bool:
        """Tell whether the packs hold any joker."""
        return self.jokers != Count("fixed", 0)

    @property
    def still_open(self) -> tuple[str, ...]:
        """Name the parameters that must be filled in before a game: ``hands``, ``points``."""
        names = []
        if not self.hands:
            names.append("hands")
        if any(value is None for card, value in self.card_values.items() if card != JOKER or self.has_jokers):
            names.append("points")
        return tuple(names)

    @property
    def ready(self) -> bool:
        """Tell whether a game can be played: nothing that the source lost is still open."""
        return not self.still_open
