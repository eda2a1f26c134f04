"""A suite in a file on trial: no answer, always the same one, and the truth with a call too few or too many."""

from pathlib import Path

import pytest

from trialkit.engine import Floor, blocking, probe_suite
from trialkit.errors import InputError
from trialkit.suites import get_suite

WORLD = """
class Shop:
    orders = {"1": "open", "2": "open"}
    def look(self, order: str) -> str:
        return self.orders[order]
    def cancel(self, order: str) -> str:
        self.orders[order] = "cancelled"
        return "done"
"""
TALK = """
system: "Be kind."
environment: shop.py:Shop
user: {goal: "{{ goal }}"}
judges: {left: {JUDGE}}
cases:
  - {id: one, goal: "Cancel 1.", calls: [{look: {order: "1"}}, {cancel: {order: "1"}}]}
  - {id: two, goal: "Cancel 2.", calls: [{cancel: {order: "2"}}]}
  - {id: none, goal: "Cancel 9, which is none.", calls: []}
"""


def audited(folder: Path, text: str) -> Floor:
    (folder / "shop.py").write_text(WORLD)
    (folder / "suite.yaml").write_text(text)
    suite = get_suite(str(folder / "suite.yaml"))
    return blocking(probe_suite(suite, suite.settings.model_validate({"model": "scripted"})))


def passes(floor: Floor) -> dict[str, str]:
    """By what is done, the cases that pass."""
    names = dict.fromkeys(one.probe.name for one in floor.probed)
    return {
        name: " ".join(one.case.id for one in floor.probed if one.probe.name == name and one.verdict.outcome == "pass")
        for name in names
    }


def test_answers_that_are_always_the_same(tmp_path: Path) -> None:
    text = """
prompt: "Sort: {{ text }}"
judges: {team: {label: "{{ team }}"}}
cases:
  - {id: a, text: x, team: red}
  - {id: b, text: y, team: red}
  - {id: c, text: z, team: blue}
"""
    assert passes(audited(tmp_path, text)) == {
        "an empty answer is given": "",
        'the answer is always "red"': "a b",
        'the answer is always "blue"': "c",
    }


def test_an_environment_that_is_judged_by_its_state(tmp_path: Path) -> None:
    floor = audited(tmp_path, TALK.replace("JUDGE", 'state: {after: "{{ calls }}"}'))
    assert passes(floor) == {
        "nothing is done": "none",
        "the ground truth is done": "one two none",
        "one write of the ground truth is left out": "",
        "an unrelated write is added to the ground truth": "",
    }
    assert [one.case.id for one in floor.probed if one.unlike] == ["none"]
    left = [one.probe.what for one in floor.probed if one.probe.name == "one write of the ground truth is left out"]
    assert left == ['cancel({"order": "1"})', 'cancel({"order": "2"})']  # what only reads may be left out


def test_a_judge_that_looks_away_is_found_out(tmp_path: Path) -> None:
    """It reads what was said, and not what was done."""
    floor = audited(tmp_path, TALK.replace("JUDGE", "matches: .").replace("matches", "regex"))
    assert {one.case.id for one in floor.probed if one.unlike} == {"one", "two", "none"}


def test_what_only_a_model_can_judge_is_left_open(tmp_path: Path) -> None:
    text = 'prompt: "{{ q }}"\njudges: {kind: {model: "Is it kind?"}}\ncases: [{id: a, q: Hello}]\n'
    (one,) = audited(tmp_path, text).probed
    assert (one.verdict.outcome, one.unlike) == ("error", False)
    assert "an audit asks no model" in one.verdict.critique


def test_a_suite_without_such_answers_says_so() -> None:
    suite = get_suite("commodity")
    with pytest.raises(InputError, match="knows no answers that need no model"):
        blocking(probe_suite(suite, suite.settings.model_validate({"model": "baseline"})))
