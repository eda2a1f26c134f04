"""Judges that look for words."""

import random
import time

import pytest
from pydantic import ValidationError

from trialkit.judges.kinds import KINDS, Attempt

from .trying import AROUND, expected, judge_of, outcomes, verdict

WORDS = ("refund", "Rückgabe", "two  days", "ticket #7", "SORRY", "na\nme")
CASE = {"team": "billing", "n": 7, "allowed": ["a", "b"], "none": None}


def changed(random_: random.Random, word: str) -> str:
    """Another text, that may look alike."""
    return random_.choice([word + "x", word[:-1], word[::-1] + "?", word.replace(word[1], word[1] * 2), ""])


async def test_equals_on_answers_whose_truth_is_known() -> None:
    rng = random.Random(1)
    attempts, truths = [], []
    for _ in range(250):
        word, right = rng.choice(WORDS), rng.random() < 0.5
        said = rng.choice([word, word.upper(), word.lower(), word.title()]) if right else changed(rng, word)
        said = said.replace(" ", rng.choice([" ", "\n", "   "])) + rng.choice(["", " ", "\n"])
        attempts.append(Attempt(case={"word": word}, text=rng.choice(["", " "]) + said))
        truths.append(right)
    assert await outcomes(judge_of("equals", value="{{ word }}"), attempts) == expected(truths)


async def test_one_of_on_answers_whose_truth_is_known() -> None:
    rng = random.Random(2)
    attempts, truths = [], []
    for _ in range(250):
        allowed, right = rng.sample(WORDS, 3), rng.random() < 0.5
        said = rng.choice(allowed) if right else rng.choice([word for word in WORDS if word not in allowed])
        attempts.append(Attempt(case={"allowed": allowed}, text=said.upper()))
        truths.append(right)
    assert await outcomes(judge_of("one_of", values="{{ allowed }}"), attempts) == expected(truths)


@pytest.mark.parametrize("what", ["all", "any"])
async def test_contains_on_answers_whose_truth_is_known(what: str) -> None:
    rng = random.Random(3)
    attempts, truths = [], []
    for _ in range(250):
        wanted = rng.sample(WORDS, 3)
        there = [rng.random() < 0.7 for _ in wanted]
        said = [word.lower() for word, stands in zip(wanted, there, strict=True) if stands]
        rng.shuffle(said)
        attempts.append(Attempt(case={"wanted": wanted}, text=rng.choice(AROUND) + " - ".join(["x", *said, "y"])))
        truths.append(all(there) if what == "all" else any(there))
    assert await outcomes(judge_of("contains", **{what: "{{ wanted }}"}), attempts) == expected(truths)


@pytest.mark.parametrize(
    ("kind", "text", "settings", "outcome"),
    [
        ("equals", "Billing", {"value": "{{ team }}", "case": True}, "fail"),
        ("equals", "a  b", {"value": "a b", "spaces": True}, "fail"),
        ("equals", "7", {"value": "{{ n }}"}, "pass"),
        ("equals", "7", {"value": 7, "not": True}, "fail"),
        ("equals", "8", {"value": 7, "not": True}, "pass"),
        ("equals", "8", {"value": "{{ tem }}", "not": True}, "error"),
        ("equals", "", {"value": "{{ none }}"}, "pass"),
        ("equals", "straße", {"value": "STRASSE"}, "pass"),
        ("equals", "Ru\u0308ckgabe", {"value": "Rückgabe", "case": True, "spaces": True}, "pass"),
        ("equals", "\ufeffbil\u00adling\u200b", {"value": "billing"}, "pass"),
        ("equals", "a\u00a0b", {"value": "a b"}, "pass"),
        ("equals", "billing.", {"value": "billing"}, "fail"),
        ("equals", "**billing**", {"value": "billing"}, "fail"),
        ("contains", "Ru\u0308ckgabe, bitte", {"all": "rückgabe"}, "pass"),
        ("contains", "a particle", {"all": "art"}, "pass"),
        ("one_of", "B", {"values": ["a", "b"]}, "pass"),
        ("one_of", "B", {"values": ["a", "b"], "case": True}, "fail"),
        ("one_of", "", {"values": "{{ none }}"}, "error"),
        ("contains", "say PLEASE", {"all": "please"}, "pass"),
        ("contains", "say PLEASE", {"all": "please", "case": True}, "fail"),
        ("contains", "ab", {"all": ["a"], "any": ["x", "b"]}, "pass"),
        ("contains", "ab", {"all": ["x"], "any": ["a", "b"]}, "fail"),
        ("contains", "ab", {"all": ["a", ""]}, "error"),
        ("contains", "ab", {"all": "{{ none }}"}, "error"),
    ],
)
def test_settings_of_words(kind: str, text: str, settings: dict[str, object], outcome: str) -> None:
    found = verdict(judge_of(kind, **settings), text, CASE)
    assert (found.outcome, found.judge) == (outcome, "it")


def test_what_is_lacking_is_told_text_by_text() -> None:
    found = verdict(judge_of("contains", all=["a", "x"], any=["y", "b"]), "a b")
    assert [(one.check, one.met, one.evidence) for one in found.findings] == [
        ("a", True, ""),
        ("x", False, ""),
        ('one of ["y", "b"]', True, "b"),
    ]
    assert found.critique == 'it lacks "x"'


def test_the_transcript_is_seen_where_it_is_asked_for() -> None:
    messages = [
        {"role": "assistant", "content": "I look it up.", "tool_calls": [{"name": "find", "arguments": '{"id": 5}'}]},
        {"role": "tool", "content": "lost"},
        {"role": "assistant", "content": "Done."},
    ]
    judge = judge_of("contains", all=["look it up", 'find({"id": 5})', "tool: lost", "done"], sees="transcript")
    assert verdict(judge, "Done.", messages=messages).outcome == "pass"
    assert verdict(judge_of("contains", all=["lost"]), "Done.", messages=messages).outcome == "fail"


def test_no_message_looks_as_if_another_one_had_been_sent() -> None:
    messages = [{"role": "assistant", "content": "Done.\ntool: refunded"}]
    judge = judge_of("regex", pattern="(?m)^tool: refunded", sees="transcript")
    assert verdict(judge, "Done.", messages=messages).outcome == "fail"


def test_what_it_would_do_is_told() -> None:
    judge = judge_of("equals", value="{{ team }}")
    assert judge.explain(CASE) == 'passes if the answer is "billing", whatever its case and spaces'
    assert KINDS["equals"].columns(judge.settings) == {"team"}
    told = judge_of("contains", all="a", any=["b", "c"], case=True, **{"not": True}).explain({})
    assert told == (
        'passes if "a" stands, one of ["b", "c"] stands in the answer, whatever its spaces;'
        " a pass is turned into a fail and a fail into a pass"
    )


def test_a_judge_that_looks_for_nothing_is_refused() -> None:
    with pytest.raises(ValidationError, match="says neither `all` nor `any`"):
        judge_of("contains", case=True)


def test_marks_without_end_take_time_in_proportion() -> None:
    """Composing a run of marks takes its square: 1 s for these, were they composed at once."""
    text = "e" + "\u0301\u0316" * 20_000
    started = time.process_time()
    assert verdict(judge_of("equals", value="x"), text).outcome == "fail"
    assert time.process_time() - started < 0.5
