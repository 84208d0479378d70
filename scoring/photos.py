"""Photos: what is taken in, how it is made harmless, and where it lies.

Whatever arrives is looked at before it is decoded, decoded into a bounded size, and written anew as a plain JPEG under a
random name, so that nothing of the file that was sent is kept: no metadata, no trailing data, no other format.
"""

import io
import secrets
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, Final

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers
from PIL import Image, ImageOps, UnidentifiedImageError

from scoring.state import Refused

FIELD: Final = "photo"
MOST_BYTES: Final = 15 * 1024 * 1024
MOST_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 24_000_000, "WEBP": 24_000_000}
"""A JPEG is decoded at a fraction of its size, so it may be larger than what has to be decoded whole."""
LONGEST_SIDE: Final = 2400
QUALITY: Final = 82

_APPLE: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif")


@dataclass(frozen=True)
class Prepared:
    """A photo as it will be kept."""

    jpeg: bytes
    width: int
    height: int


class CappedUpload(FileUploadHandler):
    """Takes a photo into a temporary file and stops keeping it once it is too large; every other file it leaves alone."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.kept: IO[bytes] | None = NamedTemporaryFile(suffix=".upload") if self.field_name == FIELD else None  # noqa: SIM115
        self.ours = self.kept is not None
        if self.ours:
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if not self.ours:
            return raw_data
        if self.kept is not None:
            if start + len(raw_data) > MOST_BYTES:
                self.kept.close()
                self.kept = None
            else:
                self.kept.write(raw_data)
        return None

    def file_complete(self, file_size: int) -> "UploadedFile[Any] | None":
        if not self.ours:
            return None
        held = self.kept if self.kept is not None else io.BytesIO()
        held.seek(0)
        # A size above the cap with nothing in it says that the file was too large to be kept.
        return UploadedFile(held, name="photo", content_type="", size=file_size)

    def upload_interrupted(self) -> None:
        if getattr(self, "kept", None) is not None:
            self.kept.close()  # type: ignore[union-attr]


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
        upright = ImageOps.exif_transpose(image)
        upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
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
