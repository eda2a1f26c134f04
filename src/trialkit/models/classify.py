"""What went wrong, in one place: from what a server answered to the kind of a `ModelError`, and its message."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from trialkit.errors import ModelErrorKind
from trialkit.text.short import shortened

_LONGEST_WAIT_S = 120.0
#: Characters of what a server said that a message may hold.
LONGEST = 300
_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?")

# How providers and servers say that the input is too long: OpenAI and vLLM, Anthropic (two ways), llama.cpp, Gemini.
_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context (?:window|limit|size)"
    r"|prompt is too long|input is too long|too many (?:input )?tokens|input token count|request_too_large",
    re.IGNORECASE,
)
# A 429 that no waiting helps: OpenAI's, where one request alone is more than a minute allows.
_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
# How llama.cpp, Hugging Face and gateways say, with 503, that they are not ready yet.
_LOADING = re.compile(r"\bloading\b|\bwarming up\b", re.IGNORECASE)
_FILTER = re.compile(
    r"content_filter|content_policy|content management policy|content filtering policy|\bsafety system\b",
    re.IGNORECASE,
)
_NO_MONEY = re.compile(
    r"insufficient_quota|billing[_ ]hard[_ ]limit|credit balance is too low"
    r"|insufficient (?:balance|credits)|invalid_payment_instrument",
    re.IGNORECASE,
)
# How servers say that it is a parameter, or any other value of it than their own, that they do not take.
_UNTAKEN = re.compile(
    r"not support|n't support|unsupported|not permitted|not allowed|extra_forbidden|unknown (?:name|parameter|field)"
    r"|unrecognized|deprecated|only the default|may only be set|unavailable|not available",
    re.IGNORECASE,
)
# Where Gemini says it: in the body.
_RETRY_DELAY = re.compile(r'"retryDelay"\s*:\s*"([0-9]{1,12}(?:\.[0-9]{1,12})?)s"')
# How servers say that they answer in pieces only: Alibaba's, Fireworks, gateways.
_STREAM = re.compile(
    r"\bonly supports? stream|requires? stream|non-stream"
    r"|stream\w{0,9}['\"]?\b[^.]{0,40}\b(?:required|(?:set to|be) ?[`'\"]?true)|stream ?= ?true",
    re.IGNORECASE,
)
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body)\b", re.IGNORECASE)

_REFUSED = frozenset({400, 413, 422})
_BY_STATUS: dict[int, ModelErrorKind] = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "not_found",
    408: "timeout",
    409: "server",
    413: "context_overflow",
    429: "rate_limit",
}


#: What OpenAI, Anthropic and Gemini call their errors, where the status of the answer does not tell.
_BY_NAME = {
    "insufficient_quota": 429,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "overloaded_error": 529,
    "api_error": 500,
    "server_error": 500,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "content_filter": 400,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpAnswer:
    """What a server answered, without any secret."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    text: str


def kind_of(status: int, said: str) -> ModelErrorKind:
    """The kind of an error answer, from its status and all that its body says."""
    if 400 <= status < 500 and _NO_MONEY.search(said):
        return "quota"
    if status in _REFUSED and _FILTER.search(said):
        return "content_filter"
    if (status in _REFUSED and _OVERFLOW.search(said)) or (status == 429 and _TOO_LARGE.search(said)):
        return "context_overflow"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "loading" if status == 503 and _LOADING.search(said) else "server"
    return "not_found" if status < 400 else "bad_request"


def status_in(error: object) -> int | None:
    """The status that an error in a body stands for, by its number or its name; None: it tells none."""
    said = error if isinstance(error, dict) else {}
    for told in (said.get("code"), said.get("status"), said.get("type")):
        number = int(told) if isinstance(told, str) and told.isdecimal() and len(told) == 3 else told
        if isinstance(number, int) and 400 <= number < 600:
            return number
        if isinstance(told, str) and told in _BY_NAME:
            return _BY_NAME[told]
    return None


def retry_after(headers: Mapping[str, str], now: datetime, said: str = "") -> float | None:
    """How many seconds the server asks to wait, at most two minutes; None where it does not say, or not clearly.

    `said`: the body of its answer.
    """
    if told := _RETRY_DELAY.search(said):
        return min(float(told[1]), _LONGEST_WAIT_S)
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _NUMBER.fullmatch(milliseconds):
        return min(float(milliseconds) / 1000, _LONGEST_WAIT_S)
    wish = headers.get("retry-after", "").strip()
    if _NUMBER.fullmatch(wish):
        return min(float(wish), _LONGEST_WAIT_S)
    try:
        moment = parsedate_to_datetime(wish)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = (moment - now).total_seconds()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT_S)


def is_untaken(said: str) -> bool:
    return _UNTAKEN.search(said) is not None


def wants_stream(said: str) -> bool:
    return _STREAM.search(said) is not None


def is_html(body: str) -> bool:
    return _HTML.match(body) is not None


def message_of(answer: HttpAnswer, data: object) -> str:
    """What an error answer says, in one short line. `data` is its text as JSON."""
    if "location" in answer.headers:
        return f"moved to {answer.headers['location']}; give that address instead"
    if is_html(answer.text):
        return "a web page, not JSON; something between here and the model answered in its place"
    if isinstance(data, list):  # as Gemini answers where it speaks like OpenAI
        data = next(iter(data), None)
    if isinstance(data, dict):
        error = data.get("error", data)
        parts = [error.get(key) for key in ("message", "detail")] if isinstance(error, dict) else [error]
        told = [part for part in parts if isinstance(part, str) and part]
        if told:
            return shortened(told[0], LONGEST)
    return shortened(answer.text, LONGEST) or "nothing more"
