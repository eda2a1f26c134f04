"""Tools of an MCP server in a suite of YAML, with the real SDK on both sides: over stdio and over HTTP."""

import json
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.e2e.waiting import is_alive, wait_for
from tests.packages import needs
from tests.suites.files.here import Here
from trialkit.runfile import RunFile

SERVER = '''
import os
from mcp.server.mcpserver import MCPServer

APP = MCPServer("shop")
PAID = []

@APP.tool()
def look_up(order: str) -> str:
    """Where an order is."""
    if order != "1001":
        raise ValueError("no such order")
    return "on its way"

@APP.tool()
def pay_back(order: str) -> str:
    """Pays an order back."""
    PAID.append(order)
    if order == "crash":
        os._exit(3)
    return f"{len(PAID)} paid back, {os.environ.get('OPENAI_API_KEY', 'no key')}"

if __name__ == "__main__":
    APP.run(transport="stdio")
'''
#: The same server without the SDK, which takes a second to load: for what is not about its words.
PLAIN = SERVER.replace(
    "from mcp.server.mcpserver import MCPServer",
    """
import json
import sys

class MCPServer:
    def __init__(self, name):
        self.tools = {}

    def tool(self, description=""):
        return lambda does: self.tools.setdefault(does.__name__, (does, description or does.__doc__))[0]

    def run(self, transport):
        for asked in map(json.loads, sys.stdin):
            if "id" in asked:
                kind, told = self.answer(asked["method"], asked.get("params", {}))
                print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], kind: told}), flush=True)

    def answer(self, method, given):
        if method == "initialize":
            names = {"serverInfo": {"name": "shop", "version": "1"}, "capabilities": {"tools": {}}}
            return "result", {"protocolVersion": given["protocolVersion"], **names}
        if method == "tools/list":
            schema = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
            told = [{"name": name, "description": one[1], "inputSchema": schema} for name, one in self.tools.items()]
            return "result", {"tools": told}
        if method == "tools/call":
            text = self.tools[given["name"]][0](**given["arguments"])
            return "result", {"content": [{"type": "text", "text": text}], "isError": False}
        return "error", {"code": -32601, "message": "there is no such method"}
""",
)
SUITE = """
cases:
  - {id: late, text: "Where is order 1001?", does: look_up}
  - {id: back, text: "Pay back order 1002!", does: pay_back}
prompt: "{{ text }}"
tools: %s
judges:
  acts: {tool_call: ["{{ does }}"]}
  tells: {contains: [done]}
"""
SCRIPT: dict[str, list[Any]] = {
    "replies": [
        {"when": "order 1001", "tool_calls": [{"name": "look_up", "arguments": {"order": "1001"}}]},
        {"when": "order 1002", "tool_calls": [{"name": "pay_back", "arguments": {"order": "1002"}}]},
        {"when": "Crash", "tool_calls": [{"name": "pay_back", "arguments": {"order": "crash"}}]},
        {"when": "Nothing", "tool_calls": [{"name": "look_up", "arguments": {"order": "5"}}]},
        {"when": "on its way", "text": "done"},
        {"when": "^1 paid back, no key", "text": "done"},
        {"when": "^Error: ", "text": "There is none."},
    ]
}
STDIO = f'"mcp:{sys.executable} shop.py"'


def written(here: Here, tools: str, suite: str = SUITE) -> Here:
    needs("mcp", "uv sync --all-extras")
    here.write(orders_yaml=suite % tools, shop_py=SERVER, script_json=json.dumps(SCRIPT))
    return here


