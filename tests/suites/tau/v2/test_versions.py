"""Two versions of tau2's tasks beside each other: fetched, told apart, and never mixed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import trialkit
from tests.e2e.test_data import Repository
from tests.shared import shared_path
from trialkit.analysis.compare import compare_runs
from trialkit.analysis.loaded import load_run
from trialkit.analysis.summary import summarize
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites import written
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.data import tau2_later
from trialkit.suites.tau.importing import IMPORTER
from trialkit.suites.writing import find_format

FOLDERS = {"data": "data", "src/tau2/domains": "domains"}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, tau2_home: Path, later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both versions are in it."""
    for folder in (tau2_home, later):
        (tmp_path / "cache" / "data").mkdir(parents=True, exist_ok=True)
        (tmp_path / "cache" / "data" / folder.name).symlink_to(folder)
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("TAU2_DATA_DIR", raising=False)


def oracle(folder: Path, domain: str = "airline", **settings: Any) -> Path:
    asked = {"agent": "oracle", "output_dir": folder, "use_cache": False, **settings}
    return trialkit.run(f"tau2/{domain}", **asked).path


def written_as(path: Path, form: str) -> Any:
    with RunFile(path) as run:
        return json.loads(str(written(run, find_format(run, form))))


@pytest.mark.parametrize(
    ("domain", "named", "content"),
    [
        ("airline", None, "tau2@26.3"),
        ("airline", "tau2@1.0.1", "tau2@1.0.1"),
        ("retail", "tau2@26.3", "tau2@26.3"),
        ("retail", "tau2@1.0.1", "tau2@1.0.1"),
        ("telecom", "tau2@26.3", "tau2@1.0.1"),  # the same in both
        ("telecom", "tau2@1.0.1", "tau2@1.0.1"),
    ],
)
def test_a_domain_says_of_which_version_it_is(domain: str, named: str | None, content: str) -> None:
    assert load_domain(f"tau2/{domain}", named).content == content


def test_content_that_somebody_changed_is_of_no_version(tmp_path: Path, tau2_home: Path) -> None:
    own = shutil.copytree(tau2_home, tmp_path / "own")
    policy = own / "tau2/data/tau2/domains/airline/policy.md"
    policy.write_text(policy.read_text() + "Be kind.")
    assert load_domain("tau2/airline", own).content == ""


@pytest.mark.parametrize(
    ("named", "said"),
    [("tau2@9.9", r"there are tau2@26\.3, tau2@1\.0\.1"), ("tau2@1.0.1", r"run `trialkit data fetch tau2@1\.0\.1`")],
)
def test_what_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, said: str) -> None:
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "empty"))
    with pytest.raises(InputError, match=said):
        load_domain("tau2/airline", named)


