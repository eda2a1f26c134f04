"""Files that a user names: those that are none, and those that are too large, are refused before anything is read."""

import os
import socket
from pathlib import Path

import pytest

from trialkit.errors import InputError
from trialkit.text.files import MOST_BYTES, as_text, read_file, read_text


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "x")
    return folder / "x"


def listening(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "x"))
    return folder / "x"


def folder_of(folder: Path) -> Path:
    return folder


def endless(folder: Path) -> Path:
    (folder / "x").symlink_to("/dev/zero")
    return folder / "x"


def large(folder: Path) -> Path:
    with (folder / "x").open("wb") as file:
        file.truncate(MOST_BYTES * 5 // 2)  # it takes no room
    return folder / "x"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (pipe, "x: a pipe, not a file; save what it gives to a file, and name that; get one"),
        (listening, "x: a socket, not a file; save what it gives to a file, and name that; get one"),
        (endless, "x: a device, not a file; save what it gives to a file, and name that; get one"),
        (folder_of, ": a folder, not a file; get one"),
        (large, "x: too large (2.5 GB; files of up to 1 GB are read); get one"),
        (lambda folder: folder / "x", "x: cannot be read: No such file or directory; get one"),
    ],
)
def test_what_is_no_file_is_never_opened(tmp_path: Path, make: object, says: str) -> None:
    path = make(tmp_path)  # type: ignore[operator]
    with pytest.raises(InputError) as caught:
        read_file(path, "get one")
    assert str(caught.value) == f"{tmp_path}{'' if path == tmp_path else '/'}{says}"


def test_a_text_is_the_same_wherever_it_was_saved(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(tmp_path / "x") == "one\ntwo\nthree\n"


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    with pytest.raises(InputError, match=r"^x:2: byte 3 \(0xff\) is not UTF-8; save the file as UTF-8$"):
        as_text(b"a\n\xff", "x")
