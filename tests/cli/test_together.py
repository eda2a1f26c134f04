"""An option given several times: a run of each value, at the same time, compared in the end."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.e2e.court import Court
from tests.server import Action, Fault, Protocol, Server
from trialkit.runfile import RunFile

SUITE = """\
cases:
  - {id: one, text: first}
  - {id: two, text: second}
baseline: answer.py:answer
judges:
  right:
    equals: "{{ text }}"
matrix:
  seed: [1, 2]
"""


def runs(folder: Path) -> list[Path]:
    return sorted((folder / "eval_results").glob("*.trial"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tickets.yaml").write_text(SUITE)
    (tmp_path / "answer.py").write_text("def answer(case):\n    return case['text'] if case['id'] == 'one' else ''\n")
    return tmp_path


def test_each_has_its_run_and_all_are_held_against_the_first(trialkit: Command, tmp_path: Path) -> None:
    done = trialkit("run", "commodity", "--model", "baseline", "--model", "baseline:shotgun", "--trials", "1")
    assert done.status == 0, done.err
    one, other = runs(tmp_path)
    assert "commodity: 2 runs" in done.out
    assert "p (Holm)" in done.out
    assert "¢ a trial" in done.out
    assert [line.split()[:3] for line in done.out.splitlines() if ": run file" in line] == [
        ["A:", "run", "file"],
        ["B:", "run", "file"],
    ]
    assert done.err.splitlines()[-1].startswith("20/20 trials · ")
    with RunFile(one) as file, RunFile(other) as last:
        assert (file.info().subject, last.info().subject) == ("baseline", "baseline:shotgun")
        assert (file.info().state, last.info().state) == ("done", "done")


def test_a_combination_is_named_in_its_file_and_in_lists(trialkit: Command, tmp_path: Path) -> None:
    flags = ("--seed", "1", "--seed", "2", "--trials", "1", "--trials", "2", "--name", "try")
    done = trialkit("run", "commodity", "--model", "baseline", *flags)
    assert done.status == 0, done.err
    names = [f"try seed={seed} trials={trials}" for seed in (1, 2) for trials in (1, 2)]
    found = []
    for path in runs(tmp_path):
        with RunFile(path) as file:
            found.append(file.info().name)
    assert sorted(found) == names
    assert all(any(name.replace(" ", "-").replace("=", "-") in str(path) for path in runs(tmp_path)) for name in names)
    assert "try seed=2 trials=2" in trialkit("runs").out


def test_a_file_may_ask_for_several(trialkit: Command, folder: Path) -> None:
    done = trialkit("run", "tickets.yaml", "--model", "baseline")
    assert done.status == 0, done.err
    assert len(runs(folder)) == 2
    assert "50.0%" in done.out
    assert trialkit("resume", runs(folder)[0]).status == 0


def test_what_the_command_line_says_counts_before_the_file(trialkit: Command, folder: Path) -> None:
    done = trialkit("run", "tickets.yaml", "--model", "baseline", "--seed", "3")
    assert done.status == 0, done.err
    (path,) = runs(folder)
    with RunFile(path) as file:
        assert file.info().settings["seed"] == 3
        assert file.info().name == ""


def test_the_gravest_of_what_came_of_them_is_the_exit_status(trialkit: Command, folder: Path) -> None:
    """A gate that one of them missed; `first` and `ids` say which cases count."""
    done = trialkit("run", "tickets.yaml", "--model", "baseline", "--seed", "1", "--first", "1", "--first", "2")
    assert done.status == 0, done.err
    gated = trialkit(
        *("run", "tickets.yaml", "--model", "baseline", "--seed", "1", "--first", "1", "--first", "2"),
        *("--min-pass", "0.9"),
    )
    assert gated.status == 1
    assert "B: gate not met" in gated.err
    assert "A: gate met" in gated.out


def test_a_run_that_cannot_begin_is_told_with_how_to_finish_it(trialkit: Command, tmp_path: Path) -> None:
    """Its key is refused: the other runs go on to their end."""
    court = Court()

    def play(body: dict[str, Any], protocol: Protocol) -> Action:
        return Fault(kind="not_found") if body["model"] == "bad" else court(body, protocol)

    with Server(play) as server:
        flags = ("--judge", "rules", "--api-base", server.openai_base, "--verbose")
        done = trialkit("run", "commodity", "--model", "openai/good", "--model", "openai/bad", *flags)
    assert done.status == 2
    good, bad = runs(tmp_path)
    assert f"B: 10 trials left; to finish: trialkit resume {bad.relative_to(tmp_path)}" in done.err
    assert "A · S01 trial 1: pass" in done.err
    with RunFile(good) as file:
        assert file.info().state == "done"


def test_one_budget_is_for_all(trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.01}
    (tmp_path / "prices.json").write_text(json.dumps({f"openai/{name}": price for name in ("one", "two")}))
    monkeypatch.setenv("TRIALKIT_PRICES", str(tmp_path / "prices.json"))
    with Server(Court()) as server:  # 1 dollar a call
        flags = ("--judge", "rules", "--api-base", server.openai_base, "--max-cost", "6", "--max-concurrency", "2")
        done = trialkit("run", "commodity", "--model", "openai/one", "--model", "openai/two", *flags)
    assert done.status == 130, done.err
    assert len(server.requests) == 6
    assert "A: stopped: the next call might go over --max-cost 6" in done.err
    assert "B: stopped: the next call might go over --max-cost 6" in done.err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--model", "baseline", "--model", "baseline"), "--model baseline: given twice"),
        (("--seed", "1", "--seed", "x"), "'x' is not a valid integer"),
        (("--trials", "1", "--trials", "0"), "--trials 0: must be at least 1"),
        (("--seed", "1", "--seed", "2", "--until-decided"), "--until-decided holds one run against another"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_written(
    trialkit: Command, tmp_path: Path, flags: tuple[str, ...], told: str
) -> None:
    done = trialkit("run", "commodity", *flags)
    assert done.status == 2
    assert told in done.err
    assert not runs(tmp_path)


def test_a_plan_is_of_all(trialkit: Command, folder: Path) -> None:
    asked = folder / "asked.yaml"
    asked.write_text(SUITE.replace("baseline: answer.py:answer", "prompt: 'Say {{ text }}.'"))
    flags = ("--model", "openai/gpt-4o", "--model", "openai/gpt-4o-mini")
    told = trialkit("plan", "asked.yaml", *flags).out
    assert "Plan: asked, 4 runs" in told
    assert "calls in all  about 8" in told
    assert "seed=2 model=openai/gpt-4o-mini" in told
    data = json.loads(trialkit("plan", "asked.yaml", *flags, "--format", "json").out)
    assert [one["run"] for one in data["plans"]] == ["A", "B", "C", "D"]
    assert data["cost_usd"] == pytest.approx(sum(one["cost_usd"]["value"] for one in data["plans"]))


def test_what_is_to_be_said_of_several_is_said_once(trialkit: Command, tmp_path: Path) -> None:
    flags = ("--judge", "rules", "--seed", "1", "--seed", "2", "--seed", "3")
    with Server(Court()) as server:
        server.behave(*[Fault(kind="not_found")] * 40)
        done = trialkit("run", "commodity", "--model", "openai/gone", "--api-base", server.openai_base, *flags)
    assert done.status == 2
    assert len(runs(tmp_path)) == 3
    assert done.out.count("is not finished") == 1
    assert "A against B, C: " in done.out
