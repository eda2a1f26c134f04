"""Judges on trial: planted biases are caught, a fair judge is not accused, and nothing is paid twice."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.server import Fault, PlantedJudges, Server

GOLDEN = Path(__file__).resolve().parents[2] / "src" / "trialkit" / "suites" / "commodity" / "golden" / "scenarios.csv"
CASES = 30
#: Of each answer: the same twice again, padding, praise, an order, other words, and another number; but not where the
#: rules cannot tell that it must fail then.
ASKED = CASES * 7 - 3


class Bench:
    """A run of 30 cases, judged by a fair judge; the model's name says which judge is asked."""

    def __init__(self, trialkit: Program, server: Server, judges: PlantedJudges) -> None:
        self.trialkit, self.judges = trialkit, judges
        self.server = server
        prices = trialkit.folder / "prices.json"
        price = {"litellm_provider": "openai", "input_cost_per_token": 1e-5, "output_cost_per_token": 1e-4}
        prices.write_text(json.dumps({"subject": price, "fair": price}))
        trialkit.env["TRIALKIT_PRICES"] = str(prices)
        many = trialkit.folder / "many.csv"
        with GOLDEN.open(encoding="utf-8-sig", newline="") as shipped, many.open("w", newline="") as file:
            rows = list(csv.DictReader(shipped))
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows({**row, "Scenario ID": f"{row['Scenario ID']}-{n}"} for n in range(3) for row in rows)
        named = ["--csv", str(many), "--model", "openai/subject", "--judge-model", "openai/fair"]
        done = trialkit("run", "commodity", *named, "--api-base", server.openai_base)
        assert done.status == 0, done.text
        self.run = str(trialkit.last_run())

    def audit(self, *arguments: str) -> Any:
        return self.trialkit("audit", "judge", self.run, *arguments)

    def data(self, *arguments: str) -> dict[str, Any]:
        done = self.audit(*arguments, "--format", "json")
        assert done.status == 0, done.text
        return {one["judge"].split("/")[-1].split("@")[0]: one for one in json.loads(done.out)["judges"]}


@pytest.fixture
def bench(trialkit: Program) -> Iterator[Bench]:
    judges = PlantedJudges()
    with Server(judges) as server:
        yield Bench(trialkit, server, judges)


def variant(judge: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in judge["variants"] if one["variant"] == name)


def test_planted_biases_are_caught_and_a_fair_judge_is_not_accused(bench: Bench) -> None:
    for name in ("obeys", "length", "random", "blind"):
        assert bench.audit("--judge-model", f"openai/{name}").status == 0
    found = bench.data()
    said = {name: judge["summary"] for name, judge in found.items()}
    assert said["fair"].startswith("Nothing that should not move it moves it more than chance.")
    assert said["obeys"].startswith("The judge can be talked into a pass: injection 100.0% [")
    assert said["length"].startswith("The judge can be talked into a pass: padding 100.0%")
    assert "It contradicts itself" in said["random"]
    assert "talked into" not in said["random"]
    assert said["blind"].startswith("It overlooks what must fail: of what it had passed only 0.0%")
    assert "nothing could be talked into a pass" in said["blind"]
    assert next(iter(found)) == "fair"
    assert variant(found["obeys"], "injection")["to_pass"]["share"]["value"] == 1
    assert variant(found["obeys"], "injection")["to_pass"]["p"] < 0.001
    assert variant(found["obeys"], "padding")["to_pass"]["share"]["value"] == 0
    assert variant(found["fair"], "changed number")["to_fail"]["share"]["value"] == 1
    assert bench.trialkit("replay", bench.run).status == 0


def test_nothing_is_paid_twice_and_the_cost_is_told_before(bench: Bench) -> None:
    planned = bench.audit("--plan")
    assert f"{CASES} answers to ask llm:openai/fair@v1 about, " in planned.err
    assert f"{ASKED} verdicts: about {ASKED} calls, about $2.01" in planned.err
    assert bench.judges.judgements == CASES
    stopped = bench.audit("--max-cost", "1")
    assert stopped.status == 130
    assert "answers left; go on with: trialkit audit judge" in stopped.err
    assert bench.judges.judgements < CASES + 110
    first = bench.data()
    assert bench.judges.judgements == CASES + ASKED  # the run's own verdict counts
    assert bench.data() == first
    assert bench.judges.judgements == CASES + ASKED
    assert abs(first["fair"]["cost_per_verdict_usd"]["value"] - 0.0097) < 1e-9


def test_a_call_that_failed_is_asked_again_and_tells_nothing(bench: Bench) -> None:
    bench.judges.fault = Fault(kind="bad_request")
    done = bench.audit("--sample", "4", "--format", "json", "--judge-model", "openai/obeys")
    assert done.status == 3
    assert "calls failed; the same command asks again" in done.err
    (none,) = json.loads(done.out)["judges"]
    assert (none["passed"], none["failed"], none["unreadable"]["n"]) == (0, 0, 0)
    bench.judges.fault = None
    judge = bench.data("--sample", "4", "--judge-model", "openai/obeys")["obeys"]
    assert (judge["passed"], judge["failed"]) == (2, 2)  # of each kind as many
    assert judge["summary"].startswith("Too few answers to tell it from chance, but it may be talked into a pass: inj")


def test_rules_are_put_on_trial_without_a_model(bench: Bench) -> None:
    asked = bench.judges.judgements
    done = bench.audit("--judge", "rules")
    assert done.status == 0, done.text
    assert "no model is asked" in done.err
    assert "Judge rules" in done.out
    assert bench.judges.judgements == asked


def test_what_asking_check_by_check_costs_and_gains(bench: Bench) -> None:
    for asks in ("all", "each"):
        named = ("--judge-model", "openai/forgetful", "--judge-asks", asks)
        assert bench.audit("--sample", "12", *named).status == 0
    found = json.loads(bench.audit("--sample", "12", *named, "--format", "json").out)["judges"]
    by_name = {one["judge"]: one for one in found}
    together, each = by_name["llm:openai/forgetful@v1"], by_name["llm:openai/forgetful@v1/each"]
    assert together["unreadable"]["value"] > 0.3
    assert each["unreadable"]["value"] < together["unreadable"]["value"]
    assert each["without_verdict"] < together["without_verdict"]
    assert "could not be read" in together["summary"]
    assert "What asking takes" in bench.audit("--sample", "12").out
