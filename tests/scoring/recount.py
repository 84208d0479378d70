"""What the maintained lines must be: worked out from the raw events alone, by another road than the site's."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

from continental.rules.standing_methods import Result, Terms, score
from players import merging
from players.models import League
from scoring import ledger, record
from scoring.hand_tallies import Sums
from scoring.league_models import GameSums
from scoring.models import Game, PlayerHand, PlayerSeason, PlayerTotal, Season, SeasonHand, SeasonSize, Seat
from scoring.policies import Policies
from scoring.state import GameState


def sums_of(line: GameSums) -> tuple[Any, ...]:
    """What a maintained line says of its games, in the order of ``standings.Sums``."""
    low, high = Fraction(line.lowest, line.parts), Fraction(line.highest, line.parts)
    return line.games, Fraction(line.total, line.parts), line.places, line.wins, line.hands_out, low, high


def kept_lines(league: League) -> dict[tuple[int, int], tuple[Any, ...]]:
    """The lines of the tables as they are kept."""
    return {
        (line.season_id, line.player_id): (*sums_of(line), line.value, line.counted)
        for line in PlayerSeason.objects.filter(season__league=league)
    }


def kept_hands(league: League) -> dict[tuple[int, int, int, str], tuple[Any, ...]]:
    """The lines of the hands as they are kept."""
    return {
        (line.season_id, line.player_id, line.number, line.contract): (
            line.hands,
            line.points,
            line.out,
            line.substituted,
            line.opened,
            line.opened_known,
            line.jokers,
            line.jokers_in_play,
            line.lowest,
            line.highest,
        )
        for line in PlayerHand.objects.filter(season__league=league)
    }


def kept_totals(league: League) -> dict[tuple[int, bool], tuple[Any, ...]]:
    """The lines of the table of all seasons as they are kept."""
    return {(line.player_id, line.lowest_wins): sums_of(line) for line in PlayerTotal.objects.filter(league=league)}


def kept_hands_of_all(league: League) -> dict[tuple[int, int, str], tuple[Any, ...]]:
    """The lines of everybody's hands as they are kept."""
    rows = SeasonHand.objects.filter(season__league=league).values_list("season", "number", "contract", *Sums._fields)
    return {(season, number, contract): tuple(sums) for season, number, contract, *sums in rows}


def folded(league: League) -> list[tuple[Game, GameState]]:
    """Every finished game of the league, folded from its events, the oldest first."""
    games = Game.objects.filter(league=league).select_related("sheet", "season").order_by("started_on", "pk")
    states = [(game, ledger.fold(game.sheet.rules, record.read_log(game))) for game in games]
    return [(game, state) for game, state in states if state.status == "finished"]


def lines_of_events(league: League) -> dict[tuple[int, int], tuple[Any, ...]]:
    """The lines of the tables as the events give them."""
    results: dict[tuple[int, int], list[Result]] = defaultdict(list)
    terms = {}
    one_for = merging.stands_for(league.pk)
    for game, state in folded(league):
        assert state.result is not None
        assert state.result.places is not None
        terms[game.season_id] = Terms.read(game.season.terms), game.season.lowest_wins is not False
        policies = Policies.read(game.season.policies)
        places = state.result.places
        for seat, player in enumerate(state.players):
            role, stands_for = state.roles.get(seat, ("player", None))
            whose = policies.credited(player, role, stands_for)
            whose = None if whose is None else one_for.get(whose, whose)
            total = state.result.totals[seat]
            assert total is not None
            out = sum(hand.entries[seat].kind == "out" for hand in state.hands if hand.closed)
            if whose is not None:
                results[game.season_id, whose].append(
                    Result(_as_counted(total.points, state, policies), places[seat], len(places), places.count(places[seat]), out)
                )
    return {(season, player): _line(played, *terms[season]) for (season, player), played in results.items()}


def _as_counted(points: int, state: GameState, policies: Policies) -> Fraction:
    """What a season that scales short nights makes of a total."""
    if policies.short_nights != "scaled" or state.ended_early != "short":
        return Fraction(points)
    return Fraction(points * len(state.rules.hands), sum(hand.closed for hand in state.hands))


def _line(played: list[Result], terms: Terms, lowest_wins: bool) -> tuple[Any, ...]:
    value = score(terms, played, lowest_wins=lowest_wins)
    totals = [result.total for result in played]
    return (
        len(played),
        sum(totals),
        sum(result.place for result in played),
        sum(result.place == 1 for result in played),
        sum(result.hands_out for result in played),
        min(totals),
        max(totals),
        Fraction(value.value),
        len(value.counted),
    )


def hands_of_events(league: League) -> dict[tuple[int, int, int, str], tuple[Any, ...]]:
    """The lines of the hands as the events give them."""
    lines: dict[tuple[int, int, int, str], dict[str, Any]] = defaultdict(
        lambda: {"points": [], "out": 0, "substituted": 0, "opened": 0, "known": 0, "jokers": 0, "in_play": 0}
    )
    one_for = merging.stands_for(league.pk)
    for game, state in folded(league):
        jokers = state.rules.joker_count(len(state.players))
        for hand in state.hands:
            if not hand.closed:
                continue
            contract = str(state.rules.hand(hand.number).contract or "")
            for seat, player in enumerate(state.players):
                entry = hand.entries[seat]
                if entry.kind == "absent":
                    continue
                line = lines[game.season_id, one_for.get(player, player), hand.number, contract]
                if entry.points is not None:
                    line["points"].append(entry.points)
                line["out"] += entry.kind == "out"
                line["substituted"] += hand.posted[seat].how == "substituted"
                if hand.opened:
                    line["known"] += 1
                    line["opened"] += seat in hand.opened or entry.kind == "out"
                if entry.kind in {"out", "cards"}:
                    line["jokers"] += entry.cards.split().count("JK")
                    line["in_play"] += jokers
    return {
        key: (
            len(line["points"]),
            sum(line["points"]),
            line["out"],
            line["substituted"],
            line["opened"],
            line["known"],
            line["jokers"],
            line["in_play"],
            min(line["points"], default=None),
            max(line["points"], default=None),
        )
        for key, line in lines.items()
    }


