"""Joining a table without an account: codes that seat a phone, links that only look, and the cookie that remembers it.

A table is known here by its plain key and a seat by its number, because nothing in this package knows of games. None of these
functions asks who may do it (``players.permissions`` does).
"""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from typing import Final

import segno
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.safestring import SafeString

from players import throttle
from players.locks import hold_league
from players.models import Device, Invitation, League, User

CLEAR_LETTERS: Final = "ACDEFGHJKMNPQRTUVWXY34679"
"""What codes are made of: nothing that is taken for something else (0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B)."""
CODE_LENGTH: Final = 6
COOKIE: Final = "table"
COOKIE_AGE: Final = timedelta(days=180)
MOST_PLACES: Final = 8
"""How many tables one browser remembers."""
JOIN: Final = throttle.Limit("join", 15, timedelta(minutes=10))
"""Wrong codes from one address: a family with clumsy thumbs fits in, a guesser would need centuries."""

_SALT: Final = "players.joining"


class SeatTaken(Exception):
    """Another phone sits there already."""


# ---------------------------------------------------------------------------------------------------------------------
# Codes


def new_code() -> str:
    """Make a code to be read aloud or typed from a screen: 28 bits, without letters that look alike."""
    return "".join(secrets.choice(CLEAR_LETTERS) for _place in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Read a code as people type it: in any case, with blanks and hyphens anywhere, or the whole address that ends in it."""
    last = typed.rstrip("/ ").rpartition("/")[2]
    return "".join(character for character in last.upper() if not character.isspace() and character not in "-–·.")[:40]


def seat_code(league: League, table: int, by: User | None) -> Invitation:
    """Give the code by which phones take seats at this table, making it at the first call."""
    return _standing(league, table, Invitation.Kind.SEAT, by)


def move_code(league: League, table: int, seat: int, by: User | None) -> Invitation:
    """Give the code that brings one seat to a new phone; it works once."""
    return _standing(league, table, Invitation.Kind.MOVE, by, seat)


def watch_link(league: League, table: int, by: User | None) -> Invitation:
    """Make a link that lets whoever has it look at one table, or, for table 0, at the whole league."""
    return _invite(league, table, Invitation.Kind.WATCH, by)


def _standing(league: League, table: int, kind: str, by: User | None, seat: int | None = None) -> Invitation:
    """Give the code that stands, or make one: of two who ask at once both get the same, so that it can be taken back."""
    codes = Invitation.objects.filter(table=table, kind=kind, seat=seat, revoked=None)
    if standing := codes.first():
        return standing
    with transaction.atomic():
        hold_league(league.pk)
        return codes.first() or _invite(league, table, kind, by, seat)


def _invite(league: League, table: int, kind: str, by: User | None, seat: int | None = None) -> Invitation:
    while True:
        # A link is carried by machines, so it is long and needs no throttle; a code is carried by people, so it is short.
        code = secrets.token_urlsafe(18) if kind == Invitation.Kind.WATCH else new_code()
        try:
            with transaction.atomic():
                return Invitation.objects.create(league=league, table=table, kind=kind, code=code, seat=seat, created_by=by)
        except IntegrityError:  # one code in a quarter of a thousand million is taken
            continue


def find_code(typed: str, address: str) -> Invitation | None:
    """Find the invitation of a typed code.

    Args:
        address: where the try comes from; wrong ones are counted.

    Raises:
        players.throttle.TooManyTries: too many wrong codes came from this address.
    """
    throttle.take(JOIN, address)
    kinds = [Invitation.Kind.SEAT, Invitation.Kind.MOVE]
    found = Invitation.objects.select_related("league").filter(code=read_code(typed), kind__in=kinds, revoked=None).first()
    if found is not None:
        throttle.give_back(JOIN, address)
    return found


def find_link(code: str) -> Invitation | None:
    """Find the invitation behind a link that looks on."""
    kind = Invitation.Kind.WATCH
    return Invitation.objects.select_related("league").filter(code=code[:40], kind=kind, revoked=None).first()


def revoke_invitation(invitation: Invitation) -> None:
    """Close a way in. Phones that sit keep their seats; devices that look on by this link see nothing more."""
    now = timezone.now()
    with transaction.atomic():
        Invitation.objects.filter(pk=invitation.pk, revoked=None).update(revoked=now)
        Device.objects.filter(invitation=invitation, seat=None, revoked=None).update(revoked=now)


def qr_svg(address: str, title: str) -> SafeString:
    """Draw an address as a QR code: SVG without any style, so that it fits in a page under a strict policy."""
    out = BytesIO()
    segno.make_qr(address, error="m").save(
        out, kind="svg", border=2, xmldecl=False, svgns=False, omitsize=True, svgclass="qr", lineclass=None, title=title
    )
    return SafeString(out.getvalue().decode())


# ---------------------------------------------------------------------------------------------------------------------
# Devices


def sit_down(invitation: Invitation, seat: int) -> str:
    """Put a phone on a seat, and give its secret, which is kept nowhere.

    Raises:
        SeatTaken: a phone sits there, and the invitation does not move it.
    """
    secret, now = secrets.token_urlsafe(18), timezone.now()
    try:
        with transaction.atomic():
            if invitation.kind == Invitation.Kind.MOVE:
                used = Invitation.objects.filter(pk=invitation.pk, revoked=None).update(revoked=now)
                if not used or invitation.seat != seat:
                    raise SeatTaken
                Device.objects.filter(table=invitation.table, seat=seat, revoked=None).update(revoked=now)
            _add_device(invitation, seat, secret)
    except IntegrityError as error:
        raise SeatTaken from error
    return secret


def look_on(invitation: Invitation) -> str:
    """Let a device look on, and give its secret."""
    secret = secrets.token_urlsafe(18)
    _add_device(invitation, None, secret)
    return secret


def _add_device(invitation: Invitation, seat: int | None, secret: str) -> Device:
    return Device.objects.create(
        league=invitation.league, table=invitation.table, seat=seat, secret_hash=_hash(secret), invitation=invitation
    )


def revoke_seat(table: int, seat: int) -> bool:
    """Take the seat from the phone that has it; tell whether there was one."""
    return bool(Device.objects.filter(table=table, seat=seat, revoked=None).update(revoked=timezone.now()))


def seated(table: int) -> dict[int, Device]:
    """Give the phones that sit at a table, by seat: one query."""
    return {device.seat: device for device in Device.objects.filter(table=table, seat__isnull=False, revoked=None)}  # type: ignore[misc]


def open_invitations(table: int, league: League | None = None) -> list[Invitation]:
    """Give the links that look on at a table, and those of the whole league where it is given."""
    where = Q(table=table) if league is None else Q(table=table) | Q(table=0, league=league)
    return list(Invitation.objects.filter(where, kind=Invitation.Kind.WATCH, revoked=None))


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


# ---------------------------------------------------------------------------------------------------------------------
# The cookie: the secrets of this browser's places, signed, the newest first


def secrets_of(request: HttpRequest) -> list[str]:
    """Read the secrets that a browser holds; a cookie that was meddled with holds none."""
    try:
        held = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT)
    except signing.BadSignature:
        return []
    return [secret for secret in held if isinstance(secret, str)][:MOST_PLACES] if isinstance(held, list) else []


def remember(request: HttpRequest, response: HttpResponseBase, secret: str) -> None:
    """Let the browser keep one more secret."""
    _keep(response, [secret, *secrets_of(request)][:MOST_PLACES])


def _keep(response: HttpResponseBase, held: Sequence[str]) -> None:
    response.set_cookie(
        COOKIE,
        signing.dumps(list(held), salt=_SALT),
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def devices_of(request: HttpRequest) -> list[Device]:
    """Give the devices that this browser is, revoked ones included: one query, none where it holds no secret."""
    held = [_hash(secret) for secret in secrets_of(request)]
    return list(Device.objects.filter(secret_hash__in=held).order_by("-pk")) if held else []
