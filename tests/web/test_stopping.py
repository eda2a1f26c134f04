"""Stopping and resuming from the page: by the same guards as in a terminal."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.waiting import by_rules, wait_for, wait_for_requests
from tests.runfile.writing import planned
from tests.server import Server
from trialkit.runfile import RunFile, is_going_on, run_lock
from trialkit.runfile.lock import lock_file

from .conftest import Viewer, opened
from .events import following


def post(viewer: Viewer, path: str, run: Path, **values: str) -> tuple[int, str]:
    return viewer.write(path, json.dumps({"run": viewer.shelf.name(run), **values}))


@pytest.fixture
def trialkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Its variables are the viewer's as well."""
    program = Program(tmp_path)
    for name in set(os.environ) - set(program.env):
        monkeypatch.delenv(name)
    for name, value in program.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return program


def test_a_run_is_stopped_and_resumed_and_nothing_is_asked_twice(viewer: Viewer, trialkit: Program) -> None:
    court = Court()
    with Server(court) as server:
        server.hold(after=2)
        process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "2")
        wait_for_requests(server, 4, process)
        path = trialkit.last_run()
        with following(viewer, run=viewer.shelf.name(path)) as events:
            assert "data-stops" in events.until("run", state="running")["controls"]
            assert post(viewer, "/stop", path)[0] == 200
            server.release()
            assert "data-resumes" in events.until("run", state="stopped")["controls"]
            assert process.wait() == 130
            process.communicate()
            server.hold(after=2)
            assert post(viewer, "/resume", path) == (200, "It goes on.")
            assert "data-stops" in events.until("run", state="running")["controls"]
            status, told = post(viewer, "/resume", path)
            assert (status, "going on in another process" in told) == (400, True)
            server.release()
            events.until("run", state="done")
        assert court.analyses == 10


def test_what_is_resumed_goes_on_when_the_viewer_ends(trialkit: Program, tmp_path: Path) -> None:
    court = Court()
    with Server(court) as server:
        path = stopped(trialkit, server)
        server.hold(after=1)
        viewers = opened(tmp_path)
        assert post(next(viewers), "/resume", path) == (200, "It goes on.")
        assert list(viewers) == []
        assert is_going_on(path)
        server.release()
        wait_for(lambda: not is_going_on(path))
    with RunFile(path) as run:
        assert run.info().state == "done"


def stopped(trialkit: Program, server: Server, *how: str) -> Path:
    """A run with two trials that have ended."""
    server.hold(after=2)
    process = trialkit.start("run", "commodity", *(how or by_rules(server)), "--max-concurrency", "1")
    wait_for_requests(server, 3, process)
    process.kill()
    process.communicate()
    server.release()
    return trialkit.last_run()


def test_what_the_command_line_objects_to_is_told_on_the_page(viewer: Viewer, trialkit: Program) -> None:
    with Server(Court(), key="secret") as server:
        trialkit.env |= {"OPENAI_API_KEY": "secret", "OPENAI_BASE_URL": server.openai_base}
        path = stopped(trialkit, server, "--model", "openai/subject", "--judge", "rules")
        status, told = post(viewer, "/resume", path)
        assert (status, "OPENAI_API_KEY" in told, "Traceback" in told) == (400, True, False)
        status, told = post(viewer, "/resume", path, max_cost="-1")
        assert (status, "greater than 0" in told) == (400, True), told
        assert not is_going_on(path)


def test_a_run_that_is_done_has_nothing_left(viewer: Viewer, trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    assert post(viewer, "/resume", trialkit.last_run()) == (200, "There was nothing left to do.")


def test_only_what_is_ours_is_stopped(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial")
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    here = socket.gethostname()
    assert post(viewer, "/stop", path)[1].endswith("there is nothing to stop")
    with run_lock(path):
        assert "this process itself" in post(viewer, "/stop", path)[1]
        for signed, said in {
            f"process {bystander.pid} on elsewhere, since now": "stop it there",
            f"process {bystander.pid} on {here}, since now": "which is not so",
            "": "stop it there",
        }.items():
            lock_file(path).write_text(signed)
            status, told = post(viewer, "/stop", path)
            assert (status, said in told) == (400, True), told
    assert bystander.poll() is None
    bystander.communicate(b"\n")
    assert bystander.returncode == 0


def test_a_stranger_can_neither_stop_nor_resume(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial")
    for action in ("/stop", "/resume"):
        assert viewer.ask(action, "POST", json.dumps({"run": path.name}))[0] == 403
        assert post(viewer, action, tmp_path / "none.trial")[0] == 400
