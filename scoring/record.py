"""The only writer of the scoring tables.

One action at a time: lock the game, fold its log with the new event on top, and, if the rules of the table allow it, add
the event and bring the projection up to date, all in one transaction. A repeat of an action is answered with what the
first one did; a clash is refused with both values, so that the table decides and nothing is lost.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db import models, transaction
from django.utils import timezone

from continental.rules import deals
from continental.rules.audit import AuditQuestion
from players import merging
from players.locks import hold, hold_league
from players.models import League, Player, User
from scoring import (
    acceptance,
    actions,
    audits,
    corrections,
    entries,
    ledger,
    live,
    record_league,
    record_photos,
    record_rulings,
    tallies,
)
from scoring.models import Entry, Event, Game, Hand, RuleSheet, Seat, Signature
from scoring.policies import Policies
from scoring.state import ACCEPTED, DISPUTED, EntryState, GameState, HandState, Logged, Refused


@dataclass(frozen=True, slots=True)
class By:
    """Who acts: an account, a device, both or neither (a command).

    ``seat`` is the seat of a player who does not keep the score: what it hands in waits for its neighbour.
    """

    user: User | None = None
    device: str = ""
    phone_at: datetime | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action led to: the table after it, and whether it had been recorded before or changed nothing."""

    state: GameState
    rev: int
    repeated: bool = False
    unchanged: bool = False


class Read(NamedTuple):
    """A table as somebody has just read it: its log, and the state that this log folds to."""

    log: Sequence[Logged]
    state: GameState


class Asks(Exception):
    """The hand can be closed, but something looks odd: the table is asked before it is (deck audit)."""

    def __init__(self, questions: Sequence[AuditQuestion]) -> None:
        super().__init__(questions)
        self.questions = tuple(questions)


class Clash(Refused):
    """Two devices entered different values for one seat: both are shown, the one on the sheet stands until the table decides."""

    def __init__(self, seat: int, standing: EntryState, offered: EntryState) -> None:
        super().__init__("clash", seat=seat, standing=standing.points, offered=offered.points)
        self.standing, self.offered = standing, offered


# ---------------------------------------------------------------------------------------------------------------------
# Games

_DATED: Final = frozenset({"start", "close", "suspend", "resume", "finish", "strike"})


def today(league: League) -> date:
    """Give today's date where the league plays (R-77)."""
    return timezone.now().astimezone(ZoneInfo(league.timezone)).date()


@transaction.atomic
def start_game(
    league: League,
    sheet: RuleSheet,
    players: Sequence[Player],
    first_dealer: int,
    by: By,
    *,
    client_id: str,
    draw: Sequence[Mapping[str, str]] = (),
    on: date | None = None,
) -> Game:
    """Start a game of ``players``, seated in the order of play.

    Args:
        first_dealer: the seat that deals the first hand, counted from 0.
        draw: the rounds of the draw for deal, each from seat to card, kept as evidence.
        on: the local date; today by default.

    Returns:
        The new game, or the one that the same ``client_id`` started before in this league.

    Raises:
        Refused: a player is listed twice or plays for another league, too few or too many, or the sheet is not ready.
    """
    hold_league(league.pk)
    before = Event.objects.filter(game__league=league, client_id=client_id, kind="start").select_related("game").first()
    if before is not None:
        return before.game
    for player in players:
        if player.league_id != league.pk:
            raise Refused("player-of-another-league", player=str(player))
    on = on or today(league)
    expire_suspended(league)
    data = {
        "players": [player.pk for player in players],
        "first_dealer": first_dealer,
        "on": on.isoformat(),
        "draw": [dict(round_) for round_ in draw],
    }
    state = ledger.fold(sheet.rules, [Logged(1, "start", data)])
    deal = deals.deal(sheet.rules, 1, len(players), first_dealer)
    game = Game.objects.create(
        league=league,
        season=record_league.season_for(league, on, lowest_wins=sheet.rules.lowest_wins),
        sheet=sheet,
        started_on=on,
        decks=deal.decks,
        jokers=deal.jokers,
        rev=1,
    )
    _log(game, Logged(1, "start", data), by, client_id)
    project(game, state)
    return game


