from pydantic_ai import Agent, Tool


def agent(trial):
    tools = [Tool.from_schema(one.acall, one.name, one.description, one.parameters) for one in trial.tools]
    clerk = Agent("openai-chat:gpt-5-mini", instructions=trial.policy, tools=tools)
    said = []

    async def reply(text):
        result = await clerk.run(text, message_history=said)
        said[:], used = result.all_messages(), result.usage
        trial.spent(used.input_tokens, used.output_tokens, model="gpt-5-mini", calls=used.requests)
        return result.output

    return reply
