"""A suite whose trials tell where they ran, and what the run file held when their answers came."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from tests.engine.tiny import TinySettings, TinySuite
from trialkit.models import Message, Reply, Request, Sent
from trialkit.runfile import Prompt, RunFile
from trialkit.suites import Trial


class RemoteSettings(TinySettings):
    asks: int = 2


class RemoteSuite(TinySuite):
    name = "remote"
    settings = RemoteSettings

    def prompts(self, settings: TinySettings) -> Sequence[Prompt]:
        return [Prompt(role="subject", version="v1", hash="0" * 64, text="Be brief.")]

    async def attempt(self, trial: Trial[TinySettings]) -> Mapping[str, Any]:
        (path,) = trial.settings.output_dir.glob("*.trial")
        committed = []
        for n in range(trial.settings.model_dump()["asks"]):
            trial.note("asking", n=n)
            message = Message(role="user", text=f"{trial.prompts['subject'].text} {trial.case.data['asked']} {n}")
            await trial.ask("model", Request(messages=(message,), seed=trial.seed))
            with RunFile(path) as run:
                committed.append(sum(call.trial_id == _id_of(run, trial) for call in run.calls()))
        said = (await trial.exchange("model", "hello", _send)).text
        return {"said": said, "committed": committed, "pid": os.getpid()}


async def _send() -> Sent:
    return Sent(reply=Reply(text=f"from {os.getpid()}", cost=0.0), attempts=1, latency_s=0.0)


def _id_of(run: RunFile, trial: Trial[TinySettings]) -> int:
    return next(row.id for row in run.trials() if (row.case_id, row.number) == (trial.case.id, trial.number))


SUITE = RemoteSuite()
