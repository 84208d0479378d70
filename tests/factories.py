"""Makers of rows for tests: each gives the least that the database takes."""

from typing import Any, Generic, TypeVar

from django.contrib.auth.hashers import make_password
from django.db.models import Model
from factory.declarations import LazyFunction, Sequence, SubFactory
from factory.django import DjangoModelFactory

from players.models import League, Membership, Player, User

PASSWORD = "una partida larga"

Row = TypeVar("Row", bound=Model)


class RowFactory(DjangoModelFactory[Row], Generic[Row]):
    """Makes rows of one table: ``PlayerFactory.create(name="Ana")``."""

    class Meta:
        abstract = True

    @classmethod
    def create(cls, **given: Any) -> Row:
        """Make one row with what is given, and the least of the rest."""
        row: Row = super().create(**given)
        return row


class UserFactory(RowFactory[User]):
    """An account that signs in with ``PASSWORD``."""

    class Meta:
        model = User

    username = Sequence(lambda number: f"Account {number}")
    password = LazyFunction(lambda: make_password(PASSWORD))


class LeagueFactory(RowFactory[League]):
    class Meta:
        model = League

    name = Sequence(lambda number: f"Table {number}")
    timezone = "Europe/Madrid"


class MembershipFactory(RowFactory[Membership]):
    class Meta:
        model = Membership

    user = SubFactory(UserFactory)
    league = SubFactory(LeagueFactory)


class PlayerFactory(RowFactory[Player]):
    class Meta:
        model = Player

    league = SubFactory(LeagueFactory)
    name = Sequence(lambda number: f"Player {number}")
