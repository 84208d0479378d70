"""A form that is refused comes back with what was chosen in it, a word too many is never cut off, and no word is guessed."""

from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from players import membership, people
from players.models import League, MemberInvitation, Player, User
from scoring import record
from scoring.models import Event, Game, Photo, RuleSheet, Signature
from scoring.record import By
from tests.addresses import picture
from tests.cast import Cast
from tests.forms import Form, Page
from tests.scoring.tables import act

pytestmark = pytest.mark.django_db


def refused(answer: Any, status: int = 422) -> Page:
    assert answer.status_code == status
    page = Page(answer.content.decode(), "/")
    assert any(page.alerts)
    return page


def form_of(page: Page, **hidden: str) -> Form:
    """Find the form with these hidden fields."""
    return next(form for form in page.forms if set(hidden.items()) <= set(form.sent()))


def do(host: Client, game: Game, **sent: Any) -> Any:
    return host.post(reverse("scoring:do", args=[game.pk]), {"client_id": "form", **sent})


# ---------------------------------------------------------------------------------------------------------------------
# What was chosen


def test_a_photo_that_is_none_leaves_what_it_shows_whose_and_when(host: Client, game: Game) -> None:
    page = refused(do(host, game, do="photo", page="photos", about="dispute", hand="1", seat="3"))
    assert {("about", "dispute"), ("hand", "1"), ("seat", "3")} <= set(form_of(page, do="photo").sent())


def test_a_part_that_cannot_be_leaves_what_was_chosen(cast: Cast, host: Client, game: Game) -> None:
    gia = people.add_player(cast.league, "Gia")
    people.add_player(cast.league, "Zoe")
    sent = {"seat": "1", "role": "nonsense", "stands_for": str(gia.pk)}
    page = refused(do(host, game, do="role", page="manage", **sent))
    assert ("stands_for", str(gia.pk)) in form_of(page, do="role", seat="1").sent()
    assert ("stands_for", str(gia.pk)) in form_of(page, do="role", seat="2").sent(), "the first who is offered, as before"


def test_who_agreed_stays_ticked_where_somebody_did_not(host: Client, game: Game) -> None:
    page = refused(do(host, game, do="suspend", page="manage", consent=["0", "2"]))
    assert [value for name, value in form_of(page, do="suspend").sent() if name == "consent"] == ["0", "2"]
    act(game, "opened", hand=2, seat=1)
    sent = {"hand": "1", "seat": "2", "seen": "4", "entry-kind": "points", "entry-points": "25", "reason": "recounted"}
    page = refused(do(host, game, do="count", page="correct", agreed=["0", "3"], **sent))
    again = form_of(page, do="count").sent()
    assert [value for name, value in again if name == "agreed"] == ["0", "3"]
    assert {("reason", "recounted"), ("entry-points", "25"), ("entry-kind", "points")} <= set(again)


LONG: Final = "x" * 201


def test_a_dispute_keeps_its_words_to_itself(host: Client, game: Game) -> None:
    page = refused(do(host, game, do="dispute", page="correct", hand="1", seat="2", reason=LONG))
    assert ("reason", LONG) in form_of(page, do="dispute").sent()
    assert ("reason", "") in form_of(page, do="count").sent()
    act(game, "dispute", hand=1, seat=2, reason="a king more")
    sent = {"kind": "points", "points": "20x", "reason": "counted twice", "own": "1"}
    page = refused(do(host, game, do="decide", page="correct", hand="1", seat="2", **sent))
    assert {("points", "20x"), ("reason", "counted twice"), ("own", "1")} <= set(form_of(page, do="decide").sent())
    assert ("entry-points", "20x") not in form_of(page, do="count").sent()


def test_why_a_game_is_struck_stays_in_its_form(host: Client, game: Game) -> None:
    act(game, "finish")
    page = refused(do(host, game, do="strike", page="sheet", reason=LONG))
    assert ("reason", LONG) in form_of(page, do="strike").sent()


def test_the_tables_own_ruling_stays_in_its_form_and_the_effects_stay_unticked(host: Client, game: Game) -> None:
    ruling = {"do": "ruling", "page": "wrong", "kind": "illegal-meld", "go": "1", "hand": "2", "seat": "1"}
    facts = {"f.hand_scored": "no", "f.same_turn": "yes"}
    own = {"own": "1", "words": "Ten points.", "reason": "so", "penalty": "ten"}
    page = refused(do(host, game, **ruling, **facts, **own))
    assert {("words", "Ten points."), ("reason", "so"), ("penalty", "ten")} <= set(form_of(page, own="1").sent())
    plain = next(form for form in page.forms if "reason" in form.names and "own" not in form.names)
    assert ("reason", "") in plain.sent()


