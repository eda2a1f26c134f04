"""`trialkit data`: listing, fetching and checking content that is not part of trialkit."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.shared import shared_path
from tests.suites.tau.domains import write_plain
from tests.suites.tau.v1.test_checkout import write_checkout
from tests.suites.tau.v2.tiny import Tiny
from tests.suites.tau.v2.tiny import task as tau2_task
from trialkit.suites.tau.data.tau2 import PACKAGE
from trialkit.suites.tau.data.tau_bench import COMMIT, checksums
from trialkit.suites.tau.v1.source import detect


@pytest.fixture(autouse=True)
def _no_content_around(trialkit: Program) -> None:
    for variable in ("TAU_BENCH_HOME", "TAU2_DATA_DIR"):
        trialkit.env.pop(variable, None)


def git(*arguments: str, cwd: Path) -> str:
    """Ours: no configuration of this machine's user has a say."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    done = subprocess.run(["git", *arguments], cwd=cwd, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


class Repository:
    """A bare repository with one commit of what lies in a folder."""

    def __init__(self, folder: Path, bare: Path) -> None:
        git("init", "--quiet", cwd=folder)
        git("add", "--all", "--force", cwd=folder)
        git("commit", "--quiet", "--message", "content", cwd=folder)
        self.commit = git("rev-parse", "HEAD", cwd=folder)
        git("clone", "--quiet", "--bare", str(folder), str(bare), cwd=folder)
        self.url = bare.as_uri()

    @property
    def options(self) -> tuple[str, ...]:
        return ("--url", self.url, "--commit", self.commit)


@pytest.fixture
def upstream(tmp_path: Path) -> Repository:
    """tau-bench's own databases, policies, tools and tasks in the layout of its repository."""
    source, checkout = shared_path("tau-bench"), tmp_path / "checkout"
    for domain in ("retail", "airline"):
        write_checkout(checkout, domain, detect(domain, source))
    for name in checksums():
        domain, table = name.split("/")
        shutil.copy(source / f"{name}.json", checkout / "tau_bench" / "envs" / domain / "data" / f"{table}.json")
    (checkout / "historical_trajectories").mkdir()
    (checkout / "historical_trajectories" / "run.json").write_text("[]")
    return Repository(checkout, tmp_path / "upstream.git")


def cached(trialkit: Program) -> list[str]:
    folder = trialkit.folder / "cache" / "data"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def test_the_list_tells_what_there_is_and_how_to_get_it(trialkit: Program) -> None:
    done = trialkit("data")
    assert done.status == 0
    for part in (COMMIT, "MIT", "sha256", PACKAGE, "TAU_BENCH_HOME", "TAU2_DATA_DIR"):
        assert part in done.out
    for name in ("tau-bench", "tau2"):
        assert f"not here; get it with: trialkit data fetch {name}" in done.out


def test_the_list_tells_where_content_lies(trialkit: Program, tmp_path: Path) -> None:
    home = write_plain(tmp_path / "home")
    assert str(home) in trialkit("data", env={"TAU_BENCH_HOME": str(home)}).out
    wrong = trialkit("data", env={"TAU_BENCH_HOME": str(tmp_path / "nothing")})
    assert wrong.status == 0
    assert "holds no tau-bench content" in wrong.out


def test_tau_bench_is_fetched_by_git_checked_and_used(trialkit: Program, upstream: Repository) -> None:
    done = trialkit("data", "fetch", "tau-bench", *upstream.options)
    assert done.status == 0, done.err
    assert "fetching" in done.err
    assert "checking the files" in done.err
    assert cached(trialkit) == ["tau-bench"]
    folder = trialkit.folder / "cache" / "data" / "tau-bench"
    assert not (folder / ".git").exists()
    assert not (folder / "historical_trajectories").exists()
    assert str(folder) in trialkit("data").out
    checked = trialkit("data", "check", "tau-bench")
    assert checked.status == 0, checked.err
    assert "tau-bench/retail: 635 tasks in dev, test, train; something is off in" in checked.out
    assert "tau-bench/airline: 50 tasks in test" in checked.out
    assert "  test 64: action" in checked.out
    assert trialkit("data", "check", "tau-bench/retail", "--strict").status == 1
    again = trialkit("data", "fetch", "tau-bench", *upstream.options)
    assert again.status == 0
    assert "already in" in again.err


def test_a_damaged_copy_is_fetched_again(trialkit: Program, upstream: Repository) -> None:
    assert trialkit("data", "fetch", "tau-bench", *upstream.options).status == 0
    users = trialkit.folder / "cache/data/tau-bench/tau_bench/envs/retail/data/users.json"
    whole = users.read_bytes()
    users.write_text("{}")
    doctor = trialkit("doctor")
    assert doctor.status == 1
    assert "data tau-bench the content of retail/users has the SHA-256" in " ".join(doctor.out.split())
    assert "data tau-bench  trialkit data fetch tau-bench\n" in doctor.out
    done = trialkit("data", "fetch", "tau-bench", *upstream.options)
    assert done.status == 0, done.err
    assert users.read_bytes() == whole
    assert cached(trialkit) == ["tau-bench"]


