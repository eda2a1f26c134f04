"""What the pages for contributors promise: their diffs, sizes and file names are those of the tree."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRIBUTING = (ROOT / "docs" / "contributing.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
SIZES = re.findall(r"\]\(\.\./([^)]+)\) \(at most (\d+) lines\)", CONTRIBUTING)
DIFFS = re.findall(r"^```diff\n(.*?)^```", CONTRIBUTING, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("path", "most"), SIZES)
def test_an_example_is_as_short_as_promised(path: str, most: str) -> None:
    assert len((ROOT / path).read_text().splitlines()) <= int(most)


def test_other_pages_tell_the_sizes_of_examples_as_they_are() -> None:
    pages = "\n".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    told = re.findall(r"\]\(\.\./(examples/[^)]+)\) is a whole [^.]*? in (\d+) lines", pages)
    assert len(told) == 4
    for folder, lines in told:
        (module,) = (ROOT / folder).glob("*.py")
        assert int(lines) - 5 <= len(module.read_text().splitlines()) <= int(lines)


def test_the_sizes_that_matter_are_promised() -> None:
    promised = {path.rpartition("/")[2]: int(most) for path, most in SIZES}
    assert promised["summaries_suite.py"] <= 40
    assert promised["bedrock_protocol.py"] <= 150


@pytest.mark.parametrize("diff", DIFFS)
def test_a_diff_is_kept_by_a_test_or_stands_in_the_tree(diff: str) -> None:
    if diff in {kept.read_text() for kept in (ROOT / "tests").rglob("*.diff")}:
        return
    changed = re.search(r"^\+\+\+ b/(.*)$", diff, re.MULTILINE)
    assert changed
    lines = (ROOT / changed[1]).read_text().splitlines()
    wanted = [line[1:] for line in diff.splitlines() if re.match(r"[+ ](?!\+\+)", line)]
    assert set(wanted) <= set(lines)
    assert any(line.startswith("+") for line in diff.splitlines()[2:])


def test_each_room_is_in_the_architecture() -> None:
    source = ROOT / "src" / "trialkit"
    rooms = {path.stem for path in source.iterdir() if path.is_dir() or path.suffix == ".py"}
    missing = {room for room in rooms if not room.startswith("__") and f"`{room}`" not in ARCHITECTURE}
    assert missing <= {"plugins", "paths"}  # which stand in the picture


def test_the_files_on_the_way_of_a_trial_are_there() -> None:
    """A folder stands beside the name of its room."""
    named = set(re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", ARCHITECTURE))
    source = ROOT / "src" / "trialkit"
    places = (ROOT, source, *filter(Path.is_dir, source.iterdir()))
    assert len(named) > 15
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()
