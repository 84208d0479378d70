"""The cast of every test of permissions: one league, somebody of each role, and those who do not belong.

A test of a page says what each of them gets, in one table::

    @pytest.mark.django_db
    def test_scorekeepers_add_players(cast: Cast) -> None:
        cast.expects(f"/l/{cast.league.slug}/people/add/", {"name": "Ben"}, owner=302, scorekeeper=302, member=403, viewer=403)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.test import Client
from django.urls import reverse

from players.models import League, Membership, User
from tests.factories import LeagueFactory, MembershipFactory, UserFactory

ROLES: Final = tuple(str(role) for role in Membership.Role.values)
EVERYBODY: Final = (*ROLES, "stranger", "anonymous")
SIGN_IN: Final = -1
"""What a page answers to somebody who must sign in first: the way to the sign-in page."""


@dataclass(frozen=True)
class Cast:
    """A league with its owner, scorekeeper, member and viewer; a stranger with a league of their own; and nobody."""

    league: League
    users: Mapping[str, User]

    @property
    def owner(self) -> User:
        return self.users["owner"]

    def client(self, who: str) -> Client:
        """Give a browser in which ``who`` has signed in; ``anonymous`` has not."""
        client = Client()
        if who != "anonymous":
            client.force_login(self.users[who])
        return client

    def expects(self, path: str, post: Mapping[str, Any] | None = None, **statuses: int) -> None:
        """Assert what everybody gets at ``path``: the status, or ``SIGN_IN``.

        Whoever is not named gets what never changes: a stranger 404, and anonymous the way to sign in. Each of the cast
        comes to the league as it was: what one changes is taken back before the next.

        Args:
            post: what is posted; None for a plain look.
        """
        expected = {"stranger": 404, "anonymous": SIGN_IN, **statuses}
        assert set(expected) == set(EVERYBODY), "say what each role gets"
        assert {who: self._status(who, path, post) for who in EVERYBODY} == {who: expected[who] for who in EVERYBODY}

    def _status(self, who: str, path: str, post: Mapping[str, Any] | None) -> int:
        client = self.client(who)
        with transaction.atomic():
            answer = client.get(path) if post is None else client.post(path, post)
            transaction.set_rollback(True)
        location = answer.headers.get("Location", "")
        return SIGN_IN if location.startswith(reverse("players:sign-in")) else answer.status_code


def assemble() -> Cast:
    """Make the cast in the database."""
    league = LeagueFactory.create(name="Thursday")
    users = {role: UserFactory.create(username=role) for role in ROLES}
    for role, user in users.items():
        MembershipFactory.create(league=league, user=user, role=role)
    users["stranger"] = UserFactory.create(username="stranger")
    MembershipFactory.create(user=users["stranger"], role=Membership.Role.OWNER)
    return Cast(league, users)
