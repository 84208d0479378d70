"""One table, many phones, on the server's side: who may do what, what stays hidden, and what counts once.

Tests named after an input of the field notes carry its number.
"""

import re
import threading
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from continental.rules.referee import answer
from players import joining, people
from players.models import Attempts, Device, Invitation
from scoring import load, record
from scoring.models import Entry, Event, Game
from tests.cast import Cast
from tests.scoring.tables import act, game_of, hand

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Ben", "Cai", "Dot")


@pytest.fixture
def game(cast: Cast) -> Game:
    return game_of(cast.league, [people.add_player(cast.league, name) for name in NAMES])


@pytest.fixture
def host(cast: Cast) -> Client:
    return cast.client("scorekeeper")


def phone(game: Game, seat: int) -> Client:
    """A phone that scanned the code and took a seat."""
    client = Client()
    code = joining.seat_code(game.league, game.pk, None).code
    assert client.post(reverse("scoring:join", args=[code]), {"seat": seat}).status_code == 303
    return client


def spectator(game: Game, *, whole_league: bool = False) -> Client:
    client = Client()
    link = joining.watch_link(game.league, 0 if whole_league else game.pk, None)
    assert client.post(reverse("scoring:watch", args=[link.code])).status_code == 303
    return client


_numbers = iter(range(10**9))


def send(client: Client, game: Game, do: str, **fields: Any) -> HttpResponse:
    fields.setdefault("client_id", f"phones-{next(_numbers)}")
    reply = client.post(reverse("scoring:do", args=[game.pk]), {"do": do, "page": "count", **fields})
    assert isinstance(reply, HttpResponse)
    return reply


def count(client: Client, game: Game, seat: int, points: int | str, *, number: int = 1, **fields: Any) -> HttpResponse:
    return send(client, game, "count", hand=number, seat=seat, kind="points", points=str(points), **fields)


def cards(client: Client, game: Game, seat: int, held: str) -> HttpResponse:
    return send(client, game, "count", hand=1, seat=seat, kind="cards", cards=held)


def accept(client: Client, game: Game, seat: int, *, do: str = "accept") -> HttpResponse:
    return send(client, game, do, hand=1, seat=seat, of=state(game).hand.entries[seat].rev)


def state(game: Game) -> load.Table:
    found = load.game(game.pk)
    assert found is not None
    return load.table(found)


def page(client: Client, game: Game, name: str, **headers: str) -> str:
    reply = client.get(reverse(f"scoring:{name}", args=[game.pk]), headers=headers)
    return re.sub(r"\s+", " ", reply.content.decode())


# ---------------------------------------------------------------------------------------------------------------------
# Who may


PAGES = ("table", "sheet", "history", "board", "count", "manage", "phones")


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("seat", {"table": 200, "sheet": 200, "history": 200, "board": 200, "count": 200, "manage": 403, "phones": 403}),
        ("spectator", {"table": 200, "sheet": 200, "history": 200, "board": 200, "count": 403, "manage": 403, "phones": 403}),
        ("elsewhere", dict.fromkeys(PAGES, 302)),
        ("revoked", dict.fromkeys(PAGES, 403)),
    ],
)
def test_a_guest_sees_their_own_table_and_no_more(cast: Cast, game: Game, who: str, expected: Mapping[str, int]) -> None:
    other = game_of(cast.league, [people.add_player(cast.league, name) for name in ("Eva", "Fay")])
    client = {"seat": phone(game, 1), "spectator": spectator(game), "elsewhere": phone(other, 0), "revoked": phone(game, 2)}[who]
    if who == "revoked":
        joining.revoke_seat(game.pk, 2)
    assert {name: client.get(reverse(f"scoring:{name}", args=[game.pk])).status_code for name in PAGES} == expected
    assert client.get(reverse("scoring:league", args=[cast.league.slug])).status_code == 302


