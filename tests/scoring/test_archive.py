"""A league taken out as one file and read in again: all of it or nothing, the same however often, and every flaw named."""

import json
import uuid
from datetime import date
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from continental.rules.standing_methods import Terms
from players import people
from players.models import League, Membership, Player, User
from scoring import (
    archive,
    archive_reading,
    archive_words,
    csv_files,
    figures,
    ratings,
    record,
    record_archive,
    record_league,
    season,
)
from scoring.archive_spots import Flaw
from scoring.models import Event, Game, Photo, PlayerSeason, Season, Seat
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from scoring.record_people import merge_players
from scoring.state import Refused
from tests.cast import Cast
from tests.factories import LeagueFactory, UserFactory
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import LONG_NAMES, act, game_of, hand

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

ADDRESS = "/new-league/archive/"


def lively_league() -> League:
    """A league with a bit of everything: names of all kinds, a merge, a closed season, corrections, rulings, a suspended game."""
    league = LeagueFactory.create(name="=Thursday 🎴")
    players = [people.add_player(league, name) for name in [*LONG_NAMES, "🃏" * 60, "=1+1", "Anna"]]
    plan = SeasonPlan("Old", date(2024, 1, 1), date(2024, 12, 31), Terms("best-n", best=2), Policies(substitutes="absent"))
    old = record_league.add_season(league, plan)
    ours = {"hands": [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}], "points": {"JK": 50}}
    sheet = record.add_sheet(league, "Ours", "house", ours, By(), notes=[])
    record.sign_sheet(sheet, players[0], By())
    for number in range(3):
        game = record.start_game(
            league, sheet, players[:4], number, By(), client_id=f"old-{number}", on=date(2024, 3, 1 + number)
        )
        play(game, number)
    noted = [{"text": "We said so", "game": Game.objects.order_by("pk")[0].pk, "ruling": None}]
    record.add_sheet(league, "Ours", "house", {**ours, "wrap": True}, By(), notes=noted)
    record_league.close_season(old, None, date(2025, 1, 1))
    act(Game.objects.order_by("pk")[1], "count", hand=2, seat=1, kind="points", points="3", reason="misread")
    running = game_of(league, [players[0], players[4], players[5]])
    act(running, "opened", hand=1, seat=2)
    act(running, "count", hand=1, seat=0, kind="cards", cards="K 9 JK")
    act(running, "undo", target=3)
    act(running, "photo", hand=1, seat=1, about="laid", name="a-photo-that-stays-behind")
    melds = [{"row": "m0", "cards": "7H 7D 7S", "spot": [0.5, 0.25]}, {"row": "m1", "cards": "KS KD JK", "spot": None}]
    told: dict[str, Any] = {"query": "rules=house&hand=1", "verdict": "legal", "reasons": ["house.set.definition"]}
    act(running, "evidence", hand=1, seat=1, photo="a-photo-that-stays-behind", melds=melds, **told)
    act(running, "ruling", kind="score-error", own=True, words="We play it over", reason="the lamp fell", hand=1)
    act(running, "penalty", seat=1, points=20, reason="for the lamp")
    parted = game_of(league, [players[-1], players[6], players[7]])
    hand(parted, 1, "out", 10, None)
    act(parted, "suspend", consent=[0, 1, 2])
    merge_players(players[0], players[-1], By())
    ratings.switch(league, on=True)
    return league


def play(game: Game, shift: int) -> None:
    act(game, "role", seat=3, role="guest")
    for number in (1, 2):
        scores: list[int | str | None] = [5 * (seat + number + shift) for seat in range(4)]
        scores[(number + shift) % 4] = "out"
        if number == 2:
            scores[(number + shift + 1) % 4] = None
        hand(game, number, *scores)


def document(league: League) -> dict[str, Any]:
    """The archive as a file would hold it."""
    data: dict[str, Any] = json.loads(json.dumps(archive.league_data(league)))
    return data


def raw(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def from_elsewhere(league: League) -> dict[str, Any]:
    """The archive of a league that this site does not have: the one it was taken of goes by another mark from now on."""
    data = document(league)
    League.objects.filter(pk=league.pk).update(uid=uuid.uuid4())
    return data


def read_in(data: object) -> League:
    return record_archive.read_in(archive_reading.read(raw(data)), UserFactory.create())


def counts() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (League, Player, Season, Game, Event, Membership, PlayerSeason))