def test_it_is_fetched_from_its_repository(tmp_path: Path, later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the layout that it has there, beside much that nobody reads."""
    checkout = tmp_path / "checkout"
    shutil.copytree(later / "tau2/data", checkout / "data")
    shutil.copytree(later / "tau2/domains", checkout / "src/tau2/domains")
    (checkout / "LICENSE").write_text("MIT")
    (checkout / "data" / "tau2" / "results").mkdir(parents=True)
    (checkout / "data" / "tau2" / "results" / "run.json").write_text("[]")
    upstream = Repository(checkout, tmp_path / "upstream.git")
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "other"))
    folder = tau2_later.fetch_later(lambda _: None, upstream.url, upstream.commit)
    assert list(tau2_later.faults(folder)) == []
    assert not (folder / "data/tau2/results").exists()
    assert load_domain("tau2/retail", "tau2@1.0.1").content == "tau2@1.0.1"


def test_another_content_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tau2_home: Path) -> None:
    tasks = tmp_path / "tasks"
    for domain in ("airline", "retail"):
        shutil.copytree(shared_path("tau2-1.0.1", domain), tasks / domain)
    cache = tmp_path / "fresh" / "data"
    cache.mkdir(parents=True)
    (cache / tau2_home.name).symlink_to(tau2_home)
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(cache.parent))
    changed = tasks / "retail" / "tasks.json"
    changed.chmod(0o644)
    changed.write_text(changed.read_text() + " ")
    with pytest.raises(InputError, match=r"retail/tasks.json has the SHA-256 .* nothing was kept"):
        tau2_later.fetch_later(lambda _: None, str(tasks))
    changed.unlink()
    with pytest.raises(InputError, match=r"no retail/tasks\.json there"):
        tau2_later.fetch_later(lambda _: None, str(tasks))
    assert [path.name for path in cache.iterdir()] == [tau2_home.name]


def test_runs_of_two_versions_stay_apart(tmp_path: Path) -> None:
    older, newer = oracle(tmp_path / "a"), oracle(tmp_path / "b", data_dir="tau2@1.0.1")
    assert "-tau2-airline-26.3-oracle" in older.name
    assert "-tau2-airline-1.0.1-oracle" in newer.name
    with RunFile(newer) as run:
        assert run.info().called(()) == "oracle · tau2@1.0.1"
    with pytest.raises(InputError, match=r"is of tau2@26\.3, .* of tau2@1\.0\.1: their tasks differ"):
        compare_runs(load_run(older), load_run(newer))
    titles = []
    for path in (older, newer):
        with RunFile(path) as run:
            tables = summarize(run).details.tables
            titles.append([table.title for table in tables if "ublished" in table.title or "Leader" in table.title])
    apart = "Published on other tasks (tau2@1.0.1, split base): not to be compared"
    assert titles == [["Leaderboard: tau2/airline", apart], ["Leaderboard: tau2/airline"]]


def test_published_rows_are_of_the_base_split(tmp_path: Path) -> None:
    path = oracle(tmp_path, data_dir="tau2@1.0.1", task_split="test")
    with RunFile(path) as run:
        assert any(table.title.startswith("Published on other") for table in summarize(run).details.tables)


def test_tasks_that_count_assertions_need_a_judge(tmp_path: Path) -> None:
    path = oracle(tmp_path, "retail", data_dir="tau2@1.0.1")
    with RunFile(path) as run:
        outcomes = [row.outcome for row in run.trials()]
        errors = [row.decided.critique for row in run.trials() if row.outcome == "error" and row.decided]
    assert (outcomes.count("pass"), outcomes.count("error")) == (74, 40)
    assert all("no --judge-model was given" in why for why in errors)


def test_an_entry_of_the_leaderboard_says_what_it_lacks(tmp_path: Path) -> None:
    path = oracle(tmp_path, data_dir="tau2@1.0.1", trials=4, user_model="openai/gpt-5.2")
    entry = written_as(path, "tau2-submission")
    assert entry["results"]["airline"] == {f"pass_{k}": 100.0 for k in (1, 2, 3, 4)} | {"cost": 0.0}
    assert (entry["methodology"]["tau2_bench_version"], entry["submission_type"]) == ("1.0.1", "custom")
    assert [line.partition(":")[0] for line in entry["trialkit"]["missing"]] == [
        "model_organization",
        "submitting_organization",
        "contact_info",
        "user_simulator",
    ]
    tasks = json.loads(shared_path("tau2-1.0.1", "airline", "tasks.json").read_text())
    assert {task["id"]: task for task in written_as(path, "tau2")["tasks"]} == {task["id"]: task for task in tasks}


def test_an_entry_of_a_few_older_tasks_lacks_more(tmp_path: Path) -> None:
    path = oracle(tmp_path, task_ids="1,2,3")
    missing = "\n".join(written_as(path, "tau2-submission")["trialkit"]["missing"])
    assert "the tasks are those of tau2 26.3, the leaderboard's are of 1.0.1" in missing
    assert "47 of the 50 tasks of the base split were not run" in missing
    assert "4 trials of each task are asked for, there are 1" in missing


def test_an_imported_run_is_of_the_version_whose_tasks_it_has(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    with RunFile(oracle(tmp_path, data_dir="tau2@1.0.1", task_ids="2,9")) as run:
        results.write_text(str(written(run, find_format(run, "tau2"))))
    found = IMPORTER.read(results, None, IMPORTER.settings.model_validate({}))
    assert found.header.versions["content"] == "tau2@1.0.1"
