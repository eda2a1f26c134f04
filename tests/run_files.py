"""Run files for the tests: made whole, as if a run had ended, without running anything."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trialkit.runfile import Event, Header, ModelInUse, PlannedTrial, Prompt, TrialRecord, create_run
from trialkit.vocabulary import PASS, Case, JudgeInUse, Measure, Outcome, Verdict

REWARD = Measure(name="reward", low=0, high=1)
STARTED = "2026-01-01T00:00:00.000+00:00"


def case(case_id: str, group: str = "test", **data: Any) -> Case:
    return Case(id=case_id, title=f"Title of {case_id}", group=group, data=data)


def verdict(outcome: Outcome, critique: str = "As it is.", judge: str = "rules", **parts: Any) -> Verdict:
    return Verdict(judge=judge, outcome=outcome, critique=critique, **parts)


def ended(
    *verdicts: Verdict, output: Mapping[str, Any] | None = None, error: str | None = None, elapsed_s: float = 1.0
) -> TrialRecord:
    return TrialRecord(
        output=output,
        verdicts=verdicts,
        events=(Event(kind="message", data={"role": "user", "text": "Hello."}),),
        error_kind="timeout" if error else None,
        error=error,
        started=STARTED,
        elapsed_s=elapsed_s,
    )


def conversation(
    outcome: Outcome, *, turns: int = 3, steps: int = 9, end: str = "user_stop", failure: str = "missing_write"
) -> TrialRecord:
    """A tau trial as its bench leaves it; `failure` is its class if it failed."""
    output = {
        "end": end,
        "actions": [],
        "observations": [],
        "steps": steps,
        "turns": turns,
        "notes": [],
        "messages": [],
    }
    passed = outcome == "pass"
    details = {
        "reward": float(passed),
        "success_turn": turns if passed else None,
        "breakdown": None if passed else {"class": failure, "evidence": []},
    }
    said = f"The outcome is {outcome}."
    return ended(verdict(outcome, said, "environment", score=float(passed), details=details), output=output)


def write_run(
    path: Path,
    trials: Mapping[Case, Sequence[TrialRecord | None]] | Sequence[tuple[Case, Sequence[TrialRecord | None]]],
    *,
    suite: str = "unknown-suite",
    subject: str = "subject",
    settings: Mapping[str, Any] | None = None,
    models: Sequence[ModelInUse] = (),
    measures: Sequence[Measure] = (PASS, REWARD),
    judges: Sequence[JudgeInUse] = (),
) -> Path:
    """Each case with its trials; None is one that has not run yet."""
    pairs = list(trials.items()) if isinstance(trials, Mapping) else list(trials)
    header = Header(
        suite=suite,
        subject=subject,
        settings=settings or {},
        versions={"data": "1"},
        prompts=(Prompt(role="agent", version="v1", hash="0" * 64, text="Be good."),),
        models=tuple(models),
        measures=tuple(measures),
        judges=tuple(judges),
    )
    planned = [
        PlannedTrial(case_id=one.id, number=number, ended=record)
        for one, records in pairs
        for number, record in enumerate(records, start=1)
    ]
    create_run(path, header, [one for one, _ in pairs], planned)
    return path
