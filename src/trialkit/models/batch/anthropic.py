"""Anthropic's message batches."""

from collections.abc import Mapping
from datetime import datetime
from math import inf
from urllib.parse import quote

from trialkit.models.classify import HttpAnswer
from trialkit.text.json import JsonObject, dump, members, word

from .api import BatchApi, Look, Result

_PLACE = "/v1/messages/batches"
#: What an error is called in a result → the status that the same has where it is answered at once.
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}
_OTHER_STATUS = 500


class AnthropicBatches(BatchApi):
    async def submit(self, bodies: Mapping[str, str], mark: str) -> str:  # noqa: ARG002 - it keeps none
        requests = (f'{{"custom_id":{dump(name)},"params":{body}}}' for name, body in bodies.items())
        return word((await self._told("POST", _PLACE, f'{{"requests":[{",".join(requests)}]}}'))["id"])

    async def submitted(self, mark: str, size: int, since: float) -> list[str]:  # noqa: ARG002 - as above
        found = await self._listed(_PLACE, "after_id", lambda batch: _created(batch) >= since)
        return [word(one.get("id")) for one in found if _size(one) == size]

    async def look(self, batch: str) -> Look:
        told = await self._told("GET", f"{_PLACE}/{quote(batch, safe='')}")
        state = word(told.get("processing_status"))
        # What is told as results_url is not asked: the key goes nowhere but to the address that was given.
        there = (f"{_PLACE}/{quote(batch, safe='')}/results",) if told.get("results_url") else ()
        return Look(state=state, over=state == "ended", results=there)

    def _result(self, line: JsonObject) -> Result:
        result = members(line.get("result"))
        kind = word(result.get("type"))
        if kind == "succeeded":
            return HttpAnswer(status=200, headers={}, text=dump(result.get("message")))
        if kind == "errored":
            error = members(result.get("error"))
            status = _STATUS.get(word(members(error.get("error")).get("type")), _OTHER_STATUS)
            return HttpAnswer(status=status, headers={}, text=dump(error))
        return self._lost(f"the request is {kind or 'without a result'} in its batch")


def _created(batch: JsonObject) -> float:
    """In seconds since 1970; where it is not told, it may have been just now."""
    try:
        return datetime.fromisoformat(word(batch.get("created_at"))).timestamp()
    except ValueError:
        return inf


def _size(batch: JsonObject) -> int:
    """While they are under way, too, the counts are of all requests."""
    return sum(count for count in members(batch.get("request_counts")).values() if isinstance(count, int))
