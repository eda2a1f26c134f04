"""What the calls of a session come to so far, for whoever watches it."""

from collections.abc import Iterator
from contextlib import contextmanager

from trialkit.models import Traffic, Wait
from trialkit.runfile import CallRecord


class Meter:
    """Counts. It may be read from another thread than that of the calls."""

    def __init__(self, traffic: Traffic) -> None:
        self.calls = 0  # that ended, with a reply or without
        self.failed = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self._open = 0
        self._traffic = traffic

    @contextmanager
    def one_call(self) -> Iterator[None]:
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    def ended(self, call: CallRecord) -> None:
        self.calls += 1
        self.failed += call.reply is None
        self.input_tokens += call.input_tokens or 0
        self.output_tokens += call.output_tokens or 0

    @property
    def in_flight(self) -> int:
        return max(0, self._open - self.waiting)

    @property
    def waiting(self) -> int:
        """Calls that wait for their turn, or for another attempt."""
        return self._traffic.waiting

    @property
    def retries(self) -> int:
        return self._traffic.retries

    @property
    def wait(self) -> Wait | None:
        return self._traffic.wait
