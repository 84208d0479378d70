"""The site itself as an app: it owns the checks, the static files and the command that serves."""

from django.apps import AppConfig


class ContinentalConfig(AppConfig):
    name = "continental"

    def ready(self) -> None:
        from continental import checks  # noqa: F401, PLC0415 - importing it registers the checks
