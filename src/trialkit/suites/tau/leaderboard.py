"""tau-bench's own table: the measured pass^k among what others published."""

from collections.abc import Mapping, Sequence

from trialkit.pages import Cell, Dot, Dots, Number, Table, Words
from trialkit.runfile import RunFile, RunInfo
from trialkit.stats import Figure
from trialkit.suites.tau.common.published import IMPORTED_FROM, Published
from trialkit.vocabulary import CONTENT

#: How tau-bench's own table calls the strategies.
_STRATEGIES = {
    "tool-calling": "TC",
    "act": "Act",
    "react": "ReAct",
    "few-shot": "Few-shot TC",
    "fastworkflow": "FastWorkflow",
}
_MARKS = "¹²³"
_COLUMNS = ("Pass^1", "Pass^2", "Pass^3", "Pass^4")
_HEADS = ("Strategy", *_COLUMNS, "Row")


def leaderboard(
    run: RunFile, hats: Sequence[Figure], published: Sequence[Published], split: str | None
) -> tuple[Dots | Table, ...]:
    """tau-bench's own form, the best first. A note says where rows come from, or it would not fit a terminal.

    Published are results on the tasks of `split`; those of other tasks than the run's stand apart.
    """
    info, models = run.info(), {model.role: model.name for model in run.models()}
    content, all_of_it = (
        info.versions.get(CONTENT, ""),
        split is None or info.settings.get("task_split") in {None, split},
    )
    like = [one for one in published if all_of_it and one.content in {"", content}]
    unlike = [one for one in published if one not in like]
    user = models.get("user")
    how = "recorded" if IMPORTED_FROM in info.versions else "measured"
    of = " of ".join(filter(None, [f"{hats[0].n} tasks", content]))
    told = f"{how} on {of}{f', user {user}' if user else ''}, with 95% intervals"
    ours = (_strategy(info, models.get("agent")), [Number(figure, stacked=True) for figure in hats], how)
    marks = _marks(like)
    rows = sorted([ours, *_rows(like, marks)], key=lambda row: -(row[1][0].value or 0.0))
    title, note = f"Leaderboard: {info.suite}", " · ".join([told, *_mode(info), *_origins(marks), *_remarks(like)])
    dots = tuple(Dot(name, passes[0], note=whence, ours=whence == how) for name, passes, whence in rows)
    table = Table(title=title, columns=_HEADS, rows=tuple(_row(*row) for row in rows), note=note)
    board = Dots(title=title, by="Pass^1", dots=dots, low=0, high=1, whole=table)
    return (board, _apart(unlike, split, content)) if unlike else (board,)


def _apart(unlike: Sequence[Published], split: str | None, content: str) -> Table:
    """What is of other tasks is nothing to be held against."""
    marks = _marks(unlike)
    theirs = ", ".join(dict.fromkeys(filter(None, (one.content for one in unlike))))
    ours = content or "of a version that is not known"
    of = ", ".join(filter(None, [theirs, split and f"split {split}"]))
    return Table(
        title=f"Published on other tasks ({of}): not to be compared",
        columns=_HEADS,
        rows=tuple(_row(*row) for row in _rows(unlike, marks)),
        note=" · ".join([f"this run's tasks are {ours}", *_origins(marks)]),
    )


def _marks(published: Sequence[Published]) -> dict[str, str]:
    return dict(zip(dict.fromkeys(map(_origin, published)), _MARKS, strict=False))


def _origins(marks: Mapping[str, str]) -> list[str]:
    return [f"{mark} {origin}" for origin, mark in marks.items()]


def _mode(info: RunInfo) -> list[str]:
    mode = info.versions.get("agent mode")
    return [f"agent in mode {mode}"] if mode else []


def _remarks(published: Sequence[Published]) -> list[str]:
    return [f"{one.strategy}: {one.remark}" for one in published if one.remark]


def _rows(published: Sequence[Published], marks: Mapping[str, str]) -> list[tuple[str, list[Number], str]]:
    return [(one.strategy, [*map(Number, one.passes)], f"published{marks[_origin(one)]}") for one in published]


def _origin(row: Published) -> str:
    return f"{row.source}, user {row.user}" if row.user else f"{row.source}, user not told"


def _strategy(info: RunInfo, model: str | None) -> str:
    settings = info.settings
    reasoning = {None: None, True: "react", False: "act"}[settings.get("use_reasoning")]
    agent = settings.get("agent") or reasoning or ("tool-calling" if model else None)
    if agent is None or agent == model:  # an agent outside of trialkit whose model nobody knows
        return info.subject
    mode = info.versions.get("agent mode")
    name = f"{_STRATEGIES.get(agent, agent)} {mode}" if mode else _STRATEGIES.get(agent, agent)
    return f"{name} ({model})" if model else str(agent)


def _row(strategy: str, passes: Sequence[Number], whence: str) -> tuple[Cell | str, ...]:
    cells = [*passes, *[Number(None)] * len(_COLUMNS)]
    return strategy, *cells[: len(_COLUMNS)], Words(whence, "" if whence.startswith("published") else "strong")