# ---------------------------------------------------------------------------------------------------------------------
# There and back


def test_a_league_read_in_has_the_same_archive_the_same_tables_and_pages_that_open() -> None:
    league = lively_league()
    data = from_elsewhere(league)
    copy = read_in(data)
    assert document(copy) == data
    assert_recounted(copy)
    for was, now in zip(league.seasons.order_by("starts"), copy.seasons.order_by("starts"), strict=True):
        old, new = season.standings(was), season.standings(now)
        assert [(line.name, line.value, line.rank) for line in old.lines] == [
            (line.name, line.value, line.rank) for line in new.lines
        ]
        assert (season.closed(was) is None) == (season.closed(now) is None)
    owner = Membership.objects.get(league=copy).user
    client = Client()
    client.force_login(owner)
    for game in copy.games.all():
        assert record.rebuild(game.pk) == 0
        for name in ("table", "sheet", "history", "manage", "photos", "rulings"):
            assert client.get(reverse(f"scoring:{name}", args=[game.pk])).status_code == 200
        for kept in game.evidence.all():
            assert client.get(reverse("scoring:evidence", args=[game.pk, kept.rev])).status_code == 200
    assert copy.rulings.count() == league.rulings.count() == 1
    assert not Photo.objects.filter(game__league=copy).exists()
    for name in ("league", "season", "statistics", "all-time", "seasons", "rule-sheets"):
        assert client.get(reverse(f"scoring:{name}", args=[copy.slug])).status_code == 200


def test_the_corrected_line_of_a_closed_season_is_still_marked_after_the_journey() -> None:
    copy = read_in(from_elsewhere(lively_league()))
    closed = season.closed(copy.seasons.get(name="Old"))
    assert closed is not None
    assert "Benedikt von Hohenstein-Rabenau" in {change.player.name for change in closed.amended}


def test_the_times_of_a_log_are_kept() -> None:
    data = from_elsewhere(lively_league())
    data["games"][0]["events"][0]["at"] = "2024-03-01T19:02:03.000004+00:00"
    copy = read_in(data)
    assert Event.objects.filter(game__league=copy).earliest("at").at.isoformat() == "2024-03-01T19:02:03.000004+00:00"


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    moves=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 60)), max_size=25),
    names=st.lists(st.text(min_size=1, max_size=60), min_size=4, max_size=4),
)
def test_out_and_in_and_out_again_is_the_same_for_any_history(
    db: None, moves: list[tuple[int, int, int]], names: list[str]
) -> None:
    league = LeagueFactory.create()
    players = [Player.objects.create(league=league, name=f"{at}{name}"[:60]) for at, name in enumerate(names)]
    game = game_of(league, players)
    for what, seat, points in moves:
        _move(game, what, seat, points)
    data = from_elsewhere(league)
    assert document(read_in(data)) == data


def _move(game: Game, what: int, seat: int, points: int) -> None:
    """One thing that may happen at a table; what doesn't fit is refused there, and is no part of the history."""
    game.refresh_from_db()
    number = game.hand_number
    does: list[Callable[[], object]] = [
        lambda: act(game, "opened", hand=number, seat=seat),
        lambda: act(game, "count", hand=number, seat=seat, kind="points", points=str(points)),
        lambda: act(game, "count", hand=number, seat=seat, kind="cards", cards="JK A 7"),
        lambda: hand(game, number, *[points + other if other != seat else "out" for other in range(4)]),
        lambda: hand(game, number, *[points + other if other != seat else None for other in range(4)]),
        lambda: act(game, "undo", target=game.rev),
        lambda: act(game, "leave", seat=seat),
        lambda: act(game, "return", seat=seat),
        lambda: act(game, "penalty", seat=seat, points=points, reason="as agreed"),
        lambda: act(game, "count", hand=max(1, number - 1), seat=seat, kind="points", points=str(points), reason="misread"),
    ]
    try:
        does[what]()
    except Refused:
        return


