"""`python -m tests.server`: the server as a program, for benchmarks and end-to-end tests."""

import argparse
import asyncio
import contextlib
import signal

from aiohttp import web

from tests.server.actions import Say
from tests.server.behaviours import TokenBucket, analyst, in_turn
from tests.server.server import Handlers, start


async def serve(handlers: Handlers, port: int) -> None:
    runner = web.AppRunner(handlers.app(), access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
    print(await start(runner, port), flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.server", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--key", help="turn away requests that come with another key")
    parser.add_argument("--text", help="always answer this; without it, play the commodity analyst")
    parser.add_argument("--rate", type=float, help="requests a second; more are refused with 429")
    parser.add_argument("--burst", type=int, default=20, help="how many at once, with --rate")
    options = parser.parse_args()
    plain = analyst if options.text is None else in_turn(Say(text=options.text))
    respond = TokenBucket(plain, rate=options.rate, burst=options.burst) if options.rate else plain
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(Handlers(respond, key=options.key, latency=options.latency, keep=False), options.port))


main()
