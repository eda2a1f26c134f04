"""An agent program for tests: plays the ground truth that its plan gives for a user's first message, and misbehaves on
demand. It knows nothing of trialkit.

python player.py [--plan FILE] [--fault NAME] [--at N] [--only TEXT] [--unless FILE] [--stubborn] [--child] [--tools A,B] [--pids DIR]
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
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
parser.add_argument("--tools", help="the tools that it says it has")
parser.add_argument("--pids", type=Path, help="where to leave the ids of its processes, as names of files")
options = parser.parse_args()
plans = json.loads(options.plan.read_text()) if options.plan else {}
USAGE = {"input_tokens": 10, "output_tokens": 5, "cost": 0.001}


def say(told: dict[str, Any], **answer: Any) -> None:
    print(json.dumps({"n": told["n"], **answer}), flush=True)


def misbehave(told: dict[str, Any]) -> None:
    match options.fault:
        case "crash":
            print("something broke", file=sys.stderr, flush=True)
            os._exit(7)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "garbage":
            print("Loading the model ...", flush=True)
        case "hang":
            time.sleep(3600)
        case "twice":
            say(told, type="reply", text="one", usage=USAGE)
            say(told, type="reply", text="two", usage=USAGE)
        case "early":
            say({"n": told["n"] + 1}, type="reply", text="before I was asked")
        case "wrong type":
            say(told, type="ready", protocol=1)
        case "half a line":
            print('{"n": 2, "type": "rep', end="", flush=True)
            os._exit(0)
        case "error":
            say(told, type="error", kind="context_overflow", message="too long for my model")
        case "closed":
            os.close(1)
            time.sleep(3600)


def note_pid(pid: int) -> None:
    if options.pids:
        (options.pids / str(pid)).touch()


def tell_ready(told: dict[str, Any]) -> None:
    tools = {"tools": options.tools.split(",")} if options.tools else {}
    say(told, type="ready", protocol=1, name="player", version="1.0", mode="test", **tools)


def main() -> None:
    note_pid(os.getpid())
    if options.stubborn:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    if options.child:
        note_pid(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"]).pid)
    left: list[Any] = []
    heard = ""
    for line in sys.stdin:
        told = json.loads(line)
        heard = told["text"] if told["type"] == "user" and not heard else "" if told["type"] == "start" else heard
        mended = options.unless is not None and options.unless.exists()
        if options.fault and not mended and told["n"] == options.at and options.only in heard:
            misbehave(told)
            continue
        match told["type"]:
            case "start":
                print(f"a conversation with {len(told['tools'])} tools", file=sys.stderr, flush=True)
                tell_ready(told)
            case "user" | "results":
                if told["type"] == "user" and told["n"] == 1:
                    left = list(plans.get(heard, []))
                if left:
                    name, arguments = left.pop(0)
                    say(told, type="calls", calls=[{"name": name, "arguments": arguments}], usage=USAGE)
                else:
                    say(told, type="reply", text="That is done.", usage=USAGE, notes=["said what I was told to say"])
            case "end":
                say(told, type="ended")
    while options.stubborn:
        time.sleep(60)


main()