def test_input_49_what_has_no_score_is_null_in_the_archive_and_an_empty_cell_in_the_table_of_hands() -> None:
    league = LeagueFactory.create()
    game = game_of(league, [people.add_player(league, name) for name in ("Ana", "Ben", "Cai", "Dot")])
    act(game, "leave", seat=3)
    hand(game, 1, "out", 10, None, "absent")
    act(game, "count", hand=2, seat=0, kind="points", points="5")
    (told,) = document(league)["games"]
    assert [(seat["total"], seat["place"]) for seat in told["result"]] == [(None, None)] * 4
    rows = [line.split(",") for line in csv_files.games_csv(league).splitlines()[1:]]
    assert [(row[7], row[8], row[10], row[11]) for row in rows] == [
        ("Ana", "out", "0", "0"),
        ("Ben", "points", "10", "10"),
        ("Cai", "none", "", "10"),
        ("Dot", "absent", "", ""),
    ]


def test_input_51_the_games_counted_are_the_games_listed_after_a_merge_and_on_another_site() -> None:
    league = lively_league()
    copy = read_in(from_elsewhere(league))
    for one in (league, copy):
        for player in Player.objects.filter(league=one):
            found = figures.of_player(player)
            listed = Seat.objects.filter(player=player, game__status=Game.Status.FINISHED)
            assert len(found.seats) == listed.count()
            credited = listed.filter(credited=player).count()
            assert sum(line.games for line in PlayerSeason.objects.filter(player=player)) == credited


def test_input_61_names_of_every_kind_arrive_as_they_were_and_no_spreadsheet_runs_them() -> None:
    copy = read_in(from_elsewhere(lively_league()))
    names = set(copy.players.values_list("name", flat=True))
    assert {"<img src=x onerror=alert(1)>", "=1+1", "🃏" * 60, "محمد بن عبد الله"} <= names
    play(game_of(copy, list(copy.players.filter(hidden=False))[:4]), 0)
    cells = [cell for line in csv_files.games_csv(copy).splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell.strip('"').startswith(("=", "+", "-", "@"))]


# ---------------------------------------------------------------------------------------------------------------------
# Twice, and by whom


def test_the_same_archive_twice_is_refused_and_changes_nothing() -> None:
    data = from_elsewhere(lively_league())
    read_in(data)
    before = counts()
    with pytest.raises(Flaw, match="here-already"):
        read_in(data)
    assert counts() == before


def test_a_league_is_not_read_in_beside_itself() -> None:
    data = document(lively_league())
    with pytest.raises(Flaw, match="here-already"):
        read_in(data)


def test_whoever_has_an_account_reads_a_league_in_and_owns_it(cast: Cast) -> None:
    data = from_elsewhere(lively_league())
    assert Client().get(ADDRESS)["Location"].startswith(reverse("players:sign-in"))
    client = cast.client("stranger")
    assert client.get(ADDRESS).status_code == 200
    answer = client.post(ADDRESS, {"archive": named(raw(data))}, follow=True)
    copy = League.objects.latest("pk")
    assert answer.redirect_chain == [(reverse("scoring:league", args=[copy.slug]), 303)]
    assert "5 games were read in" in answer.content.decode()
    assert list(copy.memberships.values_list("user__username", "role")) == [("stranger", "owner")]
    again = client.post(ADDRESS, {"archive": named(raw(data))})
    assert again.status_code == 422
    assert "on this site already" in again.content.decode()


def named(content: bytes) -> BytesIO:
    file = BytesIO(content)
    file.name = "league.json"
    return file


def test_the_owner_finds_the_archive_in_the_settings(cast: Cast) -> None:
    page = cast.client("owner").get(reverse("players:league-settings", args=[cast.league.slug])).content.decode()
    assert reverse("scoring:league-json", args=[cast.league.slug]) in page
    assert ADDRESS in cast.client("owner").get(reverse("players:new-league")).content.decode()


FIRST = {"name": "Ada", "password": "felt-and-paper"}


def test_an_empty_site_is_set_up_with_the_league_of_an_archive_and_no_other(client: Client, sound: dict[str, Any]) -> None:
    assert ADDRESS in client.get("/").content.decode()
    assert 'name="password"' in client.get(ADDRESS).content.decode()
    answer = client.post(ADDRESS, {**FIRST, "archive": named(raw(sound))})
    league = Membership.objects.get(user__username="Ada", role=Membership.Role.OWNER).league
    assert answer["Location"] == league.get_absolute_url()
    assert str(league.uid) == sound["league"]["uid"]
    assert client.get(league.get_absolute_url()).status_code == 200
    assert Client().get(ADDRESS).status_code == 302, "the next visitor must sign in"