def test_each_trial_has_a_session_and_a_replay_needs_no_server(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-ours")
    written(here, STDIO)
    done = here("run", "orders.yaml", "--model", "scripted:script.json", "--ids", "back", "--trials", "2")
    assert done.status == 0, done.text
    (here.folder / "shop.py").unlink()
    with RunFile(here.folder / here.last_run()) as run:
        trials = run.trials()
    assert [[one.outcome for one in trial.verdicts] for trial in trials] == [["pass", "pass"]] * 2
    assert "identical: 2 trials, 4 verdicts" in here("replay", here.last_run()).out


LEAVES = """
import signal, subprocess, sys

with open("left.txt", "a") as left:
    for group in ({"start_new_session": True}, {"process_group": 0}):
        print(subprocess.Popen(["sleep", "3600"], **group).pid, file=left)
    forked_twice = subprocess.run(["sh", "-c", "setsid sleep 3600 >&2 & echo $!"], stdout=subprocess.PIPE)
    print(int(forked_twice.stdout), file=left)
"""


def left_by(here: Here) -> list[int]:
    return [*map(int, (here.folder / "left.txt").read_text().split())]


def test_what_a_server_started_ends_with_it_wherever_it_went(here: Here) -> None:
    written(here, STDIO).write(shop_py=LEAVES + PLAIN)
    assert here("run", "orders.yaml", "--model", "scripted:script.json").status == 0
    left = left_by(here)
    assert len(left) == 3 * 3  # when the suite was read, and for each trial
    assert [pid for pid in left if is_alive(pid)] == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_of_a_server_that_hangs_outlives_the_run(here: Here, how: signal.Signals) -> None:
    written(here, STDIO).write(shop_py=LEAVES + PLAIN.replace("os._exit(3)", "open('hangs', 'x'); signal.pause()"))
    here.write(script_json=json.dumps({"replies": [{"tool_calls": SCRIPT["replies"][2]["tool_calls"]}]}))
    process = Program(here.folder).start("run", "orders.yaml", "--model", "scripted:script.json", "--ids", "back")
    wait_for((here.folder / "hangs").exists)
    process.send_signal(how)
    if how == signal.SIGINT:
        wait_for(lambda: process.stdout is not None and "interrupt again" in process.stdout.readline())
        process.send_signal(how)
    process.communicate()
    wait_for(lambda: not any(map(is_alive, left_by(here))))


def test_a_server_may_print_and_an_answer_without_end_is_refused(here: Here) -> None:
    endless = PLAIN.replace('return "on its way"', 'return "x" * 2**25').replace(
        "import os", "import os\nprint('Hello!')"
    )
    written(here, STDIO).write(shop_py=endless)
    assert here("run", "orders.yaml", "--model", "scripted:script.json", "--ids", "late").status == 3
    with RunFile(here.folder / here.last_run()) as run:
        (late,) = run.trials()
    assert "look_up: the server wrote a line of more than 32 MB" in str(late.error)


def test_a_server_at_an_address(here: Here) -> None:
    with served() as address:
        written(here, f'["mcp:{address}"]')
        assert "Pays an order back." in here("check", "orders.yaml").out
        done = here("run", "orders.yaml", "--model", "scripted:script.json", "--ids", "late")
    assert (done.status, "1/1 = 100.0%" in done.out) == (0, True), done.text


@contextmanager
def served() -> Iterator[str]:
    import uvicorn  # noqa: PLC0415 - of the extra, too

    module: dict[str, Any] = {"__name__": "shop"}
    exec(SERVER, module)  # noqa: S102 - the same server
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(module["APP"].streamable_http_app(), log_level="critical"))
        running = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        running.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        server.should_exit = True
        running.join(10)


def test_a_refusal_is_read_by_the_model_and_a_server_that_dies_is_an_error(here: Here) -> None:
    cases = "cases: [{id: none, text: Nothing, does: look_up}, {id: dead, text: Crash, does: look_up}]\n"
    written(here, STDIO, cases + SUITE.partition("prompt:")[1] + SUITE.partition("prompt:")[2])
    assert here("run", "orders.yaml", "--model", "scripted:script.json").status == 3
    with RunFile(here.folder / here.last_run()) as run:
        refused, dead = run.trials()
    assert refused.output is not None
    assert refused.output["text"] == "There is none."
    assert refused.output["calls"][0]["error"] is True
    assert (dead.error_kind, "shop.py: pay_back: " in str(dead.error)) == ("connection", True)


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ("'mcp:'", "a command or an address must follow mcp:, like mcp:'python server.py'"),
        ('"mcp:python \'x"', "cannot be read (No closing quotation); quote it as in a shell"),
        ("mcp:no-such-program", "cannot be had: the server no-such-program cannot be started: No such file"),
        (f'"mcp:{sys.executable} none.py"', "can't open file"),
        ("mcp:http://user:word@host/mcp", "tools must not hold a user name or password (host host)"),
        ("mcp:server --token abcdefgh", "tools must not hold a secret (--token): it would stand in the run file"),
        ("'mcp:http://127.0.0.1:1/mcp'", "mcp:http://127.0.0.1:1/mcp: cannot be had:"),
    ],
)
def test_a_server_that_cannot_be_had_is_told_at_its_place(here: Here, tools: str, told: str) -> None:
    written(here, tools)
    done = here("check", "orders.yaml")
    assert (done.status, done.err.startswith("trialkit: orders.yaml:6:1: tools"), told in done.err) == (
        2,
        True,
        True,
    ), done.err


@pytest.mark.parametrize("broken", [False, True])
def test_a_secret_that_a_server_was_given_is_not_kept(
    here: Here, monkeypatch: pytest.MonkeyPatch, *, broken: bool
) -> None:
    """It quotes what it was started with: in what its tool is for, in answers, or in why it cannot be had."""
    monkeypatch.setenv("SHOP_TOKEN", "token-of-this-shop-0815")
    tells = PLAIN.replace('f"{len(PAID)} paid back, {os', 'f"{len(PAID)} paid back, no key, {sys.argv} {os')
    tells = tells.replace("import os", "import os, sys").replace("@APP.tool()", "@APP.tool(description=sys.argv[1])")
    written(here, f'"mcp:{sys.executable} shop.py $SHOP_TOKEN"')
    here.write(shop_py=tells.replace("APP.run", "sys.exit(sys.argv[1]) or APP.run") if broken else tells)
    done = here("run", "orders.yaml", "--model", "scripted:script.json", "--ids", "back")
    assert (done.status, "[redacted]" in done.err) == ((2, True) if broken else (0, False)), done.text
    assert "token-of-this-shop" not in done.text
    kept = [path for path in here.folder.rglob("*") if path.is_file() and b"this-shop-0815" in path.read_bytes()]
    assert kept == []
