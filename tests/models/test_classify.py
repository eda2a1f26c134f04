"""From a status and a body to the kind of fault; from a header to seconds."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.errors import ModelErrorKind
from trialkit.models.classify import HttpAnswer, kind_of, message_of, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (400, "", "bad_request"),
        (400, '{"error": {"code": "context_length_exceeded"}}', "context_overflow"),
        (400, "prompt is too long: 210024 tokens > 200000 maximum", "context_overflow"),
        (400, "input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000", "context_overflow"),
        (400, "the request exceeds the available context size", "context_overflow"),
        (400, "This model's maximum context length is 8192 tokens", "context_overflow"),
        (400, "The input token count (1100000) exceeds the maximum", "context_overflow"),
        (400, '{"code": "content_policy_violation"}', "content_filter"),
        (400, "Output blocked by content filtering policy", "content_filter"),
        (400, "Your credit balance is too low to access the API", "quota"),
        (401, "", "auth"),
        (400, "billing_hard_limit_reached: Billing hard limit has been reached", "quota"),
        (402, "Insufficient Balance", "quota"),
        (403, "", "auth"),
        (404, "", "not_found"),
        (307, "", "not_found"),
        (405, "", "bad_request"),
        (408, "", "timeout"),
        (409, "", "server"),
        (413, "", "context_overflow"),
        (422, "", "bad_request"),
        (429, "Rate limit reached", "rate_limit"),
        (429, '{"code": "insufficient_quota"}', "quota"),
        (429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 33111", "context_overflow"),
        (500, "content_filter", "server"),
        (503, "", "server"),
        (503, '{"error": {"message": "Loading model", "type": "unavailable_error"}}', "loading"),
        (503, "Model x/y is currently loading", "loading"),
        (500, "Loading model", "server"),
        (529, "", "server"),
    ],
)
def test_kinds(status: int, said: str, kind: ModelErrorKind) -> None:
    assert kind_of(status, said) == kind


@pytest.mark.parametrize(
    ("body", "data", "says"),
    [
        ("{}", {"error": {"message": "two\n lines"}}, "two lines"),
        ("{}", {"error": "just text"}, "just text"),
        ("{}", {"detail": "no such route"}, "no such route"),
        ("[]", [{"error": {"message": "as Gemini has it"}}], "as Gemini has it"),
        ("upstream gone", None, "upstream gone"),
        ("", None, "nothing more"),
        ('{"error": 3}', {"error": 3}, '{"error": 3}'),
        ("<!DOCTYPE html><title>x</title>", None, "a web page, not JSON"),
        ("x" * 5000, None, "x…"),
    ],
)
def test_messages_are_one_short_line(body: str, data: object, says: str) -> None:
    message = message_of(HttpAnswer(status=500, headers={}, text=body), data)
    assert says in message
    assert "\n" not in message
    assert len(message) < 320


@given(st.integers(min_value=0, max_value=10**9))
def test_seconds(seconds: int) -> None:
    assert retry_after({"retry-after": str(seconds)}, NOW) == min(seconds, 120)
    assert retry_after({"retry-after-ms": str(seconds)}, NOW) == min(seconds / 1000, 120)


@given(st.integers(min_value=-(10**7), max_value=10**7))
def test_dates(seconds: int) -> None:
    header = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after({"retry-after": header}, NOW) == min(max(seconds, 0), 120)


@pytest.mark.parametrize("wish", ["", "-1", "nan", "inf", "1e400", "١٢", "soon", "0x10", "1 2", "Mon, 99 Foo"])
def test_anything_else_is_ignored(wish: str) -> None:
    assert retry_after({"retry-after": wish, "retry-after-ms": wish}, NOW) is None


@given(st.text(max_size=60) | st.from_regex(r"\w{3}, \d+ \w{3} \d+ \d+:\d+:\d+ [-+]?\w+"))
def test_no_header_breaks_it(wish: str) -> None:
    seconds = retry_after({"retry-after": wish, "retry-after-ms": wish}, NOW)
    assert seconds is None or 0 <= seconds <= 120
