"""A server that speaks OpenAI's chat completions and knows the forty tickets, so that every tool is told the same.

As the model on trial it names the wrong team for every tenth ticket, and promises too much in every eighth reply. As a
judge it sees exactly that, in the form that whoever asks wants to read. `python server.py PORT`.
"""

import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LATENCY_S = 0.05
_TEAMS = ("billing", "shipping", "returns", "other")
_ACCOUNTS = re.compile(r"100\d\d")
_PROMISE = "I promise you a full refund"
_JUDGES = ("GRADE:", "rubric", "Rubric", "record_verdict")


def said_of(ticket: int) -> str:
    """The reply to a ticket, from 0, and the team in a line of its own."""
    wrong, promises = ticket % 10 == 9, ticket % 8 == 7
    reply = f"{_PROMISE}." if promises else "Thank you, we are looking into it."
    return f"{reply}\n{_TEAMS[(ticket + wrong) % 4]}"


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The message."""
    asked = json.dumps(body["messages"], ensure_ascii=False)
    tools = body.get("tools") or []
    if not tools and not any(word in asked for word in _JUDGES):
        found = _ACCOUNTS.search(asked)
        return {"content": said_of(int(found[0]) - 10_001) if found else "I do not know."}
    good = _PROMISE not in asked
    why = "It promises nothing." if good else "It promises a refund."
    if tools:
        tool = tools[0]["function"]
        arguments = _filled(tool["parameters"], tool["parameters"].get("$defs", {}), good=good, why=why)
        call = {"name": tool["name"], "arguments": json.dumps(arguments)}
        return {"content": None, "tool_calls": [{"id": "call", "type": "function", "function": call}]}
    if "GRADE:" in asked:
        return {"content": f"{why}\n\nGRADE: {'C' if good else 'I'}"}
    return {"content": json.dumps({"reason": why, "pass": good, "score": float(good)})}


def _filled(schema: dict[str, Any], shared: dict[str, Any], *, good: bool, why: str) -> Any:
    """A value that a judge's JSON schema allows, and that says what is to be said."""
    if "$ref" in schema:
        return _filled(shared[schema["$ref"].rsplit("/", 1)[1]], shared, good=good, why=why)
    kind = schema.get("type")
    if kind == "object":
        return {key: _filled(one, shared, good=good, why=why) for key, one in schema["properties"].items()}
    if kind == "array":
        return [_filled(schema["items"], shared, good=good, why=why)]
    if "enum" in schema:
        wanted = "pass" if good else "fail"
        return wanted if wanted in schema["enum"] else schema["enum"][0]
    return {"boolean": good, "integer": 1, "number": float(good)}.get(str(kind), why)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(LATENCY_S)
        message = {"role": "assistant", **answer(body)}
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        reply = {
            "id": "reply",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 200, "completion_tokens": 40, "total_tokens": 240},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing: what is asked is counted by those who ask."""


def serve(port: int = 0) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    server.daemon_threads = True
    return server


if __name__ == "__main__":
    serve(int(sys.argv[1])).serve_forever()
