"""Where a command's text goes, and how a short command spends its time."""

import gc
import sys
from pathlib import Path

from trialkit.errors import InputError


def write(text: str, output: str | None) -> None:
    """To the terminal, or to the file that --output names."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None


def hurry() -> None:
    """For a command that reads much and ends soon: of 4.5 s on 80,000 trials, 1.5 went into looking for garbage."""
    gc.disable()
