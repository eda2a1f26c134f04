"""The program. An interrupt ends it in one line from here on, also while the rest is still being loaded."""

import gc
import os
import signal

_ENDED = b"trialkit: interrupted\n"


def _leave(*_: object) -> None:
    """At once: an exception could come up in the middle of a module, and in finalizers, which only print it."""
    os.write(2, _ENDED)
    os._exit(130)


if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started this wants none
    signal.signal(signal.SIGINT, _leave)

gc.disable()  # nothing that is loaded is garbage: looking for some took a tenth of a short command

from trialkit.cli import main  # noqa: E402 - it takes long enough to be interrupted

if __name__ == "__main__":
    main()
