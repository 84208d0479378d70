"""What strangers read in a league that chose to be public: nicknames, and initials of who has none.

It is decided where players are read from the database and not page by page, so that no page, table or file can forget it.
Who looks this way may write nothing, so a shortened name is never stored.
"""

from contextvars import ContextVar
from typing import Final

from players.names import clean_name

_STRANGER: Final[ContextVar[bool]] = ContextVar("stranger", default=False)


def look_as_stranger(*, stranger: bool) -> None:
    """Say whether players that are read from now on, in this request, are read by a stranger."""
    _STRANGER.set(stranger)


def is_stranger() -> bool:
    """Tell whether players are being read by a stranger."""
    return _STRANGER.get()


def as_read(name: str, nickname: str) -> str:
    """Give a player's name as it is shown to who reads it in this request: for rows that are read without their players."""
    return shown_to_strangers(name, nickname) if is_stranger() else name


def shown_to_strangers(name: str, nickname: str) -> str:
    """Give the nickname, or the initials of a name: “Ana María Ruiz” is “A. M. R.”."""
    if nickname:
        return nickname
    return " ".join(f"{word[0]}." for word in clean_name(name).split()[:3])
