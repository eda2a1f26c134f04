from decimal import Decimal
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.commodity.samples import LONG, SHORT, TRUTH, WHEAT, answer, scenario
from trialkit.suites.commodity.judging import checks_for
from trialkit.suites.commodity.portfolio import Position
from trialkit.suites.commodity.rules import judge_by_rules

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
        ("reasoning must mention risk", "This is RISKY.", True),
        ("reasoning must mention risk", "Its downside is small.", True),
        ("reasoning must mention risk", "An asterisk.", False),
        ("reasoning must mention risk", "", False),
        ("reasoning must mention size or concentration", "A very large long position.", True),
        ("reasoning must mention size or concentration", "The portfolio is concentrated.", True),
        ("reasoning must mention size or concentration", "A large gain.", False),
        ("must mention size/concentration risk", "The position size adds to the risk.", True),
        ("must mention size/concentration risk", "There is concentration risk here.", True),
        ("must mention size/concentration risk", "There is a risk.", False),
        ("must mention size/concentration risk", "The size matters.", False),
        ("must mention gains", "It gained 12%.", True),
        ("must mention gains", "It is profitable.", True),
        ("must mention gains", "Set a take-profit, take profits soon.", False),
        ("must mention losses", "A stop-loss is set.", False),
        ("must mention losses", "It is losing money.", True),
        ("reasoning mentions profit, gains or P&L", "The P/L is flat.", True),
        ("reasoning mentions profit, gains or P&L", "All quiet.", False),
        ("reasoning must mention risk and breakeven", "A risk near break-even.", True),
        ("reasoning must mention risk and breakeven", "A risk.", False),
        ("must mention harvests", "The harvest was early.", True),
        ("must mention harvest", "After harvesting, …", True),
        ("must mention harvest", "The harvester stopped.", False),
        ("must mention policy", "New policies came.", True),
        ("must mention stopping", "It stopped.", True),
        ("must mention ernte", "Die ERNTE war gut", True),
        ("must mention риск", "Есть РИСК.", True),
        ("must mention риск", "Рискованно.", False),
        ("must mention 风险", "这里存在风险。", True),
        ('must mention "the crop report"', "See The Crop Report of May.", True),
        ('must mention "the crop report"', "See the report on the crop.", False),
        ("must mention stop-loss", "We use a stop loss.", True),
    ],
)
def test_rules_about_the_reasoning(rule: str, reasoning: str, met: bool) -> None:
    assert _met(rule, reasoning=reasoning) is met


@pytest.mark.parametrize(
    ("concept", "reasoning", "met"),
    [
        ("risk", "There is no risk here.", False),
        ("risk", "No significant downside risk, and a risk-free carry.", False),
        ("risk", "The trade isn't risky, and the risk is nil.", False),
        ("risk", "No risk now, but the risk grows if it falls.", True),
        ("risk", "It is not without risk.", True),
        ("risk", "No small risk, and not only a risk to gains.", True),
        ("risk", "No stop-loss risks a margin call.", True),
        ("risk", "There is no risk management.", True),
        ("risk", "Do not risk more than 2%.", True),
        ("gains", "It is not profitable yet: no gains so far.", False),
        ("gains", "Without any profit.", False),
        ("losses", "Neither a gain nor a loss.", False),
        ("losses", "No profit or loss so far.", False),
        ("losses", "No further losses should be taken.", True),
        ("size", "This isn't a very large position.", False),
        ("volatility", "The market is not volatile.", False),
        ("concentration", "There is no diversification.", True),
        ("hedge", "The position is not hedged.", True),
    ],
)
def test_what_is_only_denied_is_not_mentioned(concept: str, reasoning: str, met: bool) -> None:
    assert _met(f"must mention {concept}", reasoning=reasoning) is met


