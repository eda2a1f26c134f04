"""`trialkit show` as a program."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.run_files import case, ended, verdict, write_run
from trialkit.runfile import Event, TrialRecord
from trialkit.vocabulary import Finding

from .program import Program


def told(outcome: str, answer: str) -> TrialRecord:
    one = ended(
        verdict(
            "pass" if outcome == "pass" else "fail",
            "Because.",
            findings=(Finding(check="polite", met=outcome == "pass", evidence="so"),),
        )
    )
    events = (
        Event(kind="message", data={"role": "user", "text": "Hello.\x1b[2J"}),
        Event(kind="tool calls", data={"text": "", "calls": [{"id": "1", "name": "look", "arguments": "{}"}]}),
        Event(kind="observation", data={"tool": "look", "text": "word " * 2_000}),
        Event(kind="message", data={"role": "assistant", "text": answer}),
    )
    return replace(one, events=events)


@pytest.fixture
def runs(trialkit: Program) -> list[str]:
    def write(name: str, outcome: str, answer: str) -> str:
        trials = [(case("a/b"), [told(outcome, answer), told("pass", answer)]), (case("c"), [told("pass", answer)])]
        return str(write_run(trialkit.folder / name, trials, subject=name))

    return [write("one.trial", "pass", "Here."), write("two.trial", "fail", "There.")]


def test_a_trial_is_shown_step_by_step(trialkit: Program, runs: list[str]) -> None:
    done = trialkit("show", runs[0], "a/b/1")
    assert done.status == 0
    assert "1 of 3 trials" in done.out
    for words in ("a/b/1 pass", "✓", "polite: so", "→ look {}", "more characters", "Here."):
        assert words in done.out
    assert "\x1b" not in done.out
    whole = trialkit("show", runs[0], "a/b/1", "--full").out
    assert (len(done.out) < 3_000, len(whole) > 10_000) == (True, True)


def test_trials_are_chosen_by_how_they_ended(trialkit: Program, runs: list[str]) -> None:
    assert trialkit("show", runs[1], "--where", "failed").out.count("── a/b") == 1
    assert trialkit("show", runs[1], "a/b").out.count("── a/b") == 2
    assert "none of 3 trials" in trialkit("show", runs[0], "--where", "errors").out


def test_two_runs_stand_side_by_side_from_where_they_part(trialkit: Program, runs: list[str]) -> None:
    flipped = trialkit("show", *runs, "--where", "flipped").out
    assert flipped.count("── a/b/1") == 1
    told = [flipped.index(words) for words in ("── a/b/1 ", "A: pass: ", "B: fail: ", "── here they part")]
    assert told == sorted(told)
    assert "── a/b/1 pass" not in flipped  # of one of them
    assert flipped.count("a/b/2") == 0
    shared, _, apart = flipped.partition("here they part")
    assert "→ look" in shared
    assert "→ look" not in apart
    assert any("Here." in line and "There." in line for line in apart.splitlines())


def test_what_is_not_there_is_told(trialkit: Program, runs: list[str]) -> None:
    for arguments, words in {
        (runs[0], "nobody"): "there is no case nobody; it has 2 cases: a/b, c",
        (runs[0], "c/7"): "the case c has 1 trial, and none is number 7",
        (runs[0], "c", "d"): "c: no such run file; show takes one run or two",
        (runs[0], "--where", "flipped"): "name two runs",
        (str(Path(runs[0]).parent / "none.trial"),): "no such run file",
    }.items():
        done = trialkit("show", *arguments)
        assert (done.status, words in done.err) == (2, True), done.err
