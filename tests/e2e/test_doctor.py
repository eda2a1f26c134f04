"""`trialkit doctor`: what is well, what is to be done, and that it is well when it is done."""

import json
import os
import socket
import time
from pathlib import Path
from typing import Any

from tests.e2e.program import Program
from tests.server import Server

DAYS = 3 * 24 * 3600
SECRET = "sk-canary-3f9a"


def checks(trialkit: Program, *arguments: str, status: int, **env: str) -> dict[str, list[Any]]:
    done = trialkit("doctor", "--format", "json", *arguments, env=env)
    assert done.status == status, done.text
    assert SECRET not in done.text
    table = json.loads(done.out)["parts"][0]
    found: dict[str, list[Any]] = {}
    for state, what, told in table["rows"]:
        found.setdefault(what, []).append((state, told))
    return found


def make_old(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (time.time() - DAYS, time.time() - DAYS))


def test_where_all_is_well(trialkit: Program, server: Server) -> None:
    trialkit.env = {name: value for name, value in trialkit.env.items() if not name.startswith("TAU")}
    keys = {"OPENAI_API_KEY": SECRET, "MISTRAL_API_KEY": SECRET, "OPENAI_BASE_URL": f"{server.url}/{SECRET}"}
    found = checks(trialkit, status=0, **keys)
    ((state, told),) = found["keys"]
    assert (state, told.partition(" (")[0]) == ("ok", "MISTRAL_API_KEY, OPENAI_API_KEY")
    ((state, told),) = found["server"]
    assert (state, told) == ("ok", f"{server.url.removesuffix('/v1')} of OPENAI_BASE_URL answers")
    assert found["data tau2"] == [("none", "not here; get it with: trialkit data fetch tau2")]
    assert {state for rows in found.values() for state, _ in rows} == {"ok", "none"}
    assert {"trialkit", "packages", "suites", "prices", "leftovers", "disk of runs", "terminal"} <= found.keys()


def test_what_is_to_be_done_is_told_with_the_way_out(trialkit: Program) -> None:
    silent = socket.create_server(("127.0.0.1", 0))  # it accepts, and says nothing
    env = {
        "OPENAI_BASE_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/v1",
        "ANTHROPIC_BASE_URL": f"http://me:{SECRET}@127.0.0.1/",
        "OPENAI_API_KEY": f"{SECRET} \u2028",
        "MISTRAL_API_KEY": f"{SECRET}\u00e9",
        "TRIALKIT_PRICES": "none.json",
        "TAU2_DATA_DIR": "none",
        "PYTHONIOENCODING": "ascii",
        "COLUMNS": "80",
    }
    begun = time.monotonic()
    done = trialkit("doctor", env=env)
    assert time.monotonic() - begun < 30
    silent.close()
    assert done.status == 1
    assert SECRET not in done.text
    assert max(map(len, done.out.splitlines())) <= 80
    said = " ".join(done.out.replace("|", " ").split())
    assert "trialkit doctor: 6 things to do" in said
    for part in (
        "of OPENAI_BASE_URL: no answer within 3 s",
        "ANTHROPIC_BASE_URL must not hold a user name or password",
        "MISTRAL_API_KEY holds characters that no key has",
        "none.json: cannot be read: No such file",
        "name another folder by TAU2_DATA_DIR",
        "set LANG to one with UTF-8",
    ):
        assert part in said


def test_what_kills_left_is_told_and_cleaned(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01", "--judge", "rules").status == 0
    kept, cache = trialkit.last_run(), trialkit.folder / "cache"
    left = [
        trialkit.results / name for name in ("dead.trial", "dead.trial.new-wal", f".{kept.name}.lock", "x.csv.partial")
    ]
    fetch, held = cache / "data" / ".tau2-x", cache / "data" / ".tau2-young"
    for folder in (fetch, held, cache / "locks", cache / "agents" / "fw.part"):
        (folder / "in").mkdir(parents=True)
    (cache / "agents" / "fw").mkdir()
    for file in (*left, cache / "replies.sqlite", cache / "agents" / "fw" / "x"):
        file.touch()
    (cache / "agents" / "fw" / "x").write_bytes(b"x" * 2000)
    make_old(*left, fetch, cache / "agents" / "fw.part")
    found = checks(trialkit, status=1)
    ((state, told),) = found["leftovers"]
    assert (state, told.split(":")[0]) == ("to do", "4 files in eval_results that killed runs left")
    ((state, told),) = found["cache"]
    assert (state, told.split(":")[0]) == ("to do", "3 pieces of what was not finished")
    assert found["cache agents"] == [("ok", "2 kB; remove it with: trialkit doctor --clean agents")]
    assert "leftovers" in checks(trialkit, "--clean", status=0)
    assert not [path for path in (*left, fetch, cache / "locks", cache / "agents" / "fw.part") if path.exists()]
    assert [path.exists() for path in (kept, held, cache / "agents" / "fw" / "x")] == [True, True, True]
    assert "cache agents" not in checks(trialkit, "--clean", "agents", status=0)
    assert not (cache / "agents").exists()
    assert held.exists()
