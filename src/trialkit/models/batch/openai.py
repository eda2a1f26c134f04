"""OpenAI's batches: a file of requests goes up, a file of answers and one of errors come down."""

from collections.abc import Mapping
from urllib.parse import quote
from uuid import uuid4

from trialkit.models.classify import LONGEST, HttpAnswer
from trialkit.text.json import JsonObject, dump, items, members, word
from trialkit.text.short import shortened

from .api import BatchApi, Look, Result

_OVER = frozenset({"completed", "failed", "expired", "cancelled"})


class OpenAIBatches(BatchApi):
    async def submit(self, bodies: Mapping[str, str]) -> str:
        to = self._answers.to
        endpoint = f"/v1{self._answers.protocol.url(to).removeprefix(to.base)}"
        lines = (
            f'{{"custom_id":{dump(name)},"method":"POST","url":{dump(endpoint)},"body":{body}}}\n'
            for name, body in bodies.items()
        )
        boundary = uuid4().hex
        form = _form("".join(lines), boundary)
        file = await self._told("POST", "/files", form, content_type=f"multipart/form-data; boundary={boundary}")
        asked = {"input_file_id": file["id"], "endpoint": endpoint, "completion_window": "24h"}
        return word((await self._told("POST", "/batches", dump(asked)))["id"])

    async def look(self, batch: str) -> Look:
        told = await self._told("GET", f"/batches/{quote(batch, safe='')}")
        files = [word(told.get(name)) for name in ("output_file_id", "error_file_id")]
        said = [word(one.get("message")) for one in items(members(told.get("errors")).get("data"))]
        state = word(told.get("status"))
        return Look(
            state=state,
            over=state in _OVER,
            results=tuple(f"/files/{quote(file, safe='')}/content" for file in files if file),
            fault=shortened("; ".join(filter(None, said)), LONGEST),
        )

    def _result(self, line: JsonObject) -> Result:
        response, error = line.get("response"), members(line.get("error"))
        if isinstance(response, dict):
            status = response.get("status_code")
            return HttpAnswer(
                status=status if isinstance(status, int) else 0, headers={}, text=dump(response.get("body"))
            )
        told = shortened(word(error.get("message")), LONGEST)
        return self._lost(f"{word(error.get('code')) or 'no answer'}: {told or 'nothing more'}")


def _form(lines: str, boundary: str) -> str:
    return (
        f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="requests.jsonl"\r\n'
        f"Content-Type: application/jsonl\r\n\r\n{lines}\r\n--{boundary}--\r\n"
    )
