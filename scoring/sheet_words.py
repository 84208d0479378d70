"""The parameters of a rule sheet for people: what each is called, where it stands on the form, what it changes.

What a parameter means is declared with it (``continental.rules.parameters``) and only translated here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from continental.rules import rulesets
from continental.rules.cards import JOKER
from continental.rules.parameters import RuleSet
from continental.rules.sheets import Provenance
from players.names import clean_name


@dataclass(frozen=True)
class Group:
    """Parameters that belong together.

    Attributes:
        open: read at once where a sheet is laid open.
    """

    key: str
    title: Any
    names: tuple[str, ...]
    open: bool = False


GROUPS: Final = (
    Group(
        "packs",
        gettext_lazy("Table and packs"),
        ("players_min", "players_max", "decks", "jokers", "wild"),
        open=True,
    ),
    Group("hands", gettext_lazy("Hands"), ("hands",), open=True),
    Group("points", gettext_lazy("Points of the cards"), ("points", "missing_card"), open=True),
    Group("deal", gettext_lazy("Deal"), ("direction", "first_dealer", "dealer_rule", "deal_by_players")),
    Group(
        "melds",
        gettext_lazy("Sets and runs"),
        ("min_set", "max_set", "exact_sets", "min_run", "max_run", "exact_runs", "ace", "two_aces", "wrap"),
    ),
    Group(
        "wild",
        gettext_lazy("Wild cards in melds"),
        ("wild_limit", "wild_ratio", "set_naturals", "adjacent_wilds", "all_wild", "swap_run", "swap_set", "swap_target"),
    ),
    Group(
        "opening",
        gettext_lazy("Going down and laying off"),
        (
            "all_cards",
            "must_go_out",
            "no_discard",
            "ends_game",
            "touching_runs",
            "same_suit_runs",
            "same_rank_sets",
            "set_repeat_suits",
            "extra_melds_opening",
            "extra_melds_later",
            "layoff_opening",
            "layoff_later",
        ),
    ),
    Group(
        "claims",
        gettext_lazy("Claims and discards"),
        (
            "claims",
            "claim_penalty",
            "claim_priority",
            "claim_discarder",
            "claims_dead_pile",
            "claims_after_opening",
            "discard",
            "discard_binds_unopened",
        ),
    ),
    Group(
        "end",
        gettext_lazy("End of a hand and of the game"),
        ("discard_to_go_out", "play_last_two", "twice_around", "stock_turnovers", "target", "lowest_wins", "tie_break"),
    ),
    Group(
        "money",
        gettext_lazy("Bonuses and pennies"),
        ("out_in_one_turn", "exact_cut", "buy_cost", "kitty_split", "payouts"),
    ),
)


@dataclass(frozen=True)
class Screen:
    """Parameters that the form shows at once, as many as the screen of a phone holds; a newcomer gets by with these."""

    key: str
    title: Any
    names: tuple[str, ...]


SCREENS: Final = (
    Screen("table", gettext_lazy("Table and packs"), ("players_min", "players_max", "decks", "jokers", "wild")),
    Screen("hands", gettext_lazy("Hands"), ("hands",)),
    Screen(
        "points",
        gettext_lazy("Points and play"),
        ("points", "missing_card", "wild_limit", "swap_run", "extra_melds_later", "claims", "twice_around"),
    ),
)

NOT_OFFERED: Final = frozenset({"id", "name", "source", "hand_defaults", "missing_in_source", "borrowed", "progress", "teams"})
"""What no form offers: what identifies a preset, and what this scorebook cannot play (partnerships, progress alone)."""

LABELS: Final[dict[str, Any]] = {
    "players_min": gettext_lazy("Fewest players"),
    "players_max": gettext_lazy("Most players"),
    "decks": gettext_lazy("Packs"),
    "jokers": gettext_lazy("Jokers in all"),
    "wild": gettext_lazy("Wild cards"),
    "direction": gettext_lazy("Direction"),
    "first_dealer": gettext_lazy("First dealer"),
    "dealer_rule": gettext_lazy("Next dealer"),
    "deal_by_players": gettext_lazy("Deal by number of players"),
    "hands": gettext_lazy("Hands"),
    "all_cards": gettext_lazy("Every card when going down"),
    "must_go_out": gettext_lazy("Going down means going out"),
    "no_discard": gettext_lazy("Whole hand without a discard"),
    "ends_game": gettext_lazy("First down ends the game"),
    "min_set": gettext_lazy("Least set"),
    "max_set": gettext_lazy("Greatest set"),
    "min_run": gettext_lazy("Shortest run"),
    "exact_sets": gettext_lazy("Exact sets when going down"),
    "exact_runs": gettext_lazy("Exact runs when going down"),
    "max_run": gettext_lazy("Longest run"),
    "ace": gettext_lazy("Ace in a run"),
    "two_aces": gettext_lazy("Both aces in one run"),
    "wrap": gettext_lazy("Run through the ace"),
    "wild_limit": gettext_lazy("Wild cards in a meld"),
    "wild_ratio": gettext_lazy("Wild cards not more than natural ones"),
    "set_naturals": gettext_lazy("Natural cards in a set"),
    "adjacent_wilds": gettext_lazy("Wild cards side by side"),
    "all_wild": gettext_lazy("Melds of wild cards only"),
    "touching_runs": gettext_lazy("Runs of one suit end to end"),
    "same_suit_runs": gettext_lazy("Two runs of one suit"),
    "same_rank_sets": gettext_lazy("Two sets of one rank"),
    "set_repeat_suits": gettext_lazy("A suit twice in a set"),
    "extra_melds_opening": gettext_lazy("More melds than the contract"),
    "extra_melds_later": gettext_lazy("New melds later"),
    "layoff_opening": gettext_lazy("Laying off when going down"),
    "layoff_later": gettext_lazy("Laying off later"),
    "swap_run": gettext_lazy("Taking a wild card from a run"),
    "swap_set": gettext_lazy("Taking a wild card from a set"),
    "swap_target": gettext_lazy("Where a freed wild card goes"),
    "claims": gettext_lazy("Claims in a hand"),
    "claim_penalty": gettext_lazy("Penalty cards of a claim"),
    "claim_priority": gettext_lazy("Who gets a claimed card"),
    "claim_discarder": gettext_lazy("The discarder may claim"),
    "claims_dead_pile": gettext_lazy("Dead pile after a claim"),
    "claims_after_opening": gettext_lazy("Claims after going down"),
    "discard": gettext_lazy("Forbidden discards"),
    "discard_binds_unopened": gettext_lazy("The ban binds everybody"),
    "discard_to_go_out": gettext_lazy("Out by a discard"),
    "play_last_two": gettext_lazy("Last two cards are played"),
    "twice_around": gettext_lazy("Twice around"),
    "stock_turnovers": gettext_lazy("Stock turned over"),
    "points": gettext_lazy("Points of the cards"),
    "missing_card": gettext_lazy("A missing card"),
    "lowest_wins": gettext_lazy("The lowest total wins"),
    "tie_break": gettext_lazy("Equal totals"),
    "out_in_one_turn": gettext_lazy("Down and out in one turn"),
    "exact_cut": gettext_lazy("Exact cut"),
    "buy_cost": gettext_lazy("Price of a claim"),
    "kitty_split": gettext_lazy("Shares of the kitty"),
    "payouts": gettext_lazy("Payouts by place"),
    "target": gettext_lazy("Play to a total"),
    "progress": gettext_lazy("Progress"),
    "teams": gettext_lazy("Partnerships"),
    # of one hand
    "contract": gettext_lazy("Contract"),
    "deal": gettext_lazy("Cards dealt"),
    "penalty": gettext_lazy("Penalty cards of a claim"),
}

_REMINDS: Final = gettext_lazy("Changes what the table is told: packs, cards, dealer.")
_JUDGES: Final = gettext_lazy("Changes which melds the referee accepts.")
_CLAIMS: Final = gettext_lazy("Changes who gets a discard, and how many cards a hand should have.")
_ENDS: Final = gettext_lazy("Changes when a hand or the game is over.")
_COUNTS: Final = gettext_lazy("Changes the points, and with them every total.")
_PLACES: Final = gettext_lazy("Changes who wins.")
_PENNIES: Final = gettext_lazy("Changes the pennies, never the points.")
_BY_TAP: Final = gettext_lazy("Changes totals: the table offers the bonus to be tapped, the score sheet lists it by its hand.")

_CHANGES_BY_GROUP: Final[dict[str, Any]] = {
    "packs": _REMINDS,
    "hands": gettext_lazy("Changes contracts, deals and the number of hands."),
    "points": _COUNTS,
    "deal": _REMINDS,
    "melds": _JUDGES,
    "wild": _JUDGES,
    "opening": _JUDGES,
    "claims": _CLAIMS,
    "end": _ENDS,
    "money": _PENNIES,
}
_CHANGES: Final[dict[str, Any]] = {
    "players_min": gettext_lazy("Changes at how many players a game can start."),
    "players_max": gettext_lazy("Changes at how many players a game can start."),
    "wild": _JUDGES,
    "ends_game": _ENDS,
    "lowest_wins": _PLACES,
    "tie_break": _PLACES,
    "out_in_one_turn": _BY_TAP,
    "exact_cut": _BY_TAP,
}

CHOICES: Final[dict[str, Any]] = {
    "clockwise": gettext_lazy("clockwise"),
    "counter-clockwise": gettext_lazy("counter-clockwise"),
    "high-card": gettext_lazy("who draws the highest card"),
    "low-card": gettext_lazy("who draws the lowest card"),
    "left": gettext_lazy("the next to the left"),
    "winner-of-two": gettext_lazy("of two players the winner"),
    "both": gettext_lazy("high or low"),
    "high": gettext_lazy("high only"),
    "low": gettext_lazy("low only"),
    "free": pgettext_lazy("wild cards", "no such rule"),
    "opening": gettext_lazy("when going down"),
    "always": gettext_lazy("always"),
    "no": gettext_lazy("not allowed"),
    "declared": gettext_lazy("allowed where said what they are"),
    "sets": gettext_lazy("as sets only"),
    "any": pgettext_lazy("rule", "no restriction"),
    "others": gettext_lazy("on melds of others only"),
    "none": pgettext_lazy("laying off", "not at all"),
    "another-meld": gettext_lazy("in another meld"),
    "own-run": gettext_lazy("in a run of the same player"),
    "same-run": gettext_lazy("in the same run"),
    "nearest-left": gettext_lazy("the nearest to the left"),
    "first-caller": gettext_lazy("the first to call"),
    "current-then-nearest": gettext_lazy("who is in turn, then the nearest to the left"),
    "not-playable": gettext_lazy("cards that fit on the table"),
    "not-just-taken": gettext_lazy("the card just taken"),
    "shanghai-call": gettext_lazy("none, but a fitting one may be called"),
    "shared": gettext_lazy("share the place"),
    "hands-out": gettext_lazy("more hands gone out stands above"),
    "together": gettext_lazy("all together"),
    "individual": gettext_lazy("each alone"),
}

GAMES: Final[dict[str, Any]] = {
    "house": gettext_lazy("Continental, house rules"),
    "continental": gettext_lazy("Continental"),
    "contract": gettext_lazy("Contract rummy"),
    "gather": gettext_lazy("Contract rummy, three-card runs"),
    "shanghai": gettext_lazy("Shanghai, aces high"),
    "may-i": gettext_lazy("May I?"),
    "fifteen": gettext_lazy("Fifteen hands with penny buys"),
    "magnus": gettext_lazy("Magnus's contract rummy"),
    "basic": gettext_lazy("Basic rummy"),
    "liverpool": gettext_lazy("Liverpool rummy"),
    "shanghai-rum": gettext_lazy("Shanghai rum"),
    "progressive": gettext_lazy("Progressive rummy"),
    "spanish": gettext_lazy("Continental, Spain"),
    "carioca": gettext_lazy("Carioca"),
    "kalooki": gettext_lazy("Kalooki, Jamaica"),
}
"""What the presets are called, by id."""

COUNT_KINDS: Final[dict[str, Any]] = {
    "fixed": gettext_lazy("always this many"),
    "half_of_players": gettext_lazy("half the players, at least"),
    "per_deck": gettext_lazy("for each pack"),
    "players_less": gettext_lazy("one fewer than players"),
    "by_players": gettext_lazy("by number of players"),
}


MOST_LINE: Final = 400
"""How many letters a line of the house may have."""


def house_line(text: str) -> str:
    """Give a line of the house as it is kept: one line of text, without what cannot be seen and does harm.

    It may be empty, or longer than ``MOST_LINE``; then it is none to be kept.
    """
    return clean_name(text)


def game_name(rules: RuleSet) -> str:
    """Give what people call a game: a preset in the reader's language, a league's own sheet as the league named it."""
    return str(GAMES[rules.id]) if rules.name == rulesets.preset(rules.id).name else rules.name


def changes(name: str) -> str:
    """Say what a parameter changes in the scorebook."""
    group = next(group for group in GROUPS if name in group.names)
    return str(_CHANGES.get(name) or _CHANGES_BY_GROUP[group.key])


def source_words(found: Provenance) -> str:
    """Say where a preset's value comes from."""
    match found.kind:
        case "source":
            return _("In the source")
        case "ruling":
            return _("A ruling where the source is silent")
        case "default":
            return _("Proposed where the source is silent")
        case "outside":
            return _("From a copy of the lost original")
        case _:
            return _("Not said anywhere: the scorebook's own default")