@pytest.mark.parametrize(
    ("do", "fields", "own", "left", "far", "looking", "member"),
    [
        ("opened", {"hand": 1, "seat": 1, "on": 1}, 303, 403, 403, 403, 403),
        ("count", {"hand": 1, "seat": 1, "kind": "out"}, 303, 403, 403, 403, 403),
        ("accept", {"hand": 1, "seat": 1, "of": 0}, 403, 422, 403, 403, 403),
        ("object", {"hand": 1, "seat": 1, "of": 0}, 403, 422, 403, 403, 403),
        ("stock", {"hand": 1, "nth": 1}, 303, 303, 303, 403, 403),
        ("undo", {"target": 1}, 403, 403, 403, 403, 403),
        ("restart", {"hand": 1}, 403, 403, 403, 403, 403),
        ("finish", {}, 403, 403, 403, 403, 403),
        ("leave", {"seat": 1}, 403, 403, 403, 403, 403),
    ],
)
def test_a_phone_plays_its_own_seat_and_accepts_its_neighbours(
    cast: Cast, game: Game, do: str, fields: dict[str, Any], own: int, left: int, far: int, looking: int, member: int
) -> None:
    clients = [phone(game, 1), phone(game, 2), phone(game, 3), spectator(game), cast.client("member")]
    for client, status in zip(clients, (own, left, far, looking, member), strict=True):
        reply = send(client, game, do, **fields)
        assert reply.status_code == status
        if status == 303:
            act(game, "undo", target=state(game).state.rev)


def test_a_member_whose_player_sits_plays_that_seat_without_a_code(cast: Cast, game: Game) -> None:
    people.give_account(game.seats.get(number=2).player, cast.users["member"])
    assert count(cast.client("member"), game, 2, 30).status_code == 303
    assert Entry.objects.get().by_seat == 2
    assert count(cast.client("member"), game, 1, 30).status_code == 403


def test_whoever_looks_at_the_whole_league_sees_its_pages_and_games(cast: Cast, game: Game) -> None:
    client = spectator(game, whole_league=True)
    assert client.get(reverse("scoring:league", args=[cast.league.slug])).status_code == 200
    assert client.get(reverse("scoring:table", args=[game.pk])).status_code == 200
    assert send(client, game, "stock", hand=1, nth=1).status_code == 403


def test_a_closed_link_shows_nothing_more(game: Game) -> None:
    client = spectator(game)
    joining.revoke_invitation(Invitation.objects.get(kind="watch"))
    assert client.get(reverse("scoring:table", args=[game.pk])).status_code == 403


@pytest.mark.parametrize("do", ["revoke:1", "move:1", "new-code", "watch", "watch-league", "close:1"])
def test_only_who_keeps_the_score_hands_out_seats_and_links(cast: Cast, game: Game, do: str) -> None:
    guest = phone(game, 1)
    address = reverse("scoring:phones", args=[game.pk])
    cast.expects(address, {"do": do}, owner=303, scorekeeper=303, member=403, viewer=403)
    assert guest.post(address, {"do": do}).status_code == 403


# ---------------------------------------------------------------------------------------------------------------------
# Joining


def test_one_seat_takes_one_phone(game: Game) -> None:
    phone(game, 1)
    code = joining.seat_code(game.league, game.pk, None).code
    second = Client().post(reverse("scoring:join", args=[code]), {"seat": 1})
    assert second.status_code == 409
    assert "a moment ago" in second.content.decode()
    assert Device.objects.filter(seat=1, revoked=None).count() == 1


def test_a_moving_code_works_once_and_puts_the_old_phone_out(game: Game) -> None:
    old = phone(game, 1)
    address = reverse("scoring:join", args=[joining.move_code(game.league, game.pk, 1, None).code])
    assert Client().post(address, {"seat": 2}).status_code == 409
    assert old.get(reverse("scoring:table", args=[game.pk])).status_code == 200
    code = joining.move_code(game.league, game.pk, 1, None).code
    new = Client()
    assert new.post(reverse("scoring:join", args=[code]), {"seat": 1}).status_code == 303
    assert count(new, game, 1, 10).status_code == 303
    assert old.get(reverse("scoring:table", args=[game.pk])).status_code == 403
    assert Client().post(reverse("scoring:join", args=[code]), {"seat": 1}).status_code == 404


def test_codes_hold_no_letters_that_look_alike_and_are_read_however_they_are_typed() -> None:
    codes = {joining.new_code() for _time in range(200)}
    assert len(codes) == 200
    assert not set("".join(codes)) & set("0OQ1IL2Z5S8B") - {"Q"}
    assert joining.read_code(" ac-d4 7k ") == "ACD47K"
    assert joining.read_code("http://192.168.0.7:8000/j/acd47k/ ") == "ACD47K"


