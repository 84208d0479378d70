"""Makers of rows for tests: each gives the least that the database takes."""

from typing import Any

import factory

from players.models import League, Membership, Player, User

PASSWORD = "una partida larga"


class UserFactory(factory.django.DjangoModelFactory[User]):
    """An account that signs in with ``PASSWORD``."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda number: f"Account {number}")

    @factory.post_generation
    def password(self: User, create: bool, extracted: Any, **_extra: Any) -> None:
        self.set_password(extracted or PASSWORD)
        if create:
            self.save()


class LeagueFactory(factory.django.DjangoModelFactory[League]):
    class Meta:
        model = League

    name = factory.Sequence(lambda number: f"Table {number}")
    timezone = "Europe/Madrid"


class MembershipFactory(factory.django.DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    user = factory.SubFactory(UserFactory)
    league = factory.SubFactory(LeagueFactory)


class PlayerFactory(factory.django.DjangoModelFactory[Player]):
    class Meta:
        model = Player

    league = factory.SubFactory(LeagueFactory)
    name = factory.Sequence(lambda number: f"Player {number}")
