"""Evenings that nobody planned: anybody does anything at a table, in any order and with any value; what must hold always holds.

The suite walks a few short evenings, the same ones each time. ``HYPOTHESIS_PROFILE=thorough`` walks many long new ones.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
import time_machine
from django.db import transaction
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from continental.rules.decisions import Fact, effect_types, kinds
from continental.rules.referee import answer
from players import joining, people
from players.models import Merge
from scoring import ledger, record, wizard
from scoring.models import Entry, Event, Game, Hand, Ruling, Seat
from scoring.state import GameState
from tests.cast import EVERYBODY, assemble
from tests.scoring.recount import assert_recounted

pytestmark = pytest.mark.django_db

WRITERS: Final = ("owner", "scorekeeper")
LOOKERS: Final = frozenset({"viewer", "stranger", "anonymous", "onlooker"})
PHONES: Final = ("phone 0", "phone 1")
PAGES: Final = ("table", "count", "sheet", "history", "manage", "rulings", "photos", "board", "wrong", "phones")
OF_A_SEAT: Final = frozenset(
    {"opened", "count", "clash", "clear", "accept", "object", "stock", "turn", "close", "propose", "agree", "decline", "taskdone"}
)
"""What the phone of a guest may write."""

actors: Final = st.sampled_from((*WRITERS, *WRITERS, *PHONES, *PHONES, "member", *sorted(LOOKERS)))
hosts: Final = st.sampled_from(WRITERS)
seats: Final = st.integers(-1, 5)
odd: Final = st.sampled_from(["", "-1", "9" * 30, "٣", "7\0", "NaN", "é" * 500, "0x1", "1e3", "99999999999", "seat"])
sums: Final = st.one_of(st.integers(0, 300).map(str), st.sampled_from(["10+15", "0", "5000", "5001", "-15", "10 15", "²"]), odd)
cards: Final = st.one_of(st.sampled_from(["7H", "JK JK", "7H 9D KS", "A", "AH AH AH AH AH AH", "XX", "7H, 8h; 10D"]), odd)
words: Final = st.one_of(st.sampled_from(["a ten was counted twice", " ", "<b>so</b>"]), odd)


def count_of(draw: st.DataObject) -> dict[str, str]:
    kind = draw.draw(st.sampled_from(["points", "points", "cards", "out", "none", "absent", "what"]))
    entered = {"entry-kind": kind, "entry-missing": draw.draw(st.sampled_from(["", "0", "1", "31", "-1"]))}
    if kind == "points":
        entered["entry-points"] = draw.draw(sums)
    elif kind == "cards":
        entered["entry-cards"] = draw.draw(cards)
    return entered


def shuffled(draw: st.DataObject, values: Sequence[int]) -> list[int]:
    return draw.draw(st.one_of(st.just(list(values)), st.lists(st.sampled_from(list(values) or [0]), max_size=6)))


class Evening(RuleBasedStateMachine):
    """One league, up to three games, and everybody who could come by."""

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.clock = time_machine.travel(datetime(2026, 12, 20, 19, tzinfo=UTC), tick=False)
        self.time = self.clock.start()
        self.cast = assemble()
        self.league = self.cast.league
        self.players = [people.add_player(self.league, name) for name in ("Ana", "Ben", "Cai", "Dot", "Eva", "Fay")]
        people.give_account(self.players[5], self.cast.users["member"])
        self.browsers = {who: self.cast.client(who) for who in EVERYBODY}
        self.games: list[Game] = []
        self.number = 0
        self.last: tuple[str, str, dict[str, Any]] | None = None

    def teardown(self) -> None:
        try:
            for game in self.games:
                self.must_hold(game)
            assert_recounted(self.league)
        finally:
            self.clock.stop()
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    # -----------------------------------------------------------------------------------------------------------------
    # What is sent, and what must hold after it

    def events(self) -> list[tuple[int, int, str]]:
        return list(Event.objects.filter(game__league=self.league).order_by("pk").values_list("game", "rev", "kind"))

    def post(self, who: str, path: str, fields: Mapping[str, Any]) -> HttpResponse:
        before = self.events()
        sent = {name: value for name, value in fields.items() if value is not None}
        answered = self.browsers[who].post(path, sent)
        assert isinstance(answered, HttpResponse)
        self.last = (who, path, sent)
        new = self.events()[len(before) :]
        assert answered.status_code < 500, sent
        if answered.status_code >= 400:
            # A count that clashes is kept beside the other one, and answered with both.
            assert [kind for _game, _rev, kind in new] == (["clash"] if new else []), (answered.status_code, new)
            assert answered.content.strip()
        if who in LOOKERS:
            assert not new, (who, new)
        if who in PHONES:
            assert {kind for _game, _rev, kind in new} <= OF_A_SEAT, (who, new)
        for game in self.games:
            if any(pk == game.pk for pk, _rev, _kind in new):
                self.must_hold(game)
        return answered

    def act(self, who: str, game: Game, do: str, **fields: Any) -> HttpResponse:
        self.number += 1
        sent = {"do": do, "page": "count", "client_id": f"act-{self.number}", **fields}
        return self.post(who, reverse("scoring:do", args=[game.pk]), sent)

    def state(self, game: Game) -> GameState:
        return ledger.fold(game.sheet.rules, record.read_log(game))

    def must_hold(self, game: Game) -> None:
        assert record.rebuild(game.pk) == 0
        state = self.state(game)
        revisions = list(Event.objects.filter(game=game).values_list("rev", flat=True))
        assert revisions == list(range(1, len(revisions) + 1)), "nothing is half written, and nothing written twice"
        for entry in Entry.objects.filter(hand__game=game):
            assert (entry.points is None) == (entry.kind in {"none", "absent"})
            assert (entry.posted is None) == (entry.how in {"", "absent"})
        self.must_add_up(game, state)

    def must_add_up(self, game: Game, state: GameState) -> None:
        """Ask the referee what the closed hands come to, from what was handed in alone."""
        hands = [
            [row.points if row.points is not None else {"none": None, "absent": "absent"}[row.kind] for row in rows]
            for hand in Hand.objects.filter(game=game, closed=True)
            if (rows := list(hand.entries.order_by("seat__number")))
        ]
        asked = {"rules": game.sheet.base, "players": len(state.players)}
        for hand, given in zip(Hand.objects.filter(game=game, closed=True), hands, strict=True):
            told = answer({**asked, "ask": "hand", "hand": hand.number, "scores": given})
            assert [row["points"] for row in told["scores"]] == list(
                hand.entries.order_by("seat__number").values_list("posted", flat=True)
            )
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        if state.status == "finished" and not state.ended_early and not state.standing_penalties:
            told = answer({**asked, "ask": "game", "hands": hands, "left": sorted(state.away)})
            assert [total["points"] for total in told["totals"]] == [seat.total for seat in seats]
            assert told["places"] == [seat.place for seat in seats]
        if state.status != "finished":
            assert all(seat.total is None and seat.place is None for seat in seats)

    def picture(self, game: Game) -> Any:
        """Give all rows made from a game's log, but for the number of its last event."""
        rows: list[Any] = [model_to_dict(Game.objects.get(pk=game.pk), exclude=["rev"])]
        for table in (Seat.objects.filter(game=game), Hand.objects.filter(game=game), Ruling.objects.filter(game=game)):
            rows += [model_to_dict(row, exclude=["id", "hand"]) for row in table]
        entries = Entry.objects.filter(hand__game=game).order_by("hand__number", "seat__number")
        return [*rows, *(model_to_dict(row, exclude=["id", "hand", "seat"]) for row in entries)]

    def a_game(self, data: st.DataObject) -> Game:
        return data.draw(st.sampled_from(self.games))

    # -----------------------------------------------------------------------------------------------------------------
    # What people do

    @initialize(size=st.integers(2, 5), sheet=st.sampled_from(["house", "house", "basic", "spanish", "may-i"]))
    def begin(self, size: int, sheet: str) -> None:
        size = min(size, 4) if sheet == "spanish" else size
        assert self.start("owner", list(range(size)), sheet, "0").status_code == 303
        game = self.games[0]
        code = joining.seat_code(self.league, game.pk, None).code
        for seat, who in enumerate(PHONES):
            self.browsers[who] = Client()
            self.browsers[who].post(reverse("scoring:join", args=[code]), {"seat": seat})
        self.browsers["onlooker"] = Client()
        link = joining.watch_link(self.league, game.pk, None).code
        self.browsers["onlooker"].post(reverse("scoring:watch", args=[link]))

    def start(self, who: str, chosen: list[int], sheet: str, dealer: str) -> HttpResponse:
        self.number += 1
        known = set(Game.objects.values_list("pk", flat=True))
        path = reverse("scoring:new-game", args=[self.league.slug])
        sent = {"do": "start", "client_id": f"new-{self.number}", "sheet": sheet, "first_dealer": dealer}
        answered = self.post(who, path, {**sent, "players": [self.players[at].pk for at in chosen]})
        self.games += Game.objects.filter(league=self.league).exclude(pk__in=known).select_related("sheet")
        return answered

    @precondition(lambda self: len(self.games) < 3)
    @rule(
        who=actors, chosen=st.lists(st.integers(0, 5), max_size=6), sheet=st.sampled_from(["house", "fifteen", "x"]), dealer=odd
    )
    def start_another(self, who: str, chosen: list[int], sheet: str, dealer: str) -> None:
        self.start(who, chosen, sheet, dealer or "1")

    @rule(data=st.data(), who=actors, seat=seats, back=st.integers(-1, 2))
    def count(self, data: st.DataObject, who: str, seat: int, back: int) -> None:
        game = self.a_game(data)
        state = self.state(game)
        seat = PHONES.index(who) if who in PHONES and data.draw(st.booleans()) else seat
        standing = state.hand.entries.get(seat)
        seen = data.draw(st.sampled_from([None, "0", str(standing.rev if standing else 0), "99", "x"]))
        more = {"reason": data.draw(words), "agreed": "all"} if back > 0 else {}
        self.act(who, game, "count", hand=state.hand.number - back, seat=seat, seen=seen, **count_of(data), **more)

    @rule(data=st.data(), who=hosts, odd_one=st.integers(0, 12))
    def play_a_hand(self, data: st.DataObject, who: str, odd_one: int) -> None:
        """Most hands end as they should, or no evening would get anywhere."""
        game = self.a_game(data)
        state = self.state(game)
        if state.status != "playing":
            return
        points = data.draw(st.lists(st.integers(0, 150), min_size=6, max_size=6))
        for seat in state.present:
            kind = "out" if seat == state.present[0] else "none" if odd_one == seat else "points"
            sent = {"entry-kind": kind, **({"entry-points": str(points[seat])} if kind == "points" else {})}
            self.act(who, game, "count", hand=state.hand.number, seat=seat, **sent)
        self.act(who, game, "close", hand=state.hand.number, confirmed="1")

    @rule(
        data=st.data(),
        who=actors,
        do=st.sampled_from(["opened", "stock", "turn", "clear", "close", "buy", "claim", "restart"]),
        seat=seats,
    )
    def tap(self, data: st.DataObject, who: str, do: str, seat: int) -> None:
        game = self.a_game(data)
        hand = self.state(game).hand
        done = {"stock": hand.stock_turned, "turn": hand.turns, "buy": len(hand.buys), "claim": len(hand.buys)}.get(do, 0)
        nth = data.draw(st.sampled_from([None, str(done + 1), str(done), "x"]))
        on = data.draw(st.sampled_from([None, "1", "0"]))
        number = data.draw(st.sampled_from([hand.number, hand.number - 1, 0, "x"]))
        self.act(who, game, do, hand=number, seat=seat, nth=nth, on=on, confirmed=data.draw(st.sampled_from(["", "1"])))

    @rule(data=st.data(), who=actors, do=st.sampled_from(["accept", "object", "dispute", "decide"]), seat=seats)
    def judge_a_count(self, data: st.DataObject, who: str, do: str, seat: int) -> None:
        game = self.a_game(data)
        state = self.state(game)
        hand = data.draw(st.sampled_from(state.hands))
        entry = hand.entries.get(seat)
        of = data.draw(st.sampled_from([str(entry.rev) if entry else "1", "0", "x"]))
        stands = data.draw(st.sampled_from([{"stands": "1"}, {"own": "1"}, {}]))
        self.act(who, game, do, hand=hand.number, seat=seat, of=of, reason=data.draw(words), **stands, **count_of(data))

    @rule(data=st.data(), who=actors, do=st.sampled_from(["propose", "agree", "decline", "taskdone"]), seat=seats)
    def speak_of_a_correction(self, data: st.DataObject, who: str, do: str, seat: int) -> None:
        game = self.a_game(data)
        state = self.state(game)
        waiting = [*state.proposals, *(task.rev for task in state.hand.tasks), 0]
        hand = data.draw(st.sampled_from(state.hands))
        of = data.draw(st.sampled_from(waiting))
        self.act(who, game, do, hand=hand.number, seat=seat, of=of, reason=data.draw(words), **count_of(data))

    @rule(data=st.data(), who=hosts)
    def agree_all_round(self, data: st.DataObject, who: str) -> None:
        game = self.a_game(data)
        for of in list(self.state(game).proposals):
            for seat in self.state(game).seats:
                self.act(who, game, "agree", seat=seat, of=of)

    @rule(
        data=st.data(), who=actors, do=st.sampled_from(["suspend", "resume", "leave", "return", "finish", "strike"]), seat=seats
    )
    def change_the_company(self, data: st.DataObject, who: str, do: str, seat: int) -> None:
        game = self.a_game(data)
        state = self.state(game)
        order = shuffled(data, [state.players[at] for at in state.present])
        consent = shuffled(data, state.present)
        reason = data.draw(words)
        self.act(who, game, do, seat=seat, consent=consent, players=order, present=order, reason=reason, page="manage")

    @rule(data=st.data(), who=actors, do=st.sampled_from(["join", "role"]), seat=seats, player=st.integers(0, 5))
    def change_a_part(self, data: st.DataObject, who: str, do: str, seat: int, player: int) -> None:
        game = self.a_game(data)
        role = data.draw(st.sampled_from(["player", "guest", "substitute", "king"]))
        key = data.draw(st.one_of(st.just(str(self.players[player].pk)), odd))
        self.act(who, game, do, seat=seat, player=key, stands_for=key, role=role, page="manage")

    @rule(data=st.data(), who=actors, kind=st.sampled_from(sorted(kinds())), seat=seats)
    def ask_for_a_ruling(self, data: st.DataObject, who: str, kind: str, seat: int) -> None:
        game = self.a_game(data)
        hand = data.draw(st.sampled_from(self.state(game).hands))
        facts = {wizard.PREFIX + fact.name: data.draw(value_of(fact)) for fact in kinds()[kind].facts}
        own = data.draw(st.sampled_from(["", "", "1"]))
        self.act(
            who, game, "ruling", page="wrong", kind=kind, hand=hand.number, seat=seat, go="1", own=own, words=data.draw(words),
            reason=data.draw(words), penalty=data.draw(sums), effect=sorted(effect_types()), count=data.draw(sums),
            evidence=data.draw(odd), **facts,
        )  # fmt: skip

    @rule(data=st.data(), who=actors)
    def undo_anything(self, data: st.DataObject, who: str) -> None:
        game = self.a_game(data)
        revisions = [str(event.rev) for event in record.read_log(game)]
        self.act(who, game, "undo", target=data.draw(st.one_of(st.sampled_from(revisions), odd)))

    @rule(data=st.data(), who=hosts)
    def undo_and_redo(self, data: st.DataObject, who: str) -> None:
        game = self.a_game(data)
        before = self.picture(game)
        event = ledger.undoable(record.read_log(game))
        if event is None or self.act(who, game, "undo", target=event.rev).status_code != 303:
            return
        redo = ledger.redoable(record.read_log(game))
        if redo is not None:
            assert self.act(who, game, "undo", target=redo.rev).status_code == 303
            assert self.picture(game) == before

    @precondition(lambda self: self.last is not None)
    @rule()
    def send_it_again(self) -> None:
        """A phone that did not hear the answer sends the same once more."""
        assert self.last
        who, path, sent = self.last
        before = self.events()
        self.post(who, path, sent)
        assert self.events() == before

    @rule(
        data=st.data(),
        who=st.sampled_from(EVERYBODY),
        kept=st.integers(0, 5),
        gone=st.integers(0, 5),
        do=st.sampled_from(["merge", "part"]),
    )
    def say_who_is_who(self, data: st.DataObject, who: str, kept: int, gone: int, do: str) -> None:
        merges = list(Merge.objects.values_list("pk", flat=True))
        chosen = self.players[kept].pk if do == "merge" else data.draw(st.sampled_from([*merges, 0]))
        path = reverse("scoring:same-person", args=[self.league.slug, self.players[gone].pk])
        self.post(who, path, {"do": do, "chosen": chosen})
        for game in self.games:
            self.must_hold(game)

    @rule(data=st.data(), who=st.sampled_from((*EVERYBODY, *PHONES, "onlooker")), page=st.sampled_from(PAGES))
    def look(self, data: st.DataObject, who: str, page: str) -> None:
        before = self.events()
        game = self.a_game(data)
        assert self.browsers[who].get(reverse(f"scoring:{page}", args=[game.pk])).status_code < 500
        assert self.events() == before

    @rule(days=st.sampled_from([-1, 0, 1, 1, 12]))
    def sleep(self, days: int) -> None:
        """Clocks go forwards, over the turn of the year too, and now and then somebody sets one back."""
        self.time.shift(timedelta(days=days))
        for who in EVERYBODY:
            if who != "anonymous":
                self.browsers[who].force_login(self.cast.users[who])


def value_of(fact: Fact) -> st.SearchStrategy[str]:
    if fact.type == "bool":
        return st.sampled_from(["yes", "no", "yes", "no", ""])
    if fact.type == "count":
        return st.integers(fact.least, fact.most).map(str)
    return st.sampled_from([choice.value for choice in fact.choices])


def test_whatever_anybody_does_the_books_stay_right() -> None:
    thorough = settings.default is not None and settings.default.max_examples > 1000
    how = settings(
        max_examples=300 if thorough else 12,
        stateful_step_count=60 if thorough else 20,
        derandomize=not thorough,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Evening, settings=how)
