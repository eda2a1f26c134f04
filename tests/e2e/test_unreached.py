"""A server that is not there stops the run before its trials burn through, and is waited for by whoever resumes."""

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.waiting import by_rules
from tests.server import Fault, Raw, Say, Server


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


def test_who_judges_again_hears_of_it_too(trialkit: Program, server: Server) -> None:
    trialkit("run", "commodity", *by_rules(server), "--ids", "S01")
    server.behave(Raw(body=b'{"error":{"message":"Loading model"}}', status=503), Fault(kind="bad_request"))
    judge = ["--judge", "llm", "--judge-model", "openai/judge", "--judge-api-base", server.openai_base]
    done = trialkit("rejudge", str(trialkit.last_run()), *judge, "--retries", "0")
    assert done.err.count(f"{server.openai_base} is loading its model; waiting, at most 10 min") == 1
    assert done.status == 3
