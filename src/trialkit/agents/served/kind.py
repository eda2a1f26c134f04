"""`--agent python:FILE.py:NAME`: an agent in Python, in this process."""

import hashlib
import inspect
from asyncio import timeout
from collections.abc import Mapping
from pathlib import Path

from trialkit.agents.kind import AgentKind, Confines
from trialkit.agents.outside import AgentConnection, OutsideKind, Spent
from trialkit.agents.outside.protocol import LONGEST
from trialkit.code import load_object
from trialkit.errors import InputError, ModelError
from trialkit.models import Secrets, price_of, provider_of
from trialkit.text.files import read_file
from trialkit.text.json import dump, parse

from .bridge import Bridge
from .running import LoopThread

PYTHON = "python:"


def python_kind(name: str) -> AgentKind:
    """An `AgentKind` of its own is taken as it is. One that is not there any more is told when it is needed."""
    try:
        target = load_object(name.removeprefix(PYTHON), f"--agent {name}")
    except InputError as error:
        return _PythonKind(name, error)
    if not isinstance(target, type) and all(hasattr(target, part) for part in ("summary", "needs", "open")):
        kind: AgentKind = target
        return kind
    return _PythonKind(name, target)


class _PythonKind(OutsideKind):
    def __init__(self, name: str, target: object) -> None:
        self.summary = f"The Python that {name} names, in this process."
        self._name = name
        self._target = target

    def connect(self, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> AgentConnection:  # noqa: ARG002 - told later
        if isinstance(self._target, InputError):
            raise self._target
        if confines != Confines():
            raise InputError(
                f"--agent-env, --agent-limit: {self._name} is no process of its own; leave them out, or let "
                "trialkit.serve make a program of it"
            )
        return AgentConnection(
            name=self._name,
            endpoint="python",
            key=self._name,
            channels=Conversations(self._target, self._name.rpartition(":")[2], _version(self._target)),
            timeout_s=timeout_s,
            cost=cost_of,
        )


class InProcess:
    lasting = False

    def __init__(self, loop: LoopThread, target: object, name: str, version: str) -> None:
        self._loop = loop
        self._stderr: list[str] = []
        self._secrets = Secrets.of_environment()
        self.bridge = Bridge(target, name, version, self._stderr.append)

    async def say(self, text: str, timeout_s: float) -> str:
        try:
            async with timeout(timeout_s):
                answer = await self._loop.run(self.bridge.answer(parse(text)))
        except TimeoutError:
            raise ModelError("timeout", f"the agent did not answer within {timeout_s:g} s") from None
        try:
            written = dump(answer)
        except (TypeError, ValueError) as error:
            raise ModelError("bad_reply", f"the agent gave what is no JSON data: {error}") from None
        if len(written) > LONGEST:
            raise ModelError("bad_reply", f"the agent gave more than {LONGEST // 1024**2} MB")
        return self._secrets.hide(written)

    def take_stderr(self) -> str:
        words = "".join(self._stderr)
        self._stderr.clear()
        return self._secrets.hide(words)


class Conversations:
    """One for each conversation; they share the agents' event loop."""

    def __init__(self, target: object, name: str, version: str) -> None:
        self._target = target
        self._who = name, version
        self._loop: LoopThread | None = None

    async def take(self) -> InProcess:
        self._loop = self._loop or LoopThread()
        return InProcess(self._loop, self._target, *self._who)

    async def give_back(self, channel: InProcess) -> None:
        """It has ended."""

    async def discard(self, channel: InProcess) -> None:
        if self._loop is not None:
            await self._loop.run(channel.bridge.give_up())

    async def aclose(self) -> None:
        if self._loop is not None:
            await self._loop.aclose()
            self._loop = None


def cost_of(spent: Spent) -> float | None:
    """As the agent says, or by the price list."""
    if spent.cost is not None or not spent.model:
        return spent.cost
    provider, _, model = spent.model.rpartition("/")
    price = price_of(provider or provider_of(model) or "", model)
    return None if price is None else price.cost(spent.usage)


def _version(target: object) -> str:
    """Of its file: who changes an agent has another one."""
    try:
        file = inspect.getsourcefile(target)  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        return ""
    return hashlib.sha256(read_file(Path(file))).hexdigest()[:8] if file else ""
