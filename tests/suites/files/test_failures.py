"""What kind of failure a trial is, as the viewer counts them."""

from collections import Counter

import pytest

from tests.suites.files.here import Here
from trialkit.analysis.kinds import kinds_of
from trialkit.analysis.summary import outline
from trialkit.runfile import RunFile

SUITE = """\
cases:
  - {id: a, text: sun, team: red, wanted: light}
  - {id: b, text: sun, team: blue, wanted: heat}
  - {id: c, text: moon, team: red, wanted: night}
baseline: answers.py:answer
judges:
"""
ANSWER = """
def answer(case):
    return {"sun": "red, of course", "moon": "I do not know"}[case["text"]]
"""


@pytest.mark.parametrize(
    ("judges", "kinds"),
    [
        ("  team: {label: '{{ team }}', classes: [red, blue]}", {"red, not blue": 1, "no class, not red": 1}),
        ("  both: {contains: [red, know]}\n  sure: {contains: course}", {"both": 2, "both, sure": 1}),
        ("  says: {contains: [of course, sorry]}", {"sorry": 2, "of course": 1}),
        ("  says: {contains: '{{ wanted }}'}", {}),  # of each case something else
    ],
)
def test_failures_are_of_a_kind_that_trials_share(judges: str, kinds: dict[str, int], here: Here) -> None:
    here.write(suite_yaml=SUITE + judges, answers_py=ANSWER)
    assert here("run", "suite.yaml", "--model", "baseline").status == 0
    with RunFile(here.folder / here.last_run()) as run:
        assert Counter(kinds_of(outline(run)).values()) == kinds
