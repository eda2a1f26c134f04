"""`trialkit init --from`: what is written runs at once, offline, and an editor finds nothing wrong with it."""

import json

import pytest
import yaml
from jsonschema import Draft7Validator

from tests.suites.files.here import Here
from trialkit.suites.files.starting import STARTERS


@pytest.mark.parametrize("name", STARTERS)
def test_a_starter_runs_at_once(here: Here, name: str) -> None:
    written = here("init", "demo", "--from", name)
    assert (written.status, written.err) == (0, "")
    assert written.out.splitlines()[-1] == f"next: cd demo && {STARTERS[name]}"
    demo = Here(here.folder / "demo")
    command = STARTERS[name].split()[1:]
    done = demo(*command)
    assert done.status == 0, done.text
    run = json.loads(demo("report", demo.last_run(), "--format", "json").out)
    rate = run["metrics"]["headline"]["value"]
    assert rate == 1 if "oracle" in command else 0 < rate < 1  # something is left to do better
    checked = demo("check", command[1])
    assert (checked.status, checked.err) == (0, "")


@pytest.mark.parametrize("name", STARTERS)
def test_an_editor_finds_the_schema_beside_the_suite_and_no_fault(here: Here, name: str) -> None:
    here("init", ".", "--from", name)
    (file,) = here.folder.glob("*.yaml")
    first, _, text = file.read_text().partition("\n")
    schema = json.loads((here.folder / first.removeprefix("# yaml-language-server: $schema=")).read_text())
    assert schema == json.loads(here("check", "--schema").out)
    assert list(Draft7Validator(schema).iter_errors(yaml.safe_load(text))) == []


def test_without_a_name_it_is_what_the_first_suite_brings(here: Here) -> None:
    done = here("init", "demo")
    assert done.out.splitlines()[-1] == "next: cd demo && trialkit run commodity --model baseline"
    assert here("init", "other", "--from", "commodity").out.count("wrote") == done.out.count("wrote")


def test_an_unknown_starter_is_told_which_there_are(here: Here) -> None:
    done = here("init", "demo", "--from", "clasify")
    assert (done.status, done.err) == (
        2,
        f"trialkit: --from clasify: there is no such starter; there are {', '.join(STARTERS)}, commodity\n",
    )
    assert "classify, extract, answer, tools, conversation, commodity" in " ".join(here("init", "--help").out.split())


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("tickets.csv", "tickets.csv: is no suite; write a YAML file with `cases: tickets.csv` in it"),
        ("tickets", "there is no suite 'tickets'; did you mean tickets.yaml?"),
        ("tickts", "there is no suite 'tickts'; known: "),
    ],
)
def test_a_table_or_half_a_name_is_no_suite_and_told_so(here: Here, named: str, told: str) -> None:
    here.write(tickets_csv="a,b\n", tickets_yaml="cases: tickets.csv\n")
    for command in ("run", "check"):
        done = here(command, named)
        assert (done.status, told in done.err) == (2, True), done.err
