"""What a case costs: calls of functions, which are the same on any machine, however busy. Time is for benchmarks/."""

import csv
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from trialkit.cli.finish import session
from trialkit.engine import start_run
from trialkit.suites import get_suite

ROOT = Path(__file__).resolve().parents[2]
SOURCE = str(ROOT / "src")
#: Calls of our functions, and by them of C, that one more case takes from the golden CSV to the results CSV: one model
#: call, the rules as judge. Where it falls for good, write the new number.
CALLS_A_CASE = 1120
LOSS = 1.2
FEW, MANY = 20, 100


class Counted:
    calls = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event in {"call", "c_call"} and frame.f_code.co_filename.startswith(SOURCE):
            self.calls += 1


@contextmanager
def counting() -> Iterator[Counted]:
    counted = Counted()
    threading.setprofile(counted)
    sys.setprofile(counted)
    try:
        yield counted
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def url() -> Iterator[str]:
    server = subprocess.Popen([sys.executable, "-m", "tests.server"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.communicate()


def write_golden(path: Path, cases: int) -> None:
    truth = {"commodity_code": "CORN", "expected_condition": "below", "price_min": 3.8, "price_max": 4.25}
    price = {"commodity_code": "CORN", "price": 4.25}
    names = "Scenario ID,Description,User Name,Positions JSON,Prices JSON,Eval Type,Ground Truth"
    rest = "Model Response,Model Critique,Model Outcome,Human Critique,Human Outcome"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*names.split(","), *rest.split(",")])
        for number in range(cases):
            position = {"commodity_code": "CORN", "direction": "long", "volume": 1000 + number, "entry_price": 4.5}
            cells = [json.dumps(one) for one in ([position], [price])]
            rows.writerow([f"B{number}", "a long position", "Alice", *cells, "strict", json.dumps(truth), *[""] * 5])


def calls(folder: Path, url: str, cases: int) -> int:
    golden = folder / f"{cases}.csv"
    write_golden(golden, cases)
    suite = get_suite("commodity")
    settings = suite.settings.model_validate(
        {
            "csv": golden,
            "model": "openai/any",
            "api_base": f"{url}/v1",
            "judge": "rules",
            "max_concurrency": 20,
            "output_dir": folder / "results",
        }
    )
    with counting() as counted:
        assert session(partial(start_run, suite, settings)) == 0
    return counted.calls


def test_a_case_costs_no_more_calls_than_it_did(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    calls(tmp_path, url, 1)  # what is made once
    few, many = (calls(tmp_path, url, cases) for cases in (FEW, MANY))
    assert f"all {MANY} cases passed" in capsys.readouterr().out
    each = (many - few) / (MANY - FEW)
    assert each < CALLS_A_CASE * LOSS, f"{each:.0f} calls a case"
    assert each > CALLS_A_CASE / 2, f"{each:.0f} calls a case: write that number above"
