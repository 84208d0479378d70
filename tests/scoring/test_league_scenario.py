"""A league of twelve people, four seasons and four versions of the house rules: set up, played, corrected, closed, compared.

Every number of its pages is read off the page and worked out a second time from the raw events, by the plainest code that
does it (``plain_scorebook``), with no help of the scorebook's own.
"""

import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from fractions import Fraction

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils.html import escape
from openskill.models import BradleyTerryFull, BradleyTerryFullRating
from pytest_django.plugin import DjangoDbBlocker

from continental.rules.standing_methods import Terms
from players.models import League
from scoring import archive, archive_reading, record, record_archive, record_league, season, tallies
from scoring.models import Event, Game, PlayerHand, PlayerSeason, Season, Seat, Signature
from scoring.policies import Policies
from scoring.views.sheets import unlike
from tests.cast import assemble
from tests.scoring import plain_scorebook as plain
from tests.scoring.page_numbers import PageNumbers, mean_of, points_of, share_of, shown
from tests.scoring.plain_scorebook import PlainGame, Played
from tests.scoring.recount import assert_recounted
from tests.scoring.scenario import EVENINGS, SEASONS, Evenings
from tests.scoring.tables import act

pytestmark = pytest.mark.django_db

WORDS = {1: "2 sets", 2: "1 set + 1 run", 3: "2 runs"}
DECIMALS = {"mean-total": 1, "place-points": 1, "best-n": 0}


@pytest.fixture(scope="module")
def evenings(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Evenings]:
    """The league, played once for all tests here; each of them leaves it as it was."""
    with django_db_blocker.unblock(), transaction.atomic():
        played = Evenings(assemble(), 20_240_101)
        played.play_all()
        yield played
        transaction.set_rollback(True)


def counted(evenings: Evenings, of: Season | None = None) -> list[PlainGame]:
    return [game for game in evenings.plain() if game.counts and (of is None or game.season == of.pk)]


def name_of(evenings: Evenings, pk: int) -> str:
    return next(player.name for player in evenings.players if player.pk == pk)


# ---------------------------------------------------------------------------------------------------------------------
# A season's table


def credited(games: Iterable[PlainGame], policies: Policies) -> dict[int, list[Played]]:
    """Every player's games as the season credits them."""
    lines: dict[int, list[Played]] = defaultdict(list)
    for game in games:
        for seat, player in enumerate(game.players):
            role, stands_for = game.roles.get(seat, ("player", None))
            whose: int | None = player
            if role == "guest" and policies.guests == "unranked":
                whose = None
            elif role == "substitute" and policies.substitutes != "own":
                whose = stands_for if policies.substitutes == "absent" else None
            if whose is not None:
                lines[whose].append(Played(game, seat))
    return lines


