"""Photos and the cards read from them, as actions of a game."""

from collections import Counter

from continental.rules.cards import CARDS
from scoring.actions import action, read_seat
from scoring.entries import read_number, read_text
from scoring.state import EvidenceState, GameState, Logged, PhotoState, Refused

ABOUT = frozenset({"laid", "hand", "dispute"})
MOST_MELDS = 12
MOST_LETTERS = 500
MOST_LYING = 250


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
    number = read_number(data, "hand", 1, 1000)
    hand = state.hand_numbered(number)
    if hand is None:
        raise Refused("hand-not-yet", hand=number)
    seat = read_seat(state, data) if data.get("seat") not in (None, "") else None
    photo = read_text(data, "photo")
    if photo and photo not in state.photos:
        raise Refused("photo-elsewhere")
    melds = [
        {"row": str(meld.get("row", ""))[:6], "cards": str(meld["cards"])[:MOST_LETTERS], "spot": meld.get("spot")}
        for meld in data.get("melds", [])[:MOST_MELDS]
    ]
    if not melds:
        raise Refused("evidence-empty")
    state.evidence[event.rev] = EvidenceState(
        rev=event.rev,
        hand=number,
        attempt=hand.attempt,
        seat=seat,
        photo=photo,
        melds=tuple(melds),
        query=read_text(data, "query"),
        verdict=read_text(data, "verdict"),
        reasons=tuple(data["reasons"]),
        lying=tuple(card for card in data.get("lying", [])[:MOST_LYING] if card in CARDS),
    )


def on_table(state: GameState) -> tuple[str, ...]:
    """Give the cards known to lie on the table at the end of the current hand, as far as somebody read them.

    Of each player's cards, and of the whole table, the last reading counts. A card that two readings show may be one and the
    same: what the players have together is held against the whole table, and the more of each face believed.
    """
    hand = state.hand
    last = {read.seat: read.lying for read in state.evidence.values() if (read.hand, read.attempt) == (hand.number, hand.attempt)}
    whole = Counter(last.pop(None, ()))
    by_player = Counter(card for cards in last.values() for card in cards)
    return tuple(sorted((whole | by_player).elements()))
