"""tau-bench's own table: the measured pass^k among what others published."""

from collections.abc import Sequence

from trialkit.pages import Cell, Dot, Dots, Number, Table, Words
from trialkit.runfile import RunFile, RunInfo
from trialkit.stats import Figure
from trialkit.suites.tau.common.published import IMPORTED_FROM, Published

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


def leaderboard(run: RunFile, hats: Sequence[Figure], published: Sequence[Published]) -> Dots:
    """tau-bench's own form, the best first. A note says where rows come from, or it would not fit a terminal."""
    marks = dict(zip(dict.fromkeys(map(_origin, published)), _MARKS, strict=False))
    info, models = run.info(), {model.role: model.name for model in run.models()}
    user = models.get("user")
    how = "recorded" if IMPORTED_FROM in info.versions else "measured"
    measured = f"{how} on {hats[0].n} tasks{f', user {user}' if user else ''}, with 95% intervals"
    notes = [measured, *(f"{mark} {origin}" for origin, mark in marks.items())]
    ours = (_strategy(info, models.get("agent")), [Number(figure, stacked=True) for figure in hats], how)
    others = ((one.strategy, [*map(Number, one.passes)], f"published{marks[_origin(one)]}") for one in published)
    rows = sorted([ours, *others], key=lambda row: -(row[1][0].value or 0.0))
    title, note = f"Leaderboard: {info.suite}", " · ".join(notes)
    dots = tuple(Dot(name, passes[0], note=whence, ours=whence == how) for name, passes, whence in rows)
    cells = tuple(_row(*row) for row in rows)
    table = Table(title=title, columns=("Strategy", *_COLUMNS, "Row"), rows=cells, note=note)
    return Dots(title=title, by="Pass^1", dots=dots, low=0, high=1, whole=table)


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
