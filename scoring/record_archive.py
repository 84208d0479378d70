"""What ``scoring.record`` writes of an archive: a whole league, or nothing."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction

from players import people
from players.models import League, Player, User
from scoring import archive, ledger, ratings, record_rows, tallies
from scoring.archive_reading import Archive, GamePart, SeasonPart, SheetPart
from scoring.archive_spots import Flaw, first_difference
from scoring.models import Event, Game, RuleSheet, Season, Signature
from scoring.state import Refused


@transaction.atomic
def read_in(read: Archive, owner: User) -> League:
    """Make the league of an archive, owned by ``owner``. It is written only if its own archive says the same.

    Raises:
        Flaw: this site has the league already, or the games come to something else than the archive says.
    """
    league = League(uid=read.uid, name=read.name, timezone=read.timezone, photo_days=read.photo_days)
    players = _people(read, league, owner)
    seasons = [_season(league, season, players) for season in read.seasons]
    sheets = [_sheet(league, sheet, players) for sheet in read.sheets]
    games = [_game(league, game, number, seasons, sheets, players) for number, game in enumerate(read.games)]
    _notes(read.sheets, sheets, games)
    tallies.recount_league(league)
    if read.ratings:
        ratings.switch(league, on=True)
    flaw = first_difference(read.data, archive.league_data(league))
    if flaw is not None:
        raise flaw
    return league


@transaction.atomic
def set_up(read: Archive, *, name: str, password: str, language: str) -> League | None:
    """Make the first account of an installation together with the league of an archive, or neither.

    Returns:
        the league, or ``None`` where somebody else has set the installation up.

    Raises:
        Flaw: as ``read_in``.
        ValidationError: the name or the password will not do.
    """
    owner = people.first_account(name=name, password=password, language=language)
    return read_in(read, owner) if owner is not None else None


def _people(read: Archive, league: League, owner: User) -> list[Player]:
    players = [Player(name=player.name, nickname=player.nickname, hidden=player.hidden) for player in read.players]
    merges = [(merge.kept - 1, merge.gone - 1, merge.was_hidden) for merge in read.merges]
    if League.objects.filter(uid=read.uid).exists():
        raise Flaw("league.uid", "here-already")
    try:
        return people.take_in_league(owner, league, players, merges)
    except IntegrityError:
        if not League.objects.filter(uid=read.uid).exists():
            raise
        # The same archive from two pages at once: the other one was quicker.
        raise Flaw("league.uid", "here-already") from None


def _season(league: League, part: SeasonPart, players: Sequence[Player]) -> Season:
    keys = {number: player.pk for number, player in enumerate(players, start=1)}
    return Season.objects.create(
        league=league,
        name=part.name,
        starts=part.starts,
        ends=part.ends,
        terms=part.terms,
        policies=part.policies,
        closed_at=part.closed_at,
        snapshot=archive.snapshot_with(part.snapshot, keys),
    )


def _sheet(league: League, part: SheetPart, players: Sequence[Player]) -> RuleSheet:
    sheet = RuleSheet(
        league=league,
        name=part.name,
        version=part.version,
        base=part.base,
        overrides=part.overrides,
        created_at=part.created_at,
    )
    sheet.save()
    Signature.objects.bulk_create(Signature(sheet=sheet, player=players[number - 1], at=at) for number, at in part.signed)
    return sheet


def _notes(parts: Sequence[SheetPart], sheets: Sequence[RuleSheet], games: Sequence[Game]) -> None:
    """Add the league's own lines to its sheets, which name games and so come after them."""
    for part, sheet in zip(parts, sheets, strict=True):
        notes = [{**note, "game": games[note["game"] - 1].pk if note["game"] else None} for note in part.notes]
        if notes:
            RuleSheet.objects.filter(pk=sheet.pk).update(notes=notes)


def _game(
    league: League, part: GamePart, at: int, seasons: Sequence[Season], sheets: Sequence[RuleSheet], players: Sequence[Player]
) -> Game:
    season, sheet = seasons[part.season - 1], sheets[part.sheet - 1]
    if season.lowest_wins is None:
        season.lowest_wins = sheet.rules.lowest_wins
        season.save(update_fields=["lowest_wins"])
    game = Game.objects.create(
        league=league, season=season, sheet=sheet, started_on=part.started_on, decks=0, jokers=0, rev=len(part.events)
    )

    def rename(number: object) -> int | None:
        return players[number - 1].pk if isinstance(number, int) else None

    log = [
        event.logged._replace(data=archive.with_players(event.logged.kind, event.logged.data, rename)) for event in part.events
    ]
    Event.objects.bulk_create(
        Event(
            game=game,
            rev=logged.rev,
            client_id=event.client_id,
            kind=logged.kind,
            data=logged.data,
            reason=logged.reason,
            replaces=logged.replaces,
            at=event.at,
            phone_at=event.phone_at,
        )
        for event, logged in zip(part.events, log, strict=True)
    )
    try:
        record_rows.project(game, ledger.fold(sheet.rules, log), tally=False)
    except Refused as refusal:
        raise Flaw.of(f"games[{at}]", refusal) from None
    return game
