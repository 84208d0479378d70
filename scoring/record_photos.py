"""What ``scoring.record`` writes of photos and of the cards read from them."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.db import transaction

from players.models import League
from scoring import photos, record
from scoring.models import Evidence, Game, Photo
from scoring.photos import Prepared
from scoring.state import GameState


def add(game: Game, prepared: Prepared, data: Mapping[str, Any], by: "record.By", *, client_id: str) -> str:
    """Keep a photo of a game; give its name. A repeat of it is kept once.

    Raises:
        Refused: the hand or the seat is none of the game's; nothing is kept.
    """
    name = photos.new_name()
    photos.store(name, prepared)
    try:
        with transaction.atomic():
            outcome = record.apply(game.pk, "photo", {**data, "name": name}, by, client_id=client_id)
            if outcome.repeated:
                photos.remove(name)
                return Photo.objects.get(game=game, rev=outcome.rev).name
            told = outcome.state.photos[name]
            Photo.objects.create(
                game=game,
                name=name,
                rev=told.rev,
                hand=told.hand,
                seat=told.seat,
                by_seat=told.by_seat,
                about=told.about,
                width=prepared.width,
                height=prepared.height,
                size=len(prepared.jpeg),
                expires_on=record.today(game.league) + timedelta(days=game.league.photo_days),
            )
    except BaseException:
        photos.remove(name)
        raise
    return name


def expire() -> int:
    """Delete the files of the photos whose day has come where their league plays; give their number."""
    days = {league.pk: record.today(league) for league in League.objects.all()}
    soon = Photo.objects.filter(gone=False, expires_on__lte=max(days.values(), default=date.min)).select_related("game")
    due = [photo for photo in soon if photo.expires_on <= days[photo.game.league_id]]
    for photo in due:
        photos.remove(photo.name)
    Photo.objects.filter(pk__in=[photo.pk for photo in due]).update(gone=True)
    return len(due)


def project(game: Game, state: GameState) -> int:
    """Bring the rows of the cards read to what the state of the game says; give the number that changed."""
    rows = {row.rev: row for row in Evidence.objects.filter(game=game)}
    gone = [row.pk for rev, row in rows.items() if rev not in state.evidence]
    if gone:
        Evidence.objects.filter(pk__in=gone).delete()
    new = [told for rev, told in state.evidence.items() if rev not in rows]
    Evidence.objects.bulk_create(
        Evidence(
            game=game,
            rev=told.rev,
            hand=told.hand,
            seat=told.seat,
            photo=told.photo,
            melds=list(told.melds),
            query=told.query,
            verdict=told.verdict,
            reasons=list(told.reasons),
        )
        for told in new
    )
    return len(gone) + len(new)
