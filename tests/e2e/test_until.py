"""`run --against A --until-decided`: the spending stops when it is known how B compares with A."""

import json
import re
from pathlib import Path

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program, Result
from tests.e2e.test_commodity import model
from tests.server import Server
from trialkit.runfile import RunFile


def baseline(trialkit: Program, server: Server, court: Court) -> Path:
    """A: every case passes. From then on the judge is never content, and calls have a price."""
    prices = trialkit.folder / "prices.json"
    price = {"input_cost_per_token": 0.0001, "output_cost_per_token": 0.0001}
    prices.write_text(json.dumps({"openai/subject": price, "openai/judge": price}))
    trialkit.env["TRIALKIT_PRICES"] = str(prices)
    assert trialkit("run", "commodity", *model(server)).status == 0
    court.met = False
    return trialkit.last_run()


def until(trialkit: Program, server: Server, against: Path, *more: str) -> Result:
    one_by_one = ("--no-cache", "--max-concurrency", "1", "--seed", "1")
    return trialkit(
        "run", "commodity", *model(server), *one_by_one, "--against", str(against), "--until-decided", *more
    )


def test_a_worse_run_is_stopped_early(trialkit: Program, server: Server, court: Court) -> None:
    a, before = baseline(trialkit, server, court), court.analyses
    done = until(trialkit, server, a, "--trials", "3")
    assert (done.status, "gate not met: B is worse than A" in done.err) == (1, True)
    assert court.analyses - before == 9
    shown = " ".join(done.out.split())
    assert "cases 9 of 10 cases" in shown
    assert "trials 9 of 30 planned" in shown
    spent, every, saved = map(
        float, re.findall(r"cost \$([\d.]+) of about \$([\d.]+) for all; \$([\d.]+) saved", shown)[0]
    )
    assert every == pytest.approx(spent * 30 / 9, rel=0.01)
    assert saved == pytest.approx(every - spent, rel=0.01)
    with RunFile(trialkit.last_run()) as run:
        info, tried = run.info(), [trial.case_id for trial in run.trials() if trial.ended]
        planned = [(trial.number, trial.case_id) for trial in run.trials()]
    assert (info.state, info.reason.startswith("decided: B is worse than A")) == ("done", True)
    assert len(set(tried)) == 9
    assert tried != sorted(tried)
    assert [number for number, _ in planned] == [1] * 10 + [2] * 10 + [3] * 10
    assert [name for _, name in planned[:10]] == [name for _, name in planned[10:20]]
    again = trialkit("resume", str(trialkit.last_run()))  # nothing is asked any more
    assert (again.status, court.analyses - before) == (1, 9)
    assert trialkit("compare", str(a), str(trialkit.last_run()), "--sequential", "--gate").status == 1


def test_a_run_that_is_as_good_is_stopped_at_the_margin(trialkit: Program, server: Server, court: Court) -> None:
    a, before = baseline(trialkit, server, court), court.analyses
    court.met = True
    done = until(trialkit, server, a, "--margin", "0.5")
    assert (done.status, court.analyses - before) == (0, 9)
    assert "B is as good as A: they differ by less than 50 points." in " ".join(done.out.split())


def test_what_cannot_be_decided_is_run_to_the_end(trialkit: Program, server: Server, court: Court) -> None:
    a, before = baseline(trialkit, server, court), court.analyses
    court.met = True
    done = until(trialkit, server, a)
    assert (done.status, court.analyses - before) == (4, 10)
    assert "gate undecided" in done.err
    with RunFile(trialkit.last_run()) as run:
        assert (run.info().state, run.info().reason) == ("done", "")


def test_a_run_out_of_budget_goes_on_until_it_is_decided(trialkit: Program, server: Server, court: Court) -> None:
    a, before = baseline(trialkit, server, court), court.analyses
    stopped = until(trialkit, server, a, "--trials", "3", "--max-cost", "0.5")
    assert (stopped.status, "to finish: trialkit resume" in stopped.err) == (130, True)
    assert 1 <= court.analyses - before < 9
    done = trialkit("resume", str(trialkit.last_run()), "--max-cost", "50", "--max-concurrency", "1")
    assert (done.status, court.analyses - before) == (1, 9)
    assert (
        "decided: B is worse"
        in json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)["run"]["reason"]
    )


def test_only_cases_that_a_has_a_verdict_of_are_tried(trialkit: Program, server: Server, court: Court) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02").status == 0
    a, before = trialkit.last_run(), court.analyses
    done = until(trialkit, server, a)
    assert (done.status, court.analyses - before) == (4, 2)
    assert "8 cases left out, of which the other run has no verdict" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--until-decided",), "against which run?"),
        (("--until-decided", "--batch"), "in batches all trials are asked at once"),
        (("--margin", "0.1"), "go with --until-decided"),
        (("--until-decided", "--against", "none.trial"), "no such run file"),
    ],
)
def test_bad_usage_is_told(trialkit: Program, arguments: tuple[str, ...], told: str) -> None:
    wrong = trialkit("run", "commodity", "--model", "baseline", *arguments)
    assert (wrong.status, told in wrong.err) == (2, True)
    assert not trialkit.run_files()
