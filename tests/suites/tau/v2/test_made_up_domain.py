"""A domain is one folder and one entry point: everything else finds it. This one's user has tools of its own."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.run_files import ended, verdict, write_run
from tests.suites.tau.v2.lamp import SUITE
from trialkit.pages import Passage, Table
from trialkit.runfile import RunFile
from trialkit.suites.tau.exhibits import exhibits
from trialkit.suites.tau.v2.domain import Tau2Domain
from trialkit.vocabulary import Case

HERE = Path(__file__).parent
#: As tau2's own domains describe their tools.
TOOLS = '''
class LampTools(ToolKitBase):
    @is_tool(ToolType.WRITE)
    def send_bulb(self, lamp_id: str, bulb: str) -> str:
        """Send a bulb to the customer."""
'''
USER_TOOLS = '''
class CustomerTools(ToolKitBase):
    @is_tool(ToolType.WRITE)
    def press_button(self, lamp_id: str) -> str:
        """Press the button of a lamp.

        Args:
            lamp_id: Which one.
        """

    @is_tool(ToolType.WRITE)
    def screw_in(self, lamp_id: str, bulb: str) -> str:
        """Put another bulb into a lamp."""
'''
DATA_MODEL = """
class Lamp(BaseModel):
    lamp_id: str
    bulb: str
    on: bool


class Bulb(BaseModel):
    name: str
    sent_to: list[str]


class LampDB(DB):
    lamps: dict[str, Lamp]
    bulbs: dict[str, Bulb]
