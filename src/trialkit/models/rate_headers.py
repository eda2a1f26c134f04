"""What the headers of an answer say of the limits a minute, at OpenAI and whoever answers like it, and at Anthropic."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_SPAN = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|[dhms])")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
#: A moment is given in whole seconds, so a near one tells no rate.
_NEAR_S = 5.0
#: No limit is of more than a day: what is further away is no span, but a moment counted from somewhere.
_FAR_S = 86_400.0


class Remaining(NamedTuple):
    limit: float
    left: float
    rate: float  # that comes back each second


class Rates(NamedTuple):
    requests: Remaining | None
    tokens: Remaining | None


def read_rates(headers: Mapping[str, str], now: datetime) -> Rates:
    """Of headers with names in lower case; None where they do not say, or not clearly."""
    if "x-ratelimit-limit-requests" in headers or "x-ratelimit-limit-tokens" in headers:
        return Rates(*(_left(headers, f"x-ratelimit-{{}}-{what}", now) for what in ("requests", "tokens")))
    if "anthropic-ratelimit-requests-limit" in headers or "anthropic-ratelimit-tokens-limit" in headers:
        return Rates(*(_left(headers, f"anthropic-ratelimit-{what}-{{}}", now) for what in ("requests", "tokens")))
    return Rates(None, None)


def _left(headers: Mapping[str, str], name: str, now: datetime) -> Remaining | None:
    limit, left = (headers.get(name.format(part), "").strip() for part in ("limit", "remaining"))
    if not (_NUMBER.fullmatch(limit) and _NUMBER.fullmatch(left)) or float(limit) <= 0:
        return None
    gone = float(limit) - float(left)
    seconds = _seconds(headers.get(name.format("reset"), "").strip(), now)
    # a limit may be one of a day; how long it takes to be whole again tells it
    rate = gone / seconds if seconds and seconds <= _FAR_S and gone > 0 else float(limit) / 60
    return Remaining(float(limit), float(left), rate)


def _seconds(text: str, now: datetime) -> float | None:
    """`6m0.5s`, `12ms`, or a moment; None: it cannot be told."""
    if _NUMBER.fullmatch(text):
        return float(text)
    if text and not _SPAN.sub("", text):
        return sum(float(number) * _UNITS[unit] for number, unit in _SPAN.findall(text))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    return seconds if seconds >= _NEAR_S else None
