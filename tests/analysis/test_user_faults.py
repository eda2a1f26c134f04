"""The simulated user on trial, in the reports of whichever suite: shares, figures without it, and the steps."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.schema import Report
from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.run_formats import console_report
from trialkit.analysis.run_json import json_report
from trialkit.analysis.show import trials_page
from trialkit.analysis.summary import summarize
from trialkit.pages import write_page
from trialkit.runfile import Event, ModelInUse, RunFile, TrialRecord
from trialkit.vocabulary import Outcome

GOAL = "You are Ada, card number L-10001. You want to keep The Salt Road for longer."
USER = ModelInUse(role="user", name="openai/u", endpoint="http://u", key="u")
LINES = {
    "sound": ("Keep my book, please.", "Your card number?", "L-10001", "Done.", "Thanks. ###STOP###"),
    "invented": ("Keep my book, please.", "Your card number?", "L-98765", "I do not know it.", "Bye. ###STOP###"),
    "left": ("Card L-10001, keep my book.", "Until May 2. Do you confirm?", "Yes, please. ###STOP###"),
    "repeated": ("Keep my book for a longer time, please.", "Sorry?", "Keep my book for a longer time, please."),
}


def trial(outcome: Outcome, lines: str) -> TrialRecord:
    messages = [
        {"role": ("assistant" if place % 2 else "user"), "content": text} for place, text in enumerate(LINES[lines])
    ]
    events = tuple(Event(kind="message", data={"role": one["role"], "text": one["content"]}) for one in messages)
    return replace(ended(verdict(outcome), output={"end": "user_stop", "messages": messages}), events=events)


def written(folder: Path, *cases: list[TrialRecord], **more: Any) -> Path:
    found = [(case(str(number), goal=GOAL), trials) for number, trials in enumerate(cases)]
    return write_run(folder / "r.trial", found, **{"models": [USER], **more})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(
        tmp_path,
        [trial("pass", "sound"), trial("fail", "left")],
        [trial("fail", "invented"), trial("fail", "sound")],
        [trial("pass", "invented"), trial("fail", "repeated")],
    )


def test_the_share_of_failures_and_the_figures_without(path: Path) -> None:
    with RunFile(path) as run:
        user = summarize(run).user
    assert user is not None
    assert user.at_fault is not None
    assert [one.value for one in (user.at_fault, user.every, user.without)] == pytest.approx([0.5, 1 / 3, 1 / 3])
    assert [one.n for one in (user.at_fault, user.every, user.without)] == [4, 6, 3]  # a weak fault leaves none out
    assert {kind: figure.value for kind, figure in user.failures.items()} == pytest.approx(
        {"ended_early": 1 / 3, "invented": 0.5 / 3, "repeated": 1 / 3}
    )


def test_reports_tell_it_with_the_step(path: Path) -> None:
    with RunFile(path) as run:
        report = json.loads(json_report(run))
        page = console_report(run)
        shown = write_page(trials_page(run, "1/1", None, None), "console")
    Report.model_validate(report)
    told = report["cases"][1]["trials"][0]["user_faults"]
    assert [(one["kind"], one["step"], one["weak"], one["quote"]) for one in told] == [
        ("invented", 3, False, "L-98765")
    ]
    assert report["metrics"]["simulated_user"]["failures_at_fault"]["n"] == 4
    assert "left before what it agreed to was done" in page
    assert "A detector's view" in page
    assert "the user at fault (invented, step 3): the user gives the id L-98765, which nobody gave it" in " ".join(
        shown.split()
    )


def test_trials_whose_user_is_at_fault_can_be_walked_through(path: Path) -> None:
    with RunFile(path) as run:
        page = trials_page(run, None, "user-at-fault", None)
    assert page.title.endswith("3 of 6 trials")


def test_nobody_is_put_on_trial_where_no_model_played_the_user(tmp_path: Path) -> None:
    agent = ModelInUse(role="agent", name="openai/a", endpoint="http://a", key="a")
    with RunFile(written(tmp_path, [trial("fail", "left")], models=[agent])) as run:
        assert summarize(run).user is None
        assert "The simulated user" not in console_report(run)