"""
DATABASE = {
    "lamps": {"L1": {"lamp_id": "L1", "bulb": "broken", "on": False}},
    "bulbs": {"warm": {"name": "warm", "sent_to": []}},
}


def gold(name: str, requestor: str = "user", **arguments: str) -> dict[str, Any]:
    return {"action_id": name, "name": name, "arguments": {"lamp_id": "L1", **arguments}, "requestor": requestor}


TASK = {
    "id": "dark",
    "user_scenario": {"instructions": "Your lamp is dark. Ask for a bulb, screw it in and switch the lamp on."},
    "evaluation_criteria": {
        "actions": [gold("send_bulb", "assistant", bulb="warm"), gold("screw_in", bulb="warm"), gold("press_button")],
        "communicate_info": [],
        "reward_basis": ["DB", "ACTION"],
    },
}


@pytest.fixture
def content(tmp_path: Path) -> Path:
    data, code = tmp_path / "data" / "tau2" / "domains" / "lamp", tmp_path / "src" / "tau2" / "domains" / "lamp"
    rules = tmp_path / "data" / "tau2" / "user_simulator" / "simulation_guidelines_tools.md"
    files = {
        data / "db.json": json.dumps(DATABASE),
        data / "tasks.json": json.dumps([TASK]),
        data / "policy.md": "Send bulbs.",
        code / "tools.py": TOOLS,
        code / "user_tools.py": USER_TOOLS,
        code / "data_model.py": DATA_MODEL,
        rules: "Play the customer.",
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    """With the folder installed by one line."""
    shutil.copytree(HERE / "lamp", tmp_path / "lamp")
    info = tmp_path / "lamp-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lamp\nVersion: 1\n")
    (info / "entry_points.txt").write_text('[trialkit.suites]\n"tau2/lamp" = lamp:SUITE\n'.replace('"', ""))
    program = Program(tmp_path)
    program.env |= {"PYTHONPATH": str(tmp_path), "TAU2_DATA_DIR": str(tmp_path)}
    return program


def loaded(content: Path) -> Tau2Domain:
    domain = SUITE.load(content)
    assert isinstance(domain, Tau2Domain)
    return domain


def test_each_party_has_its_own_tools_over_one_world(content: Path) -> None:
    home = loaded(content).open()
    lamp = {"lamp_id": "L1"}
    assert home.call("press_button", lamp, by="agent") == "Error: Tool 'press_button' not found."
    assert home.call("send_bulb", {**lamp, "bulb": "warm"}, by="user") == "Error: Tool 'send_bulb' not found."
    assert home.call("press_button", lamp, by="user") == "click"
    assert home.changed() == {}  # the bulb is broken: what a call did is made to fit at once
    assert home.call("screw_in", {**lamp, "bulb": "warm"}, by="user") == "Error: there is no such bulb here"
    for name, by in (("send_bulb", "agent"), ("screw_in", "user")):
        assert not home.call(name, {**lamp, "bulb": "warm"}, by).startswith("Error")  # type: ignore[arg-type]
    home.call("press_button", lamp, by="user")
    assert home.changed()["lamps"]["L1"] == {"lamp_id": "L1", "bulb": "warm", "on": True}


def test_what_only_the_agent_does_is_not_enough(content: Path) -> None:
    domain = loaded(content)
    (task,) = domain.tasks("base")
    assert domain.check(task) == []
    assert domain.score(task, task.actions).reward == 1.0
    score = domain.score(task, task.actions[:1])
    assert (score.parts["DB"], [one.name for one in score.why.unmatched_actions]) == (0.0, ["screw_in", "press_button"])


def test_a_trial_is_to_be_seen_beside_what_it_should_have_left(content: Path, tmp_path: Path) -> None:
    domain = loaded(content)
    (task,) = domain.tasks("base")
    asked = Case(id=task.id, title="", group="base", data={"split": "base", "id": task.id, **task.asked()})
    run = write_run(tmp_path / "a.trial", [(asked, [ended(verdict("fail"), output={"actions": task.actions[:1]})])])
    with RunFile(run) as file:
        (trial,) = file.trials()
    policy, told, calls, changes = exhibits(domain, asked, trial)
    assert isinstance(policy, Passage)
    assert isinstance(told, Passage)
    assert (policy.text, "screw it in" in told.text) == ("Send bulbs.", True)
    assert isinstance(calls, Table)
    made = [(str(row[0]), str(row[2])) for row in calls.rows]
    assert made == [("send_bulb", "agent"), ("screw_in", "user"), ("press_button", "user")]
    assert isinstance(changes, Table)
    assert [[str(cell) for cell in row] for row in changes.rows] == [
        ["≠", "lamps L1", "bulb", '"broken"', '"warm"', '"broken"'],
        ["≠", "lamps L1", "on", "false", "true", "false"],
        ["✓", "bulbs warm", "sent_to", "[]", "(not there)", "(not there)"],
        ["✓", "bulbs warm", "sent_to[0]", "(not there)", '"L1"', '"L1"'],
    ]
    other = replace(asked, data={**asked.data, "actions": []})  # the content has changed since the run
    assert [one.title for one in exhibits(domain, other, trial)] == ["Policy", "What the simulated user is told"]


def test_it_is_run_checked_exported_and_imported(trialkit: Program, content: Path) -> None:
    assert "A lamp with a button" in trialkit("suites").out
    assert "nothing is off" in trialkit("data", "check", "tau2/lamp").out
    script = trialkit.folder / "script.json"
    replies = [
        {"system": "Your lamp", "when": "How may I help", "text": "My lamp is dark."},
        {"system": "Send bulbs", "when": "dark", "tool_calls": [gold_call("send_bulb", bulb="warm")]},
        {"system": "Send bulbs", "when": "sent", "text": "A bulb is on its way."},
        {"system": "Your lamp", "when": "on its way", "tool_calls": [gold_call("screw_in", bulb="warm")]},
        {"system": "Your lamp", "when": "done", "tool_calls": [gold_call("press_button")]},
        {"system": "Your lamp", "when": "click", "text": "It is bright. ###STOP###"},
    ]
    script.write_text(json.dumps({"replies": replies}))
    models = ["--model", f"scripted:{script}", "--user-model", f"scripted:{script}"]
    assert trialkit("run", "tau2/lamp", *models, "--min-pass", "1").status == 0
    run = trialkit.last_run()
    with RunFile(run) as opened:
        output = opened.trials()[0].output or {}
    assert [(one["name"], one.get("by")) for one in output["actions"] if one["name"] != "respond"] == [
        ("send_bulb", None),
        ("screw_in", "user"),
        ("press_button", "user"),
    ]
    assert trialkit("replay", str(run)).status == 0
    results = trialkit.folder / "results.json"
    results.write_text(trialkit("report", str(run), "--format", "tau2").out)
    messages = json.loads(results.read_text())["simulations"][0]["messages"]
    asked = [call["requestor"] for message in messages for call in message.get("tool_calls") or ()]
    answered = [message["requestor"] for message in messages if message["role"] == "tool"]
    assert asked == answered == ["assistant", "user", "user"]
    again = trialkit("import", str(results), "--rescore")
    assert "1 agree with the recorded reward, 0 differ; of 3 observations 0 differ" in again.out, again.text
    with RunFile(trialkit.last_run()) as opened:
        imported = opened.trials()[0].output or {}
    assert imported["actions"] == output["actions"]
    assert [one.get("by") for one in imported["messages"]] == [one.get("by") for one in output["messages"]]


@pytest.mark.usefixtures("content")
def test_the_oracle_has_both_parties_play_their_parts_in_turn(trialkit: Program) -> None:
    """The customer screws in a bulb that the agent has sent before."""
    done = trialkit("run", "tau2/lamp", "--agent", "oracle", "--min-pass", "1")
    assert done.status == 0, done.text


def gold_call(name: str, **arguments: str) -> dict[str, Any]:
    return {"name": name, "arguments": {"lamp_id": "L1", **arguments}}
