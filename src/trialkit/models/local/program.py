"""llama.cpp's server with one model: `python program.py`, told all it needs by a line of JSON on its standard input.

It writes its address once the model is loaded, and ends as soon as its standard input does, which even `kill -9` of
trialkit closes.
"""

import ctypes
import importlib
import json
import os
import signal
import sys
import time
from typing import Any

_SET_DEATH_SIGNAL = 1  # of prctl(2)
_ERRORS_ONLY = 1


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # from the terminal: it is trialkit's to deal with
    if sys.platform == "linux":  # while it loads a model, xllamacpp lets no other thread see the end of the input
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    told = json.loads(sys.stdin.readline() or sys.exit())
    llama: Any = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = told["path"]
    params.n_ctx = told["context"]
    params.n_parallel = told["parallel"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [told["key"]]  # others on this machine, and pages in a browser, can reach the port as well
    params.ui = False
    params.verbosity = _ERRORS_ONLY
    try:
        server = llama.Server(params)
    except RuntimeError:  # which says nothing that is not written to stderr
        wait_for_words()
        os._exit(1)
    print(server.listening_address, flush=True)  # noqa: T201 - whoever started it reads this
    sys.stdin.read()
    os._exit(0)  # the server's own end waits for ever now and then


def wait_for_words() -> None:
    """llama.cpp writes to stderr from a thread of its own, which may be behind. Two seconds at most."""
    before = 0
    for _ in range(80):
        size = os.fstat(2).st_size
        if size and size == before:
            return
        before = size
        time.sleep(0.025)


if __name__ == "__main__":
    main()
