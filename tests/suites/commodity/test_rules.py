from decimal import Decimal
from itertools import product
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.commodity.samples import LONG, SHORT, TRUTH, WHEAT, answer, scenario
from trialkit.suites.commodity.judging import checks_for
from trialkit.suites.commodity.rules import judge_by_rules
from trialkit.suites.commodity.scenarios import Position

BOTH_WAYS = (LONG, SHORT)


def _met(
    rule: str, *alerts: str, reasoning: str = "", positions: tuple[Position, ...] = (LONG,), price: float = 4.25
) -> bool | None:
    verdict = judge_by_rules(scenario(rule, positions=positions, price=price), answer(*alerts, reasoning=reasoning))
    (finding,) = verdict.findings
    assert finding.check == rule
    assert verdict.judge == "rules"
    assert verdict.outcome == {True: "pass", False: "fail", None: "error"}[finding.met]
    return finding.met


@pytest.mark.parametrize(
    ("alerts", "outcome"),
    [
        (["below 4.25"], "pass"),
        (["below 3.8"], "pass"),
        (["above 5", "below 4"], "pass"),
        (["below 4.2501"], "fail"),
        (["below 3.7999"], "fail"),
        (["above 4"], "fail"),
        (["WHEAT below 4"], "fail"),
        # Each constraint is met by some suggestion, all of them by none.
        (["above 4", "below 5", "WHEAT below 4"], "fail"),
        ([], "fail"),
    ],
)
def test_strict_needs_one_suggestion_that_matches_all(alerts: list[str], outcome: str) -> None:
    one = scenario()
    verdict = judge_by_rules(one, answer(*alerts))
    assert verdict.outcome == outcome
    assert tuple(finding.check for finding in verdict.findings) == checks_for(one)
    assert all(finding.met for finding in verdict.findings) == (outcome == "pass")


def test_a_strict_fail_says_which_came_nearest_and_by_how_much() -> None:
    verdict = judge_by_rules(scenario(), answer("above 9", "below 4.6", "below 4.3"))
    assert [finding.met for finding in verdict.findings] == [True, True, False]
    assert verdict.findings[2].evidence == "the threshold of CORN below 4.3 is 0.05 above the range"
    assert "nearest of 3 is CORN below 4.3" in verdict.critique
    under = judge_by_rules(scenario(), answer("below 3.5"))
    assert "0.3 below the range" in under.critique


@given(st.lists(st.tuples(st.sampled_from(["CORN", "WHEAT"]), st.sampled_from(["above", "below"]), st.floats(3, 5))))
def test_strict_is_any_of_all(alerts: list[tuple[str, str, float]]) -> None:
    expected = any(
        code == "CORN" and condition == "below" and Decimal("3.8") <= Decimal(str(price)) <= Decimal("4.25")
        for code, condition, price in alerts
    )
    verdict = judge_by_rules(scenario(), answer(*(f"{code} {way} {price!r}" for code, way, price in alerts)))
    assert (verdict.outcome == "pass") == expected
    assert TRUTH.commodity_code in verdict.critique or not alerts


