"""Every named address of the site, in a world where each leads somewhere: for tests that must hold on all pages alike."""

import io
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from PIL import Image

from players import joining, membership, people
from players.models import Player
from scoring import record
from scoring.models import Game, Photo, RuleSheet, Season
from scoring.record import By
from scoring.record_people import merge_players
from tests.cast import EVERYBODY, Cast
from tests.scoring.tables import act, game_of, hand

PHONES: Final = ("phone", "onlooker", "guest of another table")
ALL: Final = (*EVERYBODY, *PHONES)


def names() -> list[str]:
    """Give the name of every address, read from the site itself."""

    def walk(patterns: Any, prefix: str) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix)
            elif isinstance(pattern, URLPattern) and pattern.name:
                yield prefix + pattern.name

    return sorted(set(walk(get_resolver().url_patterns, "")))


@dataclass
class World:
    """A league with all that an address may name: games, photos, rulings, links, a closed season; and a phone for each guest."""

    cast: Cast
    game: Game
    other_game: Game
    photo: str
    evidence: int
    ruling: int
    season: Season
    sheet: RuleSheet
    player: Player
    member: int
    invitation: int
    token: str
    code: str
    watch: str
    clients: dict[str, Client] = field(default_factory=dict)

    @property
    def keys(self) -> dict[str, tuple[Any, ...]]:
        """What each address needs, by its name; an address that is not here needs nothing."""
        slug, game = self.cast.league.slug, self.game.pk
        league = dict.fromkeys(_OF_A_LEAGUE, (slug,))
        table = dict.fromkeys(_OF_A_GAME, (game,))
        season = dict.fromkeys(
            ("scoring:edit-season", "scoring:close-season", "scoring:season-csv", "scoring:season"), (slug, self.season.pk)
        )
        sheet = dict.fromkeys(
            ("scoring:rule-sheet", "scoring:sign-sheet", "scoring:blank-sheet", "scoring:sheet-book"), (slug, self.sheet.pk)
        )
        player = dict.fromkeys(
            ("players:edit-player", "players:anonymise", "scoring:player", "scoring:same-person"), (slug, self.player.pk)
        )
        member = dict.fromkeys(("players:edit-member", "players:remove-member", "players:reset-password"), (slug, self.member))
        photo = dict.fromkeys(("scoring:photo", "scoring:photo-file", "scoring:transcribe"), (game, self.photo))
        return (
            league
            | table
            | season
            | sheet
            | player
            | member
            | photo
            | {
                "players:revoke-invitation": (slug, self.invitation),
                "players:invitation": (self.token,),
                "scoring:correct": (game, 1),
                "scoring:evidence": (game, self.evidence),
                "scoring:house-rule": (game, self.ruling),
                "scoring:join": (self.code,),
                "scoring:watch": (self.watch,),
                "scoring:rule": ("house.players.any",),
                "scoring:rule-book": ("house",),
            }
        )

    def path(self, name: str) -> str:
        """Give the address of a name."""
        return reverse(name, args=self.keys.get(name, ()))

    def client(self, who: str, **how: Any) -> Client:
        """Give a browser as one of the cast or a guest has it: what is done in it stays in it."""
        client = Client(**how)
        client.cookies = deepcopy(self.clients[who].cookies)
        return client


_OF_A_LEAGUE: Final = (
    "players:add-account", "players:add-player", "players:invite", "players:leave", "players:league-settings", "players:people",
    "scoring:all-time", "scoring:compare-sheets", "scoring:games-csv", "scoring:league", "scoring:league-json",
    "scoring:new-game", "scoring:new-season", "scoring:new-sheet", "scoring:note-lapsed", "scoring:precedents",
    "scoring:rule-sheets", "scoring:seasons", "scoring:statistics", "scoring:switch-ratings",
)  # fmt: skip
_OF_A_GAME: Final = (
    "scoring:board", "scoring:count", "scoring:do", "scoring:game-check", "scoring:game-check-hand", "scoring:game-rules",
    "scoring:game-sheet", "scoring:history", "scoring:leave-seat", "scoring:manage", "scoring:phones", "scoring:photos",
    "scoring:reseat", "scoring:rulings", "scoring:sheet", "scoring:table", "scoring:wrong",
)  # fmt: skip


def picture() -> SimpleUploadedFile:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), (20, 120, 60)).save(out, "JPEG")
    return SimpleUploadedFile("cards.jpg", out.getvalue(), "image/jpeg")


def build(cast: Cast) -> World:
    """Make the world."""
    league = cast.league
    seated = [people.add_player(league, name) for name in ("Ana", "Ben", "Cai", "Dot")]
    game, other_game = game_of(league, seated), game_of(league, seated)
    hand(game, 1, "out", 10, 20, 30)
    owner = cast.client("owner")
    sent = {"do": "photo", "page": "photos", "client_id": "photo", "hand": "1", "about": "laid", "photo": picture()}
    owner.post(reverse("scoring:do", args=[game.pk]), sent)
    kept = {"do": "evidence", "page": "photos", "client_id": "evidence", "photo": Photo.objects.get().name}
    owner.post(reverse("scoring:do", args=[game.pk]), {**kept, "query": "m=7H 7D 7S&hand=1", "spots": "m0:0.2:0.3"})
    ruling = {"kind": "misdeal", "facts": {}, "hand": 2, "own": True, "words": "Deal again.", "seats": [0]}
    record.apply(game.pk, "ruling", ruling, By(user=cast.owner), client_id="ruling", reason="a card was shown")
    act(game, "count", hand=2, seat=1, kind="points", points="15")
    merge_players(people.add_player(league, "Eva"), people.add_player(league, "Eve"), By(user=cast.owner))
    invitation, token = membership.invite(league, "member", cast.owner)
    state = game.events.all()
    world = World(
        cast=cast,
        game=game,
        other_game=other_game,
        photo=Photo.objects.get().name,
        evidence=state.get(kind="evidence").rev,
        ruling=state.get(kind="ruling").rev,
        season=game.season,
        sheet=game.sheet,
        player=people.add_player(league, "Fay"),
        member=cast.users["member"].memberships.get().pk,
        invitation=invitation.pk,
        token=token,
        code=joining.seat_code(league, game.pk, cast.owner).code,
        watch=joining.watch_link(league, game.pk, cast.owner).code,
    )
    world.clients = {who: cast.client(who) for who in EVERYBODY}
    doors: dict[str, Callable[[Client], Any]] = {
        "phone": lambda client: client.post(reverse("scoring:join", args=[world.code]), {"seat": 1}),
        "onlooker": lambda client: client.post(reverse("scoring:watch", args=[world.watch])),
        "guest of another table": lambda client: client.post(
            reverse("scoring:join", args=[joining.seat_code(league, other_game.pk, cast.owner).code]), {"seat": 1}
        ),
    }
    for who, enter in doors.items():
        world.clients[who] = Client()
        assert enter(world.clients[who]).status_code == 303, who
    return world
