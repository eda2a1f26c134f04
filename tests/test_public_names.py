"""The public names: all of them at the top, loaded late, documented, and enough for whoever adds something."""

import ast
import inspect
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

import trialkit

ROOT = Path(__file__).resolve().parents[1]
#: Those that other packages subclass, implement or make.
EXTENDED = ("Suite", "Runner", "Format", "ModelJudge", "Environment", "Agent", "User", "Protocol")
#: Shapes that what is public has: a `Trial` is an `Asker`, and a `Peer` is made by the engine.
SHAPES = {"Asker", "Peer"}
#: What examples take from below the top, since few need it.
BELOW = {"trialkit.models.protocols", "trialkit.pages", "trialkit.analysis", "trialkit.text.json"}


def test_each_name_is_there_and_sorted() -> None:
    def by_kind(name: str) -> tuple[bool, bool, str]:
        """Constants, classes, the rest: the order that ruff holds."""
        return not name.isupper(), not name[0].isupper(), name

    assert trialkit.__all__ == sorted(set(trialkit.__all__), key=by_kind)
    assert all(getattr(trialkit, name) is not None for name in trialkit.__all__)
    assert dir(trialkit) == sorted(trialkit.__all__)


def test_what_a_type_checker_sees_is_what_is_there() -> None:
    tree = ast.parse(Path(trialkit.__file__).read_text())
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    late = {name: home for home, names in vars(trialkit)["_HOMES"].items() for name in names.split()}
    assert seen == late
    assert seen.keys() | {"__version__"} == set(trialkit.__all__)


def test_each_name_stands_once_in_the_reference() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", (ROOT / "docs" / "reference.md").read_text(), re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(trialkit.__all__)
    assert all(len(told) > 10 for _, told in rows)


def of_trialkit(annotation: object) -> Iterator[str]:
    """The classes of ours in an annotation."""
    if isinstance(annotation, type) and annotation.__module__.startswith("trialkit."):
        yield annotation.__name__
    for part in typing.get_args(annotation):
        for one in part if isinstance(part, list) else [part]:
            yield from of_trialkit(one)


@pytest.mark.parametrize("name", EXTENDED)
def test_what_an_extension_is_given_and_gives_is_public(name: str) -> None:
    thing = getattr(trialkit, name)
    methods = [value for key, value in inspect.getmembers(thing, inspect.isfunction) if not key.startswith("_")]
    hints = [annotation for one in (thing, *methods) for annotation in typing.get_type_hints(one).values()]
    assert {found for annotation in hints for found in of_trialkit(annotation)} - set(trialkit.__all__) <= SHAPES


def test_the_examples_take_from_the_top_what_is_there() -> None:
    for path in (ROOT / "examples").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trialkit."):
                taken = {alias.name for alias in node.names}
                assert node.module in BELOW, f"{path.name} imports from {node.module}"
                assert not taken & set(trialkit.__all__), f"{path.name} takes {taken} from {node.module}"


def test_importing_it_loads_nothing_else() -> None:
    code = "import sys, trialkit; print([name for name in sys.modules if name.startswith('trialkit.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
