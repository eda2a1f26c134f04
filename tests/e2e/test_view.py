"""`trialkit view` as a program."""

import re
import signal
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.run_files import case, ended, verdict, write_run

from .program import Program


def test_it_begins_with_the_run_that_is_named_and_ends_quietly(trialkit: Program) -> None:
    write_run(trialkit.folder / "mine.trial", [(case("a"), [ended(verdict("pass"))])])
    server = trialkit.start("view", "mine.trial", "--no-open", "--port", "0")
    assert server.stdout is not None
    said = server.stdout.readline()
    found = re.search(r"(http://127\.0\.0\.1:\d+)(/\S*)", said)
    assert found, said
    assert found[2] == "/run?run=mine.trial"
    assert "mine.trial" in urllib.request.urlopen(found[1]).read().decode()  # noqa: S310 - ours
    server.send_signal(signal.SIGINT)
    assert (server.communicate(timeout=100)[0], server.returncode) == ("", 0)


def test_beyond_this_machine_it_asks_for_a_token(trialkit: Program) -> None:
    Path(trialkit.folder / "eval_results").mkdir()
    server = trialkit.start("view", "--no-open", "--port", "0", "--host", "0.0.0.0")  # noqa: S104 - that is what it is about
    assert server.stdout is not None
    found = re.search(r"(http://\S*/)\?token=\S{20}", server.stdout.readline())
    assert found
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(found[1])  # noqa: S310 - as above
    server.send_signal(signal.SIGINT)
    assert (server.communicate(timeout=100)[0], server.returncode) == ("", 0)


def test_what_cannot_be_shown_is_told(trialkit: Program) -> None:
    done = trialkit("view", "nowhere.trial", "--no-open")
    assert (done.status, done.err) == (
        2,
        "trialkit: nowhere.trial: no such run file; `trialkit runs` lists those that there are\n",
    )
    done = trialkit("view", ".", "--no-open", "--host", "192.0.2.1")
    assert done.status == 2
    assert "--host 192.0.2.1" in done.err
