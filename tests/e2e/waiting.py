"""Programs that are stopped in the middle: when to stop them, and what they say then."""

import signal
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

from tests.server import Server


def by_rules(server: Server) -> list[str]:
    return ["--model", "openai/subject", "--judge", "rules", "--api-base", server.openai_base]


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < deadline, "it did not happen within 100 s"
        time.sleep(0.005)


def wait_for_requests(server: Server, goal: int, process: Popen[str]) -> None:
    wait_for(lambda: len(server.requests) >= goal or process.poll() is not None)


def interrupt(process: Popen[str], server: Server, how: signal.Signals = signal.SIGINT) -> str:
    """What the program says from here to its end. What the server holds is let go when the program has heard of it."""
    process.send_signal(how)
    said = []
    with process:
        for line in process.stdout or ():
            said.append(line)
            if "interrupt again" in line:
                server.release()
    server.release()
    return "".join(said)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
