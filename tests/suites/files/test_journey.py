"""One suite of a YAML file through all that there is for suites, without a line of its own for any of it."""

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.e2e.waiting import wait_for_requests
from tests.server import Action, Call, Protocol, Say, Server, tool_names
from tests.suites.files.here import Here

SUITE = """\
cases: tickets.csv
prompt: prompts/triage_v1.txt
judges:
  right: {model: ["It names the team {{ Team }}."]}
  team: {label: "{{ Team }}"}
"""
TEAMS = ("Versand", "Rechnung", "Rückgabe")
ROWS = [(f"T{number}", f"Ticket {number}; bitte!", TEAMS[number % 3]) for number in range(12)]
MODELS = ("--model", "openai/gpt-4o-mini", "--judge-model", "openai/gpt-4o", "--trials", "2")


def answer(body: dict[str, Any], protocol: Protocol) -> Action:
    """The one on trial knows two of three teams, with the second prompt all; the judge believes whatever is said."""
    text = json.dumps(body, ensure_ascii=False)
    if names := tool_names(body, protocol):
        met = not ("gpt-4o-2024" in body["model"] and "Versand" in text)
        findings = [{"check": 1, "met": met, "evidence": "so"}]
        return Say(text=None, calls=(Call(name=names[0], arguments={"findings": findings, "critique": "read"}),))
    number = int(text.partition("Ticket ")[2].partition(";")[0])
    return Say(text=TEAMS[number % (3 if "carefully" in text else 2)])


@pytest.fixture
def server(here: Here, monkeypatch: pytest.MonkeyPatch) -> Any:
    (here.folder / "prompts").mkdir()
    (here.folder / "prompts" / "triage_v1.txt").write_text("Which team? {{ Text }}")
    (here.folder / "prompts" / "triage_v2.txt").write_text("Read carefully. Which team? {{ Text }}")
    table = "".join(f'{name};"{text}";{team}\r\n' for name, text, team in ROWS)
    (here.folder / "tickets.csv").write_bytes(f"ID;Text;Team\r\n{table}".encode("cp1252"))
    here.write(tickets_yaml=SUITE)
    with Server(answer) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        yield server


def test_killed_resumed_reported_and_replayed(here: Here, server: Server) -> None:
    program = Program(here.folder)
    program.env |= {name: os.environ[name] for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL")}
    server.hold(after=15)
    process = program.start("run", "tickets.yaml", *MODELS)
    wait_for_requests(server, 20, process)
    process.kill()
    process.communicate()
    server.release()
    for name in ("tickets.yaml", "tickets.csv", "prompts/triage_v1.txt"):
        (here.folder / name).unlink()
    run = here.last_run()
    resumed = here("resume", run)
    assert resumed.status == 0, resumed.text
    told = json.loads(here("report", run, "--format", "json").out)
    assert told["metrics"]["trials"]["passed"]["value"] == 24
    assert set(told["metrics"]["judges"]) == {"right", "team"}
    for form in ("md", "junit"):
        assert "T11" in here("report", run, "--format", form).out
    asked = len(server.requests)
    assert "identical: 24 trials, 48 verdicts" in here("replay", run).out
    assert len(server.requests) == asked <= 48 + 10  # what was on its way when it was killed is asked again


def test_planned_run_and_compared_with_another_prompt(here: Here, server: Server) -> None:
    here.write(tickets_yaml=f"{SUITE}headline: team\n")
    plan = json.loads(here("plan", "tickets.yaml", *MODELS, "--format", "json").out)
    assert plan["trials"] == 24
    assert server.requests == []
    for version in ("v1", "v2"):
        assert here("run", "tickets.yaml", *MODELS, "--prompt", version, "--name", version).status == 0, version
    first, second = sorted(map(str, (here.folder / "eval_results").glob("*.trial")))
    held = here("compare", first, second)
    assert held.status == 0, held.text
    assert "B passes 66.7 points more often than A" in held.out
    assert "v2" in here("trend").out


def test_judges_are_held_against_people_and_judged_again(here: Here, server: Server) -> None:
    assert here("run", "tickets.yaml", *MODELS).status == 0
    run = here.last_run()
    drawn = here("label", run, "--sample", "24", "--seed", "1", "-o", "labels.csv")
    assert drawn.status == 0, drawn.text
    labelled(here.folder / "labels.csv")
    assert here("import", "labels.csv", "--run", run).status == 0
    told = json.loads(here("align", run, "--format", "json").out)
    before = {one["judge"]: one for one in told["judges"]}
    again = here("rejudge", run, "--judge-model", "openai/gpt-4o-2024-08-06")
    assert again.status == 0, again.text
    judges = {one["judge"] for one in json.loads(here("align", run, "--format", "json").out)["judges"]}
    assert set(before) < judges
    assert here("audit", "judge", run, "--sample", "2").status == 0


def labelled(path: Path) -> None:
    """By a person who knows the truth."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {"ID", "Text", "Team", "Answer"} <= rows[0].keys()
    for row in rows:
        row["Human Outcome"] = "pass" if row["Team"] == row["Answer"] else "fail"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
