"""One question put to an agent: whoever asks says no more, and the agent calls tools until it answers."""

from collections.abc import Mapping

from trialkit.dialogue import Agent, Conversation, End, Environment, Record, Rules, ScriptedUser

_STOP = "###STOP###"


def question_rules(max_steps: int, ending_tools: Mapping[str, End] | None = None) -> Rules:
    return Rules(
        greeting_is_said=False, first_message_may_stop=False, ending_tools=ending_tools or {}, max_steps=max_steps
    )


async def put_question(agent: Agent, text: str, environment: Environment, record: Record, rules: Rules) -> End:
    """The record has what was said and called; how it ended is given."""
    user = ScriptedUser([text], stop=_STOP)
    output = await Conversation(agent=agent, user=user, environment=environment, record=record, rules=rules).run()
    if record.messages[-1:] == [{"role": "user", "content": _STOP}]:
        record.messages.pop()
    return output["end"]
