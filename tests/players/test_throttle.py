"""The throttle: how many tries, how long the wait, and what is forgotten."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.db import connection

from players import throttle
from players.models import Attempts

LIMIT = throttle.Limit("test", 3, dt.timedelta(minutes=5))
NOON = dt.datetime(2026, 6, 1, 12, tzinfo=dt.UTC)


@pytest.mark.django_db
def test_the_try_after_the_last_allowed_one_must_wait() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _time in range(3):
            throttle.take(LIMIT, "ana")
        clock.shift(dt.timedelta(minutes=1))
        with pytest.raises(throttle.TooManyTries) as problem:
            throttle.take(LIMIT, "ana")
    assert (problem.value.seconds, problem.value.minutes) == (240, 4)


@pytest.mark.django_db
def test_after_the_wait_tries_count_anew() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _time in range(3):
            throttle.take(LIMIT, "ana")
        clock.shift(LIMIT.window)
        for _time in range(3):
            throttle.take(LIMIT, "ana")
        with pytest.raises(throttle.TooManyTries):
            throttle.take(LIMIT, "ana")


@pytest.mark.django_db
def test_waiting_is_not_made_longer_by_trying() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _time in range(3):
            throttle.take(LIMIT, "ana")
        for _time in range(5):
            with pytest.raises(throttle.TooManyTries):
                throttle.take(LIMIT, "ana")
        clock.shift(LIMIT.window)
        throttle.take(LIMIT, "ana")


@pytest.mark.django_db
def test_others_and_other_limits_are_not_held_up() -> None:
    for _time in range(3):
        throttle.take(LIMIT, "ana")
    throttle.take(LIMIT, "ben")
    throttle.take(throttle.Limit("other", 3, LIMIT.window), "ana")


@pytest.mark.django_db
def test_a_key_of_two_parts_is_not_the_key_of_the_parts_together() -> None:
    for _time in range(3):
        throttle.take(LIMIT, "ab", "c")
    throttle.take(LIMIT, "a", "bc")


@pytest.mark.django_db
def test_a_try_that_was_right_is_taken_back() -> None:
    for _time in range(10):
        throttle.take(LIMIT, "ana")
        throttle.give_back(LIMIT, "ana")


@pytest.mark.django_db
def test_old_rows_are_swept_away() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        throttle.take(LIMIT, "ana")
        clock.shift(dt.timedelta(days=2))
        throttle.take(LIMIT, "ben")
    assert Attempts.objects.count() == 1


@pytest.mark.django_db
def test_what_is_kept_names_nobody() -> None:
    throttle.take(LIMIT, "ana", "192.0.2.7")
    bucket = Attempts.objects.get().bucket
    assert "ana" not in bucket
    assert "192" not in bucket


@pytest.mark.django_db(transaction=True)
def test_many_tries_at_once_do_not_slip_through_together() -> None:
    def attempt(_number: int) -> bool:
        try:
            throttle.take(LIMIT, "ana")
        except throttle.TooManyTries:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(attempt, range(12))) == 3
