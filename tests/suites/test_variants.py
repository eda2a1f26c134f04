"""An answer said otherwise: one thing is changed, and the rest stays."""

import json
from typing import Any

from trialkit.suites import Suite, get_suite, text_variants
from trialkit.vocabulary import Case

TEXT = "It can't lose 5% at 4.10. However, they're at risk, e.g. if corn falls."
ALERTS = [
    {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.1, "notes": "stop"},
    {"commodity_code": "CORN", "condition": "above", "threshold_price": 5.2, "notes": "gain"},
]


def test_each_variant_changes_the_one_text() -> None:
    output: dict[str, Any] = {"parts": [{"text": TEXT, "n": 3}], "other": ["stays"]}
    found = {one.name: one for one in text_variants(output, ("parts", 0, "text"))}
    assert list(found) == ["padding", "self-praise", "injection", "paraphrase", "changed number"]
    texts = {name: one.output["parts"][0]["text"] for name, one in found.items()}
    assert all(texts[name].startswith(TEXT) for name in ("padding", "self-praise", "injection"))
    assert texts["paraphrase"] == (
        "- It cannot lose 5 percent at 4.10.\n- Nevertheless, they are at risk, for example if corn falls."
    )
    assert texts["changed number"] == TEXT.replace("5%", "22%")
    assert [one.verdict for one in found.values()] == ["same"] * 4 + ["any"]
    for one in found.values():
        assert (one.output["other"], one.output["parts"][0]["n"]) == (["stays"], 3)
    assert output["parts"] == [{"text": TEXT, "n": 3}]


def test_any_suite_varies_its_longest_text() -> None:
    suite: Suite = Suite()
    suite.name = "any"
    output: dict[str, Any] = {"id": "x", "answer": {"text": "Forty-two, I think.", "sources": ["a", "b"]}}
    found = suite.variants(Case(id="1", title="", group="", data={}), output)
    assert all(one.output["answer"]["text"] != output["answer"]["text"] for one in found)
    assert not suite.variants(Case(id="1", title="", group="", data={}), {"score": 3})


def test_alerts_change_their_order_and_their_thresholds() -> None:
    raw = {
        "Scenario ID": "S1",
        "Description": "",
        "User Name": "Kim",
        "Positions JSON": json.dumps(
            [{"commodity_code": "CORN", "direction": "long", "volume": 100, "entry_price": 4.5}]
        ),
        "Prices JSON": json.dumps([{"commodity_code": "CORN", "price": 4.4}]),
        "Eval Type": "strict",
        "Ground Truth": json.dumps(
            {"commodity_code": "CORN", "expected_condition": "below", "price_min": 4.0, "price_max": 4.2}
        ),
    }
    case = Case(id="S1", title="", group="strict", data={"raw": raw})
    output = {"reasoning": "", "suggestions": ALERTS}
    found = {one.name: one for one in get_suite("commodity").variants(case, output)}
    assert found["order swap"].output["suggestions"] == ALERTS[::-1]
    changed = found["changed number"]
    assert (changed.verdict, changed.output["suggestions"][0]["threshold_price"]) == ("fail", 4.1 * 3)
    assert "order swap" not in {
        one.name for one in get_suite("commodity").variants(case, {"reasoning": "", "suggestions": ALERTS[:1]})
    }
