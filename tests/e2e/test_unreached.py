"""A server that is not there stops the run before its trials burn through, and is waited for by whoever resumes."""

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.waiting import by_rules
from tests.server import Raw, Say, Server


def test_a_server_that_is_not_there_yet(trialkit: Program, court: Court) -> None:
    with Server(court) as gone:
        pass
    stopped = trialkit("run", "commodity", *by_rules(gone), "--ids", "S01,S02", "--trials", "15", "--retries", "1")
    assert stopped.status == 2
    assert f"stopped: no connection to {gone.openai_base}: connection refused; start the server" in stopped.err
    assert "30 trials left; to finish: trialkit resume" in stopped.err
    with Server(court, port=gone.port):
        assert trialkit("resume", str(trialkit.last_run())).status == 0
    assert court.analyses == 30


def test_a_server_that_loads_its_model_is_waited_for(trialkit: Program, server: Server) -> None:
    server.behave(Raw(body=b'{"error":{"message":"Loading model"}}', status=503), Say(text="No risk."))
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01", "--retries", "0")
    assert f"{server.openai_base} is loading its model; waiting, at most 10 min" in done.err
    assert (done.status, len(server.requests)) == (0, 2)
