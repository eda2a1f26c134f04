"""The house: what may import what, what a package offers, and how large things are."""

import ast
import functools
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "trialkit"
#: Room → the rooms that it may know. Those of one line know each other only as it says here.
GROUND = {"code", "doors", "vocabulary", "errors", "stats", "text", "paths", "plugins", "settings"}
FIRST = {"models", "runfile", "pages"}
SECOND = {"judges", "dialogue", "agents"}
KNOWS = {
    "code": {"errors"},
    "doors": set(),
    "vocabulary": set(),
    "stats": {"doors"},
    "paths": set(),
    "settings": {"errors", "paths", "text", "vocabulary"},
    "errors": {"vocabulary"},
    "plugins": {"errors"},
    "text": {"errors", "vocabulary"},
    "models": GROUND - {"code", "settings", "stats"},
    "runfile": GROUND - {"code", "settings", "stats"} | {"models"},
    "pages": {"doors", "stats", "text", "vocabulary"},
    "judges": {"code", "errors", "models", "text", "vocabulary"},
    "dialogue": {"doors", "errors", "models", "text"},
    "agents": {"code", "dialogue", "errors", "models", "paths", "plugins", "text"},
    "suites": GROUND | FIRST | SECOND | {"__init__"},
    "engine": GROUND | {"models", "runfile", "suites", "__init__"},
    "analysis": GROUND | {"dialogue", "models", "runfile", "pages", "suites", "engine"},
    "neighbours": GROUND | {"models", "runfile", "pages", "suites", "engine"},
    "cli": GROUND | FIRST | SECOND | {"suites", "engine", "analysis", "neighbours", "web", "__init__"},
    "web": GROUND | FIRST | {"suites", "engine", "analysis", "neighbours", "__init__"},
    "api": GROUND | FIRST | {"suites", "engine", "analysis"},
    "__main__": {"cli"},
}
#: Whose names stand in none of the house: they come in by an entry point.
NAMED_NOWHERE = ("trialkit.suites.commodity", "trialkit.suites.tau")
#: Rooms that the house enters by their modules, each to be loaded by itself; a door there is for other packages.
OPEN = {"trialkit.text", "trialkit.neighbours", "trialkit.analysis"}
#: Modules that others may load by themselves, because what is in them is rarely wanted.
SIDE_DOORS = {"trialkit.models.prices", "trialkit.pages.html", "trialkit.agents.text"}
#: Classes of the benchmarks' own data and files, named as they name them.
TAUS_ROWS = re.compile(r"suites/tau/(v2/\w+/rows|v1/content|importing/tau(2|_bench)).py")
#: A program of its own, which knows nothing of trialkit.
WORKER = "agents/fastworkflow/worker/"
#: Who reads files in another way than by `text.files`: that itself, and what reads no file that a user names.
READERS = {
    "text/files.py",
    "runfile/schema.py",
    "pages/html.py",
    "web/render.py",
    "suites/commodity/__init__.py",
    "suites/commodity/mentions.py",
    "suites/files/starting.py",
    "models/listing.py",
    "models/prices.py",
    "agents/fastworkflow/train.py",
    "agents/outside/supervisor.py",
    "suites/tau/data/tau2.py",
    "suites/tau/data/tau_bench.py",
}
METHODS_THAT_READ = {"read_text", "read_bytes"}
LONGEST_MODULE = 300
LONGEST_FUNCTION = 50
#: In 1,000 lines.
MOST_ANY = 10

#: Files for users to go on from, which are no part of the program.
STARTERS = SOURCE / "suites" / "files" / "starters"
MODULES = {
    path.relative_to(SOURCE).as_posix(): path
    for path in sorted(SOURCE.rglob("*.py"))
    if not path.is_relative_to(STARTERS)
}


@functools.cache
def tree_of(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text())


def package_of(name: str) -> list[str]:
    """The package that a file's relative imports start from."""
    return ["trialkit", *name.split("/")[:-1]]


@functools.cache
def imports_of(name: str, text: str = "") -> list[str]:
    """Whatever a file imports of ours, wherever in it, in full; of `from a import b` both `a` and `a.b`."""
    return [
        one
        for one in _imported(name, ast.parse(text) if text else tree_of(name))
        if one == "trialkit" or one.startswith("trialkit.")
    ]


