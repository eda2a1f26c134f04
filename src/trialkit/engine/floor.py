"""Puts a suite itself on trial: answers that need no model are judged as those of a run are. Nothing is asked."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from trialkit.errors import InputError, ModelError
from trialkit.models import Request
from trialkit.settings import RunSettings
from trialkit.suites import Content, Probe, Suite, asking, content_of
from trialkit.vocabulary import Case, Verdict

from .setup import Setup

S = TypeVar("S", bound=RunSettings)


@dataclass(frozen=True, kw_only=True, slots=True)
class Probed:
    """An answer that needed no model, and what decides about it."""

    case: Case
    probe: Probe
    verdict: Verdict

    @property
    def unlike(self) -> bool:
        """It has the verdict that it should not have."""
        return self.probe.right != "any" and self.verdict.outcome not in {self.probe.right, "error"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Floor:
    suite: Suite[Any]
    content: Content
    probed: Sequence[Probed]


async def probe_suite(suite: Suite[S], settings: S) -> Floor:
    """InputError where the suite cannot be had, or knows no such answers."""
    if suite.measures[0].kind != "pass":
        raise InputError(f"{suite.name}: its trials are measured by {suite.measures[0]}; an audit counts passes")
    content = content_of(suite, settings)
    setup = Setup.of(suite, settings, suite.prompts(settings))
    probed = []
    cases = [case for case in content.cases if not case.skipped]
    for case in cases:
        with asking(f"suite {suite.name}", "probes"):
            probes = await setup.runner.probes(case, cases)
        trial = _Unasked(case, setup)
        for probe in probes:
            found = await setup.runner.judge(trial, probe.output)
            verdict = found if isinstance(found, Verdict) else found[0]
            probed.append(Probed(case=case, probe=probe, verdict=verdict))
    if not probed:
        raise InputError(
            f"{suite.name}: its runner knows no answers that need no model; `probes` gives them (docs/suites.md)"
        )
    return Floor(suite=suite, content=content, probed=probed)


class _Unasked:
    """The trial in which answers are judged; whoever has to be asked does not reply."""

    number = 1
    cost: float | None = 0.0
    seconds: float | None = 0.0

    def __init__(self, case: Case, setup: Setup) -> None:
        self.case = case
        self.seed = setup.settings.seed
        self.settings: Any = setup.settings
        self.prompts = setup.prompts

    async def ask(self, role: str, request: Request | str) -> NoReturn:  # noqa: ARG002 - nobody is asked
        raise ModelError("unreachable", f"the {role} would have to be asked, and an audit asks no model")

    async def exchange(self, role: str, said: str, send: Callable[[], Awaitable[Any]]) -> NoReturn:  # noqa: ARG002
        await self.ask(role, said)

    def note(self, kind: str, **data: object) -> None:
        """Nobody reads it."""
