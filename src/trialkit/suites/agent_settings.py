"""The settings of every suite that puts agents on trial."""

from typing import Annotated

from pydantic import Field

from trialkit.settings import RARE, PerSession, RunSettings


class AgentSettings(RunSettings):
    """Of a suite that puts agents on trial."""

    agent: str | None = Field(
        None,
        description="Who acts: a name that `trialkit agents` lists, stdio:COMMAND, http://…, python:FILE:NAME, "
        "mcp:COMMAND, a2a:URL [default: tool-calling].",
    )
    agent_timeout: Annotated[float, PerSession(), RARE] = Field(
        600.0, gt=0, description="Seconds to wait for each answer of an agent outside of trialkit."
    )
    agent_env: Annotated[tuple[str, ...], PerSession(), RARE] = Field(
        (), description="Variables that the agent's process is given beside the usual ones: NAME, or NAME=VALUE."
    )
    agent_limit: Annotated[tuple[str, ...], PerSession(), RARE] = Field(
        (), description="What its process may take in a conversation: memory=2G, cpu=60, files=256, wall=300."
    )

    @property
    def agent_name(self) -> str:
        return self.agent or "tool-calling"