def apply(
    game_pk: int,
    kind: str,
    data: Mapping[str, Any],
    by: By,
    *,
    client_id: str,
    reason: str = "",
    seen: int | None = None,
    confirmed: bool = False,
    on: date | None = None,
    read: Read | None = None,
) -> Outcome:
    """Record one action of a game.

    Args:
        kind: a key of ``actions.ACTIONS``, or ``undo`` with ``data["target"]``, the revision to take back.
        data: what the action says.
        client_id: made by the client for this action; a second one with the same id is not recorded again.
        reason: why, where an earlier hand is changed.
        seen: for a count, the revision of the entry that the client was looking at (0 for none); ``None`` skips the check.
        confirmed: the table has answered the questions of the deck audit.
        on: the local date of the action; today by default.
        read: the table as the caller has read it. A log only grows, so where nothing was added it is not read again.

    Raises:
        Refused: the action does not fit the table; nothing was written.
        Clash: somebody else entered another value for that seat meanwhile.
        Asks: the audit has questions about the hand to be closed.
    """
    done = _apply(game_pk, kind, data, by, client_id, reason, seen, confirmed=confirmed, on=on, read=read)
    if isinstance(done, Clash):
        raise done
    return done


def _locked(game_pk: int) -> Game:
    games = Game.objects.select_related("league", "sheet", "season").defer("season__snapshot")
    return hold(games).get(pk=game_pk)


@transaction.atomic
def _apply(
    game_pk: int,
    kind: str,
    data: Mapping[str, Any],
    by: By,
    client_id: str,
    reason: str,
    seen: int | None,
    *,
    confirmed: bool,
    on: date | None,
    read: Read | None,
) -> Outcome | Clash:
    """Do what ``apply`` says; a clash is given back and not raised, since the value that came second is written too."""
    game = _locked(game_pk)
    log, before = read if read is not None and read.state.rev == game.rev else _read(game)
    known = Event.objects.filter(game=game, client_id=client_id).order_by("rev").values_list("rev", "kind").first()
    if known is not None:
        return (known[1] == "clash" and _clash(before, data)) or Outcome(before, known[0], repeated=True)
    data = {name: value for name, value in data.items() if name != "by_seat"}
    if by.seat is not None:
        data["by_seat"] = by.seat
    data = record_rulings.stamp(kind, record_league.by_policy(game, kind, data, before), before)
    if kind in _DATED:
        # A clock that was set back, or another zone for the league, ends no game before the day on which it began.
        data["on"] = max(on or today(game.league), game.started_on).isoformat()
    must_be_kept(data, reason)
    event = Logged(game.rev + 1, kind, data, reason.strip())
    if kind == "undo":
        event = event._replace(data={}, replaces=ledger.undo_target(log, data.get("target")))
    elif kind not in actions.ACTIONS or kind in {"start", "clash"}:
        raise Refused("action-unknown", typed=kind[:40])
    clash = _clash(before, data) if kind == "count" else None
    if clash is None and kind == "count" and _is_settled(before, data, by):
        return Outcome(before, game.rev, unchanged=True)
    if clash is not None and seen is not None and seen != clash.standing.rev:
        event = event._replace(kind="clash")
    else:
        clash = None
    if kind in {"accept", "object"} and acceptance.is_settled(before, event):
        return Outcome(before, game.rev, unchanged=True)
    after = _fold_on_top(game, log, event)
    if kind == "close" and not confirmed:
        questions = audits.questions_about(before)
        if questions:
            raise Asks(questions)
    _log(game, event, by, client_id)
    project(game, after, before)
    return clash or Outcome(after, event.rev)