UNITS: Final = {
    "cards": lambda count: ngettext("%(count)s card", "%(count)s cards", count) % {"count": count},
    "points": lambda count: ngettext("%(count)s point", "%(count)s points", count) % {"count": count},
    "players": lambda count: ngettext("%(count)s player", "%(count)s players", count) % {"count": count},
    "pennies": lambda count: ngettext("%(count)s penny", "%(count)s pennies", count) % {"count": count},
    "times": lambda count: ngettext("%(count)s time", "%(count)s times", count) % {"count": count},
    "claims": lambda count: ngettext("%(count)s claim", "%(count)s claims", count) % {"count": count},
}


def value_words(name: str, unit: str, value: Any) -> str:
    """Say a parameter's value: “4 cards”, “no limit”, “one for two players, at least 2”."""
    match value:
        case None:
            return _("no limit") if name != "target" else _("no: a fixed number of hands")
        case True:
            return _("yes")
        case False:
            return _("no")
        case int():
            return str(UNITS[unit](value)) if unit in UNITS else str(value)
        case {"half_of_players": least}:
            return _("one for two players, at least %(count)s") % {"count": least}
        case {"per_deck": number}:
            return _("%(count)s for each pack") % {"count": number}
        case {"players_less": _one}:
            return _("one fewer than players")
        case {"by_players": table} if isinstance(table, dict):
            return _table_words(table)
        case dict() if name == "deal_by_players":
            return _table_words(value)
        case dict():
            return " · ".join(f"{keys}: {number if number is not None else '?'}" for number, keys in points_words(value))
        case list() if name == "hands":
            return ngettext("%(count)s hand", "%(count)s hands", len(value)) % {"count": len(value)}
        case list():
            return ", ".join(map(pattern_words, value) if name == "wild" else map(str, value)) or _("none")
        case str() if value in CHOICES:
            return str(CHOICES[value])
    return str(value)


