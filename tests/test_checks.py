"""The system checks as `manage.py` runs them."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django.fixtures import Settings


def test_the_environment_of_the_tests_passes_every_check() -> None:
    call_command("check", fail_level="WARNING")


def test_a_wrong_variable_stops_every_command_with_its_name_and_its_id(settings: Settings) -> None:
    settings.ENVIRONMENT_PROBLEMS = {"TIME_ZONE": "'Madrid' is not a time zone such as Europe/Madrid."}
    with pytest.raises(SystemCheckError, match=r"continental\.E011.*TIME_ZONE.*Madrid"):
        call_command("check")
