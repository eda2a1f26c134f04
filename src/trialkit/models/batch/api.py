"""What a provider's batch API is, whoever's: submit, look, read the results."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from yarl import URL

from trialkit.errors import ModelError
from trialkit.models.answers import Answers
from trialkit.models.classify import LONGEST, HttpAnswer
from trialkit.models.reply import LONGEST_BODY
from trialkit.models.web import Web
from trialkit.text.json import JsonObject, load, word
from trialkit.text.short import shortened

#: Bytes of all the results of a batch.
_LONGEST_RESULTS = 16 * LONGEST_BODY

#: How one request of a batch ended.
Result = HttpAnswer | ModelError


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """How far a batch is."""

    state: str  # in the provider's own word
    over: bool
    results: tuple[str, ...] = ()  # where they are, below the base
    fault: str = ""  # what was told of the batch as a whole


class BatchApi(ABC):
    def __init__(self, answers: Answers, web: Web) -> None:
        self._answers = answers
        self._web = web

    @abstractmethod
    async def submit(self, bodies: Mapping[str, str]) -> str:
        """The batch's own id. Each request is found by its name again. Raises `ModelError`, as all others do."""

    @abstractmethod
    async def look(self, batch: str) -> Look: ...

    @abstractmethod
    def _result(self, line: JsonObject) -> Result: ...

    async def results(self, look: Look) -> dict[str, Result]:
        """By the request's name. Lines that are none are left out."""
        found = dict[str, Result]()
        for place in look.results:
            answer = await self._ask("GET", place, longest=_LONGEST_RESULTS)
            if not 200 <= answer.status < 300:
                self._answers.data(answer)  # raises
            for text in answer.text.split("\n"):
                line = load(text)
                if isinstance(line, dict) and (name := word(line.get("custom_id"))):
                    found[name] = self._result(line)
        return found

    async def aclose(self) -> None:
        await self._web.aclose()

    async def _ask(
        self,
        method: Literal["GET", "POST"],
        place: str,
        data: str | None = None,
        *,
        content_type: str = "",
        longest: int = LONGEST_BODY,
    ) -> HttpAnswer:
        url, body = URL(f"{self._answers.to.base}{place}"), None if data is None else data.encode()
        return await self._web.ask(method, url, body, content_type=content_type, longest=longest)

    async def _told(
        self, method: Literal["GET", "POST"], place: str, data: str | None = None, *, content_type: str = ""
    ) -> JsonObject:
        answer = await self._ask(method, place, data, content_type=content_type)
        told = self._answers.data(answer)
        if isinstance(told, dict) and word(told.get("id")):
            return told
        said = shortened(answer.text, LONGEST)
        raise ModelError("bad_reply", f"{self._answers.where} answered with what is no batch: {said}")

    def _lost(self, why: str) -> ModelError:
        return ModelError("server", f"{self._answers.where}: {why}")
