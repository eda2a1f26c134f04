"""Every error that trialkit raises on purpose, one type per boundary.

TrialkitError
├── InputError     what the user gave (options, files, rows): shown as it is, exit status 2
├── ModelError     a model or service did not give a reply; `kind` says how it failed
├── JudgeError     no verdict could be had from what the judge said
└── ReplayError    a recorded run was asked for a reply that it does not hold

What a model *says* is never an error here, however malformed: it is data for the transcript and the judge.
"""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # `trialkit --help` loads the errors, and nothing that takes as long as dataclasses
    from trialkit.vocabulary import Usage

ModelErrorKind = Literal[
    "rate_limit",
    "loading",
    "server",
    "timeout",
    "connection",
    "unreachable",
    "tls",
    "bad_reply",
    "auth",
    "quota",
    "not_found",
    "bad_request",
    "context_overflow",
    "content_filter",
]

#: Passing faults: the same request may succeed a moment later.
RETRYABLE: frozenset[ModelErrorKind] = frozenset(
    {"rate_limit", "loading", "server", "timeout", "connection", "unreachable", "bad_reply"}
)
#: Faults of the set-up: if the first call fails like this, so will all the others.
SETUP: frozenset[ModelErrorKind] = frozenset({"auth", "quota", "not_found", "unreachable", "tls", "loading"})


class TrialkitError(Exception):
    """The root of the tree."""


class InputError(TrialkitError):
    """Bad usage or input; the message names the file, line, value and the fix."""


class ModelError(TrialkitError):
    """No reply was had. `retry_after` is the server's own wish, in seconds."""

    usage: "Usage | None" = None  # an answer that is no reply is paid for all the same: what the server counted for it
    cost: float | None = None  # of it, in US dollars; None: unknown

    def __init__(
        self, kind: ModelErrorKind, message: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        self.attempts = 1  # counted on by whoever tries again
        self.latency_s = 0.0  # of the last attempt


class JudgeError(TrialkitError):
    """The judge answered, but not with a verdict."""


class ReplayError(TrialkitError):
    """The recording does not hold the reply that was asked for."""
