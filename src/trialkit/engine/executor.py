"""Where trials run: an executor takes a job and gives its record. Whatever happens in the trial ends in the record."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Protocol, SupportsFloat, get_args

from trialkit.runfile import TrialRecord, now
from trialkit.text.json import dump, parse
from trialkit.vocabulary import Finding, Outcome, Verdict, checked

from .calls import Calls
from .guard import Fault, guarded
from .job import Job
from .setup import Setup
from .trial import LiveTrial

_LARGEST_INT = 2**63  # that SQLite holds
_WHY = {"crash": "the judge crashed: ", "replay": "", "judge": "no verdict could be had: "}


class Executor(Protocol):
    async def run(self, job: Job) -> TrialRecord:
        """Raises `StoppedError` where the run ends before the trial does."""

    async def aclose(self) -> None: ...


class LocalExecutor:
    """In this process and its event loop."""

    def __init__(self, setup: Setup, calls: Calls) -> None:
        self._setup = setup
        self._calls = calls
        self._options = setup.options()

    async def run(self, job: Job) -> TrialRecord:
        started, begun, setup = now(), perf_counter(), self._setup
        trial = LiveTrial(
            job,
            self._calls,
            settings=setup.settings,
            prompts=setup.prompts,
            options=self._options,
            seed=setup.settings.seed,
        )
        done = job.output if job.output is not None else await guarded(_output(setup, trial))
        if isinstance(done, Fault):
            fault, output = done, None
            trial.note_crash(fault)
            verdicts = no_verdict(setup, f"no answer to judge: {fault.message}")
        else:
            fault, output = None, done
            trial.phase = "judge"
            verdicts = await judged(setup, trial, output)
        return TrialRecord(
            output=output,
            verdicts=tuple(verdicts),
            error_kind=fault.kind if fault else None,
            error=fault.message if fault else None,
            started=started,
            elapsed_s=perf_counter() - begun,
        )

    async def aclose(self) -> None:
        """Nothing was opened."""


async def _output(setup: Setup, trial: LiveTrial) -> Mapping[str, object]:
    output = await setup.runner.attempt(trial)
    if not isinstance(output, Mapping):
        raise TypeError(f"the attempt gave {output!r:.60}, not an output as a mapping")
    try:
        kept: Mapping[str, object] = parse(dump(dict(output)), finite=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"the attempt gave an output that is no JSON data: {error}") from None
    return kept  # judged as it is kept, so that a later judge sees the same


async def judged(setup: Setup, trial: LiveTrial, output: Mapping[str, object]) -> list[Verdict]:
    """A verdict of each judge; a judge that failed gives an error, never a fail."""
    found = await guarded(_verdicts(setup, trial, output))
    if not isinstance(found, Fault):
        return found
    trial.note_crash(found)
    return no_verdict(setup, _WHY.get(found.kind, "the judge gave no reply: ") + found.message)


def no_verdict(setup: Setup, critique: str) -> list[Verdict]:
    return [Verdict(judge=judge.name, outcome="error", critique=critique) for judge in setup.judges]


async def _verdicts(setup: Setup, trial: LiveTrial, output: Mapping[str, object]) -> list[Verdict]:
    said = await setup.runner.judge(trial, output)
    verdicts = [said] if isinstance(said, Verdict) else said
    if not isinstance(verdicts, Sequence) or not all(isinstance(verdict, Verdict) for verdict in verdicts):
        raise TypeError(f"the judge gave {said!r:.60}, not a Verdict or a list of them")
    if len(verdicts) != len(setup.judges):
        names = ", ".join(judge.name for judge in setup.judges) or "nobody"
        raise ValueError(f"{len(verdicts)} verdicts came of these judges: {names}")
    named = [
        verdict if verdict.judge else replace(verdict, judge=judge.name)
        for verdict, judge in zip(verdicts, setup.judges, strict=True)
    ]
    for verdict, judge in zip(named, setup.judges, strict=True):
        if verdict.judge != judge.name:
            raise ValueError(f"a verdict is signed by {verdict.judge!r:.60}, where the judge is {judge.name!r}")
        _check_kept(verdict)
    return checked([_in_plain_numbers(verdict) for verdict in named], setup.suite.measures)


def _check_kept(verdict: Verdict) -> None:
    """Raises where the run file could not hold it: that would end the run, not the trial."""
    if verdict.outcome not in get_args(Outcome):
        raise ValueError(f"the outcome is {verdict.outcome!r:.60}, none of {', '.join(get_args(Outcome))}")
    if not isinstance(verdict.critique, str):
        raise TypeError(f"the critique is {verdict.critique!r:.60}, not a text")
    if not all(map(_is_finding, verdict.findings)):
        raise TypeError(f"the findings are {verdict.findings!r:.60}, not a tuple of Finding, in texts")
    if not verdict.details:
        return
    try:
        parse(dump(dict(verdict.details)), finite=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"the verdict holds what is no JSON data: {error}") from None


def _in_plain_numbers(verdict: Verdict) -> Verdict:
    """Numbers of NumPy, and very large ones, would be kept as bytes, or not at all. Raises where a score is none."""
    if verdict.score is None and not verdict.scores:
        return verdict
    score = None if verdict.score is None else _number(verdict.score)
    return replace(verdict, score=score, scores={name: _number(value) for name, value in verdict.scores.items()})


def _number(value: object) -> float:
    if isinstance(value, int) and abs(value) < _LARGEST_INT:
        return value
    if not isinstance(value, SupportsFloat):
        raise TypeError(f"a score is {value!r:.60}, not a number")
    return float(value)


def _is_finding(value: object) -> bool:
    if not isinstance(value, Finding):
        return False
    return (
        isinstance(value.check, str)
        and isinstance(value.evidence, str)
        and (value.met is None or isinstance(value.met, bool))
    )
