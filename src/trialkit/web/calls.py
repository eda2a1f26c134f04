"""One model call: what it took, what came back, and what was sent."""

import asyncio

from starlette.responses import PlainTextResponse, Response

from trialkit.engine import requests_of
from trialkit.errors import InputError
from trialkit.pages import Cell, Code, Count, Facts, Money, Seconds
from trialkit.runfile import CallRecord
from trialkit.text.json import laid_out, pretty

from .asked import PageRequest
from .trial import trial_asked_for


def call_view(asked: PageRequest) -> Response:
    name, trial = asked.value("run"), trial_asked_for(asked)
    with asked.shelf.open(name) as run:
        call = _asked_for(asked, run.calls(trial.id))
    return asked.shown(
        "call.html",
        name=name,
        trial=trial,
        call=call,
        facts=(Facts(rows=_facts(call)),),
        reply=pretty(call.reply.to_data()) if call.reply else "",
    )


def request_action(asked: PageRequest) -> Response:
    """Replaying runs the suite's code, so it takes a write: no page of others can ask for that."""
    name, trial = asked.value("run"), trial_asked_for(asked)
    path = asked.shelf.path(name)
    with asked.shelf.open(name) as run:
        call = _asked_for(asked, run.calls(trial.id))
    body = asyncio.run(requests_of(path, trial.id)).get((call.request_key, call.nth))
    if body is None:
        raise InputError(
            "What was sent cannot be told: the run has the hash of it only, and the trial, played again from what was"
            " recorded, does not ask the same. Its suite, or what it is made of, has changed since."
        )
    return PlainTextResponse(laid_out(body))


def _asked_for(asked: PageRequest, calls: list[CallRecord]) -> CallRecord:
    """The newest, where it had to be asked again."""
    key, nth = asked.value("key"), asked.value("nth")
    found = [call for call in calls if call.request_key == key and str(call.nth) == nth]
    if not found:
        raise InputError(f"there is no call {key[:12]} {nth} in this trial")
    return found[-1]


def _facts(call: CallRecord) -> tuple[tuple[str, Cell | str], ...]:
    rows: list[tuple[str, Cell | str]] = [
        ("role", f"{call.role} ({'judging' if call.phase == 'judge' else call.phase})"),
        ("model", Code(call.model)),
        ("answered by", Code(call.reply.model) if call.reply and call.reply.model else "—"),
        ("source", "a stored reply of an earlier run" if call.source == "cache" else "the model"),
        ("took", Seconds(call.latency_s)),
        ("attempts", Count(call.attempts)),
        ("tokens in", Count(call.input_tokens)),
        ("tokens out", Count(call.output_tokens)),
        ("cost", Money(call.cost)),
        ("ended", call.reply.stop if call.reply else f"{call.error_kind}: {call.error}"),
        ("request", Code(call.request_key)),
    ]
    if call.reply and call.reply.usage and call.reply.usage.reasoning_tokens:
        rows.append(("of them thoughts", Count(call.reply.usage.reasoning_tokens)))
    if call.reply and call.reply.cost_told:
        rows.append(("cost told by", "a gateway"))
    if call.left_out:
        rows.append(("left out", f"{call.left_out}: the model does not take it"))
    if call.void:
        rows.append(("void", "paid for, but asked for anew"))
    return tuple(rows)
