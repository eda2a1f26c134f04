"""The house: what may import what, and what a package offers."""

import ast
import importlib
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "trialkit"
#: Package → the packages that it must not know.
FORBIDDEN = {
    "stats": {"suites", "engine", "analysis", "neighbours", "cli", "web", "runfile", "models", "agents", "pages"},
    "pages": {"suites", "engine", "analysis", "neighbours", "cli", "web", "runfile", "models", "agents"},
    "models": {"suites", "engine", "analysis", "neighbours", "cli", "web", "runfile", "agents", "stats", "pages"},
    "runfile": {"suites", "engine", "analysis", "neighbours", "cli", "web", "agents", "stats", "pages"},
    "judges": {"suites", "engine", "analysis", "neighbours", "cli", "web", "runfile", "agents"},
    "suites": {"engine", "analysis", "neighbours", "cli", "web"},
    "agents": {"suites", "runfile", "engine", "analysis", "neighbours", "cli", "web"},
    "dialogue": {"agents", "suites", "runfile", "engine", "analysis", "neighbours", "stats", "pages", "cli", "web"},
    "engine": {"analysis", "neighbours", "cli", "web"},
    "analysis": {"engine", "agents", "neighbours", "cli", "web"},
    "neighbours": {"agents", "analysis", "cli", "web"},
}
#: Modules that others may load by themselves, because what is in them is rarely wanted.
OPEN = {"models": {"prices"}}
#: The engine knows what a suite is, but none by name.
SUITES = {"commodity", "tau"}


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("trialkit.")}


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_point_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in (SOURCE / package).rglob("*.py")
        for name in imports_of(path)
        if name.split(".")[1] in FORBIDDEN[package]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["engine", "stats", "runfile", "models"])
def test_no_suite_is_known_by_name(package: str) -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in (SOURCE / package).rglob("*.py")
        for name in imports_of(path)
        if name.startswith("trialkit.suites.") and name.split(".")[2] in SUITES
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["analysis", "dialogue", "engine", "judges", "models", "pages", "runfile", "stats"])
def test_what_a_package_offers_is_what_others_use(package: str) -> None:
    """Public names stand in `__all__`; from outside nobody reaches past them into a module."""
    module = importlib.import_module(f"trialkit.{package}")
    assert sorted(module.__all__) == sorted(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)
    rooms = {path.stem for path in (SOURCE / package).glob("*.py")} - set(module.__all__) - OPEN.get(package, set())
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] != package
        for name in imports_of(path)
        if name.startswith(f"trialkit.{package}.") and name.split(".")[2] in rooms
    ]
    assert wrong == []
