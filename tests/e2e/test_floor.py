"""`trialkit audit SUITE`: what a benchmark cannot see."""

from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.suites.tau.v2.tiny import Tiny

BLIND = """
prompt: "{{ q }}"
judges: {long: {regex: ".*"}}
cases: [{id: a, q: "Why?"}, {id: b, q: "How?"}]
"""


def test_what_a_file_cannot_see_is_listed(trialkit: Program) -> None:
    (trialkit.folder / "blind.yaml").write_text(BLIND)
    done = trialkit("audit", "blind.yaml", "--format", "md")
    assert done.status == 0, done.err
    assert "2 of 2 cases give a verdict that they should not" in done.out
    assert "| an empty answer is given | fail | 2/2 | a b |" in done.out
    assert done.out.count("passes though an empty answer is given") == 1
    assert "2 cases: passes though an empty answer is given" in done.out
    assert trialkit("audit", "blind.yaml", "--fail-if-blind").status == 1


def test_a_benchmark_is_audited_without_a_model(trialkit: Program, tmp_path: Path) -> None:
    folder = Tiny(tmp_path / "content").write()
    done = trialkit("audit", "tau2/retail", "--data-dir", str(folder), "--format", "md")
    assert done.status == 0, done.err
    assert "all 1 case give" in done.out or "1 case" in done.out
    assert "| nothing is done | fail | 0/1 |" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["judge"], "Missing argument 'RUN'"),
        (["tau2/nowhere"], "there is no suite 'tau2/nowhere'"),
        (["commodity"], "knows no answers that need no model"),
    ],
)
def test_what_cannot_be_audited_is_told_in_a_line(trialkit: Program, words: list[str], said: str) -> None:
    done = trialkit("audit", *words)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
