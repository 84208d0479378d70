"""Two players that are one person: which of them stands for the other. ``scoring.record_people`` brings the games along."""

from django.db import transaction
from django.utils import timezone

from players.models import League, Merge, Player, User


def stands_for(league: int) -> dict[int, int]:
    """Give, for every player of a league who was merged into another, the one who stands for them: one query."""
    into = dict(Merge.objects.filter(league=league, undone=None).values_list("gone", "kept"))
    return {gone: _last(into, gone) for gone in into}


def _last(into: dict[int, int], player: int) -> int:
    while player in into:
        player = into[player]
    return player


def merge(kept: Player, gone: Player, by: User | None) -> Merge:
    """Let one player stand for another, and take over the account, if there is one."""
    with transaction.atomic():
        moves = gone.user is not None and kept.user is None
        merged = Merge.objects.create(
            league=kept.league, kept=kept, gone=gone, was_hidden=gone.hidden, moved_account=moves, by=by
        )
        account, gone.hidden = gone.user, True
        if moves:
            gone.user = None
        gone.save(update_fields=["hidden", "user"])
        if moves:
            kept.user = account
            kept.save(update_fields=["user"])
        return merged


def take_back(merged: Merge) -> None:
    """Part two players again. Who was offered for new games is so again, unless somebody else has the name by now."""
    with transaction.atomic():
        kept, gone = merged.kept, merged.gone
        if merged.moved_account:
            account, kept.user = kept.user, None
            kept.save(update_fields=["user"])
            gone.user = account
        gone.hidden = merged.was_hidden or Player.name_taken(gone.league, gone.name, but=gone.pk)
        gone.save(update_fields=["hidden", "user"])
        merged.undone = timezone.now()
        merged.save(update_fields=["undone"])


def standing(league: League) -> list[Merge]:
    """Give the merges of a league that can be taken back, the newest first."""
    return list(Merge.objects.filter(league=league, undone=None).select_related("kept", "gone"))