def must_be_kept(data: Mapping[str, Any], reason: str) -> None:
    """Refuse a text that no database keeps, or that is longer than anything said at a table: the log is never cut back."""
    listed = [item for value in data.values() if isinstance(value, list) for item in value]
    for text in (*data.values(), *listed, reason):
        if isinstance(text, str) and (len(text) > _LONGEST_TEXT or _UNKEPT.search(text)):
            raise Refused("text-unreadable", most=_LONGEST_TEXT)


_LONGEST_TEXT: Final = 400
_UNKEPT: Final = re.compile("[\x00\ud800-\udfff]")


def _fold_on_top(game: Game, log: Sequence[Logged], event: Logged) -> GameState:
    try:
        return ledger.fold(game.sheet.rules, [*log, event])
    except Refused as refusal:
        if event.kind == "undo":
            raise Refused("undo-leaned-on", because=refusal.code) from refusal
        raise


def _standing(state: GameState, data: Mapping[str, Any]) -> EntryState | None:
    """Give the entry on the sheet for what a count is about."""
    number, seat = entries.read_number(data, "hand", 1, 1000), actions.read_seat(state, data)
    hand = next((hand for hand in state.hands if hand.number == number), None)
    return hand.entries.get(seat) if hand else None


def _clash(state: GameState, data: Mapping[str, Any]) -> Clash | None:
    """Give the clash that a count would be, from a client that did not know of the entry on the sheet."""
    standing = _standing(state, data)
    offered = entries.read_entry(state.rules, data) if standing else None
    if standing is None or offered is None or offered.value == standing.value:
        return None
    return Clash(actions.read_seat(state, data), standing, offered)


def _is_settled(state: GameState, data: Mapping[str, Any], by: By) -> bool:
    """Tell whether a count changes nothing."""
    standing = _standing(state, data)
    if standing is None or entries.read_entry(state.rules, data).value != standing.value:
        return False
    # The same count again settles a dispute: whoever keeps the score accepts by it, and the seat itself offers it anew.
    return standing.state == ACCEPTED or (by.seat is not None and standing.state != DISPUTED)


def _read(game: Game) -> Read:
    log = read_log(game)
    return Read(log, ledger.fold(game.sheet.rules, log))


def read_log(game: Game) -> list[Logged]:
    """Give the events of a game as the fold reads them, oldest first."""
    rows = Event.objects.filter(game=game).order_by("rev").values_list("rev", "kind", "data", "reason", "replaces")
    return [Logged(*row) for row in rows]


def _log(game: Game, event: Logged, by: By, client_id: str) -> None:
    Event.objects.create(
        game=game,
        rev=event.rev,
        client_id=client_id,
        kind=event.kind,
        data=dict(event.data),
        reason=event.reason,
        replaces=event.replaces,
        user=by.user,
        device=by.device,
        phone_at=by.phone_at,
    )
    live.ring_on_commit(game.pk, event.rev)


# ---------------------------------------------------------------------------------------------------------------------
# The projection: rows made from a state, changed only where they differ


def project(game: Game, state: GameState, before: GameState | None = None, *, tally: bool = True) -> int:
    """Bring the rows of a game to what its state says; give the number of rows that changed.

    Args:
        before: the state that the rows were made from, where that is certain: of what it and ``state`` hold none, no row is read.
        tally: bring the sums of its season up to date too; whoever makes many games at once recounts them all at the end.
    """
    counted = tallies.before(game)
    changed = keep(
        game,
        decks=state.rules.deck_count(len(state.players)),
        jokers=state.rules.joker_count(len(state.players)),
        status=state.status,
        rev=state.rev,
        hand_number=state.hand.number,
        suspended_on=state.suspended_on,
        ended_on=state.ended_on,
    )
    seats = _project_seats(game, state)
    changed += seats.changed
    hands = {hand.number: hand for hand in game.hands.all()}
    rows_of_hand = _entries_by_hand(hands.values())
    for hand_state in state.hands:
        fields = _hand_fields(state, hand_state)
        row = hands.pop(hand_state.number, None)
        if row is None:
            row = Hand.objects.create(game=game, number=hand_state.number, **fields)
            changed += 1
        else:
            changed += keep(row, **fields)
        changed += _project_entries(state, row, hand_state, seats.rows, rows_of_hand.get(row.pk, {}))
    for row in hands.values():
        row.delete()
        changed += 1
    if before is None or before.rulings or state.rulings:
        changed += record_rulings.project(game, state)
    if before is None or before.evidence or state.evidence:
        changed += record_photos.project(game, state)
    if changed and tally:
        tallies.after(game, counted)
    return changed


