"""Slowing down those who guess: counted in the database, so that every worker sees the same number.

A try is counted before it is judged, so that many at once do not slip through together; a try that turns out right
takes its count back.
"""

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from players.locks import hold
from players.models import Attempts


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``tries`` failures within ``window``; then a wait until the window has passed."""

    name: str
    tries: int
    window: timedelta


SIGN_IN: Final = Limit("sign-in", 5, timedelta(minutes=5))
"""One name from one address."""
SIGN_IN_ADDRESS: Final = Limit("sign-in-address", 50, timedelta(minutes=15))
"""Any names from one address: a whole family behind one router fits in."""
PASSWORD: Final = Limit("password", 5, timedelta(minutes=5))
"""The old password of one account, on the page that changes it."""

_FORGET_AFTER: Final = timedelta(days=1)


class TooManyTries(Exception):
    """The limit is reached.

    Attributes:
        wait: how long until the next try counts.
    """

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait

    @property
    def seconds(self) -> int:
        """The wait in whole seconds, at least one."""
        return max(1, round(self.wait.total_seconds()))

    @property
    def minutes(self) -> int:
        """The wait in minutes, rounded up."""
        return -(-self.seconds // 60)


def _bucket(limit: Limit, key: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join((limit.name, *key)).encode()).hexdigest()


def take(limit: Limit, *key: str) -> None:
    """Count one try of what ``key`` names.

    Raises:
        TooManyTries: the limit was reached before this try.
    """
    now = timezone.now()
    bucket = _bucket(limit, key)
    with transaction.atomic():
        attempts, new = hold(Attempts.objects.all()).get_or_create(bucket=bucket, defaults={"since": now})
        if now - attempts.since >= limit.window:
            attempts.since, attempts.failures = now, 0
        if attempts.failures >= limit.tries:
            raise TooManyTries(attempts.since + limit.window - now)
        attempts.failures += 1
        attempts.save()
        if new:
            Attempts.objects.filter(since__lt=now - _FORGET_AFTER).delete()


def give_back(limit: Limit, *key: str) -> None:
    """Take back the count of a try that was right."""
    Attempts.objects.filter(bucket=_bucket(limit, key), failures__gt=0).update(failures=F("failures") - 1)


def clear(limit: Limit, *key: str) -> None:
    """Forget all tries of what ``key`` names."""
    Attempts.objects.filter(bucket=_bucket(limit, key)).delete()