def _imported(name: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            here = package_of(name)
            base = here[: len(here) + 1 - node.level] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            yield from (module, *(f"{module}.{alias.name}" for alias in node.names))


def room_of(imported: str) -> str:
    """The first step below the top; what the top itself gives, such as its version, is of `__init__`."""
    step = imported.split(".")[1] if "." in imported else ""
    return step if step in KNOWS else "__init__"


def test_every_room_has_its_place() -> None:
    rooms = {name.partition("/")[0].removesuffix(".py") for name in MODULES}
    assert rooms - {"__init__"} <= KNOWS.keys()


def test_no_module_is_hidden() -> None:
    """What is private is what stands in no door."""
    assert {name for name in MODULES if re.match(r"_(?!_(init|main)__)", name.rpartition("/")[2])} == set()


@pytest.mark.parametrize("room", KNOWS)
def test_imports_point_one_way(room: str) -> None:
    wrong = {
        f"{name} imports {imported}"
        for name in MODULES
        if name.partition("/")[0].removesuffix(".py") == room
        for imported in imports_of(name)
        if imported != "trialkit" and room_of(imported) not in KNOWS[room] | {room}
    }
    assert wrong == set()


def test_relative_imports_are_seen() -> None:
    """The test of the tests: one that climbs out of its package is resolved."""
    probe = "from ..cli import main\nfrom .budget import Budget\nfrom .. import suites"
    assert set(imports_of("engine/probe.py", probe)) == {
        "trialkit.cli",
        "trialkit.cli.main",
        "trialkit.engine.budget",
        "trialkit.engine.budget.Budget",
        "trialkit",
        "trialkit.suites",
    }


def test_no_suite_is_known_by_name() -> None:
    wrong = {
        name
        for name in MODULES
        if not name.startswith("suites/")
        for imported in imports_of(name)
        if imported.startswith(NAMED_NOWHERE)
    }
    assert wrong == set()


@pytest.mark.parametrize("room", ["analysis", "api", "cli", "engine", "neighbours", "web"])
def test_no_suite_is_spoken_of(room: str) -> None:
    """Neither in a help text nor in a comment: what is said of a suite, it says itself."""
    texts = (path.read_text() for name, path in MODULES.items() if re.match(rf"{room}\b", name))
    assert {word for text in texts for word in re.findall(r"tau2?\b|tau-bench|commodity", text)} == set()


def doors() -> list[str]:
    packages = [".".join(package_of(name)) for name in MODULES if name.endswith("/__init__.py")]
    return [package for package in packages if "__all__" in vars(importlib.import_module(package))]


def test_every_room_has_a_door() -> None:
    rooms = {f"trialkit.{name.partition('/')[0]}" for name in MODULES if "/" in name}
    assert rooms - set(doors()) - OPEN == {"trialkit.cli"}  # which nobody comes in by


@pytest.mark.parametrize("package", doors())
def test_what_a_package_offers_is_what_others_use(package: str) -> None:
    """Public names stand in `__all__`; from another room nobody reaches past them into a module."""
    module = importlib.import_module(package)
    assert len(module.__all__) == len(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)
    folder = package.removeprefix("trialkit").lstrip(".").replace(".", "/")
    inside = {f"{package}.{path.stem}" for path in (SOURCE / folder).glob("*.py")} - SIDE_DOORS
    inside -= {f"{package}.{name}" for name in module.__all__}
    wrong = {
        name
        for name in MODULES
        if folder and package not in OPEN and name.partition("/")[0] != folder.partition("/")[0]
        for imported in imports_of(name)
        if imported in inside
    }
    assert wrong == set()


def types_of(name: str) -> Iterator[str]:
    """The names that a file gives to classes and, at its top, to types such as `Phase = Literal[…]`."""
    yield from (node.name for node in ast.walk(tree_of(name)) if isinstance(node, ast.ClassDef))
    for node in tree_of(name).body:
        if isinstance(node, ast.Assign):
            given = [target.id for target in node.targets if isinstance(target, ast.Name)]
            yield from (one for one in given if re.fullmatch(r"[A-Z]\w*[a-z]\w*", one))


def test_one_name_is_one_type() -> None:
    places = defaultdict(set)
    for name in (name for name in MODULES if not TAUS_ROWS.fullmatch(name) and not name.startswith(WORKER)):
        for found in types_of(name):
            places[found.lstrip("_")].add(name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_users_file_is_read_in_one_way() -> None:
    """By `text.files`, which refuses what is no file, or too large."""
    calls = {(name, node.func) for name in MODULES for node in ast.walk(tree_of(name)) if isinstance(node, ast.Call)}
    readers = {name for name, called in calls if isinstance(called, ast.Name) and called.id == "open"}
    readers |= {
        name for name, called in calls if isinstance(called, ast.Attribute) and called.attr in METHODS_THAT_READ
    }
    assert readers == READERS


def test_modules_and_functions_can_be_taken_in() -> None:
    long = {name for name, path in MODULES.items() if len(path.read_text().splitlines()) > LONGEST_MODULE}
    long |= {
        f"{name} {node.name}"
        for name in MODULES
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    }
    assert long == set()


def test_any_is_rare() -> None:
    """Counted outside of import lines: it stands where JSON comes in, and nowhere else."""
    count = lines = 0
    for name, path in MODULES.items():
        text = path.read_text().splitlines()
        nodes = [node for node in ast.walk(tree_of(name)) if isinstance(node, ast.Import | ast.ImportFrom)]
        imports = {line for node in nodes for line in range(node.lineno, (node.end_lineno or 0) + 1)}
        told = (line for number, line in enumerate(text, start=1) if number not in imports)
        count += sum(len(re.findall(r"\bAny\b", line)) for line in told)
        lines += len(text)
    assert 1000 * count / lines <= MOST_ANY, f"{count} in {lines} lines"
