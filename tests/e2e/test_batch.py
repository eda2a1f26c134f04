"""`--batch`: asked through the providers' batch APIs, half the price, and never paid twice."""

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import results
from tests.e2e.waiting import wait_for
from tests.server import Fault, Server
from trialkit.runfile import RunFile

MODELS = {"openai": "openai/gpt-4.1-mini", "anthropic": "anthropic/claude-sonnet-4-5-20250929"}


def run(server: Server, provider: str = "openai", *more: str) -> list[str]:
    base = server.openai_base if provider == "openai" else server.url
    model = MODELS[provider]
    named = ["--model", model, "--judge-model", model, "--api-base", base]
    return ["run", "commodity", *named, "--no-cache", *more]


def cost(path: Path) -> float:
    with RunFile(path) as run:
        return run.spent()


def errors(path: Path) -> list[str]:
    with RunFile(path) as run:
        return [call.error for call in run.calls() if call.error is not None]


def outcomes(trialkit: Program) -> list[tuple[str, str, str]]:
    return [(row["Scenario ID"], row["Model Outcome"], row["Model Response"]) for row in results(trialkit)]


@pytest.mark.parametrize("provider", MODELS)
def test_ten_cases_go_in_two_batches_at_half_the_price(
    trialkit: Program, server: Server, court: Court, provider: str
) -> None:
    plain = trialkit(*run(server, provider))
    assert plain.status == 0, plain.err
    whole, told, asked = cost(trialkit.last_run()), outcomes(trialkit), len(server.requests)
    done = trialkit(*run(server, provider, "--batch", "--max-concurrency", "2"))
    assert done.status == 0, done.err
    assert [len(one.bodies) for one in server.batches.submitted] == [10, 10]
    assert len(server.requests) == asked  # nothing by itself
    assert (court.analyses, court.judgements) == (20, 20)
    assert cost(trialkit.last_run()) == pytest.approx(whole / 2)
    assert outcomes(trialkit) == told
    assert not list(trialkit.results.glob("*.batches"))
    assert trialkit("replay", str(trialkit.last_run())).status == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("provider", MODELS)
def test_a_batch_outlives_its_run_and_is_paid_once(
    trialkit: Program, server: Server, court: Court, provider: str, how: signal.Signals
) -> None:
    server.batches.looks_needed = 10**6
    process = trialkit.start(*run(server, provider, "--batch", "--judge", "rules"))
    batches = server.batches.submitted
    wait_for(lambda: bool(batches and batches[0].looks) or process.poll() is not None)
    process.send_signal(how)
    said, _ = process.communicate(timeout=100)
    assert [len(one.bodies) for one in batches] == [10], said
    if how == signal.SIGINT:
        assert process.returncode == 130, said
        assert "a batch is at the provider, resume picks up the answers; to finish: trialkit resume" in said
    server.batches.looks_needed = 1
    done = trialkit("resume", str(trialkit.last_run()))
    assert done.status == 0, done.err
    assert len(batches) == 1
    assert court.analyses == 10
    assert not server.requests
    assert not list(trialkit.results.glob("*.batches"))


@pytest.mark.parametrize("provider", MODELS)
def test_a_kill_while_a_batch_is_submitted_pays_for_it_once(
    trialkit: Program, server: Server, court: Court, provider: str
) -> None:
    server.batches.silent = True
    process = trialkit.start(*run(server, provider, "--batch", "--judge", "rules"))
    batches = server.batches.submitted
    wait_for(lambda: bool(batches) or process.poll() is not None)
    process.kill()
    said, _ = process.communicate(timeout=100)
    server.batches.silent = False
    done = trialkit("resume", str(trialkit.last_run()))
    assert done.status == 0, said + done.err
    assert ([len(one.bodies) for one in batches], court.analyses) == ([10], 10)
    assert "looking for a batch of 10 requests that may have been submitted" in done.err


@pytest.mark.parametrize("provider", MODELS)
def test_what_came_to_nothing_is_an_error_of_its_trial_and_is_asked_again(
    trialkit: Program, server: Server, court: Court, provider: str
) -> None:
    fates = iter(["expired", "missing"])
    server.batches.fate = lambda _: next(fates, "answered")
    server.batches.strangers = 2
    done = trialkit(*run(server, provider, "--batch", "--judge", "rules"))
    assert done.status == 3, done.err
    told = errors(trialkit.last_run())
    assert len(told) == 2
    assert any("batch_expired" in one or "the request is expired" in one for one in told)
    assert any("without an answer to this request" in one for one in told)
    assert not list(trialkit.results.glob("*.batches"))
    again = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert again.status == 0, again.err
    assert [len(one.bodies) for one in server.batches.submitted] == [10, 2]
    assert court.analyses == 10


@pytest.mark.parametrize("provider", MODELS)
def test_a_request_that_failed_says_why(trialkit: Program, server: Server, court: Court, provider: str) -> None:
    court.analyst = Fault(kind="context_overflow")
    done = trialkit(*run(server, provider, "--batch", "--judge", "rules", "--ids", "S01,S02"))
    assert done.status == 3, done.err
    told = errors(trialkit.last_run())
    assert len(told) == 2
    assert all("maximum" in one for one in told)
    assert len(server.batches.submitted) == 1


def test_a_batch_that_is_refused_as_a_whole_says_why(trialkit: Program, server: Server) -> None:
    server.batches.invalid = "The model is not available in batches."
    done = trialkit(*run(server, "openai", "--batch", "--judge", "rules", "--ids", "S01,S02"))
    assert done.status == 3, done.err
    told = errors(trialkit.last_run())
    assert len(told) == 2
    assert all("is failed" in one and "not available in batches" in one for one in told)


def test_a_server_that_fails_when_it_is_looked_at_is_looked_at_again(trialkit: Program, server: Server) -> None:
    server.batches.failing = 1
    done = trialkit(*run(server, "anthropic", "--batch", "--judge", "rules", "--ids", "S01"))
    assert done.status == 0, done.err
    assert "looking again" in done.err
    assert len(server.batches.submitted) == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--model", "baseline", "--judge", "rules"], "no model is asked in this run"),
        (["--model", "gemini/gemini-2.5-pro", "--judge", "rules"], "trialkit knows no batch API of gemini"),
        (["--model", "openai/x", "--client", "litellm", "--judge", "rules"], "openai/x is asked through LiteLLM"),
    ],
)
@pytest.mark.parametrize("command", ["run", "plan"])
def test_what_cannot_be_batched_is_refused(trialkit: Program, asked: list[str], said: str, command: str) -> None:
    keys = {"OPENAI_API_KEY": "k" * 20, "GEMINI_API_KEY": "g" * 20}
    done = trialkit(command, "commodity", *asked, "--batch", env=keys)
    assert done.status == 2, done.text
    assert f"--batch: {said}" in done.err


def test_a_plan_is_at_half_the_price(trialkit: Program) -> None:
    asked = ["plan", "commodity", "--model", MODELS["openai"], "--judge", "rules", "--format", "json"]
    env = {"OPENAI_API_KEY": "k" * 20}
    whole, half = (json.loads(trialkit(*asked, *more, env=env).out) for more in ([], ["--batch"]))
    assert half["cost_usd"]["value"] == pytest.approx(whole["cost_usd"]["value"] / 2)
    assert half["roles"]["analyzer"]["cost_usd"] == half["cost_usd"]["value"]
    assert half["wall_s"] is None