def test_other_content_is_refused_and_nothing_is_kept(trialkit: Program, tmp_path: Path) -> None:
    other = Repository(write_checkout(tmp_path / "other", "retail"), tmp_path / "other.git")
    done = trialkit("data", "fetch", "tau-bench", *other.options)
    assert done.status == 2
    assert "the content of retail/orders has the SHA-256" in done.err
    assert "the domain airline is missing" in done.err
    assert "nothing was kept" in done.err
    assert cached(trialkit) == []


def test_what_git_cannot_reach_is_one_message_with_the_way_out(trialkit: Program, tmp_path: Path) -> None:
    nowhere = (tmp_path / "nowhere.git").as_uri()
    done = trialkit("data", "fetch", "tau-bench", "--url", nowhere)
    assert done.status == 2
    for part in (nowhere, "failed:", "fatal:", "--data-dir", "TAU_BENCH_HOME"):
        assert part in done.err
    assert cached(trialkit) == []


def test_an_address_is_never_taken_for_an_option_of_gits(trialkit: Program, tmp_path: Path) -> None:
    done = trialkit("data", "fetch", "tau-bench", "--url", f"--upload-pack=touch {tmp_path / 'owned'}")
    assert done.status == 2
    assert not (tmp_path / "owned").exists()


def test_without_git(trialkit: Program) -> None:
    done = trialkit("data", "fetch", "tau-bench", env={"PATH": ""})
    assert done.status == 2
    assert "git is needed to fetch tau-bench and is not on the PATH" in done.err
    assert "TAU_BENCH_HOME" in done.err


def test_tau2_without_an_installer_that_works(trialkit: Program, tmp_path: Path) -> None:
    uv = tmp_path / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text("#!/bin/sh\necho 'no such index' >&2\nexit 1\n")
    uv.chmod(0o755)
    done = trialkit("data", "fetch", "tau2", env={"PATH": str(uv.parent)})
    assert done.status == 2
    assert "no such index" in done.err
    refused = trialkit("data", "fetch", "tau2", "--commit", "1")
    assert refused.status == 2
    assert "are for tau-bench" in refused.err


@pytest.mark.parametrize("arguments", [("fetch", "tau3"), ("check", "tau-bench/bank")])
def test_unknown_names_are_told_with_the_known_ones(trialkit: Program, arguments: tuple[str, str]) -> None:
    done = trialkit("data", *arguments)
    assert done.status == 2
    assert "tau-bench, tau2" in done.err


def test_what_is_off_is_told_with_its_task(trialkit: Program, tmp_path: Path) -> None:
    refund = {"user_id": "nobody", "instruction": " ", "actions": [{"name": "refund", "kwargs": {}}], "outputs": []}
    folder = write_plain(tmp_path / "plain", tasks_test=[refund], tasks_dev=[refund])
    done = trialkit("data", "check", "tau-bench/retail", "--data-dir", str(folder))
    assert done.status == 0
    assert done.out.splitlines() == [
        "tau-bench/retail: 1 task in dev, test; something is off in 1",
        "  dev, test 0: there is no instruction",
        "  dev, test 0: the user 'nobody' is not in the database",
        "  dev, test 0: action 0 calls refund, which is not a tool",
    ]
    assert trialkit("data", "check", "tau-bench/retail", "--data-dir", str(folder), "--strict").status == 1


def test_sound_tasks_are_nothing_to_tell(trialkit: Program, tmp_path: Path) -> None:
    folder = Tiny(tmp_path / "tau2").write(tau2_task())
    done = trialkit("data", "check", "tau2/retail", "--data-dir", str(folder), "--strict")
    assert done.status == 0, done.err
    assert done.out == "tau2/retail: 1 task in base; nothing is off\n"


def test_nothing_to_check(trialkit: Program) -> None:
    named = trialkit("data", "check", "tau2")
    assert named.status == 2
    assert "trialkit data fetch tau2" in named.err
    every = trialkit("data", "check")
    assert every.status == 2
    assert "tau-bench is not checked" in every.err
    assert "there is no content to check" in every.err


def test_a_task_that_cannot_be_read_is_listed_with_the_others(trialkit: Program, tmp_path: Path) -> None:
    good = {"user_id": "ada_1", "instruction": "Say hello.", "actions": [], "outputs": []}
    refund = good | {"actions": [{"name": "refund", "kwargs": {}}]}
    home = str(write_plain(tmp_path / "home", tasks_test=[good, good | {"actions": 3}, refund]))
    done = trialkit("data", "check", "tau-bench/retail", "--data-dir", home)
    assert done.status == 0, done.err
    assert "tau-bench/retail: 3 tasks in test; something is off in 2" in done.out
    assert "  test 1: " in done.out
    assert "actions: Input should be a valid list (found 3)" in done.out
    assert "  test 2: action 0 calls refund, which is not a tool" in done.out
    assert trialkit("data", "check", "tau-bench/retail", "--data-dir", home, "--strict").status == 1
    ran = trialkit("run", "tau-bench/retail", "--agent", "oracle", "--data-dir", home, "--end-index", "2")
    assert ran.status == 0, ran.err
    assert "1 of 2 tasks cannot be read and are left out (1)" in ran.err
    none = trialkit("run", "tau-bench/retail", "--agent", "oracle", "--data-dir", home, "--task-ids", "")
    assert none.status == 2
    assert "--task-ids '': names no task" in none.err
