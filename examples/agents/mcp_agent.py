import asyncio
import json
import sys

from agents.mcp import MCPServerStreamableHttp

from agents import Agent, Runner, set_default_openai_api

set_default_openai_api("chat_completions")


async def reply(told):
    said = [one for one in told["messages"] if one["role"] != "tool" and one["content"]]
    async with MCPServerStreamableHttp({"url": told["mcp"]}) as trial:
        clerk = Agent("clerk", instructions=told["policy"], model="gpt-5-mini", mcp_servers=[trial])
        return (await Runner.run(clerk, said, max_turns=None)).final_output


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(reply(json.load(sys.stdin))))
