"""Who says that a run has told enough before all its trials are over. The engine asks, and knows no statistics."""

from collections.abc import Callable
from typing import Any, Protocol

from trialkit.runfile import RunFile, TrialRecord
from trialkit.settings import RunSettings
from trialkit.suites import Content, Suite

from .job import Job


class Until(Protocol):
    def plan(self, content: Content) -> Content:
        """With the trials that are to be run, in the order in which they are to be begun."""

    def opened(self, run: RunFile) -> str:
        """A session begins. Why there is enough already; empty: go on."""

    def ended(self, job: Job, record: TrialRecord) -> str:
        """Why there is enough now; empty: go on."""


#: Raises `InputError`.
OpenUntil = Callable[[Suite[Any], RunSettings], Until]


class ToTheEnd:
    """Nothing is enough."""

    def plan(self, content: Content) -> Content:
        return content

    def opened(self, run: RunFile) -> str:  # noqa: ARG002 - it does not matter
        return ""

    def ended(self, job: Job, record: TrialRecord) -> str:  # noqa: ARG002 - likewise
        return ""


def to_the_end(suite: Suite[Any], settings: RunSettings) -> Until:  # noqa: ARG001 - likewise
    return ToTheEnd()
