"""docs/json-compare.md tells of every key that compare, align, audit, plan, runs and trend print."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.analysis.test_align import labelled
from tests.analysis.test_compare import cases, run, trial
from tests.analysis.test_frontier import table
from tests.e2e.program import Program
from tests.run_files import case, write_run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "json-compare.md"
#: Objects whose keys are names of the user's own: roles, groups of cases, annotators.
NAMED = {"roles", "groups", "annotators", "measures", "prompts"}


def keys(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for item in data:
            yield from keys(item)
    elif isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from keys(list(value.values()) if name in NAMED else value)


def test_the_page_tells_of_every_key(tmp_path: Path) -> None:
    told = set(re.findall(r"`([a-z_]+)`", PAGE.read_text(encoding="utf-8")))
    trialkit = Program(tmp_path)
    trialkit.results.mkdir()
    a, b, c = (
        str(run(trialkit.results / f"{name}.trial", cases(letters), settings={"model": name}))
        for name, letters in (("a", ["pp", "pf"]), ("b", ["pf", "ff"]), ("c", ["ff", "pp"]))
    )
    d = str(labelled(trialkit.results / "d.trial", [("pf", "p"), ("fp", "f"), ("pp", "f"), ("ff", "p")]))
    grouped = str(
        write_run(trialkit.results / "e.trial", [(case(group, group), [trial("p"), trial("f")]) for group in "st"])
    )
    assert trialkit("run", "commodity", "--model", "baseline", "--output-dir", "audited").status == 0
    audited = str(next((tmp_path / "audited").glob("*.trial")))
    tables = [str(table(trialkit.results, name, "pf", 0.1)) for name in "fg"]
    commands = (
        ("compare", a, b),
        ("compare", a, b, c),
        ("compare", grouped, grouped),
        ("compare", *tables),
        ("compare", a, b, "--sequential", "--gate", "--margin", "0.9"),
        ("compare", "--aa", a),
        ("align", d),
        ("audit", "judge", audited),
        ("plan", "commodity", "--detect", "0.1"),
        ("runs",),
        ("trend",),
    )
    for command in commands:
        done = trialkit(*command, "--format", "json")
        assert done.status in {0, 4}, done.err
        assert set(keys(json.loads(done.out))) - told == set(), command
