"""docs/own-cases.md: the suite that it shows is a real one, and its table has every key."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from tests.server import Action, Call, Protocol, Say, Server, tool_names
from tests.suites.files.here import Here
from trialkit.suites.files.document import Document
from trialkit.suites.files.schema import schema_of_suites

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "own-cases.md").read_text()
TEAMS = ("billing", "shipping", "returns", "other")
ROWS = "".join(f'"Größe {n}; \nwo?";{TEAMS[n % 4]}\r\n' for n in range(40))


def answer(body: dict[str, Any], protocol: Protocol) -> Action:
    """Replies and names a team; the judge meets all checks."""
    if names := tool_names(body, protocol):
        findings = [{"check": n, "met": True, "evidence": "so"} for n in (1, 2)]
        return Say(text=None, calls=(Call(name=names[0], arguments={"findings": findings, "critique": "fine"}),))
    number = int(re.findall(r"Größe (\d+)", json.dumps(body, ensure_ascii=False))[0])
    return Say(text=f"Thank you, we look into it.\n{TEAMS[number % 4]}")


def test_forty_tickets_of_a_german_excel_in_ten_lines(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    (suite,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(suite.splitlines()) <= 10
    assert list(Draft7Validator(schema_of_suites()).iter_errors(yaml.safe_load(suite))) == []
    here.write(tickets_yaml=suite)
    (here.folder / "tickets.csv").write_bytes(f"Text;Team\r\n{ROWS}".encode("cp1252"))
    with Server(answer) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        done = here("run", "tickets.yaml")
        assert (done.status, len(server.requests)) == (0, 240), done.text
    told = json.loads(here("report", here.last_run(), "--format", "json").out)["metrics"]
    assert (told["trials"]["passed"]["value"], told["judges"]["polite"]["value"]) == (120, 1)


def test_the_table_has_every_key_as_the_reader_tells_it() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    assert rows == [(name, field.description) for name, field in Document.model_fields.items()]
