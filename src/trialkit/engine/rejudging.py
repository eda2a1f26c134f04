"""Judges recorded trials again: by another judge, another prompt, or the same one several times.

All verdicts are kept. The one that decides stays as it is; later ones are remarks of the kind `rejudged`, so that the
run replays as it was.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.runfile import RecordedTrial, Remark, RunFile, ShortVerdict, TrialResult
from trialkit.suites import changes_since
from trialkit.text.plain import plain
from trialkit.vocabulary import Verdict

from .interrupt import blocking
from .panel import Panel
from .revisiting import Revisited
from .trial import LiveTrial


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejudged:
    judges: tuple[str, ...]
    known: int  # trials that had as many verdicts of these judges as were asked for
    unanswered: int  # trials without an answer to judge
    errors: int  # new verdicts that could not be had
    done: Revisited
    notices: Sequence[str] = ()  # of files that judge and are not as they were


def rejudge_run(path: Path, changes: Mapping[str, object], judge_trials: int = 1) -> Rejudged:
    return blocking(rejudge(path, changes, judge_trials))


async def rejudge(path: Path, changes: Mapping[str, object], judge_trials: int = 1) -> Rejudged:
    """`changes` are settings of the judge's. Afterwards each judge has `judge_trials` verdicts on every answered trial.

    What was recorded counts: a judge that has judged the run already is asked only for what is missing.
    """
    panel = Panel.of(path, changes)
    with RunFile(path) as run:
        results, info = run.results(), run.info()
    seeded = panel.setup.settings.seed is not None
    wanted = {trial.id: _wanted(trial, panel.names, judge_trials, seeded=seeded) for trial in results}
    waiting = [row for row in panel.answered if wanted[row.id].new]
    visit = _Rejudging(panel, wanted)
    done = await panel.visit(waiting, visit)
    return Rejudged(
        judges=panel.names,
        known=len(panel.answered) - len(waiting),
        unanswered=len(results) - len(panel.answered),
        errors=visit.errors,
        done=done,
        notices=changes_since(info),
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


class _Rejudging:
    def __init__(self, panel: Panel, wanted: Mapping[int, _Wanted]) -> None:
        self._panel = panel
        self._wanted = wanted
        self.errors = 0

    async def __call__(self, trial: LiveTrial, row: RecordedTrial) -> Remark:
        """One remark for all rounds: a trial that is asked the same again draws a new sample."""
        wanted = self._wanted[row.id]
        known, rounds = 0, list[list[Verdict]]()
        while len(rounds) < wanted.new:
            asked, fresh = trial.asked, trial.fresh
            verdicts = await self._panel.judge(trial, row.output or {})
            failed = any(verdict.outcome == "error" for verdict in verdicts)
            # What the recording alone answers was noted before, unless the process was killed between reply and note.
            if trial.asked > asked and trial.fresh == fresh and (failed or known < wanted.known):
                known += not failed
            else:
                rounds.append(verdicts)
        new = [verdict for verdicts in rounds for verdict in verdicts]
        self.errors += sum(verdict.outcome == "error" for verdict in new)
        return Remark(kind="rejudged", author=self._panel.author, data={"verdicts": list(map(_data, new))})


def _data(verdict: Verdict) -> dict[str, object]:
    return plain(verdict) | {"findings": [plain(one) for one in verdict.findings], "details": dict(verdict.details)}
