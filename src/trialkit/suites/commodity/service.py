"""A service on trial: the production endpoint is asked instead of a model."""

import json

from trialkit.errors import InputError
from trialkit.models import Connection, Message, NothingUsableError, Reply, Request, Traffic, open_service
from trialkit.text.json import JsonObject
from trialkit.text.plain import plain

from .scenarios import Scenario
from .settings import CommoditySettings


def connect_service(settings: CommoditySettings, traffic: Traffic) -> Connection:
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
        retries=settings.retries,
        traffic=traffic,
    )


def service_request(scenario: Scenario) -> Request:
    payload = {
        "positions": [plain(one) for one in scenario.positions],
        "prices": [plain(one) for one in scenario.prices],
        "user_name": scenario.user_name,
    }
    return Request(messages=(Message(role="user", text=json.dumps(payload, ensure_ascii=False)),))


def _read(data: JsonObject) -> Reply:
    """What is no answer at all is asked for again; a bad suggestion among others is the service's own.

    No suggestions may be `null`: so Go writes an empty list.
    """
    if not isinstance(data.get("reasoning"), str) or not isinstance(data.get("suggestions", ""), list | None):
        raise NothingUsableError('not {"reasoning": text, "suggestions": list}')
    return Reply(text=json.dumps(data, ensure_ascii=False))
