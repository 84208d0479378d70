"""What the methods of a season's table are called, and the rule that is printed beside the table."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from continental.rules.standing_methods import COMPARABLE, WARNED, Method, Terms
from scoring.policies import SHORT_NIGHTS, Policies

NAMES: Final[dict[Method, Any]] = {
    "mean-total": gettext_lazy("Mean total"),
    "mean-place": gettext_lazy("Mean place"),
    "best-n": gettext_lazy("Best games"),
    "place-points": gettext_lazy("Place points"),
    "plain-sum": gettext_lazy("Plain sum"),
}
ABOUT: Final[dict[Method, Any]] = {
    "mean-total": gettext_lazy("The mean of a player's game totals. A fair start for most groups."),
    "mean-place": gettext_lazy("The mean of a player's places: one bad night weighs no more than a last place."),
    "best-n": gettext_lazy("A player's best games added up; who has played fewer than that has no place."),
    "place-points": gettext_lazy("100 for the first of a table and 0 for its last, whatever its size; the mean of those."),
    "plain-sum": gettext_lazy("All totals added up."),
}
VALUE_NAMES: Final[dict[Method, Any]] = {
    "mean-total": gettext_lazy("Mean total"),
    "mean-place": gettext_lazy("Mean place"),
    "best-n": gettext_lazy("Sum of the best"),
    "place-points": gettext_lazy("Place points"),
    "plain-sum": gettext_lazy("Sum"),
}
DECIMALS: Final[dict[Method, int]] = {"mean-total": 1, "mean-place": 2, "best-n": 0, "place-points": 1, "plain-sum": 0}

BREAKS: Final[dict[str, Any]] = {
    "mean-total": gettext_lazy("mean total"),
    "mean-place": gettext_lazy("mean place"),
    "wins": gettext_lazy("wins"),
    "best": gettext_lazy("best game"),
    "hands-out": gettext_lazy("hands gone out"),
}


def is_comparable(terms: Terms) -> bool:
    return terms.method in COMPARABLE


def warning(terms: Terms) -> str:
    """Warn of a method that rewards staying at home; empty for the others."""
    if terms.method in WARNED:
        return _("Careful: with this method whoever stays at home gathers no points, and not playing is the best play.")
    return ""


def rules(terms: Terms, games: int, *, lowest_wins: bool) -> list[str]:
    """Say what orders the table, what decides between equals, what is left out and what a place takes: a sentence or two each."""
    breaks = ", ".join(str(BREAKS[name]) for name in terms.tie_breaks)
    words = [
        _first_words(terms, lowest_wins=lowest_wins),
        _("Between equals these decide, in this order: %(breaks)s. Whoever is equal in all of them shares the place.")
        % {"breaks": breaks},
    ]
    if terms.drops:
        words.append(
            ngettext(
                "For every %(count)s game of a player the worst one is left out.",
                "For every %(count)s games of a player the worst one is left out.",
                terms.drop_every,
            )
            % {"count": terms.drop_every}
        )
    return [*words, needed_words(terms, games), _("Games that are being played, suspended or void count nowhere.")]


def short_nights(agreed: Policies) -> list[str]:
    """Say how short nights count, where they do."""
    if agreed.least_hands is None:
        return []
    words = SHORT_NIGHTS[agreed.short_nights] + " " + _("Enough are %(count)s.") % {"count": agreed.least_hands}
    if agreed.short_nights == "scaled":
        words += " " + _(
            "Every hand weighs the same, whatever its contract, and places stay as they were played. The exact number counts; "
            "one decimal of it is shown, halves rounded away from zero."
        )
    return [words]


def _first_words(terms: Terms, *, lowest_wins: bool) -> str:
    said = {"best": _("lowest") if lowest_wins else _("highest"), "count": terms.best}
    match terms.method:
        case "mean-total":
            words = _(
                "First is whoever has the %(best)s mean total: the points of the games that count, divided by their number."
            )
        case "mean-place":
            words = _("First is whoever has the best mean place: the places of the games that count, divided by their number.")
        case "best-n":
            words = _("First is whoever has the %(best)s sum of points in their %(count)s best games; further games don't count.")
        case "place-points":
            words = _(
                "First is whoever has the most place points a game: 100 for the first of a table, 0 for its last, the others "
                "in equal steps between. Equals share what their places are worth."
            )
        case "plain-sum":
            words = _("First is whoever has the %(best)s sum of the points of all games.")
    return words % said


def needed_words(terms: Terms, games: int) -> str:
    """Say how many games a place takes, and why that many."""
    needed = terms.needed(games)
    words = ngettext(
        "A place takes %(count)s game; who has fewer stands below the line.",
        "A place takes %(count)s games; who has fewer stands below the line.",
        needed,
    ) % {"count": needed}
    if terms.method != "best-n" and terms.rising:
        words += " " + ngettext(
            "It was %(start)s at first, and is one more for every %(count)s game of the season, which has had %(games)s.",
            "It was %(start)s at first, and is one more for every %(count)s games of the season, which has had %(games)s.",
            terms.rising,
        ) % {"start": terms.qualifying, "count": terms.rising, "games": games}
    return words
