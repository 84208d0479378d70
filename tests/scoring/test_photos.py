"""Photos of a game: what is taken in, what is refused, who sees it, and how long it is kept; and the cards read from them."""

import io
import os
import re
import struct
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import StopFutureHandlers
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from PIL import Image

from players.models import League
from scoring import load, photos, record, uploads
from scoring.models import Event, Evidence, Game, Photo, RuleSheet, Ruling
from scoring.record import By
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring.tables import act, game_of, hand, league_of

pytestmark = pytest.mark.django_db
_numbers: Iterator[int] = iter(range(10**9))


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.PHOTO_DIR = tmp_path / "photos"
    return tmp_path / "photos"


def picture(kind: str = "JPEG", size: tuple[int, int] = (640, 480), **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (20, 120, 60)).save(out, kind, **options)
    return out.getvalue()


def send(client: Client, game: Game, content: bytes | None, name: str = "cards.jpg", **fields: Any) -> HttpResponse:
    data: dict[str, Any] = {"do": "photo", "page": "photos", "client_id": f"p-{next(_numbers)}", "hand": "1", "about": "laid"}
    if content is not None:
        data["photo"] = SimpleUploadedFile(name, content, "image/jpeg")
    answer = client.post(reverse("scoring:do", args=[game.pk]), {**data, **fields})
    assert isinstance(answer, HttpResponse)
    return answer


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.parametrize(("kind", "name"), [("JPEG", "a.jpg"), ("PNG", "a.png"), ("WEBP", "a.webp")])
def test_a_photo_is_kept_as_a_plain_jpeg(host: Client, game: Game, folder: Path, kind: str, name: str) -> None:
    exif = Image.Exif()
    exif[0x0110] = "A phone that tells where it was"
    assert send(host, game, picture(kind, exif=exif), name).status_code == 303
    photo = Photo.objects.get()
    (file,) = folder.iterdir()
    assert file.name == f"{photo.name}.jpg"
    assert b"tells where" not in file.read_bytes()
    with Image.open(file) as kept:
        assert (kept.format, kept.size) == ("JPEG", (640, 480))
        assert not kept.getexif()


def test_a_photo_taken_sideways_stands_upright(host: Client, game: Game) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    send(host, game, picture(exif=exif))
    photo = Photo.objects.get()
    assert (photo.width, photo.height) == (480, 640)


def test_a_large_photo_is_made_smaller(host: Client, game: Game) -> None:
    send(host, game, picture(size=(6000, 4000)))
    assert Photo.objects.get().width == photos.LONGEST_SIDE


def png_of(width: int, height: int, content: bytes = b"") -> bytes:
    """Write a PNG whose head promises a size; its few bytes of content do not bear it out, unless others are given."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    body = content or zlib.compress(bytes(100_000), 9)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


HOSTILE: dict[str, tuple[bytes, str]] = {
    "no image": (b"these are not cards", "That is no photo"),
    "empty": (b"", "No photo came along"),
    "a page": (b"<!doctype html><script>alert(1)</script>", "That is no photo"),
    "svg with script": (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "That is no photo"),
    "gif": (picture("GIF"), "That is no photo"),
    "bomb": (png_of(50_000, 50_000), "million pixels"),
    "bomb below the alarm": (png_of(9000, 9000), "million pixels"),
    "truncated jpeg": (picture(size=(2000, 1500), quality=95)[:6000], "breaks off"),
    "truncated png": (picture("PNG", size=(500, 500))[:-40], "breaks off"),
    "heic": (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200), "HEIC"),
    "html behind a jpeg": (b"\xff\xd8\xff<script>alert(1)</script>", "That is no photo"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_photo_is_refused_in_a_sentence_and_nothing_is_kept(host: Client, game: Game, folder: Path, what: str) -> None:
    content, sentence = HOSTILE[what]
    before = Event.objects.count()
    answer = send(host, game, content)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert not Photo.objects.exists()
    assert Event.objects.count() == before
    assert not folder.exists() or not list(folder.iterdir())


def test_sixty_megabytes_are_refused_without_being_held_in_memory(host: Client, game: Game, folder: Path) -> None:
    content = picture() + bytes(60 * 1024 * 1024)
    data: dict[str, Any] = {"do": "photo", "page": "photos", "client_id": "big", "hand": "1", "about": "laid"}
    data["photo"] = SimpleUploadedFile("big.jpg", content, "image/jpeg")
    answer = host.post(reverse("scoring:do", args=[game.pk]), data)
    assert answer.status_code == 422
    assert "larger than 15 MB" in text(answer)
    assert not Photo.objects.exists()


def test_sixty_megabytes_come_in_chunk_by_chunk_and_are_let_go(rf: RequestFactory) -> None:
    handler = uploads.CappedUpload(rf.post("/"))
    with pytest.raises(StopFutureHandlers):
        handler.new_file(photos.FIELD, "big.jpg", "image/jpeg", None)
    chunk, start = bytes(64 * 1024), 0
    tracemalloc.start()
    while start < 60 * 1024 * 1024:
        assert handler.receive_data_chunk(chunk, start) is None
        start += len(chunk)
    upload = handler.file_complete(start)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    with pytest.raises(Refused, match="photo-bytes"):
        photos.prepare(upload)


DECODE = """
import re, sys
from pathlib import Path
import django
django.setup()
from django.core.files.uploadedfile import SimpleUploadedFile
from scoring import photos

