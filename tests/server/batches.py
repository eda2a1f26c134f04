"""The batch APIs of OpenAI and Anthropic. A batch goes on by one state each time that somebody looks at it."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from typing import Protocol as Shape

from aiohttp import BodyPartReader, web

from tests.server.actions import Fault, Protocol, Raw, Respond, Say
from tests.server.protocols import answer, fault

_ENDPOINTS: Mapping[str, Protocol] = {"/v1/chat/completions": "openai", "/v1/responses": "openai-responses"}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(slots=True)
class Submitted:
    id: str
    protocol: Protocol
    bodies: dict[str, dict[str, Any]]  # by custom_id
    endpoint: str = ""
    file: str = ""
    metadata: dict[str, str] | None = None
    asked: dict[str, Any] = field(default_factory=dict)  # the body that created it
    lines_asked: list[dict[str, Any]] = field(default_factory=list)  # of its file
    at: float = field(default_factory=time.time)
    looks: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list)  # once it is over


#: What becomes of a request: it is answered, `expired`, `canceled`, or its line is `missing` in the results.
Fate = Callable[[dict[str, Any]], str]


class Answering(Shape):
    respond: Respond


class BatchServer:
    def __init__(self, server: Answering) -> None:
        self._server = server
        self.submitted: list[Submitted] = []
        self.looks_needed = 1  # at a batch until it is over
        self.fate: Fate = lambda _: "answered"
        self.failing = 0  # so many looks are answered with a 500
        self.look_status = 0  # what each look is refused with
        self.invalid = ""  # why OpenAI's validation fails
        self.strangers = 0  # lines in the results that nobody asked for
        self.most = 10**9  # requests that may wait in a batch of OpenAI's
        self.refusing = 0  # so many submissions are turned away with a 429
        self.losing = 0  # of so many batches that were taken the answer is a 500
        self.silent = False  # nothing is answered where a batch was taken
        self.breaking = 0  # so many results are sent in part
        self._files: dict[str, str] = {}

    @property
    def requests(self) -> int:
        return sum(len(one.bodies) for one in self.submitted)

    def add_to(self, app: web.Application) -> None:
        app.router.add_post("/v1/files", self._upload)
        app.router.add_get("/v1/files/{id}/content", self._content)
        app.router.add_post("/v1/batches", self._create)
        app.router.add_get("/v1/batches", self._list)
        app.router.add_get("/v1/batches/{id}", self._openai)
        app.router.add_post("/v1/messages/batches", self._create_messages)
        app.router.add_get("/v1/messages/batches", self._list_messages)
        app.router.add_get("/v1/messages/batches/{id}", self._anthropic)
        app.router.add_get("/v1/messages/batches/{id}/results", self._results)

    async def _upload(self, request: web.Request) -> web.Response:
        parts = dict[str, str]()
        async for part in await request.multipart():
            if isinstance(part, BodyPartReader) and part.name:
                parts[part.name] = (await part.read(decode=True)).decode()
                if part.name == "file" and not (part.filename or "").endswith(".jsonl"):
                    return _refused("Invalid file format for Batch API. Must be .jsonl")
        if parts.get("purpose") != "batch" or "file" not in parts:
            return _refused("purpose and file are needed")
        name = f"file-{len(self._files)}"
        self._files[name] = parts["file"]
        told = {"id": name, "object": "file", "bytes": len(parts["file"]), "created_at": 1, "purpose": "batch"}
        return web.json_response({**told, "filename": "requests.jsonl", "status": "processed"})

    async def _create(self, request: web.Request) -> web.Response:
        asked = await request.json()
        text, endpoint = self._files.get(asked["input_file_id"]), asked["endpoint"]
        if text is None or endpoint not in _ENDPOINTS or asked["completion_window"] != "24h":
            return _refused(f"invalid batch: {asked}")
        lines = [json.loads(line) for line in text.splitlines() if line]
        if any(line["url"] != endpoint or line["method"] != "POST" for line in lines):
            return _refused("The URL provided for this request does not match the batch endpoint")
        bodies = {line["custom_id"]: line["body"] for line in lines}
        if len(bodies) < len(lines):
            return _refused("duplicate custom_id")
        name, file, metadata = f"batch_{len(self.submitted)}", asked["input_file_id"], asked.get("metadata")
        if any(len(key) > 64 or len(value) > 512 for key, value in (metadata or {}).items()):
            return _refused("metadata")
        batch = Submitted(name, _ENDPOINTS[endpoint], bodies, endpoint, file, metadata, asked, lines)
        return await self._taken(batch) or web.json_response(self._batch(batch, "validating"))

    async def _taken(self, batch: Submitted) -> web.Response | None:
        """None: it is answered as it should be."""
        if self.refusing:
            self.refusing -= 1
            return _refused("Too many batches wait", 429)
        self.submitted.append(batch)
        if self.silent:
            await asyncio.Future()
        if self.losing:
            self.losing -= 1
            return _refused("The server had an error", 500)
        return None

    async def _list(self, request: web.Request) -> web.Response:
        page, more = self._page(request, "openai", "after")
        told = [self._batch(one, self._status(one)) for one in page]
        ends = {"first_id": page[0].id, "last_id": page[-1].id} if page else {}
        return web.json_response({"object": "list", "data": told, "has_more": more, **ends})

    async def _list_messages(self, request: web.Request) -> web.Response:
        page, more = self._page(request, "anthropic", "after_id")
        ends = {"first_id": page[0].id, "last_id": page[-1].id} if page else {"first_id": None, "last_id": None}
        told = [_message_batch(one, f"{request.url}/{one.id}/results" if one.lines else None) for one in page]
        return web.json_response({"data": told, "has_more": more, **ends})

    def _page(self, request: web.Request, protocol: Protocol, cursor: str) -> tuple[list[Submitted], bool]:
        own = [one for one in reversed(self.submitted) if one.protocol.startswith(protocol)]
        names, after = [one.id for one in own], request.query.get(cursor)
        left = own[names.index(after) + 1 if after else 0 :]
        limit = int(request.query.get("limit", "20"))
        return left[:limit], len(left) > limit

    def _batch(self, batch: Submitted, status: str) -> dict[str, Any]:
        over = {"output_file_id": f"{batch.id}-output", "error_file_id": f"{batch.id}-error"}
        told = {
            "id": batch.id,
            "object": "batch",
            "endpoint": batch.endpoint,
            "input_file_id": batch.file,
            "completion_window": "24h",
            "created_at": int(batch.at),
            "metadata": batch.metadata,
            "status": status,
        }
        if status == "failed":
            error = {"code": "invalid", "message": self.invalid, "line": None, "param": None}
            if len(batch.bodies) > self.most:
                error |= {"code": "token_limit_exceeded", "message": "Enqueued token limit reached for this model."}
            return {**told, "errors": {"object": "list", "data": [error]}}
        return {**told, **over} if status in {"completed", "expired", "cancelled"} else told

    async def _openai(self, request: web.Request) -> web.Response:
        batch = self._looked_at(request)
        if isinstance(batch, web.Response):
            return batch
        if batch.looks >= self.looks_needed and self._status(batch) != "failed":
            self._run(batch)
        return web.json_response(self._batch(batch, self._status(batch)))

    def _status(self, batch: Submitted) -> str:
        if self.invalid or len(batch.bodies) > self.most:
            return "failed"
        if not batch.lines:
            return "in_progress"
        fates = {line["fate"] for line in batch.lines}
        return "cancelled" if "canceled" in fates else "expired" if "expired" in fates else "completed"

    async def _content(self, request: web.Request) -> web.Response:
        name, _, which = request.match_info["id"].rpartition("-")
        batch = next(one for one in self.submitted if one.id == name)
        lines = list[dict[str, Any]]()
        for number, line in enumerate(reversed(batch.lines)):
            if (line["fate"] == "expired" or line["status"] >= 400) is not (which == "error"):
                continue
            if line["fate"] == "canceled":  # nothing is told of it
                continue
            response = {"status_code": line["status"], "request_id": "req_1", "body": line["told"]}
            ended: dict[str, Any] = {"response": response, "error": None}
            if line["fate"] == "expired":
                error = {"code": "batch_expired", "message": "This request could not be executed."}
                ended = {"response": None, "error": error}
            lines.append({"id": f"{number}", "custom_id": line["id"], **ended})
        return self._jsonl(lines)

    def _jsonl(self, lines: list[dict[str, Any]]) -> web.Response:
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        if text and self.breaking:
            self.breaking -= 1
            text = text[: len(text) // 2]
        return web.Response(text=text, content_type="application/x-ndjson")

    async def _create_messages(self, request: web.Request) -> web.Response:
        asked = (await request.json())["requests"]
        bodies = {one["custom_id"]: one["params"] for one in asked}
        if len(bodies) < len(asked) or not all(map(_NAME.fullmatch, bodies)):
            return _refused("custom_id")
        batch = Submitted(f"msgbatch_{len(self.submitted)}", "anthropic", bodies, lines_asked=asked)
        return await self._taken(batch) or web.json_response(_message_batch(batch, None))

    async def _anthropic(self, request: web.Request) -> web.Response:
        batch = self._looked_at(request)
        if isinstance(batch, web.Response):
            return batch
        if batch.looks < self.looks_needed:
            return web.json_response(_message_batch(batch, None))
        self._run(batch)
        return web.json_response(_message_batch(batch, f"{request.url}/results"))

    async def _results(self, request: web.Request) -> web.Response:
        batch = next(one for one in self.submitted if one.id == request.match_info["id"])
        lines = list[dict[str, Any]]()
        for line in reversed(batch.lines):
            result: dict[str, Any] = {"type": "succeeded", "message": line["told"]}
            if line["fate"] in {"expired", "canceled"}:
                result = {"type": line["fate"]}
            elif line["status"] >= 400:
                result = {"type": "errored", "error": line["told"]}
            lines.append({"custom_id": line["id"], "result": result})
        return self._jsonl(lines)

    def _looked_at(self, request: web.Request) -> Submitted | web.Response:
        if self.failing:
            self.failing -= 1
            return _refused("The server had an error", 500)
        if self.look_status:
            return _refused("No", self.look_status)
        batch = next((one for one in self.submitted if one.id == request.match_info["id"]), None)
        if batch is None:
            return _refused("No such batch", 404)
        batch.looks += 1
        return batch

    def _run(self, batch: Submitted) -> None:
        if batch.lines:
            return
        for name, body in batch.bodies.items():
            fate = self.fate(body)
            status, told = (0, {}) if fate != "answered" else _answered(self._server.respond, body, batch.protocol)
            if fate != "missing":
                batch.lines.append({"id": name, "fate": fate, "status": status, "told": told})
        strange = [{**batch.lines[0], "id": f"stranger-{number}"} for number in range(self.strangers)]
        batch.lines += strange


def _answered(respond: Respond, body: dict[str, Any], protocol: Protocol) -> tuple[int, Any]:
    action = respond(body, protocol)
    if isinstance(action, Fault):
        status, data = fault(action, protocol)
        return status, json.loads(data)
    if isinstance(action, Raw):
        return action.status, json.loads(action.body)
    if not isinstance(action, Say):
        raise TypeError(f"in a batch there is no {action}")
    return 200, json.loads(answer(action, body, protocol))


def _message_batch(batch: Submitted, results: str | None) -> dict[str, Any]:
    told = {"id": batch.id, "type": "message_batch", "processing_status": "ended" if results else "in_progress"}
    counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
    counts["succeeded" if results else "processing"] = len(batch.bodies)
    at = datetime.fromtimestamp(batch.at, UTC)
    when = {"created_at": at.isoformat(), "expires_at": (at + timedelta(days=1)).isoformat()}
    return {**told, **when, "request_counts": counts, "results_url": results}


def _refused(message: str, status: int = 400) -> web.Response:
    error = {"type": "invalid_request_error", "message": message}
    return web.json_response({"type": "error", "error": error}, status=status)
