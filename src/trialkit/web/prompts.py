"""The versions of prompts: what changed from one to the next, and the result of each."""

from collections.abc import Sequence

from starlette.responses import Response

from trialkit.analysis.prompt_versions import PromptHistory, PromptVersion, prompt_histories, text_difference
from trialkit.analysis.runs import ListedRun
from trialkit.errors import InputError
from trialkit.pages import Cell, Dot, Dots, measured

from .asked import PageRequest
from .render import run_address

_LONGEST = 20_000  # lines of both texts: to compare longer ones takes seconds


def prompts_view(asked: PageRequest) -> Response:
    every = prompt_histories(asked.shelf.runs()[0])
    suite, role = asked.query.get("suite", ""), asked.query.get("role", "")
    history = next((one for one in every if (one.suite, one.role) == (suite, role)), None)
    if (suite or role) and history is None:
        raise InputError(f"no run of {suite} in this folder has a prompt of the role {role}")
    if history is None:
        return asked.shown("prompts.html", histories=every, history=None)
    versions = history.versions
    after = _version(versions, asked.query.get("b", ""), versions[-1])
    before = _version(versions, asked.query.get("a", ""), versions[max(0, versions.index(after) - 1)])
    return asked.shown(
        "prompts.html",
        histories=every,
        history=history,
        before=before,
        after=after,
        difference=_difference(before, after),
        chart=_chart(asked, history),
        results={one.prompt.hash: [_result(asked, run) for run in one.runs] for one in versions},
    )


def _version(versions: Sequence[PromptVersion], wanted: str, otherwise: PromptVersion) -> PromptVersion:
    return next((one for one in versions if one.prompt.hash == wanted), otherwise)


def _difference(before: PromptVersion, after: PromptVersion) -> Sequence[tuple[str, str]]:
    """Each line with what it is: new, gone, around it, or a place where some are left out."""
    texts = before.prompt.text, after.prompt.text
    if before == after:
        return []
    if sum(text.count("\n") for text in texts) > _LONGEST:
        return [("skip", "The texts are too long to be held against each other here.")]
    looks = {"+": "new", "-": "gone", "@": "skip"}
    return [(looks.get(line[:1], ""), line) for line in text_difference(*texts)]


def _chart(asked: PageRequest, history: PromptHistory) -> tuple[Dots, ...]:
    """Run by run: models and settings may differ as well, so runs of one version are not thrown together."""
    measure = history.versions[-1].runs[0].measure
    dots = tuple(
        Dot(f"{one.prompt.version} · {run.info.subject}", measured(run.headline, measure), link=_address(asked, run))
        for one in history.versions
        for run in one.runs
        if run.measure == measure and run.headline.n
    )
    title = f"{measure.mean_name.capitalize()} of each run, by version of the prompt"
    return (Dots(title=title, by=measure.mean_name, dots=dots, low=measure.low, high=measure.high),) if dots else ()


def _result(asked: PageRequest, run: ListedRun) -> tuple[str, str, Cell]:
    return run.called, _address(asked, run), measured(run.headline, run.measure, short=True)


def _address(asked: PageRequest, run: ListedRun) -> str:
    return run_address(asked.shelf.name(run.path))
