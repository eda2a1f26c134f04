"""Judges recorded trials again: by another judge, another prompt, or the same one several times.

All verdicts are kept. The one that decides stays as it is; later ones are remarks of the kind `rejudged`, so that the
run replays as it was.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trialkit.errors import InputError
from trialkit.models import Traffic
from trialkit.runfile import Prompt, RecordedTrial, Remark, RunFile, ShortVerdict, TrialResult, refuse_going_on
from trialkit.settings import PromptOf, RunSettings, marked
from trialkit.suites import Suite, get_suite
from trialkit.text.plain import plain
from trialkit.vocabulary import JudgeInUse, Verdict

from .connect import connected
from .executor import judged
from .interrupt import blocking
from .revisit import Revisited, revisit
from .session import read_settings
from .setup import Setup
from .trial import LiveTrial


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejudged:
    judges: tuple[str, ...]
    known: int  # trials that had as many verdicts of these judges as were asked for
    unanswered: int  # trials without an answer to judge
    errors: int  # new verdicts that could not be had
    done: Revisited


def rejudge_run(path: Path, changes: Mapping[str, object], judge_trials: int = 1) -> Rejudged:
    return blocking(rejudge(path, changes, judge_trials))


async def rejudge(path: Path, changes: Mapping[str, object], judge_trials: int = 1) -> Rejudged:
    """`changes` are settings of the judge's. Afterwards each judge has `judge_trials` verdicts on every answered trial.

    What was recorded counts: a judge that has judged the run already is asked only for what is missing.
    """
    refuse_going_on(path)
    with RunFile(path) as run:
        info, rows, results, recorded = run.info(), run.trials(), run.results(), run.prompts()
    suite = get_suite(info.suite)
    settings = read_settings(suite, path, suite.rejudge_settings({**info.settings, "max_cost": None}, changes))
    prompts = _prompts(suite, settings, recorded, changes)
    setup = Setup.of(suite, settings, prompts)
    if not setup.judges:
        raise InputError(f"{path}: by these settings nobody judges; name a judge")
    names = tuple(_name(judge, prompts, recorded) for judge in setup.judges)
    seeded = settings.seed is not None
    wanted = {trial.id: _wanted(trial, names, judge_trials, seeded=seeded) for trial in results}
    answered = [row for row in rows if row.ended is not None and row.output is not None]
    waiting = [row for row in answered if wanted[row.id].new]
    traffic = Traffic(settings.max_concurrency)
    judging = {name: role for name, role in setup.roles().items() if role.phase == "judge"}
    visit = _Rejudging(setup, names, wanted)
    async with connected(judging, settings, traffic) as peers:
        done = await revisit(
            path, waiting, visit, settings=settings, prompts=setup.prompts, peers=peers, traffic=traffic
        )
    return Rejudged(
        judges=names,
        known=len(answered) - len(waiting),
        unanswered=len(rows) - len(answered),
        errors=visit.errors,
        done=done,
    )


def _prompts(
    suite: Suite, settings: RunSettings, recorded: Sequence[Prompt], changes: Mapping[str, object]
) -> Sequence[Prompt]:
    """The judges': as the run has them, or read anew where a version is asked for or the run has none."""
    before = {prompt.role: prompt for prompt in recorded}
    wanted = {mark.role for name, mark in marked(suite.settings, PromptOf).items() if name in changes}
    judging = {role for one in suite.roles(settings, before).values() if one.phase == "judge" for role in one.prompts}
    if judging and judging <= before.keys() and not judging & wanted:
        return [before[role] for role in judging]
    return suite.judge_prompts(settings)


def _name(judge: JudgeInUse, prompts: Sequence[Prompt], recorded: Sequence[Prompt]) -> str:
    """A version whose text was changed since is another judge: the hash tells it apart."""
    before = {(prompt.role, prompt.version): prompt.hash for prompt in recorded}
    changed = any(
        prompt.hash == judge.prompt_hash != before.get((prompt.role, prompt.version), prompt.hash) for prompt in prompts
    )
    return f"{judge.name}#{judge.prompt_hash[:8]}" if changed and judge.prompt_hash else judge.name


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


class _Rejudging:
    def __init__(self, setup: Setup, names: Sequence[str], wanted: Mapping[int, _Wanted]) -> None:
        self._setup = setup
        self._names = names
        self._wanted = wanted
        self.errors = 0

    async def __call__(self, trial: LiveTrial, row: RecordedTrial) -> Remark:
        """One remark for all rounds: a trial that is asked the same again draws a new sample."""
        wanted = self._wanted[row.id]
        known, rounds = 0, list[list[Verdict]]()
        while len(rounds) < wanted.new:
            asked, fresh = trial.asked, trial.fresh
            verdicts = await self._judge(trial, row)
            failed = any(verdict.outcome == "error" for verdict in verdicts)
            # What the recording alone answers was noted before, unless the process was killed between reply and note.
            if trial.asked > asked and trial.fresh == fresh and (failed or known < wanted.known):
                known += not failed
            else:
                rounds.append(verdicts)
        new = [verdict for verdicts in rounds for verdict in verdicts]
        self.errors += sum(verdict.outcome == "error" for verdict in new)
        return Remark(kind="rejudged", author=", ".join(self._names), data={"verdicts": list(map(_data, new))})

    async def _judge(self, trial: LiveTrial, row: RecordedTrial) -> list[Verdict]:
        verdicts = await judged(self._setup, trial, row.output or {})
        return [replace(verdict, judge=name) for verdict, name in zip(verdicts, self._names, strict=True)]


def _data(verdict: Verdict) -> dict[str, object]:
    return plain(verdict) | {"findings": [plain(one) for one in verdict.findings], "details": dict(verdict.details)}
