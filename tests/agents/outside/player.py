"""An agent program for tests: plays the ground truth that its plan gives for a user's first message, and misbehaves on
demand. It knows nothing of trialkit.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

parser = argparse.ArgumentParser()
parser.add_argument("--plan", type=Path)
parser.add_argument("--fault", default="")
parser.add_argument("--at", type=int, default=2, help="the number of the message at which the fault comes")
parser.add_argument("--only", default="", help="the fault comes only where the user says this")
parser.add_argument("--unless", type=Path, help="the fault comes only where there is no such file")
parser.add_argument("--stubborn", action="store_true", help="does not end when it is asked to")
parser.add_argument("--child", action="store_true", help="starts a process of its own that never ends")
parser.add_argument("--daemon", action="store_true", help="starts some that leave its group, with its pipes")
parser.add_argument("--tools", help="the tools that it says it has")
parser.add_argument("--pids", type=Path, help="where to leave the ids of its processes, as names of files")
options = parser.parse_args()
plans = json.loads(options.plan.read_text()) if options.plan else {}
USAGE = {"input_tokens": 10, "output_tokens": 5, "cost": 0.001}


def say(told: dict[str, Any], **answer: Any) -> None:
    print(json.dumps({"n": told["n"], **answer}), flush=True)


def crash(_told: dict[str, Any]) -> None:
    print("something broke", file=sys.stderr, flush=True)
    os._exit(7)


def tell_secrets(_told: dict[str, Any]) -> None:
    """On stderr, and in a line that it never ends."""
    print(f"the key is {os.environ['PLAYER_KEY']}", file=sys.stderr, flush=True)
    print(f'{{"key": "{os.environ["PLAYER_KEY"]}', end="", flush=True)
    os._exit(1)


def answer_twice(told: dict[str, Any]) -> None:
    for _ in range(2):
        say(told, type="calls", calls=[{"name": "list_all_product_types"}], usage=USAGE)


def stop_in_a_line(_told: dict[str, Any]) -> None:
    print('{"n": 2, "type": "rep', end="", flush=True)
    os._exit(0)


def close_stdout(_told: dict[str, Any]) -> None:
    os.close(1)
    time.sleep(3600)


FAULTS: dict[str, Callable[[dict[str, Any]], None]] = {
    "crash": crash,
    "killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "garbage": lambda _: print("Loading the model ...", flush=True),
    "hang": lambda _: time.sleep(3600),
    "twice": answer_twice,
    "early": lambda told: say({"n": told["n"] + 1}, type="reply", text="before I was asked"),
    "wrong type": lambda told: say(told, type="ready", protocol=1),
    "half a line": stop_in_a_line,
    "error": lambda told: say(told, type="error", kind="context_overflow", message="too long for my model"),
    "closed": close_stdout,
    "responds": lambda told: say(
        told, type="calls", calls=[{"name": "respond", "arguments": {"content": "Is that all?"}}], usage=USAGE
    ),
    "tells": tell_secrets,
    "costly error": lambda told: say(
        told,
        type="error",
        kind="context_overflow",
        message="too long",
        usage=[{"role": "thinker", "input_tokens": 1000, "output_tokens": 100, "cost": 0.5}],
        notes=["thought for long"],
    ),
}


def note_pid(pid: int) -> None:
    if options.pids:
        (options.pids / str(pid)).touch()


def tell_ready(told: dict[str, Any]) -> None:
    tools = {"tools": options.tools.split(",")} if options.tools else {}
    say(told, type="ready", protocol=1, name="player", version="1.0", mode="test", **tools)


class Player:
    def __init__(self) -> None:
        self.left: list[Any] = []
        self.heard = ""

    def answer(self, told: dict[str, Any]) -> None:
        if told["type"] == "start":
            self.heard = ""
        elif told["n"] == 1:
            self.heard = told.get("text", "")
            self.left = list(plans.get(self.heard, []))
        mended = options.unless is not None and options.unless.exists()
        if options.fault and not mended and told["n"] == options.at and options.only in self.heard:
            FAULTS[options.fault](told)
        elif told["type"] == "start":
            print(f"a conversation with {len(told['tools'])} tools", file=sys.stderr, flush=True)
            tell_ready(told)
        elif told["type"] == "end":
            say(told, type="ended")
        elif self.left:
            name, arguments = self.left.pop(0)
            say(told, type="calls", calls=[{"name": name, "arguments": arguments}], usage=USAGE)
        else:
            say(told, type="reply", text="That is done.", usage=USAGE, notes=["said what I was told to say"])


def main() -> None:
    note_pid(os.getpid())
    if options.stubborn:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    child = ["sleep", "3600"]
    if options.child:
        note_pid(subprocess.Popen(child).pid)
    if options.daemon:
        note_pid(subprocess.Popen(child, start_new_session=True).pid)
        note_pid(subprocess.Popen(child, process_group=0).pid)
        forked_twice = "setsid sleep 3600 >&2 & echo $!"  # its parent, the shell, has gone
        note_pid(int(subprocess.run(["sh", "-c", forked_twice], stdout=subprocess.PIPE, check=True).stdout))
    player = Player()
    for line in sys.stdin:
        player.answer(json.loads(line))
    while options.stubborn:
        time.sleep(60)


main()
