"""A league of twelve people, four seasons and four versions of the house rules, played through with all that happens."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from continental.rules.standing_methods import Terms
from players import people
from players.models import Player
from scoring import ratings, record, record_league
from scoring.models import Event, Game, RuleSheet
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring import plain_scorebook
from tests.scoring.plain_scorebook import PlainGame
from tests.scoring.tables import act

NAMES = ["Ana", "Ben", "Cai", "Dot", "Eva", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Leo"]
TWO_HANDS = [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}]
VERSIONS: list[dict[str, Any]] = [
    {"hands": TWO_HANDS},
    {"hands": TWO_HANDS, "points": {"JK": 50}},
    {"hands": TWO_HANDS, "points": {"JK": 50}, "swap_set": True},
    {"hands": [*TWO_HANDS, {"contract": "2R", "deal": 9}], "points": {"JK": 50}, "swap_set": True},
]
SHORT = Policies(substitutes="absent", short_nights="counts", short_hands=1, late_joiners="worst")
SCALED = Policies(substitutes="none", guests="unranked", short_nights="scaled", short_hands=2, late_joiners="mean")
SEASONS = [
    ("Spring", date(2024, 1, 1), date(2024, 6, 30), Terms("mean-total", 2, 5, 3), Policies()),
    ("Autumn", date(2024, 7, 1), date(2024, 12, 31), Terms("place-points", 2, 0, 0), Policies(guests="unranked")),
    ("Long", date(2025, 1, 1), date(2025, 12, 31), Terms("best-n", best=3), SHORT),
    ("Scaled", date(2026, 1, 1), date(2026, 10, 31), Terms("mean-total", 2, 7, 3), SCALED),
]
EVENINGS = 14
"""A season: enough for every kind of evening, and for a place to be hard to get."""


class Evenings:
    """Plays the league through, with everything that happens to real ones."""

    def __init__(self, cast: Cast, seed: int) -> None:
        self.league, self.random, self.cast = cast.league, Random(seed), cast
        self.players = [people.add_player(cast.league, name) for name in NAMES]
        self.sheets = [record.add_sheet(cast.league, "Ours", "house", overrides, By()) for overrides in VERSIONS]
        for sheet in self.sheets:
            for player in self.random.sample(self.players, 7):
                record.sign_sheet(sheet, player, By())
        for plan in SEASONS:
            record_league.add_season(cast.league, SeasonPlan(*plan))
        self.number = 0

    def play_all(self) -> None:
        """Play every evening, and then correct, strike out and take back."""
        games = []
        for at, (_name, starts, _ends, _terms, _policies) in enumerate(SEASONS):
            for evening in range(EVENINGS):
                sheet = self.sheets[min(3, at + evening // 8)]
                games.append(self.play(starts + timedelta(days=7 * evening), sheet))
        for game in games[2::5]:
            act(game, "count", hand=1, seat=1, kind="points", points="7", reason="a card was counted twice")
        taken_back = games[13]
        act(taken_back, "count", hand=1, seat=0, kind="points", points="333", reason="nobody was sure")
        act(taken_back, "undo", target=Game.objects.get(pk=taken_back.pk).rev)
        act(games[4], "strike", reason="played with a pack that lacked the nines")
        act(games[9], "strike", reason="struck by mistake")
        act(games[9], "undo", target=Game.objects.get(pk=games[9].pk).rev)
        ratings.switch(self.league, on=True)

    def play(self, day: date, sheet: RuleSheet) -> Game:
        self.number += 1
        seated = self.random.sample(self.players, self.random.randint(3, 6))
        dealer = self.random.randrange(len(seated))
        game = record.start_game(self.league, sheet, seated, dealer, By(), client_id=f"evening-{self.number}", on=day)
        absent = [player for player in self.players if player not in seated]
        if self.number % 5 == 0:
            act(game, "role", seat=0, role="guest")
        if self.number % 7 == 0:
            act(game, "role", seat=1, role="substitute", stands_for=absent.pop(0).pk)
        self._hand(game, 1)
        if not self._between(game, seated, absent):
            for number in range(2, len(sheet.rules.hands) + 1):
                self._hand(game, number)
                if number == 2 < len(sheet.rules.hands) and self.number % 3 == 0:
                    act(game, "finish")
                    break
        return game

    def _between(self, game: Game, seated: Sequence[Player], absent: list[Player]) -> bool:
        """What happens after the first hand; tells whether the evening ends with it."""
        seats = list(range(len(seated)))
        if self.number % 6 == 0 and len(seats) > 3:
            act(game, "leave", seat=seats[-1])
        if self.number % 4 == 0:
            act(game, "join", player=absent.pop(0).pk)
        if self.number % 10 == 3:
            present = [player.pk for player in seated]
            record.apply(game.pk, "suspend", {"consent": seats}, By(), client_id=f"away-{self.number}", on=game.started_on)
            if self.number % 20 == 3:
                return True
            record.apply(game.pk, "resume", {"players": present}, By(), client_id=f"back-{self.number}", on=game.started_on)
        if self.number % 11 == 9:
            act(game, "finish")
            return True
        return False

    def _hand(self, game: Game, number: int) -> None:
        seats = [seat.number for seat in game.seats.filter(away=False).order_by("number")]
        out = self.random.choice(seats)
        for seat in seats:
            if self.random.random() < 0.6:
                act(game, "opened", hand=number, seat=seat)
        for seat in seats:
            if seat == out:
                act(game, "count", hand=number, seat=seat, kind="out")
            elif self.random.random() < 0.5:
                cards = " ".join(self.random.choices(["JK", "A", "K", "9", "4", "2"], k=self.random.randint(1, 5)))
                act(game, "count", hand=number, seat=seat, kind="cards", cards=cards)
            elif self.random.random() < 0.1 and len(seats) > 3:
                act(game, "count", hand=number, seat=seat, kind="none")
            else:
                act(game, "count", hand=number, seat=seat, kind="points", points=str(self.random.randint(1, 99)))
        try:
            act(game, "close", hand=number)
        except Refused:
            for seat in seats:
                act(game, "count", hand=number, seat=seat, kind="points", points=str(5 + seat))
            act(game, "close", hand=number)

    def plain(self) -> list[PlainGame]:
        """Every game, told a second time from its raw events, in the order in which they were played."""
        games = Game.objects.filter(league=self.league).select_related("sheet", "season").order_by("started_on", "pk")
        return [plain_scorebook.read(_plain(game), _events(game)) for game in games]


def _plain(game: Game) -> PlainGame:
    scales = game.season.policies["short_nights"] == "scaled"
    return PlainGame(game.pk, game.season_id, game.started_on, game.sheet.overrides, scales)


def _events(game: Game) -> Sequence[Mapping[str, Any]]:
    return list(Event.objects.filter(game=game).order_by("rev").values("rev", "kind", "data", "replaces"))
