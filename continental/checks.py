"""System checks: one id for each variable of the environment that can be wrong."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

IDS = {
    "SECRET_KEY": "continental.E001",
    "DATABASE_URL": "continental.E002",
    "DATABASE_POOL_SIZE": "continental.E003",
    "DEBUG": "continental.E004",
    "HTTPS": "continental.E005",
    "BEHIND_PROXY": "continental.E006",
    "ALLOWED_HOSTS": "continental.E007",
    "LAN_HOSTS": "continental.E008",
    "CSRF_TRUSTED_ORIGINS": "continental.E009",
    "LANGUAGE_CODE": "continental.E010",
    "TIME_ZONE": "continental.E011",
    "LOG_LEVEL": "continental.E012",
    "VAR_DIR": "continental.E013",
}


@register(Tags.security)
def environment_is_usable(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """One error for each variable that ``continental.settings`` could not use."""
    return [
        Error(f"The environment variable {name} can't be used: {problem}", hint="Correct it or leave it unset.", id=IDS[name])
        for name, problem in settings.ENVIRONMENT_PROBLEMS.items()
    ]
