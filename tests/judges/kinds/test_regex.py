"""The judge of a pattern: what it finds, and that no pattern stalls anything."""

import asyncio
import random
import time
from contextlib import suppress

import pytest
from pydantic import ValidationError

from trialkit.errors import InputError
from trialkit.judges.kinds import Attempt
from trialkit.judges.kinds.apart import SECONDS, apart

from .trying import AROUND, Nobody, expected, judge_of, outcomes, verdict

#: Each takes time without end on its text.
HOSTILE = (
    ("(a+)+$", "a" * 60 + "!"),
    (r"(\w+\s?)*$", "aaaa " * 2000 + "!"),
    ("(a|aa)+b", "a" * 200),
    ("(.*)*(.*)*x", "y" * 3000),
    ("(?:(?:a{0,9}){0,9}){0,9}b", "a" * 3000),
)


async def test_patterns_whose_truth_is_known() -> None:
    rng = random.Random(6)
    attempts, truths = [], []
    for _ in range(250):
        number, right = f"{rng.randint(1000, 9999)}", rng.random() < 0.5
        said = (
            f"RF-{number}"
            if right
            else rng.choice([f"RF{number}", f"rf-{number}", f"RF-{number[:3]}", f"RF-{number}0"])
        )
        attempts.append(Attempt(case={}, text=f"{rng.choice(AROUND)}Your refund {said}."))
        truths.append(right)
    assert await outcomes(judge_of("regex", pattern=r"\bRF-[0-9]{4}\b"), attempts) == expected(truths)


def test_a_value_inside_of_a_pattern_stands_for_itself() -> None:
    judge = judge_of("regex", pattern=r"\({{ part }}\)$")
    assert verdict(judge, "(a.c)", {"part": "a.c"}).outcome == "pass"
    assert verdict(judge, "(abc)", {"part": "a.c"}).outcome == "fail"
    whole = judge_of("regex", pattern="{{ part }}", case=False)
    assert verdict(whole, "ABC", {"part": "a.c"}).critique == 'it says "ABC"'
    found = verdict(whole, "ABC", {"part": "a("})
    assert (found.outcome, "is no regular expression" in found.critique) == ("error", True)
    assert judge.explain({"part": "a.c"}) == r"passes if the pattern \(a\.c\)$ is found in the answer"


def test_a_pattern_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValidationError, match="this is no regular expression"):
        judge_of("regex", pattern="a(")


@pytest.mark.parametrize(("pattern", "text"), HOSTILE[:1])
async def test_a_pattern_without_end_is_an_error_and_the_others_go_on(pattern: str, text: str) -> None:
    hostile, tame = judge_of("regex", pattern=pattern), judge_of("regex", pattern="b$")
    gaps, ended = list[float](), asyncio.Event()

    async def watch() -> None:
        while not ended.is_set():
            at = time.perf_counter()
            await asyncio.sleep(0.01)
            gaps.append(time.perf_counter() - at)

    async def try_all() -> list[str]:
        attempt = Attempt(case={}, text=text)
        found = await asyncio.gather(
            *(hostile.verdict(Nobody(), attempt) for _ in range(2)),
            *(tame.verdict(Nobody(), Attempt(case={}, text="ab")) for _ in range(20)),
        )
        ended.set()
        return [one.outcome for one in found]

    started = time.perf_counter()
    found, _ = await asyncio.gather(try_all(), watch())
    assert found == ["error"] * 2 + ["pass"] * 20
    assert time.perf_counter() - started < 3 * SECONDS
    assert max(gaps) < 0.5 * SECONDS  # the event loop was never held


async def test_no_text_makes_a_search_longer_than_its_limit() -> None:
    """Texts that grow: with time in proportion or without end, whatever comes first."""

    async def seconds(pattern: str, text: str) -> float:
        started = time.perf_counter()
        with suppress(InputError):
            await apart({"do": "search", "pattern": pattern, "text": text, "flags": 0})
        return time.perf_counter() - started

    assert max(await asyncio.gather(*(seconds(*one) for one in HOSTILE[1:]))) < 2 * SECONDS
    assert await seconds("x$", "xy" * 500_000) < SECONDS
