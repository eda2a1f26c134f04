"""tau-bench's domains as suites."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.dialogue import Rules
from trialkit.runfile import RunFile
from trialkit.suites import Format, Source
from trialkit.suites.tau.common.domain import Domain
from trialkit.suites.tau.settings import TauSettings
from trialkit.suites.tau.suite import TauSuite

from .domain import TauBenchDomain
from .source import Layout, find
from .tools import Toolbox


@dataclass(frozen=True, kw_only=True, eq=False)
class TauBenchSuite(TauSuite[TauSettings]):
    settings = TauSettings
    user_prompt = "v1"

    toolbox: Toolbox

    @property
    def tool_names(self) -> frozenset[str]:
        return self.toolbox.names

    def load(self, data_dir: Path | None) -> Domain:
        return _load(self, find(self.domain, data_dir))

    def rules(self, settings: TauSettings, domain: Domain) -> Rules:
        return Rules(
            first_message_may_stop=False,
            ending_tools=dict.fromkeys(domain.ending_tools, "transfer"),
            known_tools=self.tool_names,
            several_calls=False,
            greeting_is_said=False,
            respond_is_reply=True,
            max_steps=settings.max_steps,
        )

    def sources(self) -> Sequence[Source]:
        from trialkit.suites.tau.data.tau_bench import SOURCE  # noqa: PLC0415 - only where it is asked for

        return [SOURCE]

    def formats(self) -> Mapping[str, Format]:
        return {"tau-bench": Format(suffix=".json", write=_written)}


@functools.cache
def _load(suite: TauBenchSuite, layout: Layout) -> TauBenchDomain:
    return TauBenchDomain(suite.name, layout, suite.toolbox, tuple(suite.checksums), suite.key_arguments)


def _written(run: RunFile) -> str:
    from trialkit.suites.tau.exporting.tau_bench import tau_bench_report  # noqa: PLC0415 - likewise

    return tau_bench_report(run)
