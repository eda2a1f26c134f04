import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

from trialkit.suites.commodity.alerts import Analysis
from trialkit.suites.commodity.baseline import analyse
from trialkit.suites.commodity.families import FAMILIES
from trialkit.suites.commodity.generate import cells_of, generate
from trialkit.suites.commodity.rows import GoldenRow, read_golden
from trialkit.suites.commodity.rules import judge_by_rules
from trialkit.suites.commodity.scenarios import Scenario, StrictTruth


def _rows(folder: Path, number: int, seed: int) -> list[GoldenRow]:
    path = folder / "generated.csv"
    path.write_bytes(generate(number, seed).encode())
    return read_golden(path)


def test_the_ten_shipped_scenarios_come_from_their_parameters() -> None:
    shipped = read_golden(Path(str(files("trialkit.suites.commodity") / "golden" / "scenarios.csv")))
    assert [row.id for row in shipped] == list(FAMILIES)
    for row in shipped:
        positions, prices, kind, truth = cells_of(FAMILIES[row.id], FAMILIES[row.id].seed)
        assert kind == row.cells["Eval Type"]
        for made, column in ((positions, "Positions JSON"), (prices, "Prices JSON")):
            assert json.loads(made) == json.loads(row.cells[column])
        strict = kind == "strict"
        assert (json.loads(truth) if strict else truth) == (
            json.loads(row.cells["Ground Truth"]) if strict else row.cells["Ground Truth"]
        )


def test_scenarios_are_balanced_repeatable_and_none_stands_there_twice(tmp_path: Path) -> None:
    rows = _rows(tmp_path, 203, seed=5)
    assert generate(203, 5).encode() == (tmp_path / "generated.csv").read_bytes()
    assert generate(203, 6) != generate(203, 5)
    assert generate(200, 5).splitlines() == generate(203, 5).splitlines()[:201]
    counts = Counter(row.id[:3] for row in rows)
    assert set(counts) == set(FAMILIES)
    assert max(counts.values()) - min(counts.values()) == 1
    assert len({row.cells["Positions JSON"] + row.cells["Prices JSON"] for row in rows}) == 203
    assert len({row.scenario.truth.commodity_code for row in rows if isinstance(row.scenario.truth, StrictTruth)}) > 5
    assert {len(row.scenario.commodities) for row in rows} == {1, 2, 3}


def test_every_scenario_is_what_its_family_says(tmp_path: Path) -> None:
    for row in _rows(tmp_path, 2000, seed=1):
        position, family = row.scenario.positions[0], FAMILIES[row.id[:3]]
        price = row.scenario.price_of(position)
        gain = (price / position.entry_price - 1) * (1 if position.direction == "long" else -1)
        low, high = sorted(map(float, family.gain))
        assert low - 0.003 <= gain <= high + 0.003  # prices are rounded to ticks
        if "at the edge" in row.scenario.description:
            assert abs(gain - float(family.gain[0])) <= (high - low) / 10 + 0.003
        assert gain * (low + high) > 0 or low * high <= 0  # never so far that a loss is a gain
        assert position.direction in family.directions
        assert family.seed.other or (price * position.volume >= 250_000) == family.large
        truth = row.scenario.truth
        if isinstance(truth, StrictTruth):
            seed = FAMILIES[row.id[:3]].seed
            own, whole = (price, seed.price) if row.id[:3] != "S04" else (position.entry_price, seed.entry)
            shipped = family.truth_of(seed)
            assert isinstance(shipped, StrictTruth)
            assert abs(truth.price_min / own - shipped.price_min / float(whole)) < 0.001
            assert abs(truth.price_max / own - shipped.price_max / float(whole)) < 0.001


def _right(scenario: Scenario) -> Analysis:
    return analyse(scenario.positions, scenario.prices)


def _wronged(scenario: Scenario, answer: Analysis) -> Iterator[tuple[str, Analysis]]:
    """The answer with one thing in it changed, after which it must not pass."""
    alerts, code = answer.suggestions, scenario.positions[0].commodity_code
    position, price = scenario.positions[0], scenario.price_of(scenario.positions[0])
    turned = tuple(replace(one, condition="below" if one.condition == "above" else "above") for one in alerts)
    yield "every alert turned round", replace(answer, suggestions=turned)
    yield (
        "no alert of its commodity",
        replace(answer, suggestions=tuple(one for one in alerts if one.commodity_code != code)),
    )
    truth = scenario.truth
    if isinstance(truth, StrictTruth):
        tick = (truth.price_max - truth.price_min) / 1000
        for told, threshold in (("over", truth.price_max + tick), ("under", truth.price_min - tick)):
            moved = (replace(one, threshold_price=threshold) if one.commodity_code == code else one for one in alerts)
            yield f"just {told} the range", replace(answer, suggestions=tuple(moved))
        other = tuple(replace(one, commodity_code=f"{one.commodity_code}X") for one in alerts)
        yield "another commodity", replace(answer, suggestions=other)
        return
    yield "too many alerts", replace(answer, suggestions=alerts * 4)
    if any("mention" in rule for rule in truth):
        yield "without a word", replace(answer, reasoning="")
    if any("stop-loss" in rule for rule in truth):
        losing = "below" if position.direction == "long" else "above"
        far = price / 3 if losing == "below" else price * 3
        gone = (
            replace(one, threshold_price=far) if (one.commodity_code, one.condition) == (code, losing) else one
            for one in alerts
        )
        yield "a stop out of reach", replace(answer, suggestions=tuple(gone))


def flips(rows: list[GoldenRow], pairs: int, seed: int) -> Counter[tuple[str, str]]:
    """Of pairs of a right answer and a wronged one: what was done to it, and how it was judged."""
    random, found = Random(seed), Counter[tuple[str, str]]()
    for row in (rows * (pairs // len(rows) + 1))[:pairs]:
        right = _right(row.scenario)
        assert judge_by_rules(row.scenario, right).outcome == "pass", row.id
        how, wrong = random.choice(_applicable(row.scenario, right))
        found[how, judge_by_rules(row.scenario, wrong).outcome] += 1
    return found


def _applicable(scenario: Scenario, answer: Analysis) -> list[tuple[str, Analysis]]:
    """A rule about words alone does not mind what becomes of the alerts."""
    words_only = not isinstance(scenario.truth, StrictTruth) and not any("suggest" in rule for rule in scenario.truth)
    kept = {"without a word", "too many alerts"}
    addressed = not isinstance(scenario.truth, StrictTruth) and "must address all positions" in scenario.truth
    # Where both sides are held, alerts that are turned round are each the other position's.
    return [
        (how, wrong)
        for how, wrong in _wronged(scenario, answer)
        if (not words_only or how in kept) and not (addressed and how == "every alert turned round")
    ]


def test_an_answer_that_is_wronged_fails(tmp_path: Path) -> None:
    """docs/commodity.md tells of 2,000 pairs."""
    found = flips(_rows(tmp_path, 300, seed=1), 300, seed=1)
    assert {outcome for _, outcome in found} == {"fail"}, found
    assert len(found) == 8
