"""What a run would ask first, found out without asking: nothing is opened, sent or written."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from trialkit.errors import InputError
from trialkit.models import Message, Options, Request
from trialkit.runfile import Prompt
from trialkit.settings import RunSettings
from trialkit.suites import Content, Suite, content_of
from trialkit.vocabulary import Case, JudgeInUse

from .ready import fault_of, with_judge
from .setup import Setup

S = TypeVar("S", bound=RunSettings)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rehearsal:
    """A run up to its first question."""

    suite: Suite[Any]
    settings: RunSettings
    content: Content
    case: Case  # the one that is looked at
    role: str = ""  # who is asked first; empty: nobody
    asked: Request | str | None = None  # a text: what somebody is told who is no model, such as an agent's process
    output: Mapping[str, Any] | None = None  # where nobody is asked, the answer
    unknown: str = ""  # why it cannot be told what is asked
    judges: Sequence[JudgeInUse] = ()
    explained: Mapping[str, str]  # by judge: what it would do with the case
    judging: Sequence[Prompt] = ()  # what models that judge are told
    endings: Sequence[str] = ()  # of models that are not there much longer
    lacking: Sequence[str] = ()  # why a run could not begin here, such as for a key


async def rehearse(suite: Suite[S], settings: S, case_id: str | None = None) -> Rehearsal:
    """InputError tells all that is wrong with the suite, as a run would."""
    settings.gate(suite.measures[0])
    settings = with_judge(suite, settings, [])
    content = content_of(suite, settings)
    case = _chosen(content, case_id)
    setup = Setup.of(suite, settings, suite.prompts(settings))
    judging = suite.judge_prompts(settings)
    trial = _Unanswered(case, setup)
    output, unknown = None, ""
    try:
        output = await setup.runner.attempt(trial)
    except asyncio.CancelledError:
        if trial.asked is None:
            raise
    except Exception as error:  # noqa: BLE001 - what needs a connection, for one, fails here and not in a run
        unknown = f"{type(error).__name__}: {error}"
    return Rehearsal(
        suite=suite,
        settings=settings,
        content=content,
        case=case,
        role=trial.role,
        asked=trial.asked,
        output=output,
        unknown=unknown,
        judges=setup.judges,
        explained=suite.explain(settings, case),
        judging=judging,
        endings=setup.endings(),
        lacking=[
            f"{name} ({role.spec.name}): {fault}"
            for name, role in setup.roles().items()
            if role.spec and not role.open and (fault := fault_of(role.spec))
        ],
    )


def _chosen(content: Content, case_id: str | None) -> Case:
    tried = {trial.case_id for trial in content.trials}
    cases = {case.id: case for case in content.cases if case.id in tried}
    if not cases:
        raise InputError("there is no case to try; look at the settings that choose cases")
    if case_id is None:
        return next(iter(cases.values()))
    if case_id not in cases:
        some = ", ".join(list(cases)[:20])
        raise InputError(f"--case {case_id}: there is no such case; there are {some}{', …' * (len(cases) > 20)}")
    return cases[case_id]


class _Unanswered:
    """The trial of a run whose first question is heard and never answered."""

    def __init__(self, case: Case, setup: Setup) -> None:
        self.case = case
        self.number = 1
        self.seed = setup.settings.seed
        self.cost: float | None = 0.0
        self.seconds: float | None = 0.0
        self.settings: Any = setup.settings
        self.prompts = setup.prompts
        self._options = setup.options()
        self.role = ""
        self.asked: Request | str | None = None

    async def ask(self, role: str, request: Request | str) -> NoReturn:
        if isinstance(request, str):
            request = Request(messages=(Message(role="user", text=request),), temperature=self.settings.temperature)
        options = self._options.get(role, Options())
        self._heard(role, options.of(request))

    async def exchange(self, role: str, said: str, send: Callable[[], Awaitable[Any]]) -> NoReturn:  # noqa: ARG002
        self._heard(role, said)

    def note(self, kind: str, **data: object) -> None:
        """Nobody reads it."""

    def _heard(self, role: str, asked: Request | str) -> NoReturn:
        self.role, self.asked = role, asked
        raise asyncio.CancelledError  # which no code of a suite takes for a failed call
