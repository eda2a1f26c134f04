"""What a suite's report says of its judges, one by one."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from trialkit.judges.kinds import NamedJudge
from trialkit.pages import Cell, Count, Table, measured
from trialkit.runfile import RunFile
from trialkit.stats import mean_score
from trialkit.suites.content import Details
from trialkit.text.short import shortened

from .classes import classification


def details_of(run: RunFile, judges: Sequence[NamedJudge]) -> Details:
    parts = [_each(run, judges)] if len(judges) > 1 else []
    parts += [classification(run, judge) for judge in judges if judge.classes]
    metrics = dict[str, Any]()
    for part in parts:
        for name, data in part.metrics.items():
            metrics[name] = {**metrics.get(name, {}), **data}
    return Details(metrics=metrics, tables=tuple(table for part in parts for table in part.tables))


def _each(run: RunFile, judges: Sequence[NamedJudge]) -> Details:
    """For each judge its pass rate, or its mean score, weighted by case."""
    metrics, rows, failed = dict[str, Any](), list[tuple[Cell | str, ...]](), list[str]()
    for judge in judges:
        measure = judge.measure
        read, worths, errors = measure.reader([measure]), defaultdict[str, list[float]](list), 0
        for trial in run.once(RunFile.trials):
            for verdict in (one for one in trial.verdicts if one.judge == judge.name):
                worth = read(verdict)
                errors += worth is None
                worths[trial.case_id] += [] if worth is None else [worth]
                if worth is None and errors == 1:
                    failed.append(f"{judge.name} on {trial.case_id}/{trial.number}: {shortened(verdict.critique, 200)}")
        cases = [found for found in worths.values() if found]
        figure = mean_score(cases, measure.low, measure.high)
        metrics[judge.name] = {"measure": str(measure), **figure.to_data(), "errors": errors}
        rows.append((judge.name, judge.kind.name, measured(figure, measure), Count(errors)))
    table = Table(
        title="Judges", columns=("Judge", "Kind", "Pass rate or mean", "Errors"), rows=tuple(rows), note=_told(failed)
    )
    return Details(metrics={"judges": metrics}, tables=(table,))


def _told(failed: Sequence[str]) -> str:
    """The first error of each judge: one that decides nothing is told of nowhere else."""
    return f"Errors, the first of each judge: {'; '.join(failed)}" if failed else ""
