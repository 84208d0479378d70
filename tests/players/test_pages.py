"""Pages of people: the first table, signing in, the frame, and what names do on them."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils.html import escape

from players.forms import ZoneInput
from players.models import League, Membership, Player, User
from tests.cast import Cast
from tests.factories import PASSWORD, LeagueFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.players.test_names import HOSTILE

pytestmark = pytest.mark.django_db

FIRST = {"league": "La mesa", "name": "María José", "password": PASSWORD, "timezone": "America/Bogota"}


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


class TestTheFirstTable:
    def test_a_new_installation_asks_for_it(self, client: Client) -> None:
        assert "Set up your table" in text(client, "/")

    def test_setting_it_up_signs_in_and_leads_to_the_league(self, client: Client) -> None:
        answer = client.post("/", FIRST)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/l/la-mesa/")
        assert "María José" in text(client, "/l/la-mesa/people/")
        assert League.objects.get().timezone == "America/Bogota"

    def test_it_is_asked_for_once(self, client: Client) -> None:
        client.post("/", FIRST)
        stranger = Client()
        assert "Set up your table" not in text(stranger, "/")
        stranger.post("/", FIRST | {"name": "Mallory"})
        assert User.objects.count() == 1

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [
            ({"league": ""}, "This field is required."),
            ({"league": "\u200d"}, "This field is required."),
            ({"name": "  "}, "This field is required."),
            ({"name": "M" * 61}, "at most 60 characters"),
            ({"password": "short"}, "too short"),
            ({"password": "maría josé"}, "too similar"),
            ({"timezone": "Mars/Base"}, "not one of the available choices"),
        ],
    )
    def test_what_will_not_do_is_said_and_what_was_typed_stays(
        self, client: Client, wrong: dict[str, str], sentence: str
    ) -> None:
        answer = client.post("/", FIRST | wrong)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert sentence in page
        assert 'value="La mesa"' in page or "league" in wrong
        assert "invalid-feedback" in page
        assert not User.objects.exists()

    def test_the_password_typed_is_never_given_back(self, client: Client) -> None:
        assert PASSWORD not in client.post("/", FIRST | {"league": ""}).content.decode()

    def test_the_account_remembers_the_language_it_was_made_in(self, client: Client) -> None:
        client.post("/", FIRST, headers={"Accept-Language": "es"})
        assert User.objects.get().language == "es"


class TestTheTimeZone:
    def test_the_usual_names_are_offered_by_region_and_older_ones_are_not(self) -> None:
        field: Any = ZoneInput()
        offered = {zone: region for region, zones in field.choices for zone, _city in zones}
        assert {"UTC", "Europe/Madrid", "Asia/Kolkata", "America/Argentina/Buenos_Aires"} <= set(offered)
        assert not {"Asia/Calcutta", "America/Buenos_Aires", "GB", "US/Pacific", "Etc/GMT+5", "EST5EDT"} & set(offered)
        assert offered["Asia/Kolkata"] == "Asia"

    def test_a_league_that_is_kept_under_an_older_name_keeps_it(self, cast: Cast) -> None:
        League.objects.filter(pk=cast.league.pk).update(timezone="Asia/Calcutta")
        path = f"/l/{cast.league.slug}/settings/"
        assert '<option value="Asia/Calcutta" selected>' in text(cast.client("owner"), path)
        cast.client("owner").post(path, {"name": "Thursday", "timezone": "Asia/Calcutta"})
        assert League.objects.get(pk=cast.league.pk).timezone == "Asia/Calcutta"
        assert "Asia/Calcutta" not in text(cast.client("owner"), "/new-league/")


class TestTheFrontDoor:
    def test_one_league_opens_at_once(self, cast: Cast) -> None:
        assert cast.client("viewer").get("/").headers["Location"] == "/l/thursday/"

    def test_several_leagues_are_offered(self, cast: Cast) -> None:
        MembershipFactory.create(user=cast.owner, league=LeagueFactory.create(name="Second table"))
        page = text(cast.client("owner"), "/")
        assert "Thursday" in page
        assert "Second table" in page

    def test_strangers_see_public_leagues_alone(self, cast: Cast) -> None:
        LeagueFactory.create(name="Open table", public=True)
        page = text(cast.client("anonymous"), "/")
        assert "Open table" in page
        assert "Thursday" not in page

    def test_an_account_without_a_league_is_told_what_to_do(self, client: Client) -> None:
        client.force_login(UserFactory.create())
        assert "You belong to no league yet" in text(client, "/")

    def test_a_new_league_has_its_owner_and_player(self, cast: Cast) -> None:
        answer = cast.client("viewer").post("/new-league/", {"name": "Friday", "timezone": "UTC"})
        league = League.objects.get(slug="friday")
        assert answer.headers["Location"] == "/l/friday/"
        assert league.memberships.get().role == Membership.Role.OWNER
        assert league.players.get().user == cast.users["viewer"]


class TestSigningIn:
    def sign_in(self, client: Client, password: str, name: str = "owner", **extra: str) -> int:
        return client.post("/sign-in/", {"username": name, "password": password}, **extra).status_code  # type: ignore[arg-type]

    def test_the_name_is_taken_in_any_capitals(self, cast: Cast, client: Client) -> None:
        assert self.sign_in(client, PASSWORD, " OWNER ") == 302

    def test_a_wrong_password_says_so_in_a_sentence(self, cast: Cast, client: Client) -> None:
        page = client.post("/sign-in/", {"username": "owner", "password": "wrong"}).content.decode()
        assert "do not belong together" in page
        assert 'value="owner"' in page

    def test_the_sixth_wrong_password_must_wait_and_the_right_one_too(self, cast: Cast, client: Client) -> None:
        assert [self.sign_in(client, "wrong") for _time in range(6)] == [422] * 5 + [429]
        answer = client.post("/sign-in/", {"username": "owner", "password": PASSWORD})
        assert answer.status_code == 429
        assert "Too many tries. Wait 5 minutes, then try again." in answer.content.decode()
        assert 0 < int(answer.headers["Retry-After"]) <= 300

    def test_after_the_wait_the_right_password_opens(self, cast: Cast, client: Client) -> None:
        with time_machine.travel(dt.datetime(2026, 6, 1, tzinfo=dt.UTC), tick=False) as clock:
            for _time in range(6):
                self.sign_in(client, "wrong")
            clock.shift(dt.timedelta(minutes=5))
            assert self.sign_in(client, PASSWORD) == 302

    def test_the_right_password_clears_the_count(self, cast: Cast, client: Client) -> None:
        for _time in range(4):
            assert self.sign_in(client, "wrong") == 422
        assert self.sign_in(client, PASSWORD) == 302
        assert [self.sign_in(Client(), "wrong") for _time in range(5)] == [422] * 5

    def test_another_capital_is_no_way_around_the_wait(self, cast: Cast, client: Client) -> None:
        for _time in range(5):
            self.sign_in(client, "wrong")
        assert self.sign_in(client, "wrong", "OWNER") == 429

    def test_another_address_is_not_held_up(self, cast: Cast, client: Client) -> None:
        for _time in range(6):
            self.sign_in(client, "wrong")
        assert self.sign_in(Client(), PASSWORD, REMOTE_ADDR="192.0.2.7") == 302

    def test_many_names_from_one_address_must_wait(self, cast: Cast, client: Client) -> None:
        statuses = [self.sign_in(client, "wrong", f"guess {number}") for number in range(51)]
        assert statuses == [422] * 50 + [429]

    def test_no_other_site_is_opened_after_it(self, cast: Cast, client: Client) -> None:
        typed = {"username": "owner", "password": PASSWORD, "next": "https://example.org/"}
        assert client.post("/sign-in/", typed).headers["Location"] == "/"

    def test_what_was_asked_for_is_opened_after_it(self, cast: Cast, client: Client) -> None:
        way = client.get("/l/thursday/people/").headers["Location"]
        typed = {"username": "owner", "password": PASSWORD, "next": "/l/thursday/people/"}
        assert client.post(way, typed).headers["Location"] == "/l/thursday/people/"

    def test_the_account_brings_its_language_and_colours_to_a_new_device(self, cast: Cast, client: Client) -> None:
        User.objects.filter(username="owner").update(language="es", theme="dark")
        self.sign_in(client, PASSWORD)
        page = text(client, "/l/thursday/people/")
        assert '<html lang="es" dir="ltr" data-bs-theme="dark">' in page

    def test_signing_out_takes_a_form(self, cast: Cast) -> None:
        client = cast.client("owner")
        assert client.get("/sign-out/").status_code == 405
        client.post("/sign-out/")
        assert client.get("/l/thursday/people/").status_code == 302


class TestChangingThePassword:
    NEW = "otra partida larga"

    def change(self, client: Client, old: str) -> int:
        return client.post("/password/", {"old_password": old, "new_password1": self.NEW, "new_password2": self.NEW}).status_code

    def test_it_takes_the_old_one(self, cast: Cast) -> None:
        client = cast.client("viewer")
        assert self.change(client, "wrong") == 422
        assert self.change(client, PASSWORD) == 302
        assert User.objects.get(username="viewer").check_password(self.NEW)

    def test_other_devices_are_signed_out_and_this_one_is_not(self, cast: Cast) -> None:
        here, there = cast.client("viewer"), cast.client("viewer")
        self.change(here, PASSWORD)
        assert here.get("/l/thursday/people/").status_code == 200
        assert there.get("/l/thursday/people/").status_code == 302

    def test_guessing_the_old_one_must_wait(self, cast: Cast) -> None:
        client = cast.client("viewer")
        assert [self.change(client, "wrong") for _time in range(6)] == [422] * 5 + [429]
        assert self.change(client, PASSWORD) == 429


class TestPeople:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_a_hostile_name_is_shown_as_typed_and_does_nothing(self, cast: Cast, name: str) -> None:
        client = cast.client("owner")
        client.post("/l/thursday/people/add/", {"name": name})
        page = text(client, "/l/thursday/people/")
        assert f"<bdi>{escape(name)}</bdi>" in page
        assert "<img src=x" not in page
        assert f"<bdi>{escape(name)}</bdi>" in text(client, f"/l/thursday/people/{Player.objects.get().pk}/edit/")

    def test_a_name_that_is_there_already_is_refused_and_stays_typed(self, cast: Cast) -> None:
        PlayerFactory.create(league=cast.league, name="Ana")
        page = cast.client("owner").post("/l/thursday/people/add/", {"name": "ANA"}).content.decode()
        assert "ANA is in this league already." in page
        assert 'value="ANA"' in page
        assert Player.objects.count() == 1

    def test_renaming_hiding_and_showing_a_player(self, cast: Cast) -> None:
        player = PlayerFactory.create(league=cast.league, name="Ana")
        client = cast.client("scorekeeper")
        path = f"/l/thursday/people/{player.pk}/edit/"
        client.post(path, {"name": " Anabel ", "nickname": "Annie", "hidden": "on"})
        player.refresh_from_db()
        assert (player.name, player.nickname, player.hidden) == ("Anabel", "Annie", True)
        assert "1 hidden player" in text(client, "/l/thursday/people/")
        client.post(path, {"name": "Anabel"})
        player.refresh_from_db()
        assert not player.hidden

    def test_a_player_is_not_shown_again_beside_another_of_the_name(self, cast: Cast) -> None:
        hidden = PlayerFactory.create(league=cast.league, name="Ana", hidden=True)
        PlayerFactory.create(league=cast.league, name="ana")
        page = cast.client("owner").post(f"/l/thursday/people/{hidden.pk}/edit/", {"name": "Ana"}).content.decode()
        assert "Ana is in this league already." in page
        assert Player.objects.get(pk=hidden.pk).hidden

    def test_the_page_of_people_takes_as_many_queries_for_forty_as_for_one(self, cast: Cast) -> None:
        from django.db import connection  # noqa: PLC0415
        from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

        client = cast.client("owner")
        counts = []
        for number in (1, 39):
            PlayerFactory.create_batch(number, league=cast.league)
            with CaptureQueriesContext(connection) as queries:
                text(client, "/l/thursday/people/")
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 9

    def test_the_temporary_password_is_shown_once_and_kept_by_no_cache(self, cast: Cast) -> None:
        client = cast.client("owner")
        answer = client.post("/l/thursday/members/add/", {"username": "Ben", "role": "scorekeeper"})
        password = answer.context["password"]
        assert password in answer.content.decode()
        assert "no-store" in answer.headers["Cache-Control"]
        assert password not in text(client, "/l/thursday/people/")
        assert Client().post("/sign-in/", {"username": "ben", "password": password}).status_code == 302

    def test_an_account_of_a_taken_name_is_refused(self, cast: Cast) -> None:
        page = cast.client("owner").post("/l/thursday/members/add/", {"username": "STRANGER", "role": "viewer"}).content.decode()
        assert "An account of this name exists already." in page

    def test_a_forgotten_password_is_replaced(self, cast: Cast) -> None:
        member = cast.users["member"].memberships.get()
        answer = cast.client("owner").post(f"/l/thursday/members/{member.pk}/password/")
        assert User.objects.get(username="member").check_password(answer.context["password"])
        assert not User.objects.get(username="member").check_password(PASSWORD)

    def test_the_password_of_who_also_plays_elsewhere_stays(self, cast: Cast) -> None:
        MembershipFactory.create(user=cast.users["member"])
        member = cast.league.memberships.get(user=cast.users["member"])
        answer = cast.client("owner").post(f"/l/thursday/members/{member.pk}/password/")
        assert answer.status_code == 422
        assert "only its holder can change its password" in answer.content.decode()
        assert User.objects.get(username="member").check_password(PASSWORD)

    def test_the_last_owner_is_told_why_nothing_changed(self, cast: Cast) -> None:
        member = cast.owner.memberships.get()
        client = cast.client("owner")
        for answer in (
            client.post(f"/l/thursday/members/{member.pk}/", {"role": "viewer"}),
            client.post(f"/l/thursday/members/{member.pk}/remove/"),
        ):
            assert answer.status_code == 422
            assert f'action="/l/thursday/members/{member.pk}/"' in answer.content.decode()
            assert "A league needs an owner: make somebody else owner first." in answer.content.decode()


class TestTheFrame:
    @pytest.mark.parametrize("chosen", ["light", "dark"])
    def test_chosen_colours_are_on_the_page_before_any_script(self, client: Client, chosen: str) -> None:
        client.post("/colours/", {"theme": chosen})
        assert f'data-bs-theme="{chosen}"' in text(client, "/")

    @pytest.mark.parametrize("chosen", ["auto", "purple", ""])
    def test_any_other_choice_follows_the_device(self, client: Client, chosen: str) -> None:
        client.post("/colours/", {"theme": chosen})
        assert "data-bs-theme" not in text(client, "/")

    def test_a_forged_cookie_of_colours_is_not_printed(self, client: Client) -> None:
        client.cookies["theme"] = '"><script>'
        assert "<script>" not in text(client, "/")

    def test_colours_are_kept_for_the_account(self, cast: Cast) -> None:
        cast.client("owner").post("/colours/", {"theme": "dark"})
        assert User.objects.get(username="owner").theme == "dark"

    def test_the_language_is_changed_here_and_for_the_account(self, cast: Cast) -> None:
        client = cast.client("owner")
        answer = client.post("/language/", {"language": "es", "next": "/l/thursday/people/"})
        assert answer.headers["Location"] == "/l/thursday/people/"
        assert '<html lang="es"' in text(client, "/l/thursday/people/")
        assert User.objects.get(username="owner").language == "es"

    @pytest.mark.parametrize("path", ["/language/", "/colours/"])
    def test_no_choice_leads_to_another_site(self, client: Client, path: str) -> None:
        answer = client.post(path, {"language": "es", "theme": "dark", "next": "https://example.org/"})
        assert answer.headers["Location"] == "/"

    @pytest.mark.parametrize("path", ["/language/", "/colours/"])
    def test_a_look_changes_nothing(self, client: Client, path: str) -> None:
        assert client.get(path).status_code in {302, 405}
        assert not client.cookies

    def test_no_page_carries_a_script_or_a_style_of_its_own(self, cast: Cast) -> None:
        page = text(cast.client("owner"), "/l/thursday/people/")
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick=" not in page
        assert page.count("<script") == page.count("<script src=") + page.count('<script type="module" src=')

    def test_a_page_that_is_not_there_says_so_in_the_site_s_own_frame(self, client: Client) -> None:
        answer = client.get("/nothing/here/")
        assert answer.status_code == 404
        assert "Nothing lies here" in answer.content.decode()

    def test_a_form_that_has_grown_old_says_that_nothing_was_saved(self) -> None:
        answer = Client(enforce_csrf_checks=True).post("/colours/", {"theme": "dark"})
        assert answer.status_code == 403
        assert "nothing was saved" in answer.content.decode()


@pytest.mark.parametrize("days", ["٣", "1_0", "３", "1e1", "7.0", "0x7", "9" * 13, "9" * 5000])
def test_days_that_are_no_plain_number_are_refused_and_never_guessed(cast: Cast, days: str) -> None:
    sent = {"name": "Thursday", "timezone": "Europe/Madrid", "photo_days": days}
    answer = cast.client("owner").post(f"/l/{cast.league.slug}/settings/", sent)
    assert (answer.status_code, f'value="{days}"' in answer.content.decode()) == (422, True)
    cast.league.refresh_from_db()
    assert cast.league.photo_days == 90


@pytest.mark.parametrize("days", ["7", " 7 ", "+7", "007"])
def test_days_may_be_written_as_people_write_them(cast: Cast, days: str) -> None:
    sent = {"name": "Thursday", "timezone": "Europe/Madrid", "photo_days": days}
    assert cast.client("owner").post(f"/l/{cast.league.slug}/settings/", sent).status_code == 302
    cast.league.refresh_from_db()
    assert cast.league.photo_days == 7
