"""Anthropic's message batches."""

from collections.abc import Mapping
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
    async def submit(self, bodies: Mapping[str, str]) -> str:
        requests = (f'{{"custom_id":{dump(name)},"params":{body}}}' for name, body in bodies.items())
        return word((await self._told("POST", _PLACE, f'{{"requests":[{",".join(requests)}]}}'))["id"])

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
