"""Why somebody stands where they stand in a season's table, in words that need nothing but the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from continental.rules.standing_methods import Standing, Terms, value_of
from players.models import Player
from scoring import method_words
from scoring.season import Standings, WhyGame, result_of
from scoring.templatetags.scores import mean, points


@dataclass(frozen=True)
class Why:
    """The answer of one row: how its value came about, why not higher, and the games behind it."""

    line: Standing[Player]
    sum: str
    neighbour: str
    games: list[tuple[WhyGame, str]]


def answer(table: Standings, line: Standing[Player], games: Sequence[WhyGame]) -> Why:
    """Answer for one row of a table."""
    return Why(
        line,
        _sum_words(table, line, games),
        _neighbour_words(table, line),
        [(game, _shown(table.terms, game)) for game in games],
    )


def _shown(terms: Terms, game: WhyGame) -> str:
    """Show what a game is worth: place points with a decimal, and what was scaled unless it is whole."""
    value = _game_value(terms, game)
    return mean(value, 1) if terms.method == "place-points" else points(value)


def _game_value(terms: Terms, game: WhyGame) -> Fraction:
    return Fraction(value_of(terms.method, result_of(game.seat)))


def _sum_words(table: Standings, line: Standing[Player], games: Sequence[WhyGame]) -> str:
    terms = table.terms
    values = [_shown(terms, game) for game in games if game.counts]
    value = mean(line.value, table.decimals)
    if not values:
        return ""
    adding = " + ".join(values)
    words = f"{adding} = {value}"
    if terms.method not in {"best-n", "plain-sum"}:
        words = f"({adding}) ÷ {len(values)} = {value}" if len(values) > 1 else f"{adding}"
    if line.dropped:
        words += " · " + ngettext(
            "%(count)s game is left out, the worst.", "%(count)s games are left out, the worst.", line.dropped
        ) % {"count": line.dropped}
    return words


def _neighbour_words(table: Standings, line: Standing[Player]) -> str:
    if line.missing:
        return ngettext(
            "%(count)s game more is needed for a place.", "%(count)s games more are needed for a place.", line.missing
        ) % {"count": line.missing}
    ranked = table.ranked
    at = ranked.index(line)
    equals = [other.player.name for other in ranked if other.rank == line.rank and other is not line]
    if equals:
        return _("Shares the place with %(names)s: equal in everything that decides.") % {"names": _names(equals)}
    if at == 0:
        return _("Nobody stands above.")
    above = ranked[at - 1]
    said = {
        "name": _names([above.player.name]),
        "theirs": mean(above.value, table.decimals),
        "own": mean(line.value, table.decimals),
    }
    if above.value != line.value:
        if said["theirs"] == said["own"]:
            return _("Behind %(name)s: the values differ after the decimals shown.") % said
        return " ".join([_against(table) % said, *_but(table, line, above)])
    for name in table.terms.tie_breaks:
        theirs, own = _break(above, name), _break(line, name)
        if theirs != own:
            said |= {"what": str(method_words.BREAKS[name]), "theirs": mean(theirs, 2), "own": mean(own, 2)}
            if theirs.denominator == own.denominator == 1:
                said |= {"theirs": mean(theirs, 0), "own": mean(own, 0)}
            return (
                _("As good as %(name)s, and behind by what decides between equals, %(what)s: %(theirs)s against %(own)s.") % said
            )
    return ""


def _against(table: Standings) -> str:
    if table.terms.less_is_better(lowest_wins=table.lowest_wins):
        return _("Behind %(name)s: %(theirs)s against %(own)s, and the lower number stands above.")
    return _("Behind %(name)s: %(theirs)s against %(own)s, and the higher number stands above.")


def _but(table: Standings, line: Standing[Player], above: Standing[Player]) -> list[str]:
    """Say in what a line is better than the one above it, where that does not count because the two are not equal."""
    better = [name for name in table.terms.tie_breaks if _merit(table, line, name) < _merit(table, above, name)]
    if not better:
        return []
    said = {"name": _names([above.player.name]), "what": ", ".join(str(method_words.BREAKS[name]) for name in better)}
    return [_("Better than %(name)s in this, which decides only between equals: %(what)s.") % said]


def _merit(table: Standings, line: Standing[Player], name: str) -> Fraction:
    """Give what parts equals as a number of which the smaller is the better one."""
    low = name == "mean-place" or (name in {"mean-total", "best"} and table.lowest_wins)
    return _break(line, name) * (1 if low else -1)


def _break(line: Standing[Player], name: str) -> Fraction:
    return {
        "mean-total": line.mean_total,
        "mean-place": line.mean_place,
        "wins": Fraction(line.wins),
        "best": Fraction(line.best),
        "hands-out": Fraction(line.hands_out),
    }[name]


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"\u2068{name}\u2069" for name in names)
