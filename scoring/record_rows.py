"""The projection: the rows of a game, made from its state and changed only where they differ. Only ``record`` writes them."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from players import merging
from scoring import corrections, record_league, record_photos, record_rulings, seat_figures, tallies
from scoring.hand_tallies import GameRows
from scoring.models import Entry, Game, Hand, Seat
from scoring.policies import Policies
from scoring.state import EntryState, GameState, HandState, Refused


def project(game: Game, state: GameState, before: GameState | None = None, *, tally: bool = True) -> int:
    """Bring the rows of a game to what its state says; give the number of rows that changed.

    Args:
        before: the state that the rows were made from, where that is certain: of what it and ``state`` hold none, no row is read.
        tally: bring the sums of its season up to date too; whoever makes many games at once recounts them all at the end.
    """
    rows = _read(game)
    was = tallies.given(game, rows) if tally else tallies.NOTHING
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
    changed += _project_seats(game, state, rows)
    changed += _project_hands(game, state, rows)
    if before is None or before.rulings or state.rulings:
        changed += record_rulings.project(game, state)
    if before is None or before.evidence or state.evidence:
        changed += record_photos.project(game, state)
    if changed and tally:
        tallies.move(game, was, tallies.given(game, rows))
    return changed


def _read(game: Game) -> GameRows:
    """Read the rows of a game: three queries."""
    hands = {hand.number: hand for hand in game.hands.order_by()}
    entries: dict[int, dict[int, Entry]] = {}
    for entry in Entry.objects.filter(hand__in=[hand.pk for hand in hands.values()]).order_by():
        entries.setdefault(entry.hand_id, {})[entry.seat_id] = entry
    return GameRows({seat.number: seat for seat in game.seats.order_by()}, hands, entries)


def keep(row: models.Model, **values: Any) -> int:
    """Write those of ``values`` in which the row differs; give 1 if there were any, else 0."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    if changed:
        row.save(update_fields=changed)
    return int(bool(changed))


def _project_seats(game: Game, state: GameState, rows: GameRows) -> int:
    """Bring the seats to what the state says; ``rows`` then holds those that stand. Give the number that changed."""
    seats = rows.seats
    policies = Policies.read(game.season.policies)
    purses = record_league.purses(state)
    one_for = merging.stands_for(game.league_id)
    scaled_from, scaled_to = record_league.scaling(state, policies)
    wanted = {
        number: {
            "season_id": game.season_id,
            "player_id": one_for.get(player, player),
            "net": purses[number],
            "scaled_from": scaled_from,
            "scaled_to": scaled_to,
            **_seat_fields(state, number, policies, one_for),
        }
        for number, player in enumerate(state.players)
    }
    if len({fields["player_id"] for fields in wanted.values()}) != len(wanted):
        # Two players who are one person by a merge; the log alone cannot know.
        raise Refused("player-twice")
    gone = [seats.pop(number).pk for number in seats.keys() - wanted.keys()]
    if gone:
        Seat.objects.filter(pk__in=gone).delete()
    changed = len(gone) + sum(keep(row, **wanted[number]) for number, row in seats.items())
    made = Seat.objects.bulk_create(
        Seat(game=game, number=number, **fields) for number, fields in wanted.items() if number not in seats
    )
    seats |= {seat.number: seat for seat in made}
    return changed + len(made)


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
        "after_dealer": (number - state.first_dealer) % len(state.players),
        "sharing": places.count(places[number]) if places else None,
        "away": number in state.away,
        "running": state.running(number),
        "total": total.points if total else None,
        "how": total.how if total else "",
        "place": places[number] if places else None,
        "hands_out": sum(number in hand.out for hand in state.hands if hand.closed),
        **seat_figures.of_seat(state, number),
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


def _project_hands(game: Game, state: GameState, rows: GameRows) -> int:
    """Bring the hands and their entries to what the state says; ``rows`` then holds those that stand. Give how many changed."""
    changed = 0
    for hand in state.hands:
        fields = _hand_fields(state, hand)
        row = rows.hands.get(hand.number)
        if row is None:
            rows.hands[hand.number] = row = Hand.objects.create(game=game, number=hand.number, **fields)
            changed += 1
        else:
            changed += keep(row, **fields)
        changed += _project_entries(state, row, hand, rows.seats, rows.entries.setdefault(row.pk, {}))
    for number in rows.hands.keys() - {hand.number for hand in state.hands}:
        rows.hands.pop(number).delete()
        changed += 1
    return changed


def _project_entries(state: GameState, row: Hand, hand: HandState, seats: Mapping[int, Seat], entries: dict[int, Entry]) -> int:
    gone = entries.keys() - {seats[number].pk for number in hand.entries}
    if gone:
        Entry.objects.filter(pk__in=[entries.pop(seat).pk for seat in gone]).delete()
    changed, new = len(gone), []
    for number, entry in hand.entries.items():
        fields = _entry_fields(state, hand, number, entry) | record_league.known_of(hand, number, entry)
        old = entries.get(seats[number].pk)
        if old is None:
            new.append(Entry(hand=row, seat=seats[number], **fields))
        else:
            changed += keep(old, **fields)
    if new:
        entries |= {entry.seat_id: entry for entry in Entry.objects.bulk_create(new)}
    return changed + len(new)


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
