"""The judge of a classification."""

import json
import random
from typing import Any

import pytest

from trialkit.errors import InputError
from trialkit.judges.kinds import Attempt, NamedJudge

from .trying import AROUND, expected, judge_of, outcomes, verdict

TEAMS = ("billing", "billing dispute", "Tech Support", "c++", "other")
CASES = [{"team": team} for team in TEAMS]


def prepared(**settings: Any) -> NamedJudge:
    return judge_of("label", value="{{ team }}", **settings).prepared(CASES)


async def test_labels_whose_truth_is_known() -> None:
    rng = random.Random(11)
    attempts, truths = [], []
    for _ in range(300):
        team, other = rng.sample(TEAMS, 2)
        right = rng.random() < 0.6
        named = team if right else other
        text = (
            rng.choice(AROUND) + rng.choice([named, named.upper(), named.title()]) + rng.choice(["", ".", "**", "!\n"])
        )
        if rng.random() < 0.3:
            text = f"It might be {rng.choice(TEAMS)}, but hardly {rng.choice(TEAMS)}.\n{text}"
        attempts.append(Attempt(case={"team": team.upper()}, text=text))
        truths.append(right)
    assert await outcomes(prepared(), attempts) == expected(truths)


async def test_labels_in_json_whose_truth_is_known() -> None:
    rng = random.Random(12)
    attempts, truths = [], []
    for _ in range(250):
        team, other = rng.sample(TEAMS, 2)
        right = rng.random() < 0.6
        text = json.dumps({"why": f"not {team}, not {other}", "to": {"team": team if right else other}})
        attempts.append(Attempt(case={"team": team}, text=text))
        truths.append(right)
    assert await outcomes(prepared(path="to.team"), attempts) == expected(truths)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("billing or other", None),
        ("no idea", None),
        ("rebilling, others", None),
        ("a billing\ndispute", "billing"),
        ("billing  dispute", "billing dispute"),
        ("other\n\nThank you!", "other"),
        ("", None),
        ("Team: _billing_", "billing"),
        ("**`BILLING`**", "billing"),
        ("pre_billing billing_2", None),
        ("c++!", "c++"),
        ('{"team": "other"}', "other"),
    ],
)
def test_what_is_named(text: str, said: str | None) -> None:
    found = verdict(prepared(), text, {"team": "other"})
    assert found.details == {"truth": "other", "said": said}
    assert found.outcome == ("pass" if said == "other" else "fail")


def test_other_words_for_a_class() -> None:
    judge = judge_of("label", value="{{ team }}", classes={"a": ["B1", "billing"], "b": "tech", "c": None})
    assert verdict(judge, "I say: b1", {"team": "A"}).details == {"truth": "a", "said": "a"}
    assert verdict(judge, "tech", {"team": "billing"}).details == {"truth": "a", "said": "b"}


def test_classes_are_those_of_all_cases_or_as_listed() -> None:
    assert judge_of("label", value="{{ team }}", classes=[1, True]).settings.classes == {"1": (), "true": ()}
    assert prepared().explain(CASES[0]) == (
        "passes if of the classes billing, billing dispute, Tech Support, c++, other the answer names billing"
        " in its last line that names one"
    )


@pytest.mark.parametrize(
    ("settings", "cases", "said"),
    [
        ({}, [{"team": "a"}, {"team": " A"}], "there is but one class"),
        ({}, [{"team": str(number)} for number in range(101)], '101 classes, such as ["0", "1", "2"], are too many'),
        ({"classes": ["a", "b"]}, [{"team": "a"}, {"team": "x"}], '"x" is none of the classes a, b'),
        ({}, [{"tem": "a"}], 'did you mean "tem"?'),
    ],
)
def test_cases_that_do_not_fit_are_told(settings: dict[str, Any], cases: list[dict[str, Any]], said: str) -> None:
    def held_against_all() -> None:
        judge = judge_of("label", value="{{ team }}", **settings).prepared(cases)
        judge.kind.check(judge.settings, cases[-1])

    with pytest.raises(InputError) as caught:
        held_against_all()
    assert said in str(caught.value)


def test_json_without_the_class_names_none() -> None:
    judge = prepared(path="team")
    for text in ("no JSON", "{}", '{"team": ["other"]}', '{"team": "others"}'):
        assert verdict(judge, text, {"team": "other"}).details["said"] is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("请查账单吧", "账单"), ("类别\uff1a账单", "账单"), ("RU\u0308CKGABE", "Rückgabe"), ("Rückgaben", None)],
)
def test_names_of_other_scripts(text: str, said: str | None) -> None:
    judge = judge_of("label", value="Rückgabe", classes=["Rückgabe", "账单"])
    assert verdict(judge, text).details["said"] == said
