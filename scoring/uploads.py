"""Files that people send: none of them fills the disk, whatever its size."""

import io
from tempfile import NamedTemporaryFile
from typing import IO, Any, Final

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers

MOST_BYTES: Final = {"photo": 15 * 1024 * 1024, "archive": 8 * 1024 * 1024}
"""What is kept of a file, by the field of the form that it comes in."""


class CappedUpload(FileUploadHandler):
    """Takes a file of a known field into a temporary one until it is too large; any other file it leaves alone."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.ours = self.field_name in MOST_BYTES
        self.kept: IO[bytes] | None = NamedTemporaryFile(suffix=".upload") if self.ours else None  # noqa: SIM115
        if self.ours:
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if not self.ours:
            return raw_data
        if self.kept is not None:
            if start + len(raw_data) > MOST_BYTES[str(self.field_name)]:
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
        return UploadedFile(held, name=str(self.field_name), content_type="", size=file_size)

    def upload_interrupted(self) -> None:
        if getattr(self, "kept", None) is not None:
            self.kept.close()  # type: ignore[union-attr]
