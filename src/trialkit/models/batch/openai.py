"""OpenAI's batches: a file of requests goes up, a file of answers and one of errors come down."""

from collections.abc import Mapping
from math import inf
from urllib.parse import quote
from uuid import uuid4

from trialkit.models.classify import LONGEST, HttpAnswer
from trialkit.text.json import JsonObject, dump, items, members, word
from trialkit.text.short import shortened

from .api import BatchApi, Look, Result

_OVER = frozenset({"completed", "failed", "expired", "cancelled"})
#: Under which key of its metadata a batch has its mark.
_MARK = "trialkit"
#: Why a batch fails where there are more tokens in it, or waiting with it, than this account may have waiting.
_TOO_MUCH = "token_limit_exceeded"


class OpenAIBatches(BatchApi):
    async def submit(self, bodies: Mapping[str, str], mark: str) -> str:
        to = self._answers.to
        endpoint = f"/v1{self._answers.protocol.url(to).removeprefix(to.base)}"
        lines = (
            f'{{"custom_id":{dump(name)},"method":"POST","url":{dump(endpoint)},"body":{_one_line(body)}}}\n'
            for name, body in bodies.items()
        )
        boundary = uuid4().hex
        form = _form("".join(lines), boundary)
        file = await self._told("POST", "/files", form, content_type=f"multipart/form-data; boundary={boundary}")
        asked = {"input_file_id": file["id"], "endpoint": endpoint, "completion_window": "24h"}
        told = await self._told("POST", "/batches", dump({**asked, "metadata": {_MARK: mark}}))
        return word(told["id"])

    async def submitted(self, mark: str, size: int, since: float) -> list[str]:  # noqa: ARG002 - the mark tells it
        found = await self._listed("/batches", "after", lambda batch: _created(batch) >= since)
        return [word(one.get("id")) for one in found if members(one.get("metadata")).get(_MARK) == mark]

    async def look(self, batch: str) -> Look:
        told = await self._told("GET", f"/batches/{quote(batch, safe='')}")
        files = [word(told.get(name)) for name in ("output_file_id", "error_file_id")]
        errors = items(members(told.get("errors")).get("data"))
        said = [": ".join(filter(None, (word(one.get("code")), word(one.get("message"))))) for one in errors]
        state = word(told.get("status"))
        return Look(
            state=state,
            over=state in _OVER,
            results=tuple(f"/files/{quote(file, safe='')}/content" for file in files if file),
            fault=shortened("; ".join(filter(None, said)), LONGEST),
            too_much=any(word(one.get("code")) == _TOO_MUCH for one in errors),
        )

    def _result(self, line: JsonObject) -> Result:
        response, error = line.get("response"), members(line.get("error"))
        if isinstance(response, dict) and isinstance(status := response.get("status_code"), int):
            return HttpAnswer(status=status, headers={}, text=dump(response.get("body")))
        told = shortened(word(error.get("message")), LONGEST)
        return self._lost(f"{word(error.get('code')) or 'no answer'}: {told or 'nothing more'}")


def _one_line(body: str) -> str:
    """What JSON may hold as it is, and some take for the end of a line."""
    return body.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _created(batch: JsonObject) -> float:
    """In seconds since 1970; where it is not told, it may have been just now."""
    told = batch.get("created_at")
    return float(told) if isinstance(told, int) else inf


def _form(lines: str, boundary: str) -> str:
    return (
        f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="requests.jsonl"\r\n'
        f"Content-Type: application/jsonl\r\n\r\n{lines}\r\n--{boundary}--\r\n"
    )
