"""What to do about trials that ended in error: it depends on how their last calls failed."""

import shlex
from collections.abc import Iterable

from trialkit.errors import ModelErrorKind
from trialkit.runfile import CallRecord, RecordedTrial
from trialkit.settings import RunSettings

#: The same request would fail so again.
_LASTING: frozenset[ModelErrorKind] = frozenset({"context_overflow", "content_filter", "bad_request"})
_NEARLY = 0.9


def advice(failed: Iterable[RecordedTrial], faults: Iterable[CallRecord], settings: RunSettings, path: str) -> str:
    """A clause to follow what is said of the `failed` trials; empty: nothing helps. `faults`: their last calls."""
    by_trial = {fault.trial_id: fault for fault in faults}
    passing = [trial for trial in failed if not trial.hopeless and not _lasts(by_trial.get(trial.id))]
    if passing:
        slow = any(_waited(by_trial.get(trial.id), settings.timeout) for trial in passing)
        more = ["--timeout", f"{2 * settings.timeout:g}"] if slow else []
        return f"; try again with: {shlex.join(['trialkit', 'resume', '--errors', *more, path])}"
    if any(_refuses_temperature(fault) for fault in by_trial.values()):
        return "; the model takes no such temperature: start a new run with --temperature 1"
    return ""


def _lasts(fault: CallRecord | None) -> bool:
    return fault is not None and fault.error_kind in _LASTING


def _waited(fault: CallRecord | None, timeout: float) -> bool:
    """Whether it was our patience that ended: agents and gateways have time limits of their own."""
    return fault is not None and fault.error_kind == "timeout" and _NEARLY * timeout < fault.latency_s < 2 * timeout


def _refuses_temperature(fault: CallRecord) -> bool:
    return fault.error_kind == "bad_request" and "temperature" in (fault.error or "").lower()
