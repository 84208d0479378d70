"""How people come to a league and go: invitations by link, leaving, and taking a name out of every game.

Like ``players.people``, these functions check what they are given and ask nobody who may do it.
"""

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from players import people, throttle
from players.locks import hold, hold_league, keep
from players.models import League, MemberInvitation, Membership, Player, User
from players.names import fold_name

Role = Membership.Role

LASTS: Final = timedelta(days=14)
TRIES: Final = throttle.Limit("invitation", 20, timedelta(minutes=10))
"""Links that led nowhere, from one address."""
NEW_ACCOUNTS: Final = throttle.Limit("invited-account", 10, timedelta(hours=1))
"""Accounts made by invitation from one address: a whole family fits in."""

_RANKS: Final = {Role.VIEWER: 0, Role.MEMBER: 1, Role.SCOREKEEPER: 2, Role.OWNER: 3}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invite(league: League, role: str, by: User | None) -> tuple[MemberInvitation, str]:
    """Make an invitation.

    Returns:
        It, and the secret part of its link, which is kept nowhere.

    Raises:
        ValidationError: no link makes an owner.
    """
    token = secrets.token_urlsafe(24)
    invitation = MemberInvitation(
        league=league, role=role, token_hash=_hash(token), created_by=by, expires=timezone.now() + LASTS
    )
    if role not in {Role.SCOREKEEPER, Role.MEMBER, Role.VIEWER}:
        raise ValidationError({"role": _("A link makes a scorekeeper, a member or a viewer.")})
    invitation.full_clean()
    invitation.save()
    return invitation, token


def find(token: str, address: str) -> MemberInvitation | None:
    """Find the invitation behind a link: one that was not revoked and has not run out.

    Raises:
        players.throttle.TooManyTries: too many links from this address led nowhere.
    """
    throttle.take(TRIES, address)
    open_ = MemberInvitation.objects.select_related("league").filter(revoked=None, expires__gt=timezone.now())
    found = open_.filter(token_hash=_hash(token[:100])).first()
    if found is not None:
        throttle.give_back(TRIES, address)
    return found


def open_invitations(league: League) -> list[MemberInvitation]:
    """Give the invitations by which somebody could still come in."""
    return list(league.member_invitations.filter(revoked=None, expires__gt=timezone.now()))


def revoke(invitation: MemberInvitation) -> None:
    """Close a way in; who came by it stays."""
    MemberInvitation.objects.filter(pk=invitation.pk, revoked=None).update(revoked=timezone.now())


def accept(invitation: MemberInvitation, user: User, player: Player | None) -> Membership:
    """Make an account a member. Whoever is one already never loses by it, and twice is once.

    Args:
        player: the player of the league that this account is; ``None`` makes one of the account's name, unless it only looks.

    Raises:
        ValidationError: the player has another account, or is of another league; or a player of the account's name is here.
    """
    with transaction.atomic():
        held = hold(MemberInvitation.objects.all()).get(pk=invitation.pk)
        league = held.league
        membership, new = Membership.objects.get_or_create(user=user, league=league, defaults={"role": held.role})
        if not new and _RANKS[Role(membership.role)] < _RANKS[Role(held.role)]:
            membership.role = held.role
            Membership.objects.filter(pk=membership.pk).update(role=held.role)
        if new:
            MemberInvitation.objects.filter(pk=held.pk).update(used=F("used") + 1)
        if not Player.objects.filter(league=league, user=user).exists():
            _seat_in(league, user, player, held.role)
    return membership


def _seat_in(league: League, user: User, player: Player | None, role: str) -> None:
    if player is not None:
        if player.league_id != league.pk:
            raise ValidationError({"player": _("There is no such player in this league.")})
        people.give_account(player, user)
    elif role != Role.VIEWER:
        try:
            people.add_player(league, user.username, user=user)
        except ValidationError as error:
            raise ValidationError(
                {"player": _("A player of this name is here already: choose that player, or ask for another name.")}
            ) from error


def new_account(username: str, password: str, language: str) -> User:
    """Make an account for somebody who was invited.

    Raises:
        ValidationError: the name is taken, or it or the password will not do.
    """
    user = User(username=username, language=language)
    user.set_password(password)
    user.full_clean()
    validate_password(password, user)
    keep(user)
    return user


def leave(league: League, user: User) -> None:
    """End one's own membership; the player and the games stay.

    Raises:
        ValidationError: one is the last owner.
    """
    membership = Membership.objects.filter(league=league, user=user).first()
    if membership is not None:
        people.remove_member(membership)


def anonymise(player: Player) -> Player:
    """Take a person out of a player: no name, no nickname, no account; every game stays as it was played.

    It cannot be taken back: the name is nowhere any more, closed seasons included.
    """
    with transaction.atomic():
        hold_league(player.league_id)
        taken = set(Player.objects.filter(league=player.league_id).exclude(pk=player.pk).values_list("name_key", flat=True))
        stem = _("Former player")
        names = (f"{stem} {number}" for number in range(1, len(taken) + 2))
        player.name = next(name for name in names if fold_name(name) not in taken)
        player.nickname, player.user, player.hidden = "", None, True
        player.save()
    return player
