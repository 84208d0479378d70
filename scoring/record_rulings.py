"""What ``scoring.record`` writes of rulings: their rows, and a ruling together with all that it does, or nothing of either."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from continental.rules.decisions import kinds
from continental.rules.irregularities import Ruling as Found
from continental.rules.irregularities import consider
from continental.rules.texts import LANGUAGES
from scoring import record, record_rows
from scoring.models import Event, Game, RuleSheet, Ruling
from scoring.state import GameState, RulingState


@transaction.atomic
def rule(
    game_pk: int,
    ruling: Mapping[str, Any],
    effects: Sequence[tuple[str, Mapping[str, Any]]],
    by: "record.By",
    *,
    client_id: str,
    reason: str = "",
) -> "record.Outcome":
    """Record a ruling and each of its effects as an event of its own.

    Args:
        ruling: ``kind``, ``facts``, and as they apply ``hand``, ``seats``, ``own`` with ``words``, ``evidence``.
        effects: the events that do what it asks for, each a kind and its data.

    Raises:
        Refused: the ruling or one of the effects does not fit the table; nothing was written.
    """
    outcome = record.apply(game_pk, "ruling", ruling, by, client_id=client_id, reason=reason)
    if outcome.repeated:
        return outcome
    rev = outcome.rev
    for number, (kind, data) in enumerate(effects):
        known = {**data, "ruling": rev}
        outcome = record.apply(
            game_pk, kind, known, by, client_id=f"{client_id[:34]}-{number}", reason=reason or "as ruled", confirmed=True
        )
    return record.Outcome(outcome.state, rev)


def stamp(kind: str, data: Mapping[str, Any], state: GameState) -> dict[str, Any]:
    """Tie what a ruling does to the deal it is about, so that it goes with it."""
    known = dict(data)
    hand = state.hand_numbered(known["hand"]) if isinstance(known.get("hand"), int) else None
    if hand is not None and (kind in _ON_A_DEAL or "ruling" in known):
        known["attempt"] = hand.attempt
    return known


_ON_A_DEAL = frozenset({"penalty", "short", "skip", "redeal", "replay", "reopen", "task"})


def project(game: Game, state: GameState) -> int:
    """Bring the rows of a game's rulings to what its state says; give the number that changed."""
    rows = {row.rev: row for row in Ruling.objects.filter(game=game)}
    gone = [row.pk for rev, row in rows.items() if rev not in state.rulings]
    if gone:
        Ruling.objects.filter(pk__in=gone).delete()
    changed = len(gone)
    wanted = {rev: _fields(state, ruling) for rev, ruling in state.rulings.items()}
    for rev, fields in wanted.items():
        if rev in rows:
            changed += record_rows.keep(rows[rev], **fields)
    new = [rev for rev in wanted if rev not in rows]
    if new:
        times = dict(Event.objects.filter(game=game, rev__in=new).values_list("rev", "at"))
        Ruling.objects.bulk_create(
            Ruling(league_id=game.league_id, game=game, rev=rev, at=times[rev], **wanted[rev]) for rev in new
        )
    return changed + len(new)


def _fields(state: GameState, ruling: RulingState) -> dict[str, Any]:
    return {
        "kind": ruling.kind,
        "path": ruling.path,
        "facts": dict(ruling.facts),
        "hand": ruling.hand,
        "seats": list(ruling.seats),
        "own": ruling.own,
        "words": ruling.words,
        "reason": ruling.reason,
        "evidence": ruling.evidence,
        "effects": list(ruling.effects),
        "search": _search(state, ruling),
    }


def _search(state: GameState, ruling: RulingState) -> str:
    """Give everything that one may look for, in every language, plain: what happened, what was decided, and why."""
    kind = kinds()[ruling.kind]
    found = consider(ruling.kind, ruling.facts, state.rules)
    texts = [kind.title, kind.about, *([found.ruling] if isinstance(found, Found) else [])]
    values = found.values if isinstance(found, Found) else {}
    said = [text.say(language, values) for text in texts for language in LANGUAGES]
    return plain(" ".join([ruling.kind, ruling.path, *said, ruling.words, ruling.reason]))


def plain(text: str) -> str:
    """Strip case and accents, so that what is looked for is found however it is typed."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


# ---------------------------------------------------------------------------------------------------------------------
# A ruling that becomes a line of the house rules


def newest_sheet(game: Game) -> RuleSheet:
    """Give the newest version of the sheet that a game is played by."""
    return RuleSheet.objects.filter(league=game.league_id, name=game.sheet.name).order_by("-version")[0]


@transaction.atomic
def add_house_line(game: Game, rev: int, line: str, by: "record.By") -> RuleSheet:
    """Add a line to the house rules: the next version of the sheet, for the games that begin after it.

    Args:
        rev: the ruling that the line comes from; an older line of the same ruling gives way to it.
    """
    newest = newest_sheet(game)
    notes = [note for note in newest.notes if (note.get("game"), note.get("ruling")) != (game.pk, rev)]
    notes.append({"text": line, "game": game.pk, "ruling": rev})
    return record.add_sheet(game.league, newest.name, newest.base, newest.overrides, by, notes=notes)
