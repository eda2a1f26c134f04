"""tau2's domains as suites."""

import functools
import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from trialkit.dialogue import Rules
from trialkit.runfile import RunFile
from trialkit.settings import Incidental
from trialkit.suites import Format, Source
from trialkit.suites.tau.common.domain import Domain
from trialkit.suites.tau.settings import TauSettings, absolute
from trialkit.suites.tau.suite import TauSuite

from .source import VERSIONS, Files, find_files
from .toolkit import Toolkit, tool_names


class Tau2Settings(TauSettings):
    task_split: str = Field("base", description="Which tasks: base, train or test; telecom has small and full too.")
    max_steps: int = Field(
        200, ge=1, description="Messages passed on, between whomever, before a conversation is cut off."
    )
    max_errors: int = Field(10, ge=1, description="Tool calls that fail before a conversation is cut off.")
    data_dir: Annotated[Path | None, AfterValidator(absolute), Incidental()] = Field(
        None,
        description="The benchmark's content, or tau2@1.0.1 [default: TAU2_DATA_DIR, an installed tau2, the cache].",
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Tau2Suite(TauSuite[Tau2Settings]):
    settings = Tau2Settings
    user_prompt = "tau2-v1"
    contents = tuple(f"tau2@{version}" for version in VERSIONS)

    #: By the SHA-256 of `tasks.json`, which version it is; the other files of the data are the same in all.
    versions: Mapping[str, str] = field(default_factory=dict)
    toolkit: type[Toolkit]
    user_toolkit: type[Toolkit] | None = None  # None: the user has no tools
    #: What the benchmark itself may call beside the tools: to set a scene, to break something, to assert.
    backstage: type[Toolkit] | None = None
    user_backstage: type[Toolkit] | None = None
    shares: str = ""  # the domain whose content it has; empty: its own
    policy_parts: Mapping[str, str] = field(default_factory=dict)  # a mark and its file; none: policy.md

    @property
    def tool_names(self) -> frozenset[str]:
        return tool_names(self.toolkit)

    @property
    def content_domain(self) -> str:
        return self.shares or self.domain

    def load(self, data_dir: Path | None) -> Domain:
        return _load(self, find_files(self.content_domain, data_dir))

    def rules(self, settings: Tau2Settings, domain: Domain) -> Rules:
        return Rules(
            stops={"###STOP###": "user_stop", "###TRANSFER###": "transfer", "###OUT-OF-SCOPE###": "user_stop"},
            known_tools=frozenset(tool.name for tool in domain.tools),
            known_user_tools=frozenset(tool.name for tool in domain.user_tools),
            text_beside_calls_counts=True,
            every_message_counts=True,
            max_steps=settings.max_steps,
            max_errors=settings.max_errors,
        )

    def sources(self) -> Sequence[Source]:
        from trialkit.suites.tau.data import tau2, tau2_later  # noqa: PLC0415 - only where it is asked for

        return [tau2.SOURCE, tau2_later.SOURCE]

    def formats(self) -> Mapping[str, Format]:
        return {
            "tau2": Format(suffix=".json", write=_written),
            "tau2-submission": Format(suffix=".json", write=_submitted, lacking=_lacking),
        }


@functools.cache
def _load(suite: Tau2Suite, files: Files) -> Domain:
    from .domain import Tau2Domain  # noqa: PLC0415 - reading tools from their source is more than listing suites takes

    collecting = gc.isenabled()
    gc.disable()  # nothing that is read is garbage; looking for some took 40 ms of 120
    try:
        return Tau2Domain(suite, files)
    finally:
        if collecting:
            gc.enable()


def _written(run: RunFile) -> str:
    from trialkit.suites.tau.exporting.tau2 import tau2_report  # noqa: PLC0415 - likewise

    return tau2_report(run)


def _submitted(run: RunFile) -> str:
    from trialkit.suites.tau.exporting.submission import submission  # noqa: PLC0415 - likewise

    return submission(run)


def _lacking(run: RunFile) -> Sequence[str]:
    from trialkit.suites.tau.exporting.submission import lacking  # noqa: PLC0415 - likewise

    return lacking(run)