def highest():
    return int(re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1]) // 1024

upload = SimpleUploadedFile("large", sys.stdin.buffer.read())
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far, which may be that of the process that started this one
before = highest()
photos.prepare(upload)
print(highest() - before)
"""
"""Decodes what comes in, in a process of its own, and says by how many MB its memory grew at most."""

LARGEST = {
    "PNG": lambda: png_of(6000, 4000, zlib.compress(bytes((3 * 6000 + 1) * 4000), 1)),
    "JPEG": lambda: picture("JPEG", (8000, 8000), quality=50),
}


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells the most memory a process had")
@pytest.mark.parametrize("kind", LARGEST)
def test_the_largest_image_that_is_taken_is_decoded_in_bounded_memory(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DECODE],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        input=LARGEST[kind](),
        check=True,
        capture_output=True,
        timeout=120,
    )
    # Decoded whole, the PNG is 92 MB, the JPEG would be 244: each is held once, and made small in its place.
    assert 20 < int(done.stdout) < 180


def test_input_37_a_cut_off_photo_leaves_a_game_that_is_still_played(host: Client, game: Game) -> None:
    before = load.table(game).state
    answer = send(host, game, picture(size=(2000, 1500), quality=95)[:6000])
    assert answer.status_code == 422
    assert 'name="photo"' in text(answer)
    assert load.table(Game.objects.get(pk=game.pk)).state == before
    assert send(host, game, picture()).status_code == 303
    hand(game, 2, "out", 10, 20, 30)
    assert Game.objects.get(pk=game.pk).hand_number == 3


def test_a_bomb_takes_no_memory() -> None:
    upload = SimpleUploadedFile("bomb.png", png_of(50_000, 50_000))
    tracemalloc.start()
    with pytest.raises(Refused):
        photos.prepare(upload)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def test_no_photo_or_a_hand_and_seat_of_nobody_are_refused(host: Client, game: Game, folder: Path) -> None:
    assert send(host, game, None).status_code == 422
    assert send(host, game, picture(), hand="9").status_code == 422
    assert send(host, game, picture(), seat="77").status_code == 422
    assert send(host, game, picture(), about="nonsense").status_code == 422
    assert not list(folder.iterdir())


def test_the_same_photo_sent_twice_is_kept_once(host: Client, game: Game, folder: Path) -> None:
    first = send(host, game, picture(), client_id="same")
    second = send(host, game, picture(), client_id="same")
    assert first["Location"] == second["Location"]
    assert len(list(folder.iterdir())) == 1


def test_only_the_people_of_a_game_see_its_photos(cast: Cast, host: Client, game: Game) -> None:
    send(host, game, picture())
    name = Photo.objects.get().name
    for page in ("photo", "photo-file", "transcribe"):
        path = reverse(f"scoring:{page}", args=[game.pk, name])
        cast.expects(path, owner=200, scorekeeper=200, member=200, viewer=200)
    cast.league.public = True
    cast.league.save()
    path = reverse("scoring:photo-file", args=[game.pk, name])
    assert cast.client("stranger").get(path).status_code in {403, 404}
    assert cast.client("anonymous").get(path).status_code == 302


def test_who_may_add_a_photo(cast: Cast, game: Game) -> None:
    data = {"do": "photo", "page": "photos", "client_id": "x", "hand": "1", "about": "laid"}
    cast.expects(reverse("scoring:do", args=[game.pk]), data, owner=422, scorekeeper=422, member=403, viewer=403)


def test_a_photo_is_given_out_as_nothing_but_an_image(host: Client, game: Game) -> None:
    send(host, game, picture())
    answer = host.get(reverse("scoring:photo-file", args=[game.pk, Photo.objects.get().name]))
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Disposition"].startswith("inline; filename=")


def test_a_photo_of_another_game_is_not_found(cast: Cast, host: Client, game: Game) -> None:
    send(host, game, picture())
    name = Photo.objects.get().name
    other = game_of(cast.league, list(cast.league.players.all())[:4])
    for page in ("photo", "photo-file", "transcribe"):
        assert host.get(reverse(f"scoring:{page}", args=[other.pk, name])).status_code == 404
    league, players = league_of("Ana", "Ben", slug="Friday")
    with pytest.raises(Refused) as refused:
        act(game_of(league, players), "evidence", hand=1, photo=name, melds=[{"cards": "7H"}], reasons=[])
    assert refused.value.code == "photo-elsewhere"


def test_input_62_a_photo_of_cards_in_hand_is_for_their_owner_until_the_hand_closes(cast: Cast, host: Client, game: Game) -> None:
    send(host, game, picture(), hand="2", about="hand", seat="1")
    file = reverse("scoring:photo-file", args=[game.pk, Photo.objects.get().name])
    assert host.get(file).status_code == 200
    assert cast.client("member").get(file).status_code == 404
    hand(game, 2, "out", 10, 20, 30)
    assert cast.client("member").get(file).status_code == 200


def test_a_photo_is_hidden_on_its_day_and_deleted_by_the_command(host: Client, game: Game, folder: Path) -> None:
    send(host, game, picture())
    photo = Photo.objects.get()
    assert photo.expires_on == record.today(game.league) + timedelta(days=game.league.photo_days)
    Photo.objects.update(expires_on=record.today(game.league))
    assert host.get(reverse("scoring:photo-file", args=[game.pk, photo.name])).status_code == 404
    assert len(list(folder.iterdir())) == 1
    call_command("expire_photos", verbosity=0)
    assert not list(folder.iterdir())
    assert Photo.objects.get().gone
    assert host.get(reverse("scoring:photos", args=[game.pk])).status_code == 200


@pytest.mark.parametrize(
    ("zone", "hour", "gone"), [("Europe/Madrid", 22, False), ("Europe/Madrid", 23, True), ("Pacific/Pago_Pago", 23, False)]
)
def test_the_day_of_a_photo_comes_where_its_league_plays(host: Client, game: Game, zone: str, hour: int, *, gone: bool) -> None:
    """At 23 o'clock in Greenwich the next day has begun in Madrid, and in Pago Pago it is noon."""
    send(host, game, picture())
    League.objects.filter(pk=game.league_id).update(timezone=zone)
    Photo.objects.update(expires_on=date(2027, 1, 1))
    with time_machine.travel(datetime(2026, 12, 31, hour, 30, tzinfo=UTC), tick=False):
        call_command("expire_photos", verbosity=0)
    assert Photo.objects.get().gone is gone