def test_whoever_is_refused_an_account_is_still_the_player_who_was_chosen(cast: Cast) -> None:
    free = [people.add_player(cast.league, name) for name in ("Gia", "Hal")]
    _invitation, token = membership.invite(cast.league, "member", cast.owner)
    address = reverse("players:invitation", args=[token])
    sent = {"username": "Halina", "password": "short", "player": str(free[1].pk)}
    page = refused(Client().post(address, sent))
    again = dict(form_of(page, player=str(free[1].pk)).sent())
    assert (again["username"], again["player"]) == ("Halina", str(free[1].pk))
    assert not User.objects.filter(username="Halina").exists()


def test_two_who_are_not_one_person_stay_chosen(cast: Cast, host: Client, game: Game) -> None:
    ana, ben = Player.objects.filter(name__in=["Ana", "Ben"]).order_by("name")
    answer = host.post(reverse("scoring:same-person", args=[cast.league.slug, ana.pk]), {"do": "merge", "chosen": str(ben.pk)})
    assert form_of(refused(answer), chosen=str(ben.pk))


def test_cards_typed_for_the_draw_stay_while_seats_change_and_go_once_they_are_drawn(
    cast: Cast, host: Client, game: Game
) -> None:
    seated = [str(pk) for pk in game.seats.order_by("number").values_list("player", flat=True)]
    typed = {f"card-{pk}": card for pk, card in zip(seated, ("KH", "KS", "2D", "3C"), strict=True)}
    sent = {"players": seated, "sheet": "house", "client_id": "new", **typed}
    address = reverse("scoring:new-game", args=[cast.league.slug])

    def after(step: str) -> dict[str, str]:
        page = Page(host.post(address, {**sent, "do": step}).content.decode(), address)
        found = next(form for form in page.forms if "sheet" in form.names)
        return {name: value for name, value in found.sent() if name.startswith("card-")}

    assert after(f"up:{seated[1]}") == typed
    assert after("draw") == {f"card-{pk}": "" for pk in seated[:2]}, "two kings: those two draw again"


def test_cards_that_are_not_kept_can_be_gone_back_to(host: Client, game: Game) -> None:
    answer = do(host, game, do="evidence", page="photos", query="m=7H+7D&hand=99", spots="")
    refused(answer)
    assert f'href="{reverse("scoring:game-check", args=[game.pk])}?m=7H+7D&amp;hand=99"' in answer.content.decode()


# ---------------------------------------------------------------------------------------------------------------------
# What is too long


def test_a_reason_is_kept_whole_or_not_at_all(host: Client, game: Game) -> None:
    before = Event.objects.count()
    sent = {"do": "count", "page": "correct", "hand": "1", "seat": "2", "kind": "points", "points": "25", "agreed": "all"}
    assert do(host, game, **sent, reason=LONG).status_code == 422
    assert Event.objects.count() == before
    assert do(host, game, **sent, reason=LONG[:200]).status_code == 303
    assert Event.objects.latest("rev").reason == LONG[:200]


def test_two_actions_whose_names_begin_alike_are_two(host: Client, game: Game) -> None:
    before = Event.objects.count()
    for last in "ab":
        answer = do(host, game, do="opened", page="table", hand="2", seat="0", on="1", client_id="x" * 40 + last)
        refused(answer, 400)
    assert Event.objects.count() == before
    assert do(host, game, do="opened", page="table", hand="2", seat="0", on="1", client_id="x" * 40).status_code == 303


@pytest.mark.parametrize(("line", "status"), [("", 422), ("  \u200b ", 422), ("x" * 401, 422), ("x" * 400, 303)])
def test_a_line_of_the_house_is_kept_whole_or_not_at_all(host: Client, game: Game, line: str, status: int) -> None:
    ruling = {"kind": "misdeal", "facts": {}, "hand": 2, "own": True, "words": "Deal again.", "seats": [0]}
    rev = record.apply(game.pk, "ruling", ruling, By(), client_id="ruling", reason="seen").rev
    before = RuleSheet.objects.count()
    answer = host.post(reverse("scoring:house-rule", args=[game.pk, rev]), {"line": line})
    assert answer.status_code == status
    assert RuleSheet.objects.count() == before + (status == 303)
    if status == 422:
        assert ("line", line) in [pair for form in refused(answer).forms for pair in form.sent()]


# ---------------------------------------------------------------------------------------------------------------------
# What no page offers


