"""Photos: what is taken in, how it is made harmless, and where it lies.

Whatever arrives is looked at before it is decoded, decoded into a bounded size, and written anew as a plain JPEG under a
random name, so that nothing of the file that was sent is kept: no metadata, no trailing data, no other format.
"""

import io
import secrets
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from PIL import Image, ImageOps, UnidentifiedImageError

from scoring import uploads
from scoring.state import Refused

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

FIELD: Final = "photo"
MOST_BYTES: Final = uploads.MOST_BYTES[FIELD]
MOST_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 24_000_000, "WEBP": 24_000_000}
"""A JPEG is decoded at a fraction of its size, so it may be larger than what has to be decoded whole."""
LONGEST_SIDE: Final = 2400
QUALITY: Final = 82

_ONE_AT_A_TIME: Final = Lock()
"""Decoding takes more memory than anything else here: however many phones send at once, it is taken once."""

_APPLE: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif")


@dataclass(frozen=True)
class Prepared:
    """A photo as it will be kept."""

    jpeg: bytes
    width: int
    height: int


def prepare(upload: "UploadedFile[Any] | None") -> Prepared:
    """Make a photo of an upload.

    Raises:
        Refused: nothing was sent, too many bytes or pixels, no image, one that breaks off, or a kind that can't be read here.
    """
    if upload is None or not upload.size:
        raise Refused("photo-none")
    if upload.size > MOST_BYTES:
        raise Refused("photo-bytes", most=MOST_BYTES // (1024 * 1024))
    head = upload.read(32)
    upload.seek(0)
    if head[4:8] == b"ftyp" and head[8:12].lower() in _APPLE:
        raise Refused("photo-heic")
    try:
        with _ONE_AT_A_TIME:
            return _decode(upload)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refused("photo-pixels", most=_millions("JPEG")) from None
    except UnidentifiedImageError:
        raise Refused("photo-unreadable") from None
    except (OSError, SyntaxError, ValueError, EOFError, TypeError, OverflowError):
        # What Pillow raises for a file that lies about itself or breaks off.
        raise Refused("photo-broken") from None


def _millions(kind: str) -> int:
    return MOST_PIXELS[kind] // 1_000_000


def _decode(upload: "UploadedFile[Any]") -> Prepared:
    with Image.open(upload, formats=tuple(MOST_PIXELS)) as image:
        kind = image.format or ""
        if image.width * image.height > MOST_PIXELS[kind]:
            raise Refused("photo-pixels", most=_millions(kind))
        image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
        image.load()
        # Made small in its place before it is turned, so that the whole of it is never held twice.
        image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        upright = ImageOps.exif_transpose(image)
        flat = Image.new("RGB", upright.size, "white")
        layers = upright.convert("RGBA")
        flat.paste(layers, mask=layers.getchannel("A"))
    out = io.BytesIO()
    flat.save(out, "JPEG", quality=QUALITY, optimize=True)
    return Prepared(out.getvalue(), flat.width, flat.height)


# ---------------------------------------------------------------------------------------------------------------------
# Files


def new_name() -> str:
    """Make the name of a photo: it can't be guessed."""
    return secrets.token_urlsafe(18)


def path_of(name: str) -> Path:
    """Give where the file of a photo lies."""
    return Path(settings.PHOTO_DIR) / f"{name}.jpg"


def store(name: str, prepared: Prepared) -> None:
    """Write the file of a photo, for the site's own account alone."""
    path = path_of(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(prepared.jpeg)
    path.chmod(0o600)


def remove(name: str) -> None:
    """Delete the file of a photo; twice is no error."""
    path_of(name).unlink(missing_ok=True)