def totals_of_lines(lines: dict[tuple[int, int], tuple[Any, ...]]) -> dict[tuple[int, bool], tuple[Any, ...]]:
    """The tables of all seasons, from the lines of the seasons: one where the lowest total wins, one where the highest does."""
    highest = set(Season.objects.filter(lowest_wins=False).values_list("pk", flat=True))
    by_player: dict[tuple[int, bool], list[tuple[Any, ...]]] = defaultdict(list)
    for (season, player), line in lines.items():
        by_player[player, season not in highest].append(line)
    totals: dict[tuple[int, bool], tuple[Any, ...]] = {}
    for (player, way), own in by_player.items():
        added = [sum(line[at] for line in own) for at in range(5)]
        totals[player, way] = (*added, min(line[5] for line in own), max(line[6] for line in own))
    return totals


def hands_of_all(hands: dict[tuple[int, int, int, str], tuple[Any, ...]]) -> dict[tuple[int, int, str], tuple[Any, ...]]:
    """Everybody's hands, from each player's."""
    together: dict[tuple[int, int, str], list[tuple[Any, ...]]] = defaultdict(list)
    for (season, _player, number, contract), line in hands.items():
        together[season, number, contract].append(line)
    return {
        key: (
            *(sum(line[at] for line in lines) for at in range(8)),
            min((line[8] for line in lines if line[8] is not None), default=None),
            max((line[9] for line in lines if line[9] is not None), default=None),
        )
        for key, lines in together.items()
    }


def sizes_of_events(league: League) -> dict[tuple[int, int], tuple[int, list[int], list[int]]]:
    """The tables of each size: how many, and the places by seat and by seats after the first dealer, added up."""
    games: dict[tuple[int, int], list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for game, state in folded(league):
        assert state.result is not None
        assert state.result.places is not None
        games[game.season_id, len(state.players)].append((state.hands[0].dealer, state.result.places))
    return {
        (season, seats): (
            len(played),
            [sum(places[at] for _dealer, places in played) for at in range(seats)],
            [sum(places[(dealer + after) % seats] for dealer, places in played) for after in range(seats)],
        )
        for (season, seats), played in games.items()
    }


def seats_of_events(league: League) -> dict[tuple[int, int], tuple[list[list[int]], int, int]]:
    """What counted seats say of their hands: points and hands by the seats after the dealer, how far behind the winner was."""
    found = {}
    for game, state in folded(league):
        assert state.result is not None
        assert state.result.places is not None
        closed, size = [hand for hand in state.hands if hand.closed], len(state.players)
        for seat, place in enumerate(state.result.places):
            given = [((seat - hand.dealer) % size, hand.entries[seat].points) for hand in closed]
            by_dealer = [[points for at, points in given if at == distance and points is not None] for distance in range(size)]
            behind = [(0, 0)] if place != 1 else [(0, 0), *_moments(state, seat)]
            worst = max(points for points, _hand in behind)
            after = next(hand for points, hand in behind if points == worst)
            found[game.pk, seat] = [[sum(points), len(points)] for points in by_dealer], worst, after
    return found


def _moments(state: GameState, seat: int) -> list[tuple[int, int]]:
    """How far a seat was behind after each hand but the last, with the hand; as long as it had a score in all of them."""
    closed = [hand for hand in state.hands if hand.closed]
    moments = []
    for at in range(1, len(closed)):
        columns = [[hand.posted[other].points for hand in closed[:at]] for other in range(len(state.players))]
        if None not in columns[seat]:
            sums = [sum(column) for column in columns if None not in column]  # type: ignore[arg-type]
            own = sum(columns[seat])  # type: ignore[arg-type]
            moments.append((own - min(sums) if state.rules.lowest_wins else max(sums) - own, closed[at - 1].number))
    return moments


def assert_recounted(league: League) -> None:
    """Assert that every maintained line is what the events say, and that there is no other."""
    lines, hands = lines_of_events(league), hands_of_events(league)
    assert kept_lines(league) == lines
    assert kept_totals(league) == totals_of_lines(lines)
    for kept_total in PlayerTotal.objects.filter(league=league):
        assert kept_total.mean == float(Fraction(kept_total.total, kept_total.games * kept_total.parts))
    assert kept_hands(league) == hands
    assert kept_hands_of_all(league) == hands_of_all(hands)
    kept = SeasonSize.objects.filter(season__league=league).values_list("season", "seats", "games", "by_seat", "by_dealer")
    assert {(season, seats): tuple(rest) for season, seats, *rest in kept} == sizes_of_events(league)
    seats = Seat.objects.filter(game__league=league)
    said = {(game, number): tuple(rest) for game, number, *rest in seats.values_list("game", "number", *_OF_HANDS)}
    assert said == dict.fromkeys(said, ([], 0, 0)) | seats_of_events(league)


_OF_HANDS = ("by_dealer", "behind", "behind_after")
