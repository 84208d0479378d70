"""Tables for tests that need one with a history: made through the only writer, as people would make them."""

from itertools import count
from typing import Any

from players import people
from players.models import League, Player, User
from scoring import record
from scoring.models import Game
from scoring.record import By, Outcome

LONG_NAMES = [
    "Ana",
    "Benedikt von Hohenstein-Rabenau",
    "Caitlín Ní Mhurchú",
    "Dot",
    "Eva María Fernández de la Cruz y Ruiz",
    "Фёдор Михайлович",
    "محمد بن عبد الله",
    "<img src=x onerror=alert(1)>",
]
_ids = count()


def act(game: Game, kind: str, /, *, reason: str = "", user: User | None = None, **data: Any) -> Outcome:
    """Record one action, the audit's questions answered; with a reason, everybody agrees to it."""
    if kind == "count" and reason:
        data.setdefault("agreed", list(range(20)))
    return record.apply(game.pk, kind, data, By(user=user), client_id=f"act-{next(_ids)}", reason=reason, confirmed=True)


def hand(game: Game, number: int, *scores: int | str | None) -> None:
    """Count a hand and close it: a number, "out", None (gave no score) or "absent" for each seat."""
    for seat, score in enumerate(scores):
        if isinstance(score, int):
            act(game, "count", hand=number, seat=seat, kind="points", points=str(score))
        else:
            act(game, "count", hand=number, seat=seat, kind="none" if score is None else score)
    act(game, "close", hand=number)


def league_of(*names: str, slug: str = "Thursday") -> tuple[League, list[Player]]:
    """Make a league with its players."""
    league = League.objects.create(name=slug, timezone="Europe/Madrid")
    return league, [people.add_player(league, name) for name in names]


def game_of(league: League, players: list[Player], preset: str = "house", dealer: int = 0) -> Game:
    """Start a game."""
    sheet = record.sheet_for(league, preset, By())
    return record.start_game(league, sheet, players, dealer, By(), client_id=f"start-{next(_ids)}")


def eight_at_a_table() -> tuple[User, Game, Game]:
    """Make an owner, a game of eight in its fifth hand with a substitute and a correction, and a finished game of four."""
    owner = people.set_up_table(
        league="Thursday Continental", name="Ana", password="felt-and-paper", timezone="Europe/Madrid", language="en"
    )
    assert owner is not None
    league = League.objects.get()
    players = [Player.objects.get(name="Ana"), *(people.add_player(league, name) for name in LONG_NAMES[1:])]
    game = game_of(league, players)
    for number in range(1, 5):
        scores: list[int | str | None] = [5 * (seat + number) for seat in range(8)]
        scores[number] = "out"
        if number == 2:
            scores[0] = None
        hand(game, number, *scores)
    act(game, "count", hand=2, seat=3, kind="points", points="45", reason="a ten was counted twice")
    act(game, "opened", hand=5, seat=1)
    finished = game_of(league, players[:4])
    for number in range(1, 8):
        hand(finished, number, "out", 10, 20, 30)
    return owner, game, finished
