"""Photos and the cards read from them, as actions of a game."""

from scoring.actions import action, read_seat
from scoring.entries import read_number, read_text
from scoring.state import EvidenceState, GameState, Logged, PhotoState, Refused

ABOUT = frozenset({"laid", "hand", "dispute"})
MOST_MELDS = 12
MOST_CARDS = 200


@action("photo")
def _photo(state: GameState, event: Logged) -> None:
    hand = read_number(event.data, "hand", 1, 1000)
    if state.hand_numbered(hand) is None:
        raise Refused("hand-not-yet", hand=hand)
    seat = read_seat(state, event.data) if event.data.get("seat") not in (None, "") else None
    about = read_text(event.data, "about")
    if about not in ABOUT:
        raise Refused("photo-about")
    name = read_text(event.data, "name")
    by_seat = read_number(event.data, "by_seat", 0, 1000) if "by_seat" in event.data else None
    state.photos[name] = PhotoState(event.rev, name, hand, seat, about, by_seat)


@action("evidence")
def _evidence(state: GameState, event: Logged) -> None:
    """Keep cards as they were read, each meld with its spot on the photo, and the verdict they got then."""
    data = event.data
    hand = read_number(data, "hand", 1, 1000)
    if state.hand_numbered(hand) is None:
        raise Refused("hand-not-yet", hand=hand)
    seat = read_seat(state, data) if data.get("seat") not in (None, "") else None
    photo = read_text(data, "photo")
    if photo and photo not in state.photos:
        raise Refused("photo-elsewhere")
    melds = [
        {"row": str(meld.get("row", ""))[:6], "cards": str(meld["cards"])[:MOST_CARDS], "spot": meld.get("spot")}
        for meld in data.get("melds", [])[:MOST_MELDS]
    ]
    if not melds:
        raise Refused("evidence-empty")
    state.evidence[event.rev] = EvidenceState(
        event.rev, hand, seat, photo, tuple(melds), read_text(data, "query"), read_text(data, "verdict"), tuple(data["reasons"])
    )
