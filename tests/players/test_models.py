"""Tables of people: what the database itself refuses."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from players.models import League, Membership, Player, User
from tests.factories import LeagueFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.players.test_names import HOSTILE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", HOSTILE)
def test_a_player_keeps_a_hostile_name_as_it_is(name: str) -> None:
    player = PlayerFactory.create(name=name)
    player.full_clean()
    assert Player.objects.get(pk=player.pk).name == name


def test_a_name_of_61_characters_is_refused() -> None:
    with pytest.raises(ValidationError, match="60"):
        Player(league=LeagueFactory.create(), name="M" * 61).full_clean()


@pytest.mark.parametrize("name", ["", "  ", "\u200d"])
def test_a_player_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Player(league=LeagueFactory.create(), name=name).full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        PlayerFactory.create(name=name)


def test_two_active_players_of_a_league_never_share_a_name() -> None:
    ana = PlayerFactory.create(name="Ángel")
    with pytest.raises(ValidationError, match="ÁNGEL is in this league already"):
        Player(league=ana.league, name="ÁNGEL").full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.bulk_create([Player(league=ana.league, name="áNGEL ")])


def test_a_hidden_player_leaves_the_name_free() -> None:
    ana = PlayerFactory.create(name="Ana", hidden=True)
    PlayerFactory.create(league=ana.league, name="Ana").full_clean()


def test_two_leagues_may_each_have_an_ana() -> None:
    PlayerFactory.create(name="Ana")
    PlayerFactory.create(name="Ana").full_clean()


def test_renaming_to_the_same_name_in_other_capitals_is_no_clash() -> None:
    ana = PlayerFactory.create(name="ana")
    ana.name = "Ana"
    ana.full_clean()


def test_players_are_listed_by_name_whatever_the_capitals() -> None:
    league = LeagueFactory.create()
    for name in ("ben", "Ana", "Clara"):
        PlayerFactory.create(league=league, name=name)
    assert [player.name for player in league.players.all()] == ["Ana", "ben", "Clara"]


def test_an_account_is_found_by_its_name_in_any_capitals() -> None:
    user = UserFactory.create(username="María José")
    assert User.objects.get_by_natural_key("MARÍA  josé") == user


def test_two_accounts_never_differ_by_capitals_alone() -> None:
    UserFactory.create(username="Ana")
    with pytest.raises(ValidationError, match="exists already"):
        User(username="ANA", password="x").full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        UserFactory.create(username="ANA")


def test_leagues_of_one_name_have_addresses_of_their_own() -> None:
    slugs = [LeagueFactory.create(name="Thursday").slug for _time in range(3)]
    assert slugs == ["thursday", "thursday-2", "thursday-3"]


def test_a_league_without_latin_letters_has_an_address() -> None:
    assert [LeagueFactory.create(name="木曜日").slug, LeagueFactory.create(name="!").slug] == ["league", "league-2"]


def test_a_renamed_league_keeps_its_address() -> None:
    league = LeagueFactory.create(name="Thursday")
    league.name = "Friday"
    league.save()
    assert league.slug == "thursday"


@pytest.mark.parametrize("zone", ["Mars/Base", "", "europe/madrid", "../etc/passwd", "x" * 64])
def test_a_time_zone_that_does_not_exist_is_refused(zone: str) -> None:
    with pytest.raises(ValidationError):
        League(name="Thursday", timezone=zone).full_clean()


def test_an_account_has_one_role_in_a_league() -> None:
    membership = MembershipFactory.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        MembershipFactory.create(user=membership.user, league=membership.league)


def test_a_role_that_does_not_exist_is_refused() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        MembershipFactory.create(role="emperor")


def test_closing_an_account_leaves_its_player() -> None:
    user = UserFactory.create()
    player = PlayerFactory.create(user=user)
    Membership.objects.create(user=user, league=player.league)
    user.delete()
    player.refresh_from_db()
    assert player.user is None