@pytest.mark.parametrize("repeated", ["no risk ", "p&l "])
def test_a_long_reasoning_holds_nobody_up(repeated: str) -> None:
    """Forty thousand tokens of it take half a second at most; what grows with their square takes minutes."""
    began = perf_counter()
    assert _met("reasoning must mention risk", reasoning=repeated * (150_000 // len(repeated))) is False
    assert perf_counter() - began < 10


@pytest.mark.parametrize(
    "reasoning",
    [
        "You hold a large 100,000-bushel long position.",
        "This is a **large** position.",
        "The position is **very large**; take care.",
        "Of all that you hold, this is your largest position by far.",
        "A significant position of 100,000 bushels.",
        "The sheer scale of the position is what matters.",
        "A large, concentrated and unhedged long CORN position.",
        "A large U.S. corn position.",
        "A relatively large (100,000-bushel) position.",
        "The position (100,000 bu) is quite large.",
        "The position, at 100,000 bushels, is large.",
        "Your exposure has become substantial.",
        "- **CORN**: a _bigger_ [bet](https://example.org) than the others",
    ],
)
def test_a_position_that_is_called_large_mentions_size(reasoning: str) -> None:
    assert _met("must mention size", reasoning=reasoning) is True
    assert _met("must mention size/concentration risk", reasoning=f"{reasoning} Risk is high.") is True


@pytest.mark.parametrize(
    "reasoning",
    [
        "A small position.",
        "The position is not large.",
        "This is not a large position.",
        "A large gain on the position.",
        "The position shows a large gain.",
        "The position's loss is large.",
        "The position is at risk of large losses.",
        "On this position, significant downside remains.",
        "Large price swings hurt positions.",
        "A large short-term move.",
        "The position loses. Large moves follow.",
        "- Position: long\n- Large loss possible",
        "Large swings ahead\n\nPosition: long",
    ],
)
def test_what_else_is_large_mentions_no_size(reasoning: str) -> None:
    assert _met("must mention size", reasoning=reasoning) is False


@pytest.mark.parametrize(
    ("reasoning", "gain", "loss"),
    [
        ("An unrealized P&L of +12%.", True, False),
        ("The profit and loss stands at +$13,500.", True, False),
        ("Take profits at 5.30; the position is up 12%.", True, False),
        ("P&L = (5.04 - 4.50) × 25,000 = $13,500", False, False),  # noqa: RUF001 - as models write it
        ("P&L = ($5.04 \u2212 $4.50) x 25,000 = **+$13,500**", True, False),
        ("| P&L | +12% |", True, False),
        ("The P&L is currently about $13.5k.", False, False),
        ("+12% unrealized P&L", True, False),
        ("You're up roughly 12% on this trade.", True, False),
        ("The position, bought at 4.50, is up 12%.", True, False),
        ("The P&L is clearly positive.", True, False),
        ("An unrealized P&L of -12%.", False, True),
        ("P&L = (4.10 - 4.55) x 30,000 = -$13,500", False, True),
        ("The position is down by about $13,500.", False, True),
        ("A negative P&L of $5,000.", False, True),
        ("P&L of \u221212%, which could become +2%.", False, True),
        ("P&L of ($5,000).", False, False),
        ("P&L: - $5,000.", False, False),
        ("The P&L is 0%.", False, False),
        ("Watch the P&L at 4.50.", False, False),
        ("The P&L moves by $500 with every cent.", False, False),
        ("The price is up 12%.", False, False),
        ("The long position suffers with the price down 12%.", False, False),
        ("If the position is up 5%, think again.", False, False),
        ("**Stop-loss** at 4.00, take-profit at 5.30, stop_loss again.", False, False),
    ],
)
def test_figures_mention_profit_and_loss(reasoning: str, gain: bool, loss: bool) -> None:
    assert _met("must mention gains", reasoning=reasoning) is gain
    assert _met("must mention losses", reasoning=reasoning) is loss


@pytest.mark.parametrize(
    ("rule", "alerts", "reasoning", "met"),
    [
        ("Must suggest take-profit, mention gains", ["above 5"], "a gain", True),
        ("Must suggest take-profit, mention gains", ["above 5"], "", False),
        ("Must suggest stop-loss, mention risk", ["above 5"], "risk", False),
        ("must suggest stop-loss and reasoning must mention risk", ["below 4"], "risk", True),
    ],
)
def test_two_rules_in_one(rule: str, alerts: list[str], reasoning: str, met: bool) -> None:
    assert _met(rule, *alerts, reasoning=reasoning) is met


@pytest.mark.parametrize(
    "rule",
    [
        "must be sensible",
        "must not suggest stop-loss",
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
        "reasoning must not mention risk",
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
