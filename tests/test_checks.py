"""The checks of the environment."""

from django.core.management import call_command


def test_the_default_environment_passes_every_check() -> None:
    call_command("check", fail_level="WARNING")
