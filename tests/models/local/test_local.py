"""llama.cpp's real server with a real model."""

import hashlib
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.waiting import wait_for
from tests.models.contract import HELLO
from tests.models.local.conftest import HOW
from tests.packages import needs
from trialkit.errors import InputError, ModelError
from trialkit.models import Message, ModelSpec, Request, Traffic, open_model

SHORT = Request(messages=HELLO.messages, max_tokens=4)


def servers(of: int) -> list[int]:
    """The processes of llama.cpp that a process started."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            told, parent = (process / "cmdline").read_bytes(), (process / "stat").read_text().rpartition(")")[2].split()
            if b"models/local/program.py" in told and int(parent[1]) == of:
                found.append(int(process.name))
    return found


async def test_two_roles_ask_one_server_which_ends_with_them(smollm: Path) -> None:
    said: list[str] = []
    traffic = Traffic()
    traffic.say = said.append
    model, judge = (open_model(ModelSpec(name=f"local:{smollm}"), traffic) for _ in range(2))
    assert servers(os.getpid()) == []
    answers = [await model(SHORT), await judge(SHORT)]
    (server,) = servers(os.getpid())
    for answer in answers:
        assert answer.reply.text
        assert answer.reply.stop == "length"
        assert answer.reply.usage is not None
        assert answer.reply.usage.output_tokens == 4
        assert answer.reply.cost == 0.0
    assert said == [f"llama.cpp ({smollm.name}) is loading its model; waiting, at most 10 min"]
    await model.aclose()
    with pytest.raises(ModelError, match=r"exceeds .*LLAMA_ARG_CTX_SIZE") as long:
        await judge(Request(messages=(Message(role="user", text="corn " * 300),)))
    assert long.value.kind == "context_overflow"
    os.kill(server, signal.SIGKILL)
    assert (await judge(SHORT)).reply.text  # of another one
    assert servers(os.getpid()) != [server]
    await judge.aclose()
    assert servers(os.getpid()) == []


def test_a_model_is_known_by_what_is_in_its_file(smollm: Path, tmp_path: Path) -> None:
    (tmp_path / "other.gguf").symlink_to(smollm)
    connection, other = (open_model(ModelSpec(name=f"local:{path}")) for path in (smollm, tmp_path / "other.gguf"))
    digest = hashlib.sha256(smollm.read_bytes()).hexdigest()
    assert connection.key == other.key == f"local {smollm.name} sha256:{digest}"
    assert connection.name == f"local/{smollm.name}"
    assert str(smollm.parent) not in connection.key + connection.endpoint


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes() != b""  # of one that ended and was not asked about
    except OSError:
        return False


@pytest.fixture
def torn(smollm: Path, tmp_path: Path) -> Path:
    path = tmp_path / "torn.gguf"
    path.write_bytes(smollm.read_bytes()[:5_000_000])
    return path


async def test_a_file_that_is_torn_is_told_in_a_line(torn: Path) -> None:
    connection = open_model(ModelSpec(name=f"local:{torn}"))
    with pytest.raises(
        ModelError, match=r"^llama.cpp cannot load .*torn\.gguf: tensor '.*' data is not within"
    ) as told:
        await connection(SHORT)
    assert told.value.kind == "not_found"
    await connection.aclose()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere.gguf", "nowhere.gguf: cannot be read: No such file or directory; give a model's file"),
        (".", "a folder, not a file; give a model's file"),
        ("words.gguf", "words.gguf: no GGUF file: it begins with b'once'"),
    ],
)
def test_what_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, fault: str) -> None:
    needs("xllamacpp", HOW)
    monkeypatch.chdir(tmp_path)
    Path("words.gguf").write_text("once upon a time")
    with pytest.raises(InputError, match=re.escape(fault)):
        open_model(ModelSpec(name=f"local:{name}"))


def test_after_kill_9_nothing_is_left(smollm: Path, tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text(
        "cases: words.csv\nprompt: '{{ question }}'\njudges: {right: {contains: '{{ answer }}'}}\n"
    )
    (tmp_path / "words.csv").write_text("id,question,answer\na,Say Paris.,Paris\n")
    with subprocess.Popen(
        [sys.executable, "-m", "trialkit", "run", "words.yaml", "--model", f"local:{smollm}", "--no-cache"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        wait_for(lambda: servers(run.pid) != [])
        (server,) = servers(run.pid)
        run.kill()
    wait_for(lambda: not is_running(server))


def test_a_setting_of_llama_that_is_none(smollm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMA_ARG_CTX_SIZE", "large")
    with pytest.raises(InputError, match="LLAMA_ARG_CTX_SIZE must be a number of 1 or more, not 'large'"):
        open_model(ModelSpec(name=f"local:{smollm}"))