def test_guessing_codes_is_slowed_down_and_a_right_one_costs_nothing(game: Game) -> None:
    code = joining.seat_code(game.league, game.pk, None).code
    client = Client()
    for _time in range(30):
        assert client.get(reverse("scoring:join", args=[code])).status_code == 200
    statuses = [client.get(reverse("scoring:join", args=[f"WRNG{number:02}"])).status_code for number in range(16)]
    assert statuses == [404] * 15 + [429]
    assert client.get(reverse("scoring:join", args=[code])).status_code == 429
    Attempts.objects.all().delete()
    assert client.get(reverse("scoring:join", args=[code])).status_code == 200


def test_a_secret_is_kept_as_a_hash_and_a_forged_cookie_is_nobody(game: Game) -> None:
    client = phone(game, 1)
    cookie = client.cookies[joining.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert Device.objects.get().secret_hash not in cookie.value
    client.cookies[joining.COOKIE] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")
    assert client.get(reverse("scoring:table", args=[game.pk])).status_code == 302


def test_a_link_is_taken_by_a_person_and_not_by_a_preview_of_it(game: Game) -> None:
    link = joining.watch_link(game.league, game.pk, None)
    assert Client().get(reverse("scoring:watch", args=[link.code])).status_code == 200
    assert not Device.objects.exists()


# ---------------------------------------------------------------------------------------------------------------------
# Own count, neighbour accepts


def test_what_a_phone_counted_waits_for_the_neighbour_and_what_the_scorer_counted_does_not(game: Game, host: Client) -> None:
    ben, cai = phone(game, 1), phone(game, 2)
    count(ben, game, 1, 25)
    for seat in (0, 2, 3):
        count(host, game, seat, 10)
    assert list(Entry.objects.order_by("seat__number").values_list("state", flat=True)) == [
        "accepted",
        "entered",
        "accepted",
        "accepted",
    ]
    refused = send(host, game, "close", hand=1, confirmed=1)
    assert refused.status_code == 422
    assert "has not accepted the count of \u2068Ben\u2069" in refused.content.decode()
    assert accept(cai, game, 1).status_code == 303
    assert send(ben, game, "close", hand=1, confirmed=1).status_code == 303


def test_an_objection_disputes_one_entry_and_keeps_the_hand_open_until_it_is_counted_again(game: Game, host: Client) -> None:
    ben, cai = phone(game, 1), phone(game, 2)
    count(ben, game, 1, 25)
    for seat in (0, 2, 3):
        count(host, game, seat, 10)
    assert accept(cai, game, 1, do="object").status_code == 303
    assert "is disputed" in send(host, game, "close", hand=1, confirmed=1).content.decode()
    count(ben, game, 1, 25)
    assert Entry.objects.get(seat__number=1).state == "entered"
    accept(cai, game, 1)
    assert send(host, game, "close", hand=1, confirmed=1).status_code == 303
    assert record.rebuild(game.pk) == 0


def test_whoever_keeps_the_score_counts_and_accepts_for_anyone(game: Game, host: Client) -> None:
    ben = phone(game, 1)
    count(ben, game, 1, 25)
    accept(phone(game, 2), game, 1, do="object")
    assert count(host, game, 1, 25).status_code == 303
    entry = Entry.objects.get()
    assert (entry.state, entry.by_seat, entry.points) == ("accepted", None, 25)


def test_a_count_that_changed_meanwhile_is_not_accepted_unseen(game: Game) -> None:
    ben, cai = phone(game, 1), phone(game, 2)
    count(ben, game, 1, 25)
    seen = state(game).hand.entries[1].rev
    count(ben, game, 1, 5)
    late = send(cai, game, "accept", hand=1, seat=1, of=seen)
    assert late.status_code == 409
    assert "has counted again meanwhile" in late.content.decode()
    assert Entry.objects.get().state == "entered"


def test_undo_of_an_acceptance_brings_the_waiting_back(game: Game, host: Client) -> None:
    ben, cai = phone(game, 1), phone(game, 2)
    count(ben, game, 1, 25)
    accept(cai, game, 1)
    act(game, "undo", target=state(game).state.rev)
    assert Entry.objects.get().state == "entered"
    assert record.rebuild(game.pk) == 0


def test_a_phone_that_was_away_while_the_hand_closed_is_told_so(game: Game, host: Client) -> None:
    ben = phone(game, 1)
    hand(game, 1, "out", 10, 20, 30)
    late = count(ben, game, 1, 99, seen=0)
    assert late.status_code == 409
    assert "Hand 1 is over" in late.content.decode()
    assert Entry.objects.get(hand__number=1, seat__number=1).points == 10


def test_who_is_missing_is_plain_on_every_phone(game: Game, host: Client) -> None:
    clients = [phone(game, 1), phone(game, 3), host]
    count(clients[0], game, 1, 25)
    for client in clients:
        text = page(client, game, "count")
        assert "Still open:" in text
        assert "Not accepted yet: <strong><bdi>Ben</bdi></strong>" in text


# ---------------------------------------------------------------------------------------------------------------------
# The inputs of the field notes


def test_input_14_a_set_on_the_table_takes_a_suit_it_has_already() -> None:
    verdict = answer(
        {
            "ask": "turn",
            "rules": "house",
            "players": 4,
            "hand": 1,
            "table": [{"id": "t1", "owner": "A", "kind": "set", "cards": "7S 7H 7D"}],
            "player": "B",
            "opened": ["A", "B"],
            "actions": [{"do": "layoff", "meld": "t1", "cards": "7S"}, {"do": "discard", "card": "KD"}],
        }
    )
    assert verdict["verdict"] == "legal"


@pytest.mark.parametrize("order", list(permutations(["9D", "QD", "TD", "JD"])))
def test_input_15_a_run_is_a_run_in_whatever_order_it_was_tapped(order: tuple[str, ...]) -> None:
    opening = {"do": "open", "melds": ["KC KD KH", " ".join(order)]}
    verdict = answer({"ask": "turn", "rules": "house", "players": 4, "hand": 2, "actions": [opening]})
    assert verdict["verdict"] == "legal"


@pytest.mark.parametrize("name", ["table", "count", "history", "sheet", "board"])
@pytest.mark.parametrize("fragment", [False, True])
def test_input_62_cards_entered_on_a_phone_are_nowhere_before_the_hand_closes(
    cast: Cast, game: Game, host: Client, name: str, fragment: bool
) -> None:
    ben, cai, dot = phone(game, 1), phone(game, 2), phone(game, 3)
    cards(ben, game, 1, "KS KH 9D")
    headers = {"HX-Request": "true"} if fragment else {}
    secret = re.compile(r"KS KH 9D|30 points|>\s*30\s*<")
    for other in (dot, host, cast.client("member"), spectator(game)):
        assert not secret.search(page(other, game, name, **headers))
    if name == "count":
        assert secret.search(page(ben, game, name, **headers))
        assert secret.search(page(cai, game, name, **headers))
        accept(cai, game, 1)
        assert not secret.search(page(cai, game, name, **headers))
        assert secret.search(page(ben, game, name, **headers))
    for seat in (0, 2, 3):
        act(game, "count", hand=1, seat=seat, kind="points", points="10")
    if state(game).hand.entries[1].state == "entered":
        accept(cai, game, 1)
    act(game, "close", hand=1)
    assert secret.search(page(dot, game, "sheet"))


def test_input_62_the_undo_button_and_the_history_do_not_tell_either(game: Game, host: Client) -> None:
    count(phone(game, 1), game, 1, 29)
    assert "count entered" in page(host, game, "table")
    assert "29 points" not in page(host, game, "table") + page(host, game, "history")
    act(game, "undo", target=state(game).state.rev)
    assert "29 points" not in page(host, game, "table") + page(host, game, "history")


def test_input_62_the_export_leaves_out_what_is_not_closed(cast: Cast, game: Game) -> None:
    cards(phone(game, 1), game, 1, "KS KH 9D")
    address = reverse("scoring:games-csv", args=[cast.league.slug])
    assert "KS KH 9D" not in cast.client("member").get(address).content.decode()
    for seat in (0, 2, 3):
        act(game, "count", hand=1, seat=seat, kind="points", points="10")
    accept(phone(game, 2), game, 1)
    act(game, "close", hand=1)
    assert "KS KH 9D" in cast.client("member").get(address).content.decode()


def test_input_28_the_final_sheet_has_the_totals_of_the_running_board(game: Game) -> None:
    for number in range(1, 8):
        hand(game, number, "out", 10 * number, 20, -10)
        shown = re.findall(r'class="tv-total">(-?\d+)<', page(spectator(game), game, "board"))
    totals = list(game.seats.values_list("total", flat=True))
    assert [int(total) for total in shown] == totals == [0, 280, 140, -70]


def test_input_29_two_phones_on_two_seats_are_both_kept(game: Game, host: Client) -> None:
    assert count(phone(game, 1), game, 1, 20, seen=0).status_code == 303
    assert count(host, game, 0, 35, seen=0).status_code == 303
    assert list(Entry.objects.order_by("seat__number").values_list("points", flat=True)) == [35, 20]


def test_input_30_posting_some_seats_leaves_the_others_alone(game: Game, host: Client) -> None:
    for seat in range(4):
        count(host, game, seat, 10 * seat)
    count(host, game, 1, 15)
    count(host, game, 2, 25)
    assert list(Entry.objects.order_by("seat__number").values_list("points", flat=True)) == [0, 15, 25, 30]


@pytest.mark.django_db(transaction=True)
def test_input_31_one_submission_in_parallel_counts_once_and_is_answered_every_time(game: Game, host: Client) -> None:
    statuses: list[int] = []

    def post() -> None:
        client = Client()
        client.cookies = host.cookies
        statuses.append(count(client, game, 0, 25, client_id="the-same", seen=0).status_code)
        connection.close()

    threads = [threading.Thread(target=post) for _time in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [303] * 6
    assert Event.objects.filter(kind="count").count() == 1


def test_input_32_two_values_for_one_seat_are_both_shown_on_every_side_and_neither_is_lost(game: Game, host: Client) -> None:
    ben, cai = phone(game, 1), phone(game, 2)
    count(ben, game, 1, 35, seen=0)
    clash = count(host, game, 1, 45, seen=0)
    assert clash.status_code == 409
    assert "35 stands on the sheet, 45 was entered here" in clash.content.decode()
    for client in (ben, host, cai):
        text = page(client, game, "count")
        assert "35 points" in text
        assert "45 points" in text
    for seat in (0, 2, 3):
        count(host, game, seat, 10)
    assert "is disputed" in send(host, game, "close", hand=1, confirmed=1).content.decode()
    again = count(host, game, 1, 45, seen=state(game).hand.entries[1].rev)
    assert again.status_code == 303
    assert Entry.objects.get(seat__number=1).points == 45
    assert send(host, game, "close", hand=1, confirmed=1).status_code == 303
    assert record.rebuild(game.pk) == 0


def test_input_32_a_clash_sent_twice_stands_once(game: Game, host: Client) -> None:
    count(phone(game, 1), game, 1, 35, seen=0)
    for _time in range(2):
        assert count(host, game, 1, 45, seen=0, client_id="the-same").status_code == 409
    assert Event.objects.filter(kind="clash").count() == 1


@pytest.mark.parametrize("do", ["accept", "object"])
def test_input_33_two_tabs_accept_or_object_once(game: Game, do: str) -> None:
    ben, cai = phone(game, 1), phone(game, 2)
    count(ben, game, 1, 25)
    assert [accept(cai, game, 1, do=do).status_code for _tab in range(2)] == [303, 303]
    assert Event.objects.filter(kind=do).count() == 1


def test_input_34_a_finished_hand_opens_with_its_old_numbers(game: Game, host: Client) -> None:
    for number in range(1, 8):
        hand(game, number, "out", 11, 22, 33)
    text = host.get(reverse("scoring:correct", args=[game.pk, 3]) + "?seat=2").content.decode()
    assert re.search(r'name="entry-points" value="22"', text)
    assert re.search(r'value="points" data-field="kind" checked', text)


def test_input_40_claiming_a_seat_in_a_game_leaves_one_game(cast: Cast, game: Game, host: Client) -> None:
    guest = game.seats.get(number=1).player
    people.give_account(guest, cast.users["scorekeeper"])
    assert Game.objects.count() == 1
    assert page(host, game, "table").count(">Ben<") >= 1
    assert host.get(reverse("scoring:player", args=[cast.league.slug, guest.pk])).content.decode().count(f"/g/{game.pk}/") == 1


def test_input_41_the_deal_passes_on_in_order_over_reloads(game: Game, host: Client) -> None:
    dealers = []
    for number in range(1, 6):
        text = page(host, game, "board")
        dealers.append(re.search(r"<dt>Deals</dt><dd><bdi>(\w+)", text))
        hand(game, number, "out", 10, 20, 30)
        record.rebuild(game.pk)
    assert [found[1] for found in dealers if found] == ["Ana", "Ben", "Cai", "Dot", "Ana"]


# ---------------------------------------------------------------------------------------------------------------------
# Fragments


def test_a_phone_that_has_the_newest_table_is_told_so_in_a_word(game: Game, host: Client) -> None:
    address = reverse("scoring:table", args=[game.pk])
    first = host.get(address, headers={"HX-Request": "true"})
    tag = first.headers["ETag"]
    assert host.get(address, headers={"HX-Request": "true", "If-None-Match": tag}).status_code == 304
    assert host.get(address, headers={"If-None-Match": tag}).status_code == 200
    count(host, game, 0, 10)
    assert host.get(address, headers={"HX-Request": "true", "If-None-Match": tag}).status_code == 200


def test_what_one_viewer_was_shown_is_not_the_newest_for_another(game: Game, host: Client) -> None:
    address = reverse("scoring:count", args=[game.pk])
    tags = {
        client.get(address, headers={"HX-Request": "true"}).headers["ETag"] for client in (host, phone(game, 1), phone(game, 2))
    }
    assert len(tags) == 3


def test_looking_again_in_vain_costs_few_queries(game: Game, django_assert_max_num_queries: Any) -> None:
    client = phone(game, 1)
    address = reverse("scoring:count", args=[game.pk])
    tag = client.get(address, headers={"HX-Request": "true"}).headers["ETag"]
    with django_assert_max_num_queries(2):
        assert client.get(address, headers={"HX-Request": "true", "If-None-Match": tag}).status_code == 304


# ---------------------------------------------------------------------------------------------------------------------
# Under the thumb


def names_in_order(client: Client, game: Game) -> list[str]:
    found = re.search(r'<ol class="seats">.*?</ol>', page(client, game, "table"))
    return re.findall(r'<p class="seat-name"> <bdi>(\w+)</bdi>', found[0]) if found else []


def test_a_phone_finds_its_own_seat_first_and_whoever_keeps_the_score_the_order_of_the_seats(game: Game, host: Client) -> None:
    cai = phone(game, 2)
    assert names_in_order(cai, game) == ["Cai", "Dot", "Ana", "Ben"]
    for client in (host, spectator(game)):
        assert names_in_order(client, game) == list(NAMES)
    act(game, "leave", seat=1)
    assert names_in_order(cai, game)[:2] == ["Cai", "Dot"]


def test_a_phone_has_its_own_keypad_above_the_list_of_who_is_open(game: Game, host: Client) -> None:
    guest, scorer = page(phone(game, 2), game, "count"), page(host, game, "count")
    assert guest.index('id="count-form"') < guest.index('id="count-seats"')
    assert scorer.index('id="count-seats"') < scorer.index('id="count-form"')


@pytest.mark.parametrize(("asked_at", "warned"), [("127.0.0.1:8000", True), ("localhost", True), ("192.0.2.7:8000", False)])
def test_the_host_is_warned_where_no_phone_can_follow_the_code(
    game: Game, host: Client, settings: Any, asked_at: str, warned: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    page = host.get(reverse("scoring:phones", args=[game.pk]), headers={"host": asked_at}).content.decode()
    assert f"http://{asked_at}/j/" in page
    assert ("<code>LAN=1 make serve</code>" in page) is warned


@pytest.mark.parametrize(
    "typed", ["a/b", "../../etc/passwd", "/", "//", "-", "http://10.0.0.7/j/", "?", "#", "%", "x" * 5000, "\u200b", "<b>"]
)
def test_whatever_is_typed_for_a_code_is_answered_with_a_sentence(client: Client, typed: str) -> None:
    answer = client.get("/j/", {"code": typed}, follow=True)
    assert answer.status_code == 404
    assert "No table has this code" in answer.content.decode()
