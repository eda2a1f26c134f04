from langchain.agents import create_agent
from langchain_core.tools import StructuredTool


def agent(trial):
    make = StructuredTool.from_function
    tools = [make(one, one.acall, one.name, one.description, args_schema=one.parameters) for one in trial.tools]
    graph = create_agent("openai:gpt-5-mini", tools, system_prompt=trial.policy)
    said = []

    async def reply(text):
        before = len(said)
        said[:] = (await graph.ainvoke({"messages": [*said, ("user", text)]}))["messages"]
        for used in filter(None, (getattr(one, "usage_metadata", None) for one in said[before:])):
            trial.spent(used["input_tokens"], used["output_tokens"], model="gpt-5-mini")
        return said[-1].text

    return reply