def keep(row: models.Model, **values: Any) -> int:
    """Write those of ``values`` in which the row differs; give 1 if there were any, else 0."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    if changed:
        row.save(update_fields=changed)
    return int(bool(changed))


@dataclass(slots=True)
class _Seats:
    rows: dict[int, Seat]
    changed: int


def _project_seats(game: Game, state: GameState) -> _Seats:
    rows = {seat.number: seat for seat in game.seats.all()}
    policies = Policies.read(game.season.policies)
    purses = record_league.purses(state)
    one_for = merging.stands_for(game.league_id)
    wanted = {
        number: {
            "season_id": game.season_id,
            "player_id": one_for.get(player, player),
            "net": purses[number],
            **_seat_fields(state, number, policies, one_for),
        }
        for number, player in enumerate(state.players)
    }
    if len({fields["player_id"] for fields in wanted.values()}) != len(wanted):
        # Two players who are one person by a merge; the log alone cannot know.
        raise Refused("player-twice")
    gone = [row.pk for number, row in rows.items() if number not in wanted]
    if gone:
        Seat.objects.filter(pk__in=gone).delete()
    changed = len(gone) + sum(keep(rows[number], **fields) for number, fields in wanted.items() if number in rows)
    made = Seat.objects.bulk_create(
        Seat(game=game, number=number, **fields) for number, fields in wanted.items() if number not in rows
    )
    seats = {number: row for number, row in rows.items() if number in wanted} | {seat.number: seat for seat in made}
    return _Seats(seats, changed + len(made))


def _seat_fields(state: GameState, number: int, policies: Policies, one_for: Mapping[int, int]) -> dict[str, Any]:
    total = state.result.totals[number] if state.status == "finished" and state.result else None
    places = state.result.places if state.status == "finished" and state.result else None
    role, stands_for = state.roles.get(number, ("player", None))
    credited = policies.credited(state.players[number], role, stands_for)
    return {
        "role": role,
        "stands_for_id": one_for.get(stands_for, stands_for) if stands_for is not None else None,
        "credited_id": one_for.get(credited, credited) if credited is not None else None,
        "table_size": len(state.players),
        "sharing": places.count(places[number]) if places else None,
        "away": number in state.away,
        "running": state.running(number),
        "total": total.points if total else None,
        "how": total.how if total else "",
        "place": places[number] if places else None,
        "hands_out": sum(number in hand.out for hand in state.hands if hand.closed),
    }


def _hand_fields(state: GameState, hand: HandState) -> dict[str, Any]:
    return {
        "dealer": hand.dealer,
        "contract": str(state.rules.hand(hand.number).contract or ""),
        "buys": list(hand.buys),
        "attempt": hand.attempt,
        "stock_turned": hand.stock_turned,
        "opened": list(hand.opened),
        "turns": hand.turns,
        "closed": hand.closed,
    }


def _entries_by_hand(hands: Iterable[Hand]) -> dict[int, dict[int, Entry]]:
    """Read the entries of all hands at once, by the key of the hand and of the seat."""
    found: dict[int, dict[int, Entry]] = {}
    for entry in Entry.objects.filter(hand__in=[hand.pk for hand in hands]).order_by():
        found.setdefault(entry.hand_id, {})[entry.seat_id] = entry
    return found


def _project_entries(state: GameState, row: Hand, hand: HandState, seats: Mapping[int, Seat], rows: Mapping[int, Entry]) -> int:
    left = dict(rows)
    changed, new = 0, []
    for number, entry in hand.entries.items():
        fields = _entry_fields(state, hand, number, entry) | record_league.known_of(hand, number, entry)
        old = left.pop(seats[number].pk, None)
        if old is None:
            new.append(Entry(hand=row, seat=seats[number], **fields))
        else:
            changed += keep(old, **fields)
    if new:
        Entry.objects.bulk_create(new)
    if left:
        Entry.objects.filter(pk__in=[entry.pk for entry in left.values()]).delete()
    return changed + len(new) + len(left)


def _entry_fields(state: GameState, hand: HandState, seat: int, entry: EntryState) -> dict[str, Any]:
    posted = hand.posted[seat] if hand.closed else None
    how = "counted" if posted and posted.how == "given" and entry.kind == "cards" else posted.how if posted else ""
    return {
        "kind": entry.kind,
        "cards": entry.cards,
        "parts": entry.parts,
        "missing": entry.missing,
        "points": entry.points,
        "posted": posted.points if posted else None,
        "how": how,
        "rev": entry.rev,
        "amended": entry.amended,
        "state": corrections.standing(state, hand, entry),
        "by_seat": entry.by_seat,
    }


def expire_suspended(league: League) -> list[int]:
    """Record, of every suspended game that was not resumed in its calendar year, that it is void; give their keys (R-78).

    Pages tell it by the date alone from 1 January on. The event is written at the first write of the league in the new
    year, by ``manage.py expire``, or when somebody takes note of it: looking at a page writes nothing.
    """
    first_of_the_year = today(league).replace(month=1, day=1)
    late = league.games.filter(status=Game.Status.SUSPENDED, started_on__lt=first_of_the_year).order_by("pk")
    expired = list(late.values_list("pk", flat=True))
    for pk in expired:
        apply(pk, "finish", {}, By(), client_id=EXPIRED)
    return expired


EXPIRED: Final = "the-year-is-over"
"""The client id of the event that voids a game at the end of its year: whoever comes second finds it done."""


@transaction.atomic
def rebuild(game_pk: int) -> int:
    """Make all rows of a game again from its events; give the number of rows that were not as the log says."""
    game = _locked(game_pk)
    return project(game, ledger.fold(game.sheet.rules, read_log(game)))


# ---------------------------------------------------------------------------------------------------------------------
# Seasons and rule sheets


@transaction.atomic
def add_sheet(
    league: League,
    name: str,
    base: str,
    overrides: Mapping[str, Any],
    by: By,
    notes: Sequence[Mapping[str, Any]] | None = None,
) -> RuleSheet:
    """Add the next version of a league's rule sheet; sheets in use are never changed.

    Args:
        notes: what the league decided for itself, line by line; as the version before has them, if not said.

    Raises:
        continental.rules.errors.BadQuestion: a parameter that is unknown, or a value it cannot have.
    """
    sheet = RuleSheet(league=league, name=name, base=base, overrides=dict(overrides), created_by=by.user)
    assert sheet.rules
    hold_league(league.pk)
    last = league.sheets.filter(name=name).order_by("-version").first()
    sheet.version = last.version + 1 if last else 1
    sheet.notes = list(notes) if notes is not None else last.notes if last else []
    sheet.save()
    return sheet


@transaction.atomic
def sheet_for(league: League, preset: str, by: By) -> RuleSheet:
    """Give the league's newest sheet that is a preset as it is, making it at its first use."""
    hold_league(league.pk)
    standing = league.sheets.filter(base=preset, overrides={}).order_by("-version").first()
    return standing or add_sheet(league, preset, preset, {}, by)


@transaction.atomic
def sign_sheet(sheet: RuleSheet, player: Player, by: By, *, signs: bool = True) -> None:
    """Put a player's name under a rule sheet, or take it back. Doing either twice changes nothing."""
    if not signs:
        Signature.objects.filter(sheet=sheet, player=player).delete()
        return
    Signature.objects.get_or_create(sheet=sheet, player=player, defaults={"user": by.user})
