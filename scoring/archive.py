"""Everything a league has as one document, from which another site can make it again (``scoring.record_archive``).

The document speaks of players, seasons, sheets and games by numbers of its own, counted from 1, so that it says the same
wherever the league is kept. The logs of the games are the truth in it; the results stand beside them for whoever reads
it with other tools. Left out is what belongs to a site and not to a league: accounts, phones, links and the files of photos.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from players import merging
from players.models import League, Player
from scoring.models import Event, Game, RatingBook, RuleSheet, Season, Seat

FORMAT: Final = "continental-league"
VERSION: Final = 2

_PLAYERS_IN: Final[dict[str, tuple[str, ...]]] = {
    "start": ("players",),
    "resume": ("players",),
    "join": ("player",),
    "role": ("stands_for",),
}
"""Where an event names players by their keys; everything else at a table goes by seats."""

Rename = Callable[[object], int | None]


def with_players(kind: str, data: Mapping[str, Any], rename: Rename) -> dict[str, Any]:
    """Give what an event says with its players renamed."""
    renamed = dict(data)
    for name in _PLAYERS_IN.get(kind, ()):
        if name in renamed:
            value = renamed[name]
            renamed[name] = [rename(one) for one in value] if isinstance(value, list) else rename(value)
    return renamed


def numbers(keys: Iterable[int]) -> dict[int, int]:
    """Number keys from 1 in the order in which they come."""
    return {key: number for number, key in enumerate(keys, start=1)}


def league_data(league: League) -> dict[str, Any]:
    """Give everything a league has as plain data."""
    players = list(Player.objects.filter(league=league).order_by("pk"))
    seasons = list(league.seasons.order_by("starts", "pk"))
    sheets = list(league.sheets.order_by("pk").prefetch_related("signatures"))
    games = list(Game.objects.filter(league=league).order_by("pk"))
    by_player = numbers(player.pk for player in players)
    by_season = numbers(season.pk for season in seasons)
    by_sheet = numbers(sheet.pk for sheet in sheets)
    by_game = numbers(game.pk for game in games)
    events, results = _events(league, by_player), _results(league, by_player)
    return {
        "format": FORMAT,
        "version": VERSION,
        "league": {
            "uid": str(league.uid),
            "name": league.name,
            "timezone": league.timezone,
            "photo_days": league.photo_days,
            "ratings": RatingBook.objects.filter(league=league, on=True).exists(),
        },
        "players": [
            {"id": by_player[player.pk], "name": player.name, "nickname": player.nickname, "hidden": player.hidden}
            for player in players
        ],
        "merges": [
            {"kept": by_player[merge.kept_id], "gone": by_player[merge.gone_id], "was_hidden": merge.was_hidden}
            for merge in reversed(merging.standing(league))
        ],
        "seasons": [{"id": by_season[season.pk], **_season(season, by_player)} for season in seasons],
        "sheets": [{"id": by_sheet[sheet.pk], **_sheet(sheet, by_player, by_game)} for sheet in sheets],
        "games": [
            {
                "id": by_game[game.pk],
                "season": by_season[game.season_id],
                "sheet": by_sheet[game.sheet_id],
                "started_on": game.started_on.isoformat(),
                "status": game.status,
                "result": results.get(game.pk, []),
                "events": events.get(game.pk, []),
            }
            for game in games
        ],
    }


def _season(season: Season, by_player: Mapping[int, int]) -> dict[str, Any]:
    return {
        "name": season.name,
        "starts": season.starts.isoformat(),
        "ends": season.ends.isoformat(),
        "terms": season.terms,
        "policies": season.policies,
        "closed_at": _moment(season.closed_at),
        "snapshot": snapshot_with(season.snapshot, by_player),
    }


def snapshot_with(snapshot: Mapping[str, Any] | None, players: Mapping[int, int]) -> dict[str, Any] | None:
    """Give a closed season's table with its players renamed."""
    if snapshot is None:
        return None
    return {**snapshot, "lines": [{**line, "player": players[line["player"]]} for line in snapshot["lines"]]}


def _sheet(sheet: RuleSheet, by_player: Mapping[int, int], by_game: Mapping[int, int]) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "version": sheet.version,
        "base": sheet.base,
        "overrides": sheet.overrides,
        "notes": [{**note, "game": by_game.get(note.get("game"))} for note in sheet.notes],
        "created_at": _moment(sheet.created_at),
        "signed": [
            {"player": by_player[signature.player_id], "at": _moment(signature.at)} for signature in sheet.signatures.all()
        ],
    }


def _events(league: League, by_player: Mapping[int, int]) -> dict[int, list[dict[str, Any]]]:
    def rename(value: object) -> int | None:
        return by_player.get(int(value)) if isinstance(value, int | str) and str(value).isdecimal() else None

    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = Event.objects.filter(game__league=league).order_by("game", "rev")
    for game, rev, client_id, kind, data, reason, replaces, at, phone_at in rows.values_list(
        "game", "rev", "client_id", "kind", "data", "reason", "replaces", "at", "phone_at"
    ).iterator(chunk_size=5000):
        found[game].append(
            {
                "rev": rev,
                "client_id": client_id,
                "kind": kind,
                "data": with_players(kind, data, rename),
                "reason": reason,
                "replaces": replaces,
                "at": _moment(at),
                "phone_at": _moment(phone_at),
            }
        )
    return found


def _results(league: League, by_player: Mapping[int, int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = Seat.objects.filter(game__league=league).order_by("game", "number")
    for game, player, total, how, place in rows.values_list("game", "player", "total", "how", "place"):
        found[game].append({"player": by_player[player], "total": total, "how": how, "place": place})
    return found


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
