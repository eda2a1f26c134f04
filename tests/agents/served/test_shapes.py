"""An agent in Python may have any of several shapes; each holds the same conversation."""

import sys
from pathlib import Path

import pytest

from tests.agents.served.stage import Stage, held, stderr

FUNCTION = """
def agent(messages, tools):
    last = messages[-1]
    if last["role"] == "tool":
        return "It is " + last["content"]
    call = {"id": "c1", "function": {"name": tools[0]["function"]["name"], "arguments": {"order_id": last["content"]}}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}
"""
#: As one is written with OpenAI's SDK, whose objects have attributes.
LOOP = """
from types import SimpleNamespace as Object

def create(messages, tools):
    usage = Object(prompt_tokens=100, completion_tokens=10, prompt_tokens_details=Object(cached_tokens=40))
    last = messages[-1]
    content, calls = None, None
    if last["role"] == "tool":
        content = "It is " + last["content"]
    else:
        arguments = '{"order_id": "' + last["content"] + '"}'
        calls = [Object(id="c1", function=Object(name="get_order", arguments=arguments))]
    message = Object(role="assistant", content=content, tool_calls=calls)
    return Object(choices=[Object(message=message)], usage=usage, model="gpt-4o-mini")

def agent(messages, tools, trial):
    while True:
        completion = create(messages, tools)
        message = completion.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return completion
        for call in message.tool_calls:
            answer = trial.call(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": answer})
"""
CLASS = """
from trialkit import Agent, Move
from trialkit.models import ToolCall

class agent(Agent):
    def __init__(self, trial):
        self.trial = trial

    async def hear(self, text):
        assert self.trial.policy == "Be brief."
        return Move(calls=(ToolCall(id="1", name="get_order", arguments='{"order_id": "' + text + '"}'),))

    async def observe(self, results):
        return Move(text="It is " + results[0].text)
"""
SYNC = """
def agent(trial):
    (get_order,) = trial.tools
    heard = []

    def reply(text):
        heard.append(text)
        assert len(heard) < 3
        return "It is " + get_order(order_id=text)

    return reply
"""
ASYNC = SYNC.replace("    def reply", "    async def reply").replace("get_order(order", "await get_order.acall(order")
OWN_LOOP = SYNC.replace("def agent", "import asyncio\ndef agent").replace(
    "get_order(order_id=text)", "asyncio.run(get_order.acall(order_id=text))"
)
SHAPES = {"function": FUNCTION, "loop": LOOP, "class": CLASS, "sync": SYNC, "async": ASYNC, "own loop": OWN_LOOP}


@pytest.mark.parametrize("code", SHAPES.values(), ids=SHAPES)
async def test_every_shape_holds_the_conversation(tmp_path: Path, code: str) -> None:
    stage = await held(tmp_path, code)
    assert stage.calls == [("get_order", {"order_id": "A1"}), ("get_order", {"order_id": "B2"})]
    assert stage.said == ["It is on its way", "It is lost"]


async def test_a_completion_tells_what_it_took(tmp_path: Path) -> None:
    stage = await held(tmp_path, LOOP, wishes=("A1",))
    usage = stage.replies[-1].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (100, 10, 40)
    assert stage.replies[-1].cost == pytest.approx((60 * 0.15 + 40 * 0.075 + 10 * 0.6) / 1e6)


async def test_what_an_agent_says_itself_of_its_costs_counts(tmp_path: Path) -> None:
    code = "def agent(messages, trial):\n trial.spent(5, 6, cost=0.25)\n trial.note('thought')\n return 'hello'"
    stage = await held(tmp_path, code, wishes=("A1",))
    assert stage.replies[-1].cost == 0.25
    assert stage.output is not None
    assert [note["detail"] for note in stage.output["notes"]] == ["thought"]


async def test_parallel_calls_are_answered_each_with_its_own_result(tmp_path: Path) -> None:
    code = """
import asyncio

def agent(trial):
    async def reply(text):
        answers = await asyncio.gather(*(trial.tools[0].acall(order_id=one) for one in ("A1", "B2", "A1")))
        return " / ".join(answers)
    return reply
"""
    stage = await held(tmp_path, code, wishes=("x",))
    assert stage.said == ["on its way / lost / on its way"]


FAULTS = {
    "raises": ("def agent(messages):\n raise ValueError('too hot')", "ValueError: too hot (agent.py:2)"),
    "ends the program": ("import sys\ndef agent(messages):\n sys.exit(3)", "SystemExit: 3 (agent.py:3)"),
    "ends its loop": (
        "import asyncio as a\nasync def end():\n raise SystemExit\nasync def agent(messages):\n await a.gather(end())",
        "SystemExit: (agent.py:3)",
    ),
    "interrupts": ("async def agent(messages):\n raise KeyboardInterrupt", "KeyboardInterrupt: (agent.py:2)"),
    "returns nothing": ("def agent(messages):\n pass", "the agent gave None"),
    "odd parameters": ("def agent(question):\n return question", "the agent takes (question): write a function of"),
    "no agent": ("agent = 5", "5 is no agent: write"),
    "a class without methods": ("class agent:\n pass", "has no hear and observe"),
    "no move": ("def agent(messages):\n return {'role': 'assistant'}", "no text, no message"),
    "blocks its loop": (
        "def agent(trial):\n async def reply(text):\n  return trial.tools[0](order_id=text)\n return reply",
        "write `await tool.acall(…)`",
    ),
    "refused by its provider": (
        "class Refused(Exception):\n status_code = 429\ndef agent(messages):\n raise Refused('slow down')",
        "Refused: slow down",
    ),
}


@pytest.mark.parametrize(("code", "why"), FAULTS.values(), ids=FAULTS)
async def test_a_fault_of_its_code_ends_the_trial_and_says_where(tmp_path: Path, code: str, why: str) -> None:
    stage = await held(tmp_path, code)
    assert stage.error is not None
    assert why in str(stage.error)
    assert stage.error.kind == ("rate_limit" if "slow down" in why else "server")
    assert "Traceback" in stderr(stage)


async def test_who_never_answers_is_waited_for_as_long_as_is_said(tmp_path: Path) -> None:
    code = "import threading\ndef agent(messages):\n threading.Event().wait()"
    stage = await held(tmp_path, code, timeout_s=0.2)
    assert stage.error is not None
    assert stage.error.kind == "timeout"


async def test_the_same_agents_are_served_as_programs(tmp_path: Path) -> None:
    """What they print does not get between the messages."""
    program = tmp_path / "program.py"
    program.write_text(
        f"{ASYNC.replace('heard.append', 'print(text); heard.append')}\nimport trialkit\ntrialkit.serve(agent)\n"
    )
    stage = Stage()
    await stage.hold(f"stdio:{sys.executable} {program}")
    assert stage.said == ["It is on its way", "It is lost"]
    assert '"A1\\n"' in stderr(stage)


async def test_a_fault_of_a_served_program_is_told_with_its_place(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import trialkit\ndef agent(messages):\n raise ValueError('too hot')\ntrialkit.serve(agent)\n")
    stage = Stage()
    await stage.hold(f"stdio:{sys.executable} {program}")
    assert "ValueError: too hot (program.py:3)" in str(stage.error)
    assert "Traceback" in stderr(stage)


async def test_an_answer_has_an_end(tmp_path: Path) -> None:
    stage = await held(tmp_path, "def agent(messages):\n    return 'x' * 40_000_000\n")
    assert "the agent gave more than 32 MB" in str(stage.error)