_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def face(card: str) -> str:
    """Write a card, a rank alone, or a rank of one colour, as people read it: 10♥, ★, 7, A red."""
    if card == JOKER:
        return "★"
    return card[0].replace("T", "10") + _SIGNS.get(card[1:], card[1:])


def pattern_words(pattern: str) -> str:
    """Say which cards a pattern means: “joker”, “10”, “A red”, “Q♠”."""
    rank, _blank, colour = pattern.partition(" ")
    if colour:
        return f"{face(rank)} {_('red') if colour == 'red' else _('black')}"
    return _("joker") if pattern == JOKER else face(pattern)


def points_words(points: Mapping[str, int | None]) -> list[tuple[int | None, str]]:
    """Give each number of points with the cards that have it, in the order of the cards."""
    said: dict[int | None, list[str]] = {}
    for pattern, number in points.items():
        said.setdefault(number, []).append(pattern_words(pattern))
    return [(number, " ".join(patterns)) for number, patterns in said.items()]


def _table_words(table: dict[str, int]) -> str:
    return ", ".join(_("up to %(players)s players %(count)s") % {"players": key, "count": table[key]} for key in table)


def place_words(at: str) -> str:
    """Name the place of a difference: “Hand 7: every card when going down”, “Points of the cards: JK”."""
    if at.startswith("hands["):
        number, _dot, key = at.removeprefix("hands[").partition("].")
        return _("Hand %(number)s: %(what)s") % {"number": int(number) + 1, "what": LABELS[key]}
    if at.startswith("points."):
        return f"{LABELS['points']}: {pattern_words(at.removeprefix('points.'))}"
    return str(LABELS[at])
