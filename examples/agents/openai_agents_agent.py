from agents import Agent, FunctionTool, Runner, set_default_openai_api

set_default_openai_api("chat_completions")


def agent(trial):
    def tool(one):
        return FunctionTool(one.name, one.description, one.parameters, lambda _, said: one.acall(said), False)

    clerk = Agent("clerk", instructions=trial.policy, model="gpt-5-mini", tools=[*map(tool, trial.tools)])
    said = []

    async def reply(text):
        result = await Runner.run(clerk, [*said, {"role": "user", "content": text}], max_turns=None)
        said[:], used = result.to_input_list(), result.context_wrapper.usage
        trial.spent(used.input_tokens, used.output_tokens, model="gpt-5-mini", calls=used.requests)
        return result.final_output

    return reply