@pytest.mark.parametrize(
    ("sent", "broken", "said"),
    [
        ({"password": "short"}, False, "too short"),
        ({"name": " "}, False, "This field is required"),
        ({}, True, "The file breaks off or is damaged"),
    ],
)
def test_an_empty_site_stays_empty_where_account_or_archive_will_not_do(
    client: Client, sound: dict[str, Any], sent: dict[str, str], broken: bool, said: str
) -> None:
    before = League.objects.count()
    content = raw(sound)[: 900 if broken else None]
    answer = client.post(ADDRESS, {**FIRST, **sent, "archive": named(content)})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert FIRST["password"] not in answer.content.decode()
    assert not User.objects.exists()
    assert League.objects.count() == before


def test_an_account_without_a_league_is_offered_to_read_one_in(client: Client) -> None:
    client.force_login(UserFactory.create())
    assert ADDRESS in client.get("/").content.decode()


def test_the_commands_take_a_league_out_and_read_it_in(tmp_path: Path) -> None:
    league = lively_league()
    out = StringIO()
    call_command("write_archive", league.slug, stdout=out)
    file = tmp_path / "league.json"
    file.write_text(out.getvalue(), encoding="utf-8")
    owner = UserFactory.create(username="Ada")
    with pytest.raises(CommandError, match="on this site already"):
        call_command("read_archive", str(file), owner="ada")
    League.objects.filter(pk=league.pk).update(uid=uuid.uuid4())
    call_command("read_archive", str(file), owner="ada", stdout=StringIO())
    assert Membership.objects.get(user=owner).league.name == "=Thursday 🎴"
    for wrong in (["nowhere.json", "ada"], [str(file), "nobody"]):
        with pytest.raises(CommandError):
            call_command("read_archive", wrong[0], owner=wrong[1])
    with pytest.raises(CommandError):
        call_command("write_archive", "nowhere")


# ---------------------------------------------------------------------------------------------------------------------
# Files that are no archive, and archives that cannot be


def refused(content: bytes) -> str:
    """Read what must be refused; give the sentence."""
    before = counts()
    with pytest.raises(Flaw) as flaw:
        record_archive.read_in(archive_reading.read(content), UserFactory.create())
    assert counts() == before
    with translation.override("es"):
        assert archive_words.sentence(flaw.value)
    return archive_words.sentence(flaw.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty"),
        (b'{"format"', "breaks off or is damaged: it cannot be read from line 1, character 10"),
        (b"\x89PNG\r\n", "no text in UTF-8: byte 1"),
        (b"[]", "An object is wanted here, not a list"),
        (b"null", "An object is wanted here, not nothing"),
        (b"{}", "At format: This is not the archive of a league"),
        (b'{"format": "continental-league", "version": 1}', "At version: The archive is of a version that is unknown"),
        (b'{"format": "continental-league", "version": 99}', "version 2 is read"),
        (b'{"format": "continental-league", "version": "2"}', "version 2 is read"),
        (b'{"format": "continental-league", "version": 2}', "“league” is missing"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"format": "\\ud800"}', "half a character"),
        (b'{"format": 1e999}', "a number without end"),
        (b'{"format": ' + b"9" * 5000 + b"}", "a number without end"),
    ],
)
def test_what_is_no_archive_is_refused_in_a_sentence(content: bytes, said: str) -> None:
    sentence = refused(content)
    assert said in sentence
    assert sentence.endswith("Nothing was read in.")


