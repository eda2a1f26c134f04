import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.e2e.program import Program, Result

#: Runs a suite whose model gives these replies, a case's or one for all of its trials.
Run = Callable[..., Result]


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    """With the suites installed as a package of somebody else's would be."""
    program = Program(tmp_path)
    info = tmp_path / "site" / "score_suites-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: score-suites\nVersion: 1\n")
    points = "".join(f"{name.lower()} = score_suites:{name}\n" for name in ("Quality", "Stars", "Latency"))
    points += "place/here = score_suites:Place\n"
    (info / "entry_points.txt").write_text(f"[trialkit.suites]\n{points}")
    program.env["PYTHONPATH"] = os.pathsep.join(map(str, (info.parent, Path(__file__).parent)))
    return program


@pytest.fixture
def run(trialkit: Program) -> Run:
    def run(suite: str, replies: Sequence[str | Sequence[str]], *more: str, name: str = "model") -> Result:
        entries = [
            {"when": f"Question {n}, trial {trial}\\.", "text": text}
            for n, told in enumerate(replies, start=1)
            for trial, text in enumerate([told] if isinstance(told, str) else told, start=1)
        ]
        script = trialkit.folder / f"{name}.json"
        script.write_text(json.dumps({"replies": entries}))
        return trialkit("run", suite, "--model", f"scripted:{script}", "--number", str(len(replies)), *more)

    return run
