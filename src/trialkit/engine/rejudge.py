"""Judges recorded trials again: by another judge, another prompt, or the same one several times.

All verdicts are kept. The one that decides stays as it is; later ones are remarks of the kind `rejudged`, so that the
run replays as it was.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError, ReplayError
from trialkit.models import Traffic
from trialkit.runfile import Prompt, RecordedTrial, Remark, RunFile, ShortVerdict, TrialResult
from trialkit.settings import PerSession, RunSettings
from trialkit.suites import Bench, Suite, Trial, get_suite
from trialkit.text.plain import plain
from trialkit.vocabulary import Verdict

from .caller import StoppedError
from .revisit import Revisited, revisit
from .session import connect, read_settings
from .trial import LiveTrial

#: Prompts whose role begins so are the judge's; the subject's are not needed here, nor is its model.
_JUDGE = "judge"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejudged:
    judges: tuple[str, ...]
    known: int  # trials that had as many verdicts of these judges as were asked for
    unanswered: int  # trials without an answer to judge
    errors: int  # new verdicts that could not be had
    done: Revisited


def rejudge_run(path: Path, changes: Mapping[str, Any], judge_trials: int = 1) -> Rejudged:
    """`changes` are settings of the judge's. Afterwards each judge has `judge_trials` verdicts on every answered trial.

    What was recorded counts: a judge that has judged the run already is asked only for what is missing.
    """
    with RunFile(path) as run:
        info, rows, results, recorded = run.info(), run.trials(), run.results(), run.prompts()
    suite = get_suite(info.suite)
    settings = read_settings(suite, path, {**_of_the_run(suite, info.settings, changes), **changes})
    prompts = _judge_prompts(suite, settings, recorded, anew=any(name.endswith("_prompt") for name in changes))
    bench = suite.bench(settings, {prompt.role: prompt for prompt in prompts})
    if not bench.judges:
        raise InputError(f"{path}: by these settings nobody judges; name a judge")
    names = _names(bench, prompts, recorded)
    seeded = settings.seed is not None
    wanted = {trial.id: _wanted(trial, names, judge_trials, seeded=seeded) for trial in results}
    answered = [row for row in rows if row.ended is not None and row.output is not None]
    waiting = [row for row in answered if wanted[row.id].new]
    traffic = Traffic(settings.max_concurrency)
    connections = connect(bench, settings, traffic, judging=True)
    visit = _Visit(bench, names, wanted)
    done = revisit(
        path,
        waiting,
        visit,
        connections=connections,
        traffic=traffic,
        concurrency=settings.max_concurrency,
        max_cost=settings.max_cost,
    )
    return Rejudged(
        judges=names,
        known=len(answered) - len(waiting),
        unanswered=len(rows) - len(answered),
        errors=visit.errors,
        done=done,
    )


def _of_the_run(suite: Suite, settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Without what a suite asks for again in every session, such as hidden headers: they are the subject's.

    Nor with the kind of judge, if another model or prompt of the judge's is named: it must not stay the rules.
    """
    fields = suite.settings.model_fields
    passing = {name for name, field in fields.items() if any(isinstance(mark, PerSession) for mark in field.metadata)}
    own = passing - RunSettings.model_fields.keys()
    if _JUDGE not in changes and any(name.startswith(f"{_JUDGE}_") for name in changes):
        own |= {_JUDGE}
    kept = {name: value for name, value in settings.items() if name not in own}
    return kept | ({"skip_judge": False} if "skip_judge" in kept else {}) | {"max_cost": None}


def _judge_prompts(suite: Suite, settings: RunSettings, recorded: Sequence[Prompt], *, anew: bool) -> list[Prompt]:
    """Those that these settings take: as the run has them, or read `anew` where another version is asked for."""
    before = {prompt.role: prompt for prompt in recorded}
    taken = [prompt for prompt in suite.load(settings).prompts if prompt.role.startswith(_JUDGE)]
    return [prompt if anew else before.get(prompt.role, prompt) for prompt in taken]


def _names(bench: Bench, prompts: Sequence[Prompt], recorded: Sequence[Prompt]) -> tuple[str, ...]:
    """A version whose text was changed since is another judge: the hash tells it apart."""
    before = {(prompt.role, prompt.version): prompt.hash for prompt in recorded}
    changed = [prompt for prompt in prompts if before.get((prompt.role, prompt.version), prompt.hash) != prompt.hash]
    return tuple(
        f"{name}#{prompt.hash[:8]}"
        if (prompt := next((one for one in changed if name.endswith(f"@{one.version}")), None))
        else name
        for name in bench.judges
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Wanted:
    known: int  # verdicts whose replies the recording may hold
    new: int


def _wanted(trial: TrialResult, names: Sequence[str], judge_trials: int, *, seeded: bool) -> _Wanted:
    """By the judge that has the fewest verdicts; an error is none."""
    told = [one for one in trial.verdicts if one.outcome != "error"]
    # A later request carries no seed, so it is another than the one that the run recorded.
    known = [one for one in told if one.later or not seeded]
    return _Wanted(known=_fewest(known, names), new=max(0, judge_trials - _fewest(told, names)))


def _fewest(said: Sequence[ShortVerdict], names: Sequence[str]) -> int:
    told = Counter(one.judge for one in said)
    return min(told[name] for name in names)


class _Visit:
    def __init__(self, bench: Bench, names: Sequence[str], wanted: Mapping[int, _Wanted]) -> None:
        self._bench = bench
        self._names = names
        self._wanted = wanted
        self.errors = 0

    async def __call__(self, trial: LiveTrial, row: RecordedTrial) -> Remark:
        """One remark for all rounds: a trial that is asked the same again draws a new sample."""
        wanted = self._wanted[row.id]
        known, rounds = 0, list[list[Verdict]]()
        while len(rounds) < wanted.new:
            asked, sent = trial.asked, trial.sent
            verdicts = await self._judge(trial, row)
            failed = any(verdict.outcome == "error" for verdict in verdicts)
            # What the recording alone answers was noted before, unless the process was killed between reply and note.
            if trial.asked > asked and trial.sent == sent and (failed or known < wanted.known):
                known += not failed
            else:
                rounds.append(verdicts)
        new = [verdict for verdicts in rounds for verdict in verdicts]
        self.errors += sum(verdict.outcome == "error" for verdict in new)
        return Remark(kind="rejudged", author=", ".join(self._names), data={"verdicts": list(map(_data, new))})

    async def _judge(self, trial: Trial, row: RecordedTrial) -> list[Verdict]:
        try:
            verdicts = await self._bench.judge(trial, row.output or {})
        except StoppedError:
            raise
        except ReplayError as error:
            return self._no_verdict(str(error))
        except Exception as error:  # noqa: BLE001  # a suite's fault is this verdict's error, not the end of the rest
            return self._no_verdict(f"the judge crashed: {type(error).__name__}: {error}")
        return [_renamed(verdict, name) for verdict, name in zip(verdicts, self._names, strict=True)]

    def _no_verdict(self, critique: str) -> list[Verdict]:
        return [Verdict(judge=name, outcome="error", critique=critique) for name in self._names]


def _renamed(verdict: Verdict, name: str) -> Verdict:
    return Verdict(**(plain(verdict) | {"judge": name}))


def _data(verdict: Verdict) -> dict[str, Any]:
    return plain(verdict) | {"findings": [plain(one) for one in verdict.findings], "details": dict(verdict.details)}