@pytest.mark.parametrize(
    ("rule", "alerts", "met"),
    [
        ("must suggest stop-loss", ["below 4.1"], True),
        ("must suggest stop-loss", ["below 4.25"], True),
        ("must suggest stop-loss", ["below 4.3"], False),
        ("must suggest stop-loss", ["above 4.5"], False),
        ("Should suggest a Stop Loss.", ["below 4.1"], True),
        ("must suggest stoplosses", ["below 4.1"], True),
        ("must suggest take-profit", ["above 4.25"], True),
        ("must suggest take-profit", ["above 4.2"], False),
        ("must suggest both stop-loss and take-profit", ["below 4.1", "above 4.6"], True),
        ("must suggest both stop-loss and take-profit", ["below 4.1"], False),
        ("must suggest stop-loss or take-profit", ["above 4.6"], True),
        ("must suggest stop-loss or take-profit", ["above 4.1"], False),
        ("must suggest an alert above", ["above 1"], True),
        ("must suggest an alert below", ["above 1"], False),
        ("must suggest alerts in both directions", ["above 5", "below 4"], True),
        ("must suggest alerts in both directions", ["above 5", "above 6"], False),
        ("must suggest an alert", ["above 5"], True),
        ("must suggest an alert", [], False),
        ("must suggest at least 2 alerts", ["above 5", "below 4"], True),
        ("must suggest at least two alerts", ["above 5"], False),
        ("at most 1 suggestion", [], True),
        ("at most 1 suggestion", ["above 5", "below 4"], False),
        ("exactly 2 suggestions", ["above 5", "below 4"], True),
        ("exactly one stop-loss", ["above 5", "below 4"], True),
        ("exactly one stop-loss", ["below 4.1", "below 4"], False),
        ("threshold below 4.50", ["above 5", "below 4.49"], True),
        ("threshold below 4.50", ["above 4.5"], False),
        ("threshold must be at or above 4.6", ["above 4.6"], True),
        ("threshold above 4.6", ["above 4.6"], False),
        ("threshold at or below $4.6", ["above 4.6"], True),
        ("threshold between 4.2 and 4.5", ["above 4.5"], True),
        ("threshold between 4.2 and 4.5", ["above 4.51"], False),
        ("threshold above 1,000", ["above 999"], False),
        ("stop-loss threshold below 4.50", ["above 4.4"], False),
        ("stop-loss threshold below 4.50", ["above 4.4", "below 4.2"], True),
        ("take-profit threshold above 5", ["above 5.1"], True),
        ("all thresholds below 5", ["above 4.9", "below 4"], True),
        ("every threshold below 5", ["above 5.1", "below 4"], False),
        ("all thresholds below 5", [], False),
        ("must include a stop-loss alert", ["below 4.1"], True),
        ("should recommend stop-loss and take-profit alerts", ["below 4.1"], False),
        ("must have at least one take-profit", ["above 5"], True),
        ("no more than 1 alert", ["above 5", "below 4"], False),
        ("no more than two alerts", [], True),
        ("condition must be below", ["above 5", "below 4.3"], True),
        ("must suggest an alert with condition above", ["below 4"], False),
        ("must suggest a stop-loss below 4.50", ["below 4.2"], True),
        ("must suggest a stop-loss below 4.10", ["below 4.2", "above 4.05"], False),
        ("stop-loss must be at or below 4.2", ["below 4.2"], True),
        ("all stop-losses below 4.2", ["below 4.1", "below 4.2"], False),
        ("stop-loss below 4.2 and take-profit above 5", ["below 4.1", "above 5.1"], True),
        ("stop-loss below 4.2 and take-profit above 5", ["below 4.1", "above 4.9"], False),
        ("threshold_price <= 4.1", ["below 4.1"], True),
        ("threshold < 4.1", ["below 4.1"], False),
        ("threshold \u2265 4.1", ["below 4.1"], True),
        ("threshold >4", ["below 4"], False),
        # Out of reach: half the lower of price and entry (4.25, 4.5), twice the higher.
        ("must suggest stop-loss", ["below 0.01"], False),
        ("must suggest stop-loss", ["below 2.12"], False),
        ("must suggest stop-loss", ["below 2.13"], True),
        ("must suggest take-profit", ["above 9"], True),
        ("must suggest take-profit", ["above 9.01"], False),
        ("must address CORN", ["below 0.01", "above 99"], False),
        ("must not suggest take-profit", ["below 4"], True),
        ("must not suggest take-profit", ["above 5"], False),
        ("must never suggest any alert above", ["above 5"], False),
        ("must not suggest alerts", [], True),
        ("must not suggest stop-loss or take-profit", ["above 5"], False),
        ("must not suggest a stop-loss below 4", ["below 4"], True),
        ("must not suggest a stop-loss below 4", ["below 3.9"], False),
        ("must suggest stop-loss, must not suggest take-profit", ["below 4"], True),
        ("must suggest stop-loss and must not suggest take-profit", ["below 4", "above 5"], False),
    ],
)
def test_rules_about_suggestions(rule: str, alerts: list[str], met: bool) -> None:
    assert _met(rule, *alerts) is met


