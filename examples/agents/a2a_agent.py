"""An agent that speaks A2A, with the trial's tools over MCP: python a2a_agent.py PORT."""

import sys
from collections import defaultdict

import uvicorn
from a2a.helpers import new_text_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface
from google.protobuf.json_format import MessageToDict
from mcp_agent import reply
from starlette.applications import Starlette


class Clerk(AgentExecutor):
    said = defaultdict(list)  # by conversation

    async def execute(self, context, event_queue):
        said, trial = self.said[context.context_id], MessageToDict(context.message.metadata)["trialkit"]
        said.append({"role": "user", "content": context.get_user_input()})
        answer = await reply({**trial, "messages": said})
        said.append({"role": "assistant", "content": answer})
        await event_queue.enqueue_event(new_text_message(answer, context_id=context.context_id))

    async def cancel(self, context, event_queue):
        pass


interface = AgentInterface(url=f"http://127.0.0.1:{sys.argv[1]}/", protocol_binding="JSONRPC", protocol_version="1.0")
card = AgentCard(name="clerk", version="1", supported_interfaces=[interface], capabilities=AgentCapabilities())
handler = DefaultRequestHandler(Clerk(), InMemoryTaskStore(), card)
app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
