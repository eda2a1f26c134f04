"""Pictures and PDFs that go with a message. They stay where they are; the hash of their bytes is what names them."""

import hashlib
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path

from trialkit.errors import InputError, ModelError
from trialkit.text.files import read_file
from trialkit.text.shown import file_size

#: Bytes of all files of one request. As text they are a third more, and Anthropic takes requests of up to 32 MB.
MOST_FILE_BYTES = 20_000_000
PDF = "application/pdf"
PICTURES_AND_PDF = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", PDF})


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """A picture (PNG, JPEG, GIF, WebP) or a PDF. `File.at(path)` makes one.

    What it is called is told to nobody: names such as `cat_03.png` would give the truth away.
    """

    media_type: str
    sha256: str
    size: int = field(compare=False)
    path: Path = field(compare=False)  # the same bytes are the same file, wherever they lie

    @classmethod
    def at(cls, path: Path | str) -> "File":
        """What it is, its first bytes say, not its name. Raises `InputError`."""
        path = Path(path)
        data = read_file(path, "name a picture (PNG, JPEG, GIF, WebP) or a PDF", MOST_FILE_BYTES)
        media_type = _media_type(data)
        if not media_type:
            raise InputError(f"{path}: neither a picture (PNG, JPEG, GIF, WebP) nor a PDF; save it as one of these")
        return cls(media_type=media_type, sha256=_hash(data), size=len(data), path=path.absolute())

    def base64(self) -> str:
        """Its bytes as text, as requests carry them. Raises `ModelError` where it is another file by now, or gone."""
        try:
            data = read_file(self.path, most=MOST_FILE_BYTES)
        except InputError as error:
            raise ModelError("bad_request", f"{error}; put it back, and resume") from None
        if _hash(data) != self.sha256:
            raise ModelError("bad_request", f"{self.path} is not the file any more that the run began with")
        return b64encode(data).decode()

    def url(self) -> str:
        """The same as a `data:` URL."""
        return f"data:{self.media_type};base64,{self.base64()}"


def too_large(files: tuple[File, ...]) -> str:
    """What is wrong with so much; empty: nothing."""
    size = sum(file.size for file in files)
    most = f"{file_size(MOST_FILE_BYTES)} go with one request"
    return f"files of {file_size(size)} together; at most {most}" if size > MOST_FILE_BYTES else ""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _media_type(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    starts = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"%PDF-": PDF}
    return next((kind for start, kind in starts.items() if data.startswith(start)), "")