@pytest.mark.parametrize(
    ("rule", "alerts", "met"),
    [
        ("must suggest stop-loss for the short position", ["above 4.6"], True),
        ("must suggest stop-loss for the short position", ["below 4.4"], False),
        ("must suggest stop-loss for the long position", ["below 4.4"], True),
        ("must suggest stop-loss for every position", ["above 4.6"], False),
        ("must suggest stop-loss for all positions", ["above 4.6", "below 4.4"], True),
        ("must suggest both stop-loss and take-profit for both positions", ["above 4.6", "below 4.4"], True),
        ("must suggest stop-loss or take-profit for every position", ["above 4.6"], True),
        ("must address both positions", ["above 4.6"], True),
        ("must address both positions", ["above 4.5"], False),
        ("must address the short position", ["above 4.6"], True),
        ("must address both the long and the short position", ["above 4.6"], True),
        ("must suggest stop-loss for long and short positions", ["above 4.6"], False),
        ("Must address both with alerts in both directions", ["above 4.6", "below 4.4"], True),
        ("Must address both with alerts in both directions", ["above 4.6"], False),
    ],
)
def test_rules_about_positions(rule: str, alerts: list[str], met: bool) -> None:
    assert _met(rule, *alerts, positions=BOTH_WAYS, price=4.55) is met


def test_every_position_of_every_commodity_counts() -> None:
    rule = "must address all positions"
    assert _met(rule, "below 4", positions=(LONG, WHEAT)) is False
    assert _met(rule, "below 4", "WHEAT above 7", positions=(LONG, WHEAT)) is True
    assert _met("must suggest stop-loss for wheat", "below 4", positions=(LONG, WHEAT)) is False
    assert _met("must suggest stop-loss for WHEAT", "WHEAT below 4", positions=(LONG, WHEAT)) is True


@pytest.mark.parametrize(
    ("rule", "reasoning", "met"),
    [
        ("reasoning must mention risk", "This POSITION is RISKY.", True),
        ("reasoning must mention risk", "Its downside is small.", None),
        ("reasoning must mention risk", "An asterisk.", None),
        ("reasoning must mention risk", "Set an alert above 4.50.", False),
        ("reasoning must mention risk", "The long position is at risk if corn falls.", True),
        ("reasoning must mention risk", "If it is a risk, the position is large.", None),
        ("reasoning must mention risk", "", False),
        ("reasoning must mention size or concentration", "This is a very large long position.", True),
        ("reasoning must mention size or concentration", "The portfolio is concentrated.", True),
        ("reasoning must mention size or concentration", "A large gain.", None),
        ("reasoning must mention size or concentration", "", False),
        ("must mention size/concentration risk", "The position size adds to the risk.", True),
        ("must mention size/concentration risk", "The portfolio has a concentration risk.", True),
        ("must mention size/concentration risk", "There is a risk.", None),
        ("must mention size/concentration risk", "The position size matters.", None),
        ("must mention size/concentration risk", "Set an alert.", False),
        ("must mention gains", "The position has a gain of 12%.", True),
        ("must mention gains", "- **CORN**: an _unrealised_ [gain](https://example.org) of 12%", None),
        ("must mention gains", "- **CORN**: an _unrealised_ gain of 12%", True),
        ("must mention gains", "## Unrealised gains", None),
        ("must mention gains", "An unrealised gain of 0.0%.", None),
        ("must mention gains", "An unrealised gain of -5%.", None),
        ("must mention gains", "An unrealised gain of ($5,000).", None),
        ("must mention gains", "Is it an unrealised gain of 5%?", None),
        ("must mention gains", "Doubtful: no gains.\nThe position has a gain of 12%.", True),
        ("must mention losses", "A stop-loss is set.", False),
        ("must mention losses", "You are losing money on the position.", True),
        ("must mention losses", "The stop-loss limits the loss.", None),
        ("reasoning mentions profit, gains or P&L", "The P/L is flat.", True),
        ("reasoning mentions profit, gains or P&L", "All quiet.", None),
        ("reasoning must mention risk and breakeven", "There is a risk near break-even.", None),
        ("reasoning must mention risk and breakeven", "There is a risk. Break-even is at 4.50.", True),
        ("reasoning must mention risk and breakeven", "Set an alert.", False),
        ("must mention stop-loss", "We use a stop loss.", True),
        ("must mention harvest", "No harvest was ever early.", True),
        ("must mention harvest", "The harvests.", True),
        ("must mention harvest", "After harvesting, …", None),
        ("must mention harvest", "The harvester stopped.", None),
        ("must mention harvest", "The crop is in.", False),
        ("must mention policy", "New policies came.", None),
        ("must mention ernte", "Die ERNTE war gut", True),
        ("must mention риск", "Есть РИСК.", True),
        ("must mention риск", "Рискованно.", None),
        ("must mention 风险", "这里存在风险。", None),
        ('must mention "the crop report"', "See The **Crop Report** of May.", True),
        ('must mention "the crop report"', "See the report on the crop.", False),
        ("reasoning must not mention risk", "The position is a risk.", False),
        ("reasoning must not mention risk", "There is no risk.", None),
        ("must not mention risk", "Set an alert above 5.", True),
        ('must not mention "profit and loss"', "Profit and loss.", False),
    ],
)
def test_rules_about_the_reasoning(rule: str, reasoning: str, met: bool | None) -> None:
    assert _met(rule, reasoning=reasoning) is met


