"""The oracle over tau-bench's 115 retail test tasks, reward included: CPU per episode and memory per open session.

Beside it, in the same run, what a plain environment does for each episode: load the JSON files, deep-copy the database
and hash it whole, once after the trial and once after the ground truth.

    python benchmarks/tau_environment.py --data-dir DIR    (a tau-bench checkout, or its content as plain files)
"""

import argparse
import copy
import hashlib
import platform
import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from trialkit.suites.tau import Task, load_domain
from trialkit.suites.tau.v1.source import Layout, find

TABLES = ("orders", "products", "users")
#: A plain episode takes a third of a second; so many are enough for a median.
PLAIN_EPISODES = 10


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def oracle(domain: Any, task: Task) -> Any:
    """Plays the ground truth and says the outputs; the session, still open."""
    session = domain.open()
    for action in task.actions:
        session.call(action["name"], action["kwargs"])
    score = domain.judge(task, session, [{"name": "respond", "kwargs": {"content": " ".join(task.outputs)}}])
    if score.reward != 1.0:
        raise SystemExit(f"task {task.id}: the oracle earned {score.reward}, so the figures mean nothing: {score.why}")
    return session


def plain_episode(layout: Layout) -> None:
    loaded = {table: layout.table(table) for table in TABLES}
    for database in (loaded, copy.deepcopy(loaded)):
        hashlib.sha256(str(ordered(database)).encode()).hexdigest()


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, ordered(value[key])) for key in sorted(value))
    return tuple(map(ordered, value)) if isinstance(value, list) else value


def bytes_held(work: Callable[[], Any]) -> int:
    """What the result of the work keeps in memory."""
    before = tracemalloc.get_traced_memory()[0]
    kept = work()
    held = tracemalloc.get_traced_memory()[0] - before
    del kept
    return held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=Path)
    data_dir = parser.parse_args().data_dir

    domain = load_domain("tau-bench/retail", data_dir)
    tasks = domain.tasks("test")
    first, later = ([cpu_seconds(partial(oracle, domain, task)) for task in tasks] for _ in range(2))

    layout = find("retail", data_dir)
    plain = [cpu_seconds(lambda: plain_episode(layout)) for _ in range(PLAIN_EPISODES)]

    tracemalloc.start()
    # All at once: one by one they would live on what the interpreter keeps free for reuse, and seem too small.
    fresh = bytes_held(lambda: [domain.open() for _ in tasks]) / len(tasks)
    played = bytes_held(lambda: [oracle(domain, task) for task in tasks]) / len(tasks)

    ours, theirs = statistics.median(first), statistics.median(plain)
    print(f"Python {platform.python_version()}, {len(tasks)} retail test tasks, with reward; median CPU, mean memory")
    print(f"CPU per episode           {ours * 1e3:9.3f} ms   (largest {max(first) * 1e3:.3f}; ground truth replayed)")
    print(f"  when scored again       {statistics.median(later) * 1e3:9.3f} ms   (ground truth kept)")
    print(f"CPU per plain episode     {theirs * 1e3:9.3f} ms   (load, copy, hash twice; without any tool call)")
    print(f"ratio                     {theirs / ours:9.0f} x")
    print(f"memory, session opened    {fresh / 1e3:9.3f} KB")
    print(f"memory, session played    {played / 1e3:9.3f} KB")


if __name__ == "__main__":
    main()
