"""What every page's frame shows: who is here, which leagues they can switch to, and the colours they chose."""

from typing import Any, Final

from django.http import HttpRequest

from players.models import League
from players.permissions import Actor, actor_of

THEMES: Final = ("auto", "light", "dark")
THEME_COOKIE: Final = "theme"
SUITS: Final = ("two", "four")
SUITS_COOKIE: Final = "suits"


class Shell:
    """The frame of a page. Leagues are read only where a page shows the switch, in one query."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @property
    def actor(self) -> Actor:
        return actor_of(self._request)

    @property
    def leagues(self) -> list[League]:
        """The leagues to switch between; none for who is in one alone."""
        return list(League.objects.filter(pk__in=self.actor.roles)) if len(self.actor.roles) > 1 else []

    @property
    def theme(self) -> str:
        """The colours chosen on this device; ``auto`` follows the device itself."""
        chosen = self._request.COOKIES.get(THEME_COOKIE, "auto")
        return chosen if chosen in THEMES else "auto"

    @property
    def four_colours(self) -> bool:
        """Whether this device shows each suit in a colour of its own."""
        return self._request.COOKIES.get(SUITS_COOKIE) == "four"


def shell(request: HttpRequest) -> dict[str, Any]:
    """Give the frame to templates as ``shell``."""
    return {"shell": Shell(request)}