def _sentences(part: str) -> list[tuple[str, ...]]:
    text = Path(__file__).with_name("mentions.txt").read_text()
    (section,) = (section for section in text.split("\n# ") if section.startswith(part))
    return [tuple(line.replace("\\n", "\n").split("|", 3)) for line in section.splitlines()[1:]]


@pytest.mark.parametrize(
    ("part", "wrong"),
    [("Seen", []), ("First", []), ("Second", []), ("Third", ["The size of the position is small."])],
)
def test_sentences_written_to_mislead_are_left_undecided_rather_than_guessed(part: str, wrong: list[str]) -> None:
    guessed = [
        said
        for concept, truth, _, said in _sentences(part)
        if _met(f"must mention {concept}", reasoning=said) not in (None, truth == "yes")
    ]
    assert guessed == wrong


def test_the_page_tells_what_is_decided() -> None:
    for kind, truth in product(("hard", "plain"), ("yes", "no")):
        asked = [one for part in ("First", "Second", "Third") for one in _sentences(part) if one[1:3] == (truth, kind)]
        met = [_met(f"must mention {concept}", reasoning=said) for concept, _, _, said in asked]
        counts = [str(sum(one is state for one in met)) for state in (True, False, None)]
        row = f"| {kind}, {truth} | {' | '.join([str(len(asked)), *counts])} |"
        assert row in Path("docs/rules.md").read_text(), row


CONCEPTS = (
    "size concentration risk gains losses p&l breakeven volatility exposure hedge price trend protection stop-loss"
)


@pytest.mark.parametrize(
    "repeated",
    [
        "..",
        "__",
        "00",
        "0,",
        "--",
        "  ",
        "\n\n",
        "a.",
        "a'",
        "n't",
        "p&l ",
        "no risk ",
        "large ",
        "size of the ",
        "profit and ",
        "stop ",
        "($",
        "? ",
        "break ",
    ],
)
def test_the_time_to_read_a_reasoning_grows_with_its_length_only(repeated: str) -> None:
    def seconds(length: int) -> float:
        reasoning = f"A risk of a loss. a{repeated * (length // len(repeated))}a"
        began = process_time()
        for concept in CONCEPTS.split():
            _met(f"must mention {concept}", reasoning=reasoning)
        return process_time() - began

    short = min(seconds(10_000) for _ in range(2))
    assert seconds(80_000) < 20 * short + 0.2  # 64 times as long where it grows with the square


