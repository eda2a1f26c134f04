"""An MCP server that is a program: held like an agent's, so that nothing of it stays and no answer is without end."""

import asyncio
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from trialkit.agents.outside import AgentEnvironment, AgentProcess, Limits
from trialkit.errors import ModelError
from trialkit.models import Secrets

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

    Heard: TypeAlias = SessionMessage | Exception
    Streams: TypeAlias = tuple[MemoryObjectReceiveStream[Heard], MemoryObjectSendStream[SessionMessage]]

#: What it gets to end by itself once its stdin is closed.
_GRACE_S = 2.0


class ServerProgram:
    """It runs in the suite's folder, without our keys."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        secrets, variables = Secrets.of_environment(), AgentEnvironment().variables
        self._process = AgentProcess(command, variables, Limits(), secrets, called="the server", folder=folder)
        self.fault = ""  # why nothing more is heard of it

    @asynccontextmanager
    async def streams(self) -> "AsyncIterator[Streams]":
        """What the SDK takes for a transport."""
        import anyio  # noqa: PLC0415 - the SDK's: only whoever names a server needs it

        to_client, heard = anyio.create_memory_object_stream["Heard"](0)
        said, from_client = anyio.create_memory_object_stream["SessionMessage"](0)
        talking: list[asyncio.Task[None]] = []
        try:
            await self._process.begin()
            talking += map(asyncio.ensure_future, (self._hear(to_client), self._tell(from_client)))
            yield heard, said
        finally:
            for one in talking:
                one.cancel()
            await self._process.close(_GRACE_S)
            for stream in (to_client, heard, said, from_client):
                stream.close()

    async def _hear(self, to_client: "MemoryObjectSendStream[Heard]") -> None:
        from mcp.shared.message import SessionMessage  # noqa: PLC0415 - as above
        from mcp.types import jsonrpc_message_adapter  # noqa: PLC0415 - as above

        with to_client:
            try:
                while True:
                    line = await self._process.hear()
                    try:
                        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    except ValueError:  # it prints
                        continue
                    await to_client.send(SessionMessage(message))
            except ModelError as error:
                self.fault = str(error)

    async def _tell(self, from_client: "MemoryObjectReceiveStream[SessionMessage]") -> None:
        async for one in from_client:
            await self._process.tell(one.message.model_dump_json(by_alias=True, exclude_unset=True))
