"""What a provider's batch API is, whoever's: submit, look, read the results, find again what was submitted."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from yarl import URL

from trialkit.errors import ModelError
from trialkit.models.answers import Answers
from trialkit.models.classify import LONGEST, HttpAnswer
from trialkit.models.reply import LONGEST_BODY
from trialkit.models.web import Web
from trialkit.text.json import JsonObject, items, load, members, word
from trialkit.text.short import shortened

#: Bytes of all the results of a batch.
_LONGEST_RESULTS = 16 * LONGEST_BODY

#: Of the list of batches so many are asked for at once, and so many times.
_ON_A_PAGE, _MOST_PAGES = 100, 20

#: How one request of a batch ended.
Result = HttpAnswer | ModelError


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """How far a batch is."""

    state: str  # in the provider's own word
    over: bool
    results: tuple[str, ...] = ()  # where they are, below the base
    fault: str = ""  # what was told of the batch as a whole
    too_much: bool = False  # it was refused for what waits at the provider with it, no more


class BatchApi(ABC):
    def __init__(self, answers: Answers, web: Web) -> None:
        self._answers = answers
        self._web = web

    @property
    def where(self) -> str:
        return self._answers.where

    @abstractmethod
    async def submit(self, bodies: Mapping[str, str], mark: str) -> str:
        """The batch's own id. Each request is found by its name again, the batch by its mark, as far as the provider
        keeps one. Raises `ModelError`, as all others do."""

    @abstractmethod
    async def submitted(self, mark: str, size: int, since: float) -> list[str]:
        """The batches that may be the one of that mark and size; only its results tell for sure."""

    @abstractmethod
    async def look(self, batch: str) -> Look: ...

    @abstractmethod
    def _result(self, line: JsonObject) -> Result: ...

    async def results(self, look: Look, *, whole: bool) -> dict[str, Result]:
        """By the request's name; of two lines with one name the first counts. What is no line of results is a
        `ModelError`, or left out where they need not be `whole`."""
        found = dict[str, Result]()
        for place in look.results:
            answer = await self._ask("GET", place, longest=_LONGEST_RESULTS)
            if not 200 <= answer.status < 300:
                self._answers.data(answer)  # raises
            for name, result in (await asyncio.to_thread(self._read, answer.text, whole=whole)).items():
                found.setdefault(name, result)
        return found

    def _read(self, text: str, *, whole: bool) -> dict[str, Result]:
        found = dict[str, Result]()
        for number, written in enumerate(text.split("\n"), start=1):
            line = load(written) if written.strip() else {}
            if whole and not isinstance(line, dict):
                raise ModelError("bad_reply", f"{self._answers.where}: line {number} of the results is no JSON object")
            name = word(members(line).get("custom_id"))
            if name and name not in found:
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

    async def _listed(self, place: str, cursor: str, is_recent: Callable[[JsonObject], bool]) -> list[JsonObject]:
        """Those batches of the account that are, the newest first; `cursor`: how it is said where a page begins."""
        found, after = list[JsonObject](), ""
        for _ in range(_MOST_PAGES):
            answer = await self._ask("GET", f"{place}?limit={_ON_A_PAGE}{after}")
            told = members(self._answers.data(answer))
            page = items(told.get("data"))
            recent = [one for one in page if is_recent(one)]
            found += recent
            if not recent or not told.get("has_more"):
                break
            after = f"&{cursor}={quote(word(page[-1].get('id')), safe='')}"
        return found

    def _lost(self, why: str) -> ModelError:
        return ModelError("server", f"{self._answers.where}: {why}")