def test_a_photo_whose_event_is_undone_is_not_shown(host: Client, game: Game) -> None:
    send(host, game, picture())
    photo = Photo.objects.get()
    act(game, "undo", target=photo.rev)
    assert host.get(reverse("scoring:photo-file", args=[game.pk, photo.name])).status_code == 404


def test_evidence_is_for_the_people_of_its_game_and_none_other(cast: Cast, game: Game) -> None:
    read = act(
        game, "evidence", hand=1, photo="", melds=[{"row": "m0", "cards": "7H 7S 7D"}], verdict="legal", reasons=[], query=""
    )
    cast.expects(reverse("scoring:evidence", args=[game.pk, read.rev]), owner=200, scorekeeper=200, member=200, viewer=200)
    other = game_of(cast.league, list(cast.league.players.all())[:4])
    assert cast.client("owner").get(reverse("scoring:evidence", args=[other.pk, read.rev])).status_code == 404


def test_who_may_make_a_line_of_the_house_rules(cast: Cast, game: Game) -> None:
    facts = {"missing": False, "late_score": False, "mixed": False}
    ruling = act(game, "ruling", kind="score-error", facts=facts, hand=1, seats=[])
    path = reverse("scoring:house-rule", args=[game.pk, ruling.rev])
    cast.expects(path, owner=200, scorekeeper=403, member=403, viewer=403)
    cast.expects(path, {"line": "as we always did"}, owner=303, scorekeeper=403, member=403, viewer=403)
    answer = cast.client("owner").post(path, {"line": "  "})
    assert (answer.status_code, RuleSheet.objects.count()) == (422, 1)


