"""A demonstration league: a season of games played by the simulator with cards from real packs, scored through the one writer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count
from random import Random
from typing import Any, Final

from django.utils.translation import gettext as _

from continental.rules.simulator import SimulatedHand, play_hand
from players.models import League, Membership, Player, User
from scoring import record
from scoring.models import Game
from scoring.record import By

NAMES: Final = ("Ana", "Benito", "Carmen", "Diego", "Elena", "Fermín", "Gloria", "Hugo")
_SEED: Final = 7


@dataclass
class _Table:
    """A game being played and scored."""

    game: Game
    random: Random
    by: By
    day: date
    ids: Iterator[int]

    def act(self, kind: str, /, *, reason: str = "", **data: Any) -> None:
        record.apply(
            self.game.pk, kind, data, self.by, client_id=f"demo-{next(self.ids)}", reason=reason, confirmed=True, on=self.day
        )

    def hand(self, number: int, dealer: int, *, no_score: int | None = None, close: bool = True) -> SimulatedHand:
        """Play a hand and enter what the table would: who went down, the stock, the twice-around, the cards left."""
        players = self.game.seats.count()
        played = play_hand(self.game.sheet.base, number, players, self.random, dealer)
        for seat in played.opened:
            self.act("opened", hand=number, seat=seat)
        for _time in range(played.stock_turned):
            self.act("stock", hand=number)
        if played.ended != "out":
            for _turn in range(played.twice_around):
                self.act("turn", hand=number)
        for seat, left in enumerate(played.left):
            self._count(number, seat, left, out=seat == played.out, silent=seat == no_score)
        if close:
            self.act("close", hand=number)
        return played

    def _count(self, number: int, seat: int, left: list[str], *, out: bool, silent: bool) -> None:
        if out:
            self.act("count", hand=number, seat=seat, kind="out")
        elif silent:
            self.act("count", hand=number, seat=seat, kind="none")
        else:
            self.act("count", hand=number, seat=seat, kind="cards", cards=" ".join(left))


def make(owner: User, games: int, today: date, say: Callable[[str], object]) -> League:
    """Make a league with finished games, one suspended and one running.

    Args:
        owner: the account that gets it.
        games: how many games are finished; among them one with a substitute, one with a leaver, one corrected.
        today: the day of the running game; the others lie before it in the same year.
        say: told of each game as it is done.
    """
    random = Random(_SEED)  # noqa: S311  (cards to look at, not secrets)
    league = League.objects.create(name=_free_name(), timezone="Europe/Madrid")
    Membership.objects.create(league=league, user=owner, role=Membership.Role.OWNER)
    players = [Player.objects.create(league=league, name=name) for name in NAMES]
    by = By(user=owner)
    sheet = record.sheet_for(league, "house", by)
    ids = count()
    first = date(today.year, 1, 1)
    for number in range(games + 2):
        seated = random.sample(players, k=random.choice((3, 4, 4, 5)))
        day = first + timedelta(days=(today - first).days * number // (games + 1))
        dealer = random.randrange(len(seated))
        game = record.start_game(league, sheet, seated, dealer, by, client_id=f"demo-start-{league.pk}-{number}", on=day)
        table = _Table(game, random, by, day, ids)
        if number < games:
            _whole_game(table, dealer, number)
        elif number == games:
            _until(table, dealer, 3)
            table.act("suspend", consent=list(range(len(seated))))
        else:
            _until(table, dealer, 4)
            table.hand(5, (dealer + 4) % len(seated), close=False)
        say(_("Game %(number)s of %(all)s is on the sheet.") % {"number": number + 1, "all": games + 2})
    return league


def _whole_game(table: _Table, dealer: int, number: int) -> None:
    players = table.game.seats.count()
    leaver = players - 1 if number % 6 == 4 and players > 3 else None
    for hand in range(1, 8):
        if hand == 6 and leaver is not None:
            table.act("leave", seat=leaver)
            _finish_without(table, hand, leaver)
            return
        table.hand(hand, (dealer + hand - 1) % players, no_score=1 if number % 6 == 2 and hand == 3 else None)
    if number % 6 == 3:
        slipped = {"hand": 2, "seat": 0, "kind": "points", "points": "25", "agreed": list(range(players))}
        table.act("count", reason=_("A ten had slipped under the pack"), **slipped)


def _finish_without(table: _Table, hand: int, leaver: int) -> None:
    """Play on without the one who left: the cards of the others come from packs of a smaller table."""
    others = [seat for seat in range(table.game.seats.count()) if seat != leaver]
    for number in range(hand, 8):
        played = play_hand(table.game.sheet.base, number, len(others), table.random, number % len(others))
        for place, seat in enumerate(others):
            table._count(number, seat, played.left[place], out=place == played.out, silent=False)  # noqa: SLF001
        table.act("close", hand=number)


def _until(table: _Table, dealer: int, hands: int) -> None:
    for hand in range(1, hands + 1):
        table.hand(hand, (dealer + hand - 1) % table.game.seats.count())


def _free_name() -> str:
    base = _("Demonstration league")
    taken = set(League.objects.filter(name__startswith=base).values_list("name", flat=True))
    return next(name for number in count(1) if (name := base if number == 1 else f"{base} {number}") not in taken)
