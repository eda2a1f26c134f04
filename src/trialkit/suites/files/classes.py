"""What a report says of a judge that tells classes apart: how often they are right, found, and taken for another."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trialkit.judges.kinds import NamedJudge
from trialkit.pages import Cell, Count, Rate, Table
from trialkit.runfile import RunFile
from trialkit.stats import Classified, class_figures, pass_rate
from trialkit.suites.content import Details

#: A matrix of more stands in no terminal; then what was mistaken most often is listed.
_WIDEST = 8
_MOST_LISTED = 20
_NONE = "(none)"


class _ClassNamed(NamedTuple):
    case: str
    truth: str
    said: str | None


def classification(run: RunFile, judge: NamedJudge) -> Details:
    """Accuracy, each class, and the confusion matrix. Trials without a verdict count nowhere."""
    verdicts = list(_verdicts(run, judge))
    if not verdicts:
        return Details()
    cases = _by_case(verdicts).values()
    accuracy = pass_rate([[said == case.truth for said in case.said] for case in cases])
    classes = class_figures(list(cases), judge.classes)
    taken = Counter((one.truth, one.said) for one in verdicts)
    named = {one.name: {"precision": one.precision.to_data(), "recall": one.recall.to_data()} for one in classes}
    confusion = [{"truth": truth, "said": said, "trials": count} for (truth, said), count in taken.items()]
    each = Table(
        title=f"Classes of {judge.name}",
        columns=("Class", "Cases", "Precision", "Recall"),
        rows=(
            *((one.name, Count(one.cases), Rate(one.precision), Rate(one.recall)) for one in classes),
            ("all: accuracy", Count(len(cases)), "", Rate(accuracy)),
        ),
        note="Precision: the share that is right of what is said to be it. Recall: the share of it that is found.",
    )
    data = {"accuracy": accuracy.to_data(), "classes": named, "confusion": confusion}
    return Details(metrics={"classification": {judge.name: data}}, tables=(each, *_taken(judge, taken)))


def _verdicts(run: RunFile, judge: NamedJudge) -> Iterator[_ClassNamed]:
    for trial in run.once(RunFile.trials):
        for one in trial.verdicts:
            if one.judge == judge.name and one.outcome != "error":
                yield _ClassNamed(trial.case_id, one.details["truth"], one.details["said"])


def _by_case(verdicts: list[_ClassNamed]) -> Mapping[str, Classified]:
    said, truths = defaultdict[str, list[str | None]](list), dict[str, str]()
    for one in verdicts:
        said[one.case].append(one.said)
        truths[one.case] = one.truth
    return {case: Classified(truths[case], found) for case, found in said.items()}


def _taken(judge: NamedJudge, taken: Counter[tuple[str, str | None]]) -> Iterator[Table]:
    """Trials, by what they are and what was said."""
    if len(judge.classes) > _WIDEST:
        wrong = [(pair, count) for pair, count in taken.most_common() if pair[0] != pair[1]]
        rows = tuple((truth, said or _NONE, Count(count)) for (truth, said), count in wrong[:_MOST_LISTED])
        more = f"The {_MOST_LISTED} most frequent of {len(wrong)}; JSON has all." if len(wrong) > _MOST_LISTED else ""
        if rows:
            yield Table(title=f"Mistaken by {judge.name}", columns=("It is", "Said", "Trials"), rows=rows, note=more)
        return
    columns = [*judge.classes, *([None] if any(said is None for _, said in taken) else [])]
    yield Table(
        title=f"What was taken for what, {judge.name} (trials)",
        columns=("It is", *(f"said {name}" if name is not None else f"said {_NONE}" for name in columns)),
        rows=tuple(_row(truth, columns, taken) for truth in judge.classes),
    )


def _row(truth: str, columns: list[str | None], taken: Counter[tuple[str, str | None]]) -> tuple[Cell | str, ...]:
    return (truth, *(Count(taken[truth, said]) for said in columns))
