"""What is advised after errors fits how the calls failed."""

import pytest

from tests.e2e.program import Program
from tests.e2e.waiting import by_rules
from tests.server import Action, Fault, Hang, Raw, Server

ENDED = "1 trial ended in error"
COOLER = f"{ENDED}; the model takes no such temperature: start a new run with --temperature 1"
AGAIN = f"{ENDED}; try again with: trialkit resume --errors"


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (Fault(kind="context_overflow"), f"{ENDED}\n"),
        (Fault(kind="content_filter"), f"{ENDED}\n"),
        (Fault(kind="bad_request"), COOLER),
        (Fault(kind="server"), f"{AGAIN} eval_results/"),
        (Hang(), f"{AGAIN} --timeout 1 eval_results/"),
    ],
)
def test_advice(trialkit: Program, server: Server, action: Action, says: str) -> None:
    server.behave(action)
    arguments = [*by_rules(server), "--ids", "S01", "--retries", "0", "--timeout", "0.5"]
    done = trialkit("run", "commodity", *arguments)
    assert (done.status, says in done.err) == (3, True), done.err


def test_a_time_limit_of_the_server_is_not_ours(trialkit: Program, server: Server) -> None:
    server.behave(Raw(body=b"{}", status=408))
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01", "--retries", "0")
    assert f"{AGAIN} eval_results/" in done.err