@pytest.mark.parametrize("repeated", ["a", "a/", "a, ", "a and ", "risk ", '" ', "position size "])
def test_the_time_to_read_a_rule_grows_with_its_length_only(repeated: str) -> None:
    def seconds(length: int) -> float:
        began = process_time()
        _met(f'must mention "{repeated * (length // len(repeated))}', reasoning="A risk.")
        return process_time() - began

    short = min(seconds(5_000) for _ in range(2))
    assert min(seconds(40_000) for _ in range(3)) < 20 * short + 0.2  # a machine may stall


@pytest.mark.parametrize(
    ("rule", "alerts", "reasoning", "met"),
    [
        ("Must suggest take-profit, mention gains", ["above 5"], "The position has a gain.", True),
        ("Must suggest take-profit, mention gains", ["above 5"], "", False),
        ("Must suggest stop-loss, mention risk", ["above 5"], "risk", False),
        ("must suggest stop-loss and reasoning must mention risk", ["below 4"], "It is a risk.", True),
    ],
)
def test_two_rules_in_one(rule: str, alerts: list[str], reasoning: str, met: bool) -> None:
    assert _met(rule, *alerts, reasoning=reasoning) is met


@pytest.mark.parametrize(
    "rule",
    [
        "must be sensible",
        "must not suggest stop-loss and take-profit",
        "must not suggest stop-loss for every position",
        "must not suggest stop-loss, mention risk",
        "must not not suggest stop-loss",
        "must suggest stop-loss near the entry",
        "must suggest stop-loss 5% below entry",
        "must suggest an alert above 4.6",
        "must suggest both stop-loss",
        "must suggest 2 alerts",
        "threshold near 4.5",
        "stop-loss below entry",
        "must suggest threshold below 4.5",
        "must include risk",
        "threshold below entry",
        "threshold between 4.5 and 4.2",
        "reasoning must mention that the market may turn",
        "reasoning must mention why",
        "reasoning must mention crop reports",
        "reasoning must mention risk, size",
        "reasoning must mention risk or size and gains",
        "reasoning must not mention risk and size",
        "must mention risk explicitly",
        "must suggest take-profit or mention gains",
        "must suggest stop-loss for the short position",
        "must suggest stop-loss for RICE",
        "must address the long and the short position",
        "must address both positions",
        "|",
        "",
    ],
)
def test_what_cannot_be_decided_is_never_guessed(rule: str) -> None:
    assert _met(rule, "below 4.1", "above 4.6", reasoning="risk, size and gains") is None


def test_an_unmet_rule_fails_whatever_the_undecidable_ones() -> None:
    both = scenario("be wise", "must suggest stop-loss", "threshold below 5")
    failed = judge_by_rules(both, answer("above 4.6"))
    assert [finding.met for finding in failed.findings] == [None, False, True]
    assert failed.findings[0].evidence == "outside the rule grammar"
    assert failed.outcome == "fail"
    undecided = judge_by_rules(both, answer("below 4.1"))
    assert undecided.outcome == "error"
    assert '"be wise"' in undecided.critique


@given(st.text(), st.text(), st.lists(st.sampled_from(["above 5", "below 4", "WHEAT below 4"])))
def test_any_rule_gets_a_finding(rule: str, reasoning: str, alerts: list[str]) -> None:
    _met(rule, *alerts, reasoning=reasoning)


WORDS = "must suggest mention reasoning stop-loss take-profit both and or , for every position threshold below 4.5 risk"


@given(
    st.lists(st.sampled_from([*WORDS.split(), '"', "/", "alerts", "at least", "2", "address", "in both directions"]))
)
def test_any_mix_of_the_grammars_words_gets_a_finding(words: list[str]) -> None:
    _met(" ".join(words), "above 5", "below 4", reasoning="risk")
