"""Secrets are planted, a hostile server gives them back in every shape: no file, page or line may show one."""

import json
import re
from itertools import islice
from typing import Any

import pytest

from tests.analysis.test_html_report import unpacked
from tests.attack.canaries import PLANTED, SHAPES, copies, leaks, leaks_in
from tests.e2e.program import Program
from tests.e2e.waiting import wait_for_requests
from tests.server import Action, Call, Cut, Fault, Protocol, Raw, Say, Server, tool_names
from tests.server.protocols import answer

KEY_IN_PATH = "sk-C4naryP4thQ2wE4rT6yU8iO0"


class Parrot:
    """Says what it should not know, in one shape after the other: in texts, calls, errors, headers and whole pages."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        shape = list(SHAPES)[self.asked // 7 % len(SHAPES)]
        told = copies(shape)
        header = {"X-Echo": " ".join(told.split()), "Retry-After": "0", "x-request-id": " ".join(told.split())}
        judge = "record_verdict" in tool_names(body, protocol)
        say = self._verdict(told, json.dumps(body)) if judge else self._alert(told)
        kinds: tuple[Action, ...] = (
            say,
            Fault(kind="bad_request", echo=told, headers=header),
            Fault(kind="server", echo=told, headers=header),
            Raw(
                body=f"<html><title>{told}</title></html>".encode(),
                status=502,
                headers=header,
                content_type="text/html",
            ),
            Raw(body=answer(say, {"model": told}, protocol).replace(b'"tool_calls"', b'"calls"'), headers=header),
            Raw(body=told.encode(), headers=header),
            Cut(body=told.encode(), promised=10_000),
        )
        self.asked += 1
        return kinds[self.asked % len(kinds)]

    def _alert(self, told: str) -> Say:
        alert = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.2, "notes": told}
        wrong = Call(name=f"create_alert {told}", arguments=f'{{"{told}": ')
        return Say(
            text=f"It is at risk. {told}",
            calls=(Call(name="create_alert", arguments=alert, id=told), wrong),
            model=told,
        )

    def _verdict(self, told: str, asked: str) -> Say:
        checks = int(re.findall(r"Judge each of the (\d+) checks", asked)[0])
        findings = [{"check": number, "met": True, "evidence": told} for number in range(1, checks + 1)]
        verdict = {"findings": findings, "critique": told, "outcome": "pass", told: told}
        return Say(text=told, calls=(Call(name="record_verdict", arguments=verdict, id=told),), stop=told)


COMMANDS = (
    *(("report", "RUN", "--format", form) for form in ("console", "md", "html", "json", "junit", "csv")),
    ("replay", "RUN"),
    ("rejudge", "RUN", "--judge", "rules"),
    ("label", "RUN", "--sample", "5"),
    ("align", "RUN"),
    ("compare", "RUN", "RUN", "--format", "json"),
    ("runs", "eval_results"),
    ("trend", "eval_results"),
    ("resume", "--errors", "RUN"),
)


@pytest.fixture
def parrot() -> Parrot:
    return Parrot()


def flags(base: str) -> list[str]:
    return [
        "--model",
        "openai/subject",
        "--judge-model",
        "openai/judge",
        "--judge",
        "both",
        "--api-base",
        base,
        "--retries",
        "2",
        "-v",
    ]


def test_no_planted_secret_is_shown_or_kept(trialkit: Program, parrot: Parrot) -> None:
    variables = iter(PLANTED.items())
    (trialkit.folder / ".env").write_text("".join(f"{name}='{value}'\n" for name, value in islice(variables, 3)))
    trialkit.env |= dict(variables)
    said = {}
    with Server(parrot) as server:
        done = trialkit("run", "commodity", *flags(server.openai_base), "--trials", "3")
        said["run"] = done.text
        run = str(trialkit.last_run())
        for command in COMMANDS:
            said[" ".join(command)] = trialkit(*(run if part == "RUN" else part for part in command)).text
        trialkit("report", run, "--format", "html", "-o", "page.html")
        said["packed in the page"] = "".join(unpacked((trialkit.folder / "page.html").read_text()).values())
        assert "record_verdict" in said["packed in the page"]
        assert parrot.asked > 7 * len(SHAPES)
        server.hold(after=20)
        killed = trialkit.start("run", "commodity", *flags(server.openai_base), "--no-cache")
        wait_for_requests(server, len(server.requests) + 25, killed)
        killed.kill()
        said["killed"] = killed.communicate()[0]
    assert list(trialkit.results.glob("*-wal"))
    assert done.status == 3, said["run"]
    assert {name: found for name, text in said.items() if (found := leaks(text.encode()))} == {}
    assert leaks_in(trialkit.folder).keys() == {".env"}


def test_no_planted_secret_comes_through_litellm(trialkit: Program, parrot: Parrot) -> None:
    """Its exceptions quote what they were told, and its own logger would too."""
    trialkit.env |= {**PLANTED, "MISTRAL_API_KEY": PLANTED["MY_PAT"]}
    with Server(parrot) as server:
        subject = ("--model", "mistral/mistral-small-latest", "--client", "litellm", "--api-base", server.openai_base)
        done = trialkit("run", "commodity", *subject, "--judge", "rules", "--retries", "2", "-v", "--trials", "7")
    assert (done.status, parrot.asked > 7 * len(SHAPES)) == (3, True), done.text
    assert "through LiteLLM: litellm." in done.text
    assert leaks(done.text.encode()) == []
    assert leaks_in(trialkit.folder) == {}


def test_a_key_in_the_path_of_an_address_is_not_kept(trialkit: Program, parrot: Parrot) -> None:
    """A gateway may want it there: given by a variable it works, on the command line it is refused and not quoted."""
    with Server(parrot) as server:
        address = f"{server.url}/gate/{KEY_IN_PATH}/v1"
        options = ["--model", "openai/subject", "--judge", "rules", "--ids", "S01,S02"]
        refused = trialkit("run", "commodity", *options, "--api-base", address)
        trialkit.env |= {"OPENAI_BASE_URL": address}
        done = trialkit("run", "commodity", *options)
        again = trialkit("resume", "--errors", str(trialkit.last_run()))
        report = trialkit("report", str(trialkit.last_run()), "--format", "json")
    assert (refused.status, done.status) == (2, 3), refused.text + done.text
    assert "OPENAI_BASE_URL" in refused.err
    assert parrot.asked > 4
    assert not any(KEY_IN_PATH[8:20] in one.text for one in (refused, done, again, report))
    assert not any(KEY_IN_PATH[8:20].encode() in path.read_bytes() for path in trialkit.folder.rglob("*.*"))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_search_finds_what_was_planted(shape: str) -> None:
    """The test of the test."""
    assert leaks(f'{{"a": {json.dumps(copies(shape))}}}'.encode()) == list(PLANTED)
