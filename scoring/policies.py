"""What a season says beforehand about substitutes, guests, short nights and late joiners."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from continental.rules.catching_up import CATCH_UPS
from continental.rules.standings import to_full_length

SUBSTITUTES: Final[dict[str, Any]] = {
    "own": _("The game counts for the substitute."),
    "absent": _("The game counts for the player whom the substitute sits for."),
    "none": _("The game counts for neither; the others' places stay as they were played."),
}
GUESTS: Final[dict[str, Any]] = {
    "ranked": _("Guests stand in the table like everybody else."),
    "unranked": _("Guests stand in no table; the others' places stay as they were played."),
}
SHORT_NIGHTS: Final[dict[str, Any]] = {
    "void": _("A game ended before its last hand is void (R-78)."),
    "counts": _("A game ended before its last hand counts with the points of the hands played, once enough of them were."),
    "scaled": _(
        "A game ended before its last hand counts as if it had been played in full, once enough of its hands were: its totals "
        "times the hands of the sheet, divided by the hands played. 120 points after 4 hands of 7 are 120 × 7 ÷ 4 = 210."
    ),
}
LATE_JOINERS: Final[dict[str, Any]] = {
    "non-finisher": _(
        "Who joins late did not play every hand: the game total is the sum of the two highest complete ones, the same for "
        "everybody who joins (R-74)."
    ),
    "worst": _(
        "Who joins late gets, for every hand missed, the worst score that anybody has in it, the same for everybody who "
        "joins; with that the game is played in full."
    ),
    "mean": _(
        "Who joins late gets, for every hand missed, the mean of the scores in it, rounded to the worse, the same for "
        "everybody who joins; with that the game is played in full."
    ),
    "refused": _("Nobody joins after the first hand."),
}

CHOICES: Final = {"substitutes": SUBSTITUTES, "guests": GUESTS, "short_nights": SHORT_NIGHTS, "late_joiners": LATE_JOINERS}
"""What can be agreed, by the name of each policy."""


@dataclass(frozen=True, slots=True)
class Policies:
    """A season's policies. What an older season does not say is as it always was.

    A short night is a game that somebody ended before its last hand. A suspended game that its year ran out on, and one struck
    out, are none: they are void whatever was agreed.

    Attributes:
        short_hands: hands that must be closed for a short night to count.
    """

    substitutes: str = "own"
    guests: str = "ranked"
    short_nights: str = "void"
    short_hands: int = 5
    late_joiners: str = "non-finisher"

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Policies":
        known = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})

    def data(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def least_hands(self) -> int | None:
        """Hands after which a short night counts; ``None`` where it never does."""
        return self.short_hands if self.short_nights in {"counts", "scaled"} else None

    def scaling(self, played: int, hands: int | None) -> tuple[int, int]:
        """Give the hands from which and to which the totals of a short night that counts are scaled; 1 and 1 where they are not.

        Args:
            hands: those of the sheet; ``None`` for a game to a target.
        """
        if self.short_nights != "scaled" or hands is None or to_full_length(played, hands) == 1:
            return 1, 1
        return played, hands

    @property
    def catch_up(self) -> str:
        """What late joiners get for the hands missed; empty where they have not played the game in full."""
        return self.late_joiners if self.late_joiners in CATCH_UPS else ""

    def credited(self, player: int, role: str, stands_for: int | None) -> int | None:
        """Say in whose line a game counts."""
        if role == "guest" and self.guests == "unranked":
            return None
        if role == "substitute":
            return {"own": player, "absent": stands_for, "none": None}[self.substitutes]
        return player
