"""Conversations of a YAML file: a simulated user, an environment of Python, and judges of what is left."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server import Action, Call, Protocol, Say, Server
from tests.suites.files.here import Here
from trialkit.runfile import RecordedTrial, RunFile

DESK = Path(__file__).resolve().parents[3] / "examples" / "front-desk"
LAMP = """\
cases:
  - {id: on, wish: on, secret: the code 4711, calls: [press], facts: [it is dark, you are tired]}
  - {id: off, wish: off, secret: "", calls: [], facts: []}
system: "Press the button of the lamp only if it is to be on."
environment: lamp.py
user:
  persona: You are tired.
  goal: "The lamp is to be {{ wish }}."
  may_tell: "{{ facts }}"
  must_not_tell: "{{ secret }}"
judges:
  lamp: {state: "{{ calls }}"}
"""
CODE = """
class Lamp:
    for_user = ["look"]
    shines = {"now": False}

    def press(self) -> str:
        '''Presses the button.'''
        self.shines["now"] = not self.shines["now"]
        return "click"

    def look(self) -> str:
        return "bright" if self.shines["now"] else "dark"
"""


@pytest.fixture
def lamp(here: Here) -> Here:
    here.write(lamp_yaml=LAMP, lamp_py=CODE)
    return here


def trials(here: Here) -> list[RecordedTrial]:
    with RunFile(here.folder / here.last_run()) as run:
        return run.trials()


class House:
    """Plays both: the agent presses once for whoever wants it on, and the user looks and goes."""

    def __init__(self) -> None:
        self.systems: dict[str, str] = {}
        self.tools: dict[str, list[str]] = {}

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        system, last = body["messages"][0]["content"], body["messages"][-1]
        who = "user" if "You play a person" in system else "agent"
        self.systems.setdefault(f"{who} {'on' if 'be on.' in system else 'off'}", system)
        self.tools[who] = [tool["function"]["name"] for tool in body.get("tools", [])]
        if who == "user":
            if len(body["messages"]) == 2:
                return Say(text="On, please." if "be on." in system else "Off, please.")
            return Say(text="###STOP###") if last["role"] == "tool" else Say(calls=(Call(name="look", arguments={}),))
        if last["content"] == "On, please.":
            return Say(calls=(Call(name="press", arguments={}),))
        return Say(text="As you wish.")


def test_user_agent_and_environment_play_together(lamp: Here) -> None:
    house = House()
    with Server(house) as server:
        done = lamp("run", "lamp.yaml", "--model", "openai/m", "--api-base", server.openai_base, "--trials", "2")
    assert "4/4 = 100.0%" in done.out, done.text
    assert house.tools == {"agent": ["press"], "user": ["look"]}
    told = house.systems["user on"]
    assert "Who you are:\nYou are tired.\n\nWhat you want:\nThe lamp is to be on.\n" in told
    assert "for needed:" not in told
    assert "- it is dark\n- you are tired" in told
    assert "never tell, whoever asks and for whatever reason:\nthe code 4711" in told
    assert "never tell" not in house.systems["user off"]
    assert "What you know" not in house.systems["user off"]
    state, ends, calls = ([(one.output or {})[name] for one in trials(lamp)] for name in ("state", "end", "calls"))
    assert state == [{"shines": {"now": True}}] * 2 + [{"shines": {"now": False}}] * 2
    assert ends == ["user_stop"] * 4
    assert [[one["name"] for one in made] for made in calls] == [["press"]] * 2 + [[]] * 2
    assert "identical: 4 trials, 4 verdicts" in lamp("replay", lamp.last_run()).out
    again = lamp("rejudge", lamp.last_run(), "--judge-trials", "2")
    assert "4 trials judged by lamp" in again.out, again.text
    lamp("label", lamp.last_run(), "--sample", "4", "-o", "labels.csv")
    assert "user: On, please." in (lamp.folder / "labels.csv").read_text()


def test_a_plan_counts_the_calls_of_both_parties(lamp: Here) -> None:
    done = lamp("plan", "lamp.yaml", "--model", "openai/gpt-4.1", "--format", "json")
    plan = json.loads(done.out)
    assert {role: one["calls"] for role, one in plan["roles"].items()} == {"agent": 12, "user": 12}
    costs = [one["cost_usd"] for one in plan["roles"].values()]
    assert plan["cost_usd"]["value"] == pytest.approx(sum(costs))


def test_who_leaves_another_state_fails_and_is_told_where(lamp: Here) -> None:
    lamp.write(agent_py="def lazy(trial):\n    return lambda text: 'No.'\n")
    lamp.write(lamp_yaml=LAMP.replace("user:\n", "user:\n  says: Hello!\n"))
    done = lamp("run", "lamp.yaml", "--agent", "python:agent.py:lazy", "--trials", "1")
    assert "1/2 = 50.0%" in done.out, done.text
    assert [trial.outcome for trial in trials(lamp)] == ["fail", "pass"]
    (verdict,) = trials(lamp)[0].verdicts
    assert verdict.critique == "not so: the state is as it should be: $.shines.now is false, not true"


def test_the_oracle_proves_that_the_cases_can_be_solved(lamp: Here) -> None:
    assert "2/2 = 100.0%" in lamp("run", "lamp.yaml", "--agent", "oracle").out
    lamp.write(lamp_yaml=LAMP.replace("calls: [press]", "calls: [{press: {hard: true}}]"))
    done = lamp("run", "lamp.yaml", "--agent", "oracle")
    assert done.status == 3, done.text
    (verdict,) = trials(lamp)[0].verdicts
    assert 'the call press({"hard": true}), which is to be right, fails: Error: hard: Extra inputs' in verdict.critique


def test_the_front_desk_can_be_solved_and_its_judges_agree(here: Here) -> None:
    done = here("run", str(DESK / "desk.yaml"), "--agent", "oracle", "--trials", "2")
    assert "20/20 = 100.0%" in done.out, done.text
    judges = json.loads(here("report", here.last_run(), "--format", "json").out)["metrics"]["judges"]
    assert {one["value"] for one in judges.values()} == {1}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("user:\n", "prompt: Hello\nuser:\n", "lamp.yaml:6:1: with `user:` there is a conversation"),
        ("  goal:", "  gaol:", 'lamp.yaml:8:3: there is no key "gaol" here; did you mean `goal:`?'),
        ("{{ wish }}", "{{ whish }}", 'lamp.yaml:6:1: the cases have no column "whish"; did you mean `wish:`?'),
        ("lamp.py", "lamp.py:Lump", "lamp.yaml:5:1: environment: lamp.py has no Lump; did you mean Lamp?"),
        ("lamp.py", "lump.py", "lamp.yaml:5:1: environment: there is no file"),
        ("system:", "tools: [{name: press}]\nsystem:", "the environment has a tool press already"),
    ],
)
def test_what_is_wrong_with_a_conversation_is_told_with_its_place(old: str, new: str, told: str, lamp: Here) -> None:
    lamp.write(lamp_yaml=LAMP.replace(old, new, 1))
    done = lamp("run", "lamp.yaml", "--agent", "oracle")
    assert (done.status, told in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("class Lamp:\n    pass\n", "Lamp has no methods; write one for each tool"),
        ("class Lamp:\n    for_user = ['lock']\n    def look(self): ...\n", "names lock, which is no method"),
        ("class Lamp:\n    def __init__(self, a, b): ...\n    def look(self): ...\n", "is made with a, b; it is given"),
        ("class Lamp:\n    def __init__(self, case): case['x']\n    def look(self): ...\n", "KeyError: 'x'"),
        ("class A: ...\nclass B: ...\n", "must have one class, and it has A, B; name one: lamp.py:NAME"),
        ("class Lamp:\n    def look(self, *words): ...\n", "words is no parameter with a name"),
    ],
)
def test_what_is_wrong_with_an_environment_is_told(code: str, told: str, lamp: Here) -> None:
    lamp.write(lamp_py=code)
    done = lamp("run", "lamp.yaml", "--agent", "oracle")
    assert (done.status, told in done.err) == (2, True), done.err


def test_a_conversation_is_no_way_to_ask_a_single_question(lamp: Here) -> None:
    lamp.write(lamp_yaml=LAMP.replace("user:\n", "user:\n  says: Hello!\n").replace("environment: lamp.py\n", ""))
    lamp.write(script_json=json.dumps({"replies": [{"text": "Good day."}]}))
    done = lamp("run", "lamp.yaml", "--model", "scripted:script.json")
    assert done.status == 3
    assert "there is no environment, so there is no state; add `environment:` to the suite" in done.text


def test_a_right_call_of_no_tool_is_told_before_anything_is_paid(here: Here) -> None:
    here.write(
        talk_yaml="cases: [{id: 1}, {id: 2}]\nuser: {says: hello}\nenvironment: room.py\n"
        "judges: {lamp: {state: [{lihgt: {}}]}}\n",
        room_py="class Room:\n    def light(self) -> str:\n        return 'on'\n",
    )
    done = here("check", "talk.yaml")
    told = 'judge lamp: the environment has no tool "lihgt"; did you mean "light"? There are light'
    assert (done.status, done.err) == (2, f"trialkit: talk.yaml:1:9: {told}\ntalk.yaml:1:18: {told}\n")