def test_input_37_a_file_that_breaks_off_anywhere_changes_nothing_and_the_game_goes_on() -> None:
    league = lively_league()
    game = league.games.get(status=Game.Status.PLAYING)
    whole = raw(from_elsewhere(league))
    for length in range(1, len(whole), len(whole) // 23):
        assert "Nothing was read in." in refused(whole[:length])
    act(game, "count", hand=1, seat=1, kind="points", points="5")


_SOUND: list[str] = []


@pytest.fixture
def sound(db: None) -> dict[str, Any]:
    """A sound archive, made once: every test breaks its own copy of it."""
    if not _SOUND:
        _SOUND.append(json.dumps(from_elsewhere(lively_league())))
    data: dict[str, Any] = json.loads(_SOUND[0])
    return data


BROKEN: dict[str, tuple[tuple[str | int, ...], Any, str]] = {
    "a player of another league": (
        ("games", 0, "events", 0, "data", "players", 1),
        7741,
        "At games[0].events[0].data: There is no player 7741",
    ),
    "a substitute for nobody": (
        ("games", 0, "events", 1, "data"),
        {"seat": 3, "role": "substitute", "stands_for": 99},
        "no player 99",
    ),
    "a formula for a total": (("games", 0, "result", 0, "total"), "=1+1", "At games[0].result[0].total: The file says “=1+1”"),
    "another total": (("games", 0, "result", 0, "total"), 12, "At games[0].result[0].total: The file says 12"),
    "another state": (("games", 0, "status"), "void", "At games[0].status: The file says “void”"),
    "a name of 61 characters": (("players", 0, "name"), "x" * 61, "At players[0].name: The text has 61 characters"),
    "a name that is not seen": (("players", 0, "name"), "\u200d", "At players[0].name: A name needs"),
    "a name that turns the page round": (("players", 0, "name"), "\u202eAna", "At players[0].name: The file says"),
    "a name twice": (("players", 1, "name"), "ANA", "At players[1].name: This is there twice"),
    "a number for a name": (("players", 0, "name"), 7, "At players[0].name: A text is wanted here, not 7"),
    "a null byte": (("players", 0, "nickname"), "A\x00", "At players[0].nickname: There is something that can't be kept"),
    "a player out of order": (("players", 1, "id"), 9, "At players[1].id: The number is 9 where 2 is due"),
    "an unknown zone": (("league", "timezone"), "Mars/Olympus", "At league.timezone: “Mars/Olympus” is not a time zone"),
    "no mark": (("league", "uid"), "x", "At league.uid"),
    "seasons that overlap": (("seasons", 1, "starts"), "2024-05-01", "At seasons[1].starts"),
    "a day that is none": (("seasons", 0, "ends"), "2024-02-31", "At seasons[0].ends: A day such as"),
    "a method that is none": (("seasons", 0, "terms"), {"method": "luck"}, "At seasons[0].terms.method"),
    "a policy that is none": (
        ("seasons", 0, "policies", "guests"),
        "thrown out",
        "At seasons[0].policies.guests: “thrown out” is none of",
    ),
    "a table of strangers": (("seasons", 0, "snapshot", "lines", 0, "player"), 400, "At seasons[0].snapshot.lines[0].player"),
    "a value of nothing": (("seasons", 0, "snapshot", "lines", 0, "value"), [1, 0], "At seasons[0].snapshot.lines[0].value[1]"),
    "a closed season without its table": (("seasons", 0, "snapshot"), None, "At seasons[0].snapshot"),
    "a sheet that contradicts itself": (("sheets", 0, "overrides"), {"min_run": 9, "max_run": 5}, "At sheets[0].overrides"),
    "a sheet of an unknown game": (("sheets", 0, "base"), "poker", "At sheets[0].overrides"),
    "a signature of a stranger": (("sheets", 0, "signed", 0, "player"), 400, "At sheets[0].signed[0].player"),
    "two sheets of one version": (("sheets", 1, "version"), 1, "At sheets[1].name: This is there twice"),
    "a game of no season": (("games", 0, "season"), 12, "At games[0].season: There is no season 12"),
    "a game outside its season": (("games", 0, "started_on"), "2023-12-31", "At games[0].started_on: The day is outside"),
    "a game of another day": (("games", 0, "started_on"), "2024-02-01", "At games[0].started_on: The log says"),
    "a game without a log": (("games", 0, "events"), [], "At games[0].events: A game has at least"),
    "a gap in a log": (("games", 0, "events", 3, "rev"), 9, "At games[0].events[3].rev: The number is 9 where 4 is due"),
    "a second start": (("games", 0, "events", 3, "kind"), "start", "At games[0].events[3].kind: There is no action"),
    "an unknown action": (("games", 0, "events", 3, "kind"), "cheat", "At games[0].events[3].kind: There is no action “cheat”"),
    "an undo of nothing": (("games", 0, "events", 3, "replaces"), 2, "At games[0].events[3].replaces"),
    "an action twice": (("games", 0, "events", 3, "client_id"), "old-0", "At games[0].events[3].client_id: This is there twice"),
    "points that are none": (
        ("games", 0, "events", 2, "data", "points"),
        "many",
        "At games[0].events[2]: “many” is no number of points",
    ),
    "a seat that is none": (("games", 0, "events", 3, "data", "seat"), 11, "At games[0].events[3]: "),
    "an event of another shape": (("games", 0, "events", 0, "data", "on"), 7, "At games[0]."),
    "a hand closed too early": (("games", 0, "events", 2, "kind"), "close", "At games[0].events[2]: Hand 1 cannot close"),
    "a time without a zone": (("games", 0, "events", 0, "at"), "2024-03-01T10:00:00", "At games[0].events[0].at"),
    "a reason without end": (("games", 0, "events", 0, "reason"), "x" * 5000, "At games[0].events[0].reason: The text has 5000"),
    "games that are no list": (("games",), {"1": {}}, "At games: A list is wanted here, not an object"),
    "a merge in a circle": (("merges", 0, "gone"), 1, "At merges[0]: These two cannot be one person"),
    "something of another program": (("games", 0, "elo"), 1500, "At games[0]: “elo” is not known here"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_an_archive_with_one_thing_wrong_is_refused_as_a_whole_and_the_place_is_named(sound: dict[str, Any], what: str) -> None:
    path, value, said = BROKEN[what]
    put(sound, path, value)
    assert said in refused(raw(sound))


def put(data: Any, path: tuple[str | int, ...], value: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = value


def test_any_part_of_another_kind_is_read_or_refused_in_a_sentence_and_never_an_error(sound: dict[str, Any]) -> None:
    paths = [path for at in (0, 3, 4) for path in _paths(sound["games"][at], ("games", at))]
    paths += [path for part in ("seasons", "sheets", "players", "merges", "league") for path in _paths(sound[part], (part,))]
    whole = json.dumps(sound)
    said: set[str] = set()
    odd: list[Any] = [None, "=1+1", -1, [], {}, True, [[]]]
    for at, path in enumerate(paths):
        data = json.loads(whole)
        put(data, path, odd[at % len(odd)])
        try:
            archive_reading.read(raw(data))
        except Flaw as flaw:
            said.add(archive_words.sentence(flaw))
    assert len(said) > 20


@pytest.mark.parametrize("odd", [None, "=1+1", -1, 7, 1.5, True, {}, [[]]], ids=str)
def test_each_part_as_a_whole_of_another_kind_is_refused_in_a_sentence(sound: dict[str, Any], odd: Any) -> None:
    for part in sound:
        with pytest.raises(Flaw) as refusal:
            archive_reading.read(raw({**sound, part: odd}))
        assert archive_words.sentence(refusal.value)


def _paths(part: Any, at: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    found = [at]
    for step, value in inside:
        found += _paths(value, (*at, step))
    return found


def test_a_file_of_60_megabytes_is_refused_on_the_page(cast: Cast) -> None:
    answer = cast.client("owner").post(ADDRESS, {"archive": named(b" " * (60 * 1024 * 1024))})
    assert answer.status_code == 422
    assert "60 MB" in answer.content.decode()


def test_a_form_without_a_file_is_refused(cast: Cast) -> None:
    answer = cast.client("owner").post(ADDRESS, {})
    assert answer.status_code == 422
    assert "No file came along" in answer.content.decode()


def test_what_a_page_says_of_a_bad_file_is_text_and_no_markup(cast: Cast, sound: dict[str, Any]) -> None:
    sound["league"]["timezone"] = "<img src=x onerror=alert(1)>"
    answer = cast.client("owner").post(ADDRESS, {"archive": named(raw(sound))})
    assert answer.status_code == 422
    assert "<img" not in answer.content.decode()


def test_of_two_pages_that_read_one_archive_in_at_once_the_second_is_refused(
    sound: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other page is done between the look whether the league is here and the writing."""
    owner = UserFactory.create()
    read = archive_reading.read(raw(sound))
    take_in = people.take_in_league

    def after_the_other(*args: Any) -> list[Player]:
        LeagueFactory.create(uid=read.uid)
        return take_in(*args)

    monkeypatch.setattr(people, "take_in_league", after_the_other)
    with pytest.raises(Flaw, match="here-already"):
        record_archive.read_in(read, owner)
    assert not Membership.objects.filter(user=owner).exists()
