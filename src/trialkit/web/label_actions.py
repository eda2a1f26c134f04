"""What labelling writes: at once, into the run file, in the name of who does it."""

from math import nan
from typing import Literal, cast, get_args

from starlette.responses import PlainTextResponse, Response

from trialkit.analysis.draw import Sampling, draw_trials
from trialkit.analysis.steps import steps_of
from trialkit.errors import InputError
from trialkit.runfile import Label, Mark, RunFile, remove_mark, write_labels, write_mark
from trialkit.vocabulary import Measure

from .asked import PageRequest
from .label import wanted

_MOST_DRAWN = 100_000
_LONGEST_NAME = 100
#: A trial that somebody picked: its label is in no rate.
_PICKED = "hunted"


def draw_action(asked: PageRequest) -> Response:
    """Adds to the queue of the run, for all annotators."""
    form = asked.form
    path, where, sample = asked.shelf.path(form.get("run", "")), form.get("where", "random"), form.get("sample", "")
    if not (sample.isascii() and sample.isdigit() and 0 < int(sample[:9]) <= _MOST_DRAWN):
        raise InputError(f"How many: {sample!r} is no number from 1 to {_MOST_DRAWN:,}.")
    per_stratum = where == "per-stratum"
    if not per_stratum and where not in get_args(Sampling):
        raise InputError(f"{where!r} is no way to draw")
    with RunFile(path) as run:
        way = cast("Sampling", "random" if per_stratum else where)
        draw = draw_trials(run, int(sample), way, per_stratum=per_stratum)
    write_labels(path, [], {trial.id: how for trial, how in draw.trials})
    return PlainTextResponse(str(len(draw.trials)))


def label_action(asked: PageRequest) -> Response:
    form = asked.form
    path, said = asked.shelf.path(form.get("run", "")), form.get("outcome", "")
    with RunFile(path) as run, run.moment():
        measure, trial = run.info().measures[0], wanted(run, form.get("case", ""), form.get("trial", ""))
    label = Label(
        annotator=_annotator(asked),
        outcome=_outcome(said, measure),
        score=_score(said, measure) if measure.kind == "score" and said != "unsure" else None,
        critique=form.get("critique", "").strip(),
        settles=bool(form.get("settles")),
    )
    if label.settles and label.outcome == "unsure":
        raise InputError("To settle it, say which it is.")
    picked = not trial.labels and not any(remark.kind == "drawn" for remark in trial.remarks)
    write_labels(path, [(trial.id, label)], {trial.id: _PICKED} if picked else {})
    return PlainTextResponse("saved")


def mark_action(asked: PageRequest) -> Response:
    """Marks a step or the whole trial, or takes the mark away again."""
    form = asked.form
    path, kind, step = asked.shelf.path(form.get("run", "")), form.get("kind", "").strip(), form.get("step", "0")
    if not _is_name(kind):
        raise InputError(f"What was found needs a word, of at most {_LONGEST_NAME} letters.")
    if not (step.isascii() and step.isdigit() and len(step) < 8):
        raise InputError(f"{step!r} is no step")
    mark = Mark(annotator=_annotator(asked), kind=kind, critique=form.get("critique", "").strip(), step=int(step))
    with RunFile(path) as run:
        trial = wanted(run, form.get("case", ""), form.get("trial", ""))
        if int(step) > len(steps_of(run, trial)):
            raise InputError(f"{trial.case_id} trial {trial.number} has no step {step}")
    (write_mark if form.get("on") else remove_mark)(path, trial.id, mark)
    return PlainTextResponse("saved")


def _annotator(asked: PageRequest) -> str:
    name = asked.form.get("by", "").strip()
    if not _is_name(name):
        raise InputError(f"Who labels it needs a name, of at most {_LONGEST_NAME} letters.")
    return name


def _is_name(word: str) -> bool:
    return 0 < len(word) <= _LONGEST_NAME and word.isprintable()


def _outcome(said: str, measure: Measure) -> Literal["pass", "fail", "scored", "unsure"]:
    if measure.kind == "score" and said != "unsure":
        return "scored"
    if said not in {"pass", "fail", "unsure"}:
        raise InputError(f"{said!r}: say pass, fail or unsure.")
    return cast("Literal['pass', 'fail', 'unsure']", said)


def _score(said: str, measure: Measure) -> float:
    try:
        score = float(said)
    except ValueError:
        score = nan
    if not measure.holds(score):
        raise InputError(f"{said!r} is none of {measure}.")
    return score
