"""Agents on trial in a suite of a YAML file, and in the commodity suite: programs, addresses and Python."""

import json
import sys

import pytest

from tests.agents.outside.address import Address
from tests.suites.files.here import Here
from trialkit.runfile import RunFile

PARCELS = """\
cases:
  - {id: one, parcel: P1, place: Bremen}
  - {id: two, parcel: P2, place: Kiel}
system: "Look it up. {{ parcel }} is meant."
prompt: "Where is {{ parcel }}?"
tools: parcels.py
judges:
  place: {contains: "{{ place }}"}
  looked: {tool_call: [{name: where, arguments: {parcel: "{{ parcel }}"}}]}
"""
TOOLS = """
def where(parcel: str) -> str:
    '''Where a parcel is.'''
    return {"P1": "Bremen", "P2": "Kiel"}[parcel]
"""
AGENT = """
import trialkit

def clerk(trial):
    def reply(text):
        (tool,) = trial.tools
        assert trial.policy.startswith("Look it up. P"), trial.policy
        trial.spent(10, 5, cost=0.001)
        return "It is in " + tool(parcel=text.split()[-1].strip("?"))
    return reply

if __name__ == "__main__":
    trialkit.serve(clerk)
"""
ALERT = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.1, "notes": "stop-loss"}


@pytest.fixture
def parcels(here: Here) -> Here:
    here.write(parcels_yaml=PARCELS, parcels_py=TOOLS, agent_py=AGENT)
    return here


@pytest.mark.parametrize("agent", ["python:agent.py:clerk", f"stdio:{sys.executable} agent.py"])
def test_an_agent_answers_with_the_tools_of_a_file(agent: str, parcels: Here) -> None:
    done = parcels("run", "parcels.yaml", "--agent", agent, "--trials", "2")
    assert done.status == 0, done.text
    assert "4/4 = 100.0%" in done.out
    assert "the agent is clerk" in done.text
    with RunFile(parcels.folder / parcels.last_run()) as run:
        assert sum(trial.cost or 0 for trial in run.trials()) == pytest.approx(0.004)
        assert run.info().subject.startswith("clerk")
    assert "identical: 4 trials, 8 verdicts" in parcels("replay", parcels.last_run()).out


def test_an_agent_at_an_address_answers_too(parcels: Here) -> None:
    plans = {f"Where is {name}?": [["where", {"parcel": name}]] for name in ("P1", "P2")}
    with Address(plans) as address:
        address.last_words = "In Kiel."
        done = parcels("run", "parcels.yaml", "--agent", address.url)
    assert "1/2 = 50.0%" in done.out, done.text


def test_an_agent_that_asks_a_model_of_ours_is_told_what_the_suite_says(parcels: Here) -> None:
    call = {"tool_calls": [{"name": "where", "arguments": {"parcel": "P1"}}]}
    replies = [{"when": "P1", **call}, {"when": "P2", "text": "Kiel"}, {"text": "Bremen"}]
    parcels.write(script_json=json.dumps({"replies": replies}))
    done = parcels("run", "parcels.yaml", "--agent", "tool-calling", "--model", "scripted:script.json")
    assert "2/2 = 100.0%" in done.out, done.text


@pytest.mark.parametrize(
    ("more", "agent", "told"),
    [
        ("", "oracle", "--agent oracle: it needs the ground truth as a list of calls, which this suite has not"),
        ("", "few-shot", "--agent few-shot: it needs example conversations"),
        ("messages", "python:agent.py:clerk", "an agent is asked one text, and the suite has several messages"),
        ("file", "python:agent.py:clerk", "an agent is asked one text, and the suite has files to look at"),
    ],
)
def test_what_an_agent_cannot_be_given_is_said_before_it_starts(
    more: str, agent: str, told: str, parcels: Here
) -> None:
    asked = 'prompt: "Where is {{ parcel }}?"'
    turns = "messages: [{role: user, content: Hi}, {role: assistant, content: Hi}, {role: user, content: Where?}]"
    changed = {"": asked, "messages": turns, "file": 'prompt: "{{ file(parcel) }}"'}[more]
    parcels.write(parcels_yaml=PARCELS.replace(asked, changed))
    for name in ("P1", "P2"):
        (parcels.folder / name).write_bytes(b"%PDF-1")
    done = parcels("run", "parcels.yaml", "--agent", agent)
    assert (done.status, told in done.err) == (2, True), done.text


def test_what_an_agent_took_that_failed_without_a_word_of_it_is_unknown(parcels: Here) -> None:
    """Not nothing: it may have asked a model first."""
    silent = "def clerk(trial):\n    return lambda text: 1 / 0\n"
    parcels.write(silent_py=silent, free_py=silent.replace("1 / 0", "trial.spent(0, 0, cost=0.0) or 1 / 0"))
    for agent, told in (("silent", None), ("free", 0.0)):
        done = parcels("run", "parcels.yaml", "--agent", f"python:{agent}.py:clerk", "--ids", "one")
        assert (done.status, "cost unknown" in done.err) == (3, told is None), done.text
        with RunFile(parcels.folder / parcels.last_run()) as run:
            (trial,) = run.trials()
        assert (trial.cost, "ZeroDivisionError" in str(trial.error)) == (told, True)
        assert "identical: 1 trial" in parcels("replay", parcels.last_run()).out


def test_an_agent_is_told_the_form_of_the_answer(parcels: Here) -> None:
    parcels.write(
        parcels_yaml=PARCELS + "output: {type: object}\n",
        other_py="def clerk(trial):\n    return lambda text: 'Bremen Kiel ' + str(trial.settings['output'])\n",
    )
    parcels("run", "parcels.yaml", "--agent", "python:other.py:clerk", "--ids", "one")
    with RunFile(parcels.folder / parcels.last_run()) as run:
        (trial,) = run.trials()
    assert (trial.output or {})["text"] == "Bremen Kiel {'type': 'object'}"


@pytest.mark.parametrize("agent", ["python:analyst.py:analyst", f"stdio:{sys.executable} analyst.py", "http"])
def test_an_agent_is_the_analyzer_of_the_commodity_suite(agent: str, here: Here) -> None:
    code = f"import trialkit\n\ndef analyst(trial):\n    def reply(text):\n        trial.tools[0](**{ALERT})\n"
    code += (
        "        return 'It may fall.'\n    return reply\n\nif __name__ == '__main__':\n    trialkit.serve(analyst)\n"
    )
    here.write(analyst_py=code)
    options = ("--ids", "S01", "--judge", "rules")
    if agent == "http":
        with Address() as address:
            address.last_words = "It may fall."
            done = here("run", "commodity", "--agent", address.url, *options)
    else:
        done = here("run", "commodity", "--agent", agent, *options)
    assert done.status == 0, done.text
    with RunFile(here.folder / here.last_run()) as run:
        (trial,) = run.trials()
    output = trial.output or {}
    assert output["reasoning"] == "It may fall."
    assert [one["threshold_price"] for one in output["suggestions"]] == ([] if agent == "http" else [4.1])
    assert "identical: 1 trial" in here("replay", here.last_run()).out


def test_an_agent_and_a_service_are_not_both_on_trial(here: Here) -> None:
    told = here("run", "commodity", "--agent", "tool-calling", "--analyzer-url", "http://localhost:1/").err
    assert "each put somebody on trial; leave one of them out" in told
