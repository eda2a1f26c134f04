"""What may go with a message: pictures and PDFs, by what they are, and not too much of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from trialkit.errors import InputError, ModelError
from trialkit.models import File, Message, Request
from trialkit.models.files import MOST_FILE_BYTES
from trialkit.models.protocols.anthropic import ANTHROPIC
from trialkit.models.protocols.openai import OPENAI


def asked(*files: File) -> Request:
    return Request(messages=(Message(role="user", text="What is this?", files=files),))


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"%PDF-1.7", "application/pdf"),
    ],
)
def test_a_file_is_what_its_first_bytes_say(tmp_path: Path, data: bytes, media_type: str) -> None:
    (tmp_path / "scan").write_bytes(data)
    assert File.at(tmp_path / "scan").media_type == media_type


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"<html>", "neither a picture (PNG, JPEG, GIF, WebP) nor a PDF; save it as one of these"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "neither a picture"),
        (b"", "neither a picture"),
        (b"\x89PNG\r\n\x1a\n" + bytes(MOST_FILE_BYTES), "too large (20 MB; files of up to 20 MB are read)"),
    ],
)
def test_anything_else_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "photo.png"
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        File.at(file)
    assert f"{file}: {says}" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file or directory; name a picture"):
        File.at(tmp_path / "photo.png")


def test_one_that_is_gone_when_it_is_to_be_sent(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-")
    file = File.at(tmp_path / "a.pdf")
    (tmp_path / "a.pdf").unlink()
    with pytest.raises(ModelError, match="No such file or directory; put it back, and resume"):
        file.base64()


PNG = File(media_type="image/png", sha256="ab", size=7, path=Path("a.png"))


def test_what_a_protocol_does_not_take() -> None:
    strange = replace(PNG, media_type="image/tiff")
    with pytest.raises(ModelError, match="anthropic takes no image/tiff"):
        ANTHROPIC.fitted(asked(PNG, strange))


def test_files_go_with_what_a_user_says() -> None:
    with pytest.raises(ModelError, match="of the role user, with no others"):
        OPENAI.fitted(Request(messages=(Message(role="tool", files=(PNG,)),)))


def test_all_files_of_a_request_have_a_limit() -> None:
    half = replace(PNG, size=MOST_FILE_BYTES // 2)
    assert OPENAI.fitted(asked(half, half)) == asked(half, half)
    with pytest.raises(ModelError, match="files of 20 MB together; at most 20 MB go with one request"):
        OPENAI.fitted(asked(half, half, PNG))
