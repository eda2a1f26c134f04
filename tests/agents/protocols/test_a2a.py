"""An agent that speaks A2A 1.0, played by a server that answers as it is told: messages, tasks and faults."""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.agents.served.stage import Stage

#: Of spaces, which are no JSON yet.
BOMB = gzip.compress(b" " * 100_000_000, 1)


class Town:
    """An A2A agent at `url`."""

    def __init__(self) -> None:
        self.binding = "JSONRPC"
        self.version = "1.0"
        self.answers: list[Any] = []
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.headers: list[Any] = []
        self.status = 200
        self.url = ""
        self.speaks_at = ""  # as its card says; empty: here
        self.is_endless = False

    def answer(self, path: str, body: dict[str, Any]) -> Any:
        self.asked.append((path, body))
        found = self.answers.pop(0)
        return {"jsonrpc": "2.0", "id": body.get("id"), **found} if self.binding == "JSONRPC" else found["result"]

    def card(self) -> dict[str, Any]:
        interface = {
            "url": f"{self.speaks_at or self.url}/a2a",
            "protocolBinding": self.binding,
            "protocolVersion": self.version,
        }
        return {"name": "clerk", "version": "7", "supportedInterfaces": [interface]}


class Refusing(BaseHTTPRequestHandler):
    """Says which token it was given."""

    def do_POST(self) -> None:
        text = f"Authorization: {self.headers['Authorization']}".encode()
        self.send_response(401)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def town() -> Iterator[Town]:
    town = Town()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.give(town.card() if "agent-card" in self.path else town.answer(self.path, {}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            town.headers.append(self.headers)
            self.give(town.answer(self.path, body))

        def give(self, data: Any) -> None:
            text = json.dumps(data).encode()
            self.send_response(town.status)
            if town.is_endless and self.command == "POST":
                self.send_header("Content-Encoding", "gzip")
                self.end_headers()
                with suppress(OSError):  # whoever reads it goes
                    self.wfile.write(BOMB)
                return
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        town.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield town
        server.shutdown()
        thread.join()


def message(text: str) -> Any:
    return {
        "result": {"message": {"role": "ROLE_AGENT", "messageId": "m", "contextId": "c-9", "parts": [{"text": text}]}}
    }


def task(state: str, text: str = "", artifact: str = "") -> dict[str, Any]:
    status = {"state": state, "message": {"role": "ROLE_AGENT", "parts": [{"text": text}]}}
    artifacts = [{"artifactId": "a", "parts": [{"text": artifact}]}] if artifact else []
    return {"id": "t-1", "contextId": "c-9", "status": status, "artifacts": artifacts}


@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
async def test_messages_and_tasks_are_answers(binding: str, town: Town) -> None:
    town.binding = binding
    waits, done = task("TASK_STATE_INPUT_REQUIRED", "Which one?"), task("TASK_STATE_COMPLETED", artifact="Done.")
    get = done if binding == "HTTP+JSON" else {"result": done}
    town.answers = [message("Hello."), {"result": {"task": waits}}, {"result": {"task": task("TASK_STATE_WORKING")}}]
    town.answers.append(get if binding == "JSONRPC" else {"result": done})
    stage = Stage()
    await stage.hold(f"a2a:{town.url}", wishes=("Hi", "An order", "B2"))
    assert stage.error is None
    assert stage.said == ["Hello.", "Which one?", "Done."]
    sent = [body.get("params", body)["message"] for _, body in town.asked[:3]]
    assert [one["parts"] for one in sent] == [[{"text": "Hi"}], [{"text": "An order"}], [{"text": "B2"}]]
    assert [one["contextId"] for one in sent][1:] == ["c-9", "c-9"]
    assert [one.get("taskId") for one in sent] == [None, None, "t-1"]
    about = sent[0]["metadata"]["trialkit"]
    assert (about["policy"], about["mcp"].startswith("http://127.0.0.1:")) == ("Be brief.", True)
    assert town.headers[0]["A2A-Version"] == "1.0"
    paths = [path for path, _ in town.asked]
    assert paths == (["/a2a"] * 4 if binding == "JSONRPC" else ["/a2a/message:send"] * 3 + ["/a2a/tasks/t-1"])


async def test_what_goes_wrong_is_no_fail(town: Town) -> None:
    faults = {
        "the agent's task ended as TASK_STATE_FAILED: no luck": {
            "result": {"task": task("TASK_STATE_FAILED", "no luck")}
        },
        "the agent says: no such method": {"error": {"code": -32601, "message": "no such method"}},
        "the agent's task ended as nothing": {"result": {}},
    }
    for told, answer in faults.items():
        town.answers, stage = [answer], Stage()
        await stage.hold(f"a2a:{town.url}")
        assert told in str(stage.error)


async def test_an_answer_without_end_is_given_up(town: Town) -> None:
    town.answers, stage = [message("x" * 2**25)], Stage()
    await stage.hold(f"a2a:{town.url}")
    assert "the agent answered with more than 32 MB" in str(stage.error)


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        ({"version": "0.3.0"}, "bad_request", "names no A2A 1.x over JSONRPC or HTTP+JSON; it names JSONRPC 0.3.0"),
        ({"binding": "GRPC"}, "bad_request", "it names GRPC 1.0"),
        ({"status": 503}, "server", "the agent answered with status 503"),
        ({"status": 401}, "auth", "the agent answered with status 401"),
        ({"url": "http://127.0.0.1:1"}, "connection", "the agent at http://127.0.0.1:1/.well-known/agent-card.json"),
    ],
)
async def test_an_agent_that_cannot_be_spoken_to_is_told(
    change: dict[str, Any], kind: str, told: str, town: Town
) -> None:
    vars(town).update(change)
    stage = Stage()
    await stage.hold(f"a2a:{town.url}")
    assert stage.error is not None
    assert (stage.error.kind, told in str(stage.error)) == (kind, True), stage.error


async def test_an_answer_without_an_end_is_not_read_to_it(town: Town) -> None:
    town.answers, town.is_endless, stage = [message("x")], True, Stage()
    await stage.hold(f"a2a:{town.url}")
    assert "the agent answered with more than 32 MB" in str(stage.error)


async def test_only_the_server_that_the_user_named_gets_the_token(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIALKIT_AGENT_TOKEN", "for-the-town-alone")
    town.answers = [message("Hello."), message("Hello.")]
    await Stage().hold(f"a2a:{town.url}")
    assert [one["Authorization"] for one in town.headers] == ["Bearer for-the-town-alone"] * 2
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        town.speaks_at, stage = f"http://127.0.0.1:{elsewhere.server_port}", Stage()
        await stage.hold(f"a2a:{town.url}")
        elsewhere.shutdown()
    assert f"401: Authorization: None; it is not where its card is, and TRIALKIT_AGENT_TOKEN goes to {town.url}" in str(
        stage.error
    )