# ---------------------------------------------------------------------------------------------------------------------
# From the photo to the ruling


def test_cards_are_read_judged_kept_and_ruled_on_and_the_ruling_is_there_a_year_later(
    cast: Cast, host: Client, game: Game
) -> None:
    act(game, "opened", hand=2, seat=1)
    send(host, game, picture(), hand="2", seat="1")
    photo = Photo.objects.get()
    page = reverse("scoring:transcribe", args=[game.pk, photo.name])
    cards = "hand=2&m=7H+7S+7D&m=4C+5C+6C+7C+9C"
    assert "Not allowed" in text(host.get(f"{page}?{cards}"))
    data = {
        "do": "evidence",
        "page": "photos",
        "client_id": "e",
        "photo": photo.name,
        "query": cards,
        "spots": "m0:0.2:0.5 m1:0.7:0.5",
    }
    answer = host.post(reverse("scoring:do", args=[game.pk]), data)
    kept = Evidence.objects.get()
    assert answer["Location"] == reverse("scoring:evidence", args=[game.pk, kept.rev])
    assert [(meld["cards"], meld["spot"]) for meld in kept.melds] == [("7H 7S 7D", [0.2, 0.5]), ("4C 5C 6C 7C 9C", [0.7, 0.5])]
    assert (kept.verdict, kept.seat, kept.hand, kept.photo) == ("illegal", 1, 2, photo.name)
    shown = text(host.get(answer["Location"]))
    ask = re.search(r'href="([^"]*wrong/\?[^"]*)"', shown.partition("What holds now?")[0].rpartition("<a")[2])
    assert ask is not None
    wizard_page = ask[1].replace("&amp;", "&")
    ruled = text(host.get(f"{wizard_page}&f.others_beyond=yes"))
    assert "4.7.c" in ruled
    form = {"do": "ruling", "page": "wrong", "client_id": "r", "kind": "illegal-meld", "hand": "2", "seat": "1", "go": "1"}
    form |= {f"f.{name}": "no" for name in ("same_turn", "after_claim", "swap_wrong", "joker_kept")}
    form |= {"f.correct_without_card": "yes", "f.others_beyond": "yes", "evidence": str(kept.rev)}
    sent = {**form, "effect": ["returned-cards", "detach-cards"]}
    assert host.post(reverse("scoring:do", args=[game.pk]), sent).status_code == 303
    ruling = Ruling.objects.get()
    assert (ruling.path, ruling.evidence, len(ruling.effects)) == ("4.7.c", kept.rev, 2)
    assert "has cards back from the table" in text(host.get(reverse("scoring:table", args=[game.pk])))
    # A year later, another game of the league comes to the same question.
    Ruling.objects.update(at=ruling.at - timedelta(days=365))
    later = game_of(cast.league, list(cast.league.players.all())[:4])
    act(later, "opened", hand=1, seat=0)
    asked = "&".join(f"{name}={value}" for name, value in form.items() if name.startswith("f."))
    again = text(host.get(f"{reverse('scoring:wrong', args=[later.pk])}?kind=illegal-meld&go=1&{asked}"))
    assert "Decided here before" in again
    assert reverse("scoring:evidence", args=[game.pk, kept.rev]) in again
    found = text(host.get(reverse("scoring:precedents", args=[cast.league.slug]) + "?q=laid+wrongly"))
    assert "4.7.c" in found
    # It becomes a line of the house rules: a new version, the game keeps its own.
    line = {"line": "A card too many goes back, and nobody sulks."}
    answer = host.post(reverse("scoring:house-rule", args=[game.pk, ruling.rev]), line)
    assert answer.status_code == 303
    newest = RuleSheet.objects.order_by("-pk")[0]
    assert newest.version == game.sheet.version + 1
    assert newest.notes == [{"text": line["line"], "game": game.pk, "ruling": ruling.rev}]
    assert Game.objects.get(pk=game.pk).sheet_id == game.sheet_id
    assert record.sheet_for(cast.league, "house", By()) == newest
