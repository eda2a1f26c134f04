"""1,000 requests at servers that refuse with 429: one that takes 20 at once, and ones that take 50 a second.

Real connections over the loopback, in real time. Prints the wall time against the ideal (the server is never idle), and
the share of requests that were refused.

    uv run python -m benchmarks.limits [--requests 1000] [--retry-after 1]
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Request, Traffic, open_model

_LATENCY_S = 0.2
_ASKED = Request(messages=(Message(role="user", text="x" * 800),))


async def ask(url: str, requests: int, ceiling: int) -> tuple[float, int, int]:
    """Seconds, attempts in all, and requests without a reply."""
    model = open_model(ModelSpec(name="openai/bench", api_base=url), Traffic(ceiling))
    started = time.perf_counter()
    ended = await asyncio.gather(*(model(_ASKED) for _ in range(requests)), return_exceptions=True)
    took = time.perf_counter() - started
    await model.aclose()
    lost = sum(isinstance(one, ModelError) for one in ended)
    return took, sum(one.attempts for one in ended if not isinstance(one, BaseException)), lost


@contextmanager
def serving(*limits: str) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.server", "--latency", str(_LATENCY_S), "--text", "ok", *limits]
    server = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1], stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None  # noqa: S101 - for the type checker
        yield f"{server.stdout.readline().decode().strip()}/v1"
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--retry-after", help="what the refusals say in that header")
    options = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    count, after = options.requests, ["--retry-after", options.retry_after] if options.retry_after else []
    kinds = [("20 at once", 50, count * _LATENCY_S / 20, ["--at-once", "20"])]
    for burst in (50, 5):
        limits = ["--rate", "50", "--burst", str(burst)]
        kinds += [(f"50 a second, burst {burst}", ceiling, (count - burst) / 50, limits) for ceiling in (100, 500)]
    print(f"{'the server takes':<22} {'at once':>5} {'ideal':>7} {'took':>8}  ratio   refused")
    for what, ceiling, ideal, limits in kinds:
        with serving(*limits, *after) as url:
            took, attempts, lost = asyncio.run(ask(url, count, ceiling))
        refused = f"{(attempts - count + lost) / count:.1%}"
        print(
            f"{what:<22} {ceiling:>5} {ideal:>6.1f} s {took:>6.1f} s  {took / ideal:.3f} x  {refused:>6}  {lost} lost"
        )


if __name__ == "__main__":
    main()
