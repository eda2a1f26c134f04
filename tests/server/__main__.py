"""`python -m tests.server`: the server as a program, for benchmarks and end-to-end tests."""

import argparse
import asyncio
import contextlib
import signal

from aiohttp import web

from tests.server.actions import Say
from tests.server.behaviours import AtOnce, TokenBucket, analyst, in_turn
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
    parser.add_argument("--at-once", type=int, help="requests at the same time; more are refused with 429")
    parser.add_argument("--retry-after", help="what refusals with --rate and --at-once say in that header")
    options = parser.parse_args()
    plain = analyst if options.text is None else in_turn(Say(text=options.text))
    handlers = Handlers(plain, key=options.key, latency=options.latency, keep=False)
    after = options.retry_after
    if options.rate:
        handlers.respond = TokenBucket(plain, rate=options.rate, burst=options.burst, retry_after=after)
    elif options.at_once:
        handlers.respond = AtOnce(plain, lambda: handlers.active, places=options.at_once, retry_after=after)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(handlers, options.port))


main()
