"""A run goes on without a parameter that its model does not take, and says so; what was sent again is counted."""

import json
from typing import Any

from tests.e2e.program import Program
from tests.e2e.waiting import by_rules
from tests.server import Action, Fault, Protocol, Raw, Say, Server

REFUSED = {"error": {"message": "Unsupported value: 'temperature' does not support 0.2 with this model."}}


def test_a_model_that_takes_no_temperature(trialkit: Program, server: Server) -> None:
    def respond(body: dict[str, Any], _protocol: Protocol) -> Action:
        if "temperature" in body:
            return Raw(body=json.dumps(REFUSED).encode(), status=400)
        return Fault(kind="server") if len(server.requests) == 2 else Say(text="No risk.")

    server.respond = respond
    asked = ["--ids", "S01,S02", "--temperature", "0.2", "--max-concurrency", "1"]
    done = trialkit("run", "commodity", *by_rules(server), *asked)
    assert (done.status, len(server.requests)) == (0, 4)
    assert done.err.count("does not take temperature; it is left out from here on") == 1
    assert "--temperature 1" not in done.err
    said = " ".join(done.out.split())
    assert "left out temperature (the model of the analyzer does not take it)" in said
    assert "retries 1 (requests that were sent again)" in said
    told = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)["metrics"]
    assert (told["left_out"], told["retries"]["value"]) == ({"analyzer": "temperature"}, 1)
