"""The processes that serve a run: as many as there are conversations at a time, used again, replaced when broken."""

import asyncio
from collections.abc import Sequence

from trialkit.models import Secrets

from .environment import AgentEnvironment
from .limits import Limits
from .process import AgentProcess, refuse_windows

#: What a process gets to end by itself once its stdin is closed.
_GRACE_S = 3.0


class Pool:
    def __init__(self, command: Sequence[str], environment: AgentEnvironment, limits: Limits) -> None:
        refuse_windows("agent's")
        self._command = command
        self._environment = environment
        self._limits = limits
        self._secrets = Secrets.of_environment()
        self._idle: list[AgentProcess] = []
        self._all: list[AgentProcess] = []

    async def take(self) -> AgentProcess:
        while self._idle:
            process = self._idle.pop()
            if process.alive:
                return process
            await self.discard(process)
        process = AgentProcess(self._command, self._environment.variables, self._limits, self._secrets)
        self._all.append(process)
        await process.begin()
        return process

    async def give_back(self, process: AgentProcess) -> None:
        process.take_stderr()
        if not self._limits.words:
            self._idle.append(process)
            return
        await process.close(_GRACE_S)  # limits are of a conversation
        self._all.remove(process)

    async def discard(self, process: AgentProcess) -> None:
        process.kill()
        await process.close(_GRACE_S)
        self._all.remove(process)

    async def aclose(self) -> None:
        await asyncio.gather(*(process.close(_GRACE_S) for process in self._all))
        self._all, self._idle = [], []