def plain_value(terms: Terms, played: list[Played]) -> Fraction:
    """A player's value, worked out as somebody with a pencil would."""
    totals = sorted(one.total for one in played)
    match terms.method:
        case "mean-total":
            kept = totals[: len(totals) - len(totals) // terms.drop_every] if terms.drop_every else totals
            return Fraction(sum(kept), len(kept))
        case "best-n":
            return Fraction(sum(totals[: terms.best]))
        case "place-points":
            return sum(map(place_points, played), Fraction(0)) / len(played)
    raise AssertionError(terms.method)


def place_points(one: Played) -> Fraction:
    """What the places shared are worth, in equal parts."""
    seats, sharing = len(one.game.players), one.game.places.count(one.place)
    return sum((Fraction(100 * (seats - at), seats - 1) for at in range(one.place, one.place + sharing)), Fraction(0)) / sharing


def merit(terms: Terms, played: list[Played]) -> tuple[Fraction | int, ...]:
    """What orders the table, the smaller the better."""
    value = plain_value(terms, played)
    mean_place = Fraction(sum(one.place for one in played), len(played))
    mean_total = Fraction(sum(one.total for one in played), len(played))
    first = mean_total if terms.method == "place-points" else mean_place
    wins, best = sum(one.place == 1 for one in played), min(one.total for one in played)
    return (
        -value if terms.method == "place-points" else value,
        first,
        -wins,
        best,
        -sum(one.game.outs(one.seat) for one in played),
    )


def needed(terms: Terms, games: int) -> int:
    return terms.best if terms.method == "best-n" else terms.qualifying + (games // terms.rising if terms.rising else 0)


def expected_table(evenings: Evenings, of: Season) -> list[list[str]]:
    """The rows of a season's table, as its page should have them."""
    terms, games = Terms.read(of.terms), counted(evenings, of)
    lines = credited(games, Policies.read(of.policies))
    merits = {player: merit(terms, played) for player, played in lines.items()}
    least = needed(terms, len(games))
    ranked = [player for player in lines if len(lines[player]) >= least]
    order = sorted(lines, key=lambda player: (player not in ranked, merits[player], name_of(evenings, player)))
    rows = []
    for player in order:
        played = lines[player]
        rank = 1 + sum(merits[other] < merits[player] for other in ranked)
        dropped = len(played) // terms.drop_every if terms.method != "best-n" and terms.drop_every else 0
        if terms.method == "best-n":
            dropped = max(0, len(played) - terms.best)
        means = [mean_of([one.total for one in played], 1)] if terms.method != "mean-total" else []
        rows.append(
            [
                ("1 ★" if rank == 1 else str(rank)) if player in ranked else "–",
                name_of(evenings, player),
                shown(plain_value(terms, played), DECIMALS[terms.method]),
                f"{len(played)} −{dropped}" if dropped else str(len(played)),
                *means,
                mean_of([one.place for one in played], 2),
                str(sum(one.place == 1 for one in played)),
                points_of(min(one.total for one in played)),
                str(sum(one.game.outs(one.seat) for one in played)),
            ]
        )
    return rows


def test_every_table_on_a_page_is_what_the_raw_events_give(evenings: Evenings) -> None:
    client = evenings.cast.client("viewer")
    for of in evenings.league.seasons.all():
        page = client.get(reverse("scoring:season", args=[evenings.league.slug, of.pk])).content.decode()
        rows = [row for row in PageNumbers(page).rows("") if len(row) > 1]
        assert rows == expected_table(evenings, of)
        assert all(escape(rule) in page for rule in season.standings(of).rules)
        assert len({row[1] for row in rows}) >= 9
    assert_recounted(evenings.league)


def test_every_reason_on_a_page_adds_up_to_its_row(evenings: Evenings) -> None:
    plainly = {game.pk: game for game in evenings.plain()}
    for of in evenings.league.seasons.all():
        table = season.standings(of)
        behind = season.why(of, [line.player.pk for line in table.lines])
        for line in table.lines:
            kept = [plainly[game.game.pk].as_counted(game.seat.number) for game in behind[line.player.pk] if game.counts]
            if table.terms.method != "place-points":
                assert line.value == (sum(kept) if table.terms.method == "best-n" else sum(kept) / len(kept))
            assert len(behind[line.player.pk]) == line.games


# ---------------------------------------------------------------------------------------------------------------------
# A player's page


def hands_of(played: Iterable[Played]) -> plain.Hands:
    return plain.add_up((one.game, hand, one.seat) for one in played for hand in one.hands())


def grouped(pairs: Iterable[tuple[int, int]], places: int) -> list[list[str]]:
    """Rows of a group, the mean of its values, and how many they are."""
    sums: dict[int, list[int]] = defaultdict(list)
    for group, value in pairs:
        sums[group].append(value)
    return [[str(group), mean_of(values, places), str(len(values))] for group, values in sorted(sums.items())]


def from_dealer(rows: list[list[str]]) -> list[list[str]]:
    return [["deals" if row[0] == "0" else row[0], *row[1:]] for row in rows]


def own_run(wins: list[bool]) -> int:
    """The run of true values at the end."""
    return next((at for at, win in enumerate(reversed(wins)) if not win), len(wins))


def expected_terms(played: list[Played]) -> dict[str, str]:
    totals, places = [one.total for one in played], [one.place for one in played]
    hands, wins = hands_of(played), [place == 1 for place in places]
    behind = plain.comeback(played)
    return {
        "Mean total": mean_of(totals, 1),
        "Wins": str(sum(wins)),
        "Mean place": mean_of(places, 2),
        "Mean a hand": mean_of(hands.given, 1),
        "Hands gone out": str(hands.out),
        "Went down": share_of(hands.opened, hands.opened_known),
        "Jokers caught": share_of(hands.jokers, hands.in_play),
        "Substitutes received": str(hands.substituted),
        "Best game": points_of(min(totals)),
        "Worst game": points_of(max(totals)),
        "Best hand": str(min(hands.given)),
        "Worst hand": str(max(hands.given)),
        "Wins in a row": str(plain.longest(wins)),
        "Games in a row without a win": str(plain.longest(not win for win in wins)),
    } | ({"Biggest comeback": str(behind)} if behind else {})


def expected_meetings(evenings: Evenings, played: list[Played]) -> list[list[str]]:
    met: dict[int, list[int | Fraction]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for one in played:
        for other, player in enumerate(one.game.players):
            if other != one.seat:
                theirs = one.game.places[other]
                between = one.game.as_counted(other) - one.total
                found: list[int | Fraction] = [1, one.place < theirs, one.place > theirs, one.place == theirs, between]
                met[player] = [was + more for was, more in zip(met[player], found, strict=True)]
    rows = [[name_of(evenings, player), *map(points_of, numbers)] for player, numbers in met.items()]
    return sorted(rows, key=lambda row: (-int(row[1]), row[0]))


def expected_contracts(played: list[Played], everybody: list[Played]) -> list[list[str]]:
    rows = []
    for number, words in WORDS.items():
        own, all_of_them = (
            plain.add_up((one.game, hand, one.seat) for one in some for hand in one.hands() if hand.number == number)
            for some in (played, everybody)
        )
        if own.given or own.substituted:
            highest = str(max(own.given)) if own.given else "–"
            theirs = mean_of(all_of_them.given, 1) if all_of_them.given else ""
            rows.append([str(number), words, mean_of(own.given, 1), str(len(own.given)), theirs, str(own.out), highest])
    return rows


def everybody_in(games: Iterable[PlainGame]) -> list[Played]:
    return [Played(game, seat) for game in games for seat in range(len(game.players))]


def test_every_number_on_a_players_page_is_what_the_raw_events_give(evenings: Evenings) -> None:
    client, slug = evenings.cast.client("viewer"), evenings.league.slug
    seasons = list(evenings.league.seasons.order_by("starts"))
    for player in evenings.players:
        page = PageNumbers(client.get(reverse("scoring:player", args=[slug, player.pk])).content.decode())
        played = plain.of_player(counted(evenings), player.pk)
        terms = dict(page.terms)
        nemesis = terms.pop("Nemesis", "")
        assert terms == expected_terms(played)
        assert page.small["Wins"] == f"{share_of(int(terms['Wins']), len(played))} of {len(played)} games"
        assert f"now {own_run([one.place == 1 for one in played])}" in page.small["Wins in a row"]
        meetings = expected_meetings(evenings, played)
        assert page.rows("meetings") == meetings
        _check_nemesis(nemesis, meetings)
        newest = next(of for of in reversed(seasons) if any(one.game.season == of.pk for one in played))
        assert page.rows("contracts") == expected_contracts(played, everybody_in(counted(evenings, newest)))
        hands = [(one, hand) for one in played for hand in one.hands() if hand.points[one.seat] is not None]
        assert page.rows("positions", 0) == grouped(((one.seat + 1, one.place) for one in played), 2)
        after_first = ((one.seat - one.game.hands[0].dealer) % len(one.game.players) for one in played)
        by_first = zip(after_first, (one.place for one in played), strict=True)
        assert page.rows("positions", 1) == from_dealer(grouped(by_first, 2))
        by_dealer = [((one.seat - hand.dealer) % len(one.game.players), hand.points[one.seat] or 0) for one, hand in hands]
        assert page.rows("positions", 2) == from_dealer(grouped(by_dealer, 1))
        totals = [one.total for one in played]
        assert [row[1:] for row in page.rows("progress")] == [
            [points_of(total), mean_of(totals[: at + 1], 1)] for at, total in enumerate(totals)
        ]


def _check_nemesis(nemesis: str, meetings: list[list[str]]) -> None:
    shares = {
        name: Fraction(int(behind), int(games))
        for name, games, _ahead, behind, *_rest in meetings
        if int(games) >= 3 and 2 * int(behind) > int(games)
    }
    assert (nemesis == "") == (not shares)
    if nemesis:
        assert shares[nemesis] == max(shares.values())


def test_a_players_page_of_one_season_holds_to_it(evenings: Evenings) -> None:
    client, slug = evenings.cast.client("viewer"), evenings.league.slug
    for of in evenings.league.seasons.all():
        for player in evenings.players[:3]:
            played = plain.of_player(counted(evenings, of), player.pk)
            address = reverse("scoring:player", args=[slug, player.pk])
            terms = dict(PageNumbers(client.get(address, {"season": of.pk}).content.decode()).terms)
            terms.pop("Nemesis", None)
            assert terms == (expected_terms(played) if played else {})


def test_the_seasons_on_a_players_page_are_the_rows_of_their_tables(evenings: Evenings) -> None:
    client, slug = evenings.cast.client("viewer"), evenings.league.slug
    tables = {of.name: {row[1]: row for row in expected_table(evenings, of)} for of in evenings.league.seasons.all()}
    for player in evenings.players:
        page = PageNumbers(client.get(reverse("scoring:player", args=[slug, player.pk])).content.decode())
        shown_here = {row[0]: row for row in page.rows("")}
        assert set(shown_here) == {name for name, rows in tables.items() if player.name in rows}
        for name, row in shown_here.items():
            line = tables[name][player.name]
            assert row[1] == line[0].removesuffix(" ★")
            assert row[3] == line[3].partition(" ")[0]
            assert row[4:] == line[-4:]


# ---------------------------------------------------------------------------------------------------------------------
# The league's page


def _records(games: list[PlainGame], lines: dict[int, list[Played]]) -> dict[str, str]:
    totals = [one.total for played in lines.values() for one in played]
    given = [hand.points[one.seat] for one in everybody_in(games) for hand in one.hands()]
    outs = {player: sum(one.game.outs(one.seat) for one in played) for player, played in lines.items()}
    wins = {player: sum(one.place == 1 for one in played) for player, played in lines.items()}
    sat = {player for game in games for player in game.players}
    runs = [plain.longest(one.place == 1 for one in plain.of_player(games, player)) for player in sat]
    return {
        "Lowest total": points_of(min(totals)),
        "Highest total": points_of(max(totals)),
        "Highest hand": str(max(points for points in given if points is not None)),
        "Most wins": str(max(wins.values())),
        "Most hands out": str(max(outs.values())),
        "Most hands out in a game": str(max(one.game.outs(one.seat) for one in everybody_in(games))),
        "Wins in a row": str(max(runs)),
        "Biggest comeback": str(plain.comeback(everybody_in(games))),
    }


def _people(evenings: Evenings, games: list[PlainGame], lines: dict[int, list[Played]]) -> list[list[str]]:
    rows = []
    for player in sorted(lines, key=lambda player: (-len(lines[player]), player)):
        hands = hands_of(plain.of_player(games, player))
        rows.append(
            [
                name_of(evenings, player),
                str(len(lines[player])),
                mean_of(hands.given, 1),
                f"{hands.out} {share_of(hands.out, len(hands.given))}",
                share_of(hands.opened, hands.opened_known),
                f"{hands.jokers}/{hands.in_play}" if hands.in_play else "–",
                str(hands.substituted),
            ]
        )
    return rows


def test_every_number_on_the_statistics_page_is_what_the_raw_events_give(evenings: Evenings) -> None:
    client, address = evenings.cast.client("viewer"), reverse("scoring:statistics", args=[evenings.league.slug])
    ratings = expected_ratings(evenings)
    assert len(ratings) == len(evenings.players)
    seasons = list(evenings.league.seasons.all())
    for of in (None, *seasons):
        games = counted(evenings, of)
        lines: dict[int, list[Played]] = defaultdict(list)
        for one in seasons if of is None else [of]:
            for player, played in credited(counted(evenings, one), Policies.read(one.policies)).items():
                lines[player] += played
        page = PageNumbers(client.get(address, {"season": of.pk} if of else {}).content.decode())
        assert page.terms == _records(games, lines)
        assert page.rows("people") == _people(evenings, games, lines)
        everybody = expected_contracts(everybody_in(games), [])
        assert page.rows("contracts") == [[*row[:4], *row[5:]] for row in everybody]
        assert [page.rows("positions", at) for at in (0, 1)] == expected_positions(games)
        assert page.rows("ratings") == ratings


def expected_positions(games: list[PlainGame]) -> list[list[list[str]]]:
    """The mean places of tables of each size: by seat, and by seats after whoever dealt the first hand."""
    sizes = sorted({len(game.players) for game in games})
    tables = []
    for after_dealer in (False, True):
        rows = []
        for size in sizes:
            own = [game for game in games if len(game.players) == size]
            seats = [[(game.hands[0].dealer * after_dealer + at) % size for game in own] for at in range(size)]
            means = [mean_of([game.places[seat] for game, seat in zip(own, one, strict=True)], 2) for one in seats]
            rows.append([str(size), str(len(own)), *means])
        tables.append(rows)
    return tables


def expected_ratings(evenings: Evenings) -> list[list[str]]:
    """The rows of the ratings: the library's own model, over every counted game from the first."""
    model = BradleyTerryFull()
    rated: dict[int, BradleyTerryFullRating] = {}
    games: dict[int, int] = defaultdict(int)
    for game in counted(evenings):
        teams = [[rated.get(player, model.rating())] for player in game.players]
        for player, (own,) in zip(game.players, model.rate(teams, ranks=[float(place) for place in game.places]), strict=True):
            rated[player] = own
            games[player] += 1
    order = sorted(rated, key=lambda player: (-rated[player].mu, player))
    return [
        [name_of(evenings, player), f"{rated[player].mu:.1f}", f"{rated[player].sigma:.1f}", str(games[player])]
        for player in order
    ]


def test_the_all_time_table_adds_the_seasons_up(evenings: Evenings) -> None:
    lines: dict[int, list[Played]] = defaultdict(list)
    for of in evenings.league.seasons.all():
        for player, played in credited(counted(evenings, of), Policies.read(of.policies)).items():
            lines[player] += played
    page = evenings.cast.client("viewer").get(reverse("scoring:all-time", args=[evenings.league.slug])).content.decode()
    rows = {row[1]: row for row in PageNumbers(page).rows("") if len(row) > 1}
    assert set(rows) == {name_of(evenings, player) for player in lines}
    for player, played in lines.items():
        row = rows[name_of(evenings, player)]
        assert row[2:5] == [
            mean_of([one.total for one in played], 1),
            str(len(played)),
            mean_of([one.place for one in played], 2),
        ]


# ---------------------------------------------------------------------------------------------------------------------
# Set up, compared, closed, amended


def test_the_league_has_seen_everything_that_happens_to_one(evenings: Evenings) -> None:
    games = evenings.plain()
    assert len(games) == len(SEASONS) * EVENINGS
    kinds = set(Event.objects.filter(game__league=evenings.league).values_list("kind", flat=True))
    assert kinds >= {"leave", "join", "role", "suspend", "resume", "finish", "strike", "undo", "count", "close", "opened"}
    happened: dict[str, Callable[[PlainGame], bool]] = {
        "a late joiner on agreed terms": lambda game: any(how for _first, how in game.late.values()),
        "a late joiner who did not finish": lambda game: any(not how for _first, how in game.late.values()),
        "a total made of two others": lambda game: game.counts and not all(map(game.complete, range(len(game.players)))),
        "a short night that counts": lambda game: game.short and not game.scales,
        "a short night that is scaled": lambda game: game.short and game.scales and game.counts,
        "a short night with too few hands": lambda game: game.scales and not (game.short or game.over or game.suspended),
        "a short night with a late joiner": lambda game: game.short and bool(game.late),
        "a night that was cut short and is void": lambda game: not game.over and not game.suspended,
        "a game lost to the turn of the year": lambda game: game.suspended,
        "a game struck out": lambda game: game.struck,
    }
    assert [what for what, of in happened.items() if not any(map(of, games))] == []
    statuses = dict(Game.objects.filter(league=evenings.league).values_list("pk", "status"))
    assert {game.pk for game in games if game.counts} == {pk for pk, status in statuses.items() if status == "finished"}


def test_four_versions_are_compared_pinned_and_signed(evenings: Evenings) -> None:
    first, second, third, fourth = evenings.sheets
    assert [sheet.version for sheet in evenings.sheets] == [1, 2, 3, 4]
    assert [item.where for item in unlike(first.rules, second.rules)] == ["Points of the cards: joker"]
    assert [item.where for item in unlike(second.rules, third.rules)] == ["Taking a wild card from a set"]
    assert [item.where for item in unlike(third.rules, fourth.rules)] == ["Hands"]
    assert set(Game.objects.filter(league=evenings.league).values_list("sheet__version", flat=True)) == {1, 2, 3, 4}
    assert Signature.objects.filter(sheet__league=evenings.league).count() == 28


def test_a_closed_season_stays_and_says_what_a_correction_would_change(evenings: Evenings) -> None:
    client, slug = evenings.cast.client("viewer"), evenings.league.slug
    for standing in list(evenings.league.seasons.order_by("starts")):
        record_league.close_season(standing, evenings.cast.owner, date(2027, 1, 1))
    spring = evenings.league.seasons.get(name="Spring")
    before = expected_table(evenings, spring)
    hurt = Seat.objects.filter(game__season=spring, place=1).select_related("game").latest("game__started_on")
    act(hurt.game, "count", hand=1, seat=hurt.number, kind="points", points="499", reason="agreed by all")
    page = client.get(reverse("scoring:season", args=[slug, spring.pk])).content.decode()
    assert [row for row in PageNumbers(page).rows("") if len(row) > 1] == before
    assert expected_table(evenings, spring) != before
    after = season.closed(Season.objects.get(pk=spring.pk))
    assert after is not None
    assert hurt.credited_id in {item.player.pk for item in after.amended}


def rows_without_keys(model: type[PlayerSeason | PlayerHand]) -> list[str]:
    rows: list[dict[str, object]] = [dict(row) for row in model.objects.values()]
    return sorted(str({name: value for name, value in row.items() if name != "id"}) for row in rows)


def test_rebuilding_everything_changes_nothing(evenings: Evenings) -> None:
    assert sum(record.rebuild(pk) for pk in Game.objects.values_list("pk", flat=True)) == 0
    kept = [rows_without_keys(model) for model in (PlayerSeason, PlayerHand)]
    tallies.recount_league(evenings.league)
    assert [rows_without_keys(model) for model in (PlayerSeason, PlayerHand)] == kept


def test_the_league_says_the_same_on_another_site(evenings: Evenings) -> None:
    data = json.loads(json.dumps(archive.league_data(evenings.league)))
    League.objects.filter(pk=evenings.league.pk).update(uid=uuid.uuid4())
    copy = record_archive.read_in(archive_reading.read(json.dumps(data).encode()), evenings.cast.owner)
    client = evenings.cast.client("owner")
    pages = [
        PageNumbers(client.get(reverse("scoring:statistics", args=[league.slug])).content.decode())
        for league in (evenings.league, copy)
    ]
    assert pages[0].terms == pages[1].terms
    assert pages[0].tables == pages[1].tables
