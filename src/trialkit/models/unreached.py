"""Why a server was not reached at all, and what to do about it."""

import socket
import ssl
from collections.abc import Iterator

from trialkit.errors import ModelError


def unreached(where: str, error: BaseException, said: str) -> ModelError:
    """`where` was tried; `said` is what the error tells, free of secrets, where nothing better is known."""
    for cause in reversed([*_causes(error)]):  # the system's own error first: those of clients inherit from it
        if isinstance(cause, ssl.SSLCertVerificationError):
            fix = "name the file with its authority's certificate in SSL_CERT_FILE, or correct the address"
            return ModelError("tls", f"the certificate of {where} is not trusted ({cause.verify_message}); {fix}")
        if isinstance(cause, ssl.SSLError):
            fix = "correct the address: http:// where there is no TLS"
            return ModelError("tls", f"{where} speaks no proper TLS ({cause.reason}); {fix}")
        if isinstance(cause, socket.gaierror):
            fix = "correct the address, or look after the network"
            return ModelError("unreachable", f"the host of {where} is not found ({cause.strerror}); {fix}")
        if isinstance(cause, ConnectionRefusedError):
            fix = "start the server and wait until it listens, or correct the address"
            return ModelError("unreachable", f"no connection to {where}: connection refused; {fix}")
    return ModelError("connection", f"no connection to {where}: {said}")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
