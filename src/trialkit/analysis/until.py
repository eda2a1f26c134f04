"""Whether a run goes on to its end, or `--until-decided` against another run."""

from typing import Any

from trialkit.engine import Until, to_the_end
from trialkit.errors import InputError
from trialkit.settings import RunSettings
from trialkit.suites import Suite


def open_until(suite: Suite[Any], settings: RunSettings) -> Until:
    """For the engine."""
    if settings.until_decided:
        from .until_decided import until_decided  # noqa: PLC0415 - few runs need it

        return until_decided(suite, settings)
    if settings.against is not None or settings.margin is not None:
        raise InputError("--against and --margin go with --until-decided")
    return to_the_end(suite, settings)
