"""The server, on an address that only this machine reaches unless another is asked for."""

import gc
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp

from trialkit.errors import InputError

_ANY_PORT = range(8765, 8785)
#: A run that is read is many small objects, none of them in a circle: to look for circles 70 times as rarely takes a
#: quarter off the time to read 5,000 trials.
_OBJECTS = 50_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Where the server listens, already bound."""

    listening: socket.socket
    host: str
    port: int

    @classmethod
    def bound(cls, host: str, port: int | None) -> "Address":
        """Without a port: the first that is free of a few, so that a bookmark mostly works again."""
        ports = [port] if port is not None else [*_ANY_PORT, 0]
        fault = ""
        for one in ports:
            try:
                listening = socket.create_server((host, one), family=_family(host))
            except OSError as error:
                fault = error.strerror or str(error)
                continue
            return cls(listening=listening, host=host, port=listening.getsockname()[1])
        raise InputError(f"--host {host} --port {port or 'any'}: cannot be listened on: {fault}")

    @property
    def local(self) -> bool:
        """Whether nobody but this machine reaches it."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def hosts(self) -> frozenset[str]:
        """What a browser may call us. Whoever listens on all addresses is called by any of them."""
        names = {self.host.lower()}
        if self.local:
            names |= {"localhost", "127.0.0.1", "::1"}
        elif self.host in {"0.0.0.0", "::"}:  # noqa: S104 - asked for, and then with a token
            names |= {"localhost", "127.0.0.1", "::1", *_own_names()}
        return frozenset(f"[{name}]:{self.port}" if ":" in name else f"{name}:{self.port}" for name in names)

    def url(self, path: str = "/") -> str:
        host = "127.0.0.1" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104 - as above
        return f"http://[{host}]:{self.port}{path}" if ":" in host else f"http://{host}:{self.port}{path}"


class _Server(uvicorn.Server):
    """One that tells `closing` before it waits for its answers to end: pages that follow a run never do."""

    def __init__(self, config: uvicorn.Config, closing: Callable[[], None]) -> None:
        super().__init__(config)
        self._closing = closing

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._closing()
        await super().shutdown(sockets)


def server_of(app: ASGIApp, closing: Callable[[], None]) -> uvicorn.Server:
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", server_header=False)
    config.timeout_graceful_shutdown = 1
    return _Server(config, closing)


def serve(app: ASGIApp, address: Address, *, ready: Callable[[], None], closing: Callable[[], None]) -> None:
    """Until it is interrupted. `ready` is called when it listens."""
    gc.set_threshold(_OBJECTS)
    ready()  # it is bound: who comes now waits in line
    with suppress(KeyboardInterrupt):
        server_of(app, closing).run(sockets=[address.listening])


def open_browser(url: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(url)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _own_names() -> set[str]:
    name = socket.gethostname()
    found = {name.lower(), socket.getfqdn().lower()}
    with suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    return found
