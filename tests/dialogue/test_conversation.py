"""The conversation itself, between scripted parties; what a suite makes of its rules is tested with the suite."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.dialogue.lamp import Lamp, calls
from trialkit.dialogue import Conversation, Move, Output, Record, Rules, ScriptedUser, ToolResult


class Listener(ScriptedUser):
    """A scripted party, user or agent, that remembers what it was told."""

    def __init__(self, *lines: str | Move) -> None:
        super().__init__(lines)
        self.heard: list[str | list[str]] = []
        self.ended = 0

    async def hear(self, text: str) -> Move:
        self.heard.append(text)
        return await super().hear(text)

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        self.heard.append([result.text for result in results])
        return await super().observe(results)

    async def end(self) -> None:
        self.ended += 1


async def talk(
    agent: Sequence[str | Move], user: Sequence[str | Move], rules: Rules | None = None, lamp: Lamp | None = None
) -> tuple[Output, Listener, Listener]:
    one, other = Listener(*agent), Listener(*user)
    record = Record()
    conversation = Conversation(agent=one, user=other, environment=lamp or Lamp(), record=record, rules=rules)
    return await conversation.run(), one, other


async def test_a_user_calls_tools_of_its_own_and_the_record_says_who_did() -> None:
    lamp = Lamp()
    output, agent, user = await talk(
        ["Press the button, please.", calls("look"), "It is on."],
        ["My lamp is dark.", calls("press"), "Done, is it on?"],
        lamp=lamp,
    )
    assert lamp.calls == [("press", {}, "user"), ("look", {}, "agent")]
    assert output["end"] == "user_stop"
    assert output["actions"] == [
        {"name": "respond", "kwargs": {"content": "Press the button, please."}},
        {"name": "press", "kwargs": {}, "by": "user"},
        {"name": "look", "kwargs": {}},
        {"name": "respond", "kwargs": {"content": "It is on."}},
    ]
    assert output["observations"] == ["Done, is it on?", "click", "on", "###STOP###"]
    assert output["action_steps"] == [1, 1, 2, 3]
    assert agent.heard == ["My lamp is dark.", "Done, is it on?", ["on"]]  # of the user's tools it hears nothing
    assert user.heard == ["Hello! How may I help you today?", "Press the button, please.", ["click"], "It is on."]
    told = [(message["role"], message["content"], message.get("by")) for message in output["messages"]]
    assert told[2:6] == [
        ("assistant", "Press the button, please.", None),
        ("user", None, None),
        ("tool", "click", "user"),
        ("user", "Done, is it on?", None),
    ]
    assert output["messages"][3]["tool_calls"] == [{"id": "press_id", "name": "press", "arguments": "{}"}]


async def test_a_party_has_only_the_tools_that_the_environment_gives_it() -> None:
    output, agent, user = await talk([calls("press"), "So?"], ["Hello.", calls("look")])
    assert agent.heard[1] == ["Error: the agent has no tool press"]
    assert user.heard[2] == ["Error: the user has no tool look"]
    assert output["end"] == "user_stop"


@pytest.mark.parametrize("every_message_counts", [False, True])
async def test_a_user_who_calls_tools_without_end_ends_the_conversation(*, every_message_counts: bool) -> None:
    rules = Rules(max_steps=7, every_message_counts=every_message_counts)
    lamp = Lamp()
    output, _, user = await talk(["Yes?"], ["Hello.", *[calls("press")] * 20], rules, lamp)
    assert output["end"] == "max_steps"
    # One step is the agent's reply; of messages, each call counts and so does each answer.
    assert len(user.heard) == (2 + 2 if every_message_counts else 2 + 6)
    assert len(lamp.calls) == (3 if every_message_counts else 7)


async def test_the_failed_calls_of_both_count() -> None:
    rules = Rules(max_errors=2)
    output, _, _ = await talk([calls("press"), "Yes?"], ["Hello.", calls("look"), "Nothing."], rules)
    assert output["end"] == "too_many_errors"
    assert [action["name"] for action in output["actions"]] == ["press", "respond", "look"]


async def test_a_user_who_says_nothing_ends_the_conversation_and_is_to_blame() -> None:
    output, agent, _ = await talk(["Yes?"], ["Hello.", " "])
    assert (output["end"], output["notes"][-1]["rule"]) == ("user_error", "empty_message")
    assert agent.heard == ["Hello."]


async def test_a_stop_beside_a_call_does_not_stop() -> None:
    output, agent, _ = await talk(["Yes?", "Bye."], ["Hello.", calls("press", text="###STOP###"), "There."])
    assert agent.heard == ["Hello.", "There."]
    assert output["notes"][0]["detail"] == "the agent does not see text that comes with a call"
    assert [message["content"] for message in output["messages"]][-1] == "###STOP###"


async def test_a_tool_that_ends_the_conversation_does_so_for_the_agent_alone() -> None:
    rules = Rules(ending_tools={"look": "agent_stop", "press": "transfer"})
    output, _, user = await talk(["Yes?", calls("look", arguments="[")], ["Hello.", calls("press"), "Well?"], rules)
    assert output["end"] == "agent_stop"
    assert output["actions"][-1] == {"name": "look", "kwargs": {}}  # whatever its arguments are
    assert user.heard[-1] == ["click"]


async def test_a_users_arguments_that_cannot_be_read_reach_no_tool() -> None:
    lamp = Lamp()
    output, _, user = await talk(["Yes?"], ["Hello.", calls("press", arguments="{")], lamp=lamp)
    assert lamp.calls == []
    assert str(user.heard[2]).startswith("['Error: the arguments of press cannot be read: not JSON")
    assert output["notes"][0]["rule"] == "invalid_arguments"


async def test_both_are_told_of_the_end_even_if_one_fails() -> None:
    class Failing(Listener):
        async def hear(self, text: str) -> Move:
            raise RuntimeError("lost")

    agent, user = Failing(), Listener("Hello.")
    with pytest.raises(RuntimeError, match="lost"):
        await Conversation(agent=agent, user=user, environment=Lamp(), record=Record()).run()
    assert (agent.ended, user.ended) == (1, 1)


async def test_what_happens_is_told_as_it_happens() -> None:
    told: list[tuple[str, dict[str, Any]]] = []
    record = Record(log=lambda kind, **data: told.append((kind, data)))
    agent, user = Listener("Yes?"), Listener("Hello.", calls("press"))
    await Conversation(agent=agent, user=user, environment=Lamp(), record=record).run()
    assert [kind for kind, _ in told] == ["message"] * 3 + ["tool calls", "observation", "message"]
    assert told[3][1]["by"] == told[4][1]["by"] == "user"
    assert "by" not in told[2][1]
