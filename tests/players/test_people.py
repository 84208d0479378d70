"""What is done with people, apart from pages."""

import re

import pytest
from django.core.exceptions import ValidationError

from players import people
from players.models import League, Membership, Player, User
from tests.cast import Cast
from tests.factories import PASSWORD, LeagueFactory, MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db

FIRST = {"league": "Thursday", "name": "Ana", "password": PASSWORD, "timezone": "Europe/Madrid", "language": "es"}


def test_the_first_table_gets_an_owner_who_plays() -> None:
    user = people.set_up_table(**FIRST)
    league = League.objects.get()
    assert user is not None
    assert (league.name, league.timezone, user.username, user.language) == ("Thursday", "Europe/Madrid", "Ana", "es")
    assert Membership.objects.get().role == Membership.Role.OWNER
    assert (Player.objects.get().name, Player.objects.get().user) == ("Ana", user)
    assert user.check_password(PASSWORD)


def test_a_second_first_table_is_not_set_up() -> None:
    people.set_up_table(**FIRST)
    assert people.set_up_table(**FIRST | {"name": "Mallory"}) is None
    assert User.objects.count() == 1


@pytest.mark.parametrize("wrong", [{"league": " "}, {"timezone": "Mars/Base"}, {"password": "password"}, {"name": "M" * 61}])
def test_a_first_table_that_will_not_do_leaves_nothing_behind(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        people.set_up_table(**FIRST | wrong)
    assert not User.objects.exists()
    assert not League.objects.exists()
    assert people.is_new_installation()


def test_temporary_passwords_are_long_differ_and_have_no_letters_that_look_alike() -> None:
    passwords = {people.temporary_password() for _time in range(50)}
    assert len(passwords) == 50
    assert all(re.fullmatch(r"(?:[a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}", password) for password in passwords)


def test_a_player_who_is_hidden_is_not_added_a_second_time() -> None:
    ana = PlayerFactory.create(name="Ana", hidden=True)
    with pytest.raises(ValidationError, match="hidden player"):
        people.add_player(ana.league, "ANA")


def test_an_account_gets_a_player_of_its_name() -> None:
    league = LeagueFactory.create()
    user, password = people.add_account(league, username="Ben", role=Membership.Role.SCOREKEEPER, player=None)
    assert user.check_password(password)
    assert Player.objects.get(league=league).user == user


def test_a_viewer_gets_no_player() -> None:
    league = LeagueFactory.create()
    people.add_account(league, username="Ben", role=Membership.Role.VIEWER, player=None)
    assert not league.players.exists()


def test_an_account_may_be_a_player_who_is_there_already() -> None:
    ben = PlayerFactory.create(name="Ben")
    user, _password = people.add_account(ben.league, username="Benito", role=Membership.Role.MEMBER, player=ben)
    assert list(ben.league.players.values_list("name", "user")) == [("Ben", user.pk)]


def test_an_account_named_like_a_player_asks_which_player_it_is() -> None:
    ben = PlayerFactory.create(name="Ben")
    with pytest.raises(ValidationError, match="choose that player"):
        people.add_account(ben.league, username="ben", role=Membership.Role.MEMBER, player=None)
    assert not User.objects.exists()


def test_a_player_is_never_two_accounts() -> None:
    ben = PlayerFactory.create(user=UserFactory.create())
    with pytest.raises(ValidationError, match="has an account already"):
        people.add_account(ben.league, username="Mallory", role=Membership.Role.MEMBER, player=ben)
    assert not User.objects.filter(username="Mallory").exists()


def test_the_last_owner_of_a_league_stays(cast: Cast) -> None:
    owner = cast.owner.memberships.get()
    with pytest.raises(ValidationError, match="needs an owner"):
        people.change_role(owner, Membership.Role.MEMBER)
    with pytest.raises(ValidationError, match="needs an owner"):
        people.remove_member(owner)
    owner.refresh_from_db()
    assert owner.role == Membership.Role.OWNER


def test_one_of_two_owners_may_go(cast: Cast) -> None:
    people.change_role(cast.users["member"].memberships.get(), Membership.Role.OWNER)
    people.remove_member(cast.owner.memberships.get())
    assert cast.league.memberships.filter(role=Membership.Role.OWNER).count() == 1


def test_a_member_who_goes_stays_as_a_player(cast: Cast) -> None:
    player = PlayerFactory.create(league=cast.league, user=cast.users["member"])
    people.remove_member(cast.users["member"].memberships.get())
    assert Player.objects.get(pk=player.pk).user == cast.users["member"]


def test_an_owner_resets_the_password_of_who_belongs_to_no_other_league(cast: Cast) -> None:
    assert people.may_reset_password(cast.owner, cast.users["member"])


def test_nobody_takes_over_an_account_by_adding_it_to_a_league(cast: Cast) -> None:
    MembershipFactory.create(user=cast.users["member"])
    assert not people.may_reset_password(cast.owner, cast.users["member"])


def test_nobody_resets_their_own_password_without_the_old_one(cast: Cast) -> None:
    assert not people.may_reset_password(cast.owner, cast.owner)


@pytest.mark.parametrize("power", ["is_staff", "is_superuser"])
def test_no_owner_takes_over_an_account_with_power_over_the_installation(cast: Cast, power: str) -> None:
    setattr(cast.users["member"], power, True)
    assert not people.may_reset_password(cast.owner, cast.users["member"])