def test_a_word_that_no_button_sends_changes_nothing_and_is_named(cast: Cast, host: Client, game: Game) -> None:
    league = cast.league.slug
    player = Player.objects.get(name="Ana")
    asked: list[tuple[str, dict[str, Any], str]] = [
        (reverse("players:language"), {"language": "tlh"}, "language"),
        (reverse("players:theme"), {"theme": "purple"}, "theme"),
        (reverse("players:suits"), {"suits": "five"}, "suits"),
        (reverse("scoring:switch-ratings", args=[league]), {"on": "perhaps"}, "on"),
        (reverse("scoring:sign-sheet", args=[league, game.sheet_id]), {"do": "perhaps", "player": player.pk}, "do"),
        (reverse("scoring:new-game", args=[league]), {"do": "perhaps"}, "do"),
        (reverse("scoring:new-sheet", args=[league]), {"do": "perhaps"}, "do"),
        (reverse("scoring:new-season", args=[league]), {**SEASON, "do": "perhaps"}, "do"),
        (reverse("scoring:do", args=[game.pk]), {"do": "opened", "on": "perhaps", "client_id": "x"}, "on"),
    ]
    for address, sent, field in asked:
        answer = host.post(address, sent)
        said = answer.content.decode()
        assert answer.status_code == 400, address
        assert f"“{sent[field]}” is none of the choices for “{field}”." in said, address
    assert not Signature.objects.exists()
    assert User.objects.get(username="owner").language == ""


@pytest.mark.parametrize(("sent", "seat"), [({"do": "suspend", "consent": "4"}, "4"), ({"do": "count", "agreed": "x"}, "x")])
def test_a_tick_for_a_seat_that_is_none_is_refused_in_words(host: Client, game: Game, sent: dict[str, str], seat: str) -> None:
    events = game.events.count()
    assert f"There is no seat {seat} at this table." in refused(do(host, game, **sent)).alerts
    assert game.events.count() == events


SEASON: Final = {
    "name": "Next", "starts": "2199-01-01", "ends": "2199-12-31", "method": "mean-total", "qualifying": "1", "rising": "10",
    "drop_every": "0", "best": "5", "substitutes": "own", "guests": "ranked", "short_nights": "void", "late_joiners": "worst",
    "short_hands": "5",
}  # fmt: skip


def test_a_role_that_no_link_gives_is_refused_on_the_page(cast: Cast, host: Client) -> None:
    refused(host.post(reverse("players:invite", args=[cast.league.slug]), {"role": "owner"}))
    assert not MemberInvitation.objects.exists()


def test_the_last_owner_who_leaves_is_told_so_on_the_page(cast: Cast, host: Client) -> None:
    assert "A league needs an owner" in refused(host.post(reverse("players:leave", args=[cast.league.slug]))).alerts[0]


@pytest.mark.parametrize("odd", [{"seat": "9"}, {"seat": "x"}, {"hand": "9"}, {"hand": "1e0"}], ids=str)
def test_a_ruling_is_about_nobody_else_and_no_other_hand_than_was_said(host: Client, game: Game, odd: dict[str, str]) -> None:
    before = Event.objects.count()
    ruling = {
        "do": "ruling",
        "page": "wrong",
        "kind": "misdeal",
        "own": "1",
        "words": "Deal again.",
        "reason": "seen",
        "hand": "2",
    }
    assert do(host, game, **(ruling | odd)).status_code == 422
    assert Event.objects.count() == before


@pytest.mark.parametrize("text", ["a\0b", "\0"])
def test_a_sign_that_is_no_text_is_named_by_its_field(cast: Cast, host: Client, text: str) -> None:
    answer = host.post(reverse("players:add-player", args=[cast.league.slug]), {"name": text})
    assert (answer.status_code, "“name”" in answer.content.decode()) == (400, True)
    assert League.objects.count() == 2


def test_a_number_that_another_action_has_is_no_repeat_of_it(host: Client, game: Game) -> None:
    assert do(host, game, do="opened", page="table", hand="2", seat="0", on="1").status_code == 303
    before = Event.objects.count()
    for sent in (
        {"do": "photo", "page": "photos", "hand": "2", "about": "laid", "photo": picture()},
        {"do": "count", "page": "count", "hand": "2", "seat": "1", "kind": "points", "points": "5"},
        {"do": "evidence", "page": "photos", "query": "m=7H+7D+7S&hand=2"},
    ):
        assert do(host, game, **sent).status_code == 409, sent["do"]
    assert (Event.objects.count(), Photo.objects.count()) == (before, 0)
