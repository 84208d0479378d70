"""Photos of a game: adding them, looking at them, and giving them out to those who may see them."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.permissions import Action, require_at
from scoring import photos, record, record_photos
from scoring.entries import whole_number
from scoring.load import Table
from scoring.models import Evidence, Photo
from scoring.views.common import Trouble, by, go_on, in_game, page

MOST_OF_A_GAME = 60


def may_see(table: Table, photo: Photo) -> bool:
    """Tell whether the viewer may see a photo: of cards in hand only the owner, and the taker, before the hand closes."""
    told = table.state.photos.get(photo.name)
    if told is None or not photo.shown_on(record.today(table.game.league)):
        return False
    hand = table.hand_of(told.hand)
    if told.about != "hand" or (hand is not None and hand.closed):
        return True
    viewer = table.viewer
    return (viewer.seat is not None and viewer.seat in {told.seat, told.by_seat}) or (viewer.scores and told.by_seat is None)


def photos_of(table: Table) -> list[Photo]:
    """Give the photos of a game that the viewer may see, the newest first: one query, and none where there are none."""
    if not table.state.photos:
        return []
    return [photo for photo in Photo.objects.filter(game=table.game).order_by("-rev") if may_see(table, photo)]


def photos_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show the photos of a game, and the form that adds one."""
    shown = photos_of(table)
    kept = Evidence.objects.filter(game=table.game).order_by("-rev") if table.state.evidence else []
    context = {
        "photos": [(photo, table.names[photo.seat] if photo.seat is not None else "") for photo in shown],
        "hidden": len(table.state.photos) - len(shown),
        "evidence": [
            (item, table.names[item.seat] if item.seat is not None else "", bool(table.state.evidence[item.rev].lying))
            for item in kept
        ],
        "hands": [other.number for other in table.state.hands],
        "hand_number": asked if (asked := whole_number(request.GET.get("hand", ""), 3)) is not None else table.hand.number,
        "seats": list(zip(table.state.seats, table.names, strict=True)),
        "about": Photo.About.choices,
        "days": table.game.league.photo_days,
    }
    return page(request, "photos", table, context, trouble)


@require_safe
@in_game(Action.SEE_PHOTOS)
def show_photos(request: HttpRequest, table: Table) -> HttpResponse:
    return photos_page(request, table)


def add_photo(request: HttpRequest, table: Table, client_id: str) -> HttpResponse:
    """Keep the photo that a form sent.

    Raises:
        Refused: as ``photos.prepare`` and ``record_photos.add`` do; nothing is kept then.
    """
    require_at(request, Action.TAP, table.sitting)
    if len(table.state.photos) >= MOST_OF_A_GAME:
        return photos_page(request, table, Trouble(422, _("This game has as many photos as are kept.")))
    post = request.POST
    data: dict[str, Any] = {"hand": post.get("hand", ""), "about": post.get("about", "laid"), "seat": post.get("seat", "")}
    name = record_photos.add(
        table.game, photos.prepare(request.FILES.get(photos.FIELD)), data, by(request, table), client_id=client_id
    )
    target = reverse("scoring:photo", args=[table.game.pk, name])
    return go_on(request, target)


def found_photo(table: Table, name: str) -> Photo:
    """Find a photo of this game that the viewer may see.

    Raises:
        Http404: there is none, it belongs to another game, its day has come, or it is not for the viewer's eyes.
    """
    photo = Photo.objects.filter(game=table.game, name=name).first()
    if photo is None or not may_see(table, photo):
        raise Http404(_("There is no such photo here, or it has been deleted."))
    return photo


@require_safe
@in_game(Action.SEE_PHOTOS)
def show_photo(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    photo = found_photo(table, name)
    whose = table.names[photo.seat] if photo.seat is not None else ""
    return page(request, "photo", table, {"photo": photo, "whose": whose, "ticket": ""})


@require_safe
@in_game(Action.SEE_PHOTOS)
def give_photo(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Give out the file itself."""
    photo = found_photo(table, name)
    try:
        answer = HttpResponse(photos.path_of(photo.name).read_bytes(), content_type="image/jpeg")
    except FileNotFoundError:
        raise Http404 from None
    answer["Content-Disposition"] = f'inline; filename="photo-{photo.game_id}-{photo.rev}.jpg"'
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Cache-Control"] = "private, max-age=3600"
    answer["Content-Security-Policy"] = "default-src 'none'"
    return answer
