"""What is done with people: the first table of an installation, accounts, players and roles.

Every function that writes checks what it is given and raises ``ValidationError`` with a sentence for the field; none of
them asks who may do it (``players.permissions`` does).
"""

import secrets
from collections.abc import Sequence
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone as clock
from django.utils.translation import gettext as _

from players.locks import hold, keep
from players.models import Attempts, League, Membership, Merge, Player, User
from players.names import fold_name

Role = Membership.Role

_CLEAR_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without i, l, o, 0 and 1, which are read wrongly from a screen or a slip of paper."""
_PASSWORD_GROUPS: Final = 4
_GROUP_SIZE: Final = 4
_SET_UP_LOCK: Final = "set-up"


def is_new_installation() -> bool:
    """Tell whether nobody has an account yet: then, and only then, a stranger may make the first."""
    return not User.objects.exists()


def temporary_password() -> str:
    """Give a password to be read aloud or copied once: 79 bits, in groups."""
    groups = ("".join(secrets.choice(_CLEAR_LETTERS) for _place in range(_GROUP_SIZE)) for _group in range(_PASSWORD_GROUPS))
    return "-".join(groups)


def set_up_table(*, league: str, name: str, password: str, timezone: str, language: str) -> User | None:
    """Make the first account with its league and its player.

    Returns:
        the account, or ``None`` where somebody else was faster.

    Raises:
        ValidationError: a name, the zone or the password will not do.
    """
    with transaction.atomic():
        user = first_account(name=name, password=password, language=language)
        if user is not None:
            create_league(owner=user, name=league, timezone=timezone)
    return user


def first_account(*, name: str, password: str, language: str) -> User | None:
    """Make the first account of an installation, within a transaction that also gives it a league.

    Returns:
        the account, or ``None`` where somebody else was faster.

    Raises:
        ValidationError: the name or the password will not do.
    """
    with transaction.atomic():
        # Two strangers on the first page at once: the second waits here until the first is done, and is turned away.
        hold(Attempts.objects.all()).get_or_create(bucket=_SET_UP_LOCK, defaults={"since": clock.now()})
        if not is_new_installation():
            return None
        user = User(username=name, language=language)
        user.set_password(password)
        user.full_clean()
        validate_password(password, user)
        keep(user)
    return user


def create_league(*, owner: User, name: str, timezone: str) -> League:
    """Make a league with its owner, who also plays in it."""
    with transaction.atomic():
        league = League(name=name, timezone=timezone)
        keep(league)
        Membership.objects.create(league=league, user=owner, role=Role.OWNER)
        Player.objects.create(league=league, user=owner, name=owner.username)
    return league


def take_in_league(
    owner: User, league: League, players: Sequence[Player], merges: Sequence[tuple[int, int, bool]]
) -> list[Player]:
    """Keep a league that comes from another site, with its people; nobody of them has an account here yet.

    Args:
        merges: who stands for whom, and whether the other was hidden before, by their places in ``players``.
    """
    with transaction.atomic():
        league.save(force_insert=True)
        Membership.objects.create(league=league, user=owner, role=Role.OWNER)
        for player in players:
            player.league = league
        kept = Player.objects.bulk_create(players)
        # One by one, so that they are taken back in the order in which they were made.
        for stands, gone, was_hidden in merges:
            Merge.objects.create(league=league, kept=kept[stands], gone=kept[gone], was_hidden=was_hidden, by=owner)
    return kept


def add_player(league: League, name: str, *, user: User | None = None) -> Player:
    """Add a player to the league.

    Raises:
        ValidationError: the name is empty, too long, or an active player's; or a hidden player has it, who is perhaps the same.
    """
    player = Player(league=league, name=name, user=user)
    player.full_clean()
    if Player.objects.filter(league=league, hidden=True, name_key=fold_name(player.name)).exists():
        raise ValidationError(
            {"name": _("There is a hidden player of this name. Show that player again, or add something to the name.")},
            code="hidden",
        )
    keep(player)
    return player


def add_account(league: League, *, username: str, role: str, player: Player | None) -> tuple[User, str]:
    """Make an account with a temporary password and give it a role; a role that plays gets a player too.

    Args:
        player: the player of the league that this account is; ``None`` makes one of the same name, unless the role only looks.

    Returns:
        the account, and the password, which is kept nowhere.

    Raises:
        ValidationError: the name is taken or will not do, or the player has an account already.
    """
    password = temporary_password()
    with transaction.atomic():
        user = User(username=username)
        user.set_password(password)
        keep(user)
        Membership.objects.create(league=league, user=user, role=role)
        if player is not None:
            give_account(player, user)
        elif role != Role.VIEWER:
            try:
                add_player(league, user.username, user=user)
            except ValidationError as error:
                raise ValidationError(
                    {"player": _("A player of this name is here already: choose that player, or another name.")}
                ) from error
    return user, password


def give_account(player: Player, user: User) -> None:
    """Say that this player is this account.

    Raises:
        ValidationError: the player has another account.
    """
    # Two people may choose the same player at once: only a row that is still free is taken.
    free = Player.objects.filter(Q(user=None) | Q(user=user), pk=player.pk)
    if not free.update(user=user):
        raise ValidationError({"player": _("%(name)s has an account already.") % {"name": player.name}})
    player.user = user


def change_role(membership: Membership, role: str) -> None:
    """Give a member another role.

    Raises:
        ValidationError: the league would have no owner left, or the member has left it.
    """
    with transaction.atomic():
        _keep_an_owner(membership, role)
        membership.role = role
        membership.full_clean()
        if not Membership.objects.filter(pk=membership.pk).update(role=role):
            raise ValidationError({"role": _("This member has left the league meanwhile.")})


def remove_member(membership: Membership) -> None:
    """End a membership. The account stays, and so does the player with all games.

    Raises:
        ValidationError: the league would have no owner left.
    """
    with transaction.atomic():
        _keep_an_owner(membership, None)
        membership.delete()


def _keep_an_owner(membership: Membership, role: str | None) -> None:
    """Refuse to take the last owner from a league; the owners' rows are held until it is decided."""
    owners = list(
        hold(Membership.objects.filter(league=membership.league_id, role=Role.OWNER)).order_by("pk").values_list("pk", flat=True)
    )
    if role != Role.OWNER and owners == [membership.pk]:
        raise ValidationError({"role": _("A league needs an owner: make somebody else owner first.")})


def may_reset_password(owner: User, member: User) -> bool:
    """Tell whether an owner may give a member a new password: only who belongs to no league but the owner's own."""
    if member == owner or member.is_staff or member.is_superuser:
        return False
    owned = Membership.objects.filter(user=owner, role=Role.OWNER).values("league")
    return not Membership.objects.filter(user=member).exclude(league__in=owned).exists()


def reset_password(user: User) -> str:
    """Give the account a temporary password, and return it; whoever was signed in with the old one is out."""
    password = temporary_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return password
