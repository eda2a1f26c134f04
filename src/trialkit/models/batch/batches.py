"""The batches of a run: who submits them, and what a session finds of those of an earlier one."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from trialkit.errors import InputError, ModelError
from trialkit.models.answers import Answers
from trialkit.models.connection import Client, Connection, Identity, Sent
from trialkit.models.limiter import Traffic
from trialkit.models.local import LOCAL
from trialkit.models.names import ModelSpec, protocol_of
from trialkit.models.scripted import SCRIPTED
from trialkit.models.types import Request
from trialkit.models.web import Web

from .anthropic import AnthropicBatches
from .api import BatchApi
from .desk import Desk
from .notes import Notes
from .openai import OpenAIBatches

_APIS: Mapping[str, type[BatchApi]] = {
    "openai": OpenAIBatches,
    "openai-responses": OpenAIBatches,
    "anthropic": AnthropicBatches,
}
#: A batch goes up, and its results come down, in one piece: what --timeout says of a reply is too short for that.
_TIMEOUT_S = 600.0


def check_batch_api(spec: ModelSpec) -> None:
    """InputError where a model cannot be asked in batches."""
    if spec.name.startswith((SCRIPTED, LOCAL)):
        raise InputError(f"--batch: {spec.name} has no batch API; leave it out")
    protocol = protocol_of(spec)
    if protocol is None:
        raise InputError(f"--batch: {spec.name} is asked through LiteLLM, which knows no batches; leave it out")
    if protocol.name not in _APIS:
        raise InputError(f"--batch: trialkit knows no batch API of {protocol.name}; leave it out")


class Batches:
    def __init__(self) -> None:
        self._desks: list[Desk] = []
        self._notes: Notes | None = None

    def client(self, key: str, answers: Answers, spec: ModelSpec, traffic: Traffic) -> Desk:
        if answers.price is not None:
            answers = replace(answers, price=answers.price.in_batch())
        web = Web(answers, timeout=max(spec.timeout, _TIMEOUT_S))
        desk = Desk(key, _APIS[answers.protocol.name](answers, web), answers, traffic, spec.retries)
        self._desks.append(desk)
        return desk

    def connection(self, identity: Identity, client: Client, traffic: Traffic) -> "BatchConnection":
        return BatchConnection(identity, client, traffic, retries=0)

    def begin(self, run: Path) -> None:
        """Before the first request. Raises `InputError` where the notes of an earlier session cannot be read."""
        self._notes = Notes(run)
        for desk in self._desks:
            desk.begin(self._notes)

    def end(self) -> None:
        """The run is done: nobody will ask for what is noted still, but for what could not be read."""
        if self._notes is not None:
            unread = frozenset().union(*(desk.unread for desk in self._desks))
            self._notes.drop(frozenset().union(*(one.requests for one in self._notes.batches)) - unread)

    def close(self) -> None:
        """Nothing more is waited for."""
        for desk in self._desks:
            desk.close()


class BatchConnection(Connection):
    """No limit, and no other attempt: what a batch could not answer is for the next run."""

    batched = True

    async def __call__(self, request: Request) -> Sent:
        started = perf_counter()
        try:
            reply = await self._client.send(request)
        except ModelError as error:
            error.latency_s = perf_counter() - started
            raise
        return Sent(reply=self._noted(request, reply), attempts=1, latency_s=perf_counter() - started)
