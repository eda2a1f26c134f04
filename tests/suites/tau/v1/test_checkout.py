"""Content read from a checkout: Python files as literals, never executed."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.shared import shared_path
from tests.suites.tau.domains import NAMES, POLICY, RULES, TABLES, TASKS, TOOLS, load, write_plain
from trialkit.errors import InputError
from trialkit.suites.tau.v1.source import Layout, detect


def camel(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


def task_source(task: dict[str, Any]) -> str:
    actions = ", ".join(f"Action(name={a['name']!r}, kwargs={a['kwargs']!r})" for a in task["actions"])
    rest = "".join(f"{field}={task[field]!r}, " for field in ("user_id", "instruction", "outputs"))
    return f"Task(annotator='0', {rest}actions=[{actions}])"


def write_checkout(folder: Path, domain: str, layout: Layout | None = None, **names: str) -> Path:
    """The repository's own layout, with the tiny shop's content or another layout's; `names` of the task lists."""
    root = folder / "tau_bench" / "envs" / domain
    (root / "tools").mkdir(parents=True)
    (root / "data").mkdir()
    tools = layout.tool_schemas() if layout else TOOLS
    for info in tools:
        name = info["function"]["name"]
        (root / "tools" / f"{name}.py").write_text(
            f"from tau_bench.envs.tool import Tool\n\n\nclass {camel(name)}(Tool):\n    @staticmethod\n"
            f"    def invoke(data, **kwargs):\n        raise SystemExit\n\n    @staticmethod\n"
            f"    def get_info():\n        return {info!r}\n",
            encoding="utf-8",
        )
    imports = "".join(f"from .{info['function']['name']} import {camel(info['function']['name'])}\n" for info in tools)
    listed = ", ".join(camel(info["function"]["name"]) for info in tools)
    (root / "tools" / "__init__.py").write_text(f"{imports}\nALL_TOOLS = [{listed}]\n", encoding="utf-8")
    (root / "rules.py").write_text(f"RULES = {layout.rules() if layout else RULES!r}\n", encoding="utf-8")
    (root / "wiki.md").write_text(layout.policy() if layout else POLICY, encoding="utf-8")
    for split in layout.splits() if layout else ("test",):
        tasks = [vars_of(task) for task in layout.tasks(split)] if layout else TASKS
        body = ",\n    ".join(map(task_source, tasks))
        (root / f"tasks_{split}.py").write_text(
            f"import sys\nfrom tau_bench.types import Action, Task\n\n"
            f"{names.get(split, f'TASKS_{split.upper()}')} = [\n    {body},\n]\nsys.exit('executed')\n",
            encoding="utf-8",
        )
    if layout is None:
        for table, rows in TABLES.items():
            (root / "data" / f"{table}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def vars_of(task: Any) -> dict[str, Any]:
    return {
        "user_id": task.user_id,
        "instruction": task.instruction,
        "actions": list(task.actions),
        "outputs": list(task.outputs),
    }


@pytest.mark.parametrize("name", ["TASKS_TEST", "TASKS", "tasks"])
def test_a_checkout_has_the_same_content_as_plain_files(tmp_path: Path, name: str) -> None:
    plain = load("retail", write_plain(tmp_path / "plain"))
    checkout = load("retail", write_checkout(tmp_path / "checkout", "retail", test=name))
    assert checkout.policy == plain.policy == POLICY
    assert checkout.rules == plain.rules == tuple(RULES)
    assert checkout.tool_schemas == plain.tool_schemas == tuple(TOOLS)
    assert checkout.splits == plain.splits == ("test",)
    assert checkout.tasks("test") == plain.tasks("test")
    assert [vars_of(task) for task in plain.tasks("test")] == TASKS
    assert checkout.open().call("get_order_details", {"order_id": "#W1"}) == json.dumps(TABLES["orders"]["#W1"])


@pytest.mark.parametrize("name", NAMES)
def test_the_real_content_survives_being_written_as_a_checkout(tmp_path: Path, name: str) -> None:
    source = shared_path("tau-bench")
    plain = detect(name, source)
    assert plain is not None
    folder = write_checkout(tmp_path, name, plain, test="TASKS" if name == "airline" else "TASKS_TEST")
    for path in (source / name).glob("*.json"):
        if not path.stem.startswith("tasks_") and path.stem not in {"rules", "tools"}:
            shutil.copy(path, folder / "tau_bench" / "envs" / name / "data")
    checkout = detect(name, folder)
    assert checkout is not None
    assert checkout.policy() == plain.policy()
    assert checkout.rules() == plain.rules()
    assert checkout.tool_schemas() == plain.tool_schemas()
    assert {split: checkout.tasks(split) for split in checkout.splits()} == {
        split: plain.tasks(split) for split in plain.splits()
    }
    assert load(name, folder).open().changed() == {}


def test_an_installed_package_folder_is_a_checkout_too(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path, "retail")
    assert detect("retail", checkout / "tau_bench") == detect("retail", checkout)


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("tasks_test.py", "TASKS = make()", r"line 1: has .make\(\). where a list belongs"),
        ("tasks_test.py", "OTHER = []", r"tasks_test\.py: assigns no TASKS_TEST or TASKS"),
        ("tasks_test.py", "\n\nTASKS = [", r"tasks_test\.py, line 3: is not Python"),
        ("tasks_test.py", "TASKS = \0", r"tasks_test\.py"),
        ("rules.py", "RULES = ['a', 2]", r"rules\.py, line 1: 1: Input should be a valid string \(found 2\)"),
        ("tools/__init__.py", "ALL_TOOLS = [Calculate]", r"__init__\.py, line 1: ALL_TOOLS may only list classes"),
        ("tools/calculate.py", "class Other: ...", r"calculate\.py: has no Calculate\.get_info\(\)"),
        (
            "tools/calculate.py",
            "class Calculate:\n  def get_info(): pass",
            r"line 2: get_info\(\) has to end by returning",
        ),
        (
            "tools/calculate.py",
            "class Calculate:\n  def get_info(): return {}",
            r"line 2: function: Field required \(found {}\)",
        ),
        (
            "tools/calculate.py",
            "class Calculate:\n  def get_info(): return {'function': {'name': 'calculate'}}",
            r"line 2: function → parameters: Field required",
        ),
        ("data/users.json", "[]", r"users\.json: Input should be a valid dictionary \(found \[\]\)"),
        ("data/users.json", '{"u": 1}', r"users\.json: u: Input should be a valid dictionary \(found 1\)"),
        ("data/users.json", '{\n"u": }', r"users\.json:2:6: not JSON: .*; restore the file"),
        ("data/users.json", "[" * 100_000, r"users\.json: nested too deeply"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_place_and_a_fix(
    tmp_path: Path, path: str, text: str, message: str
) -> None:
    folder = write_checkout(tmp_path, "retail")
    (folder / "tau_bench" / "envs" / "retail" / path).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        load("retail", folder).tasks("test")
    assert "trialkit data fetch tau-bench" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TASKS = [\n    Task(instruction=secret())\n]", r"tasks_test\.py, line 2: has .secret\(\)."),
        (
            "TASKS = [\n\n  Task('x', actions=[])]",
            r"tasks_test\.py, line 3: Task\(\.\.\.\) may only have",
        ),
        ("TASKS = [Task(**fields)]", r"line 1: Task\(\.\.\.\) may only have keyword arguments"),
        ("TASKS = [Task(instruction=f'{x}', actions=[])]", r"where a literal belongs"),
        (
            "TASKS = [Task(actions=[Action(name=1, kwargs={})])]",
            r"line 1: actions → 0 → name: Input should be a valid string \(found 1\)",
        ),
        ("TASKS = [Task(actions=[Action(name='a', kwargs={1: 2})])]", r"may only have texts as keys"),
        ("TASKS = [Task(actions=None)]", r"line 1: actions: Input should be a valid list \(found null\)"),
        (
            "TASKS = [Task(actions=[], outputs=[3])]",
            r"line 1: outputs → 0: Input should be a valid string \(found 3\)",
        ),
        ("TASKS = [Task(actions=[], user_id=3)]", r"line 1: user_id: Input should be a valid string \(found 3\)"),
        ("TASKS = [3]", r"line 1: Input should be a valid dictionary \(found 3\)"),
        ("TASKS = [Task(instruction='x')]", r"line 1: actions: Field required \(found {\"instruction\": \"x\"}\)"),
        ("TASKS = [Task(actions=[Action(name='a')])]", r"actions → 0 → kwargs: Field required"),
    ],
)
def test_what_is_wrong_in_a_task_is_listed_with_its_place_and_a_fix(tmp_path: Path, text: str, message: str) -> None:
    folder = write_checkout(tmp_path, "retail")
    good = task_source(TASKS[1])
    (folder / "tau_bench" / "envs" / "retail" / "tasks_test.py").write_text(f"{text[:-1]}, {good}]", encoding="utf-8")
    shop = load("retail", folder)
    assert [task.id for task in shop.tasks("test")] == ["1"]
    ((task_id, (found,)),) = shop.problems("test").items()
    assert task_id == "0"
    assert re.search(message, found)
    assert "trialkit data fetch tau-bench" in found


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    folder = write_checkout(tmp_path, "retail")
    wiki = folder / "tau_bench" / "envs" / "retail" / "wiki.md"
    wiki.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"wiki\.md:1: byte 1 \(0xff\) is not UTF-8; restore the file"):
        load("retail", folder)
    wiki.unlink()
    with pytest.raises(InputError, match=r"wiki\.md: cannot be read: No such file .*restore the file"):
        load("retail", folder)
