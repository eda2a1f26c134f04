"""Who is on trial, a model or a service: what it is told of a scenario, and how a service is asked."""

import json
from typing import TYPE_CHECKING

from trialkit.errors import InputError
from trialkit.models import MOST_CALLS, Connection, Message, NothingUsableError, Reply, Request, Traffic, open_service
from trialkit.text.json import JsonObject
from trialkit.text.whole import clean

from .scenarios import Scenario

if TYPE_CHECKING:  # pydantic takes longer to load than a short command may
    from .settings import CommoditySettings


def analyzer_message(scenario: Scenario) -> str:
    """The user message. The description and the ground truth stay out of it: they would give the answer away."""
    return (
        f"User: {clean(scenario.user_name)}\n\n"
        f"Open positions:\n{_listed(scenario.situation['positions'])}\n\n"
        f"Current prices:\n{_listed(scenario.situation['prices'])}\n\n"
        "Analyse these positions and suggest the price alerts that this user should set."
    )


def _listed(items: list[dict[str, object]]) -> str:
    return "[\n" + ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in items) + "\n]"


def service_request(scenario: Scenario) -> Request:
    payload = {**scenario.situation, "user_name": scenario.user_name}
    return Request(messages=(Message(role="user", text=json.dumps(payload, ensure_ascii=False)),))


def connect_service(settings: "CommoditySettings", traffic: Traffic) -> Connection:
    """The production endpoint, which is asked instead of a model."""
    if settings.hidden_headers:
        raise InputError(
            f"the value of the header {', '.join(settings.hidden_headers)} is not in the run file;"
            ' give it again: --analyzer-header "Name: value"'
        )
    return open_service(
        settings.analyzer_url or "",
        option="--analyzer-url",
        headers=settings.headers,
        read=_read,
        timeout=settings.timeout,
        patience=(settings.retries, settings.timeout_in_all),
        traffic=traffic,
    )


def _read(data: JsonObject) -> Reply:
    """What is no answer at all is asked for again; a bad suggestion among others is the service's own.

    No suggestions may be `null`: so Go writes an empty list.
    """
    if not isinstance(data.get("reasoning"), str) or not isinstance(data.get("suggestions", ""), list | None):
        raise NothingUsableError('not {"reasoning": text, "suggestions": list}')
    if len(data.get("suggestions") or ()) > MOST_CALLS:
        raise NothingUsableError(f"{len(data['suggestions']):,} suggestions; at most {MOST_CALLS:,} are taken")
    return Reply(text=json.dumps(data, ensure_ascii=False))
