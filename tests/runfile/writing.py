"""What tests put into run files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trialkit.models import Reply
from trialkit.runfile import (
    CallRecord,
    Header,
    ModelInUse,
    PlannedTrial,
    Prompt,
    RunWriter,
    TrialRecord,
    create_run,
)
from trialkit.vocabulary import Case, Outcome, Verdict


def header(**settings: Any) -> Header:
    return Header(
        suite="s",
        subject="m",
        settings=settings,
        versions={"trialkit": "0"},
        prompts=(Prompt(role="judge", version="v1", hash="h", text="Judge."),),
        models=(ModelInUse(role="judge", name="n", endpoint="e", key="k"),),
    )


def case(name: str = "a") -> Case:
    return Case(id=name, title="t", group="g", data={"x": 1})


def call(trial_id: int, reply: Reply | None, key: str = "r", **more: Any) -> CallRecord:
    facts: dict[str, Any] = {
        "error_kind": None,
        "error": None,
        "attempts": 1,
        "latency_s": 0.5,
        "source": "live",
        "nth": 0,
    }
    if reply is not None:
        usage = reply.usage
        facts["cost"] = reply.cost
        facts |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens} if usage else {}
    return CallRecord(
        trial_id=trial_id, phase="attempt", role="agent", model="n", request_key=key, reply=reply, **{**facts, **more}
    )


async def write(path: Path, trials: Sequence[tuple[int, TrialRecord]], calls: Sequence[CallRecord] = ()) -> None:
    writer = RunWriter(path)
    await writer.start()
    for record in calls:
        await writer.call(record)
    for trial_id, trial in trials:
        writer.begin(trial_id)
        await writer.trial(trial_id, trial, session_s=1.0)
    await writer.finish("done", "", session_s=2.0)


def planned(path: Path, trials: int = 1, cases: Sequence[str] = ("a",)) -> Path:
    """A run file in which nothing has run yet."""
    create_run(
        path,
        header(),
        [case(name) for name in cases],
        [PlannedTrial(case_id=name, number=number) for number in range(1, trials + 1) for name in cases],
    )
    return path


def ended(outcome: Outcome = "pass", judge: str = "j", **more: Any) -> TrialRecord:
    verdict = Verdict(judge=judge, outcome=outcome, critique="so", **more)
    return TrialRecord(
        output={"text": "x"}, verdicts=(verdict,), started="2026-01-01T00:00:00.000+00:00", elapsed_s=1.5
    )
